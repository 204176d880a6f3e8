//===- FftSkeleton.h - Fourier transforms on CPUs -------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_FFT_FFTSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_FFT_FFTSKELETON_H

#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/simd/fft/Butterfly.h"
#include "ir/fourier/Plan.h"
#include "ir/tx/Dft.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tensorc::codegen::simd {

/// Two buffers in scratch memory: the real and the imaginary parts.
struct Planes {
  mlir::Value part[2];
};

/// Emits a fusion with a Fourier transform; see FftSkeleton.cpp.
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

  /// True if the lanes can be neighbouring rows: the innermost dim of the
  /// outputs is one of the rows instead of the transformed one, and a group of
  /// rows fits in a thread's scratch memory. Sets `laneDim`.
  bool isAcross();
  mlir::FailureOr<KernelSpec> emitAlong();
  mlir::FailureOr<KernelSpec> emitAcross();

private:
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  tx::DftOp op;
  fourier::Plan plan;
  /// Shape of the transform's result: the two parts, the dims of rows, the
  /// elements of a row.
  llvm::SmallVector<mlir::AffineExpr> shape;
  int64_t lanes;
  Butterfly math;
  mlir::VectorType vector;
  /// The vectorized dim of the transform's result.
  unsigned laneDim;
  /// Index at which an element of the outputs reads the transform, without the
  /// dim of the parts.
  analysis::Index read;
  /// For each dim of the outputs, the dim of the transform that it indexes, if
  /// any.
  llvm::SmallVector<std::optional<unsigned>> dimOf;
  /// The dim of the outputs that selects the real or the imaginary part, or
  /// nullopt if each element reads both parts.
  std::optional<unsigned> partDim;
  /// The dim of the outputs that indexes a row in any order (reversed, shifted,
  /// sliced …), or nullopt if each element reads its own position in the row.
  /// If set, whole rows are kept in scratch memory before outputs are stored.
  std::optional<unsigned> arbitraryDim;
  int64_t scratchBytes = 0;
  /// Double buffer: a step reads one and writes the other.
  Planes planes[2];
  /// The transformed row in scratch memory, if `arbitraryDim` is set.
  Planes spectrum;

  using Load =
      llvm::function_ref<mlir::FailureOr<Complex>(mlir::Value position)>;
  using Store =
      llvm::function_ref<mlir::LogicalResult(mlir::Value position, Complex x)>;

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

  /// Returns the part (0: real, 1: imaginary) to load or store in place of
  /// `part`. An inverse transform is a forward one with the parts swapped
  /// before and after.
  int64_t partIn(int64_t part) { return op.getInverse() ? 1 - part : part; }
  llvm::SmallVector<mlir::AffineExpr> rowSizes() {
    return llvm::SmallVector<mlir::AffineExpr>(
        llvm::ArrayRef(shape).drop_front().drop_back());
  }
  /// Loads both parts of a vector of the operand, starting at element `at` of
  /// `row`.
  mlir::FailureOr<Complex> emitOperand(llvm::ArrayRef<mlir::Value> row,
                                       mlir::Value at, mlir::Value mask);
  /// Stores a vector of results, starting at element `at` of `row`, to the
  /// outputs or to `spectrum`.
  mlir::LogicalResult storeResult(Complex x, llvm::ArrayRef<mlir::Value> row,
                                  mlir::Value at, mlir::Value mask);
  /// Stores a vector of the outputs, starting at `at`. `bindElement` sets the
  /// elements of the transform that they read.
  mlir::LogicalResult
  storeOutputs(llvm::ArrayRef<mlir::Value> row, mlir::Value at,
               mlir::Value mask,
               llvm::function_ref<void(ExpressionEmitter &)> bindElement);
  /// Stores all outputs of a row. The row's transform is in `from`, starting at
  /// `offset`.
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
