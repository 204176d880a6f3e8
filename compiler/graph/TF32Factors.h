//===- TF32Factors.h - Products of operands rounded to tf32 -----*- C++ -*-===//
//
// Recognizes the nodes that toTF32 (ops/MatmulPrecision.cpp) makes:
//   select(isFinite(x), number(and(.., high)) + (x - number(own)),
//          x + number(own))
// with own = or(and(bits(x), high), and(bits(x), low)). Numbers of a graph are
// arguments of its program, so the compiler could not find the mask.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_TF32FACTORS_H
#define TENSORC_COMPILER_GRAPH_TF32FACTORS_H

#include "compiler/graph/LiveHandles.h"

namespace tensorc::graph {

/// Matches nodes of one trace.
struct TF32Matcher {
  static constexpr uint64_t lowBits = 0x1fff, highBits = 0xffffe000;

  /// Returns the node if the trace computes it by this op, otherwise null.
  static const Node *computedBy(const Node *node, OpKind op) {
    return node && !isArgument(*node) && node->op() == op ? node : nullptr;
  }

  static const Node *inputAt(const Node *node, unsigned i) {
    return node ? node->inputs()[i] : nullptr;
  }

  /// True if all elements are the number with these bits.
  static bool isFilledWith(const Node *node, uint64_t bits) {
    while (const Node *broadcast = computedBy(node, OpKind::Broadcast))
      node = inputAt(broadcast, 0);
    node = computedBy(node, OpKind::Full);
    return node && node->attributes<FullAttributes>().bits == bits;
  }

  /// Returns x if the node is x and mask, otherwise null.
  static const Node *masked(const Node *node, uint64_t mask) {
    const Node *both = computedBy(node, OpKind::And);
    return both && isFilledWith(inputAt(both, 1), mask) ? inputAt(both, 0)
                                                        : nullptr;
  }

  /// True if `bits` are the bits of x, assembled from two parts.
  static bool isOwnOf(const Node *bits, const Node *x) {
    const Node *both = computedBy(bits, OpKind::Or);
    const Node *high = masked(inputAt(both, 0), highBits),
               *low = masked(inputAt(both, 1), lowBits);
    return high && high == low &&
           inputAt(computedBy(high, OpKind::Bitcast), 0) == x;
  }

  static bool isRounded(const Node *node) {
    for (bool moves = true; moves;) {
      moves = false;
      for (OpKind op : {OpKind::Broadcast, OpKind::Reshape, OpKind::Transpose})
        if (const Node *moved = computedBy(node, op)) {
          node = inputAt(moved, 0);
          moves = true;
        }
    }
    const Node *choice = computedBy(node, OpKind::Select);
    const Node *test = computedBy(inputAt(choice, 0), OpKind::IsFinite),
               *sum = computedBy(inputAt(choice, 1), OpKind::Add),
               *special = computedBy(inputAt(choice, 2), OpKind::Add),
               *x = inputAt(special, 0);
    const Node *number = computedBy(inputAt(sum, 0), OpKind::Bitcast),
               *zero = computedBy(inputAt(sum, 1), OpKind::Sub);
    const Node *own = computedBy(inputAt(zero, 1), OpKind::Bitcast);
    return x && inputAt(test, 0) == x && inputAt(zero, 0) == x &&
           masked(inputAt(number, 0), highBits) && isOwnOf(inputAt(own, 0), x);
  }
};

/// True if the node is a dot_general of f32 whose operands are rounded to tf32
/// in the same trace.
inline bool isTF32Product(const Node &node) {
  return node.op() == OpKind::DotGeneral && node.dtype() == DType::F32 &&
         !isArgument(node) && TF32Matcher::isRounded(node.inputs()[0]) &&
         TF32Matcher::isRounded(node.inputs()[1]);
}

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_TF32FACTORS_H
