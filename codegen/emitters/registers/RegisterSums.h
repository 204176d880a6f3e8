//===- RegisterSums.h - Reductions and contractions in registers *- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERSUMS_H
#define TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERSUMS_H

#include "codegen/emitters/registers/RegisterValues.h"
#include "codegen/kernel/TargetInfo.h"
#include "ir/tx/Tx.h"

namespace tensorc::codegen {

/// Reduces x in the order of a row kernel: element p of the reduced dims is
/// accumulated in lane p mod `lanes`, and lanes are then combined by halves.
/// Kernels begin with the neutral element. Here it comes last, which affects
/// only the sign of a sum of zeros.
mlir::FailureOr<RegisterValue> reduceInRegisters(RegisterBuilder &r,
                                                 const TargetInfo &target,
                                                 mlir::Operation *op,
                                                 tx::OrderAttr order,
                                                 const RegisterValue &x);

/// Accumulates the products in the order of k with FMAs, starting at 0.
RegisterValue contractInRegisters(RegisterBuilder &r, tx::DotGeneralOp op,
                                  const RegisterValue &x,
                                  const RegisterValue &y);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERSUMS_H
