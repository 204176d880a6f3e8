//===- Periods.h - Finds repetitions in a block ---------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_FUSION_PERIODS_H
#define TENSORC_COMPILER_TRANSFORMS_FUSION_PERIODS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace tensorc::compiler {

/// Finds the steps of a loop that the host unrolled, that is, a sequence of ops
/// that repeats. In each repetition an op reads the same values as in the
/// previous one, or values at the same distance before it.
class Periods {
public:
  explicit Periods(mlir::Block &block);

  /// Returns the number of steps from `first` to `last` if `last` is the same
  /// op in a later step and at least one other step precedes `first`; otherwise
  /// 0. Ops between them may have been erased.
  unsigned stepsBetween(mlir::Operation *first, mlir::Operation *last) const;

private:
  struct Operand {
    mlir::Value value; // only compared, as its op may have been erased
    mlir::Type number; // type of a by-value argument; else null
    unsigned position; // position of its op, or `outside`
  };
  static constexpr unsigned outside = UINT32_MAX;

  Operand describe(mlir::Value value) const;
  bool areAlike(unsigned a, unsigned b) const;
  bool repeat(unsigned first, unsigned last, unsigned step) const;

  // One entry per op, indexed by its position:
  std::vector<size_t> hashes; // ignoring operands
  std::vector<unsigned> back; // distance to the last op of this hash, or 0
  std::vector<llvm::SmallVector<Operand, 2>> operands;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_FUSION_PERIODS_H
