//===- SpecialBuilder.h - What special functions are built of ---*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALBUILDER_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALBUILDER_H

#include "codegen/lowering/math/FloatBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tensorc::codegen {

/// FloatBuilder of f64 with functions of `math`, series and loops.
class SpecialBuilder : public FloatBuilder {
public:
  using FloatBuilder::FloatBuilder;

  /// Series end at terms below this part of their sum. What is rounded to f32
  /// needs fewer: 2^-36 leaves 2^-12 of its ulp, and more where terms shrink
  /// slowly or 1 minus the sum is the result.
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
  Value nor(Value condition); // not

  /// A Chebyshev series by Clenshaw's recurrence, t in [-1, 1].
  Value chebyshev(Value t, llvm::ArrayRef<double> c);
  /// e^(-factor x^2) of a power of two, with what the rounded square lacks.
  Value expOfMinusSquare(Value x, double factor);

  using Step =
      llvm::function_ref<llvm::SmallVector<Value>(mlir::ValueRange, Value)>;
  /// state = step(state, k) for k = 1, 2, ... while the state's last element,
  /// an i1, holds in any lane, `most` times at most. A lane that has ended goes
  /// on with the others: its step must not change what it found.
  llvm::SmallVector<Value> iterate(llvm::ArrayRef<Value> state, int most,
                                   Step step);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALBUILDER_H
