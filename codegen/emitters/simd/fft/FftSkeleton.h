//===- FftSkeleton.h - Kernels around a Fourier transform -----------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_FFT_FFTSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_FFT_FFTSKELETON_H

#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/simd/fft/Butterfly.h"
#include "ir/fourier/Plan.h"
#include "ir/tx/Dft.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tensorc::codegen::simd {

/// Scratch for real and for imaginary parts.
struct Planes {
  mlir::Value part[2];
};

class FftSkeleton {
public:
  FftSkeleton(KernelBuilder &kernel, tx::DftOp op)
      : kernel(kernel), b(kernel.b), op(op),
        plan(op.getType().getShape().back()),
        shape(kernel.dims(op.getResult())), lanes(registerLanes(kernel)),
        math(b, kernel.target.hasFma()),
        vector(mlir::VectorType::get({lanes}, op.getType().getElementType())),
        laneDim(shape.size() - 1) {
    findRead();
  }

  /// Whether the outputs, and so lanes, lie along other rows than the
  /// transform's, and these fit a thread's scratch.
  bool isAcross();
  mlir::FailureOr<KernelSpec> emitAlong();
  mlir::FailureOr<KernelSpec> emitAcross();

private:
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  tx::DftOp op;
  fourier::Plan plan;
  /// Shape of the transform's result: the parts, the dims of rows, a row.
  llvm::SmallVector<mlir::AffineExpr> shape;
  int64_t lanes;
  Butterfly math;
  mlir::VectorType vector;
  /// The dim of the transform's result that lanes run along.
  unsigned laneDim;
  /// Index at which an element of the outputs reads the transform, without the
  /// part.
  analysis::Index read;
  /// The dim of the transform for each dim of the outputs, if there is one.
  llvm::SmallVector<std::optional<unsigned>> dimOf;
  /// The dim of the outputs that the parts lie along; none if each element
  /// needs both.
  std::optional<unsigned> partDim;
  /// The dim of the outputs along which they read a row anywhere; none if each
  /// element reads its own place. Rows stay in scratch then until all of
  /// their elements are there.
  std::optional<unsigned> anywhereDim;
  int64_t scratchBytes = 0;
  /// Double buffer of the steps: one is read while the other is written.
  Planes planes[2];
  /// A row that outputs read anywhere.
  Planes spectrum;

  using Load = llvm::function_ref<mlir::FailureOr<Complex>(mlir::Value place)>;
  using Store =
      llvm::function_ref<mlir::LogicalResult(mlir::Value place, Complex x)>;

  mlir::Value index(int64_t v) { return indexConstant(kernel, v); }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::AddIOp>(x, y);
  }
  mlir::Value mul(mlir::Value x, int64_t y) {
    return b.createOrFold<mlir::arith::MulIOp>(x, index(y));
  }
  int64_t padded(int64_t count) {
    return static_cast<int64_t>(llvm::alignTo(count, lanes));
  }
  mlir::LogicalResult
  loop(mlir::Value lower, mlir::Value upper, int64_t step,
       llvm::function_ref<mlir::LogicalResult(mlir::Value i)> body);
  mlir::LogicalResult
  loop(int64_t count, int64_t step,
       llvm::function_ref<mlir::LogicalResult(mlir::Value i)> body) {
    return loop(index(0), index(count), step, body);
  }

  void findRead();
  mlir::Value table() {
    return kernel.buffer(mlir::cast<mlir::BlockArgument>(op.getTable()));
  }
  Planes takeScratch(int64_t count);
  Complex loadVector(const Planes &from, mlir::Value at);
  void storeVector(Complex x, const Planes &to, mlir::Value at);
  mlir::Value root(mlir::Value at);

  /// An inverse transform swaps real and imaginary parts before and after.
  int64_t partIn(int64_t part) { return op.getInverse() ? 1 - part : part; }
  llvm::SmallVector<mlir::AffineExpr> rowSizes() {
    return llvm::SmallVector<mlir::AffineExpr>(
        llvm::ArrayRef(shape).drop_front().drop_back());
  }
  /// Loads both parts of the operand's lanes of a row, from `at` on.
  mlir::FailureOr<Complex> emitOperand(llvm::ArrayRef<mlir::Value> row,
                                       mlir::Value at, mlir::Value mask);
  /// Stores the result of lanes from `at` on to the outputs, or to the row's
  /// scratch.
  mlir::LogicalResult storeResult(Complex x, llvm::ArrayRef<mlir::Value> row,
                                  mlir::Value at, mlir::Value mask);
  /// Lanes of the outputs from `at` on; `give` says what the transform is.
  mlir::LogicalResult
  storeOutputs(llvm::ArrayRef<mlir::Value> row, mlir::Value at,
               mlir::Value mask,
               llvm::function_ref<void(ExpressionEmitter &)> give);
  /// All outputs of a row that lies in `from`, from `offset` on.
  mlir::LogicalResult storeRow(llvm::ArrayRef<mlir::Value> row,
                               const Planes &from, mlir::Value offset);

  mlir::LogicalResult transform(llvm::ArrayRef<int64_t> radices, int64_t length,
                                int64_t roots, Load load, Store store);
  mlir::LogicalResult transpose(const Planes &from, mlir::Value at,
                                int64_t stride, int64_t advance,
                                const Planes &to, int64_t toStride,
                                int64_t toAdvance, int64_t count);
  mlir::LogicalResult emitRows(mlir::Value item);
  mlir::LogicalResult transformColumns(llvm::ArrayRef<mlir::Value> row,
                                       const Planes &matrix);
  mlir::LogicalResult transformMatrixRows(llvm::ArrayRef<mlir::Value> row,
                                          const Planes &matrix);
  mlir::LogicalResult transformAcross(llvm::ArrayRef<mlir::Value> row,
                                      const Planes &matrix, mlir::Value mask);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_FFT_FFTSKELETON_H
