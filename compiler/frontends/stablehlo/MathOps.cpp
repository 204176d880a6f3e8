//===- MathOps.cpp - Functions of CHLO without an op in tx ----------------===//

#include "compiler/frontends/stablehlo/Words.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// Checks that the operand has floats that support arithmetic.
static bool checkFloat(Call &call) {
  DType dtype = dtypeOf(call.x[0]);
  if (tx::isFloat(dtype) && !tx::isStorage(dtype))
    return true;
  call.refuse() << "is not available for " << tx::dtypeName(dtype);
  return false;
}

/// Evaluates a polynomial; the coefficient of the highest power comes first.
static Value polynomial(TensorBuilder &b, Value x,
                        ArrayRef<double> coefficients) {
  Value result = b.full(coefficients.front(), dtypeOf(x), dimsOf(x));
  for (double coefficient : coefficients.drop_front())
    result = b.add(b.mul(result, x), coefficient);
  return result;
}

/// Computes erfinv by polynomials in w = -log(1 - x^2) (M. Giles, Approximating
/// the erfinv function). XLA does the same, so jax.random.normal returns the
/// same numbers as with XLA. tx.erfinv would be more accurate.
static Value inverseErfOfSingle(TensorBuilder &b, Value x) {
  Value w = b.neg(b.log1p(b.neg(b.mul(x, x))));
  Value near = polynomial(b, b.sub(w, 2.5),
                          {2.81022636e-08, 3.43273939e-07, -3.5233877e-06,
                           -4.39150654e-06, 0.00021858087, -0.00125372503,
                           -0.00417768164, 0.246640727, 1.50140941});
  Value far = polynomial(b, b.sub(b.sqrt(w), 3.0),
                         {-0.000200214257, 0.000100950558, 0.00134934322,
                          -0.00367342844, 0.00573950773, -0.0076224613,
                          0.00943887047, 1.00167406, 2.83297682});
  Value result = b.mul(b.select(b.less(w, 5.0), near, far), x);
  return b.select(b.equal(b.abs(x), 1.0),
                  b.mul(x, std::numeric_limits<double>::infinity()), result);
}

static Value inverseErfOfDouble(TensorBuilder &b, Value x) {
  Value w = b.neg(b.log1p(b.neg(b.mul(x, x))));
  Value near =
      polynomial(b, b.sub(w, 3.125),
                 {-3.6444120640178196996e-21, -1.685059138182016589e-19,
                  1.2858480715256400167e-18,  1.115787767802518096e-17,
                  -1.333171662854620906e-16,  2.0972767875968561637e-17,
                  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
                  -8.1519341976054721522e-14, 2.6335093153082322977e-12,
                  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
                  1.051212273321532285e-09,   -4.1126339803469836976e-09,
                  -2.9070369957882005086e-08, 4.2347877827932403518e-07,
                  -1.3654692000834678645e-06, -1.3882523362786468719e-05,
                  0.0001867342080340571352,   -0.00074070253416626697512,
                  -0.0060336708714301490533,  0.24015818242558961693,
                  1.6536545626831027356});
  Value root = b.sqrt(w);
  Value middle = polynomial(
      b, b.sub(root, 3.25),
      {2.2137376921775787049e-09, 9.0756561938885390979e-08,
       -2.7517406297064545428e-07, 1.8239629214389227755e-08,
       1.5027403968909827627e-06, -4.013867526981545969e-06,
       2.9234449089955446044e-06, 1.2475304481671778723e-05,
       -4.7318229009055733981e-05, 6.8284851459573175448e-05,
       2.4031110387097893999e-05, -0.0003550375203628474796,
       0.00095328937973738049703, -0.0016882755560235047313,
       0.0024914420961078508066, -0.0037512085075692412107,
       0.005370914553590063617, 1.0052589676941592334, 3.0838856104922207635});
  Value far =
      polynomial(b, b.sub(root, 5.0),
                 {-2.7109920616438573243e-11, -2.5556418169965252055e-10,
                  1.5076572693500548083e-09, -3.7894654401267369937e-09,
                  7.6157012080783393804e-09, -1.4960026627149240478e-08,
                  2.9147953450901080826e-08, -6.7711997758452339498e-08,
                  2.2900482228026654717e-07, -9.9298272942317002539e-07,
                  4.5260625972231537039e-06, -1.9681778105531670567e-05,
                  7.5995277030017761139e-05, -0.00021503011930044477347,
                  -0.00013871931833623122026, 1.0103004648645343977,
                  4.8499064014085844221});
  Value outer = b.select(b.less(w, 16.0), middle, far);
  Value result = b.mul(b.select(b.less(w, 6.25), near, outer), x);
  return b.select(b.equal(b.abs(x), 1.0),
                  b.mul(x, std::numeric_limits<double>::infinity()), result);
}

static Results inverseErf(Call &call) {
  if (!checkFloat(call))
    return failure();
  TensorBuilder &b = call.b;
  Value x = call.x[0];
  if (dtypeOf(x) == DType::F64)
    return Values{inverseErfOfDouble(b, x)};
  return Values{b.convertLike(inverseErfOfSingle(b, b.widen(x)), x)};
}

static Results square(Call &call) {
  return Values{call.b.mul(call.x[0], call.x[0])};
}

/// Returns the upper half of the product of two integers.
static Results upperProduct(Call &call) {
  TensorBuilder &b = call.b;
  DType dtype = dtypeOf(call.x[0]);
  int64_t width = tx::bitWidth(dtype);
  if (tx::isFloat(dtype) || width > 32 || width < 8 ||
      dtypeOf(call.x[1]) != dtype)
    return call.refuse() << "is not available for " << tx::dtypeName(dtype);
  DType wide = tx::isUnsigned(dtype) ? DType::UI64 : DType::I64;
  Value product = b.mul(b.convert(call.x[0], wide), b.convert(call.x[1], wide));
  return Values{b.convert(b.map<tx::ShrArithOp>({product, width}), dtype)};
}

/// Converts an op for which tx has an op with the same operands.
template <typename Op> static Results function(Call &call) {
  if (!checkFloat(call))
    return failure();
  Type type = call.x[0].getType();
  if (llvm::any_of(call.x, [&](Value x) { return x.getType() != type; }))
    return call.refuse() << "has operands of several types";
  SmallVector<builder::Operand> operands(call.x.begin(), call.x.end());
  return Values{call.b.map<Op>(operands)};
}

void addMathOps(Table &table) {
  table["chlo.bessel_i1e"] = Row{function<tx::BesselI1eOp>, 1, 1, 0, true};
  table["chlo.digamma"] = Row{function<tx::DigammaOp>, 1, 1, 0, true};
  table["chlo.erfc"] = Row{function<tx::ErfcOp>, 1, 1, 0, true};
  table["chlo.lgamma"] = Row{function<tx::LgammaOp>, 1, 1, 0, true};
  table["chlo.polygamma"] = Row{function<tx::PolygammaOp>, 2, 2, 0, true};
  table["chlo.zeta"] = Row{function<tx::ZetaOp>, 2, 2, 0, true};
  table["chlo.mulhi"] = Row{upperProduct, 2, 2, 0, true};
  table["chlo.erf_inv"] = Row{inverseErf, 1, 1, 0, true};
  table["chlo.square"] = Row{square, 1, 1, 0, true};
  table["chlo.next_after"] = Row{function<tx::NextafterOp>, 2, 2, 0, true};
}

} // namespace tensorc::stablehlo
