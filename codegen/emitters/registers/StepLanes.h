//===- StepLanes.h - Vectorizes a loop over its steps -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_REGISTERS_STEPLANES_H
#define TENSORC_CODEGEN_EMITTERS_REGISTERS_STEPLANES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tensorc::codegen {

/// Vectorizes a loop of scalars over its steps: ops that are not part of a
/// recurrence are computed for `lanes` steps at once, between the recurrences.
/// The original loop remains for the tail. Does nothing if this would not pay
/// off.
void distributeSteps(mlir::scf::ForOp loop, int64_t lanes);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_STEPLANES_H
