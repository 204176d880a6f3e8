//===- Arithmetic.cpp - i64 arithmetic of programs ------------------------===//
#include "runtime/program/Arithmetic.h"

#include <algorithm>

using namespace tensorc::rt;

static constexpr const char *overflows = "size arithmetic overflows";
static constexpr const char *byZero = "division by zero";

static const char *divide(Op op, int64_t a, int64_t b, int64_t &out) {
  if (b == 0)
    return byZero;
  if (op == Op::DivUnsigned || op == Op::RemUnsigned) {
    uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    out = static_cast<int64_t>(op == Op::DivUnsigned ? x / y : x % y);
    return nullptr;
  }
  if (a == INT64_MIN && b == -1) {
    out = 0;
    return op == Op::RemSigned || op == Op::Mod ? nullptr : overflows;
  }
  int64_t quotient = a / b, rest = a % b;
  bool negative = (a < 0) != (b < 0);
  switch (op) {
  case Op::DivSigned:
    out = quotient;
    break;
  case Op::FloorDiv:
    out = quotient - (rest != 0 && negative);
    break;
  case Op::CeilDiv:
    out = quotient + (rest != 0 && !negative);
    break;
  case Op::RemSigned:
    out = rest;
    break;
  default: // Mod: the result has the divisor's sign.
    out = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  return nullptr;
}

static const char *shift(Op op, int64_t a, int64_t b, int64_t &out) {
  if (b < 0 || b > 63)
    return "a shift by more than 63 bits";
  uint64_t bits = static_cast<uint64_t>(a);
  if (op == Op::ShiftLeft)
    out = static_cast<int64_t>(bits << b);
  else
    out = op == Op::ShiftRight ? a >> b : static_cast<int64_t>(bits >> b);
  return nullptr;
}

static int64_t compareOrSelect(Op op, int64_t a, int64_t b) {
  uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (op) {
  case Op::MinSigned:
    return std::min(a, b);
  case Op::MaxSigned:
    return std::max(a, b);
  case Op::MinUnsigned:
    return x < y ? a : b;
  case Op::MaxUnsigned:
    return x > y ? a : b;
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::Equal:
    return a == b;
  case Op::NotEqual:
    return a != b;
  case Op::LessSigned:
    return a < b;
  case Op::LessEqualSigned:
    return a <= b;
  case Op::LessUnsigned:
    return x < y;
  default:
    return x <= y;
  }
}

const char *tensorc::rt::compute(Op op, int64_t a, int64_t b, int64_t &out) {
  switch (op) {
  case Op::Add:
    return __builtin_add_overflow(a, b, &out) ? overflows : nullptr;
  case Op::Sub:
    return __builtin_sub_overflow(a, b, &out) ? overflows : nullptr;
  case Op::Mul:
    return __builtin_mul_overflow(a, b, &out) ? overflows : nullptr;
  case Op::DivSigned:
  case Op::DivUnsigned:
  case Op::FloorDiv:
  case Op::CeilDiv:
  case Op::RemSigned:
  case Op::RemUnsigned:
  case Op::Mod:
    return divide(op, a, b, out);
  case Op::ShiftLeft:
  case Op::ShiftRight:
  case Op::ShiftRightUnsigned:
    return shift(op, a, b, out);
  default:
    out = compareOrSelect(op, a, b);
    return nullptr;
  }
}
