//===- Callable.cpp - Programs for calls in this process ------------------===//
//
// Like saved programs, except that captured values are arguments: they are not
// copied and can be replaced.
//
//===----------------------------------------------------------------------===//

#include "compiler/session/export/Recording.h"

#include "compiler/output/pipelines/PlannedSizes.h"

namespace tensorc::exporting {

using graph::Node;
using graph::NodeRef;

using jit::Status;

/// Returns the values that the first sample captures, in order.
static std::vector<NodeRef> capturesOf(llvm::ArrayRef<NodeRef> results) {
  llvm::SmallVector<Node *> roots;
  for (const NodeRef &result : results)
    roots.push_back(result.get());
  std::scoped_lock lock(graph::graphMutex());
  graph::Trace trace;
  trace.record(roots, graph::Stored::Roots);
  std::vector<NodeRef> captures;
  for (Node *node : trace.arguments)
    if (node->isEvaluated())
      captures.push_back(node);
  return captures;
}

static std::vector<jit::Function::NamedArgument>
argumentsOf(llvm::ArrayRef<Input> inputs) {
  std::vector<jit::Function::NamedArgument> result;
  for (const Input &input : inputs) {
    jit::Function::NamedArgument argument{input.dtype, {}, {}};
    argument.dims.assign(input.dims.begin(), input.dims.end());
    argument.names.assign(input.sizes.begin(), input.sizes.end());
    argument.names.resize(input.dims.size());
    result.push_back(std::move(argument));
  }
  return result;
}

Status Program::setPlans(mlir::ModuleOp module, llvm::StringRef memoryPlans,
                         llvm::StringRef call) {
  auto refuse = [&](const llvm::Twine &why) {
    return jit::makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                           (call + ": memory_plans: " + why).str());
  };
  std::string wrong = compiler::setPlannedSizes(module, memoryPlans);
  if (!wrong.empty())
    return refuse(wrong);
  std::string why = compiler::whyNotPlanned(module);
  return why.empty() ? nullptr : refuse(why);
}

std::unique_ptr<jit::Compilation>
Program::compileFor(tensorc_rt_device *device, const Naming &naming,
                    llvm::StringRef memoryPlans, Status &status) const {
  std::unique_ptr<jit::Compilation> compiled;
  status = withModule(naming, [&](mlir::ModuleOp module) {
    Status failed = setPlans(module, memoryPlans, "jit");
    if (failed)
      return failed;
    jit::Session &session = jit::Session::get();
    compiled = jit::compileFor(session.targetFor(device, module), module, {},
                               failed, *session.tunedSchedules());
    return failed;
  });
  return compiled;
}

std::shared_ptr<const jit::Executable>
Program::load(tensorc_rt_device *device, const jit::Compilation &compiled,
              Status &status) {
  std::shared_ptr<jit::Executable> executable =
      jit::loadPackage(device, compiled.package, nullptr, nullptr, status);
  if (!executable)
    return nullptr;
  executable->kernels = compiled.kernels;
  return executable;
}

std::unique_ptr<jit::Function> Recording::function(llvm::StringRef memoryPlans,
                                                   Status &status) const {
  tensorc_rt_device *device = jit::Session::get().bufferDevice(status);
  if (!device)
    return nullptr;
  Naming naming;
  std::vector<NodeRef> captures = capturesOf(samples[0].results);
  for (auto [i, node] : llvm::enumerate(captures))
    naming.weights.push_back({"captured" + std::to_string(i), node.get()});
  for (unsigned i = 0; i < inputs.size(); ++i)
    naming.inputs.push_back("arg" + std::to_string(i));
  auto compiled = compileFor(device, naming, memoryPlans, status);
  auto executable = compiled ? load(device, *compiled, status) : nullptr;
  if (!executable)
    return nullptr;
  std::vector<jit::Function::ValueType> results;
  for (const NodeRef &result : samples[0].results) {
    results.push_back({result->dtype(), {}});
    results.back().shape.assign(result->rank(), -1);
  }
  return std::make_unique<jit::Function>(device, std::move(executable),
                                         argumentsOf(inputs), captures, results,
                                         at);
}

} // namespace tensorc::exporting
