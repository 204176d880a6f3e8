//===- Periods.h - Where a block repeats itself ---------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_FUSION_PERIODS_H
#define TENSORC_COMPILER_TRANSFORMS_FUSION_PERIODS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace tensorc::compiler {

/// The steps of a loop that the host unrolled: the same ops again and again,
/// each of which reads what lies as far before it as in the step before, or the
/// same values.
class Periods {
public:
  explicit Periods(mlir::Block &block);

  /// How many steps lie between `first` and `last`, where `last` is the same op
  /// of a later step, and one more step lies before `first`; 0 otherwise. Ops
  /// between them may have been erased.
  unsigned stepsBetween(mlir::Operation *first, mlir::Operation *last) const;

private:
  struct Operand {
    mlir::Value value; // to be compared alone: its op may be gone
    mlir::Type number; // of an argument by value; else null
    unsigned position; // of its op, or `outside`
  };
  static constexpr unsigned outside = UINT32_MAX;

  Operand describe(mlir::Value value) const;
  bool areAlike(unsigned a, unsigned b) const;
  bool repeat(unsigned first, unsigned last, unsigned step) const;

  // Of each op:
  std::vector<size_t> hashes; // without its operands
  std::vector<unsigned> back; // to the op before it of the same hash, or 0
  std::vector<llvm::SmallVector<Operand, 2>> operands;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_FUSION_PERIODS_H
