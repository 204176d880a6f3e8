//===- Distributions.cpp - Recording random distributions -----------------===//

#include "compiler/graph/random/Distributions.h"

#include "compiler/graph/random/Source.h"

#include <limits>

namespace tensorc::graph {

//===----------------------------------------------------------------------===//
// Quantiles of uniform numbers
//===----------------------------------------------------------------------===//

NodeRef exponential(Recorder &r, const NodeRef &key, Ints shape, DType dtype) {
  return Floats(r, "exponential", key, shape, dtype)
      .of([](const Source &s, Ints shape) { return s.exponential(shape); });
}

NodeRef gumbel(Recorder &r, const NodeRef &key, Ints shape, DType dtype) {
  return Floats(r, "gumbel", key, shape, dtype)
      .of([](const Source &s, Ints shape) { return s.gumbel(shape); });
}

NodeRef laplace(Recorder &r, const NodeRef &key, Ints shape, DType dtype) {
  return Floats(r, "laplace", key, shape, dtype)
      .of([](const Source &s, Ints shape) {
        auto [p, isUpper] = s.half(shape);
        Term x = log(p + p);
        return select(isUpper, -x, x);
      });
}

NodeRef logistic(Recorder &r, const NodeRef &key, Ints shape, DType dtype) {
  return Floats(r, "logistic", key, shape, dtype)
      .of([](const Source &s, Ints shape) {
        auto [p, isUpper] = s.half(shape);
        Term x = log(p) - log(1 - p);
        return select(isUpper, -x, x);
      });
}

NodeRef cauchy(Recorder &r, const NodeRef &key, Ints shape, DType dtype) {
  return Floats(r, "cauchy", key, shape, dtype)
      .of([](const Source &s, Ints shape) {
        Term above = s.child(0).normal(shape), below = s.child(1).normal(shape);
        return above / select(equals(below, 0), below + 0x1p-24, below);
      });
}

NodeRef rayleigh(Recorder &r, const NodeRef &key, const Operand &scale,
                 Ints shape, DType dtype) {
  return Floats(r, "rayleigh", key, shape, dtype)
      .of(scale, [](const Source &s, llvm::ArrayRef<Term> p) {
        Term x = p[0] * sqrt(s.exponential(p[0]->shape()) * 2);
        return select(p[0] >= 0, x, notANumber);
      });
}

NodeRef weibull(Recorder &r, const NodeRef &key, const Operand &scale,
                const Operand &concentration, Ints shape, DType dtype) {
  return Floats(r, "weibull", key, shape, dtype)
      .of({scale, concentration}, [](const Source &s, llvm::ArrayRef<Term> p) {
        Term e = s.exponential(p[0]->shape());
        Term x = p[0] * exp(log(e) / p[1]);
        return select((p[0] >= 0) & (p[1] > 0), x, notANumber);
      });
}

NodeRef pareto(Recorder &r, const NodeRef &key, const Operand &b, Ints shape,
               DType dtype) {
  return Floats(r, "pareto", key, shape, dtype)
      .of(b, [](const Source &s, llvm::ArrayRef<Term> p) {
        Term x = exp(s.exponential(p[0]->shape()) / p[0]);
        return select(p[0] > 0, x, notANumber);
      });
}

NodeRef lognormal(Recorder &r, const NodeRef &key, const Operand &sigma,
                  Ints shape, DType dtype) {
  return Floats(r, "lognormal", key, shape, dtype)
      .of(sigma, [](const Source &s, llvm::ArrayRef<Term> p) {
        Term x = exp(p[0] * s.normal(p[0]->shape()));
        return select(p[0] >= 0, x, notANumber);
      });
}

//===----------------------------------------------------------------------===//
// The truncated normal distribution
//===----------------------------------------------------------------------===//

constexpr double farOut = 5.0;

/// Returns the Mills ratio of the normal distribution (the tail above x divided
/// by the density at x) for x of at least farOut, by Laplace's continued
/// fraction.
static Term mills(const Term &x) {
  Term below = x;
  for (int k = 20; k > 0; --k)
    below = x + double(k) / below;
  return 1 / below;
}

/// Returns the u-quantile of the normal distribution truncated to [low, high],
/// where low is at least farOut. Works with the logarithm of the tail Q: if log
/// Q(x) = log Q(low) - t and x = low + d, then d (low + d / 2) - log(mills(x) /
/// mills(low)) = t, whose derivative with respect to d is 1 / mills(x).
static Term normalTail(const Term &u, const Term &from, const Term &to) {
  Term first = max(from, farOut);
  // For larger bounds, d would be lost by rounding.
  Term low = min(first, 1e18), high = max(to, low);
  Term atLow = mills(low);
  Term width = (high - low) * (low + (high - low) * 0.5) -
               (max(mills(high), 1e-37) / atLow).map(OpKind::Log);
  Term t = -(u * (-width).map(OpKind::Expm1)).map(OpKind::Log1p);
  Term d = t * 2 / (low + sqrt(low * low + t * 2));
  for (int i = 0; i < 3; ++i) {
    Term here = mills(low + d);
    d = d - (d * (low + d * 0.5) - (here / atLow).map(OpKind::Log) - t) * here;
  }
  return min(first + max(d, 0.0), to);
}

NodeRef truncatedNormal(Recorder &r, const NodeRef &key, const Operand &lower,
                        const Operand &upper, Ints shape, DType dtype) {
  return Floats(r, "truncated_normal", key, shape, dtype)
      .of({lower, upper}, [](const Source &s, llvm::ArrayRef<Term> p) {
        const Term &low = p[0], &high = p[1];
        // Mirrors intervals above 0, where the distribution function is too
        // close to 1 to be accurate.
        Term isMirrored = low > 0;
        Term first = select(isMirrored, -high, low);
        Term last = select(isMirrored, -low, high);
        Term start = first.map(OpKind::Ndtr), end = last.map(OpKind::Ndtr);
        Term u = s.unit(low->shape());
        Term x = (start + u * (end - start)).map(OpKind::Ndtri);
        x = min(max(x, first), last);
        // Far out in the tail the distribution function underflows, so the
        // tail's own quantile is used.
        Term far = normalTail(u, -last, -first);
        x = select(last < -farOut, -far, x);
        return select(low <= high, select(isMirrored, -x, x), notANumber);
      });
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

static NodeRef
counts(Recorder &r, const char *op, const NodeRef &key, Ints dims, DType dtype,
       llvm::ArrayRef<Operand> given,
       llvm::function_ref<Term(const Source &, llvm::ArrayRef<Term>)> draw) {
  if (!checkDraw(r, op, key, dtype, integerMask, "an integer"))
    return {};
  auto parameters = parametersOf(r, op, DType::F64, dims, given);
  if (parameters.empty())
    return {};
  return draw(Source(r, op, key, DType::F64), parameters).as(dtype).node;
}

NodeRef poisson(Recorder &r, const NodeRef &key, const Operand &rate,
                Ints shape, DType dtype) {
  return counts(
      r, "poisson", key, shape, dtype, rate,
      [](const Source &s, llvm::ArrayRef<Term> p) { return s.poisson(p[0]); });
}

NodeRef binomial(Recorder &r, const NodeRef &key, const Operand &n,
                 const Operand &p, Ints shape, DType dtype) {
  return counts(r, "binomial", key, shape, dtype, {n, p},
                [](const Source &s, llvm::ArrayRef<Term> p) {
                  return s.binomial(p[0], p[1]);
                });
}

NodeRef geometric(Recorder &r, const NodeRef &key, const Operand &p, Ints shape,
                  DType dtype) {
  return counts(r, "geometric", key, shape, dtype, p,
                [](const Source &s, llvm::ArrayRef<Term> parameters) {
                  const Term &p = parameters[0];
                  Term e = s.exponential(p->shape());
                  // Computes -log(1 - p), corrected for the rounding error of 1
                  // - p.
                  Term rest = 1 - p;
                  Term rate = ((rest - 1) + p) / rest - log(max(rest, 1e-300));
                  Term count =
                      select(equals(p, 1), p, max(ceil(e / rate), 1.0));
                  return select((p > 0) & (p <= 1), count, -1.0);
                });
}

NodeRef rademacher(Recorder &r, const NodeRef &key, Ints shape, DType dtype) {
  const char *op = "rademacher";
  if (!checkDraw(r, op, key, dtype, numberMask, "a number"))
    return {};
  Term bits(r, randomBits(r, key, DType::UI32, shape,
                          RandomAlgorithm::Philox4x32_10));
  return select(bits.bitsAs(DType::I32) < 0, 1, -1).as(dtype).node;
}

} // namespace tensorc::graph
