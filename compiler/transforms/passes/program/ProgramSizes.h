//===- ProgramSizes.h - Sizes as i64 values of the host program -----------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_PROGRAMSIZES_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_PROGRAMSIZES_H

#include "ir/program/Txp.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::compiler {

/// Computes the sizes that a program's kernels and checks need, as i64 values.
struct ProgramSizes {
  explicit ProgramSizes(mlir::ImplicitLocOpBuilder &b)
      : names(b.getContext()), b(b) {}

  /// The sizes that the symbols of the kernels' index maps denote.
  tx::DimSpace names;
  /// The value of each symbol that is bound.
  llvm::DenseMap<shape::Dim, mlir::Value> of;

  mlir::Value word(int64_t v) {
    return mlir::arith::ConstantIntOp::create(b, v, 64);
  }
  mlir::Value value(shape::Dim dim);
  mlir::Value value(mlir::AffineExpr expr) { return value(names.dim(expr)); }
  mlir::Value bytesOf(mlir::Type tensor);
  /// Makes the run fail with the message unless the condition holds.
  void require(mlir::Value holds, const llvm::Twine &message);
  void require(mlir::arith::CmpIPredicate predicate, mlir::Value x,
               mlir::Value y, const llvm::Twine &message);
  /// The block in which a size was first checked to be nonnegative.
  llvm::DenseMap<shape::Dim, mlir::Block *> notNegative;

private:
  mlir::ImplicitLocOpBuilder &b;

  friend class SizeChecks;
};

/// Emits run-time checks of the sizes of one op of a program or of a fusion.
/// `input` returns the values of the fusion's inputs.
void checkSizes(ProgramSizes &sizes, mlir::Operation *op,
                llvm::function_ref<mlir::Value(unsigned)> input = nullptr);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_PROGRAMSIZES_H
