//===- ClampedStart.h - Computed starts of slices ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_CLAMPEDSTART_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_CLAMPEDSTART_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen {

/// Clamps a start of dtype `element` to 0 <= start <= highest, before a cast
/// could truncate an unsigned one, and returns it as an index. `highest` is an
/// i64, or a vector of them if `start` is a vector.
mlir::Value clampStart(mlir::ImplicitLocOpBuilder &b, mlir::Value start,
                       mlir::Type element, mlir::Value highest);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_CLAMPEDSTART_H
