//===- TiedValues.h - Values of loops and branches that are split alike ---===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_TIEDVALUES_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_TIEDVALUES_H

#include "compiler/transforms/sharding/MeshOf.h"

namespace tensorc::compiler::sharding {

/// Values that are the same at different places of a loop or branch, such as
/// the initial value of a loop, the argument and the result of its block, and
/// the result of the loop. They are split alike, up to a shift: dim `shift` of a
/// stacked value is dim 0 of its slices.
struct TiedValues {
  struct Operand {
    mlir::OpOperand *use; // by the op, or by the end of one of its blocks
    int64_t shift = 0;
  };
  struct Defined {
    mlir::Value value; // an argument of a block, or a result of the op
    int64_t shift = 0;
  };
  llvm::SmallVector<Operand, 4> operands;
  /// The first one decides how all of them are split.
  llvm::SmallVector<Defined, 4> defined;
};

/// Returns the tied values of a loop or branch. Returns none for other ops, and
/// if a block has collectives or parts of its own, as its values may differ
/// between ranks.
llvm::SmallVector<TiedValues> tiedValuesOf(mlir::Operation *op);

/// Return how a stacked value is split whose slices are split in this way, and
/// the reverse.
Sharding stacked(const Sharding &slices, int64_t shift);
Sharding unstacked(const Sharding &stack, int64_t shift);

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_TIEDVALUES_H
