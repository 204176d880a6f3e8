//===- Trace.h - An expression as a key and a list of values --------------===//
//
// Made in one walk over the nodes to compute. The key describes the structure.
// The values that it leaves out (sizes other than 0 and 1, scalars, starts of
// slices) are listed separately, in an order that depends only on the
// structure.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_TRACE_H
#define TENSORC_COMPILER_GRAPH_TRACE_H

#include "compiler/graph/LiveHandles.h"

#include <optional>
#include <vector>

namespace tensorc::graph {

/// Which nodes of an evaluation get a value besides its roots.
/// - Roots: none.
/// - Held: nontrivial nodes that a handle, a tape or an op outside of the
///   evaluation still needs, unless they may stay unstored (LiveHandles.h).
/// - All: all nontrivial nodes.
enum class Stored { Roots, Held, All };

struct Trace {
  /// All nodes, operands before users. The index of a node is its ordinal.
  std::vector<Node *> order;
  std::vector<uint64_t> key;
  uint64_t hash = 0;
  /// The sizes of all dims that are not determined by operands (see ownsShape).
  std::vector<int64_t> sizes;
  /// Bits of scalars, and start positions of slices.
  std::vector<uint64_t> words;
  /// Values and placeholders, in the order of the compiled function's
  /// arguments.
  std::vector<Node *> arguments;
  std::vector<Node *> outputs;
  /// How each output is split; null if it is whole. The list is empty if all
  /// outputs are whole.
  std::vector<const Split *> outputSplits;
  /// Values of at most `maxEarlyBytes` that an evaluation stores before it looks
  /// for code: keys that are constants or rows of a value. The key with which a
  /// loop begins then looks like those that its iterations compute, so its first
  /// iteration needs no other code. If the trace is cut, also constants that
  /// several pieces read.
  std::vector<Node *> early;
  /// Constants of at most `maxConstantBytes` that the program holds. They may be
  /// the state with which a loop begins, so an evaluation for which there is no
  /// code stores them.
  std::vector<Node *> heldConstants;
  /// Nodes that are needed later but are not stored (LiveHandles.h).
  std::vector<Node *> leftUnstored;
  /// Names and source locations of custom calls, for run-time errors.
  std::vector<std::pair<const char *, SourceLocation>> customCalls;

  /// Records all nodes that the roots need. Returns false if there are more
  /// than `maxNodes`. With `keepsParts`, an output is a rank's part if its node
  /// is split, either by an annotation or because an operand of its
  /// element-wise op is split. The caller must hold graphMutex(), as for all
  /// functions of this class.
  bool record(llvm::ArrayRef<Node *> roots, Stored stored,
              unsigned maxNodes = UINT32_MAX, bool keepsParts = false);

  const Split *splitOfOutput(size_t i) const {
    return outputSplits.empty() ? nullptr : outputSplits[i];
  }

  /// Only fills `order`, without the key and the arguments.
  void collect(llvm::ArrayRef<Node *> roots);
  /// Like collect(), but the operand with the longest path to it comes first. The
  /// steps of a loop are then in the order in which they were recorded, so their
  /// values form one period.
  void collectBySteps(llvm::ArrayRef<Node *> roots);
  /// Cuts `order` into pieces of `size` nodes, and returns for each piece the
  /// nodes that it must compute for later pieces. In a periodic part of the
  /// trace, a piece has as many whole periods as fit `periodicSize` nodes, but
  /// at least one, so that most pieces are equal. Periods that do not fill such
  /// a piece are pieces of their own if `size` is less, so that another number
  /// of periods has the same pieces; else they are in the piece that follows.
  /// Adds to `early` the small constants that several pieces read.
  std::vector<std::vector<NodeRef>> segments(unsigned size,
                                             unsigned periodicSize);
  /// Cuts `order` after each of the positions `ends`, which increase, and returns
  /// the same as segments().
  std::vector<std::vector<NodeRef>> cutAt(llvm::ArrayRef<size_t> ends);

private:
  /// A range of `order` with at least half of the nodes, in which each node
  /// equals the node `length` positions before it.
  struct Period {
    size_t begin, end, length;
  };
  std::optional<Period> findPeriod() const;
  /// Reading a value of this size costs less than a launch.
  static constexpr int64_t maxEarlyBytes = 4096;
  /// Writing a value of this size costs less than compiling an expression.
  static constexpr int64_t maxConstantBytes = 1 << 20;
  void clear();
  template <typename Choose> void walk(Node *root, Choose choose);
  bool stores(Node &node, Stored stored);
  void findEarly(Node &node);
  /// True if ops outside of the trace read the node. If the node were not
  /// stored, the next evaluation would compute it again, and in a loop all
  /// nodes before it, too.
  bool isContinued(const Node &node) const;
  /// Finds the nodes to store for ops outside of the trace.
  void findContinued(llvm::ArrayRef<Node *> roots);
  void describe(Node &node);
  void describeCustomCall(const Node &node);
  void describeSplit(const Split &split);
  std::vector<std::pair<Node *, uint32_t>> stack;
  /// Data about values from which later operations continue.
  struct Continued {
    /// Number of uses of each node of `order` within the trace.
    std::vector<uint32_t> uses;
    /// True for operands of custom calls that have results outside of the trace.
    std::vector<bool> feedsCall;
    /// Maximum size in bytes of a value that is stored only for later
    /// operations.
    int64_t maxBytes = 0;
    /// True if the expression adds the first value of a list. All held values are
    /// then stored: the next iteration continues from them, and its expression is
    /// evaluated in parts.
    bool beginsSum = false;
  };
  Continued continued;
};

/// Returns how an evaluation will split the node or has split it. Null if each
/// rank gets the whole value. Locks graphMutex().
const Split *splitOf(Node &node);

/// True if the operands do not determine the node's dims.
bool ownsShape(const Node &node);

/// Attributes of Data that holds the joined first operands of a concatenation
/// (jit::JoinedExpression). The size along the dim of the concatenation is
/// abstracted even if it is 1, because the next concatenation is longer.
struct JoinedAttributes {
  int64_t dim;

  static JoinedAttributes read(llvm::ArrayRef<int64_t> words) {
    return {words[0]};
  }
  size_t numWords() const { return 1; }
  void write(int64_t *words) const { *words = dim; }
};
std::optional<unsigned> joinedDim(const Node &node);

/// Appends the node's sizes that are not determined by operands, in the order
/// in which the solver makes symbols for them.
void appendSizes(const Node &node, std::vector<int64_t> &sizes);

/// Appends further facts on which the compiled structure depends, besides which
/// sizes are 0 or 1: for example, which leading and trailing dims a reshape
/// keeps, or which dims a slice takes whole.
void appendSizeFacts(const Node &node, std::vector<uint64_t> &key);

/// The number of leading and trailing dims that a reshape keeps unchanged.
struct Alignment {
  unsigned prefix, suffix;
};
Alignment alignmentOf(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// Returns a bit per dim of x along which the windows of a scatter or
/// dynamicUpdateSlice are as large as x.
uint64_t wholeWindows(const Node &node);

/// True if a slice takes all of dim i.
bool isWholeDim(const Node &slice, unsigned i, int64_t size);
/// True if the slice's start in dim i is part of the structure instead of a
/// run-time word. This holds for whole dims, and for the first elements of a
/// sort, which become a selection.
bool hasFixedStart(const Node &slice, unsigned i, int64_t size);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_TRACE_H
