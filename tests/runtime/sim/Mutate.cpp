//===- Mutate.cpp - does the simulator notice a missing barrier? ----------===//
//
// tensorc-sim-mutate FILE [--device=sim:sm_90a]
//
// Deletes each barrier, wait and commit of the file's kernels in turn, runs the
// mutants in several orders and prints a table. FILE is a program, or the text
// after the stage emit. The status is 1 when fewer than 95 % are caught.
//
//===----------------------------------------------------------------------===//
#include "codegen/kernel/ops/Txk.h"
#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/session/tuning/RandomArray.h"
#include "ir/program/Txp.h"
#include "tools/tensorc/Inputs.h"
#include "tools/tensorc/Module.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir;
using namespace tensorc;
using reference::Array;

static llvm::cl::opt<std::string>
    input(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("FILE"));
static llvm::cl::opt<std::string> deviceName("device",
                                             llvm::cl::init("sim:sm_90a"));
static constexpr const char *orders[] = {"forward", "reverse", "1", "2"};
static constexpr double wanted = 0.95;

/// A status' message; empty: success.
static std::string take(tensorc_rt_status *status) {
  std::string message = tensorc_rt_status_message(status);
  tensorc_rt_status_free(status);
  return message;
}

namespace {
/// What a run has given, or why it failed.
struct Result {
  std::string error;
  std::vector<std::vector<uint8_t>> outputs;
};

class Runner {
public:
  Runner(tensorc_rt_device *device, std::vector<Array> inputs)
      : device(device), inputs(std::move(inputs)) {}

  /// The kernels, as they are after emit, compiled and run.
  Result run(ModuleOp emitted, const compiler::CompileOptions &options,
             const char *order);

private:
  std::string execute(const tensorc_rt_entry *entry, Result &result);

  tensorc_rt_device *device;
  std::vector<Array> inputs;
};
} // namespace

std::string Runner::execute(const tensorc_rt_entry *entry, Result &result) {
  std::vector<tool::BufferHandle> owned;
  std::vector<tensorc_rt_arg> args;
  for (const Array &array : inputs) {
    tensorc_rt_buffer *buffer = nullptr;
    size_t bytes = array.bytes.size();
    if (auto error = take(tensorc_rt_buffer_allocate(device, bytes, &buffer));
        !error.empty())
      return error;
    owned.emplace_back(buffer);
    if (auto error = take(tensorc_rt_buffer_write(buffer, 0, array.bytes.data(),
                                                  bytes, nullptr));
        !error.empty())
      return error;
    args.push_back({buffer, 0, array.shape.data(),
                    static_cast<int32_t>(array.shape.size()),
                    tool::toRuntime(array.dtype)});
  }
  std::vector<tensorc_rt_output> outputs(tensorc_rt_entry_output_count(entry));
  if (auto error =
          take(tensorc_rt_run(entry, args.data(), args.size(), outputs.data(),
                              outputs.size(), nullptr));
      !error.empty())
    return error;
  std::string first;
  for (tensorc_rt_output &output : outputs) {
    owned.emplace_back(output.buffer);
    auto shape = llvm::ArrayRef<int64_t>(output.dims, output.rank);
    auto array = Array::create(tool::fromRuntime(output.dtype), shape);
    std::string error = take(tensorc_rt_buffer_read(
        output.buffer, 0, array->bytes.data(), array->bytes.size(), nullptr));
    if (first.empty())
      first = error;
    result.outputs.push_back(std::move(array->bytes));
  }
  return first;
}

Result Runner::run(ModuleOp emitted, const compiler::CompileOptions &options,
                   const char *order) {
  Result result;
  OwningOpRef<ModuleOp> copy = emitted.clone();
  auto package = compiler::compile(*copy, options, compiler::Stage::Emit);
  if (failed(package)) {
    result.error = "does not compile";
    return result;
  }
  setenv("TENSORC_SIM_ORDER", order, 1);
  tensorc_rt_module *module = nullptr;
  const tensorc_rt_entry *entry = nullptr;
  result.error =
      take(tensorc_rt_load_bytes(device, package->data(), package->size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module));
  tool::ModuleHandle owner(module);
  if (result.error.empty())
    result.error = take(tensorc_rt_module_find(module, nullptr, &entry));
  if (result.error.empty())
    result.error = execute(entry, result);
  return result;
}

/// Standard normals and small integers for the entry's inputs, as `run` draws.
static FailureOr<std::vector<Array>> drawInputs(ModuleOp module) {
  std::vector<Array> arrays;
  for (auto func : module.getOps<txp::FuncOp>()) {
    if (!func.isEntry())
      continue;
    for (Type type : func.getInputs()->getAsValueRange<TypeAttr>()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape())
        return func.emitOpError("needs tensors of known sizes"), failure();
      auto array = Array::create(*reference::dtypeOf(tensor.getElementType()),
                                 tensor.getShape());
      tuning::fillRandom(*array, arrays.size() + 1);
      arrays.push_back(std::move(*array));
    }
    return arrays;
  }
  return module.emitError("has no entry"), failure();
}

namespace {
/// What orders accesses: an operation, or a part of one.
struct Ordering {
  Operation *op;
  StringRef part = ""; // an attribute

  void remove() const {
    if (!part.empty())
      return void(op->removeAttr(part));
    // Waits hand sums on.
    if (auto wait = dyn_cast<txk::NvWgmmaWaitOp>(op))
      wait.getResult().replaceAllUsesWith(wait.getSums());
    op->erase();
  }
};
} // namespace

/// In the order of the text.
static std::vector<Ordering> orderingsOf(ModuleOp module) {
  std::vector<Ordering> found;
  module.walk([&](Operation *op) {
    if (isa<gpu::BarrierOp, txk::CopyCommitOp, txk::CopyWaitOp,
            txk::NvMbarrierInitOp, txk::NvMbarrierFenceOp,
            txk::NvMbarrierArriveOp, txk::NvMbarrierWaitOp,
            txk::NvBarrierSyncOp, txk::NvWgmmaWaitOp>(op))
      found.push_back({op});
    if (isa<txk::NvWgmmaOp>(op))
      for (StringRef part : {"fence", "commit"})
        if (op->hasAttr(part) || op->getInherentAttr(part).value_or(nullptr))
          found.push_back({op, part});
  });
  return found;
}

/// "a race: thread 1 writes byte 0 of ..." without what changes from run to
/// run.
static StringRef kindOf(StringRef error) {
  for (StringRef kind : {"a race", "nobody has written", "nobody has waited",
                         "a divergent barrier", "inactive lanes", "a deadlock",
                         "no mbarrier", "no fence", "no wgmma.fence"})
    if (error.contains(kind))
      return kind;
  return error;
}

/// How the mutant without ordering `index` is caught; empty: it is not.
static std::string judge(ModuleOp module, size_t index, Runner &runner,
                         const compiler::CompileOptions &options,
                         const Result &expected) {
  OwningOpRef<ModuleOp> mutant = module.clone();
  orderingsOf(*mutant)[index].remove();
  for (const char *order : orders) {
    Result result = runner.run(*mutant, options, order);
    if (!result.error.empty())
      return kindOf(result.error).str() + " (" + order + ")";
    if (result.outputs != expected.outputs)
      return std::string("other values (") + order + ")";
  }
  return "";
}

static int refuse(const llvm::Twine &why) {
  llvm::errs() << "tensorc-sim-mutate: " << why << "\n";
  return 2;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  tensorc_rt_device *device = nullptr;
  if (auto error = take(tensorc_rt_device_find(deviceName.c_str(), &device));
      !error.empty())
    return refuse(error);
  tool::LoadedModule loaded;
  auto text = llvm::MemoryBuffer::getFile(input);
  if (!text)
    return refuse(input + ": " + text.getError().message());
  if (failed(loaded.parse((*text)->getBuffer(), input)))
    return 2;
  ModuleOp module = loaded.get();
  compiler::CompileOptions options;
  options.target = deviceName;
  if (module.getOps<txp::FuncOp>().empty() &&
      failed(compiler::runStages(module, options, std::nullopt,
                                 compiler::Stage::Emit)))
    return 2;
  auto inputs = drawInputs(module);
  if (failed(inputs))
    return 2;
  Runner runner(device, std::move(*inputs));
  Result expected = runner.run(module, options, "forward");
  for (const char *order : orders)
    if (Result other = runner.run(module, options, order);
        !other.error.empty() || other.outputs != expected.outputs)
      return refuse("the kernels are broken as they are, in order " +
                    llvm::Twine(order) + ": " +
                    (other.error.empty() ? "other values" : other.error));

  size_t caught = 0, count = orderingsOf(module).size();
  for (size_t i = 0; i < count; ++i) {
    auto [op, part] = orderingsOf(module)[i];
    std::string how = judge(module, i, runner, options, expected);
    caught += !how.empty();
    llvm::outs() << op->getParentOfType<gpu::GPUFuncOp>().getName() << " "
                 << op->getName().stripDialect() << " "
                 << (part.empty() ? "" : part.str() + " ") << i << ": "
                 << (how.empty() ? "SURVIVES" : how) << "\n";
  }
  llvm::outs() << caught << " of " << count << " caught\n";
  return caught < wanted * count;
}
