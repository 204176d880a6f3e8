//===- AutoDevice.cpp - Chooses the device with the lowest cost -----------===//

#include "tools/tensorc/device/AutoDevice.h"

#include "compiler/session/jit/Session.h"
#include "compiler/session/placement/FusionWork.h"
#include "ir/program/HostCopies.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Names.h"
#include "tools/tensorc/device/RuntimeHandles.h"

using namespace mlir;
using tensorc::reference::Array;

namespace tensorc::tool {

static const placement::Placer::Candidates *findCandidates() {
  jit::Status status;
  const auto *candidates = jit::Session::get().candidates(status);
  if (!candidates)
    refuse(tensorc_rt_status_message(status.get()));
  return candidates;
}

/// Returns the names of dims whose sizes are not known, for an error message.
static std::string openSizes(func::FuncOp function) {
  llvm::SetVector<StringRef> names;
  auto collect = [&](TypeRange types) {
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        for (shape::Dim symbol : shape::symbolsOf(tx::dimsOf(tensor)))
          names.insert(symbol.name());
  };
  collect(function.getArgumentTypes());
  collect(function.getResultTypes());
  return llvm::join(names, ", ");
}

/// Returns the copies of operands and results, for a function with static
/// sizes.
static std::optional<placement::Work> copiesOf(func::FuncOp function) {
  placement::Work work;
  auto bytes = [](RankedTensorType type) {
    return static_cast<double>(tx::bytesOf(
        *reference::dtypeOf(type.getElementType()), type.getNumElements()));
  };
  for (TypeRange types : {TypeRange(function.getArgumentTypes()),
                          TypeRange(function.getResultTypes())})
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (!tensor.hasStaticShape()) {
          refuse("auto needs the sizes " + openSizes(function) +
                 ": give them with --shape");
          return std::nullopt;
        }
  for (Type type : function.getArgumentTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      work.operands.push_back({bytes(tensor), {}});
  for (Type type : function.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      work.results.push_back(bytes(tensor));
  return work;
}

/// Returns the kernels of the function on a target; nullopt if it cannot be
/// compiled for it.
static std::optional<std::vector<placement::KernelWork>>
kernelsOn(func::FuncOp function, const compiler::CompileOptions &options) {
  OwningOpRef<ModuleOp> module = function->getParentOfType<ModuleOp>().clone();
  std::string name = function.getName().str();
  keepOnly(module->lookupSymbol<func::FuncOp>(name));
  auto work =
      placement::planFor(module->lookupSymbol<func::FuncOp>(name), options);
  if (!work)
    return std::nullopt;
  return work->at([](StringRef) { return std::nullopt; });
}

std::optional<PlacementFacts> placeFunction(func::FuncOp function,
                                            compiler::CompileOptions options) {
  options.dumpDir.clear();
  options.onStage = nullptr;
  options.schedules.clear(); // the schedules are for kernels of another target
  std::optional<placement::Work> work = copiesOf(function);
  const placement::Placer::Candidates *all = work ? findCandidates() : nullptr;
  if (!all)
    return std::nullopt;
  PlacementFacts facts;
  for (const placement::Candidate &candidate : *all) {
    options.target = targetOf(candidate.name);
    auto kernels = kernelsOn(function, options);
    // The host remains a candidate even if it cannot run the program, so that
    // it reports the error if no device can.
    if (!kernels && (!candidate.isHost || all->size() > 1))
      continue;
    work->kernels.clear();
    if (kernels)
      work->kernels = std::move(*kernels);
    facts.candidates.push_back(candidate);
    facts.sums.push_back(placement::sumOf(*all, candidate, *work));
  }
  if (facts.candidates.empty()) {
    facts.candidates.push_back(all->front());
    facts.sums.emplace_back();
  }
  return facts;
}

LogicalResult specializeFor(func::FuncOp function, ArrayRef<Array> inputs) {
  std::vector<ShapeSpec> shapes;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    ShapeSpec shape{tx::argumentName(function, i), {}};
    if (function.getArgAttr(i, tx::symbolAttr)) {
      int64_t value = 0;
      std::memcpy(&value, input.bytes.data(),
                  std::min(sizeof value, input.bytes.size()));
      shape.dims.push_back(std::to_string(value));
    } else if (isa<RankedTensorType>(function.getArgument(i).getType())) {
      for (int64_t dim : input.shape)
        shape.dims.push_back(std::to_string(dim));
    } else {
      continue;
    }
    shapes.push_back(std::move(shape));
  }
  return specialize(function, shapes);
}

/// Chooses the first candidate for which the package has code, because a
/// package contains no costs. Returns nullopt after an error.
static std::optional<std::string> settlePackage(const std::string &path) {
  const placement::Placer::Candidates *candidates = findCandidates();
  if (!candidates)
    return std::nullopt;
  std::string names, reason;
  for (const placement::Candidate &candidate : *candidates) {
    tensorc_rt_module *module = nullptr;
    jit::Status status(
        tensorc_rt_load(candidate.device, path.c_str(), &module));
    ModuleHandle handle(module);
    if (!status)
      return candidate.name;
    names += (names.empty() ? "" : ", ") + candidate.name;
    if (tensorc_rt_status_code(status.get()) == TENSORC_RT_UNSUPPORTED)
      reason = tensorc_rt_status_message(status.get());
  }
  // Other errors do not depend on the device, so the first one reports them.
  if (reason.empty())
    return candidates->front().name;
  refuse("auto: no device of this machine runs it (" + names + "): " + reason);
  return std::nullopt;
}

/// Returns `device`, or the choice of `auto` for the program with these inputs;
/// nullopt after an error.
static std::optional<std::string>
settleDevice(Program &program, StringRef device, ArrayRef<Array> inputs,
             const compiler::CompileOptions &options) {
  if (device != placement::autoName)
    return device.str();
  if (program.isPackage())
    return settlePackage(program.package);
  OwningOpRef<ModuleOp> module =
      program.function->getParentOfType<ModuleOp>().clone();
  auto function =
      module->lookupSymbol<func::FuncOp>(program.function.getName());
  keepOnly(function);
  if (failed(specializeFor(function, inputs)))
    return std::nullopt;
  std::optional<PlacementFacts> facts = placeFunction(function, options);
  return facts ? std::optional(facts->chosen().name) : std::nullopt;
}

std::optional<std::string> compileFor(Program &program, StringRef target,
                                      const Arguments &arguments,
                                      Timing &timing) {
  FailureOr<std::string> bytes =
      compileProgram(program, optionsOf(target.str(), arguments, timing));
  return failed(bytes) ? std::nullopt : std::optional(std::move(*bytes));
}

LogicalResult setFigures(ModuleOp module, compiler::CompileOptions &options,
                         StringRef device) {
  if (device == placement::autoName || device == "reference")
    return success();
  tensorc_rt_device *found;
  if (!ok(tensorc_rt_device_find(device.str().c_str(), &found)))
    return failure();
  jit::Status status;
  std::optional<placement::Figures> figures =
      jit::Session::get().figuresOf(found, status);
  if (!figures)
    return refuse(tensorc_rt_status_message(status.get())), failure();
  auto f32 = static_cast<unsigned>(placement::RateClass::F32);
  compiler::MemoryLimit &limit = options.memoryLimit;
  limit.launchMicroseconds = figures->launch * 1e6;
  limit.memoryGBPerSecond = figures->memory * 1e-9;
  limit.gflopPerSecond = figures->rates[f32] * 1e-9;
  if (double rate = std::min(figures->toDevice, figures->fromDevice); rate > 0)
    module->setAttr(txp::hostRateAttr,
                    Builder(module.getContext()).getF64FloatAttr(rate * 1e-9));
  limit.threads = tensorc_rt_num_threads();
  return success();
}

static ModuleOp moduleOf(Program &program) {
  return program.function->getParentOfType<ModuleOp>();
}

/// Limits the device's memory. Memory is planned for static sizes, so the
/// program is compiled for the sizes of the inputs.
static LogicalResult limitMemory(Program &program, StringRef device,
                                 ArrayRef<Array> inputs,
                                 compiler::CompileOptions &options) {
  tensorc_rt_device *found;
  if (!ok(tensorc_rt_device_find(device.str().c_str(), &found)))
    return failure();
  if (!program.isPackage() &&
      (failed(setFigures(moduleOf(program), options, device)) ||
       failed(specializeFor(program.function, inputs))))
    return failure();
  // The limit is set after the device has been measured.
  tensorc_rt_device_set_memory_limit(found, options.memoryLimit.bytes);
  return success();
}

std::unique_ptr<Executable> prepareFor(Program &program, std::string &device,
                                       ArrayRef<Array> inputs,
                                       const Arguments &arguments,
                                       Timing &timing) {
  std::optional<std::string> settled = settleDevice(
      program, device, inputs, optionsOf("cpu", arguments, timing));
  if (!settled)
    return nullptr;
  device = *settled;
  compiler::CompileOptions options =
      optionsOf(targetFor(program, device), arguments, timing);
  if (options.memoryLimit.bytes &&
      failed(limitMemory(program, device, inputs, options)))
    return nullptr;
  return prepare(program, device, options);
}

} // namespace tensorc::tool
