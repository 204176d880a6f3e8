//===- Session.cpp - Evaluation of recorded expressions -------------------===//

#include "compiler/jit/Session.h"

#include "compiler/jit/TraceFile.h"
#include "compiler/pipelines/Register.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace tensorc::jit {

using graph::Node;

/// A context keeps every type, attribute and location it has seen: a fresh one
/// after this many modules bounds that.
static constexpr unsigned usesPerContext = 64;

Session &Session::get() {
  // Never destroyed: handles in static objects may be evaluated at exit.
  static auto *session = new Session;
  return *session;
}

Session::Session() : cacheCapacity(1024) {
  if (const char *text = std::getenv("TENSORC_KERNEL_CACHE"))
    cacheCapacity = std::max(1l, std::atol(text));
  TraceFile::get();
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Status Session::setDefaultDevice(const std::string &name) {
  std::scoped_lock lock(deviceMutex);
  for (auto &device : devices)
    if (device->name == name) {
      chosen = device.get();
      return nullptr;
    }
  // The interpreter computes on the host.
  bool reference = name == "reference";
  tensorc_rt_device *device = nullptr;
  if (Status status{
          tensorc_rt_device_find(reference ? "cpu" : name.c_str(), &device)})
    return status;
  devices.push_back(
      std::make_unique<Device>(name, device, reference, cacheCapacity));
  chosen = devices.back().get();
  return nullptr;
}

Session::Device *Session::currentDevice(Status &status) {
  if (Device *device = chosen.load(std::memory_order_acquire))
    return device;
  const char *name = std::getenv("TENSORC_DEVICE");
  status = setDefaultDevice(name && *name ? name : "cpu");
  return chosen;
}

std::string Session::defaultDevice() {
  Status status;
  Device *device = currentDevice(status);
  return device ? device->name : std::string();
}

tensorc_rt_device *Session::bufferDevice(Status &status) {
  Device *device = currentDevice(status);
  return device ? device->device : nullptr;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

std::shared_ptr<mlir::MLIRContext> Session::takeContext() {
  if (!context || contextUses++ >= usesPerContext) {
    mlir::DialectRegistry registry;
    compiler::registerAllTensorcDialects(registry);
    registry.insert<tx::TxDialect, mlir::func::FuncDialect>();
    context = std::make_shared<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<tx::TxDialect, mlir::func::FuncDialect>();
    contextUses = 1;
  }
  return context;
}

/// TENSORC_LOG=1: a line for each compilation on stderr.
static void logCompilation(Reason reason, int64_t begin,
                           const Executable *executable,
                           const tensorc_rt_status *failure) {
  static const bool isOn = std::getenv("TENSORC_LOG") != nullptr;
  if (!isOn)
    return;
  llvm::errs() << "tensorc: compiled in "
               << llvm::format("%.1f", (monotonicNanoseconds() - begin) * 1e-6)
               << " ms, " << reasonName(reason) << ":";
  if (executable)
    for (const std::string &kernel : executable->kernels)
      llvm::errs() << " " << kernel;
  else
    llvm::errs() << " failed: " << tensorc_rt_status_message(failure);
  llvm::errs() << "\n";
}

/// Both mutexes are held at entry; the graph's is free again at exit.
std::shared_ptr<const Executable>
Session::compile(Device &device, graph::Trace &trace, Reason reason,
                 std::unique_lock<std::mutex> &graphLock, Status &status) {
  int64_t begin = monotonicNanoseconds();
  std::shared_ptr<mlir::MLIRContext> context = takeContext();
  bool symbolic = reason == Reason::SecondSize;
  graph::Program program = graph::toModule(*context, trace, symbolic);
  if (!program.module) {
    device.cache.refuseSymbolic(trace, Reason::SizesNotExpressible);
    return compile(device, trace, Reason::SizesNotExpressible, graphLock,
                   status);
  }
  assert(mlir::succeeded(mlir::verify(*program.module)));
  std::shared_ptr<Executable> executable;
  TraceFile &file = TraceFile::get();
  StageHook onStage;
  if (file.isOn())
    onStage = [&](llvm::StringRef stage, int64_t begin, int64_t end) {
      file.event("stage", stage, begin, end);
    };
  graphLock.unlock();
  if (device.reference)
    executable = interpret(context, std::move(program.module), device.device);
  else
    executable = compileFor(device.device, *program.module, onStage, status);
  logCompilation(reason, begin, executable.get(), status.get());
  if (!executable && symbolic) {
    // The expression still has a value: compile it for the sizes at hand.
    status.reset();
    device.cache.refuseSymbolic(trace, Reason::SymbolicFailed);
    graphLock.lock();
    return compile(device, trace, Reason::SymbolicFailed, graphLock, status);
  }
  int64_t end = monotonicNanoseconds();
  file.event("compile", reasonName(reason), begin, end);
  if (!executable)
    return nullptr;
  executable->boundSizes = std::move(program.boundSizes);
  device.cache.insert(trace, reason, executable);
  std::scoped_lock lock(statsMutex);
  ++counters.compilations;
  ++counters.reasons[static_cast<unsigned>(reason)];
  counters.seconds += (end - begin) * 1e-9;
  return executable;
}

std::shared_ptr<const Executable>
Session::executableFor(graph::Trace &trace,
                       llvm::function_ref<Status(graph::Trace &)> record,
                       Status &status) {
  Device *device = currentDevice(status);
  if (!device)
    return nullptr;
  std::unique_lock graphLock(graph::graphMutex());
  if ((status = record(trace)) || trace.outputs.empty())
    return nullptr;
  if (auto found = device->cache.find(trace).executable) {
    hits.fetch_add(1, std::memory_order_relaxed);
    return found;
  }
  graphLock.unlock();
  // Another thread may have compiled this, or evaluated parts of it, while this
  // one waited for its turn.
  std::scoped_lock compileLock(compileMutex);
  graphLock.lock();
  if ((status = record(trace)) || trace.outputs.empty())
    return nullptr;
  KernelCache::Result found = device->cache.find(trace);
  if (found.executable)
    return found.executable;
  return compile(*device, trace, found.reason, graphLock, status);
}

std::string Session::moduleText(Node &root, bool symbolic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::scoped_lock lock(compileMutex, graph::graphMutex());
  graph::Trace trace;
  trace.record(&root, /*withLive=*/true);
  graph::Program program = graph::toModule(*takeContext(), trace, symbolic);
  if (program.module)
    program.module->print(os);
  else
    os << "// the sizes cannot be expressed by names\n";
  return text;
}

CompileStats Session::stats() {
  std::scoped_lock lock(statsMutex);
  CompileStats result = counters;
  result.hits = hits;
  return result;
}

void Session::reset(bool kernels) {
  {
    std::scoped_lock lock(statsMutex);
    counters = {};
    hits = 0;
  }
  std::scoped_lock lock(deviceMutex);
  if (kernels)
    for (auto &device : devices)
      device->cache.clear();
}

void Session::noteRun(const std::shared_ptr<const Executable> &executable) {
  std::scoped_lock lock(lastMutex);
  if (last != executable)
    last = executable;
}

std::vector<std::string> Session::lastKernels() {
  std::scoped_lock lock(lastMutex);
  return last ? last->kernels : std::vector<std::string>();
}

} // namespace tensorc::jit
