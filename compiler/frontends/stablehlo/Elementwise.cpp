//===- Elementwise.cpp - Element-wise ops of StableHLO --------------------===//

#include "compiler/frontends/stablehlo/Words.h"
#include "ir/builder/IntegerPower.h"
#include "ir/library/Library.h"
#include "ir/shape/LibraryRules.h"
#include "ir/tx/Complex.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::stablehlo {

static Results one(Value value) { return Values{value}; }

/// Returns the type of x's real part.
static Type planeType(Value x) {
  return tx::withElementType(
      cast<RankedTensorType>(x.getType()),
      cast<ComplexType>(getElementTypeOrSelf(x)).getElementType());
}

Value realPart(TensorBuilder &b, Value x) {
  if (!tx::isComplex(dtypeOf(x)))
    return x;
  return tx::RealOp::create(b.b, b.loc, planeType(x), x);
}
Value imagOf(TensorBuilder &b, Value x) {
  return tx::ImagOp::create(b.b, b.loc, planeType(x), x);
}

/// Checks that the operands have the same dtype, and that the op supports it.
static bool checkDType(Call &call, bool floats, bool integers, bool bools,
                       bool complexes = false) {
  DType dtype = dtypeOf(call.x.front());
  bool fits = tx::isComplex(dtype) ? complexes
              : tx::isFloat(dtype) ? floats
              : dtype == DType::I1 ? bools
                                   : integers;
  for (Value value : call.x)
    if (dtypeOf(value) != dtype)
      return call.refuse() << "has operands of several dtypes", false;
  if (!fits || tx::isStorage(dtype))
    return call.refuse() << "is not available for " << tx::dtypeName(dtype),
           false;
  return true;
}

template <typename Op, bool floats, bool integers, bool bools,
          bool complexes = false>
static Results elementwise(Call &call) {
  if (!checkDType(call, floats, integers, bools, complexes))
    return failure();
  return one(call.b.map<Op>(
      SmallVector<builder::Operand>(call.x.begin(), call.x.end())));
}

/// Handlers of ops that are defined for certain dtypes: floats; floats and
/// complex numbers; integers and floats; all numbers; integers; integers and
/// booleans; all but complex numbers.
template <typename Op>
constexpr Handler ofFloats = elementwise<Op, true, false, false>;
template <typename Op>
constexpr Handler ofFloatsAndComplexes =
    elementwise<Op, true, false, false, true>;
template <typename Op>
constexpr Handler ofNumbers = elementwise<Op, true, true, false>;
template <typename Op>
constexpr Handler ofAllNumbers = elementwise<Op, true, true, false, true>;
template <typename Op>
constexpr Handler ofIntegers = elementwise<Op, false, true, false>;
template <typename Op>
constexpr Handler ofBits = elementwise<Op, false, true, true>;
template <typename Op>
constexpr Handler ofAll = elementwise<Op, true, true, true>;

/// For booleans the sum is `or`, and the product is `and`.
template <typename Op, typename OnBools> static Results arithmetic(Call &call) {
  bool isBool = dtypeOf(call.x.front()) == DType::I1;
  return isBool ? ofBits<OnBools>(call) : ofAllNumbers<Op>(call);
}

/// Rounds halves away from zero. Adding 0.5 and truncating would be wrong,
/// because the sum may be rounded.
static Results roundAwayFromZero(Call &call) {
  if (!checkDType(call, true, false, false))
    return failure();
  TensorBuilder &b = call.b;
  Value x = call.x[0], whole = b.map<tx::TruncOp>({x});
  Value rest = b.abs(b.sub(x, whole));
  Value step = b.map<tx::CopysignOp>({b.full(1.0, dtypeOf(x), dimsOf(x)), x});
  return one(b.select(b.greaterOrEqual(rest, 0.5), b.add(whole, step), whole));
}

/// The logistic function of a complex number. The exponential is of the number or
/// its negative, so that it does not overflow.
static Results logistic(Call &call) {
  Value x = call.x[0];
  if (!tx::isComplex(dtypeOf(x)))
    return ofFloats<tx::SigmoidOp>(call);
  TensorBuilder &b = call.b;
  Value isPositive = b.greaterOrEqual(realPart(b, x), 0.0);
  Value e = b.map<tx::ExpOp>({b.select(isPositive, b.neg(x), x)});
  return one(b.div(b.select(isPositive, 1.0, e), b.add(e, 1.0)));
}

/// The cube root. That of a complex number is the principal one.
static Results cubeRoot(Call &call) {
  if (!tx::isComplex(dtypeOf(call.x[0])))
    return ofFloats<tx::CbrtOp>(call);
  return one(call.b.pow(call.x[0], 1.0 / 3));
}

static Results power(Call &call) {
  if (!checkDType(call, true, true, false, true))
    return failure();
  if (tx::isFloat(dtypeOf(call.x[0])) || tx::isComplex(dtypeOf(call.x[0])))
    return one(call.b.pow(call.x[0], call.x[1]));
  return one(builder::integerPower(call.b, call.x[0], call.x[1]));
}

static Results convertDType(Call &call) {
  std::optional<DType> dtype = call.declaredDType();
  if (!dtype)
    return failure();
  Value x = call.x[0];
  // The imaginary part is dropped.
  if (!tx::isComplex(*dtype))
    x = realPart(call.b, x);
  Type type = call.op->getResult(0).getType();
  return one(convertTo(call.b, x, getElementTypeOrSelf(type)));
}

static Results select(Call &call) {
  if (dtypeOf(call.x[0]) != DType::I1 ||
      dtypeOf(call.x[1]) != dtypeOf(call.x[2]))
    return call.refuse() << "needs an i1 and two operands of one dtype";
  return one(call.b.select(call.x[0], call.x[1], call.x[2]));
}

static Results clamp(Call &call) {
  if (!checkDType(call, true, true, false))
    return failure();
  return one(call.b.map<tx::ClampOp>({call.x[0], call.x[1], call.x[2]}));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Reverses the order of the negative integers. The function is its own
/// inverse.
static Value mirrorNegative(TensorBuilder &b, Value bits) {
  int64_t most = INT64_MAX >> (64 - tx::bitWidth(dtypeOf(bits)));
  return b.select(b.less(bits, 0), b.map<tx::XorOp>({bits, most}), bits);
}

/// Maps floats to integers in the order of IEEE 754's total order: negative
/// NaN, negative numbers, -0, +0, positive numbers, NaN.
Value totalOrderKey(TensorBuilder &b, Value x) {
  static constexpr DType integers[] = {DType::I8, DType::I16, DType::I32,
                                       DType::I64};
  DType dtype = integers[llvm::Log2_64(tx::byteWidth(dtypeOf(x)))];
  return mirrorNegative(b, b.bitcast(x, dtype));
}

Value fromTotalOrderKey(TensorBuilder &b, Value key, DType dtype) {
  return b.bitcast(mirrorNegative(b, key), dtype);
}

Value compareValues(TensorBuilder &b, StringRef direction, Value x, Value y) {
  if (direction == "EQ")
    return b.equal(x, y);
  if (direction == "NE")
    return b.notEqual(x, y);
  if (direction == "LT")
    return b.less(x, y);
  if (direction == "LE")
    return b.lessOrEqual(x, y);
  if (direction == "GT")
    return b.greater(x, y);
  if (direction == "GE")
    return b.greaterOrEqual(x, y);
  return {};
}

static Results compare(Call &call) {
  StringRef direction = wordIn(call.attribute("comparison_direction"));
  bool isEquality = direction == "EQ" || direction == "NE";
  if (!checkDType(call, true, true, true, isEquality))
    return failure();
  Value x = call.x[0], y = call.x[1];
  if (wordIn(call.attribute("compare_type")) == "TOTALORDER" &&
      tx::isFloat(dtypeOf(x))) {
    x = totalOrderKey(call.b, x);
    y = totalOrderKey(call.b, y);
  }
  Value result = compareValues(call.b, direction, x, y);
  if (!result)
    return call.refuse() << "has no comparison_direction: '" << direction
                         << "'";
  return one(result);
}

//===----------------------------------------------------------------------===//
// Tests of floats
//===----------------------------------------------------------------------===//

template <typename Op> static Results test(Call &call) {
  if (!checkDType(call, true, true, false))
    return failure();
  return one(call.b.test<Op>({call.x[0]}));
}

template <int sign> static Results isInfinity(Call &call) {
  if (!checkDType(call, true, false, false))
    return failure();
  return one(
      call.b.equal(call.x[0], sign * std::numeric_limits<double>::infinity()));
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

static Results realPart(Call &call) { return one(realPart(call.b, call.x[0])); }
static Results imaginaryPart(Call &call) {
  Value x = call.x[0];
  if (tx::isComplex(dtypeOf(x)))
    return one(imagOf(call.b, x));
  return one(call.b.full(0, dtypeOf(x), dimsOf(x)));
}

static Results complexOf(Call &call) {
  DType dtype = dtypeOf(call.x[0]);
  if (!checkDType(call, dtype == DType::F32 || dtype == DType::F64, false,
                  false))
    return failure();
  auto type = cast<RankedTensorType>(call.x[0].getType());
  Type result =
      tx::withElementType(type, ComplexType::get(type.getElementType()));
  return one(tx::ComplexOp::create(call.b.b, call.b.loc, result, call.x[0],
                                   call.x[1]));
}

Value conjugate(TensorBuilder &b, Value x) {
  if (!tx::isComplex(dtypeOf(x)))
    return x;
  return tx::ComplexOp::create(b.b, b.loc, x.getType(), realPart(b, x),
                               b.neg(imagOf(b, x)));
}

static Results conjugateOf(Call &call) {
  return one(conjugate(call.b, call.x[0]));
}

/// Returns the magnitude; for a complex number it is real. It is scaled by the
/// larger part, so that no intermediate value overflows.
static Results magnitude(Call &call) {
  Value x = call.x[0];
  if (!tx::isComplex(dtypeOf(x)))
    return ofNumbers<tx::AbsOp>(call);
  return one(call.b.map<tx::HypotOp>({realPart(call.b, x), imagOf(call.b, x)}));
}

static Results isFinite(Call &call) {
  if (!checkDType(call, true, true, false, true))
    return failure();
  return one(call.b.test<tx::IsFiniteOp>({call.x[0]}));
}

/// Converts a Fourier transform along the last dims, which have the given
/// lengths.
static Results fft(Call &call) {
  std::optional<NumberList> lengths = call.numbers("fft_length");
  StringRef kind = wordIn(call.attribute("fft_type"));
  if (!lengths)
    return failure();
  Value x = call.x[0];
  bool isReal = kind == "RFFT", isHermitian = kind == "IRFFT";
  if (!isReal && !isHermitian && kind != "FFT" && kind != "IFFT")
    return call.refuse() << "has the unknown type '" << kind << "'";
  DType dtype = dtypeOf(x);
  bool fits = isReal ? dtype == DType::F32 || dtype == DType::F64
                     : tx::isComplex(dtype);
  int64_t rank = rankOf(x), count = lengths->size();
  if (!fits || count < 1 || count > rank)
    return call.refuse() << "of type " << kind << " and " << count
                         << " lengths is not available for " << x.getType();
  if (RankedTensorType type = call.declared();
      type.hasStaticShape() && type.getNumElements() == 0)
    return one(call.b.full(0, *call.declaredDType(),
                           SmallVector<Dim>(shape::dimsOf(type.getShape()))));
  NumberList dims = llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
  shape::InferredShape shape =
      shape::inferFourier(dimsOf(x), *lengths, dims, isReal, isHermitian);
  if (shape.isRefused())
    return call.refuse() << shape.refusal;
  Type element = getElementTypeOrSelf(x);
  if (isReal)
    element = ComplexType::get(element);
  else if (isHermitian)
    element = cast<ComplexType>(element).getElementType();
  return one(tx::FourierOp::create(
      call.b.b, call.b.loc, tx::tensorType(shape.dims, element), x,
      isReal        ? tx::FourierKind::Real
      : isHermitian ? tx::FourierKind::Hermitian
                    : tx::FourierKind::Complex,
      kind.starts_with("I"), *lengths, dims, tx::FourierNorm::Backward));
}

static Results constant(Call &call) {
  auto value = dyn_cast_if_present<ElementsAttr>(call.attribute("value"));
  auto type =
      value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  std::optional<DType> dtype =
      type ? dtypeIn(type.getElementType()) : std::nullopt;
  if (!dtype)
    return call.refuse() << "has no value of a dtype of tensorc: "
                         << call.op->getResult(0).getType();
  if (auto integers = dyn_cast<DenseIntElementsAttr>(value);
      integers && isTwoBits(type.getElementType())) {
    Type element = tx::elementType(type.getContext(), *dtype);
    bool isUnsigned = tx::isUnsigned(*dtype);
    value = integers.mapValues(element, [&](const APInt &number) {
      return isUnsigned ? number.zext(4) : number.sext(4);
    });
    type = type.clone(element);
  }
  return one(tx::ConstantOp::create(call.b.b, call.b.loc, type, value));
}

namespace {
/// Numbers of bits of a float besides the sign.
struct FloatFormat {
  int64_t exponent, mantissa;
};
} // namespace

static FloatFormat formatOf(DType dtype) {
  int64_t bits = tx::bitWidth(dtype);
  int64_t mantissa =
      llvm::APFloat::semanticsPrecision(tx::semanticsOf(dtype)) - 1;
  return {bits - 1 - mantissa, mantissa};
}

/// Rounds the bits of floats of the format `from` to a mantissa with fewer bits,
/// to nearest even. A carry increases the exponent.
static Value roundMantissa(TensorBuilder &b, Value bits, FloatFormat from,
                           int64_t mantissa) {
  int64_t dropped = from.mantissa - mantissa, unit = int64_t(1) << dropped;
  Value shift = b.full(dropped, dtypeOf(bits));
  Value last = b.logicalAnd(b.map<tx::ShrLogicalOp>({bits, shift}), 1);
  Value half = b.add(last, unit / 2 - 1);
  return b.logicalAnd(b.add(bits, half), -unit);
}

/// Replaces the bits of floats that are too large for fewer bits of exponent by
/// infinity, and those that are too small by zero.
static Value limitExponent(TensorBuilder &b, Value bits, FloatFormat from,
                           int64_t exponent) {
  auto exponentBits = [&](int64_t number) { return number << from.mantissa; };
  int64_t bias = (int64_t(1) << (from.exponent - 1)) - 1;
  int64_t range = (int64_t(1) << (exponent - 1)) - 1;
  int64_t all = exponentBits((int64_t(1) << from.exponent) - 1);
  int64_t signBit = exponentBits(-(int64_t(1) << from.exponent));
  Value sign = b.logicalAnd(bits, signBit), magnitude = b.logicalAnd(bits, all);
  Value isLarge = b.greater(magnitude, exponentBits(bias + range));
  Value isSmall = b.lessOrEqual(magnitude, exponentBits(bias - range));
  bits = b.select(isLarge, b.logicalOr(sign, all), bits);
  return b.select(isSmall, sign, bits);
}

/// Rounds x to a format with fewer bits of exponent and mantissa. Conversions to
/// a dtype of this format keep its subnormal numbers.
static Results reducePrecision(Call &call) {
  if (!checkDType(call, true, false, false))
    return failure();
  std::optional<int64_t> exponent = call.number("exponent_bits");
  std::optional<int64_t> mantissa = call.number("mantissa_bits");
  if (!exponent || !mantissa)
    return failure();
  if (*exponent < 1 || *mantissa < 0)
    return call.refuse() << "to " << *exponent << " bits of exponent and "
                         << *mantissa << " of mantissa is not a format";
  TensorBuilder &b = call.b;
  Value x = call.x[0];
  for (DType dtype : {DType::BF16, DType::F16, DType::F32, DType::F64}) {
    FloatFormat format = formatOf(dtype);
    if (format.exponent != *exponent || format.mantissa != *mantissa)
      continue;
    if (tx::byteWidth(dtype) > tx::byteWidth(dtypeOf(x)))
      return one(x);
    return one(b.convertLike(b.convert(x, dtype), x));
  }
  static constexpr DType integers[] = {DType::I16, DType::I32, DType::I64};
  FloatFormat from = formatOf(dtypeOf(x));
  Value bits =
      b.bitcast(x, integers[llvm::Log2_64(tx::byteWidth(dtypeOf(x))) - 1]);
  if (*mantissa < from.mantissa)
    bits = roundMantissa(b, bits, from, *mantissa);
  if (*exponent < from.exponent)
    bits = limitExponent(b, bits, from, *exponent);
  return one(
      b.select(b.test<tx::IsNanOp>({x}), x, b.bitcast(bits, dtypeOf(x))));
}

void addElementwiseOps(Table &table) {
  auto add = [&](StringRef name, Handler handler, unsigned operands) {
    table[("stablehlo." + name).str()] =
        Row{handler, operands, operands, 0, /*isElementwise=*/true};
  };
  // These ops depend on the number of bits, so they must not be computed in a
  // wider dtype.
  auto addOfBits = [&](StringRef name, Handler handler, unsigned operands) {
    add(name, handler, operands);
    table[("stablehlo." + name).str()].widensStorage = false;
  };
  add("add", arithmetic<tx::AddOp, tx::OrOp>, 2);
  add("multiply", arithmetic<tx::MulOp, tx::AndOp>, 2);
  add("subtract", ofAllNumbers<tx::SubOp>, 2);
  add("divide", ofAllNumbers<tx::DivOp>, 2);
  add("remainder", ofNumbers<tx::RemOp>, 2);
  add("maximum", ofAll<tx::MaxOp>, 2);
  add("minimum", ofAll<tx::MinOp>, 2);
  add("atan2", ofFloats<tx::Atan2Op>, 2);
  add("power", power, 2);
  add("and", ofBits<tx::AndOp>, 2);
  add("or", ofBits<tx::OrOp>, 2);
  add("xor", ofBits<tx::XorOp>, 2);
  add("not", ofBits<tx::NotOp>, 1);
  add("shift_left", ofIntegers<tx::ShlOp>, 2);
  add("shift_right_arithmetic", ofIntegers<tx::ShrArithOp>, 2);
  addOfBits("shift_right_logical", ofIntegers<tx::ShrLogicalOp>, 2);
  addOfBits("popcnt", ofIntegers<tx::PopcountOp>, 1);
  addOfBits("count_leading_zeros", ofIntegers<tx::ClzOp>, 1);
  add("abs", magnitude, 1);
  add("negate", ofAllNumbers<tx::NegOp>, 1);
  add("sign", ofAllNumbers<tx::SignOp>, 1);
  add("ceil", ofFloats<tx::CeilOp>, 1);
  add("floor", ofFloats<tx::FloorOp>, 1);
  add("round_nearest_even", ofFloats<tx::RoundEvenOp>, 1);
  add("round_nearest_afz", roundAwayFromZero, 1);
  add("exponential", ofFloatsAndComplexes<tx::ExpOp>, 1);
  add("exponential_minus_one", ofFloatsAndComplexes<tx::Expm1Op>, 1);
  add("log", ofFloatsAndComplexes<tx::LogOp>, 1);
  add("log_plus_one", ofFloatsAndComplexes<tx::Log1pOp>, 1);
  add("logistic", logistic, 1);
  add("sqrt", ofFloatsAndComplexes<tx::SqrtOp>, 1);
  add("rsqrt", ofFloatsAndComplexes<tx::RsqrtOp>, 1);
  add("cbrt", cubeRoot, 1);
  add("sine", ofFloatsAndComplexes<tx::SinOp>, 1);
  add("cosine", ofFloatsAndComplexes<tx::CosOp>, 1);
  add("tan", ofFloatsAndComplexes<tx::TanOp>, 1);
  add("tanh", ofFloatsAndComplexes<tx::TanhOp>, 1);
  add("is_finite", isFinite, 1);
  add("real", realPart, 1);
  add("imag", imaginaryPart, 1);
  add("complex", complexOf, 2);
  add("reduce_precision", reducePrecision, 1);
  addOfBits("convert", convertDType, 1);
  add("compare", compare, 2);
  addOfBits("select", select, 3);
  add("clamp", clamp, 3);
  addOfBits("constant", constant, 0);
  table["stablehlo.fft"] = Row{fft, 1, 1};
  auto addChlo = [&](StringRef name, Handler handler) {
    table[("chlo." + name).str()] = Row{handler, 1, 1, 0, true};
  };
  addChlo("erf", ofFloats<tx::ErfOp>);
  addChlo("acos", ofFloatsAndComplexes<tx::AcosOp>);
  addChlo("acosh", ofFloatsAndComplexes<tx::AcoshOp>);
  addChlo("asin", ofFloatsAndComplexes<tx::AsinOp>);
  addChlo("asinh", ofFloatsAndComplexes<tx::AsinhOp>);
  addChlo("atan", ofFloatsAndComplexes<tx::AtanOp>);
  addChlo("atanh", ofFloatsAndComplexes<tx::AtanhOp>);
  addChlo("sinh", ofFloatsAndComplexes<tx::SinhOp>);
  addChlo("cosh", ofFloatsAndComplexes<tx::CoshOp>);
  addChlo("tan", ofFloatsAndComplexes<tx::TanOp>);
  addChlo("conj", conjugateOf);
  addChlo("is_inf", test<tx::IsInfOp>);
  addChlo("is_pos_inf", isInfinity<1>);
  addChlo("is_neg_inf", isInfinity<-1>);
}

} // namespace tensorc::stablehlo
