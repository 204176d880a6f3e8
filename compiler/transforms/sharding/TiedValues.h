//===- TiedValues.h - Values of loops and branches with equal shardings ---===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_TIEDVALUES_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_TIEDVALUES_H

#include "compiler/transforms/sharding/MeshOf.h"

namespace tensorc::compiler::sharding {

/// Values that are the same at different points of a loop or branch, such as
/// the initial value of a loop, the argument and the result of its block, and
/// the result of the loop. They have the same sharding, up to a shift: dim
/// `shift` of a stacked value is dim 0 of its slices.
struct TiedValues {
  struct Operand {
    // A use by the op, or by the terminator of one of its blocks.
    mlir::OpOperand *use;
    int64_t shift = 0;
  };
  struct Defined {
    mlir::Value value; // an argument of a block, or a result of the op
    int64_t shift = 0;
  };
  llvm::SmallVector<Operand, 4> operands;
  /// The first value determines the sharding of all.
  llvm::SmallVector<Defined, 4> defined;
};

/// Returns the tied values of a loop or branch. Returns none for other ops, and
/// none if a block contains collectives or parts of its own, because its values
/// may differ between ranks.
llvm::SmallVector<TiedValues> tiedValuesOf(mlir::Operation *op);

/// Convert between the sharding of slices and that of the value into which they
/// are stacked.
Sharding stacked(const Sharding &slices, int64_t shift);
Sharding unstacked(const Sharding &stack, int64_t shift);

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_TIEDVALUES_H
