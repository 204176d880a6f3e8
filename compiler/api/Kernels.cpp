//===- Kernels.cpp - Kernels written by users: the C interface ------------===//

#include "compiler/api/Api.h"
#include "compiler/graph/CustomCalls.h"
#include "compiler/output/pipelines/Register.h"
#include "tensorc/kernel.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/STLExtras.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::NodeRef;
using graph::Recorder;

/// Returns the context in which texts and sizes of kernels are parsed. Like
/// kernels, it is never destroyed.
static mlir::MLIRContext &kernelContext() {
  static auto *context = [] {
    mlir::DialectRegistry registry;
    compiler::registerAllTensorcDialects(registry);
    auto *made =
        new mlir::MLIRContext(registry, mlir::MLIRContext::Threading::DISABLED);
    made->loadDialect<tx::TxDialect, mlir::gpu::GPUDialect>();
    return made;
  }();
  return *context;
}

static std::string textOf(const char *text) { return text ? text : ""; }

static bool readValues(Recorder &r, const std::string &name, const char *what,
                       const tensorc_kernel_value *values, int32_t count,
                       std::vector<kernels::Description::Value> &out) {
  if (count < 0 || (count && !values)) {
    r.fail(name, llvm::Twine("the list of ") + what + "s is NULL");
    return false;
  }
  for (int32_t i = 0; i < count; ++i) {
    graph::DType dtype = dtypeOf(values[i].dtype);
    if (dtype == graph::DType::None)
      r.fail(name,
             llvm::Twine(what) + " " + llvm::Twine(i) + " has no valid dtype");
    out.push_back({dtype, {textOf(values[i].dims), {}}});
  }
  return r.error.empty();
}

static tensorc_status *makeKernel(const rt::KernelLanguage *language,
                                  const char *source, const char *name,
                                  const tensorc_kernel_options *given,
                                  tensorc_location at, tensorc_kernel **out) {
  if (!source || !name || !given || !out)
    return refusal(llvm::Twine(language ? language->name : "gpu") +
                   "_kernel: an argument is NULL");
  *out = nullptr;
  tensorc_kernel_options options = readVersioned(given);
  Recorder r(locationOf(at));
  kernels::Description description;
  description.language = language;
  description.source = source;
  description.name = name;
  if (!readValues(r, name, "input", options.inputs, options.input_count,
                  description.inputs) ||
      !readValues(r, name, "output", options.outputs, options.output_count,
                  description.outputs))
    return refusal(r);
  description.grid.text = textOf(options.grid);
  description.shared.text = textOf(options.shared);
  description.scalars.text = textOf(options.scalars);
  description.zeroed = options.zeroed != 0;
  description.block.assign(options.block, options.block + 3);
  while (!description.block.empty() && description.block.back() == 0)
    description.block.pop_back();
  for (int32_t i = 0; options.flags && i < options.flag_count; ++i)
    description.flags.push_back(textOf(options.flags[i]));
  auto kernel =
      kernels::makeKernel(kernelContext(), std::move(description), at.file);
  if (!kernel) {
    r.fail(name, llvm::toString(kernel.takeError()));
    return refusal(r);
  }
  *out = reinterpret_cast<tensorc_kernel *>(
      const_cast<kernels::Kernel *>(*kernel));
  return nullptr;
}

tensorc_status *tensorc_cuda_kernel(const char *source, const char *name,
                                    const tensorc_kernel_options *options,
                                    tensorc_location at, tensorc_kernel **out) {
  return makeKernel(&rt::cudaLanguage, source, name, options, at, out);
}

tensorc_status *tensorc_gpu_kernel(const char *text, const char *name,
                                   const tensorc_kernel_options *options,
                                   tensorc_location at, tensorc_kernel **out) {
  return makeKernel(nullptr, text, name, options, at, out);
}

/// Checks the inputs against the kernel's declaration, except for their sizes.
static bool checkInputs(Recorder &r, const kernels::Kernel &kernel,
                        llvm::ArrayRef<NodeRef> inputs) {
  if (inputs.size() != kernel.inputs.size()) {
    r.fail(kernel.name, "takes " + llvm::Twine(kernel.inputs.size()) +
                            " inputs, not " + llvm::Twine(inputs.size()));
    return false;
  }
  for (auto [i, input] : llvm::enumerate(inputs)) {
    graph::DType declared = kernel.inputs[i].dtype;
    if (!input)
      r.fail(kernel.name,
             "input " + llvm::Twine(i) + " is an undefined tensor");
    else if (input->dtype() != declared)
      r.fail(kernel.name, "input " + llvm::Twine(i) + " is " +
                              graph::dtypeName(input->dtype()) +
                              ", declared as " + graph::dtypeName(declared));
    if (!r.error.empty())
      return false;
  }
  return true;
}

tensorc_status *tensorc_kernel_call(const tensorc_kernel *handle,
                                    const tensorc_tensor *const *inputs,
                                    int32_t input_count, tensorc_location at,
                                    tensorc_tensor **results) {
  Recorder r(locationOf(at), "kernel_call");
  if (!handle || !results)
    return refusal("kernel_call: an argument is NULL");
  const auto &kernel = *reinterpret_cast<const kernels::Kernel *>(handle);
  std::fill_n(results, kernel.outputs.size(), nullptr);
  llvm::SmallVector<NodeRef> nodes = refsOf(r, input_count, inputs);
  if (!r.error.empty())
    return refusal(r);
  r.called = nullptr; // Errors from here on name the kernel.
  if (!checkInputs(r, kernel, nodes))
    return refusal(r);
  llvm::SmallVector<llvm::ArrayRef<int64_t>> shapes;
  for (const NodeRef &node : nodes)
    shapes.push_back(node->shape());
  auto outputs = kernel.outputShapes(shapes);
  if (!outputs) {
    r.fail(kernel.name, llvm::toString(outputs.takeError()));
    return refusal(r);
  }
  graph::CustomCall call;
  call.name = kernel.name.c_str();
  call.config = call.derivative = "";
  call.kernel = &kernel;
  for (auto [value, shape] : llvm::zip(kernel.outputs, *outputs))
    call.outputs.push_back({value.dtype, shape});
  llvm::SmallVector<NodeRef> made = graph::customCall(r, call, nodes);
  if (!r.error.empty())
    return refusal(r);
  for (auto [i, node] : llvm::enumerate(made)) {
    node->becomeHandle();
    results[i] = handleOf(node.leak());
  }
  return nullptr;
}
