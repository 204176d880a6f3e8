//===- MakeMath.cpp - Random math functions -------------------------------===//

#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

/// |x| + c
Value Generator::above(const Entry &x, double c) {
  Type type = x.value.getType();
  Value v = tx::AbsOp::create(builder, loc, type, x.value);
  return tx::AddOp::create(builder, loc, type, v, splat(c, type).value);
}

/// Functions that grow like exp.
Generator::Maybe Generator::makeGrowing() {
  Entry x = any();
  if (!isFloat(x) || x.limit > 6)
    return std::nullopt;
  Type type = x.value.getType();
  double limit = std::exp(x.limit), error = 2 * x.error * limit;
  Value v = x.value;
  switch (pick(4)) {
  case 0:
    return finish(tx::Exp2Op::create(builder, loc, type, v), limit, error,
                  true);
  case 1:
    return finish(tx::Expm1Op::create(builder, loc, type, v), limit, error,
                  true);
  case 2:
    return finish(tx::SinhOp::create(builder, loc, type, v), limit, error,
                  true);
  default:
    return finish(tx::CoshOp::create(builder, loc, type, v), limit, error,
                  true);
  }
}

/// Functions with poles, or defined on a part only: of sin(x) / 2, where their
/// slopes are below 1.4.
Generator::Maybe Generator::makeBounded() {
  Entry x = any();
  if (!isFloat(x) || !(x.limit < 1e6))
    return std::nullopt;
  Type type = x.value.getType();
  Value v = tx::SinOp::create(builder, loc, type, x.value);
  v = tx::MulOp::create(builder, loc, type, v, splat(0.5, type).value);
  double error = 1.4 * (x.error + 2 * epsilonOf(elementOf(x)));
  switch (pick(4)) {
  case 0:
    return finish(tx::TanOp::create(builder, loc, type, v), 1, error, true);
  case 1:
    return finish(tx::AsinOp::create(builder, loc, type, v), 1, error, true);
  case 2:
    return finish(tx::AcosOp::create(builder, loc, type, v), 3, error, true);
  default:
    return finish(tx::AtanhOp::create(builder, loc, type, v), 1, error, true);
  }
}

Generator::Maybe Generator::makeLogarithm() {
  Entry x = any();
  if (!isFloat(x) || !(x.limit < 1e6))
    return std::nullopt;
  Type type = x.value.getType();
  double limit = std::log(x.limit + 2) + 2;
  double error = x.error + 2 * epsilonOf(elementOf(x)) * (x.limit + 2);
  switch (pick(3)) {
  case 0:
    return finish(tx::Log10Op::create(builder, loc, type, above(x, 1)), limit,
                  error, true);
  case 1:
    return finish(tx::Log1pOp::create(builder, loc, type, above(x, 0)), limit,
                  error, true);
  default:
    return finish(tx::AcoshOp::create(builder, loc, type, above(x, 2)), limit,
                  error, true);
  }
}

Generator::Maybe Generator::makeBinaryMath() {
  Entry x = any();
  Maybe y = isFloat(x) ? fit(partner(x), x) : std::nullopt;
  if (!y || !(x.limit < 1e6) || !(y->limit < 1e6))
    return std::nullopt;
  Type type = x.value.getType();
  double limit = x.limit + y->limit, error = x.error + y->error;
  switch (pick(3)) {
  case 0:
    return finish(
        tx::Atan2Op::create(builder, loc, type, x.value, above(*y, 1)), 2,
        error + 2 * epsilonOf(elementOf(x)) * (limit + 1), true);
  case 1:
    return finish(tx::HypotOp::create(builder, loc, type, x.value, y->value),
                  limit, error, true);
  default:
    return finish(
        tx::LogaddexpOp::create(builder, loc, type, x.value, y->value),
        limit + 1, error, true);
  }
}

} // namespace tensorc::fuzz
