//===- MissingValues.cpp - Recording reductions that ignore NaN -----------===//

#include "compiler/graph/statistics/MissingValues.h"
#include "compiler/graph/ops/Term.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

namespace tensorc::graph {

static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
static constexpr double infinity = std::numeric_limits<double>::infinity();

/// A complex number counts as missing if one of its parts is NaN.
static Term isMissing(const Term &x) {
  if (!x || !isComplex(x->dtype()))
    return x.map(OpKind::IsNan);
  return Term(*x.r, real(*x.r, x)).map(OpKind::IsNan) |
         Term(*x.r, imag(*x.r, x)).map(OpKind::IsNan);
}

static Term reduced(OpKind op, const Term &x, Ints axes, bool keepDims) {
  return {*x.r, reduce(*x.r, op, x, axes, keepDims)};
}

/// As in mean and var, f16 and bf16 are computed in f32, and integers become
/// floats.
static Term wideTerm(Recorder &r, const NodeRef &x) {
  if (!x)
    return {r, r.fail(r.called, "the operand is an undefined tensor")};
  if (!isComplex(x->dtype()) && !needFloat(r, r.called, x))
    return {r, {}};
  return {r, astype(r, x, wideOf(x->dtype()))};
}

/// Returns the number of elements that are not NaN, as floats of x's dtype.
static Term presentCount(const Term &x, const Term &missing, Ints axes) {
  Term present = missing.map(OpKind::Not);
  return reduced(OpKind::Sum, present, axes, /*keepDims=*/true)
      .as(planeOf(x->dtype()));
}

NodeRef reducePresent(Recorder &r, OpKind op, const NodeRef &x, Ints axes,
                      bool keepDims) {
  Term given(r, x);
  if (!x || !(isFloat(x->dtype()) || isComplex(x->dtype())))
    return reduce(r, op, x, axes, keepDims);
  Term missing = isMissing(given);
  if (op == OpKind::Sum || op == OpKind::Prod)
    return reduced(op, select(missing, op == OpKind::Sum ? 0 : 1, given), axes,
                   keepDims);
  double neutral = op == OpKind::ReduceMax ? -infinity : infinity;
  Term most = reduced(op, select(missing, neutral, given), axes, keepDims);
  return select(reduced(OpKind::All, missing, axes, keepDims), nan, most);
}

NodeRef positionPresent(Recorder &r, OpKind op, const NodeRef &x, Ints axes,
                        bool keepDims) {
  if (!x || !isFloat(x->dtype()))
    return reduce(r, op, x, axes, keepDims);
  OpKind extremum =
      op == OpKind::Argmax ? OpKind::ReduceMax : OpKind::ReduceMin;
  Term most(r, reducePresent(r, extremum, x, axes, /*keepDims=*/true));
  Term isMost = equals(Term(r, x), most).as(DType::UI8);
  return reduced(OpKind::Argmax, isMost, axes, keepDims);
}

NodeRef meanPresent(Recorder &r, const NodeRef &x, Ints axes, bool keepDims) {
  Term wide = wideTerm(r, x);
  if (!wide)
    return {};
  Term missing = isMissing(wide);
  Term sum = reduced(OpKind::Sum, select(missing, 0, wide), axes, true);
  Term mean = (sum / presentCount(wide, missing, axes)).as(x->dtype());
  return keepDims || !mean ? mean : squeeze(r, mean, axes);
}

NodeRef varPresent(Recorder &r, const NodeRef &x, Ints axes, double correction,
                   bool keepDims) {
  Term wide = wideTerm(r, x);
  if (!wide)
    return {};
  Term missing = isMissing(wide), count = presentCount(wide, missing, axes);
  Term sum = reduced(OpKind::Sum, select(missing, 0, wide), axes, true);
  Term centred = select(missing, 0, wide - sum / count);
  Term squares = centred && isComplex(centred->dtype())
                     ? Term(r, real(r, centred * Term(r, conj(r, centred))))
                     : centred * centred;
  Term freedom = count - correction;
  Term var = reduced(OpKind::Sum, squares, axes, true) / freedom;
  var = select(freedom > 0, var, nan).as(planeOf(x->dtype()));
  return keepDims || !var ? var : squeeze(r, var, axes);
}

NodeRef stdPresent(Recorder &r, const NodeRef &x, Ints axes, double correction,
                   bool keepDims) {
  return sqrt(Term(r, varPresent(r, x, axes, correction, keepDims)));
}

NodeRef extremumPresent(Recorder &r, OpKind op, const NodeRef &x,
                        const Operand &y) {
  Term given(r, x), both = given.map(op, {x, y});
  if (!both || !isFloat(both->dtype()))
    return both;
  both =
      both.map(OpKind::Select, {given.map(OpKind::IsNan).node, y, both.node});
  return both.map(OpKind::Select,
                  {given.map(OpKind::IsNan, {y}).node, x, both.node});
}

NodeRef scanPresent(Recorder &r, OpKind op, const NodeRef &x, int64_t axis) {
  if (!x || !(isFloat(x->dtype()) || isComplex(x->dtype())))
    return scan(r, op, x, axis, /*reverse=*/false, /*exclusive=*/false);
  Term given(r, x);
  int64_t neutral = op == OpKind::Cumprod;
  return scan(r, op, select(isMissing(given), neutral, given), axis, false,
              false);
}

static double largestOf(DType dtype) {
  switch (byteWidth(dtype)) {
  case 2:
    return dtype == DType::F16 ? 65504.0 : 0x1.FEp127;
  case 4:
    return FLT_MAX;
  default:
    return DBL_MAX;
  }
}

NodeRef nanToNum(Recorder &r, const NodeRef &x, double ofNan, double above,
                 double below) {
  if (!x)
    return r.fail(r.called, "the operand is an undefined tensor");
  if (isComplex(x->dtype()))
    return complex(r, nanToNum(r, real(r, x), ofNan, above, below),
                   nanToNum(r, imag(r, x), ofNan, above, below));
  if (!isFloat(x->dtype()))
    return x;
  auto held = [&](double value) {
    double most = largestOf(x->dtype());
    return std::isfinite(value) ? std::clamp(value, -most, most) : value;
  };
  Term y(r, x);
  Term changed = select(equals(y, infinity), held(above), y);
  changed = select(equals(y, -infinity), held(below), changed);
  return select(y.map(OpKind::IsNan), held(ofNan), changed);
}

} // namespace tensorc::graph
