//===- Elementwise.cpp - Element-wise ops of StableHLO --------------------===//

#include "compiler/import/stablehlo/Converter.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::stablehlo {

static Results one(Value value) { return Values{value}; }

/// Operands of one dtype, for which the op has a meaning.
static bool checkDType(Call &call, bool floats, bool integers, bool bools) {
  DType dtype = dtypeOf(call.x.front());
  bool fits = tx::isFloat(dtype)   ? floats
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

template <typename Op, bool floats, bool integers, bool bools>
static Results elementwise(Call &call) {
  if (!checkDType(call, floats, integers, bools))
    return failure();
  return one(call.b.map<Op>(
      SmallVector<builder::Operand>(call.x.begin(), call.x.end())));
}

/// Floats only, numbers, bits.
template <typename Op>
constexpr Handler ofFloats = elementwise<Op, true, false, false>;
template <typename Op>
constexpr Handler ofNumbers = elementwise<Op, true, true, false>;
template <typename Op>
constexpr Handler ofIntegers = elementwise<Op, false, true, false>;
template <typename Op>
constexpr Handler ofBits = elementwise<Op, false, true, true>;
template <typename Op>
constexpr Handler ofAll = elementwise<Op, true, true, true>;

/// Sums and products of truth values are or and and.
template <typename Op, typename OnBools> static Results arithmetic(Call &call) {
  bool isBool = dtypeOf(call.x.front()) == DType::I1;
  return isBool ? ofBits<OnBools>(call) : ofNumbers<Op>(call);
}

/// Halves go away from zero. x + 0.5 would round itself.
static Results roundAwayFromZero(Call &call) {
  if (!checkDType(call, true, false, false))
    return failure();
  TensorBuilder &b = call.b;
  Value x = call.x[0], whole = b.map<tx::TruncOp>({x});
  Value rest = b.abs(b.sub(x, whole));
  Value step = b.map<tx::CopysignOp>({b.full(1.0, dtypeOf(x), dimsOf(x)), x});
  return one(b.select(b.greaterOrEqual(rest, 0.5), b.add(whole, step), whole));
}

/// x * x as long as bits of the exponent are left.
static Value integerPower(TensorBuilder &b, Value x, Value y) {
  DType dtype = dtypeOf(x);
  Value result = b.full(1, dtype, dimsOf(x)), power = x;
  for (int64_t bit : llvm::seq<int64_t>(0, tx::bitWidth(dtype))) {
    Value isSet =
        b.notEqual(b.map<tx::AndOp>({b.map<tx::ShrLogicalOp>({y, bit}), 1}), 0);
    result = b.select(isSet, b.mul(result, power), result);
    power = b.mul(power, power);
  }
  if (tx::isUnsigned(dtype))
    return result;
  // 1 / x^-y, rounded toward zero: only 1 and -1 leave something.
  Value odd = b.notEqual(b.map<tx::AndOp>({y, 1}), 0);
  Value sign = b.select(odd, x, b.mul(x, x));
  Value isUnit = b.equal(b.abs(x), 1);
  Value below = b.select(isUnit, sign, 0);
  return b.select(b.less(y, 0), below, result);
}

static Results power(Call &call) {
  if (!checkDType(call, true, true, false))
    return failure();
  if (tx::isFloat(dtypeOf(call.x[0])))
    return one(call.b.pow(call.x[0], call.x[1]));
  return one(integerPower(call.b, call.x[0], call.x[1]));
}

static Results convertDType(Call &call) {
  std::optional<DType> dtype = call.declaredDType();
  if (!dtype)
    return failure();
  return one(call.b.convert(call.x[0], *dtype));
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

/// Integers in the order that IEEE 754 calls total: -NaN, numbers with -0
/// below +0, NaN.
Value totalOrderKey(TensorBuilder &b, Value x) {
  static constexpr DType integers[] = {DType::I8, DType::I16, DType::I32,
                                       DType::I64};
  DType dtype = integers[llvm::Log2_64(tx::byteWidth(dtypeOf(x)))];
  Value bits = b.bitcast(x, dtype);
  int64_t most = INT64_MAX >> (64 - tx::bitWidth(dtype));
  return b.select(b.less(bits, 0), b.map<tx::XorOp>({bits, most}), bits);
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
  if (!checkDType(call, true, true, true))
    return failure();
  Value x = call.x[0], y = call.x[1];
  if (wordIn(call.attribute("compare_type")) == "TOTALORDER" &&
      tx::isFloat(dtypeOf(x))) {
    x = totalOrderKey(call.b, x);
    y = totalOrderKey(call.b, y);
  }
  StringRef direction = wordIn(call.attribute("comparison_direction"));
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

/// Numbers of a dtype that is computed with; complex ones have parts.
static Results realPart(Call &call) { return one(call.x[0]); }
static Results imaginaryPart(Call &call) {
  return one(call.b.full(0, dtypeOf(call.x[0]), dimsOf(call.x[0])));
}

static Results constant(Call &call) {
  auto value = dyn_cast_if_present<ElementsAttr>(call.attribute("value"));
  auto type =
      value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  if (!type || !tx::dtypeOf(type.getElementType()))
    return call.refuse() << "has no value of a dtype of tensorc: "
                         << call.op->getResult(0).getType();
  return one(tx::ConstantOp::create(call.b.b, call.b.loc, type, value));
}

/// x in a format with fewer bits, and back.
static Results reducePrecision(Call &call) {
  if (!checkDType(call, true, false, false))
    return failure();
  std::optional<int64_t> exponent = call.number("exponent_bits");
  std::optional<int64_t> mantissa = call.number("mantissa_bits");
  if (!exponent || !mantissa)
    return failure();
  struct Format {
    int64_t exponent, mantissa;
    DType dtype;
  };
  static constexpr Format formats[] = {{8, 7, DType::BF16},
                                       {5, 10, DType::F16},
                                       {8, 23, DType::F32},
                                       {11, 52, DType::F64}};
  for (const Format &format : formats) {
    if (format.exponent != *exponent || format.mantissa != *mantissa)
      continue;
    if (tx::byteWidth(format.dtype) > tx::byteWidth(dtypeOf(call.x[0])))
      return one(call.x[0]);
    return one(
        call.b.convertLike(call.b.convert(call.x[0], format.dtype), call.x[0]));
  }
  return call.refuse() << "to " << *exponent << " bits of exponent and "
                       << *mantissa << " of mantissa is no dtype";
}

void addElementwiseOps(Table &table) {
  auto add = [&](StringRef name, Handler handler, unsigned operands) {
    table[("stablehlo." + name).str()] =
        Row{handler, operands, operands, 0, /*isElementwise=*/true};
  };
  add("add", arithmetic<tx::AddOp, tx::OrOp>, 2);
  add("multiply", arithmetic<tx::MulOp, tx::AndOp>, 2);
  add("subtract", ofNumbers<tx::SubOp>, 2);
  add("divide", ofNumbers<tx::DivOp>, 2);
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
  add("shift_right_logical", ofIntegers<tx::ShrLogicalOp>, 2);
  add("popcnt", ofIntegers<tx::PopcountOp>, 1);
  add("count_leading_zeros", ofIntegers<tx::ClzOp>, 1);
  add("abs", ofNumbers<tx::AbsOp>, 1);
  add("negate", ofNumbers<tx::NegOp>, 1);
  add("sign", ofNumbers<tx::SignOp>, 1);
  add("ceil", ofFloats<tx::CeilOp>, 1);
  add("floor", ofFloats<tx::FloorOp>, 1);
  add("round_nearest_even", ofFloats<tx::RoundEvenOp>, 1);
  add("round_nearest_afz", roundAwayFromZero, 1);
  add("exponential", ofFloats<tx::ExpOp>, 1);
  add("exponential_minus_one", ofFloats<tx::Expm1Op>, 1);
  add("log", ofFloats<tx::LogOp>, 1);
  add("log_plus_one", ofFloats<tx::Log1pOp>, 1);
  add("logistic", ofFloats<tx::SigmoidOp>, 1);
  add("sqrt", ofFloats<tx::SqrtOp>, 1);
  add("rsqrt", ofFloats<tx::RsqrtOp>, 1);
  add("cbrt", ofFloats<tx::CbrtOp>, 1);
  add("sine", ofFloats<tx::SinOp>, 1);
  add("cosine", ofFloats<tx::CosOp>, 1);
  add("tan", ofFloats<tx::TanOp>, 1);
  add("tanh", ofFloats<tx::TanhOp>, 1);
  add("is_finite", test<tx::IsFiniteOp>, 1);
  add("real", realPart, 1);
  add("imag", imaginaryPart, 1);
  add("reduce_precision", reducePrecision, 1);
  add("convert", convertDType, 1);
  add("compare", compare, 2);
  add("select", select, 3);
  add("clamp", clamp, 3);
  add("constant", constant, 0);
  auto addChlo = [&](StringRef name, Handler handler) {
    table[("chlo." + name).str()] = Row{handler, 1, 1, 0, true};
  };
  addChlo("erf", ofFloats<tx::ErfOp>);
  addChlo("acos", ofFloats<tx::AcosOp>);
  addChlo("acosh", ofFloats<tx::AcoshOp>);
  addChlo("asin", ofFloats<tx::AsinOp>);
  addChlo("asinh", ofFloats<tx::AsinhOp>);
  addChlo("atan", ofFloats<tx::AtanOp>);
  addChlo("atanh", ofFloats<tx::AtanhOp>);
  addChlo("sinh", ofFloats<tx::SinhOp>);
  addChlo("cosh", ofFloats<tx::CoshOp>);
  addChlo("tan", ofFloats<tx::TanOp>);
  addChlo("is_inf", test<tx::IsInfOp>);
  addChlo("is_pos_inf", isInfinity<1>);
  addChlo("is_neg_inf", isInfinity<-1>);
}

} // namespace tensorc::stablehlo
