//===- Orders.h - What fixes the bits of each kind of fusion ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ORDERS_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ORDERS_H

#include "codegen/emitters/KernelBuilder.h"

namespace tensorc::codegen {

/// Classes of instructions.
constexpr llvm::StringLiteral fmaOrder = "fma", matrixOrder = "matrix",
                              chunksOrder = "chunks", slotsOrder = "slots";

/// Side of a tile of the matrix instructions, and the minimum size of each dim of
/// a product for them: with less, most of an instruction would be zeros.
inline constexpr int64_t matrixSide = 16;

/// Returns the order of a dot_general, from its dtype and sizes. Symbolic sizes
/// count as large, so that K is not split.
mlir::FailureOr<tx::OrderAttr> contractionOrder(KernelBuilder &fusion);
/// Returns the order of softmax(q kT) v.
mlir::FailureOr<tx::OrderAttr> attentionOrder(KernelBuilder &fusion);
/// Returns the side of a grid's tiles for this number of rows, columns and
/// batches, chosen from the sizes alone.
int64_t contractionTile(KernelBuilder &fusion, mlir::AffineExpr batches,
                        mlir::AffineExpr rows, mlir::AffineExpr columns);

/// What the planner knows about a reduction before it has a kernel.
struct ReductionSizes {
  bool isRow;
  mlir::Type element;
  llvm::SmallVector<mlir::AffineExpr> kept;
  mlir::AffineExpr reduced;
};
/// Whether a kernel of it alone is worth a split in two: it has too few work
/// items to fill threads or processors, and they are long. A size with a name
/// is many items, and a long one.
bool isFewAndLong(const ReductionSizes &sizes, tx::DimSpace &names,
                  const TargetInfo &target);

namespace simd {
mlir::FailureOr<tx::OrderAttr> reductionOrder(KernelBuilder &fusion);
bool isFewAndLong(const ReductionSizes &sizes, tx::DimSpace &names,
                  const TargetInfo &target);
mlir::FailureOr<tx::OrderAttr> scanOrder(KernelBuilder &fusion);
} // namespace simd

namespace simt {
mlir::FailureOr<tx::OrderAttr> reductionOrder(KernelBuilder &fusion);
bool isFewAndLong(const ReductionSizes &sizes, tx::DimSpace &names);
mlir::FailureOr<tx::OrderAttr> scanOrder(KernelBuilder &fusion);
} // namespace simt

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_ORDERS_H
