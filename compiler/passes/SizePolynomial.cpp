//===- SizePolynomial.cpp - sizes that can be compared --------------------===//
#include "compiler/passes/SizePolynomial.h"

#include "ir/program/Txp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

/// Sizes with more terms, or from more ops, are taken as they are.
static constexpr size_t maxTerms = 16;
static constexpr unsigned maxOps = 256;

SizePolynomial SizePolynomial::of(Value value) {
  unsigned budget = maxOps;
  return of(value, budget);
}

std::optional<SizePolynomial> SizePolynomial::sum(const SizePolynomial &a,
                                                  const SizePolynomial &b) {
  SizePolynomial result = a;
  for (const auto &[factors, count] : b.terms) {
    int64_t &total = result.terms[factors];
    if (__builtin_add_overflow(total, count, &total))
      return std::nullopt;
    if (total == 0)
      result.terms.erase(factors);
  }
  return result;
}

std::optional<SizePolynomial> SizePolynomial::product(const SizePolynomial &a,
                                                      const SizePolynomial &b) {
  SizePolynomial result;
  for (const auto &[factorsA, countA] : a.terms)
    for (const auto &[factorsB, countB] : b.terms) {
      SizePolynomial term;
      Factors factors = factorsA;
      factors.insert(factors.end(), factorsB.begin(), factorsB.end());
      llvm::sort(factors);
      if (__builtin_mul_overflow(countA, countB, &term.terms[factors]))
        return std::nullopt;
      std::optional<SizePolynomial> total = sum(result, term);
      if (!total || total->terms.size() > maxTerms)
        return std::nullopt;
      result = std::move(*total);
    }
  return result;
}

SizePolynomial SizePolynomial::of(Value value, unsigned &budget) {
  SizePolynomial result;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    if (!number.isZero())
      result.terms[{}] = number.getSExtValue();
    return result;
  }
  std::optional<SizePolynomial> known;
  if (budget > 0) {
    --budget;
    if (auto add = value.getDefiningOp<arith::AddIOp>())
      known = sum(of(add.getLhs(), budget), of(add.getRhs(), budget));
    else if (auto mul = value.getDefiningOp<arith::MulIOp>())
      known = product(of(mul.getLhs(), budget), of(mul.getRhs(), budget));
  }
  if (known && known->terms.size() <= maxTerms)
    return *known;
  result.terms[{value.getAsOpaquePointer()}] = 1;
  return result;
}

std::optional<int64_t> SizePolynomial::constant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

/// Whether a product is never negative: its factors are dims.
static bool isProductOfDims(const std::vector<void *> &factors) {
  return llvm::all_of(factors, [](void *factor) {
    return Value::getFromOpaquePointer(factor).getDefiningOp<txp::DimOp>();
  });
}

bool SizePolynomial::atMost(const SizePolynomial &other) const {
  // One product of the same factors, counted positively, is not negative in a
  // valid size.
  if (terms.size() == 1 && other.terms.size() == 1 &&
      terms.begin()->first == other.terms.begin()->first &&
      terms.begin()->second > 0)
    return terms.begin()->second <= other.terms.begin()->second;
  auto count = [](const SizePolynomial &of, const Factors &factors) {
    auto found = of.terms.find(factors);
    return found == of.terms.end() ? 0 : found->second;
  };
  for (const auto *side : {this, &other})
    for (const auto &[factors, ignored] : side->terms) {
      int64_t mine = count(*this, factors), theirs = count(other, factors);
      if (mine != theirs && (mine > theirs || !isProductOfDims(factors)))
        return false;
    }
  return true;
}

bool SizePolynomial::isMultipleOf(int64_t divisor) const {
  return llvm::all_of(
      terms, [&](const auto &term) { return term.second % divisor == 0; });
}
