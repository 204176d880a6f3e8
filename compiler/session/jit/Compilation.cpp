//===- Compilation.cpp - From a trace to an executable --------------------===//
//
// An executable is looked up in memory, then on disk; if both fail, the trace
// is compiled.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/LiveHandles.h"
#include "compiler/log/Environment.h"
#include "compiler/log/LogTopics.h"
#include "compiler/output/pipelines/SimulatedImage.h"
#include "compiler/session/cache/BuildId.h"
#include "compiler/session/jit/Donation.h"
#include "compiler/session/jit/NumberChecks.h"
#include "compiler/session/jit/Session.h"
#include "compiler/session/jit/ThreadObjects.h"
#include "compiler/session/jit/TraceFile.h"
#include "compiler/session/jit/memory/FittedPrograms.h"
#include "compiler/session/placement/HostCosts.h"
#include "compiler/session/placement/TileTest.h"
#include "compiler/session/report/ReportFolder.h"

#include "ir/program/LaunchAttributes.h"
#include "ir/tx/Dims.h"
#include "runtime/abi/BlockSizes.h"
#include "runtime/include/tensorc/communicator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace tensorc::jit {

static void logCompilation(const char *what, const char *why, int64_t begin,
                           const Executable *executable,
                           const tensorc_rt_status *failure) {
  if (!isLogged(LogTopic::Compile))
    return;
  llvm::errs() << "tensorc: " << what << " in "
               << llvm::format("%.1f", (monotonicNanoseconds() - begin) * 1e-6)
               << " ms, " << why << ":";
  if (executable)
    for (const std::string &kernel : executable->kernels)
      llvm::errs() << " " << kernel;
  else
    llvm::errs() << " failed: " << tensorc_rt_status_message(failure);
  llvm::errs() << "\n";
}

//===----------------------------------------------------------------------===//
// Disk
//===----------------------------------------------------------------------===//

/// Returns everything that the compiled bytes depend on. Sizes are included
/// unless the kernels are for all sizes.
static std::string diskKey(const graph::Trace &trace, bool symbolic,
                           llvm::StringRef target) {
  std::string key;
  auto append = [&](const void *data, size_t size) {
    uint64_t count = size;
    key.append(reinterpret_cast<const char *>(&count), sizeof count);
    key.append(static_cast<const char *>(data), size);
  };
  append(cache::buildId().data(), cache::buildId().size());
  append(target.data(), target.size());
  append(trace.key.data(), trace.key.size() * sizeof(trace.key[0]));
  key += symbolic ? 'n' : 's';
  key += checksNumbers() ? 'c' : 'u';
  if (!symbolic)
    append(trace.sizes.data(), trace.sizes.size() * sizeof(trace.sizes[0]));
  return key;
}

/// Returns the part of the disk cache's keys that depends on the device. All
/// tuning results are part of it, so another tuning file recompiles everything.
static std::string identityOf(tensorc_rt_device *device) {
  std::string identity = targetIdentity(device);
  for (const std::string &schedule : *Session::get().tunedSchedules())
    identity += " " + schedule;
  return identity;
}

static std::shared_ptr<Executable>
load(tensorc_rt_device *device, cache::CacheEntry entry, Status &status) {
  std::shared_ptr<Executable> executable = loadPackage(
      device, entry.package,
      [](void *bytes, void *) { cache::FileBytes(static_cast<char *>(bytes)); },
      entry.owner.release(), status);
  if (!executable)
    return nullptr;
  executable->kernels = std::move(entry.kernels);
  executable->boundSizes = std::move(entry.boundSizes);
  return executable;
}

/// True if kernels for all sizes are slower than kernels for one size; see
/// Executable::isSlowerThanSized. Requires graphMutex(), as it reads nodes of a
/// trace.
static bool gainsFromSizes(const graph::Trace &trace) {
  return llvm::any_of(trace.order, [](const graph::Node *node) {
    return !graph::isArgument(*node) && !graph::isElementwise(*node);
  });
}

/// True if code for the trace may use matrix instructions. Requires
/// graphMutex().
static bool mayMultiply(const graph::Trace &trace) {
  return llvm::any_of(trace.order, [](const graph::Node *node) {
    graph::Category category = graph::traits(node->op()).category;
    return category == graph::Category::Contraction ||
           category == graph::Category::Composite;
  });
}

std::string Session::targetFor(tensorc_rt_device *device,
                               mlir::ModuleOp module) {
  placement::useHostCosts(device, diskCache()->folders(), cache::buildId());
  if (placement::mayMultiply(module))
    placement::testTiles(device, diskCache()->folders(), cache::buildId());
  return targetOf(device);
}

/// True if the code depends on the memory that is left, which is not part of the
/// disk cache's key.
static bool isForMemory(Reason reason) {
  return reason == Reason::MemoryLimit || reason == Reason::MemoryPlans;
}

/// Finds the trace's code in the disk cache: for all sizes, or for its own
/// sizes. Sets `reason` to the refusal of an entry, or to SecondSize if code
/// for all sizes is found instead of code for the trace's sizes.
std::shared_ptr<const Executable> Session::findOnDisk(Device &device,
                                                      const graph::Trace &trace,
                                                      bool gains,
                                                      Reason &reason) {
  std::shared_ptr<cache::DiskCache> cache = diskCache();
  if (!cache->isOn() || isForMemory(reason) || device.reference ||
      cache::buildId().empty() || !readVariable("TENSORC_DUMP").empty() ||
      compiler::embedsSimulated())
    return nullptr;
  int64_t begin = monotonicNanoseconds();
  auto find = [&](bool symbolic, uint32_t &refusal) {
    std::string key = diskKey(trace, symbolic, identityOf(device.device));
    std::shared_ptr<Executable> executable;
    std::optional<cache::CacheEntry> entry = cache->find(key);
    refusal = entry ? entry->refusal : 0;
    if (!entry || refusal)
      return executable;
    Status status;
    executable = load(device.device, std::move(*entry), status);
    // This process may lack the permission to load the entry. Other processes
    // may have it, so the entry is not removed.
    if (!executable &&
        tensorc_rt_status_code(status.get()) != TENSORC_RT_UNTRUSTED)
      cache->remove(key);
    return executable;
  };
  uint32_t refusal = 0;
  std::shared_ptr<Executable> executable;
  if (reason == Reason::SecondSize)
    executable = find(true, refusal);
  if (refusal) {
    reason = static_cast<Reason>(refusal);
    device.cache.refuseSymbolic(trace, reason);
  }
  if (reason != Reason::SecondSize)
    executable = find(false, refusal);
  // Kernels for all sizes may also be used for the first set of sizes.
  if (!executable && reason == Reason::NewStructure &&
      (executable = find(true, refusal)))
    reason = Reason::SecondSize;
  if (executable) {
    logCompilation("loaded", "from disk", begin, executable.get(), nullptr);
    TraceFile::get().event("load", "disk cache", begin, monotonicNanoseconds());
    executable->isSlowerThanSized = gains && reason == Reason::SecondSize;
    device.cache.insert(trace, reason, executable);
  }
  std::scoped_lock lock(statsMutex);
  ++(executable ? counters.diskHits : counters.diskMisses);
  return executable;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Stores a compilation on disk, or the reason why it was refused.
static void storeOnDisk(cache::DiskCache &cache, const std::string &key,
                        const Compilation *compilation,
                        llvm::ArrayRef<uint32_t> boundSizes,
                        uint32_t refusal = 0) {
  if (!cache.isOn() || cache::buildId().empty())
    return;
  cache::CacheEntry entry;
  entry.refusal = refusal;
  entry.boundSizes = boundSizes;
  if (compilation) {
    entry.kernels = compilation->kernels;
    entry.package = compilation->package;
  }
  cache.store(key, entry);
}

/// True if a tensor has more bytes than the address space, in which case its
/// compilation fails. The caller reports this as out of memory.
static bool exceedsMemory(const graph::Trace &trace) {
  return llvm::any_of(trace.order, [](const graph::Node *node) {
    double bytes = graph::byteWidth(node->dtype());
    for (int64_t dim : node->shape())
      bytes *= static_cast<double>(std::max<int64_t>(dim, 1));
    return bytes > static_cast<double>(int64_t{1} << 48);
  });
}

uint64_t bytesLeftFor(llvm::ArrayRef<graph::Node *> arguments,
                      tensorc_rt_device *device) {
  tensorc_rt_memory_stats stats;
  tensorc_rt_device_memory(device, &stats);
  uint64_t left = stats.limit
                      ? stats.limit - std::min(stats.limit, stats.allocated)
                      : stats.free + stats.cached;
  for (const graph::Node *argument : arguments)
    if (const tensorc_rt_buffer *stored = argument->bufferOn(device))
      left += rt::blockBytes(tensorc_rt_buffer_size(stored));
  return std::max<uint64_t>(left, 1);
}

/// Asks for plans of a program for all sizes. They are made for the trace's sizes.
static void setPlannedSizes(mlir::ModuleOp module, const graph::Trace &trace) {
  mlir::Builder b(module.getContext());
  mlir::NamedAttrList sizes;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    for (mlir::Type type : function.getArgumentTypes())
      if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
        for (shape::Dim symbol : shape::symbolsOf(tx::dimsOf(tensor)))
          if (auto id = graph::sizeOfName(symbol.name()))
            sizes.set(symbol.name(), b.getI64IntegerAttr(trace.sizes[*id]));
  module->setAttr(txp::plannedSizesAttr,
                  sizes.getDictionary(module.getContext()));
}

std::shared_ptr<Executable>
Session::compileModule(Device &device, graph::Program program,
                       const graph::Trace &trace, Reason reason,
                       uint64_t memoryLimit, Status &status) {
  MemoryFit fit{memoryLimit, 0, 0};
  bool isFitted = reason == Reason::MemoryLimit;
  bool isPlanned = reason == Reason::MemoryPlans;
  if (isPlanned)
    setPlannedSizes(*program.module, trace);
  TraceFile &file = TraceFile::get();
  StageHook onStage;
  if (file.isOn())
    onStage = [&](llvm::StringRef stage, int64_t begin, int64_t end) {
      file.event("stage", stage, begin, end);
    };
  std::unique_ptr<Compilation> compilation =
      compileFor(targetOf(device.device), *program.module, onStage, status,
                 *tunedSchedules(), isFitted ? &fit : nullptr);
  if (!compilation) {
    if (isCancelled(status))
      return nullptr;
    if (isFitted) {
      fit.needed = std::max(fit.needed, memoryLimit + 1);
      device.cache.refuseLimit(trace, fit);
    }
    if (isPlanned)
      device.cache.refusePlans(trace);
    if (isForMemory(reason) || exceedsMemory(trace))
      status = makeStatus(TENSORC_RT_OUT_OF_MEMORY,
                          tensorc_rt_status_message(status.get()));
    return nullptr;
  }
  std::shared_ptr<Executable> executable = loadPackage(
      device.device, compilation->package, nullptr, nullptr, status);
  if (!executable)
    return nullptr;
  if (!isForMemory(reason))
    storeOnDisk(
        *diskCache(),
        diskKey(trace, reason == Reason::SecondSize, identityOf(device.device)),
        compilation.get(), program.boundSizes);
  if (isFitted)
    executable->fit = fit;
  executable->kernels = std::move(compilation->kernels);
  executable->codeBytes = compilation->codeBytes;
  executable->processorSeconds = compilation->processorSeconds;
  executable->boundSizes = std::move(program.boundSizes);
  return executable;
}

/// Returns true if the module is valid. It is invalid if expressions over named
/// sizes contradict each other. Emits no diagnostics.
static bool isValid(graph::Program &program) {
  mlir::ScopedDiagnosticHandler silent(program.module->getContext(),
                                       [](mlir::Diagnostic &) {});
  return mlir::succeeded(mlir::verify(*program.module));
}

/// Called with the compile mutex and the graph mutex locked; releases the graph
/// mutex. Returns null without an error if the trace must be compiled for its
/// own sizes instead. The caller then records the trace again, because other
/// threads may have evaluated parts of it.
std::shared_ptr<const Executable>
Session::compile(Device &device, graph::Trace &trace, Reason reason,
                 uint64_t memoryLimit, std::unique_lock<std::mutex> &graphLock,
                 Status &status) {
  int64_t begin = monotonicNanoseconds();
  std::shared_ptr<mlir::MLIRContext> context = takeContext();
  bool symbolic = reason == Reason::SecondSize || reason == Reason::MemoryPlans;
  // The trace can be compiled for its own sizes, but not for all sizes. Records
  // this and the reason.
  auto forOneSize = [&](Reason why) {
    if (device.cache.refuseSymbolic(trace, why) && !device.reference)
      storeOnDisk(*diskCache(), diskKey(trace, true, identityOf(device.device)),
                  nullptr, {}, static_cast<uint32_t>(why));
    if (graphLock.owns_lock())
      graphLock.unlock();
    return nullptr;
  };
  bool gains = symbolic && !device.reference && gainsFromSizes(trace);
  graph::Program program = graph::toModule(*context, trace, symbolic);
  if (!program.module)
    return forOneSize(Reason::SizesNotExpressible);
  bool valid = isValid(program);
  if (!valid && symbolic)
    return forOneSize(Reason::SymbolicFailed);
  graphLock.unlock();
  if (!valid) {
    status = makeStatus(TENSORC_RT_UNSUPPORTED,
                        "compile: the recorded program is not valid");
    return nullptr;
  }
  checkNumbersInBlocks(*program.module);
  mlir::OwningOpRef<mlir::ModuleOp> copy;
  if (report::ReportFolder::get().isOn() && !device.reference)
    copy = program.module->clone();
  std::shared_ptr<Executable> executable;
  if (device.reference) {
    executable = interpret(context, std::move(program.module), device.device);
    executable->boundSizes = std::move(program.boundSizes);
  } else {
    executable = compileModule(device, std::move(program), trace, reason,
                               memoryLimit, status);
  }
  logCompilation("compiled", reasonName(reason), begin, executable.get(),
                 status.get());
  if (isCancelled(status))
    return nullptr;
  if (!executable && reason == Reason::SecondSize) {
    status.reset();
    return forOneSize(Reason::SymbolicFailed);
  }
  if (!executable && reason == Reason::FrequentSizes) {
    status.reset();
    device.cache.refuseFrequent(trace);
    return device.cache.find(trace).executable;
  }
  int64_t end = monotonicNanoseconds();
  TraceFile::get().event("compile", reasonName(reason), begin, end);
  if (!executable)
    return nullptr;
  if (copy)
    report::ReportFolder::get().add(
        *copy, targetOf(device.device), *tunedSchedules(), trace.hash,
        {.reason = reasonName(reason), .seconds = (end - begin) * 1e-9});
  executable->isSlowerThanSized = gains;
  device.cache.insert(trace, reason, executable);
  llvm::DenseSet<llvm::StringRef> kernels(executable->kernels.begin(),
                                          executable->kernels.end());
  std::scoped_lock lock(statsMutex);
  ++counters.compilations;
  ++counters.reasons[static_cast<unsigned>(reason)];
  counters.seconds += (end - begin) * 1e-9;
  counters.processorSeconds += executable->processorSeconds;
  counters.kernels += kernels.size();
  counters.codeBytes += executable->codeBytes;
  return executable;
}

std::shared_ptr<const Executable> Session::executableFor(
    tensorc_rt_device *place, graph::Trace &trace,
    llvm::function_ref<Status(graph::Trace &)> record, Status &status,
    Sizes sizes, llvm::function_ref<bool(const graph::Trace &)> refuses,
    KernelCache::BytesLeft bytesLeft, uint64_t *bytesMissing) {
  Device *device = deviceFor(place, status);
  if (!device)
    return nullptr;
  std::unique_lock graphLock(graph::graphMutex());
  // Records the trace until no other thread overwrites its values. The graph
  // mutex is held afterwards.
  auto recordFree = [&] {
    do
      status = record(trace);
    while (!status && Donation::waitFor(trace, graphLock));
    return !status && !trace.outputs.empty();
  };
  if (!recordFree())
    return nullptr;
  if (auto found = device->cache.find(trace, sizes, bytesLeft).executable) {
    hits.fetch_add(1, std::memory_order_relaxed);
    return found;
  }
  graphLock.unlock();
  std::scoped_lock compileLock(compileMutex);
  // While this thread waited or read the disk, other threads may have compiled
  // the expression or evaluated parts of it. Then a different expression must
  // be looked up.
  std::vector<uint64_t> missing;
  bool isRefused = false;
  while (true) {
    graphLock.lock();
    if (!recordFree())
      return nullptr;
    KernelCache::Result found = device->cache.find(trace, sizes, bytesLeft);
    if (found.executable)
      return found.executable;
    if (found.smallestLimit) {
      if (bytesMissing)
        *bytesMissing = found.smallestLimit - found.limit;
      status = makeStatus(TENSORC_RT_OUT_OF_MEMORY,
                          "compile: at least " +
                              std::to_string(found.smallestLimit) +
                              " bytes are needed, of which " +
                              std::to_string(found.limit) + " are left");
      return nullptr;
    }
    if (missing != trace.key)
      isRefused = refuses && refuses(trace);
    else if (isRefused)
      return nullptr;
    else {
      std::shared_ptr<const Executable> compiled;
      onLiveThread([&] {
        compiled = compile(*device, trace, found.reason, found.limit, graphLock,
                           status);
      });
      if (bytesMissing && isOutOfMemory(status))
        if (found = device->cache.find(trace, sizes, bytesLeft);
            found.smallestLimit)
          *bytesMissing = found.smallestLimit - found.limit;
      if (compiled || status)
        return compiled;
      continue;
    }
    missing = trace.key;
    bool gains = gainsFromSizes(trace);
    bool multiplies = mayMultiply(trace) && !device->reference;
    graphLock.unlock();
    onLiveThread([&] {
      placement::FactFolders folders = diskCache()->folders();
      if (!device->reference)
        placement::useHostCosts(device->device, folders, cache::buildId());
      if (multiplies)
        placement::testTiles(device->device, folders, cache::buildId());
    });
    if (auto loaded = findOnDisk(*device, trace, gains, found.reason))
      return loaded;
  }
}

//===----------------------------------------------------------------------===//
// Programs that run out of memory
//===----------------------------------------------------------------------===//

bool isOneOfRanks() {
  tensorc_rt_communicator *communicator = tensorc_rt_thread_communicator();
  return communicator && tensorc_rt_communicator_size(communicator) > 1;
}

Status Session::evaluateOn(tensorc_rt_device *device,
                           llvm::ArrayRef<graph::Node *> roots,
                           unsigned limit) {
  Repetition repetition;
  Status status = evaluateOn(device, roots, limit, Sizes::Any, &repetition);
  if (!isOutOfMemory(status) || !repetition.isPossible || isOneOfRanks())
    return status;
  Status fitted = evaluateOn(device, roots, limit, Sizes::Planned, &repetition);
  if (isOutOfMemory(fitted) && repetition.isPossible)
    fitted = evaluateOn(device, roots, limit, Sizes::Fitted, &repetition);
  if (isCancelled(fitted))
    return fitted;
  // The first error names the failed allocation and the largest tensors.
  return fitted ? withBytesMissing(std::move(status), repetition.bytesMissing)
                : nullptr;
}

} // namespace tensorc::jit
