//===- RegisterLoopCosts.h - Costs of loops in registers --------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_REGISTERLOOPCOSTS_H
#define TENSORC_CODEGEN_KERNEL_REGISTERLOOPCOSTS_H

#include <cstdint>

/// Costs of loops in registers: codegen/kernel/costs/RegisterLoops.def.
namespace tensorc::codegen::loopCosts {

#define CPU_COST(NAME, VALUE, SOURCE, ORIGIN, COMMAND)                         \
  inline constexpr int64_t NAME = VALUE;
#include "codegen/kernel/costs/RegisterLoops.def"

} // namespace tensorc::codegen::loopCosts

#endif // TENSORC_CODEGEN_KERNEL_REGISTERLOOPCOSTS_H
