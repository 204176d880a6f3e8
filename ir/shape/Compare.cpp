//===- Compare.cpp - Comparisons of sizes for all values of names ---------===//

#include "ir/shape/Dim.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace llvm;

namespace tensorc::shape {

namespace {
/// Lower and upper bound of an expression; nullopt if it is unbounded or
/// unknown.
struct Range {
  std::optional<int64_t> low, high;
};
} // namespace

static Range rangeOf(Dim dim);

static std::optional<int64_t> apply(DimOp op, std::optional<int64_t> a,
                                    std::optional<int64_t> b) {
  return a && b ? evaluate(op, *a, *b) : std::nullopt;
}

static Range scale(Range range, int64_t factor) {
  if (factor < 0)
    std::swap(range.low, range.high);
  return {apply(DimOp::Mul, range.low, factor),
          apply(DimOp::Mul, range.high, factor)};
}

/// Returns the range of a term. A single factor may have any sign; a product of
/// several factors is bounded only if none of them can be negative.
static Range rangeOf(const Term &term) {
  Range range = rangeOf(term.factors[0]);
  for (Dim factor : term.factors.drop_front()) {
    Range other = rangeOf(factor);
    if (range.low.value_or(-1) < 0 || other.low.value_or(-1) < 0)
      return {};
    range = {apply(DimOp::Mul, range.low, other.low),
             apply(DimOp::Mul, range.high, other.high)};
  }
  return scale(range, term.coefficient);
}

static Range rangeOfSum(Dim dim) {
  Range total{dim.constant(), dim.constant()};
  for (const Term &term : dim.terms()) {
    Range range = rangeOf(term);
    total = {apply(DimOp::Add, total.low, range.low),
             apply(DimOp::Add, total.high, range.high)};
  }
  return total;
}

static Range rangeOfQuotient(DimOp op, Dim dim) {
  Range dividend = rangeOf(dim.operands()[0]);
  std::optional<int64_t> divisor = dim.operands()[1].number();
  if (divisor)
    return {apply(op, dividend.low, divisor),
            apply(op, dividend.high, divisor)};
  // The divisor is at least 1, so the quotient is between 0 and the dividend.
  Range range;
  if (dividend.low)
    range.low = std::min<int64_t>(*dividend.low, 0);
  if (dividend.high)
    range.high = std::max<int64_t>(*dividend.high, 0);
  return range;
}

static Range rangeOfExtreme(DimOp op, ArrayRef<Dim> operands) {
  Range range = rangeOf(operands[0]);
  // For min and max, the bound of one operand suffices on one side.
  auto either = [op](std::optional<int64_t> a, std::optional<int64_t> b) {
    return a && b ? evaluate(op, *a, *b) : a ? a : b;
  };
  for (Dim operand : operands.drop_front()) {
    Range other = rangeOf(operand);
    bool isMin = op == DimOp::Min;
    range = {isMin ? apply(op, range.low, other.low)
                   : either(range.low, other.low),
             isMin ? either(range.high, other.high)
                   : apply(op, range.high, other.high)};
  }
  return range;
}

static Range rangeOf(Dim dim) {
  switch (dim.kind()) {
  case DimKind::None:
    return {};
  case DimKind::Symbol:
    if (dim.least() == anyNumber)
      return {};
    return {dim.least(), std::nullopt};
  case DimKind::Number:
  case DimKind::Sum:
    return rangeOfSum(dim);
  case DimKind::FloorDiv:
    return rangeOfQuotient(DimOp::FloorDiv, dim);
  case DimKind::CeilDiv:
    return rangeOfQuotient(DimOp::CeilDiv, dim);
  case DimKind::Mod: {
    std::optional<int64_t> divisor = rangeOf(dim.operands()[1]).high;
    return {0, apply(DimOp::Add, divisor, -1)};
  }
  case DimKind::Min:
    return rangeOfExtreme(DimOp::Min, dim.operands());
  case DimKind::Max:
    return rangeOfExtreme(DimOp::Max, dim.operands());
  }
  return {};
}

std::optional<bool> isEqual(Dim a, Dim b) {
  Dim difference = a - b;
  if (difference.isNone())
    return std::nullopt;
  if (std::optional<int64_t> number = difference.number())
    return *number == 0;
  Range range = rangeOf(difference);
  if (range.low.value_or(0) > 0 || range.high.value_or(0) < 0)
    return false;
  // Example: 2 n never equals 2 m + 1.
  int64_t common = 0;
  for (const Term &term : difference.terms())
    common = std::gcd(common, term.coefficient);
  if (difference.constant() % common != 0)
    return false;
  return std::nullopt;
}

std::optional<bool> isLess(Dim a, Dim b) {
  Range range = rangeOf(b - a);
  if (range.low.value_or(0) > 0)
    return true;
  if (range.high.value_or(1) <= 0)
    return false;
  return std::nullopt;
}

std::optional<bool> divides(int64_t divisor, Dim a) {
  if (a.isNone())
    return std::nullopt;
  for (const Term &term : a.terms())
    if (term.coefficient % divisor != 0)
      return std::nullopt;
  return a.constant() % divisor == 0;
}

} // namespace tensorc::shape
