//===- Arithmetic.h - i64 arithmetic of programs ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_ARITHMETIC_H
#define TENSORC_RUNTIME_PROGRAM_ARITHMETIC_H

#include "runtime/abi/Bytecode.h"

namespace tensorc::rt {

inline bool isArithmetic(Op op) {
  return op >= Op::Add && op <= Op::LessEqualUnsigned;
}

/// Computes `out = a op b`. Returns null, or an error text. Overflow is an
/// error, because a size that wraps around would make an allocation too small.
const char *compute(Op op, int64_t a, int64_t b, int64_t &out);

} // namespace tensorc::rt

#endif
