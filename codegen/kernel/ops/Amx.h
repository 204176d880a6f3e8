//===- Amx.h - Ops of the txk dialect on tile registers of AMX --*- C++ -*-===//
//
// The ops are declared in TxkAmx.td.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_OPS_AMX_H
#define TENSORC_CODEGEN_KERNEL_OPS_AMX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

namespace tensorc::txk {

/// Facts of tile registers.
struct AmxTile {
  /// Rows of a register, and 32-bit words of a row.
  static constexpr int64_t side = 16;
  static constexpr int64_t words = side * side;
  /// Use of the eight registers: four for sums, two for x, two for y.
  static constexpr int64_t firstOfX = 4, firstOfY = 6;
  static constexpr int64_t count = 8;
};

} // namespace tensorc::txk

#define GET_OP_CLASSES
#include "codegen/kernel/ops/TxkAmx.h.inc"

#endif // TENSORC_CODEGEN_KERNEL_OPS_AMX_H
