//===- Elementwise.cpp - Element-wise ONNX ops ----------------------------===//

#include "compiler/frontends/onnx/NodeImport.h"
#include "ir/builder/IntegerPower.h"

#include <cmath>

namespace tensorc::onnx {

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

template <typename Op> static void unary(NodeImport &n) {
  Value x = n.in(0);
  if (!n.isRefused())
    n.set(n.map<Op>({x}));
}

template <typename Op> static void test(NodeImport &n) {
  Value x = n.in(0);
  if (!n.isRefused())
    n.set(n.test<Op>({x}));
}

static void identity(NodeImport &n) { n.set(n.in(0)); }

static void reciprocal(NodeImport &n) { n.set(n.div(1.0, n.in(0))); }

static void isInf(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  bool negative = n.integer("detect_negative", 1),
       positive = n.integer("detect_positive", 1);
  Value result = n.test<tx::IsInfOp>({x});
  if (!negative)
    result = n.logicalAnd(result, n.greater(x, 0));
  if (!positive)
    result = n.logicalAnd(result, n.less(x, 0));
  n.set(result);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

template <typename Op> static void binary(NodeImport &n) {
  Value x = n.in(0), y = n.in(1);
  if (!n.isRefused())
    n.set(n.map<Op>({x, y}));
}

/// Until opset 6 a flag enabled the broadcasting of y, whose dims were aligned
/// with x's dims from `axis` on.
template <typename Op> static void oldBinary(NodeImport &n) {
  Value x = n.in(0), y = n.in(1);
  if (n.isRefused())
    return;
  if (n.flag("broadcast") && n.attribute("axis")) {
    int64_t axis = n.axis(n.integer("axis", 0), rankOf(x));
    SmallVector<Dim> dims(dimsOf(y));
    if (axis + static_cast<int64_t>(dims.size()) > rankOf(x)) {
      n.refuse("the second operand does not fit behind the axis");
      return;
    }
    dims.resize(rankOf(x) - axis, Dim(1));
    y = n.reshape(y, dims);
  }
  if (!n.isRefused())
    n.set(n.map<Op>({x, y}));
}

template <typename Op> static void compare(NodeImport &n) {
  Value x = n.in(0), y = n.in(1);
  if (!n.isRefused())
    n.set(n.test<Op>({x, y}));
}

static bool isWhole(double number) {
  return number == std::trunc(number) && std::abs(number) < 0x1p63;
}

/// Expands a power with a constant exponent of 2, 3 or 4, as for other
/// frontends. Returns null for other exponents, or if the result has other dims
/// than x.
static Value powerOfKnown(NodeImport &n, Value x, Value y) {
  auto exponents = n.known().reals(y);
  if (!exponents || exponents->size() != 1 || rankOf(y) > rankOf(x))
    return {};
  double exponent = exponents->front();
  // In 16 bits the intermediate square would lose precision.
  bool isWide = dtypeOf(x) == DType::F32 || dtypeOf(x) == DType::F64;
  if (exponent != 2 && !(isWide && (exponent == 3 || exponent == 4)))
    return {};
  Value square = n.map<tx::MulOp>({x, x});
  return exponent == 2 ? square
                       : n.map<tx::MulOp>({square, exponent == 3 ? x : square});
}

/// The exponent may have another dtype; the result has the base's dtype.
static void pow(NodeImport &n) {
  Value x = n.in(0), y = n.in(1);
  if (n.isRefused())
    return;
  DType dtype = dtypeOf(x);
  if (tx::isFloat(dtype)) {
    Value power = powerOfKnown(n, x, y);
    n.set(power ? power : n.pow(x, n.convert(y, dtype)));
    return;
  }
  // An exponent with an integer value is treated as an integer, even if its
  // dtype is a float.
  if (tx::isFloat(dtypeOf(y)))
    if (auto exponents = n.known().reals(y);
        exponents && llvm::all_of(*exponents, isWhole))
      y = n.convert(y, DType::I64);
  SmallVector<Dim> common = n.commonDims({dimsOf(x), dimsOf(y)});
  x = n.agree(x, common), y = n.agree(y, common);
  if (n.isRefused())
    return;
  if (!tx::isFloat(dtypeOf(y))) {
    n.set(builder::integerPower(n.e, x, y));
    return;
  }
  Value result = n.pow(n.convert(x, DType::F64), n.convert(y, DType::F64));
  n.set(n.convert(result, dtype));
}

static void mod(NodeImport &n) {
  Value x = n.in(0), y = n.in(1);
  if (n.isRefused())
    return;
  bool truncates = n.flag("fmod");
  n.set(truncates ? n.map<tx::RemOp>({x, y}) : n.map<tx::ModOp>({x, y}));
}

static void bitShift(NodeImport &n) {
  Value x = n.in(0), y = n.in(1);
  if (n.isRefused())
    return;
  StringRef direction = n.text("direction", "");
  if (direction == "LEFT")
    n.set(n.map<tx::ShlOp>({x, y}));
  else if (direction == "RIGHT")
    n.set(tx::isUnsigned(dtypeOf(x)) ? n.map<tx::ShrLogicalOp>({x, y})
                                     : n.map<tx::ShrArithOp>({x, y}));
  else
    n.refuse("the direction is neither LEFT nor RIGHT");
}

//===----------------------------------------------------------------------===//
// Any number of operands
//===----------------------------------------------------------------------===//

template <typename Op> static Value folded(NodeImport &n) {
  SmallVector<Value> all = n.all();
  if (all.empty())
    return n.refuse("has no inputs");
  Value result = all[0];
  for (Value value : ArrayRef(all).drop_front())
    result = n.isRefused() ? Value() : n.map<Op>({result, value});
  return result;
}

template <typename Op> static void variadic(NodeImport &n) {
  n.set(folded<Op>(n));
}

static void meanOf(NodeImport &n) {
  Value total = folded<tx::AddOp>(n);
  if (!n.isRefused())
    n.set(n.div(total, static_cast<int64_t>(n.numInputs())));
}

static void where(NodeImport &n) {
  Value predicate = n.in(0), x = n.in(1), y = n.in(2);
  if (!n.isRefused())
    n.set(n.select(predicate, x, y));
}

/// Limits are inputs since opset 11. If the minimum is greater than the
/// maximum, the result is the maximum.
static void clip(NodeImport &n) {
  Value x = n.in(0), low = n.optional(1), high = n.optional(2);
  if (low)
    x = n.max(x, low);
  if (high)
    x = n.isRefused() ? x : n.min(x, high);
  n.set(x);
}

static void oldClip(NodeImport &n) {
  Value x = n.in(0);
  if (n.attribute("min"))
    x = n.max(x, n.real("min", 0));
  if (n.attribute("max"))
    x = n.isRefused() ? x : n.min(x, n.real("max", 0));
  n.set(x);
}

//===----------------------------------------------------------------------===//
// Dtypes
//===----------------------------------------------------------------------===//

/// Converts with saturation if `saturate` is set: infinities and numbers out of
/// range become the largest number of an 8-bit float type, or of one without
/// infinities.
static Value castTo(NodeImport &n, Value x, DType dtype) {
  if (n.isRefused())
    return Value();
  // 4-bit integers wrap around, like wider ones.
  if (tx::isPacked(dtype) && tx::isFloat(dtypeOf(x)))
    return n.convert(n.convert(x, DType::I32), dtype);
  bool narrows = tx::isFloat(dtype) && tx::isStorage(dtype) &&
                 tx::isFloat(dtypeOf(x)) && dtypeOf(x) != dtype;
  if (!narrows || !n.integer("saturate", 1))
    return n.convert(x, dtype);
  double largest = dtype == DType::F8E4M3FN ? 448 : 57344;
  if (tx::isStorage(dtypeOf(x)))
    x = n.convert(x, DType::F32);
  return n.convert(n.min(n.max(x, -largest), largest), dtype);
}

static void cast(NodeImport &n) {
  std::optional<DType> dtype = dtypeFrom(n.integer("to", 0));
  if (!dtype)
    n.refuse("to the dtype " + dtypeText(n.integer("to", 0)) +
             ", which tensorc does not have");
  else
    n.set(castTo(n, n.in(0), *dtype));
}

static void castLike(NodeImport &n) {
  Value x = n.in(0), like = n.in(1);
  if (!n.isRefused())
    n.set(castTo(n, x, dtypeOf(like)));
}

static void bitCast(NodeImport &n) {
  std::optional<DType> dtype = dtypeFrom(n.integer("to", 0));
  Value x = n.in(0);
  if (!dtype)
    n.refuse("to the dtype " + dtypeText(n.integer("to", 0)) +
             ", which tensorc does not have");
  else if (!n.isRefused() && dtypeOf(x) == *dtype)
    n.set(x);
  else if (!n.isRefused() && (*dtype == DType::I1 || dtypeOf(x) == DType::I1)) {
    // A boolean is a byte of 0 or 1.
    x = n.convert(x, DType::UI8);
    n.set(*dtype == DType::I1    ? n.convert(x, DType::I1)
          : *dtype == DType::UI8 ? x
                                 : n.make<tx::BitcastOp>(*dtype, x));
  } else if (!n.isRefused()) {
    Value bits = n.b.createOrFold<tx::BitcastOp>(
        n.loc,
        tx::tensorType(dimsOf(x), tx::elementType(n.b.getContext(), *dtype)),
        x);
    n.set(bits);
  }
}

ArrayRef<OpVersion> elementwiseOps() {
  static constexpr OpVersion ops[] = {
      {"Abs", 1, unary<tx::AbsOp>},
      {"Acos", 7, unary<tx::AcosOp>},
      {"Acosh", 9, unary<tx::AcoshOp>},
      {"Add", 1, oldBinary<tx::AddOp>},
      {"Add", 7, binary<tx::AddOp>},
      {"And", 1, oldBinary<tx::AndOp>},
      {"And", 7, binary<tx::AndOp>},
      {"Asin", 7, unary<tx::AsinOp>},
      {"Asinh", 9, unary<tx::AsinhOp>},
      {"Atan", 7, unary<tx::AtanOp>},
      {"Atanh", 9, unary<tx::AtanhOp>},
      {"BitCast", 26, bitCast},
      {"BitShift", 11, bitShift},
      {"BitwiseAnd", 18, binary<tx::AndOp>},
      {"BitwiseNot", 18, unary<tx::NotOp>},
      {"BitwiseOr", 18, binary<tx::OrOp>},
      {"BitwiseXor", 18, binary<tx::XorOp>},
      {"Cast", 6, cast},
      {"CastLike", 15, castLike},
      {"Ceil", 1, unary<tx::CeilOp>},
      {"Clip", 1, oldClip},
      {"Clip", 11, clip},
      {"Cos", 7, unary<tx::CosOp>},
      {"Cosh", 9, unary<tx::CoshOp>},
      {"Div", 1, oldBinary<tx::DivOp>},
      {"Div", 7, binary<tx::DivOp>},
      {"Equal", 7, compare<tx::EqOp>},
      {"Erf", 9, unary<tx::ErfOp>},
      {"Exp", 1, unary<tx::ExpOp>},
      {"Floor", 1, unary<tx::FloorOp>},
      {"Greater", 7, compare<tx::GtOp>},
      {"GreaterOrEqual", 12, compare<tx::GeOp>},
      {"Identity", 1, identity},
      {"IsInf", 10, isInf},
      {"IsNaN", 9, test<tx::IsNanOp>},
      {"Less", 7, compare<tx::LtOp>},
      {"LessOrEqual", 12, compare<tx::LeOp>},
      {"Log", 1, unary<tx::LogOp>},
      {"Max", 1, variadic<tx::MaxOp>},
      {"Mean", 1, meanOf},
      {"Min", 1, variadic<tx::MinOp>},
      {"Mod", 10, mod},
      {"Mul", 1, oldBinary<tx::MulOp>},
      {"Mul", 7, binary<tx::MulOp>},
      {"Neg", 1, unary<tx::NegOp>},
      {"Not", 1, unary<tx::NotOp>},
      {"Or", 1, oldBinary<tx::OrOp>},
      {"Or", 7, binary<tx::OrOp>},
      {"Pow", 1, pow},
      {"Reciprocal", 1, reciprocal},
      {"Round", 11, unary<tx::RoundEvenOp>},
      {"Sign", 9, unary<tx::SignOp>},
      {"Sin", 7, unary<tx::SinOp>},
      {"Sinh", 9, unary<tx::SinhOp>},
      {"Sqrt", 1, unary<tx::SqrtOp>},
      {"Sub", 1, oldBinary<tx::SubOp>},
      {"Sub", 7, binary<tx::SubOp>},
      {"Sum", 1, variadic<tx::AddOp>},
      {"Tan", 7, unary<tx::TanOp>},
      {"Tanh", 1, unary<tx::TanhOp>},
      {"Where", 9, where},
      {"Xor", 1, oldBinary<tx::XorOp>},
      {"Xor", 7, binary<tx::XorOp>},
  };
  return ops;
}

} // namespace tensorc::onnx
