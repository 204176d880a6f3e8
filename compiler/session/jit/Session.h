//===- Session.h - Evaluation of recorded expressions ---------------------===//
//
// There is one session per process: the default device, the kernel cache and
// the counters. One compilation runs at a time; evaluations of compiled code
// run in parallel.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_SESSION_H
#define TENSORC_COMPILER_SESSION_JIT_SESSION_H

#include "compiler/graph/ops/Builders.h"
#include "compiler/session/cache/DiskCache.h"
#include "compiler/session/jit/KernelCache.h"
#include "compiler/session/jit/growth/Growth.h"
#include "compiler/session/placement/KernelPlans.h"
#include "compiler/session/placement/Placer.h"
#include "compiler/session/tuning/Tuner.h"

#include <array>
#include <atomic>

namespace tensorc::jit {

struct CompileStats {
  uint64_t compilations = 0;
  uint64_t hits = 0;
  std::array<uint64_t, numReasons> reasons{};
  double seconds = 0, processorSeconds = 0;
  uint64_t kernels = 0, codeBytes = 0;
  uint64_t diskHits = 0, diskMisses = 0;
};

class Session {
public:
  static Session &get();

  /// Maximum number of nodes computed at once, and the size of the pieces into
  /// which a larger expression is divided. Pieces are often alike: a chain of a
  /// million ops takes one compilation.
  static constexpr unsigned maxNodes = 2048, pieceNodes = 512;
  /// Number of nodes of a piece in a periodic part of the trace, such as a
  /// loop. Smaller pieces compile faster, and only few of them differ.
  static constexpr unsigned periodicPieceNodes = 64;

  /// Maximum number of ops on a recorded path, and maximum number of bytes of
  /// the values that it keeps alive. Beyond these limits, values are computed
  /// while recording. Otherwise the expression of a value that a loop updates
  /// but never reads would grow forever.
  static constexpr uint32_t maxPendingOps = 8192;
  static constexpr uint64_t maxPendingBytes = uint64_t(1) << 30;
  Status limitPending(graph::Node &node) {
    graph::Node::Pending pending = node.pending();
    if (pending.ops >= maxPendingOps || pending.bytes >= maxPendingBytes ||
        opByOp.load(std::memory_order_relaxed))
      return evaluatePending(node);
    return nullptr;
  }
  /// Sets whether each op is evaluated when it is recorded. Initially
  /// TENSORC_OP_BY_OP decides.
  void setOpByOp(bool on) { opByOp = on; }

  /// Computes the roots that have no value yet, and all intermediate values
  /// that the user still holds. Each is computed on its own device. `home` is
  /// the device on which values placed by the cost model are needed; null means
  /// the host.
  Status evaluate(llvm::ArrayRef<graph::Node *> roots,
                  tensorc_rt_device *home = nullptr);
  /// Makes the transfers that the roots need and that have not been made yet.
  Status evaluateTransfers(llvm::ArrayRef<graph::Node *> roots);

  /// Returns the executable for a trace, compiled if necessary. `record` fills
  /// the trace under graphMutex(), which the caller must not hold. It is called
  /// again if the call had to wait for a compilation. A null device means the
  /// current one. If the trace is not compiled yet and `refuses` returns true
  /// for it, it is not compiled, and null is returned. `refuses` is called by
  /// one thread at a time, under graphMutex(). `bytesLeft` is needed for
  /// programs that are fitted into what is left of the device's memory. If none
  /// fits, `bytesMissing` is set to the bytes that the smallest one needs more.
  std::shared_ptr<const Executable>
  executableFor(tensorc_rt_device *device, graph::Trace &trace,
                llvm::function_ref<Status(graph::Trace &)> record,
                Status &status, Sizes sizes = Sizes::Any,
                llvm::function_ref<bool(const graph::Trace &)> refuses = {},
                KernelCache::BytesLeft bytesLeft = {},
                uint64_t *bytesMissing = nullptr);

  /// Calls `compile`, which compiles or uses an MLIR context. Only one thread
  /// at a time runs such a function.
  void compileAlone(llvm::function_ref<void()> compile);

  /// Like compileAlone, with the session's context. Nothing that `use` creates
  /// in the context may be used after it returns.
  void withContext(llvm::function_ref<void(mlir::MLIRContext &)> use);

  /// Returns the module that evaluating the node would compile, as text.
  std::string moduleText(graph::Node &root, bool symbolic);

  Status setDefaultDevice(const std::string &name);
  std::string defaultDevice();
  /// Sets the calling thread's device, which overrides the default device; null
  /// removes it.
  Status setThreadDevice(const char *name);
  std::string threadDevice();
  /// Returns in `out` the device with this name, on which buffers are
  /// allocated. If the name is a kind without an index, returns the current
  /// device of this kind.
  Status findBuffers(const std::string &name, tensorc_rt_device *&out);
  /// Returns the device for buffers of the calling thread: the thread's device,
  /// else the default device. If that is auto, returns the host.
  tensorc_rt_device *bufferDevice(Status &status);
  /// Binds a node without a device to the current device. If that is auto,
  /// leaves the choice to the cost model.
  void bindCurrent(graph::Node &node);

  /// Returns the devices that auto chooses from, which the first call measures.
  /// Returns null on failure and sets `status`.
  const placement::Placer::Candidates *candidates(Status &status);
  /// Returns the figures of any device, which are measured if necessary.
  std::optional<placement::Figures> figuresOf(tensorc_rt_device *device,
                                              Status &status);
  /// Returns the cost of computing the unevaluated values of the roots, for
  /// each candidate.
  std::vector<placement::Sum> sumsFor(llvm::ArrayRef<graph::Node *> roots,
                                      tensorc_rt_device *home, Status &status);

  /// Plans the trace's kernels for each candidate. `record` fills the trace as
  /// for executableFor. Returns null if there is nothing to compute, or on
  /// failure.
  std::shared_ptr<const placement::KernelPlan>
  planFor(graph::Trace &trace,
          llvm::function_ref<Status(graph::Trace &)> record, Status &status);

  /// Locks all mutexes before a fork, so that the child finds them free. Waits
  /// for a running compilation; see docs/embedding.md.
  void lockForFork();
  void unlockAfterFork();

  /// Replaces the disk cache. Entries in memory are kept.
  void setDiskCache(cache::DiskCacheOptions options);
  std::string diskCacheFolder() { return diskCache()->writableFolder(); }

  /// Sets the schedules for later compilations. Drops the compiled code in
  /// memory.
  void setTuning(tuning::Tuning tuning);
  /// Reads the tuning from a file; an empty path means none.
  Status setTuning(const std::string &path);
  /// Returns the tuned schedules for this machine, for
  /// compiler::CompileOptions; never null.
  std::shared_ptr<const std::vector<std::string>> tunedSchedules();

  /// Tunes the roots' kernels and adds the results to the session's tuning. If
  /// the path is not empty, writes them to that file, too.
  Status tune(llvm::ArrayRef<graph::Node *> roots, double seconds,
              const std::string &path,
              std::vector<tuning::TunedKernel> &kernels);

  /// Returns the target for which a module is compiled for the device. Must be
  /// called within compileAlone.
  std::string targetFor(tensorc_rt_device *device, mlir::ModuleOp module);

  CompileStats stats();
  /// Resets the counters. If `kernels`, also drops compiled code.
  void reset(bool kernels);
  std::vector<std::string> lastKernels();
  void noteRun(const std::shared_ptr<const Executable> &executable);

private:
  /// A device that runs expressions. Devices live as long as the process.
  struct Device {
    std::string name;
    tensorc_rt_device *device;
    bool reference, isAuto;
    KernelCache cache;
    void lock() { cache.lock(); }
    void unlock() { cache.unlock(); }
    Device(std::string name, tensorc_rt_device *device, bool reference,
           bool isAuto, size_t capacity)
        : name(std::move(name)), device(device), reference(reference),
          isAuto(isAuto), cache(capacity) {}
  };

  Session();
  /// What is known of an evaluation that lacked memory. It may run again if it
  /// has no effects and was not divided into pieces; pieces are repeated
  /// individually. `bytesMissing` is that of executableFor.
  struct Repetition {
    bool isPossible = false;
    uint64_t bytesMissing = 0;
  };
  /// Computes the roots on the device.
  Status evaluateOn(tensorc_rt_device *device,
                    llvm::ArrayRef<graph::Node *> roots, unsigned limit,
                    Sizes sizes, Repetition *repetition = nullptr);
  /// Computes the roots on the device. If the device runs out of memory, tries
  /// again with a program that needs less memory, unless a second run could have
  /// effects.
  Status evaluateOn(tensorc_rt_device *device,
                    llvm::ArrayRef<graph::Node *> roots, unsigned limit);
  /// The reason why an expression is evaluated in pieces. Large: it has more
  /// than maxNodes nodes. Growing: see Growth.
  enum class Pieces { Large, Growing, Steps };
  Status evaluateInPieces(tensorc_rt_device *device,
                          llvm::ArrayRef<graph::Node *> roots, Pieces kind);
  Status evaluatePending(graph::Node &node);
  Status evaluateAuto(llvm::ArrayRef<graph::Node *> roots,
                      tensorc_rt_device *home);
  std::shared_ptr<const placement::KernelPlan>
  makePlan(const graph::Trace &trace, std::unique_lock<std::mutex> &graphLock);
  Status transfer(graph::Node &node);
  Device *currentDevice(Status &status);
  /// Returns the Device that computes expressions on a device of the runtime.
  /// Returns the interpreter only if it is the current device.
  Device *deviceFor(tensorc_rt_device *device, Status &status);
  Status findDevice(const std::string &name, Device *&out);
  Device *addDevice(const std::string &name, tensorc_rt_device *device,
                    bool reference, bool isAuto = false);
  std::shared_ptr<const Executable>
  compile(Device &device, graph::Trace &trace, Reason reason,
          uint64_t memoryLimit, std::unique_lock<std::mutex> &graphLock,
          Status &status);
  std::shared_ptr<Executable> compileModule(Device &device,
                                            graph::Program program,
                                            const graph::Trace &trace,
                                            Reason reason, uint64_t memoryLimit,
                                            Status &status);
  std::shared_ptr<const Executable> findOnDisk(Device &device,
                                               const graph::Trace &trace,
                                               bool gains, Reason &reason);
  std::shared_ptr<cache::DiskCache> diskCache();
  static tuning::Tuning tuningOfEnvironment();
  Status searchSchedules(llvm::ArrayRef<graph::Node *> roots,
                         tuning::TunerOptions &options,
                         std::vector<tuning::TunedKernel> &kernels);
  std::shared_ptr<mlir::MLIRContext> takeContext();

  std::mutex deviceMutex; // guards `devices` and `chosen`
  std::vector<std::unique_ptr<Device>> devices;
  std::atomic<Device *> chosen{nullptr};
  size_t cacheCapacity;
  std::atomic<bool> opByOp;

  std::mutex compileMutex; // guards what follows
  std::shared_ptr<mlir::MLIRContext> context;
  unsigned contextUses = 0;
  placement::Placer placer;
  Growth growth;

  placement::KernelPlans plans;

  std::mutex diskMutex;                   // guards what follows
  std::shared_ptr<cache::DiskCache> disk; // never null
  tuning::Tuning tuningInUse;
  std::shared_ptr<const std::vector<std::string>> tuned; // never null

  std::mutex statsMutex;
  CompileStats counters; // except for hits
  std::atomic<uint64_t> hits{0};
  std::mutex lastMutex;
  std::shared_ptr<const Executable> last;
  std::atomic<const Executable *> lastNoted{nullptr}; // address of `last`
};

/// The buffers of a run's arguments on one device. Values whose device the cost
/// model chooses are copied to it if necessary. After the run was accepted,
/// keep() stores the copies in their nodes.
class TransferredInputs {
public:
  explicit TransferredInputs(tensorc_rt_device *device) : device(device) {}
  TransferredInputs(const TransferredInputs &) = delete;
  ~TransferredInputs();
  /// Returns a buffer without retaining it. Returns null on failure and sets
  /// `status`.
  tensorc_rt_buffer *find(graph::Node &node, Status &status) {
    return node.isAuto() ? findOrCopy(node, status) : node.buffer();
  }
  void keep();

private:
  tensorc_rt_buffer *findOrCopy(graph::Node &node, Status &status);

  tensorc_rt_device *device;
  std::vector<std::pair<graph::NodeRef, tensorc_rt_buffer *>> copies;
};

/// Computes the node. If it is not sharded as given, replaces it by a resharded
/// one; a null sharding means a whole tensor. All ranks that have a shard must
/// call this function.
Status reshard(graph::NodeRef &node, const graph::Split *split);

/// The values of a call whose sharding had to be changed.
class SplitValues {
public:
  /// Replaces the values by values that are sharded like the arguments, or by
  /// whole tensors if there are no arguments.
  Status reshard(llvm::ArrayRef<graph::Node *> &values,
                 llvm::ArrayRef<graph::NodeRef> arguments);

private:
  llvm::SmallVector<graph::NodeRef> refs;
  llvm::SmallVector<graph::Node *> nodes;
};

/// Returns true if another device may be tried after this error, because the
/// expression does not fit into the device's memory or cannot be compiled for
/// it.
bool isRefusal(const tensorc_rt_status *status);
/// Tries the candidates in order of cost until isRefusal is false.
Status tryInOrder(llvm::ArrayRef<placement::Sum> sums,
                  const placement::Placer::Candidates &candidates,
                  llvm::function_ref<Status(unsigned)> attempt);

/// Appends the arguments of a run: the trace's values, scalars and bound sizes.
void appendArguments(const graph::Trace &trace, const Executable &executable,
                     llvm::SmallVectorImpl<tensorc_rt_arg> &arguments);
tensorc_rt_arg argumentOf(const graph::Node &value);

/// Returns the roots that have no value yet.
llvm::SmallVector<graph::Node *, 4> openOf(llvm::ArrayRef<graph::Node *> roots);

/// The user's source line of each op, for messages about kernels on the device.
/// Expressions from different lines may share a kernel, so each run has its own
/// lines. On CPUs no kernel fails, so the list is empty unless TENSORC_CHECK is
/// set. Requires graphMutex(), because other threads may release the nodes.
using Lines = llvm::SmallVector<tensorc_rt_line, 0>;
Lines linesOf(const graph::Trace &trace, tensorc_rt_device *device);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_SESSION_H
