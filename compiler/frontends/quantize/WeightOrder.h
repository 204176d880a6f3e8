//===- WeightOrder.h - Element order of a quantized weight ----------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_QUANTIZE_WEIGHTORDER_H
#define TENSORC_COMPILER_FRONTENDS_QUANTIZE_WEIGHTORDER_H

#include "ir/reference/Array.h"

#include "mlir/IR/Builders.h"

namespace tensorc::compiler {

/// The order of a weight's elements in memory, and the ops that restore the
/// original order. The result's dims are innermost, because the vector lanes of
/// a contraction run along them. The two 4-bit elements of a byte are half a
/// group apart, or half of the convolution kernels. A row of bytes then becomes
/// two rows of elements by shifts only.
///
///   k, n -> k / group, group / 2, n, 2     (the dim k of a contraction)
///   o, c -> o / 2, c, 2                    (the dim o of a convolution)
class WeightOrder {
public:
  /// `groups`: number of elements of each dim that share a scale. `summed`: the
  /// reduction dims of the contraction or convolution; the one with groups is
  /// last.
  WeightOrder(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> groups,
              llvm::ArrayRef<int64_t> summed, bool isDot,
              reference::DType dtype);

  /// Rearranges values or scales from the weight's original order to this
  /// order.
  reference::Array arrange(const reference::Array &from) const;
  /// Adds the ops that restore the weight's original order.
  mlir::Value restore(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value x) const;

private:
  llvm::SmallVector<int64_t> shape, dims;
  /// Index in `dims` of the dim whose two halves share bytes; -1 if there is
  /// none.
  int64_t split = -1;
  /// True if each group of the dim is halved, instead of the whole dim.
  bool isGrouped = false;
  int64_t parts = 1;
};

/// Creates a constant of the program.
mlir::Value constantOf(mlir::OpBuilder &b, mlir::Location loc,
                       const reference::Array &array);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_FRONTENDS_QUANTIZE_WEIGHTORDER_H
