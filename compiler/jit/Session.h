//===- Session.h - Evaluation of recorded expressions ---------------------===//
//
// One per process: the default device, the kernel cache, the counters.
// Compilations take turns; evaluations of what is compiled do not.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_JIT_SESSION_H
#define TENSORC_COMPILER_JIT_SESSION_H

#include "compiler/graph/Builders.h"
#include "compiler/jit/DiskCache.h"
#include "compiler/jit/KernelCache.h"

#include <array>
#include <atomic>

namespace tensorc::jit {

struct CompileStats {
  uint64_t compilations = 0;
  uint64_t hits = 0;
  std::array<uint64_t, numReasons> reasons{};
  double seconds = 0;
  uint64_t diskHits = 0, diskMisses = 0;
};

class Session {
public:
  static Session &get();

  /// A larger expression is computed in pieces, which are often alike: a chain
  /// of a million ops takes one compilation.
  static constexpr unsigned maxNodes = 2048, pieceNodes = 512;

  /// Computes what has no value yet, and everything on the way that the user
  /// still holds; each root where it belongs.
  Status evaluate(llvm::ArrayRef<graph::Node *> roots);
  /// Makes the transfers that the roots need, and what is to be moved.
  Status evaluateTransfers(llvm::ArrayRef<graph::Node *> roots);

  /// The executable for a trace, compiled if need be. `record` fills the trace
  /// under graphMutex(), which the caller does not hold; it is called again
  /// when a compilation had to be waited for. A null device: the current one.
  std::shared_ptr<const Executable>
  executableFor(tensorc_rt_device *device, graph::Trace &trace,
                llvm::function_ref<Status(graph::Trace &)> record,
                Status &status);

  /// The module that evaluating the node would compile, as text.
  std::string moduleText(graph::Node &root, bool symbolic);

  Status setDefaultDevice(const std::string &name);
  std::string defaultDevice();
  /// The calling thread's choice, which goes before the default; null: none.
  Status setThreadDevice(const char *name);
  std::string threadDevice();
  /// Where buffers of the thread's or else the default device live.
  tensorc_rt_device *bufferDevice(Status &status);

  /// A fork waits for a compilation that is under way, so that the child finds
  /// every lock free; see docs/embedding.md.
  void lockForFork();
  void unlockAfterFork();

  /// From now on; what was found stays in memory.
  void setDiskCache(DiskCacheOptions options);
  std::string diskCacheFolder() { return diskCache()->writableFolder(); }

  CompileStats stats();
  /// Forgets the counters, and with `kernels` what was compiled.
  void reset(bool kernels);
  std::vector<std::string> lastKernels();
  void noteRun(const std::shared_ptr<const Executable> &executable);

private:
  /// Where expressions run. Devices live as long as the process.
  struct Device {
    std::string name;
    tensorc_rt_device *device;
    bool reference;
    std::string identity; // of its target
    KernelCache cache;
    void lock() { cache.lock(); }
    void unlock() { cache.unlock(); }
    Device(std::string name, tensorc_rt_device *device, bool reference,
           size_t capacity)
        : name(std::move(name)), device(device), reference(reference),
          identity(targetIdentity(targetOf(device))), cache(capacity) {}
  };

  Session();
  Status evaluateOn(tensorc_rt_device *device,
                    llvm::ArrayRef<graph::Node *> roots, unsigned limit);
  Status evaluateInPieces(tensorc_rt_device *device,
                          llvm::ArrayRef<graph::Node *> roots);
  Status transfer(graph::Node &node);
  Device *currentDevice(Status &status);
  /// How expressions on a device are computed: by the interpreter only where
  /// that is the current device.
  Device *deviceFor(tensorc_rt_device *device, Status &status);
  Status findDevice(const std::string &name, Device *&out);
  Device *addDevice(const std::string &name, tensorc_rt_device *device,
                    bool reference);
  std::shared_ptr<const Executable>
  compile(Device &device, graph::Trace &trace, Reason reason,
          std::unique_lock<std::mutex> &graphLock, Status &status);
  std::shared_ptr<Executable> compileModule(Device &device,
                                            graph::Program program,
                                            const graph::Trace &trace,
                                            bool symbolic, Status &status);
  std::shared_ptr<const Executable>
  findOnDisk(Device &device, const graph::Trace &trace, Reason &reason);
  std::shared_ptr<DiskCache> diskCache();
  std::shared_ptr<mlir::MLIRContext> takeContext();

  std::mutex deviceMutex; // guards the list and the choice
  std::vector<std::unique_ptr<Device>> devices;
  std::atomic<Device *> chosen{nullptr};
  size_t cacheCapacity;

  std::mutex compileMutex; // guards what follows
  std::shared_ptr<mlir::MLIRContext> context;
  unsigned contextUses = 0;

  std::mutex diskMutex;
  std::shared_ptr<DiskCache> disk; // never null

  std::mutex statsMutex;
  CompileStats counters; // but for hits
  std::atomic<uint64_t> hits{0};
  std::mutex lastMutex;
  std::shared_ptr<const Executable> last;
};

/// The arguments of a run: the trace's values, words and bound sizes.
void appendArguments(const graph::Trace &trace, const Executable &executable,
                     llvm::SmallVectorImpl<tensorc_rt_arg> &arguments);
tensorc_rt_arg argumentOf(const graph::Node &value);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_JIT_SESSION_H
