//===- SpecialBuilder.h - Series and loops for special functions ----------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALBUILDER_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALBUILDER_H

#include "codegen/lowering/math/FloatBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tensorc::codegen {

/// A FloatBuilder of f64 with functions of the math dialect, series and loops.
class SpecialBuilder : public FloatBuilder {
public:
  using FloatBuilder::FloatBuilder;

  /// Series stop at terms smaller than this part of their sum. Results that are
  /// rounded to f32 may use a larger value: 2^-36 leaves an error of 2^-12 of
  /// an ulp of f32, and more if terms shrink slowly or if the result is 1 minus
  /// the sum.
  double precision = 0x1p-53;

  template <typename Op> Value call(Value x) {
    return Op::create(getBuilder(), getLoc(), x);
  }
  Value exp(Value x) { return call<mlir::math::ExpOp>(x); }
  Value expm1(Value x) { return call<mlir::math::ExpM1Op>(x); }
  Value log(Value x) { return call<mlir::math::LogOp>(x); }
  Value log1p(Value x) { return call<mlir::math::Log1pOp>(x); }
  Value round(Value x) { return call<mlir::math::RoundEvenOp>(x); }
  Value pow(Value x, Value y) {
    return mlir::math::PowFOp::create(getBuilder(), getLoc(), x, y);
  }
  Value logicalNot(Value condition);

  /// Returns a Chebyshev series by Clenshaw's recurrence, for t in [-1, 1].
  Value chebyshev(Value t, llvm::ArrayRef<double> c);
  /// Returns e^(-factor x^2) for a factor that is a power of two, corrected for
  /// the rounding error of the square.
  Value expOfMinusSquare(Value x, double factor);

  using Step =
      llvm::function_ref<llvm::SmallVector<Value>(mlir::ValueRange, Value)>;
  /// Emits state = step(state, k) for k = 1, 2, ..., at most `most` times,
  /// while the last element of the state, an i1, is true in any lane. Lanes
  /// that have finished continue with the others, so `step` must keep their
  /// state.
  llvm::SmallVector<Value> iterate(llvm::ArrayRef<Value> state, int most,
                                   Step step);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALBUILDER_H
