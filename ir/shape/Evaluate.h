//===- Evaluate.h - Evaluates size expressions in any domain --------------===//
#ifndef TENSORC_IR_SHAPE_EVALUATE_H
#define TENSORC_IR_SHAPE_EVALUATE_H

#include "ir/shape/Dim.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::shape {

/// Evaluates a size in another domain: numbers, SSA values, instructions, or
/// other expressions. `leaf` maps a number or symbol to the domain; `combine`
/// applies an operation to two results. The evaluation ends if one of them
/// returns nullopt.
template <typename T> class Evaluator {
public:
  using Leaf = llvm::function_ref<std::optional<T>(Dim)>;
  using Combine = llvm::function_ref<std::optional<T>(DimOp, T, T)>;

  Evaluator(Leaf leaf, Combine combine) : leaf(leaf), combine(combine) {}

  /// Returns the result, or nullopt if the dim is none.
  std::optional<T> operator()(Dim dim) {
    switch (dim.kind()) {
    case DimKind::None:
      return std::nullopt;
    case DimKind::Number:
    case DimKind::Symbol:
      return leaf(dim);
    case DimKind::Sum:
      return sum(dim);
    case DimKind::FloorDiv:
      return chain(DimOp::FloorDiv, dim.operands());
    case DimKind::CeilDiv:
      return chain(DimOp::CeilDiv, dim.operands());
    case DimKind::Mod:
      return chain(DimOp::Mod, dim.operands());
    case DimKind::Min:
      return chain(DimOp::Min, dim.operands());
    case DimKind::Max:
      return chain(DimOp::Max, dim.operands());
    }
    return std::nullopt;
  }

private:
  Leaf leaf;
  Combine combine;

  std::optional<T> join(DimOp op, std::optional<T> a, std::optional<T> b) {
    return a && b ? combine(op, *a, *b) : std::nullopt;
  }
  std::optional<T> chain(DimOp op, llvm::ArrayRef<Dim> operands) {
    std::optional<T> result = (*this)(operands[0]);
    for (Dim operand : operands.drop_front())
      if (result)
        result = join(op, result, (*this)(operand));
    return result;
  }
  std::optional<T> sum(Dim dim) {
    std::optional<T> total;
    for (auto [i, term] : llvm::enumerate(dim.terms())) {
      std::optional<T> value = chain(DimOp::Mul, term.factors);
      if (term.coefficient != 1)
        value = join(DimOp::Mul, value, leaf(term.coefficient));
      total = i == 0 ? value : join(DimOp::Add, total, value);
      if (!total)
        return total;
    }
    if (dim.constant() != 0)
      total = join(DimOp::Add, total, leaf(dim.constant()));
    return total;
  }
};

} // namespace tensorc::shape

#endif // TENSORC_IR_SHAPE_EVALUATE_H
