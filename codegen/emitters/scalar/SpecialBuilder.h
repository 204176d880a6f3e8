//===- SpecialBuilder.h - Series and loops for special functions ----------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALBUILDER_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALBUILDER_H

#include "codegen/lowering/math/FloatBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tensorc::codegen {

/// A FloatBuilder of f64 with the functions of the math dialect, Chebyshev
/// series and loops.
class SpecialBuilder : public FloatBuilder {
public:
  using FloatBuilder::FloatBuilder;

  /// A series stops at a term smaller than this fraction of its sum. For
  /// results in f32, 2^-36 would suffice: the error is 2^-12 ulp of f32, or
  /// more if terms shrink slowly or if the result is 1 minus the sum.
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

  /// Evaluates a Chebyshev series with coefficients c at t in [-1, 1] by
  /// Clenshaw's recurrence.
  Value chebyshev(Value t, llvm::ArrayRef<double> c);
  /// Returns e^(-factor x^2) with a correction for the rounding error of the
  /// square. `factor` must be a power of two.
  Value expOfMinusSquare(Value x, double factor);

  using Step =
      llvm::function_ref<llvm::SmallVector<Value>(mlir::ValueRange, Value)>;
  /// Emits a loop state = step(state, k) for k = 1, 2, ..., with at most
  /// `maxSteps` steps. The last element of the state is an i1 per lane that
  /// says whether the lane needs more steps. The loop ends when no lane does.
  /// Until then `step` runs for all lanes, so it must leave those that have
  /// finished unchanged.
  llvm::SmallVector<Value> iterate(llvm::ArrayRef<Value> state, int maxSteps,
                                   Step step);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALBUILDER_H
