//===- Ops.h - The interpreter's ops that are not element-wise ------------===//
#ifndef TENSORC_IR_REFERENCE_OPS_H
#define TENSORC_IR_REFERENCE_OPS_H

#include "ir/reference/Array.h"
#include "ir/tx/Tx.h"

namespace tensorc::reference {

/// Each computes `result`, whose dtype and shape are set.
void constant(mlir::ElementsAttr value, Array &result);
void randomBits(tx::RandomBitsOp op, const Array &key, const Array *counter,
                Array &result);
void iota(tx::IotaOp op, Array &result);
void broadcast(tx::BroadcastOp op, const Array &x, Array &result);
void transpose(tx::TransposeOp op, const Array &x, Array &result);
void pad(tx::PadOp op, const Array &x, const Array &value, Array &result);
void concatenate(tx::ConcatenateOp op, llvm::ArrayRef<const Array *> inputs,
                 Array &result);
void reduce(mlir::Operation *op, llvm::ArrayRef<int64_t> dims, const Array &x,
            Array &result);
/// cumsum and its siblings.
void scan(mlir::Operation *op, int64_t dim, bool reverse, bool exclusive,
          const Array &x, Array &result);
/// sort, or argsort where `indices`.
void sort(int64_t dim, bool descending, bool indices, const Array &x,
          Array &result);
void dotGeneral(tx::DotGeneralOp op, const Array &x, const Array &y,
                Array &result);

/// How a reduction or scan combines two elements, and the element that
/// combining does not change. `Wide` is double, int64_t or uint64_t.
template <typename Wide> struct Combine {
  Wide neutral;
  Wide (*fn)(Wide, Wide);
};
template <typename Wide>
Combine<Wide> combineOf(llvm::StringRef op, DType dtype);

/// Fails if a dynamic offset makes it read outside x.
void windows(tx::WindowsOp op, const Array &x, Array &result);
void gather(tx::GatherOp op, const Array &x, const Array &indices,
            Array &result);
void dynamicSlice(tx::DynamicSliceOp op, const Array &x,
                  llvm::ArrayRef<const Array *> starts, Array &result);
void dynamicUpdateSlice(tx::DynamicUpdateSliceOp op, const Array &x,
                        const Array &update,
                        llvm::ArrayRef<const Array *> starts, Array &result);
void scatter(tx::ScatterOp op, const Array &x, const Array &indices,
             const Array &updates, Array &result);
mlir::LogicalResult slice(tx::SliceOp op, llvm::ArrayRef<int64_t> offsets,
                          const Array &x, Array &result);
/// Fails if symbolic sizes turn out not to have one product.
mlir::LogicalResult reshape(tx::ReshapeOp op, const Array &x, Array &result);
/// argmax and argmin; fails over no elements.
void argument(llvm::ArrayRef<int64_t> dims, bool smallest, const Array &x,
              Array &result);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_OPS_H
