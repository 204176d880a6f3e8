//===- Orders.h - Order of additions of each kind of fusion -----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ORDERS_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ORDERS_H

#include "codegen/emitters/KernelBuilder.h"

namespace tensorc::codegen {

/// Classes of orders: by FMAs, by matrix instructions, in chunks, in slots.
constexpr llvm::StringLiteral fmaOrder = "fma", matrixOrder = "matrix",
                              chunksOrder = "chunks", slotsOrder = "slots";

/// Side of a tile of the matrix instructions. Products with a smaller dim do
/// not use them: most of a tile would be zeros.
inline constexpr int64_t matrixSide = 16;

/// Returns the order of a dot_general, from its dtype and sizes. Symbolic sizes
/// count as large, so that K is not split.
mlir::FailureOr<tx::OrderAttr> contractionOrder(KernelBuilder &fusion);
/// Returns the order of softmax(q kT) v.
mlir::FailureOr<tx::OrderAttr> attentionOrder(KernelBuilder &fusion);
/// Returns the side of a grid's tiles, chosen from the numbers of rows, columns
/// and batches alone.
int64_t contractionTile(KernelBuilder &fusion, mlir::AffineExpr batches,
                        mlir::AffineExpr rows, mlir::AffineExpr columns);

/// The sizes of a reduction, for planning before there is a kernel.
struct ReductionSizes {
  bool isRow;
  mlir::Type element;
  llvm::SmallVector<mlir::AffineExpr> kept;
  mlir::AffineExpr reduced;
};
/// True if a reduction as a kernel of its own should be split in two: it has
/// too few work items to occupy the device, and they are long. Symbolic sizes
/// count as many items and as long ones.
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
