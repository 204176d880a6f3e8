//===- ExpandTanhErf.cpp - tanh and erf -----------------------------------===//
//
// Both functions are odd: they are computed for |x| and get the sign of x. Near
// zero they are odd polynomials, and elsewhere one minus a small term: tanh(x)
// = 1 - 2 / (exp(2x) + 1), and erf(x) = 1 - exp(-Q(x)) with Q = -log(erfc(x))
// (the form of N. Juffa's erff). In f32, a short Q is accurate enough for all
// x, so that -expm1(-Q) needs no polynomial near zero. The coefficients are
// from fit/fit_polynomials.py.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/MathExpansions.h"

using namespace mlir;

namespace tensorc::codegen {

Value expandTanh(FloatBuilder &e, Value x) {
  // For |x| above the bound, the result rounds to 1.
  Value a = e.atMost(e.abs(x), e.isDouble() ? 20.0 : 10.0);
  Value exp = expandBoundedExp(e, e.add(a, a));
  Value large = e.sub(e.f(1.0), e.div(e.f(2.0), e.add(exp, e.f(1.0))));
  Value z = e.mul(a, a);
  Value p = e.isDouble()
                ? e.poly(z, {-0.3333333333333333, 0.13333333333332964,
                             -0.05396825396799613, 0.021869488527083057,
                             -0.008863235341451753, 0.00359212551791853,
                             -0.001455811606295408, 0.0005898838877033798,
                             -0.00023849031505375208, 9.490827788422371e-05,
                             -3.4890477347019496e-05, 9.463349315791147e-06,
                             -4.306092573036548e-07, -6.481130102650006e-07})
                : e.poly(z, {-0.3333333134651184, 0.13333219289779663,
                             -0.05394785478711128, 0.02170453406870365,
                             -0.008182982914149761, 0.002145318314433098});
  Value small = e.mulAdd(e.mul(a, z), p, a);
  return e.copysign(e.select(e.lt(a, e.f(0.625)), small, large), x);
}

static Value erfSingle(FloatBuilder &e, Value x) {
  // For |x| above the bound, the result rounds to 1.
  Value a = e.atMost(e.abs(x), 4.0);
  // p = -Q(a) / a - 1. This sign saves a negation.
  Value p = e.polyByHalves(
      a, {-0.12837916612625122, -0.6366198658943176, -0.10277109593153,
          0.01911793276667595, 0.0002501229755580425, -0.0017927681328728795,
          0.0007338746800087392, -0.00016382429748773575,
          2.0369992853375152e-05, -1.0884810990319238e-06});
  Value minusQ = e.mulAdd(a, p, e.neg(a));
  return e.copysign(expandBoundedExpM1(e, minusQ), x);
}

static Value erfDouble(FloatBuilder &e, Value x) {
  // For |x| above the bound, the result rounds to 1.
  Value a = e.atMost(e.abs(x), 6.0);
  // The argument is centered, because terms with high powers of numbers up to 6
  // would cancel.
  Value t = e.mul(e.sub(a, e.f(3.46)), e.f(1.0 / 2.54));
  Value q =
      e.mul(a, e.poly(t, {3.9951849383835856,      2.3444344723666126,
                          0.0803873002723718,      -0.033589786715639884,
                          0.013786566163318683,    -0.005437092204132738,
                          0.0020121338811276666,   -0.0006724767097667126,
                          0.00018554718763981261,  -2.8709334935446608e-05,
                          -1.1013685839563433e-05, 1.4168000011103627e-05,
                          -8.672757279378342e-06,  7.171458941959713e-06,
                          -1.1262300300423317e-06, -2.726849738633614e-06,
                          -9.250893373496414e-06,  -7.591444302370953e-06,
                          1.5257559355171278e-06,  1.0344413247866424e-05,
                          1.153337993876552e-05,   6.730143833921337e-06,
                          2.1694887872672175e-06,  3.0170828836089295e-07}));
  Value large = e.sub(e.f(1.0), expandBoundedExp(e, e.neg(q)));
  Value z = e.mul(a, a);
  Value p = e.poly(
      z, {0.1283791670955126, -0.3761263890318417, 0.11283791670978285,
          -0.02686617065015736, 0.005223977681775404, -0.0008548330747695618,
          0.00012055489018614044, -1.4929952357228637e-05,
          1.654119606180761e-06, -1.7325216050153275e-07, 2.217537666050017e-08,
          -4.4655910895288e-09, 7.04431241105085e-10});
  Value small = e.mulAdd(a, p, a);
  return e.copysign(e.select(e.lt(a, e.f(0.92)), small, large), x);
}

Value expandErf(FloatBuilder &e, Value x) {
  return e.isDouble() ? erfDouble(e, x) : erfSingle(e, x);
}

} // namespace tensorc::codegen
