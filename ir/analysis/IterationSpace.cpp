//===- IterationSpace.cpp - Index arithmetic with known ranges ------------===//

#include "ir/analysis/Indexing.h"
#include "ir/analysis/Products.h"

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

SmallVector<AffineExpr> partsOf(AffineExpr expr, AffineExprKind kind) {
  SmallVector<AffineExpr> parts;
  collect(expr, kind, parts);
  return parts;
}

std::optional<AffineExpr> divideTerm(AffineExpr term, AffineExpr divisor) {
  SmallVector<AffineExpr> factors = partsOf(term, AffineExprKind::Mul);
  SmallVector<AffineExpr> wanted = partsOf(divisor, AffineExprKind::Mul);
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

bool areSameProduct(AffineExpr a, AffineExpr b) {
  auto one = getAffineConstantExpr(1, a.getContext());
  return a == b || divideTerm(a, b) == one;
}

/// Splits x into quotient * divisor + remainder. Each term of x belongs
/// entirely to the quotient or to the remainder.
std::pair<AffineExpr, AffineExpr>
IterationSpace::split(AffineExpr x, AffineExpr divisor) const {
  SmallVector<AffineExpr> terms = partsOf(x, AffineExprKind::Add);
  AffineExpr quotient = names.constant(0), remainder = names.constant(0);
  for (AffineExpr term : terms) {
    if (auto q = divideTerm(term, divisor))
      quotient = quotient + *q;
    else
      remainder = remainder + term;
  }
  return {simplify(quotient), simplify(remainder)};
}

/// True if 0 <= x < bound can be proven because x is a sum of dims times sizes,
/// and this sum is below the bound for the largest value of each dim.
bool IterationSpace::isBelow(AffineExpr x, AffineExpr bound) const {
  for (AffineExpr term : partsOf(x, AffineExprKind::Add)) {
    for (AffineExpr f : partsOf(term, AffineExprKind::Mul)) {
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

/// If `low` is the remainder of a number modulo `size`, and `high` contains its
/// quotient, returns that number; otherwise nullopt.
static std::optional<AffineExpr> rejoin(AffineExpr high, AffineExpr low,
                                        AffineExpr size,
                                        const IterationSpace &space) {
  auto mod = dyn_cast<AffineBinaryOpExpr>(low);
  if (!mod || mod.getKind() != AffineExprKind::Mod || mod.getRHS() != size)
    return std::nullopt;
  AffineExpr quotient = space.simplify(mod.getLHS().floorDiv(size));
  AffineExpr joined = mod.getLHS();
  bool isPart = false;
  for (AffineExpr term : partsOf(high, AffineExprKind::Add)) {
    if (term == quotient && !isPart)
      isPart = true;
    else
      joined = joined + term * size;
  }
  if (!isPart)
    return std::nullopt;
  return space.simplify(joined);
}

AffineExpr IterationSpace::linearize(ArrayRef<AffineExpr> index,
                                     ArrayRef<AffineExpr> dims) const {
  // Recombines the quotient and the remainder that a reshape makes of a number.
  // MLIR does this for constant divisors, but not for named sizes.
  SmallVector<std::pair<AffineExpr, AffineExpr>> parts;
  for (auto [at, size] : llvm::zip(index, dims)) {
    parts.push_back({at, size});
    if (parts.size() < 2)
      continue;
    auto &[high, highSize] = parts[parts.size() - 2];
    std::optional<AffineExpr> joined = rejoin(high, at, size, *this);
    if (!joined)
      continue;
    high = *joined;
    highSize = names.simplify(highSize * size);
    parts.pop_back();
  }
  AffineExpr result = names.constant(0), stride = names.constant(1);
  for (auto [at, size] : llvm::reverse(parts)) {
    result = result + at * stride;
    stride = names.simplify(stride * size);
  }
  return simplify(result);
}

std::optional<LinearIn> linearIn(AffineExpr expr, unsigned dim,
                                 const IterationSpace &space) {
  SmallVector<AffineExpr> terms = partsOf(expr, AffineExprKind::Add);
  AffineExpr coefficient = space.getNames().constant(0);
  AffineExpr rest = space.getNames().constant(0);
  for (AffineExpr term : terms) {
    if (!term.isFunctionOfDim(dim)) {
      rest = rest + term;
      continue;
    }
    SmallVector<AffineExpr> factors = partsOf(term, AffineExprKind::Mul);
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
