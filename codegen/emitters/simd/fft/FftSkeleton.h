//===- FftSkeleton.h - Fourier transforms on CPUs -------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_FFT_FFTSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_FFT_FFTSKELETON_H

#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/simd/fft/Butterfly.h"
#include "ir/fourier/Plan.h"
#include "ir/tx/Dft.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tensorc::codegen::simd {

/// Two scratch buffers: real and imaginary parts.
struct Planes {
  mlir::Value part[2];
};

/// Emits fusions around a Fourier transform; see FftSkeleton.cpp.
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

  /// True if lanes are rows: the outputs' innermost dim is a dim of rows and
  /// not the transformed one, and a group of rows fits in a thread's scratch.
  /// Sets `laneDim`.
  bool isAcross();
  mlir::FailureOr<KernelSpec> emitAlong();
  mlir::FailureOr<KernelSpec> emitAcross();

private:
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  tx::DftOp op;
  fourier::Plan plan;
  /// Shape of the transform's result: real and imaginary part, dims of rows,
  /// elements of a row.
  llvm::SmallVector<mlir::AffineExpr> shape;
  int64_t lanes;
  Butterfly math;
  mlir::VectorType vector;
  /// The dim of the transform's result along which lanes run.
  unsigned laneDim;
  /// Index at which an element of the outputs reads the transform, without the
  /// dim of real and imaginary parts.
  analysis::Index read;
  /// Maps each dim of the outputs to the dim of the transform that it indexes,
  /// if any.
  llvm::SmallVector<std::optional<unsigned>> dimOf;
  /// The dim of the outputs that selects the real or the imaginary part. None
  /// if each element of the outputs reads both parts.
  std::optional<unsigned> partDim;
  /// The dim of the outputs along which they index a row arbitrarily (reversed,
  /// shifted, sliced …). None if each element reads its own position of the
  /// row. With it, a whole row is kept in scratch before outputs are stored.
  std::optional<unsigned> anywhereDim;
  int64_t scratchBytes = 0;
  /// Ping-pong buffers: a step reads one and writes the other.
  Planes planes[2];
  /// The transformed row, kept in scratch if `anywhereDim` is set.
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

  /// Maps a part (0: real, 1: imaginary) to the part that is read or written.
  /// An inverse transform is a forward one with its parts swapped at both ends.
  int64_t partIn(int64_t part) { return op.getInverse() ? 1 - part : part; }
  llvm::SmallVector<mlir::AffineExpr> rowSizes() {
    return llvm::SmallVector<mlir::AffineExpr>(
        llvm::ArrayRef(shape).drop_front().drop_back());
  }
  /// Loads both parts of a vector of the operand: elements `at` and following
  /// of `row`.
  mlir::FailureOr<Complex> emitOperand(llvm::ArrayRef<mlir::Value> row,
                                       mlir::Value at, mlir::Value mask);
  /// Stores a vector of results, from element `at` of `row` on, to the outputs
  /// or to `spectrum`.
  mlir::LogicalResult storeResult(Complex x, llvm::ArrayRef<mlir::Value> row,
                                  mlir::Value at, mlir::Value mask);
  /// Stores a vector of the outputs from `at` on. `give` binds the values of
  /// the transform.
  mlir::LogicalResult
  storeOutputs(llvm::ArrayRef<mlir::Value> row, mlir::Value at,
               mlir::Value mask,
               llvm::function_ref<void(ExpressionEmitter &)> give);
  /// Stores all outputs of a row whose transform lies in `from` at `offset`.
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
