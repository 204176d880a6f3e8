//===- Evaluate.cpp - Evaluation and substitution of sizes ----------------===//

#include "ir/shape/Evaluate.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace tensorc::shape {

std::optional<int64_t> evaluate(DimOp op, int64_t a, int64_t b) {
  int64_t result;
  switch (op) {
  case DimOp::Add:
    return AddOverflow(a, b, result) ? std::nullopt : std::optional(result);
  case DimOp::Mul:
    return MulOverflow(a, b, result) ? std::nullopt : std::optional(result);
  case DimOp::Min:
    return std::min(a, b);
  case DimOp::Max:
    return std::max(a, b);
  case DimOp::FloorDiv:
  case DimOp::CeilDiv:
  case DimOp::Mod:
    break;
  }
  if (b <= 0)
    return std::nullopt;
  if (op == DimOp::FloorDiv)
    return divideFloorSigned(a, b);
  return op == DimOp::CeilDiv ? divideCeilSigned(a, b) : llvm::mod(a, b);
}

std::optional<int64_t>
evaluate(Dim dim, function_ref<std::optional<int64_t>(StringRef)> sizeOf) {
  auto leaf = [&](Dim dim) {
    return dim.isNumber() ? dim.number() : sizeOf(dim.name());
  };
  auto combine = [](DimOp op, int64_t a, int64_t b) {
    return evaluate(op, a, b);
  };
  return Evaluator<int64_t>(leaf, combine)(dim);
}

static Dim combine(DimOp op, Dim a, Dim b) {
  switch (op) {
  case DimOp::Add:
    return a + b;
  case DimOp::Mul:
    return a * b;
  case DimOp::FloorDiv:
    return floorDiv(a, b);
  case DimOp::CeilDiv:
    return ceilDiv(a, b);
  case DimOp::Mod:
    return mod(a, b);
  case DimOp::Min:
    return min(a, b);
  case DimOp::Max:
    return max(a, b);
  }
  return Dim::none();
}

Dim substitute(Dim dim, function_ref<Dim(Dim)> replacement) {
  auto leaf = [&](Dim dim) {
    return std::optional(dim.isNumber() ? dim : replacement(dim));
  };
  auto join = [](DimOp op, Dim a, Dim b) {
    return std::optional(combine(op, a, b));
  };
  return Evaluator<Dim>(leaf, join)(dim).value_or(Dim::none());
}

void forEachSymbol(Dim dim, function_ref<void(Dim)> callback) {
  if (dim.isNumber() || dim.isNone())
    return;
  if (dim.isSymbol())
    return callback(dim);
  if (dim.kind() != DimKind::Sum) {
    for (Dim operand : dim.operands())
      forEachSymbol(operand, callback);
    return;
  }
  for (const Term &term : dim.terms())
    for (Dim factor : term.factors)
      forEachSymbol(factor, callback);
}

SmallVector<Dim> symbolsOf(ArrayRef<Dim> dims) {
  SmallVector<Dim> symbols;
  for (Dim dim : dims)
    forEachSymbol(dim, [&](Dim symbol) { symbols.push_back(symbol); });
  sort(symbols, [](Dim a, Dim b) { return a.name() < b.name(); });
  symbols.erase(llvm::unique(symbols), symbols.end());
  return symbols;
}

double magnitude(Dim dim) {
  auto leaf = [](Dim dim) -> std::optional<double> {
    return dim.isNumber() ? std::abs(static_cast<double>(dim.constant())) : 1;
  };
  auto join = [](DimOp op, double a, double b) -> std::optional<double> {
    return op == DimOp::Add ? a + b : op == DimOp::Mul ? a * b : std::max(a, b);
  };
  return Evaluator<double>(leaf, join)(dim).value_or(HUGE_VAL);
}

} // namespace tensorc::shape
