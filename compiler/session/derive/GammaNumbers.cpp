//===- GammaNumbers.cpp - Gamma and related random numbers ----------------===//

#include "compiler/session/derive/GammaNumbers.h"

#include "compiler/graph/random/Source.h"
#include "compiler/session/derive/ControlFlow.h"
#include "compiler/session/derive/Pullback.h"

namespace tensorc::derive {

using namespace graph;

/// Returns the derivative of gammainc(a, x) with respect to a.
static Term slopeOfGammainc(const Term &a, const Term &x) {
  Recorder &r = *a.r;
  NodeRef of = placeholder(r, DType::F64, a->shape());
  NodeRef at = placeholder(r, DType::F64, x->shape());
  NodeRef p = elementwise(r, OpKind::Gammainc, {of, at});
  NodeRef one = full(r, DType::F64, a->shape(), Scalar::of(1.0));
  if (!p || !one)
    return {r, {}};
  auto made = pullBack(r, {{of, at}, {a.node, x.node}, {true, false}, p, one});
  return {r, r.error.empty() ? made.gradients[0] : NodeRef()};
}

/// Returns the derivative of y, the logarithm of a gamma number, with respect
/// to alpha. With P = gammainc(alpha, e^y): -(dP / dalpha) / (dP / dy).
static Term slopeOf(const Term &alpha, const Term &log) {
  Term a = alpha.as(DType::F64), y = log.as(DType::F64);
  if (!a || !y)
    return a;
  Term x = y.map(OpKind::Exp);
  Term density = (a * y - x - a.map(OpKind::Lgamma)).map(OpKind::Exp);
  Term slope = -slopeOfGammainc(a, x) / density;
  // For tiny x, P is x^alpha / gamma(alpha + 1).
  Term near = ((a + 1).map(OpKind::Digamma) - y) / a;
  return select(y < -36, near, slope).as(alpha->dtype());
}

/// Returns Source::logGamma with the derivative of slopeOf.
static Term logGammaOf(const Source &s, const Term &alpha) {
  Recorder &r = s.r;
  if (!alpha)
    return alpha;
  DType real = alpha->dtype();
  NodeRef key = placeholder(r, DType::UI32, 2);
  Term given(r, placeholder(r, real, alpha->shape()));
  Term drawn = Source(r, s.op, key, real).logGamma(given);
  Term kept(r, placeholder(r, real, alpha->shape()));
  Term y(r, placeholder(r, real, alpha->shape()));
  Term g(r, placeholder(r, real, alpha->shape()));
  if (!drawn || !g)
    return {r, {}};
  Term gradient = g * slopeOf(kept, y);
  NodeRef ofKey = full(r, DType::UI32, 2, Scalar::of(int64_t(0)));
  if (!gradient || !ofKey)
    return {r, {}};
  auto made =
      customVjp(r, {s.key, alpha.node}, 1,
                {{key, given.node}, {drawn.node, given.node, drawn.node}},
                {{kept.node, y.node, g.node}, {ofKey, gradient.node}});
  return {r, made.empty() ? NodeRef() : made[0]};
}

static Term gammaOf(const Source &s, const Term &a) {
  return exp(logGammaOf(s, a));
}

NodeRef gamma(Recorder &r, const NodeRef &key, const Operand &a, Ints shape,
              DType dtype) {
  return Floats(r, "gamma", key, shape, dtype)
      .of(a, [](const Source &s, llvm::ArrayRef<Term> p) {
        return gammaOf(s, p[0]);
      });
}

NodeRef logGamma(Recorder &r, const NodeRef &key, const Operand &a, Ints shape,
                 DType dtype) {
  return Floats(r, "loggamma", key, shape, dtype)
      .of(a, [](const Source &s, llvm::ArrayRef<Term> p) {
        return logGammaOf(s, p[0]);
      });
}

NodeRef chiSquare(Recorder &r, const NodeRef &key, const Operand &df,
                  Ints shape, DType dtype) {
  return Floats(r, "chisquare", key, shape, dtype)
      .of(df, [](const Source &s, llvm::ArrayRef<Term> p) {
        return gammaOf(s, p[0] * 0.5) * 2;
      });
}

NodeRef studentT(Recorder &r, const NodeRef &key, const Operand &df, Ints shape,
                 DType dtype) {
  return Floats(r, "t", key, shape, dtype)
      .of(df, [](const Source &s, llvm::ArrayRef<Term> p) {
        Term half = p[0] * 0.5;
        Term x = s.child(0).normal(half ? half->shape() : Ints());
        return x * sqrt(half / gammaOf(s.child(1), half));
      });
}

NodeRef fisherF(Recorder &r, const NodeRef &key, const Operand &above,
                const Operand &below, Ints shape, DType dtype) {
  return Floats(r, "f", key, shape, dtype)
      .of({above, below}, [](const Source &s, llvm::ArrayRef<Term> p) {
        Term over = gammaOf(s.child(0), p[0] * 0.5) / p[0];
        Term under = gammaOf(s.child(1), p[1] * 0.5) / p[1];
        return over / under;
      });
}

NodeRef beta(Recorder &r, const NodeRef &key, const Operand &a,
             const Operand &b, Ints shape, DType dtype) {
  return Floats(r, "beta", key, shape, dtype)
      .of({a, b}, [](const Source &s, llvm::ArrayRef<Term> p) {
        Term x = logGammaOf(s.child(0), p[0]), y = logGammaOf(s.child(1), p[1]);
        return 1 / (exp(y - x) + 1);
      });
}

NodeRef dirichlet(Recorder &r, const NodeRef &key, const NodeRef &alpha,
                  Ints shape, DType dtype) {
  const char *op = "dirichlet";
  if (!alpha)
    return r.fail(op, "alpha is an undefined tensor");
  if (alpha->rank() == 0)
    return r.fail(op, "alpha is a number, not a vector");
  Shape whole(shape);
  if (!shape.empty())
    whole.push_back(alpha->shape().back());
  return Floats(r, op, key, whole, dtype)
      .of(Operand(alpha), [&](const Source &s, llvm::ArrayRef<Term> p) {
        Term x = logGammaOf(s, p[0]);
        Term largest(r, reduce(r, OpKind::ReduceMax, x, int64_t(-1), true));
        Term e = exp(x - largest);
        return e / Term(r, reduce(r, OpKind::Sum, e, int64_t(-1), true));
      });
}

} // namespace tensorc::derive
