//===- WeightOrder.h - How a quantized weight lies in memory --------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_QUANTIZE_WEIGHTORDER_H
#define TENSORC_COMPILER_FRONTENDS_QUANTIZE_WEIGHTORDER_H

#include "ir/reference/Array.h"

#include "mlir/IR/Builders.h"

namespace tensorc::compiler {

/// How a weight lies in memory, and the ops that give its own order back. A
/// contraction reads its result's dims innermost, for lanes that run over them.
/// The 4 bits of a byte are elements half a group, or half the kernels, apart:
/// two rows of bytes become twice as many rows of elements by shifts alone.
///
///   k, n -> k / group, group / 2, n, 2     (the dim k of a contraction)
///   o, c -> o / 2, c, 2                    (the dim o of a convolution)
class WeightOrder {
public:
  /// `groups`: how many elements of each dim share a scale. `summed`: the dims
  /// that a contraction or convolution sums over, the one with groups last.
  WeightOrder(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> groups,
              llvm::ArrayRef<int64_t> summed, bool isDot,
              reference::DType dtype);

  /// Values or scales in this order; these are in the weight's.
  reference::Array arrange(const reference::Array &from) const;
  /// The weight in its own order.
  mlir::Value restore(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value x) const;

private:
  llvm::SmallVector<int64_t> shape, dims;
  /// Where among `dims` the one is whose halves share bytes; -1: none.
  int64_t split = -1;
  /// Halves of each of its groups, or of the whole.
  bool isGrouped = false;
  int64_t parts = 1;
};

/// A constant of the program.
mlir::Value constantOf(mlir::OpBuilder &b, mlir::Location loc,
                       const reference::Array &array);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_FRONTENDS_QUANTIZE_WEIGHTORDER_H
