//===- Trials.cpp - Measures one kernel with several schedules ------------===//

#include "compiler/session/tuning/Trials.h"

#include "compiler/session/tuning/RandomArray.h"
#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

#include <chrono>
#include <cstring>

using namespace mlir;

namespace tensorc::tuning {

using reference::Array;

static llvm::Error failedTrial(const llvm::Twine &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

static llvm::Error take(tensorc_rt_status *status) {
  if (!status)
    return llvm::Error::success();
  llvm::Error error = failedTrial(tensorc_rt_status_message(status));
  tensorc_rt_status_free(status);
  return error;
}

//===----------------------------------------------------------------------===//
// A program of one kernel
//===----------------------------------------------------------------------===//

std::string Trials::whyNot(tx::FusionOp fusion) {
  for (Type type : llvm::concat<const Type>(fusion->getOperandTypes(),
                                            fusion->getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return "it reads a size";
    if (!tensor.hasStaticShape())
      return "its sizes follow from values";
  }
  return "";
}

static OwningOpRef<ModuleOp> isolate(tx::FusionOp fusion) {
  auto whole = fusion->getParentOfType<ModuleOp>();
  Location loc = fusion.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  (*module)->setAttrs(whole->getAttrDictionary());
  OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
  auto function = func::FuncOp::create(
      b, loc, "main",
      b.getFunctionType(fusion->getOperandTypes(), fusion->getResultTypes()));
  Block *body = function.addEntryBlock();
  for (auto [i, isWord] : llvm::enumerate(compiler::inputsByValue(fusion)))
    if (isWord)
      function.setArgAttr(i, tx::scalarAttr, b.getUnitAttr());
  b.setInsertionPointToStart(body);
  Operation *alone = b.clone(*fusion);
  alone->setOperands(body->getArguments());
  func::ReturnOp::create(b, loc, alone->getResults());
  return module;
}

llvm::Expected<std::unique_ptr<Trials>>
Trials::create(tx::FusionOp fusion, tensorc_rt_device *device,
               const compiler::CompileOptions &options) {
  auto trials = std::make_unique<Trials>();
  trials->device = device;
  trials->options = options;
  trials->options.onStage = nullptr;
  trials->options.dumpDir.clear();
  trials->module = isolate(fusion);
  return trials;
}

//===----------------------------------------------------------------------===//
// Its arguments
//===----------------------------------------------------------------------===//

/// Maximum number of distinct random elements. A longer array repeats them.
static constexpr int64_t maxDrawn = 1 << 16;

static std::vector<uint8_t> drawBytes(reference::DType dtype, size_t size,
                                      uint64_t seed) {
  Array array = *Array::create(dtype, {maxDrawn});
  fillRandom(array, seed);
  std::vector<uint8_t> drawn =
      tx::isPacked(dtype) ? reference::pack(array) : array.bytes;
  std::vector<uint8_t> bytes(size);
  for (size_t at = 0; at < size; at += drawn.size())
    std::memcpy(&bytes[at], drawn.data(), std::min(drawn.size(), size - at));
  return bytes;
}

llvm::Error Trials::bind(const tensorc_rt_entry *entry) {
  int32_t count = tensorc_rt_entry_input_count(entry);
  for (int32_t i = 0; i < count; ++i) {
    tensorc_rt_value_info info;
    if (llvm::Error error = take(tensorc_rt_entry_input(entry, i, &info)))
      return error;
    // The runtime uses the same dtype codes.
    auto dtype = static_cast<reference::DType>(info.dtype);
    tensorc_rt_arg argument{};
    if (info.is_scalar) {
      std::vector<uint8_t> bytes = drawBytes(
          dtype, std::min(sizeof argument.word, size_t(tx::byteWidth(dtype))),
          i);
      std::memcpy(&argument.word, bytes.data(), bytes.size());
      arguments.push_back(argument);
      continue;
    }
    const auto &shape = shapes.emplace_back(info.dims, info.dims + info.rank);
    size_t size = 0;
    tensorc_rt_buffer *buffer = nullptr;
    if (llvm::Error error = take(
            tensorc_rt_byte_size(info.dtype, info.rank, shape.data(), &size)))
      return error;
    if (llvm::Error error =
            take(tensorc_rt_buffer_allocate(device, size, &buffer)))
      return error;
    buffers.emplace_back(buffer);
    std::vector<uint8_t> bytes = drawBytes(dtype, size, i);
    if (llvm::Error error = take(
            tensorc_rt_buffer_write(buffer, 0, bytes.data(), size, nullptr)))
      return error;
    argument.buffer = buffer;
    argument.dims = shape.data();
    argument.rank = info.rank;
    argument.dtype = info.dtype;
    arguments.push_back(argument);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Runs the trial; appends the bytes of the results if `bytes` is given.
llvm::Error Trials::run(Trial &trial, std::string *bytes) {
  std::vector<tensorc_rt_output> outputs(
      tensorc_rt_entry_output_count(trial.entry));
  if (llvm::Error error =
          take(tensorc_rt_run(trial.entry, arguments.data(), arguments.size(),
                              outputs.data(), outputs.size(), nullptr)))
    return error;
  llvm::Error error = take(tensorc_rt_device_synchronize(device));
  for (tensorc_rt_output &output : outputs) {
    if (bytes && !error) {
      size_t size = 0, begin = bytes->size();
      error = take(
          tensorc_rt_byte_size(output.dtype, output.rank, output.dims, &size));
      bytes->resize(begin + size);
      if (!error)
        error = take(tensorc_rt_buffer_read(output.buffer, 0, &(*bytes)[begin],
                                            size, nullptr));
    }
    tensorc_rt_buffer_release(output.buffer);
  }
  return error;
}

llvm::Expected<Trial> Trials::compile(tx::ScheduleAttr schedule) {
  OwningOpRef<ModuleOp> copy = module->clone();
  copy->walk([&](tx::FusionOp fusion) { fusion.setScheduleAttr(schedule); });
  std::string messages;
  ScopedDiagnosticHandler handler(
      copy->getContext(), [&](Diagnostic &diagnostic) {
        messages += (messages.empty() ? "" : "; ") + diagnostic.str();
        return success();
      });
  FailureOr<std::string> package =
      compiler::compile(*copy, options, compiler::Stage::Fuse);
  if (failed(package))
    return failedTrial(messages);
  Trial trial;
  trial.schedule = schedule;
  tensorc_rt_module *loaded = nullptr;
  if (llvm::Error error = take(
          tensorc_rt_load_bytes(device, package->data(), package->size(),
                                TENSORC_RT_COPY, nullptr, nullptr, &loaded)))
    return std::move(error);
  trial.module.reset(loaded);
  if (llvm::Error error =
          take(tensorc_rt_module_find(loaded, nullptr, &trial.entry)))
    return std::move(error);
  if (!hasRun)
    if (llvm::Error error = bind(trial.entry))
      return std::move(error);
  std::string bytes;
  if (llvm::Error error = run(trial, &bytes))
    return std::move(error);
  if (hasRun && bytes != results)
    return failedTrial("the schedule \"" + schedule.toString() +
                       "\" gives other bits than the usual one");
  results = std::move(bytes);
  hasRun = true;
  return trial;
}

/// Minimum measured time in seconds. Shorter times are dominated by the
/// resolution of the clock.
static constexpr double minSeconds = 3e-4; // seconds

llvm::Error Trials::measure(Trial &trial) {
  using Clock = std::chrono::steady_clock;
  double spent = 0;
  for (unsigned repeats = 1; spent < minSeconds; repeats *= 2) {
    Clock::time_point begin = Clock::now();
    for (unsigned i = 0; i < repeats; ++i)
      if (llvm::Error error = run(trial, nullptr))
        return error;
    spent = std::chrono::duration<double>(Clock::now() - begin).count();
    trial.best = std::min(trial.best, spent / repeats);
  }
  return llvm::Error::success();
}

} // namespace tensorc::tuning
