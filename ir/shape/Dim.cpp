//===- Dim.cpp - Canonical expressions of sizes ---------------------------===//

#include "ir/shape/Dim.h"

#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <mutex>
#include <numeric>

using namespace llvm;

namespace tensorc::shape {

/// Maximum number of terms of a product that is multiplied out. A larger
/// product remains a product of sums.
static constexpr size_t maxTerms = 64;
/// Maximum magnitude of numbers in expressions. With it, neither negating a
/// number nor adding two of them overflows.
static constexpr uint64_t maxWeight = (uint64_t(1) << 62) - 1;

static uint64_t magnitude(int64_t number) {
  return number < 0 ? -static_cast<uint64_t>(number) : number;
}

/// An expression: either a sum of `terms` and `constant`, or an atom, whose
/// only term is the atom itself.
struct DimExpr : FoldingSetNode {
  DimContext *context = nullptr;
  DimKind kind = DimKind::None;
  Dim self;
  Term own{1, {}};
  StringRef name;
  int64_t least = 0;
  ArrayRef<Dim> operands;
  ArrayRef<Term> terms;
  int64_t constant = 0;

  void Profile(FoldingSetNodeID &id) const {
    profile(id, kind, name, operands, terms, constant);
  }
  static void profile(FoldingSetNodeID &id, DimKind kind, StringRef name,
                      ArrayRef<Dim> operands, ArrayRef<Term> terms,
                      int64_t constant) {
    id.AddInteger(static_cast<unsigned>(kind));
    if (kind == DimKind::Symbol)
      return id.AddString(name);
    for (Dim operand : operands)
      id.AddInteger(operand.opaque());
    if (kind != DimKind::Sum)
      return;
    id.AddInteger(constant);
    for (const Term &term : terms) {
      id.AddInteger(term.coefficient);
      id.AddInteger(term.factors.size());
      for (Dim factor : term.factors)
        id.AddInteger(factor.opaque());
    }
  }
};

struct DimContext::Impl {
  std::mutex mutex;
  BumpPtrAllocator allocator;
  FoldingSet<DimExpr> known;

  template <typename T> ArrayRef<T> keep(ArrayRef<T> list) {
    return list.copy(allocator);
  }
};

DimContext::DimContext() : impl(std::make_unique<Impl>()) {}
DimContext::~DimContext() = default;

Dim Dim::of(const DimExpr *expr) {
  if (reinterpret_cast<uint64_t>(expr) >> 48)
    report_fatal_error("an address has more than 48 bits");
  return fromOpaque(INT64_MIN | reinterpret_cast<int64_t>(expr));
}

DimKind Dim::kind() const {
  return isNumber() ? DimKind::Number : isNone() ? DimKind::None : expr()->kind;
}

StringRef Dim::name() const { return expr()->name; }
int64_t Dim::least() const { return expr()->least; }
ArrayRef<Dim> Dim::operands() const { return expr()->operands; }

ArrayRef<Term> Dim::terms() const {
  if (isNumber() || isNone())
    return {};
  return expr()->kind == DimKind::Sum ? expr()->terms
                                      : ArrayRef<Term>(expr()->own);
}

int64_t Dim::constant() const {
  if (isNumber())
    return bits;
  return isNone() ? 0 : expr()->constant;
}

//===----------------------------------------------------------------------===//
// Order of atoms and terms
//===----------------------------------------------------------------------===//

static int compare(Dim a, Dim b);

static int compare(ArrayRef<Dim> a, ArrayRef<Dim> b) {
  for (auto [x, y] : zip(a, b))
    if (int order = compare(x, y))
      return order;
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

/// Compares by content instead of address, so that texts are the same in every
/// run.
static int compare(Dim a, Dim b) {
  if (a == b)
    return 0;
  DimKind kind = a.kind();
  if (kind != b.kind())
    return kind < b.kind() ? -1 : 1;
  if (kind == DimKind::Number)
    return a.constant() < b.constant() ? -1 : 1;
  if (kind == DimKind::Symbol)
    return a.name() < b.name() ? -1 : 1;
  if (kind != DimKind::Sum)
    return compare(a.operands(), b.operands());
  for (auto [x, y] : zip(a.terms(), b.terms())) {
    if (int order = compare(x.factors, y.factors))
      return order;
    if (x.coefficient != y.coefficient)
      return x.coefficient < y.coefficient ? -1 : 1;
  }
  if (a.terms().size() != b.terms().size())
    return a.terms().size() < b.terms().size() ? -1 : 1;
  return a.constant() < b.constant() ? -1 : 1;
}

//===----------------------------------------------------------------------===//
// Making expressions
//===----------------------------------------------------------------------===//

/// Builds expressions of one context. Intermediate sums are kept here, so that
/// the context stores only final results.
class DimBuilder {
public:
  struct Product {
    int64_t coefficient;
    SmallVector<Dim, 2> factors;
  };

  explicit DimBuilder(DimContext &context) : context(context) {}
  /// Returns the context of the first dim that is an expression; null if all
  /// dims are numbers.
  static DimContext *contextOf(ArrayRef<Dim> dims);

  /// Adds factor * dim to the sum.
  void add(Dim dim, int64_t factor = 1);
  /// Adds the product of the two terms.
  void add(const Term &a, const Term &b);
  Dim sum();
  Dim atom(DimKind kind, ArrayRef<Dim> operands, StringRef name = {},
           int64_t least = 0);

private:
  DimContext &context;
  SmallVector<Product, 4> products; // sorted, without zero coefficients
  int64_t constant = 0;
  bool overflow = false;

  void addProduct(int64_t coefficient, ArrayRef<Dim> factors);
  void addConstant(int64_t number) {
    overflow |= __builtin_add_overflow(constant, number, &constant);
  }
  Dim intern(DimKind kind, StringRef name, int64_t least,
             ArrayRef<Dim> operands, ArrayRef<Term> terms, int64_t number);
};

DimContext *DimBuilder::contextOf(ArrayRef<Dim> dims) {
  for (Dim dim : dims)
    if (!dim.isNumber() && !dim.isNone())
      return dim.expr()->context;
  return nullptr;
}

Dim DimBuilder::intern(DimKind kind, StringRef name, int64_t least,
                       ArrayRef<Dim> operands, ArrayRef<Term> terms,
                       int64_t number) {
  FoldingSetNodeID id;
  DimExpr::profile(id, kind, name, operands, terms, number);
  DimContext::Impl &impl = *context.impl;
  std::scoped_lock lock(impl.mutex);
  void *position;
  if (DimExpr *known = impl.known.FindNodeOrInsertPos(id, position))
    return known->self;
  auto *expr = new (impl.allocator) DimExpr;
  expr->context = &context;
  expr->kind = kind;
  expr->self = Dim::of(expr);
  expr->own.factors = ArrayRef(expr->self);
  expr->name = name.copy(impl.allocator);
  expr->least = least;
  expr->operands = impl.keep(operands);
  SmallVector<Term> kept(terms);
  for (Term &term : kept)
    term.factors = impl.keep(term.factors);
  expr->terms = impl.keep(ArrayRef(kept));
  expr->constant = number;
  impl.known.InsertNode(expr, position);
  return expr->self;
}

Dim DimBuilder::atom(DimKind kind, ArrayRef<Dim> operands, StringRef name,
                     int64_t least) {
  return intern(kind, name, least, operands, {}, 0);
}

Dim DimContext::symbol(StringRef name, int64_t least) {
  return DimBuilder(*this).atom(DimKind::Symbol, {}, name, least);
}

void DimBuilder::addProduct(int64_t coefficient, ArrayRef<Dim> factors) {
  auto *at = lower_bound(products, factors,
                         [](const Product &product, ArrayRef<Dim> factors) {
                           return compare(product.factors, factors) < 0;
                         });
  if (at == products.end() || ArrayRef<Dim>(at->factors) != factors) {
    products.insert(at, {coefficient, SmallVector<Dim, 2>(factors)});
    return;
  }
  overflow |=
      __builtin_add_overflow(at->coefficient, coefficient, &at->coefficient);
  if (at->coefficient == 0)
    products.erase(at);
}

void DimBuilder::add(Dim dim, int64_t factor) {
  overflow |= dim.isNone();
  int64_t scaled;
  overflow |= __builtin_mul_overflow(dim.constant(), factor, &scaled);
  addConstant(scaled);
  for (const Term &term : dim.terms()) {
    overflow |= __builtin_mul_overflow(term.coefficient, factor, &scaled);
    addProduct(scaled, term.factors);
  }
}

void DimBuilder::add(const Term &a, const Term &b) {
  int64_t coefficient;
  overflow |=
      __builtin_mul_overflow(a.coefficient, b.coefficient, &coefficient);
  if (coefficient == 0)
    return;
  SmallVector<Dim, 4> factors(a.factors);
  append_range(factors, b.factors);
  sort(factors, [](Dim x, Dim y) { return compare(x, y) < 0; });
  if (factors.empty())
    return addConstant(coefficient);
  addProduct(coefficient, factors);
}

Dim DimBuilder::sum() {
  if (overflow)
    return Dim::none();
  if (products.empty())
    return constant;
  if (products.size() == 1 && constant == 0 && products[0].coefficient == 1 &&
      products[0].factors.size() == 1)
    return products[0].factors[0];
  SmallVector<Term, 4> terms;
  for (const Product &product : products) {
    if (std::max(magnitude(product.coefficient), magnitude(constant)) >
        maxWeight)
      return Dim::none();
    terms.push_back({product.coefficient, product.factors});
  }
  return intern(DimKind::Sum, {}, 0, {}, terms, constant);
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

Dim detail::add(Dim a, Dim b, int64_t factor) {
  DimContext *context = DimBuilder::contextOf({a, b});
  if (!context) // The operands are numbers, and their result overflows.
    return Dim::none();
  DimBuilder builder(*context);
  builder.add(a);
  builder.add(b, factor);
  return builder.sum();
}

Dim sum(ArrayRef<Dim> dims) {
  DimContext *context = DimBuilder::contextOf(dims);
  Dim total;
  if (!context) {
    for (Dim dim : dims)
      total = total + dim;
    return total;
  }
  DimBuilder builder(*context);
  for (Dim dim : dims)
    builder.add(dim);
  return builder.sum();
}

/// Returns the terms, with the constant as a term without factors.
static SmallVector<Term, 4> allTerms(Dim dim) {
  SmallVector<Term, 4> terms(dim.terms());
  if (dim.constant() != 0)
    terms.push_back({dim.constant(), {}});
  return terms;
}

Dim detail::multiply(Dim a, Dim b) {
  DimContext *context = DimBuilder::contextOf({a, b});
  if (!context || a.isNone() || b.isNone())
    return Dim::none();
  DimBuilder builder(*context);
  SmallVector<Term, 4> x = allTerms(a), y = allTerms(b);
  if (x.size() > 1 && y.size() > 1 && x.size() * y.size() > maxTerms) {
    x = {Term{1, ArrayRef(a)}};
    y = {Term{1, ArrayRef(b)}};
  }
  for (const Term &s : x)
    for (const Term &t : y)
      builder.add(s, t);
  return builder.sum();
}

Dim product(ArrayRef<Dim> dims) {
  Dim result = 1;
  for (Dim dim : dims)
    result = result * dim;
  return result;
}

//===----------------------------------------------------------------------===//
// Quotients and remainders
//===----------------------------------------------------------------------===//

/// Returns the term without the divisor's factors, or nullopt if the term does
/// not contain all of them.
static std::optional<DimBuilder::Product> divide(const Term &term,
                                                 const Term &divisor) {
  if (term.coefficient % divisor.coefficient != 0)
    return std::nullopt;
  DimBuilder::Product rest{term.coefficient / divisor.coefficient,
                           SmallVector<Dim, 2>(term.factors)};
  for (Dim factor : divisor.factors) {
    Dim *at = find(rest.factors, factor);
    if (at == rest.factors.end())
      return std::nullopt;
    rest.factors.erase(at);
  }
  return rest;
}

/// Returns a / b if b divides each term of a, else nullopt.
static std::optional<Dim> divideExactly(Dim a, Dim b) {
  SmallVector<Term, 4> divisor = allTerms(b);
  if (a == b)
    return 1;
  // Negative coefficients are excluded, because dividing by -1 could overflow.
  if (divisor.size() != 1 || divisor[0].coefficient <= 0)
    return std::nullopt;
  DimBuilder builder(*DimBuilder::contextOf({a, b}));
  for (const Term &term : allTerms(a)) {
    std::optional<DimBuilder::Product> rest = divide(term, divisor[0]);
    if (!rest)
      return std::nullopt;
    builder.add(Term{rest->coefficient, rest->factors}, Term{1, {}});
  }
  return builder.sum();
}

/// Divides a and b by the greatest common divisor of b and the numbers in a.
static std::pair<Dim, Dim> reduce(Dim a, Dim b) {
  if (!b.isNumber())
    return {a, b};
  int64_t common = std::gcd(b.constant(), a.constant());
  for (const Term &term : a.terms())
    common = std::gcd(common, term.coefficient);
  if (common == 1)
    return {a, b};
  return {*divideExactly(a, common), b.constant() / common};
}

/// Returns the value of a quotient or remainder if it can be simplified.
static std::optional<Dim> foldQuotient(DimOp op, Dim a, Dim b) {
  if (a.isNone() || b.isNone() || (b.isNumber() && b.constant() <= 0))
    return Dim::none();
  if (a.isNumber() && b.isNumber()) {
    std::optional<int64_t> value = evaluate(op, a.constant(), b.constant());
    return value ? Dim(*value) : Dim::none();
  }
  std::optional<Dim> exact = divideExactly(a, b);
  return exact && op == DimOp::Mod ? Dim(0) : exact;
}

Dim floorDiv(Dim a, Dim b) {
  if (std::optional<Dim> known = foldQuotient(DimOp::FloorDiv, a, b))
    return *known;
  auto [x, y] = reduce(a, b);
  return DimBuilder(*DimBuilder::contextOf({a, b}))
      .atom(DimKind::FloorDiv, {x, y});
}

Dim ceilDiv(Dim a, Dim b) {
  if (std::optional<Dim> known = foldQuotient(DimOp::CeilDiv, a, b))
    return *known;
  auto [x, y] = reduce(a, b);
  return DimBuilder(*DimBuilder::contextOf({a, b}))
      .atom(DimKind::CeilDiv, {x, y});
}

Dim mod(Dim a, Dim b) {
  if (std::optional<Dim> known = foldQuotient(DimOp::Mod, a, b))
    return *known;
  return DimBuilder(*DimBuilder::contextOf({a, b})).atom(DimKind::Mod, {a, b});
}

//===----------------------------------------------------------------------===//
// Minimum and maximum
//===----------------------------------------------------------------------===//

/// Returns the minimum or maximum. Flattens nested ones, and drops operands
/// that another operand makes redundant.
static Dim extreme(DimKind kind, Dim a, Dim b) {
  if (a.isNone() || b.isNone())
    return Dim::none();
  SmallVector<Dim, 4> all, kept;
  for (Dim dim : {a, b})
    if (dim.kind() == kind)
      append_range(all, dim.operands());
    else
      all.push_back(dim);
  // True if operand i makes operand j redundant. If several operands are equal,
  // the first one is kept.
  auto decides = [&](size_t i, size_t j) {
    Dim x = all[i], y = all[j];
    if (x == y)
      return i < j;
    // If one order is known to hold or not to hold, the other follows.
    std::optional<bool> less = isLess(x, y), more = isLess(y, x);
    bool atMost = less == true || more == false;
    bool atLeast = more == true || less == false;
    bool wins = kind == DimKind::Min ? atMost : atLeast;
    return wins && !(atMost && atLeast && j < i);
  };
  for (size_t j = 0; j < all.size(); ++j)
    if (none_of(seq<size_t>(0, all.size()),
                [&](size_t i) { return i != j && decides(i, j); }))
      kept.push_back(all[j]);
  if (kept.size() == 1)
    return kept[0];
  sort(kept, [](Dim x, Dim y) { return compare(x, y) < 0; });
  return DimBuilder(*DimBuilder::contextOf(kept)).atom(kind, kept);
}

Dim min(Dim a, Dim b) {
  if (a.isNumber() && b.isNumber())
    return std::min(a.constant(), b.constant());
  return extreme(DimKind::Min, a, b);
}

Dim max(Dim a, Dim b) {
  if (a.isNumber() && b.isNumber())
    return std::max(a.constant(), b.constant());
  return extreme(DimKind::Max, a, b);
}

} // namespace tensorc::shape
