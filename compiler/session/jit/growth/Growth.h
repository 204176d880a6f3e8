//===- Growth.h - Expressions that grow in a loop -------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_GROWTH_GROWTH_H
#define TENSORC_COMPILER_SESSION_JIT_GROWTH_GROWTH_H

#include "compiler/graph/Trace.h"
#include "compiler/session/jit/growth/Steps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <tuple>
#include <vector>

namespace tensorc::jit {

/// Finds loops in which each iteration evaluates a longer expression that
/// continues from the one before it, such as `sum(values)` of a list to which
/// the loop appends. Compiling each of these expressions would dominate the run
/// time. They are evaluated in parts that are equal and therefore compiled
/// once; an expression that occurs repeatedly is compiled as a whole after all.
/// Not thread-safe.
///
/// An expression continues from an earlier one if all of these hold:
/// - It has more arguments.
/// - One of its arguments is new or was computed by the earlier one.
/// - It reads at least as many values that the earlier one read or computed as
///   the earlier one has arguments.
/// Models of depth 1, 2 and 3, which are
/// rebuilt from their parameters, do not continue from one another.
class Growth {
public:
  /// How to evaluate an expression: compiled for its sizes, compiled for all
  /// sizes, in parts, or in the steps of the loop that recorded it.
  enum class Plan { Whole, AllSizes, Parts, Steps };
  /// Returns the plan for an expression for which nothing is compiled yet.
  /// Parts: several expressions in a row continued from one another (two are
  /// enough if they combine the values of a growing list), many in a row grew
  /// without continuing from the previous one, or a list of one value is
  /// concatenated. A loop that keeps growing is reported on stderr once.
  /// AllSizes: a concatenation is larger than the last time, so it is expected
  /// to grow again.
  /// Steps: an earlier expression had another number of the same steps, and no
  /// step reads a value of its own. A model's layers do, so four depths of a model
  /// are compiled. The caller must hold graphMutex().
  Plan planFor(const graph::Trace &trace, const graph::Node &root);
  /// True if the small constants that the program holds should be stored instead
  /// of compiling the expression. A loop that makes new constants in each
  /// iteration gets code that contains them after a few.
  bool storesConstants(const graph::Trace &trace);
  /// Returns what is known about the steps of an expression with such ops.
  StepShape &shapeOfSteps(const graph::Trace &trace) {
    if (shapes.size() >= capacity)
      shapes.clear();
    return shapes[hashOfOps(locatedOps(trace))];
  }
  /// Returns false if the root's source line has had joined expressions of more
  /// than `maxJoinedSizes` growing sizes. In that case joining values does not
  /// stop the growth. `size` is the number of nodes after joining.
  bool isSteady(const graph::Node &root, size_t size);
  void clear();

private:
  /// Expressions that were compiled and whose ops are from the same source lines.
  struct Alike {
    uint64_t hash; // see hashOfOps()
    size_t ops;    // number of ops of the shortest one
    size_t arguments;
    unsigned lengths = 1; // how many different numbers of ops
  };
  /// Facts about the last expression whose roots have the same source line, op
  /// and type.
  struct Line {
    /// The expression's nodes, without constants, sorted by address. They may
    /// have been destroyed, and nodes younger than `time` may have their
    /// addresses.
    std::vector<const graph::Node *> read, computed;
    size_t size = 0, arguments = 0;
    size_t step = 0;          // growth of the expression at its last evaluation
    int64_t concatenated = 0; // largest size along the dim of a concatenation
    size_t joinedSize = 0;    // largest size of a joined expression so far
    unsigned joinedSizes = 0;
    uint16_t time = 0;
    /// Number of consecutive expressions that were each longer than the
    /// previous one: those that continued from it (counted twice if they grew
    /// by the same amount again), and those that were rebuilt.
    unsigned continued = 0, rebuilt = 0;
    bool isTold = false;
    llvm::SmallVector<Alike, 1> alike;
  };
  Line &lineOf(const graph::Node &root);
  static bool continues(const Line &line, const graph::Trace &trace);
  /// True if evaluating the expression in parts takes few compilations even if
  /// no loop makes it longer. This is true if all ops are alike, or if a
  /// concatenation or fold (`sum(values)`) of older values has a new value at
  /// its end.
  static bool isList(const Line &line, const graph::Trace &trace);
  static void tell(Line &line, size_t size, graph::SourceLocation at);
  /// Compares the trace with those of the line. If it has another number of the
  /// same steps, returns how many ops a step has.
  std::optional<size_t> opsOfSteps(Line &line, const graph::Trace &trace);

  /// Maximum number of lines, and of expressions evaluated in parts, that are
  /// remembered.
  static constexpr size_t capacity = 1024;
  /// Number of launches of an expression's parts that take about as long as
  /// compiling the expression: 10 to 20 ms, at 4 us a launch (Xeon, model 207).
  static constexpr uint64_t maxLaunchesInParts = 4096;
  /// Number of consecutive longer expressions that are still compiled as a
  /// whole: for expressions that continue from one another, and for expressions
  /// that are rebuilt. A few may continue from one another by chance, and
  /// models of several depths are often compared.
  static constexpr unsigned compiledContinued = 2, compiledRebuilt = 8;
  /// Maximum number of joined expressions of growing size that are compiled for
  /// one line.
  static constexpr unsigned maxJoinedSizes = 3;

  using Root =
      std::tuple<const char *, uint32_t, graph::OpKind, graph::DType, unsigned>;
  std::map<Root, Line> lines;
  /// Maximum number of sets of ops that a line remembers.
  static constexpr size_t maxAlike = 8;
  /// Number of lengths of an expression that are compiled if its steps read values
  /// of their own.
  static constexpr unsigned compiledLengths = 4;
  /// Number of evaluations in which the constants of an expression are stored.
  static constexpr unsigned maxStores = 32;
  struct Spent {
    Plan plan;
    size_t opsOfLaunch;
    uint64_t launches;
  };
  /// The launches that each expression cost in parts, keyed by the trace's hash.
  llvm::DenseMap<uint64_t, Spent> spent;
  /// Steps of loops, keyed by hashOfOps().
  std::map<uint64_t, StepShape> shapes;
  /// How often the constants of an expression were stored.
  llvm::DenseMap<uint64_t, unsigned> stores;
};

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_GROWTH_GROWTH_H
