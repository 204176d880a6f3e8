//===- Term.h - Formulas over recorded tensors ------------------*- C++ -*-===//
//
//   Term y = select(x > 0, sqrt(x) * 2 + 1, -x);
//
// Operators record like elementwise(): operands broadcast and are promoted. If
// an operand has no node because of an error, neither has the result.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_TERM_H
#define TENSORC_COMPILER_GRAPH_OPS_TERM_H

#include "compiler/graph/ops/Builders.h"

namespace tensorc::graph {

class Term {
public:
  Term(Recorder &r, NodeRef node) : r(&r), node(std::move(node)) {}

  /// An operand of the operators: a term or a number.
  class In {
  public:
    In(const Term &x) : operand(x.node) {}
    In(double x) : operand(Scalar::of(x)) {}
    In(int x) : operand(Scalar::of(int64_t(x))) {}
    In(int64_t x) : operand(Scalar::of(x)) {}
    Operand operand;
  };

  operator const NodeRef &() const { return node; }
  const Node *operator->() const { return node.get(); }
  explicit operator bool() const { return bool(node); }

  /// Any element-wise op.
  Term map(OpKind op, std::initializer_list<Operand> operands) const {
    return {*r, elementwise(*r, op,
                            llvm::ArrayRef<Operand>(operands.begin(),
                                                    operands.size()))};
  }
  Term map(OpKind op) const { return map(op, {node}); }
  Term map(OpKind op, const In &y) const { return map(op, {node, y.operand}); }
  Term as(DType dtype) const { return {*r, astype(*r, node, dtype)}; }
  Term bitsAs(DType dtype) const { return {*r, bitcast(*r, node, dtype)}; }

  Recorder *r;
  NodeRef node;
};

#define TENSORC_TERM_OPERATOR(symbol, op)                                      \
  inline Term operator symbol(const Term &x, const Term::In &y) {              \
    return x.map(OpKind::op, y);                                               \
  }                                                                            \
  inline Term operator symbol(double x, const Term &y) {                       \
    return y.map(OpKind::op, {Scalar::of(x), y.node});                         \
  }
TENSORC_TERM_OPERATOR(+, Add)
TENSORC_TERM_OPERATOR(-, Sub)
TENSORC_TERM_OPERATOR(*, Mul)
TENSORC_TERM_OPERATOR(/, Div)
#undef TENSORC_TERM_OPERATOR

#define TENSORC_TERM_TEST(symbol, op)                                          \
  inline Term operator symbol(const Term &x, const Term::In &y) {              \
    return x.map(OpKind::op, y);                                               \
  }
TENSORC_TERM_TEST(<, Lt)
TENSORC_TERM_TEST(<=, Le)
TENSORC_TERM_TEST(>, Gt)
TENSORC_TERM_TEST(>=, Ge)
TENSORC_TERM_TEST(&, And)
TENSORC_TERM_TEST(|, Or)
#undef TENSORC_TERM_TEST

inline Term operator-(const Term &x) { return x.map(OpKind::Neg); }
inline Term sqrt(const Term &x) { return x.map(OpKind::Sqrt); }
inline Term floor(const Term &x) { return x.map(OpKind::Floor); }
inline Term ceil(const Term &x) { return x.map(OpKind::Ceil); }
inline Term abs(const Term &x) { return x.map(OpKind::Abs); }
inline Term equals(const Term &x, const Term::In &y) {
  return x.map(OpKind::Eq, y);
}
inline Term min(const Term &x, const Term::In &y) {
  return x.map(OpKind::Min, y);
}
inline Term max(const Term &x, const Term::In &y) {
  return x.map(OpKind::Max, y);
}
inline Term select(const Term &p, const Term::In &x, const Term::In &y) {
  return p.map(OpKind::Select, {p.node, x.operand, y.operand});
}

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_TERM_H
