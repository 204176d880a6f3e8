//===- Butterfly.h - Small Fourier transforms in registers ----------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_FFT_BUTTERFLY_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_FFT_BUTTERFLY_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen::simd {

/// A vector of complex numbers, as vectors of the real and of the imaginary
/// parts.
struct Complex {
  mlir::Value re, im;
};

/// Emits complex arithmetic and small Fourier transforms, with FMAs if the
/// target has them.
class Butterfly {
public:
  Butterfly(mlir::ImplicitLocOpBuilder &b, bool hasFma)
      : b(b), hasFma(hasFma) {}

  /// Transforms x in each lane. The length of x is one of the radices in
  /// ir/fourier/Plan.h.
  llvm::SmallVector<Complex> transform(llvm::ArrayRef<Complex> x);
  Complex multiply(Complex x, Complex y);

private:
  mlir::ImplicitLocOpBuilder &b;
  bool hasFma;

  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value scale(mlir::Value x, double factor);
  /// Return x * y + z and x * y - z.
  mlir::Value multiplyAdd(mlir::Value x, mlir::Value y, mlir::Value z);
  mlir::Value multiplySub(mlir::Value x, mlir::Value y, mlir::Value z);
  mlir::Value splat(mlir::Type type, double value);
  Complex add(Complex x, Complex y) {
    return {add(x.re, y.re), add(x.im, y.im)};
  }
  Complex sub(Complex x, Complex y) {
    return {sub(x.re, y.re), sub(x.im, y.im)};
  }
  /// Return x - i y and x + i y.
  Complex subTimesI(Complex x, Complex y);
  Complex addTimesI(Complex x, Complex y);

  llvm::SmallVector<Complex> four(llvm::ArrayRef<Complex> x);
  llvm::SmallVector<Complex> eight(llvm::ArrayRef<Complex> x);
  llvm::SmallVector<Complex> odd(llvm::ArrayRef<Complex> x);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_FFT_BUTTERFLY_H
