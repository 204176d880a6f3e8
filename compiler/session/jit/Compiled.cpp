//===- Compiled.cpp - Packages compiled and loaded in memory --------------===//

#include "compiler/session/jit/Executable.h"
#include "compiler/session/jit/Messages.h"
#include "compiler/session/jit/Streams.h"
#include "compiler/session/placement/TileTest.h"

#include "codegen/kernel/ProductOrder.h"
#include "compiler/log/Environment.h"
#include "compiler/output/pipelines/Pipelines.h"
#include "ir/program/Kernels.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/program/Txp.h"
#include "runtime/include/tensorc/interrupt.h"

#include "llvm/Support/FormatVariadic.h"

#include <atomic>
#include <chrono>

using namespace mlir;

namespace tensorc::jit {

Status makeStatus(tensorc_rt_code code, const std::string &message) {
  return Status(tensorc_rt_status_create(code, message.c_str()));
}

bool Interrupted::operator()() {
  if (!status)
    status.reset(tensorc_rt_check_interrupt());
  return status != nullptr;
}

Status Interrupted::orElse(tensorc_rt_code code, const std::string &message) {
  return status ? std::move(status) : makeStatus(code, message);
}

/// The pointer of an empty ArrayRef is not null if it was made from an empty
/// vector. The runtime would read what it points to.
template <typename T> static T const *dataOrNull(llvm::ArrayRef<T> list) {
  return list.empty() ? nullptr : list.data();
}

namespace {
class CompiledExecutable : public Executable {
public:
  ~CompiledExecutable() override { tensorc_rt_module_release(module); }

  Status run(llvm::ArrayRef<tensorc_rt_arg> arguments,
             llvm::MutableArrayRef<tensorc_rt_output> outputs,
             const RunMemory &memory) const override {
    tensorc_rt_stream *stream = currentStream(tensorc_rt_module_device(module));
    tensorc_rt_run_memory raw{sizeof raw, dataOrNull(memory.donated),
                              dataOrNull(memory.outputs), memory.lines.data(),
                              memory.lines.size()};
    bool isGiven = raw.donated || raw.outputs || raw.line_count;
    return Status(tensorc_rt_run_into(entry, arguments.data(), arguments.size(),
                                      isGiven ? &raw : nullptr, outputs.data(),
                                      outputs.size(), stream, nullptr));
  }
  Status measure(llvm::ArrayRef<tensorc_rt_arg> arguments,
                 tensorc_rt_memory_plan &plan) const override {
    return Status(tensorc_rt_entry_memory(entry, arguments.data(),
                                          arguments.size(), &plan));
  }

  tensorc_rt_module *module = nullptr;
  const tensorc_rt_entry *entry = nullptr;
};
} // namespace

static int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

static void listKernels(ModuleOp module, Compilation &out) {
  module.walk([&](Operation *op) {
    if (auto launch = dyn_cast<txp::LaunchOp>(op))
      out.kernels.push_back(launch.getKernel().getLeafReference().str());
    else if (auto launch = dyn_cast<txp::LaunchGridOp>(op))
      out.kernels.push_back(launch.getKernel().str());
  });
}

/// Reads what a module that was compiled for a memory limit needs, from the
/// attributes of txp-fit-memory.
static void readFit(ModuleOp module, MemoryFit &fit) {
  for (auto program : module.getOps<txp::FuncOp>())
    if (auto found = program->getAttrOfType<DictionaryAttr>(txp::fitAttr)) {
      auto bytes = [&](StringRef name) -> uint64_t {
        auto number = found.getAs<IntegerAttr>(name);
        return number ? number.getInt() : 0;
      };
      fit.natural = std::max(fit.natural, bytes("natural"));
      fit.needed = std::max(fit.needed, bytes("fitted"));
    }
}

std::string targetOf(tensorc_rt_device *device) {
  return placement::targetOf(device);
}

std::string targetIdentity(tensorc_rt_device *device) {
  std::string identity = codegen::getTargetIdentity(targetOf(device));
  if (llvm::StringRef order = readVariable(codegen::bf16OrderVariable);
      !order.empty())
    identity += (" bf16=" + order).str();
  return identity;
}

bool multipliesTiles(tensorc_rt_device *device, bool isBf16) {
  auto target = codegen::getTargetInfo(targetOf(device));
  if (!target) {
    llvm::consumeError(target.takeError());
    return false;
  }
  return target->getMatrixUnit() == codegen::MatrixUnit::TileRegisters &&
         !(isBf16 && readVariable(codegen::bf16OrderVariable) == "fma");
}

const bool verifiesPasses = TENSORC_VERIFY_PASSES;

std::unique_ptr<Compilation>
compileFor(const std::string &target, ModuleOp module, const StageHook &onStage,
           Status &status, llvm::ArrayRef<std::string> schedules,
           MemoryFit *fit) {
  compiler::CompileOptions options;
  options.target = target;
  options.notes.lines = false;
  options.schedules = schedules.vec();
  options.threads = tensorc_rt_num_threads();
  options.memoryLimit.bytes = fit ? fit->limit : 0;
  options.memoryLimit.threads = options.threads;
  options.verify = verifiesPasses;
  // Each compilation gets its own folder. Folders are numbered in the order of
  // the compilations.
  static std::atomic<unsigned> compilations{0};
  if (llvm::StringRef dump = readVariable("TENSORC_DUMP"); !dump.empty())
    options.dumpDir =
        llvm::formatv("{0}/{1}", dump, compilations.fetch_add(1)).str();
  if (onStage)
    options.onStage = [&](compiler::Stage stage, double seconds) {
      int64_t end = now();
      onStage(compiler::stageName(stage),
              end - static_cast<int64_t>(seconds * 1e9), end);
    };
  Interrupted interrupted;
  options.isCancelled = [&] { return interrupted(); };
  compiler::CompileCost cost;
  options.cost = &cost;
  Messages messages(module.getContext());
  FailureOr<std::string> package = compiler::compile(module, options);
  if (fit)
    readFit(module, *fit);
  if (failed(package)) {
    status = interrupted.orElse(TENSORC_RT_UNSUPPORTED,
                                "compile: " + messages.text());
    return nullptr;
  }
  auto result = std::make_unique<Compilation>();
  result->package = std::move(*package);
  result->codeBytes = cost.codeBytes;
  result->wholeOps = cost.wholeOps;
  result->processorSeconds = cost.nanoseconds * 1e-9;
  listKernels(module, *result);
  return result;
}

std::shared_ptr<Executable> loadPackage(tensorc_rt_device *device,
                                        llvm::StringRef package,
                                        tensorc_rt_deleter deleter, void *user,
                                        Status &status) {
  auto executable = std::make_shared<CompiledExecutable>();
  // A package with a deleter was read from the disk cache, so it is verified.
  tensorc_rt_load_options options{sizeof options, nullptr, !deleter,
                                  /*verify_constants=*/0};
  status.reset(
      tensorc_rt_load_bytes_with(device, package.data(), package.size(),
                                 deleter ? TENSORC_RT_BORROW : TENSORC_RT_COPY,
                                 deleter, user, &options, &executable->module));
  if (!status)
    status.reset(tensorc_rt_module_find(executable->module, nullptr,
                                        &executable->entry));
  return status ? nullptr : executable;
}

} // namespace tensorc::jit
