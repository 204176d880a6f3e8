//===- MakeElementwise.cpp - Random element-wise ops ----------------------===//

#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

/// add sub mul max min: the same bits wherever the operands have them.
Generator::Maybe Generator::makeExactBinary() {
  Entry x = any();
  Maybe y = fit(partner(x), x);
  if (!y)
    return std::nullopt;
  Type type = x.value.getType();
  bool bothExact = isExact(x) && isExact(*y);
  // Rounding an inexact operand may go the other way.
  bool isRounded = !bothExact;
  double error = x.error + y->error;
  if (!bothExact && !(x.limit < 1e6 && y->limit < 1e6))
    return std::nullopt;
  switch (isBool(x) ? 3 + pick(2) : pick(5)) {
  case 0:
    return finish(tx::AddOp::create(builder, loc, type, x.value, y->value),
                  x.limit + y->limit, error, isRounded);
  case 1:
    return finish(tx::SubOp::create(builder, loc, type, x.value, y->value),
                  x.limit + y->limit, error, isRounded);
  case 2:
    return finish(tx::MulOp::create(builder, loc, type, x.value, y->value),
                  x.limit == infinity || y->limit == infinity
                      ? infinity
                      : x.limit * y->limit,
                  bothExact ? 0
                            : x.error * y->limit + y->error * x.limit +
                                  x.error * y->error,
                  isRounded);
  case 3:
    return finish(tx::MaxOp::create(builder, loc, type, x.value, y->value),
                  std::max(x.limit, y->limit), error, false);
  default:
    return finish(tx::MinOp::create(builder, loc, type, x.value, y->value),
                  std::max(x.limit, y->limit), error, false);
  }
}

/// Any x / y of exact values, else x / (|y| + 1).
Generator::Maybe Generator::makeDiv() {
  Entry x = any();
  Maybe y = isBool(x) ? std::nullopt : fit(partner(x), x);
  if (!y)
    return std::nullopt;
  Type type = x.value.getType();
  if (isExact(x) && isExact(*y) && chance(60))
    return finish(tx::DivOp::create(builder, loc, type, x.value, y->value),
                  isFloat(x) ? infinity : x.limit, 0, false);
  if (!(x.limit < 1e6 && y->limit < 1e6))
    return std::nullopt;
  Value positive = tx::AbsOp::create(builder, loc, type, y->value);
  positive =
      tx::AddOp::create(builder, loc, type, positive, splat(1, type).value);
  bool bothExact = isExact(x) && isExact(*y);
  return finish(tx::DivOp::create(builder, loc, type, x.value, positive),
                x.limit, x.error + x.limit * y->error, !bothExact);
}

Generator::Maybe Generator::makeUnary() {
  Entry x = any();
  if (isBool(x))
    return std::nullopt;
  Type type = x.value.getType();
  Value v = x.value;
  // Steps amplify what is not exact.
  switch (pick(isExact(x) ? isFloat(x) ? 7 : 5 : 2)) {
  case 0:
    return finish(tx::NegOp::create(builder, loc, type, v), x.limit, x.error,
                  false);
  case 1:
    return finish(tx::AbsOp::create(builder, loc, type, v), x.limit, x.error,
                  false);
  case 2:
    return finish(tx::SignOp::create(builder, loc, type, v), 1, 0, false);
  case 3:
    if (isFloat(x))
      return finish(tx::FloorOp::create(builder, loc, type, v), x.limit + 1, 0,
                    false);
    return finish(tx::ClzOp::create(builder, loc, type, v), 64, 0, false);
  case 4:
    if (isFloat(x))
      return finish(tx::CeilOp::create(builder, loc, type, v), x.limit + 1, 0,
                    false);
    return finish(tx::PopcountOp::create(builder, loc, type, v), 64, 0, false);
  case 5:
    return finish(tx::TruncOp::create(builder, loc, type, v), x.limit, 0,
                  false);
  default:
    return finish(tx::RoundEvenOp::create(builder, loc, type, v), x.limit + 1,
                  0, false);
  }
}

/// Remainders, neighbors of floats, divisors and bits of integers.
Generator::Maybe Generator::makeExactInteger() {
  Entry x = any();
  if (isBool(x) || !isExact(x))
    return std::nullopt;
  Entry y = exactLike(x);
  Type type = x.value.getType();
  Value a = x.value, b = y.value;
  double limit = isFloat(x) ? infinity : x.limit;
  // The sign of a NaN is nobody's promise.
  if (isFloat(x) && y.limit < infinity && chance(50))
    return finish(tx::CopysignOp::create(builder, loc, type, a, b), limit, 0,
                  false);
  if (isFloat(x) && kind == Kind::Any && chance(60))
    return finish(tx::NextafterOp::create(builder, loc, type, a, b), limit, 0,
                  false);
  switch (isFloat(x) ? 0 : pick(9)) {
  case 0:
    return finish(tx::RemOp::create(builder, loc, type, a, b), limit, 0, false);
  case 1:
    return finish(tx::ShrLogicalOp::create(builder, loc, type, a, b), limit, 0,
                  false);
  case 2:
    return finish(tx::ModOp::create(builder, loc, type, a, b), limit, 0, false);
  case 3:
    return finish(tx::FloorDivOp::create(builder, loc, type, a, b), limit, 0,
                  false);
  case 4:
    return finish(tx::XorOp::create(builder, loc, type, a, b), limit, 0, false);
  case 5:
    return finish(tx::ShlOp::create(builder, loc, type, a, b), limit, 0, false);
  case 6:
    return finish(tx::GcdOp::create(builder, loc, type, a, b), limit, 0, false);
  case 7:
    return finish(tx::LcmOp::create(builder, loc, type, a, b), limit, 0, false);
  default:
    return finish(tx::ShrArithOp::create(builder, loc, type, a, b), limit, 0,
                  false);
  }
}

Generator::Maybe Generator::makeMath() {
  Entry x = any();
  if (!isFloat(x) || !(x.limit < 1e6))
    return std::nullopt;
  Type type = x.value.getType();
  auto positive = [&] {
    Value v = tx::AbsOp::create(builder, loc, type, x.value);
    return tx::AddOp::create(builder, loc, type, v, splat(1, type).value)
        .getResult();
  };
  double rounding = epsilonOf(elementOf(x)) * (x.limit + 1);
  Value v = x.value;
  switch (pick(14)) {
  case 7:
    return finish(tx::SinOp::create(builder, loc, type, v), 1, x.error, true);
  case 8:
    return finish(tx::CosOp::create(builder, loc, type, v), 1, x.error, true);
  case 9:
    return finish(tx::AtanOp::create(builder, loc, type, v), 2, x.error, true);
  case 10:
    return finish(tx::AsinhOp::create(builder, loc, type, v), 16, x.error,
                  true);
  case 11:
    return finish(tx::CbrtOp::create(builder, loc, type, positive()),
                  std::cbrt(x.limit + 1) + 1, x.error + rounding, true);
  case 12:
    return finish(tx::Log2Op::create(builder, loc, type, positive()),
                  std::log2(x.limit + 2) + 1, 2 * (x.error + rounding), true);
  case 0:
    if (x.limit > 6)
      return std::nullopt;
    return finish(tx::ExpOp::create(builder, loc, type, x.value),
                  std::exp(x.limit), 2 * x.error * std::exp(x.limit), true);
  case 1:
    return finish(tx::LogOp::create(builder, loc, type, positive()),
                  std::log(x.limit + 2) + 1, x.error + rounding, true);
  case 2:
    return finish(tx::TanhOp::create(builder, loc, type, x.value), 1, x.error,
                  true);
  case 3:
    // Correctly rounded: the same bits, NaNs included.
    if (isExact(x))
      return finish(tx::SqrtOp::create(builder, loc, type, x.value), infinity,
                    0, false);
    return finish(tx::SqrtOp::create(builder, loc, type, positive()),
                  std::sqrt(x.limit + 1) + 1, x.error + rounding, true);
  case 4:
    return finish(tx::RsqrtOp::create(builder, loc, type, positive()), 1,
                  x.error + rounding, true);
  case 5:
    return finish(tx::ErfOp::create(builder, loc, type, x.value), 1,
                  1.2 * x.error, true);
  default:
    return finish(tx::SigmoidOp::create(builder, loc, type, x.value), 1,
                  x.error, true);
  }
}

/// (|x| + 1) to the power y.
Generator::Maybe Generator::makePow() {
  Entry x = any();
  Maybe y = isFloat(x) ? fit(partner(x), x) : std::nullopt;
  if (!y || !(x.limit < 100) || !(y->limit < 10))
    return std::nullopt;
  double limit = std::pow(x.limit + 1, y->limit);
  if (limit > 1000)
    return std::nullopt;
  Type type = x.value.getType();
  Value base = tx::AbsOp::create(builder, loc, type, x.value);
  base = tx::AddOp::create(builder, loc, type, base, splat(1, type).value);
  double rounding = epsilonOf(elementOf(x)) * (x.limit + 1);
  double error = limit * (y->limit * (x.error + rounding) +
                          std::log(x.limit + 1) * y->error);
  return finish(tx::PowOp::create(builder, loc, type, base, y->value), limit,
                error, true);
}

Generator::Maybe Generator::makeCompare() {
  Entry x = any();
  Maybe y = fit(partner(x), x);
  if (!y || !isExact(x) || !isExact(*y))
    return std::nullopt;
  Value a = x.value, b = y->value;
  auto made = [](Value value) { return Entry{value, 1, 0}; };
  switch (pick(6)) {
  case 0:
    return made(tx::EqOp::create(builder, loc, a, b));
  case 1:
    return made(tx::NeOp::create(builder, loc, a, b));
  case 2:
    return made(tx::LtOp::create(builder, loc, a, b));
  case 3:
    return made(tx::LeOp::create(builder, loc, a, b));
  case 4:
    return made(tx::GtOp::create(builder, loc, a, b));
  default:
    return made(tx::GeOp::create(builder, loc, a, b));
  }
}

Generator::Maybe Generator::makeSelect() {
  Entry x = any();
  Maybe y = fit(partner(x), x);
  Maybe p = partner(x);
  // An i1 of the same shape, made from whatever was drawn.
  if (p && !isBool(*p))
    p = isExact(*p) ? fitDType(*p, builder.getI1Type()) : std::nullopt;
  if (p)
    p = fitDims(*p, dimsOf(x));
  if (!y || !p)
    return std::nullopt;
  return finish(tx::SelectOp::create(builder, loc, x.value.getType(), p->value,
                                     x.value, y->value),
                std::max(x.limit, y->limit), std::max(x.error, y->error),
                false);
}

/// clamp, and fma, which rounds once.
Generator::Maybe Generator::makeTernary() {
  Entry x = any();
  if (isBool(x))
    return std::nullopt;
  Type type = x.value.getType();
  if (!isFloat(x) || chance(50)) {
    Entry low = splat(pick(3), type), high = splat(3 + pick(3), type);
    return finish(
        tx::ClampOp::create(builder, loc, type, low.value, x.value, high.value),
        std::max(x.limit, 5.0), x.error, false);
  }
  Maybe y = fit(partner(x), x), z = fit(partner(x), x);
  if (!y || !z || !isExact(x) || !isExact(*y) || !isExact(*z))
    return std::nullopt;
  return finish(
      tx::FmaOp::create(builder, loc, type, x.value, y->value, z->value),
      infinity, 0, false);
}

Generator::Maybe Generator::makeClass() {
  Entry x = any();
  if (!isFloat(x) || !isExact(x))
    return std::nullopt;
  Value v = x.value;
  switch (pick(3)) {
  case 0:
    return Entry{tx::IsNanOp::create(builder, loc, v), 1, 0};
  case 1:
    return Entry{tx::IsInfOp::create(builder, loc, v), 1, 0};
  default:
    return Entry{tx::IsFiniteOp::create(builder, loc, v), 1, 0};
  }
}

Generator::Maybe Generator::makeLogic() {
  Entry x = any();
  Maybe y = isFloat(x) ? std::nullopt : fit(partner(x), x);
  if (!y)
    return std::nullopt;
  Type type = x.value.getType();
  double limit = std::ldexp(1.0, elementOf(x).getIntOrFloatBitWidth() - 1);
  if (auto i = dyn_cast<IntegerType>(elementOf(x));
      i && i.getWidth() > 1 && pick(4) == 0) {
    bool toUnsigned = !i.isUnsigned();
    auto other = IntegerType::get(builder.getContext(), i.getWidth(),
                                  toUnsigned ? IntegerType::Unsigned
                                             : IntegerType::Signless);
    return finish(tx::BitcastOp::create(
                      builder, loc, tx::withElementType(type, other), x.value),
                  toUnsigned ? 2 * limit : limit, 0, false);
  }
  switch (pick(3)) {
  case 0:
    return finish(tx::AndOp::create(builder, loc, type, x.value, y->value),
                  limit, 0, false);
  case 1:
    return finish(tx::OrOp::create(builder, loc, type, x.value, y->value),
                  limit, 0, false);
  default:
    return finish(tx::NotOp::create(builder, loc, type, x.value), limit, 0,
                  false);
  }
}

Generator::Maybe Generator::makeConvert() {
  return fitDType(any(), randomDType());
}

} // namespace tensorc::fuzz
