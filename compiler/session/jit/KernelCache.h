//===- KernelCache.h - Compiled expressions by structure ------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_KERNELCACHE_H
#define TENSORC_COMPILER_SESSION_JIT_KERNELCACHE_H

#include "compiler/session/jit/Executable.h"

#include <list>
#include <mutex>
#include <unordered_map>

namespace tensorc::jit {

/// Reason for a compilation.
enum class Reason {
  /// The structure is new, and is compiled for its sizes.
  NewStructure,
  /// The structure is used with a second set of sizes, and is compiled for all
  /// sizes.
  SecondSize,
  /// Names cannot express the sizes (see ShapeSolver). The structure is
  /// compiled for these sizes only.
  SizesNotExpressible,
  /// The compilation for all sizes failed. The structure is compiled for these
  /// sizes.
  SymbolicFailed,
  /// The same sizes were used many times, and kernels for all sizes are slower
  /// for this structure. It is compiled for these sizes.
  FrequentSizes,
  /// The compiled code needs more memory than the device has available. The
  /// structure is compiled for these sizes and fitted into the available
  /// memory.
  MemoryLimit,
  /// The code for all sizes needs more memory than the device has available. The
  /// structure is compiled for all sizes with plans that need less, among which
  /// each run chooses.
  MemoryPlans
};
constexpr unsigned numReasons = 7;
const char *reasonName(Reason reason);

/// Which kernels an expression may use.
/// - Any: kernels for all sizes, or kernels for its own sizes if these are
///   frequent.
/// - OnlyThese: kernels for its own sizes, until there are `maxSized` of them.
/// - All: kernels for all sizes, from the first use on.
/// - Fitted: kernels for its own sizes, in a program that is compiled now to fit
///   into the memory that the device has left.
/// - Planned: if it has only kernels for all sizes, those with plans that need
///   less memory; otherwise like Fitted.
enum class Sizes { Any, OnlyThese, All, Fitted, Planned };

/// True if a program that was fitted into a limit is to be used where runs may
/// need `left` bytes. It is not if a program that was fitted into a much larger
/// limit may take less time.
inline bool servesLimit(const MemoryFit &fit, uint64_t left) {
  return fit.needed <= left &&
         (left <= fit.limit + fit.limit / 8 || fit.needed == fit.natural);
}

/// Compiled code by the structure of the expression. Bounded: evicts the least
/// recently used structure. Thread-safe.
class KernelCache {
public:
  explicit KernelCache(size_t capacity) : capacity(capacity) {}

  struct Result {
    std::shared_ptr<const Executable> executable; // null: compile
    Reason reason = Reason::NewStructure;
    /// If the reason is a memory limit: the limit. If no program fits into it,
    /// the smallest limit, and nothing has to be compiled.
    uint64_t limit = 0, smallestLimit = 0;
  };
  /// Returns the bytes of the device that a run may need.
  using BytesLeft = llvm::function_ref<uint64_t()>;
  /// Compares the whole key, as equal hashes are not enough. Without
  /// `bytesLeft`, never finds a program that was fitted into a limit.
  Result find(const graph::Trace &trace, Sizes sizes = Sizes::Any,
              BytesLeft bytesLeft = {});
  void insert(const graph::Trace &trace, Reason reason,
              std::shared_ptr<const Executable> executable);
  /// Records that the structure must be compiled for each set of sizes,
  /// together with the reason. Kernels for all sizes that are known stay, but get
  /// no plans; then returns false.
  bool refuseSymbolic(const graph::Trace &trace, Reason reason);
  /// Makes all later uses of the structure use kernels for all sizes, because
  /// the compilation for frequent sizes failed.
  void refuseFrequent(const graph::Trace &trace);
  /// Records that the program for all sizes gets no plans.
  void refusePlans(const graph::Trace &trace);
  /// Records that no program for the trace's sizes fits into the limit.
  void refuseLimit(const graph::Trace &trace, const MemoryFit &fit);
  void clear();
  /// Lock and unlock the mutex around a fork.
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  size_t size();

  /// Number of uses with the same sizes after which a compilation for these
  /// sizes is worthwhile. Long uses count several times.
  static constexpr unsigned frequentUses = 32;
  /// Returns how many additional uses a use of this duration counts as. Once
  /// the uses together took about as long as a compilation, the expression is
  /// compiled for its sizes.
  static unsigned moreUses(int64_t nanoseconds) {
    constexpr int64_t nanosecondsOfUse = 2'000'000;
    return std::min<int64_t>(nanoseconds / nanosecondsOfUse, frequentUses);
  }
  /// Adds `more` to the number of uses of the kernels for all sizes. `find` has
  /// counted the use itself.
  void addUses(const graph::Trace &trace, unsigned more);

private:
  struct Sized {
    std::vector<int64_t> sizes;
    std::shared_ptr<const Executable> executable;
  };
  /// A program that was fitted into a limit, or null if none fits.
  struct Fitted {
    std::vector<int64_t> sizes;
    std::shared_ptr<const Executable> executable;
    MemoryFit fit;
  };
  struct Entry {
    uint64_t hash;
    std::vector<uint64_t> key;
    std::vector<Sized> sized = {};   // most recent first
    std::vector<Fitted> fitted = {}; // most recent first
    std::shared_ptr<const Executable> symbolic = nullptr;
    /// True if `symbolic` has plans, or can have none.
    bool isPlanned = false;
    // Reason why there are no kernels for all sizes.
    Reason refusal = Reason::NewStructure;
    /// Sets of sizes with which the kernels for all sizes were used, and how
    /// often; most recent first.
    std::vector<std::pair<std::vector<int64_t>, unsigned>> uses = {};
    bool countsUses = true;
  };
  static bool areFrequent(Entry &entry, const std::vector<int64_t> &sizes);
  static Result findFitted(const Entry &entry,
                           const std::vector<int64_t> &sizes, Sizes wanted,
                           BytesLeft bytesLeft);
  static bool isForAll(const Entry &entry, const std::vector<int64_t> &sizes);
  static void addFitted(Entry &entry, Fitted fitted);
  using Entries = std::list<Entry>;
  Entries::iterator lookup(const graph::Trace &trace);
  /// Returns the entry for a trace. If there is none, makes one and evicts
  /// another if necessary.
  Entries::iterator entryFor(const graph::Trace &trace);

  /// Maximum number of executables in an entry that are specialized to a set of
  /// sizes, and maximum number of sets of sizes whose uses are counted.
  static constexpr size_t maxSized = 16;

  size_t capacity;
  std::mutex mutex;
  Entries entries; // most recent first
  std::unordered_multimap<uint64_t, Entries::iterator> index;
};

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_KERNELCACHE_H
