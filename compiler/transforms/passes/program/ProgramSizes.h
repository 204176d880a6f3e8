//===- ProgramSizes.h - Sizes as words of the host program ----------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_PROGRAMSIZES_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_PROGRAMSIZES_H

#include "ir/program/Txp.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::compiler {

/// Makes i64 words of the sizes that a program's kernels and checks ask for.
struct ProgramSizes {
  explicit ProgramSizes(mlir::ImplicitLocOpBuilder &b)
      : names(b.getContext()), b(b) {}

  /// What the symbols of the kernels' index maps stand for.
  tx::DimSpace names;
  /// The word of each name that is bound.
  llvm::DenseMap<shape::Dim, mlir::Value> of;

  mlir::Value word(int64_t v) {
    return mlir::arith::ConstantIntOp::create(b, v, 64);
  }
  mlir::Value value(shape::Dim dim);
  mlir::Value value(mlir::AffineExpr expr) { return value(names.dim(expr)); }
  mlir::Value bytesOf(mlir::Type tensor);
  /// Fails the run with the message unless that holds.
  void require(mlir::Value holds, const llvm::Twine &message);
  void require(mlir::arith::CmpIPredicate predicate, mlir::Value x,
               mlir::Value y, const llvm::Twine &message);
  /// Where sizes that could be negative were found not to be.
  llvm::DenseMap<shape::Dim, mlir::Block *> notNegative;

private:
  mlir::ImplicitLocOpBuilder &b;

  friend class SizeChecks;
};

/// What only the sizes of a run can tell: asserts for one op of a program or
/// of a fusion, whose inputs' words `input` gives.
void checkSizes(ProgramSizes &sizes, mlir::Operation *op,
                llvm::function_ref<mlir::Value(unsigned)> input = nullptr);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_PROGRAMSIZES_H
