//===- Trace.h - An expression as a key and its values --------------------===//
//
// One walk over what is to be computed. The key holds the structure; what it
// abstracts (sizes other than 0 and 1, scalars, slice starts) is listed beside
// it, in an order that the structure fixes.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_TRACE_H
#define TENSORC_COMPILER_GRAPH_TRACE_H

#include "compiler/graph/LiveHandles.h"

#include <optional>
#include <vector>

namespace tensorc::graph {

/// Which nodes of an evaluation get a value, beside its roots: none; those that
/// cost something and that a handle, a tape or an op outside of the evaluation
/// still needs, unless they may stay unstored (LiveHandles.h); or all that cost
/// something.
enum class Stored { Roots, Held, All };

struct Trace {
  /// All nodes, operands first; the index is the op's ordinal.
  std::vector<Node *> order;
  std::vector<uint64_t> key;
  uint64_t hash = 0;
  /// The sizes of all dims that no operand determines (see ownsShape).
  std::vector<int64_t> sizes;
  /// Bits of scalars, and slice starts.
  std::vector<uint64_t> words;
  /// Values and placeholders, in the order of the function's arguments.
  std::vector<Node *> arguments;
  std::vector<Node *> outputs;
  /// Nodes that are needed later and stay without a value (LiveHandles.h).
  std::vector<Node *> leftUnstored;
  /// Names and places of custom calls, for errors of a run.
  std::vector<std::pair<const char *, SourceLocation>> customCalls;

  /// Walks what the roots need. Gives up and returns false beyond `maxNodes`.
  /// Needs graphMutex(), like all of these.
  bool record(llvm::ArrayRef<Node *> roots, Stored stored,
              unsigned maxNodes = UINT32_MAX);

  /// Only fills `order`.
  void collect(llvm::ArrayRef<Node *> roots);
  /// Cuts `order` into pieces of `size` nodes: what each must compute for the
  /// later ones. Where the same ops follow each other again and again, a piece
  /// has as many whole periods as `periodicSize` nodes hold, but at least one,
  /// so that most pieces are alike.
  std::vector<std::vector<NodeRef>> segments(unsigned size,
                                             unsigned periodicSize) const;

private:
  /// Half of `order` or more, in which each node is like the one `length`
  /// before it.
  struct Period {
    size_t begin, end, length;
  };
  std::optional<Period> findPeriod() const;
  void clear();
  void walk(Node *root);
  bool stores(Node &node, Stored stored);
  /// Whether ops outside of the trace read the node. The next evaluation would
  /// compute it again, and in a loop everything before it, too.
  bool isContinued(const Node &node) const;
  /// Finds what else to store for ops outside of the trace.
  void findContinued(llvm::ArrayRef<Node *> roots);
  void describe(Node &node);
  void describeCustomCall(const Node &node);
  std::vector<std::pair<Node *, uint32_t>> stack;
  /// How many operands of the trace each node of `order` is.
  std::vector<uint32_t> uses;
  /// Operands of custom calls with results outside of the trace.
  std::vector<bool> feedsContinued;
  /// Maximum size of a value that is stored only because it is continued.
  int64_t maxContinuedBytes = 0;
};

/// Whether the operands leave the node's dims open.
bool ownsShape(const Node &node);

/// The sizes of the node that no operand determines, in the order in which the
/// solver gives them symbols.
void appendSizes(const Node &node, std::vector<int64_t> &sizes);

/// What of the concrete sizes the structure depends on beside 0 and 1.
void appendSizeFacts(const Node &node, std::vector<uint64_t> &key);

/// A reshape keeps this many leading and trailing dims as they are.
struct Alignment {
  unsigned prefix, suffix;
};
Alignment alignmentOf(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// Returns a bit per dim of x along which the windows of a scatter or
/// dynamicUpdateSlice are as large as x.
uint64_t wholeWindows(const Node &node);

/// Whether a slice takes all of dim i.
bool isWholeDim(const Node &slice, unsigned i, int64_t size);
/// Whether where it starts in dim i is part of the structure, and no word: in a
/// whole dim, and at the first elements of a sort, which are selected.
bool hasFixedStart(const Node &slice, unsigned i, int64_t size);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_TRACE_H
