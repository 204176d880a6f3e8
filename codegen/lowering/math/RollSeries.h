//===- RollSeries.h - Evaluates series of f64 in loops ----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_MATH_ROLLSERIES_H
#define TENSORC_CODEGEN_LOWERING_MATH_ROLLSERIES_H

#include "mlir/IR/Operation.h"

namespace tensorc::codegen {

/// Replaces unrolled series of scalars of f64 (Horner's rule and Clenshaw's
/// recurrence) by loops over tables of their coefficients. The results are the
/// same. For targets on which an operation of f64 is hundreds of instructions.
void rollSeries(mlir::Operation *root);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_MATH_ROLLSERIES_H
