//===- IterationSpace.cpp - Index arithmetic with known ranges ------------===//

#include "ir/analysis/Indexing.h"

using namespace mlir;

namespace tensorc::analysis {

Index IterationSpace::identity() const {
  Index index;
  MLIRContext *context = names.constant(0).getContext();
  for (unsigned i = 0; i < sizes.size(); ++i)
    index.push_back(getAffineDimExpr(i, context));
  return index;
}

AffineExpr IterationSpace::simplify(AffineExpr expr) const {
  return simplifyAffineExpr(expr, sizes.size(), names.names().size());
}

static void collect(AffineExpr expr, AffineExprKind kind,
                    SmallVectorImpl<AffineExpr> &parts) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() != kind) {
    parts.push_back(expr);
    return;
  }
  collect(binary.getLHS(), kind, parts);
  collect(binary.getRHS(), kind, parts);
}

/// The product without the divisor's factors, if it contains them all.
static std::optional<AffineExpr> divideTerm(AffineExpr term,
                                            AffineExpr divisor) {
  SmallVector<AffineExpr> factors, wanted;
  collect(term, AffineExprKind::Mul, factors);
  collect(divisor, AffineExprKind::Mul, wanted);
  int64_t divisorConstant = 1;
  for (AffineExpr f : wanted) {
    if (auto c = dyn_cast<AffineConstantExpr>(f)) {
      divisorConstant *= c.getValue();
      continue;
    }
    auto *it = llvm::find(factors, f);
    if (it == factors.end())
      return std::nullopt;
    factors.erase(it);
  }
  int64_t constant = 1;
  AffineExpr result = getAffineConstantExpr(1, term.getContext());
  for (AffineExpr f : factors) {
    if (auto c = dyn_cast<AffineConstantExpr>(f))
      constant *= c.getValue();
    else
      result = result * f;
  }
  if (divisorConstant == 0 || constant % divisorConstant != 0)
    return std::nullopt;
  return result * (constant / divisorConstant);
}

/// x = quotient * divisor + remainder, taking whole terms.
std::pair<AffineExpr, AffineExpr>
IterationSpace::split(AffineExpr x, AffineExpr divisor) const {
  SmallVector<AffineExpr> terms;
  collect(x, AffineExprKind::Add, terms);
  AffineExpr quotient = names.constant(0), remainder = names.constant(0);
  for (AffineExpr term : terms) {
    if (auto q = divideTerm(term, divisor))
      quotient = quotient + *q;
    else
      remainder = remainder + term;
  }
  return {simplify(quotient), simplify(remainder)};
}

/// Whether 0 <= x < bound for sure: x is a sum of dims times sizes, and the
/// largest value of each dim leaves it below the bound.
bool IterationSpace::isBelow(AffineExpr x, AffineExpr bound) const {
  SmallVector<AffineExpr> terms;
  collect(x, AffineExprKind::Add, terms);
  for (AffineExpr term : terms) {
    SmallVector<AffineExpr> factors;
    collect(term, AffineExprKind::Mul, factors);
    for (AffineExpr f : factors) {
      auto c = dyn_cast<AffineConstantExpr>(f);
      if (c ? c.getValue() < 0 : !isa<AffineDimExpr, AffineSymbolExpr>(f))
        return false;
    }
  }
  SmallVector<AffineExpr> largest;
  for (AffineExpr size : sizes)
    largest.push_back(size - 1);
  AffineExpr slack = simplify(bound - 1 - x.replaceDims(largest));
  auto constant = dyn_cast<AffineConstantExpr>(slack);
  return constant && constant.getValue() >= 0;
}

AffineExpr IterationSpace::floorDiv(AffineExpr x, AffineExpr y) const {
  auto [quotient, remainder] = split(x, y);
  if (isBelow(remainder, y))
    return quotient;
  return simplify(quotient + remainder.floorDiv(y));
}

AffineExpr IterationSpace::mod(AffineExpr x, AffineExpr y) const {
  AffineExpr remainder = split(x, y).second;
  if (isBelow(remainder, y))
    return remainder;
  return simplify(remainder % y);
}

AffineExpr IterationSpace::dropMultiples(AffineExpr x, AffineExpr y) const {
  return split(x, y).second;
}

AffineExpr IterationSpace::linearize(ArrayRef<AffineExpr> index,
                                     ArrayRef<AffineExpr> dims) const {
  AffineExpr result = names.constant(0), stride = names.constant(1);
  for (size_t i = index.size(); i-- > 0;) {
    result = result + index[i] * stride;
    stride = names.simplify(stride * dims[i]);
  }
  return simplify(result);
}

std::optional<LinearIn> linearIn(AffineExpr expr, unsigned dim,
                                 const IterationSpace &space) {
  SmallVector<AffineExpr> terms;
  collect(expr, AffineExprKind::Add, terms);
  AffineExpr coefficient = space.getNames().constant(0);
  AffineExpr rest = space.getNames().constant(0);
  for (AffineExpr term : terms) {
    if (!term.isFunctionOfDim(dim)) {
      rest = rest + term;
      continue;
    }
    SmallVector<AffineExpr> factors;
    collect(term, AffineExprKind::Mul, factors);
    AffineExpr product = space.getNames().constant(1);
    bool seen = false;
    for (AffineExpr f : factors) {
      auto d = dyn_cast<AffineDimExpr>(f);
      if (d && d.getPosition() == dim && !seen)
        seen = true;
      else if (f.isFunctionOfDim(dim))
        return std::nullopt;
      else
        product = product * f;
    }
    if (!seen)
      return std::nullopt;
    coefficient = coefficient + product;
  }
  return LinearIn{space.simplify(coefficient), space.simplify(rest)};
}

} // namespace tensorc::analysis
