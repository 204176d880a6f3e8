//===- NarrowFloats.h - Conversion of f16, bf16 and f8 from and to f32 ----===//
#ifndef TENSORC_CODEGEN_LOWERING_NARROWFLOATS_H
#define TENSORC_CODEGEN_LOWERING_NARROWFLOATS_H

#include "mlir/IR/Builders.h"

namespace tensorc::codegen {

struct NarrowFormat;

/// Conversions that the target has instructions for.
struct NativeConversions {
  /// Between f16 and f32.
  bool f16 = false;
  /// From f32 to bf16, to nearest even; every NaN becomes 0x7FFF. Arithmetic of
  /// f32 must return no NaN but 0x7FFFFFFF.
  bool roundsBFloat = false;
};

/// Converts between f32 and narrow floats (scalars or vectors) by integer
/// arithmetic. Widening is exact, and narrowing rounds to nearest even, with
/// subnormal numbers and NaN handled. In f8E4M3FN, infinity and numbers out of
/// range become NaN.
class NarrowFloats {
public:
  NarrowFloats(mlir::OpBuilder &b, NativeConversions native)
      : b(b), native(native) {}

  /// Converts f16, bf16 or f8 to f32.
  mlir::Value widen(mlir::Location loc, mlir::Value x);
  /// Converts f32 or f64 to `type` (a narrow float or a vector of them) with a
  /// single rounding.
  mlir::Value round(mlir::Location loc, mlir::Value x, mlir::Type type);
  /// Converts f32 to bf16 without rounding, for numbers that bf16 represents.
  /// Quiets NaN, as `round` does.
  mlir::Value truncateToBFloat(mlir::Location loc, mlir::Value x,
                               mlir::Type type);

private:
  mlir::Value widenBits(mlir::Location loc, mlir::Value x);
  mlir::Value widenHalf(mlir::Location loc, mlir::Value bits);
  mlir::Value widenE4M3(mlir::Location loc, mlir::Value bits);
  mlir::Value roundToBFloat(mlir::Location loc, mlir::Value x);
  mlir::Value roundNatively(mlir::Location loc, mlir::Value x, mlir::Type type);
  mlir::Value roundTo(mlir::Location loc, mlir::Value x,
                      const NarrowFormat &format);
  mlir::Value roundDoubleToOdd(mlir::Location loc, mlir::Value x);

  mlir::OpBuilder &b;
  NativeConversions native;
};

/// Returns `type` with its element type replaced.
mlir::Type withElement(mlir::Type type, mlir::Type element);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_NARROWFLOATS_H
