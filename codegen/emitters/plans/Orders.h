//===- Orders.h - Order of additions of each kind of fusion -----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ORDERS_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ORDERS_H

#include "codegen/emitters/KernelBuilder.h"
#include "ir/tx/Chains.h"

namespace tensorc::codegen {

/// Names of the classes of orders, by how values are accumulated: with FMAs,
/// with matrix instructions, in chunks of the reduced dim, or in interleaved
/// slots. tx::chainsOrder is another one.
constexpr llvm::StringLiteral fmaOrder = "fma", matrixOrder = "matrix",
                              chunksOrder = "chunks", slotsOrder = "slots";

inline bool isFma(tx::OrderAttr order) {
  return order.getInstruction() == fmaOrder;
}

/// Side of a tile of the matrix instructions. Products with a smaller dim do
/// not use them, because most of a tile would be padding.
inline constexpr int64_t matrixSide = 16;

/// Returns the order of a dot_general, from its dtype and sizes. A symbolic
/// size counts as large, so K is not split.
mlir::FailureOr<tx::OrderAttr> contractionOrder(KernelBuilder &fusion);
/// Returns the order of an attention, softmax(q k^T) v.
mlir::FailureOr<tx::OrderAttr> attentionOrder(KernelBuilder &fusion);
/// Returns the side of the tiles of a SIMT contraction. It depends only on the
/// numbers of rows, columns and batches.
int64_t contractionTile(KernelBuilder &fusion, mlir::AffineExpr batches,
                        mlir::AffineExpr rows, mlir::AffineExpr columns);

/// The sizes of a reduction, known before a kernel is built.
struct ReductionSizes {
  bool isRow;
  mlir::Type element;
  llvm::SmallVector<mlir::AffineExpr> kept;
  mlir::AffineExpr reduced;
};
/// True if a reduction that is not fused with another one should be split into
/// two kernels, because its work items are too few to occupy the device, and
/// long. Symbolic sizes count as many and long work items.
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
