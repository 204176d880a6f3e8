//===- KernelCache.h - Compiled expressions by structure ------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_KERNELCACHE_H
#define TENSORC_COMPILER_SESSION_JIT_KERNELCACHE_H

#include "compiler/session/jit/Executable.h"

#include "llvm/ADT/DenseMap.h"

#include <list>
#include <map>
#include <mutex>
#include <tuple>
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
  /// The compiled code needs more memory than the device has left. The structure
  /// is compiled for these sizes, and fitted into what is left.
  MemoryLimit
};
constexpr unsigned numReasons = 6;
const char *reasonName(Reason reason);

/// Which kernels an expression may use.
/// - Any: kernels for all sizes, or kernels for its own sizes if these are
///   frequent.
/// - OnlyThese: kernels for its own sizes, until there are `maxSized` of them.
/// - All: kernels for all sizes, from the first use on.
/// - Fitted: kernels for its own sizes, in a program that is compiled now to fit
///   into the memory that the device has left.
enum class Sizes { Any, OnlyThese, All, Fitted };

/// Compiled code by the structure of the expression. Bounded: evicts the least
/// recently used structure. Thread-safe.
class KernelCache {
public:
  explicit KernelCache(size_t capacity) : capacity(capacity) {}

  struct Result {
    std::shared_ptr<const Executable> executable; // null: compile
    Reason reason = Reason::NewStructure;
  };
  /// Compares the whole key, as equal hashes are not enough.
  Result find(const graph::Trace &trace, Sizes sizes = Sizes::Any);
  void insert(const graph::Trace &trace, Reason reason,
              std::shared_ptr<const Executable> executable);
  /// Records that the structure must be compiled for each set of sizes, and
  /// why.
  void refuseSymbolic(const graph::Trace &trace, Reason reason);
  /// Makes all later uses of the structure use kernels for all sizes, because
  /// the compilation for frequent sizes failed.
  void refuseFrequent(const graph::Trace &trace);
  void clear();
  /// Lock and unlock the mutex around a fork.
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  size_t size();

  /// Number of uses with the same sizes after which compiling for these sizes
  /// pays. Long uses count several times.
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
  struct Entry {
    uint64_t hash;
    std::vector<uint64_t> key;
    std::vector<Sized> sized = {}; // most recent first
    std::shared_ptr<const Executable> symbolic = nullptr;
    Reason refusal = Reason::NewStructure; // why not for all sizes
    /// Sets of sizes with which the kernels for all sizes were used, and how
    /// often; most recent first.
    std::vector<std::pair<std::vector<int64_t>, unsigned>> uses = {};
    bool countsUses = true;
  };
  static bool areFrequent(Entry &entry, const std::vector<int64_t> &sizes);
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

/// Finds loops in which each iteration evaluates a longer expression that
/// continues from the one before it, such as `sum(values)` of a list to which
/// the loop appends. Compiling each of these expressions would dominate the run
/// time. They are evaluated in parts that are equal and therefore compiled
/// once; an expression that occurs repeatedly is compiled as a whole after all.
/// Not thread-safe.
///
/// An expression continues from an earlier one if it has more arguments, if one
/// of its arguments is new or was computed by the earlier one, and if it reads
/// at least N values that the earlier one read or computed, where N is the
/// earlier one's number of arguments. Models of depth 1, 2 and 3, which are
/// rebuilt from their parameters, do not continue from one another.
class Growth {
public:
  /// Returns true if the expression, for which nothing is compiled yet, should
  /// be evaluated in parts. This is so if several expressions in a row continued
  /// from one another (two are enough if they combine the values of a growing
  /// list), or if many in a row grew without continuing from the one before. A
  /// loop that keeps growing is reported on stderr once. The caller must hold
  /// graphMutex().
  bool contains(const graph::Trace &trace, const graph::Node &root);
  /// Returns false once the root's line had joined expressions of more than
  /// `maxJoinedSizes` growing sizes: then joining values does not end the
  /// growth. `size` is the number of nodes after joining.
  bool isSteady(const graph::Node &root, size_t size);
  void clear();

private:
  /// What is known of the last expression for roots with the same source line,
  /// op and type.
  struct Line {
    /// The expression's nodes, without constants, sorted by address. They may
    /// have been destroyed, and nodes younger than `time` may have their
    /// addresses.
    std::vector<const graph::Node *> read, computed;
    size_t size = 0, arguments = 0;
    size_t step = 0;       // by which it was longer the last time
    size_t joinedSize = 0; // the largest so far
    unsigned joinedSizes = 0;
    uint16_t time = 0;
    /// Number of expressions in a row that were each longer than the one
    /// before: those that continued from it (counted twice if they grew by as
    /// much as the one before), and those that were built anew.
    unsigned continued = 0, rebuilt = 0;
    bool isTold = false;
  };
  Line &lineOf(const graph::Node &root);
  static bool continues(const Line &line, const graph::Trace &trace);
  /// True if evaluating the expression in parts takes few compilations even if
  /// no loop makes it longer. This is so if all ops are alike, or if a
  /// concatenation or a fold (`sum(values)`) of older values has a new value at
  /// its end.
  static bool isList(const Line &line, const graph::Trace &trace);
  static void tell(Line &line, size_t size, graph::SourceLocation at);

  /// Maximum number of lines, and of expressions that were evaluated in parts,
  /// to remember.
  static constexpr size_t capacity = 1024;
  /// Number of evaluations of one expression in parts that together take about
  /// as long as compiling it.
  static constexpr unsigned usesInParts = 8;
  /// Number of longer expressions in a row that are still compiled as a whole:
  /// if they continue from one another, and if they are built anew. A few may
  /// continue from one another by chance, and models of several depths are
  /// often compared.
  static constexpr unsigned compiledContinued = 2, compiledRebuilt = 8;
  /// Maximum number of joined expressions of growing size that are compiled for
  /// one line.
  static constexpr unsigned maxJoinedSizes = 3;

  using Root =
      std::tuple<const char *, uint32_t, graph::OpKind, graph::DType, unsigned>;
  std::map<Root, Line> lines;
  /// Number of uses of each expression that was evaluated in parts, by the
  /// trace's hash.
  llvm::DenseMap<uint64_t, unsigned> uses;
};

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_KERNELCACHE_H
