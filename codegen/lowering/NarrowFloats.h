//===- NarrowFloats.h - Conversion of f16, bf16 and f8 from and to f32 ----===//
#ifndef TENSORC_CODEGEN_LOWERING_NARROWFLOATS_H
#define TENSORC_CODEGEN_LOWERING_NARROWFLOATS_H

#include "mlir/IR/Builders.h"

namespace tensorc::codegen {

struct NarrowFormat;

/// Converts scalars and vectors by integer arithmetic. Widening is exact,
/// narrowing rounds to nearest even; subnormals and NaN are handled. Infinity
/// and values out of range become NaN in f8E4M3FN.
class NarrowFloats {
public:
  /// f16 conversions are left to the target if `f16Converts`.
  NarrowFloats(mlir::OpBuilder &b, bool f16Converts)
      : b(b), f16Converts(f16Converts) {}

  /// Converts f16, bf16 or f8 to f32.
  mlir::Value widen(mlir::Location loc, mlir::Value x);
  /// Converts f32 or f64 to `type` (a narrow float, or a vector of them) with
  /// one rounding.
  mlir::Value round(mlir::Location loc, mlir::Value x, mlir::Type type);

private:
  mlir::Value widenBits(mlir::Location loc, mlir::Value x);
  mlir::Value widenHalf(mlir::Location loc, mlir::Value bits);
  mlir::Value widenE4M3(mlir::Location loc, mlir::Value bits);
  mlir::Value roundToBFloat(mlir::Location loc, mlir::Value x);
  mlir::Value roundTo(mlir::Location loc, mlir::Value x,
                      const NarrowFormat &format);
  mlir::Value roundDoubleToOdd(mlir::Location loc, mlir::Value x);

  mlir::OpBuilder &b;
  bool f16Converts;
};

/// Returns `type` with another element type.
mlir::Type withElement(mlir::Type type, mlir::Type element);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_NARROWFLOATS_H
