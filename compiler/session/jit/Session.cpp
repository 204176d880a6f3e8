//===- Session.cpp - Evaluation of recorded expressions -------------------===//

#include "compiler/session/jit/Session.h"
#include "compiler/session/jit/Donation.h"

#include "compiler/graph/LiveHandles.h"
#include "compiler/graph/Placement.h"
#include "compiler/log/Environment.h"
#include "compiler/output/pipelines/Register.h"
#include "compiler/session/jit/ThreadObjects.h"
#include "compiler/session/jit/TraceFile.h"
#include "compiler/session/placement/TileTest.h"
#include "ir/tx/TxDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <pthread.h>

namespace tensorc::jit {

using graph::Node;

/// Number of modules after which the context is replaced. A context keeps every
/// type, attribute and location it has seen, so this limits its memory.
static constexpr unsigned usesPerContext = 64;

Session &Session::get() {
  // Never destroyed: handles in static objects may be evaluated at exit.
  static auto *session = new Session;
  return *session;
}

/// Returns the maximum number of structures in the kernel cache:
/// TENSORC_KERNEL_CACHE, or 1024.
static size_t capacityOfEnvironment() {
  constexpr size_t usual = 1024;
  llvm::StringRef text = readVariable("TENSORC_KERNEL_CACHE");
  size_t count;
  if (!text.getAsInteger(10, count) && count)
    return count;
  if (!text.empty())
    tellIgnored("TENSORC_KERNEL_CACHE", text, "a number of structures from 1");
  return usual;
}

Session::Session()
    : cacheCapacity(capacityOfEnvironment()),
      opByOp(readSwitch("TENSORC_OP_BY_OP")),
      disk(std::make_shared<cache::DiskCache>(
          cache::DiskCacheOptions::fromEnvironment())) {
  setTuning(tuningOfEnvironment());
  TraceFile::get();
  (void)graph::storesIntermediates(); // reads its variable
  // The runtime registered its fork handlers earlier, so its locks are taken
  // after these. If there is not enough memory to register handlers, a fork
  // works as if they did not exist.
  (void)pthread_atfork([] { get().lockForFork(); },
                       [] { get().unlockAfterFork(); },
                       [] { get().unlockAfterFork(); });
}

/// Locks the mutexes in the order in which threads lock them.
void Session::lockForFork() {
  compileMutex.lock();
  placement::lockTiles();
  std::unique_lock graphLock(graph::graphMutex());
  Donation::waitForAll(graphLock);
  graphLock.release();
  deviceMutex.lock();
  for (auto &device : devices)
    device->lock();
  plans.lock();
  diskMutex.lock();
  disk->lock();
  statsMutex.lock();
  lastMutex.lock();
  TraceFile::get().lock();
}

void Session::unlockAfterFork() {
  TraceFile::get().unlock();
  lastMutex.unlock();
  statsMutex.unlock();
  disk->unlock();
  diskMutex.unlock();
  plans.unlock();
  for (auto &device : devices)
    device->unlock();
  deviceMutex.unlock();
  graph::graphMutex().unlock();
  placement::unlockTiles();
  compileMutex.unlock();
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The device that setThreadDevice chose for this thread.
static thread_local void *threadChoice = nullptr;

/// Returns the device with these properties. Adds the device if it is new.
/// Requires deviceMutex.
Session::Device *Session::addDevice(const std::string &name,
                                    tensorc_rt_device *device, bool reference,
                                    bool isAuto) {
  for (auto &known : devices)
    if (known->device == device && known->reference == reference &&
        known->isAuto == isAuto)
      return known.get();
  devices.push_back(
      std::make_unique<Device>(name, device, reference, isAuto, cacheCapacity));
  return devices.back().get();
}

/// "cuda:1" has the kind "cuda", and "sim:gfx942:1" has the kind "sim:gfx942".
static bool isOfKind(const tensorc_rt_device *device, llvm::StringRef kind) {
  llvm::StringRef rest = graph::deviceName(device);
  return rest.consume_front(kind) && rest.consume_front(":") && !rest.empty() &&
         llvm::all_of(rest, llvm::isDigit);
}

Status Session::findBuffers(const std::string &name, tensorc_rt_device *&out) {
  // The host runs the reference interpreter and holds values whose device the
  // cost model chooses.
  bool onHost = name == "reference" || name == placement::autoName;
  tensorc_rt_device *current[2] = {};
  if (threadChoice)
    current[0] = static_cast<Device *>(threadChoice)->device;
  if (Device *device = chosen)
    current[1] = device->device;
  else if (const char *text = secure_getenv("TENSORC_DEVICE"))
    Status ignored(tensorc_rt_device_find(text, &current[1]));
  for (tensorc_rt_device *device : current)
    if (device && !onHost && isOfKind(device, name)) {
      out = device;
      return nullptr;
    }
  return Status(tensorc_rt_device_find(onHost ? "cpu" : name.c_str(), &out));
}

Status Session::findDevice(const std::string &name, Device *&out) {
  bool reference = name == "reference", isAuto = name == placement::autoName;
  tensorc_rt_device *device = nullptr;
  if (Status status = findBuffers(name, device))
    return status;
  std::scoped_lock lock(deviceMutex);
  out = addDevice(name, device, reference, isAuto);
  return nullptr;
}

Status Session::setDefaultDevice(const std::string &name) {
  Device *device = nullptr;
  Status status = findDevice(name, device);
  if (!status)
    chosen = device;
  return status;
}

Status Session::setThreadDevice(const char *name) {
  Device *device = nullptr;
  Status status = name ? findDevice(name, device) : nullptr;
  if (!status)
    threadChoice = device;
  return status;
}

std::string Session::threadDevice() {
  return threadChoice ? static_cast<Device *>(threadChoice)->name
                      : std::string();
}

Session::Device *Session::currentDevice(Status &status) {
  if (threadChoice)
    return static_cast<Device *>(threadChoice);
  if (Device *device = chosen.load(std::memory_order_acquire))
    return device;
  const char *name = secure_getenv("TENSORC_DEVICE");
  status = setDefaultDevice(name && *name ? name : "cpu");
  return chosen;
}

Session::Device *Session::deviceFor(tensorc_rt_device *device, Status &status) {
  Device *current = currentDevice(status);
  if (!device || (current && current->device == device && !current->isAuto))
    return current;
  status.reset();
  std::scoped_lock lock(deviceMutex);
  return addDevice(graph::deviceName(device), device, /*reference=*/false);
}

std::string Session::defaultDevice() {
  Status status;
  if (!chosen)
    currentDevice(status);
  if (Device *device = chosen)
    return device->name;
  // There is no such device, as each use of it reports.
  const char *name = secure_getenv("TENSORC_DEVICE");
  return name ? name : "";
}

tensorc_rt_device *Session::bufferDevice(Status &status) {
  Device *device = currentDevice(status);
  return device ? device->device : nullptr;
}

void Session::bindCurrent(Node &node) {
  // Ignored: if there is no device, the evaluation reports the reason.
  Status status;
  Device *device = currentDevice(status);
  if (device && device->isAuto)
    node.makeAuto();
  else
    node.bind(device ? device->device : nullptr);
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
    // Also disables the context's per-thread caches, because a thread may
    // destroy them before the interpreter's last use.
    context->disableMultithreading();
    context->loadDialect<tx::TxDialect, mlir::func::FuncDialect>();
    contextUses = 1;
  }
  return context;
}

void Session::compileAlone(llvm::function_ref<void()> compile) {
  std::scoped_lock lock(compileMutex);
  onLiveThread([&] { compile(); });
}

void Session::withContext(llvm::function_ref<void(mlir::MLIRContext &)> use) {
  compileAlone([&] { use(*takeContext()); });
}

std::string Session::moduleText(Node &root, bool symbolic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::scoped_lock lock(compileMutex, graph::graphMutex());
  graph::Trace trace;
  trace.record(&root, graph::Stored::Roots, UINT32_MAX, /*keepsParts=*/true);
  onLiveThread([&] {
    graph::Program program = graph::toModule(*takeContext(), trace, symbolic);
    if (program.module)
      program.module->print(os);
    else
      os << "// the sizes cannot be expressed by names\n";
  });
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
  if (!kernels)
    return;
  {
    std::scoped_lock lock(compileMutex);
    growth.clear();
  }
  std::scoped_lock lock(deviceMutex);
  for (auto &device : devices)
    device->cache.clear();
}

void Session::setDiskCache(cache::DiskCacheOptions options) {
  auto next = std::make_shared<cache::DiskCache>(std::move(options));
  std::scoped_lock lock(diskMutex);
  disk = std::move(next);
}

std::shared_ptr<cache::DiskCache> Session::diskCache() {
  std::scoped_lock lock(diskMutex);
  return disk;
}

void Session::noteRun(const std::shared_ptr<const Executable> &executable) {
  // The noted object is alive, so no other object can have its address.
  if (lastNoted.load(std::memory_order_relaxed) == executable.get())
    return;
  std::scoped_lock lock(lastMutex);
  last = executable;
  lastNoted.store(executable.get(), std::memory_order_relaxed);
}

std::vector<std::string> Session::lastKernels() {
  std::scoped_lock lock(lastMutex);
  return last ? last->kernels : std::vector<std::string>();
}

} // namespace tensorc::jit
