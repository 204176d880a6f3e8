//===- ReductionSlots.h - Slots of rows, and their exchanges ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_REDUCTIONSLOTS_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_REDUCTIONSLOTS_H

#include "codegen/emitters/KernelBuilder.h"

namespace tensorc::codegen::simt {

/// Returns the number of slots for a row of `vectors` vectors: a power of two up
/// to the size of a subgroup, or all threads of a block.
int64_t slotsForRow(int64_t vectors, int64_t subgroup);

/// The slots of rows whose length is named. The kernel computes the number that
/// slotsForRow() returns for the length.
class NamedRows {
public:
  /// The lanes of a vector are `width` if the length is a multiple of it, and 1
  /// otherwise. If `isPacked` is false, a block has one row, and the threads
  /// from slotCount() on are idle. Otherwise it has as many rows as its threads
  /// suffice for.
  NamedRows(KernelBuilder &kernel, mlir::AffineExpr length, int64_t width,
            bool isPacked)
      : isPacked(isPacked), kernel(kernel), length(length), width(width) {}

  const bool isPacked;

  /// Emits the number of slots. Must be called before the methods below.
  void emit();
  mlir::Value slotCount() { return count; }
  /// Return the slot of the thread in its row, and the number of this row, in
  /// packed blocks.
  mlir::Value slotOf(mlir::Value thread);
  mlir::Value rowOf(mlir::Value block, mlir::Value thread);

  /// Returns the number of rows in a packed block, for the launch.
  mlir::AffineExpr rowsPerBlock();

private:
  KernelBuilder &kernel;
  mlir::AffineExpr length;
  int64_t width;
  mlir::Value count, logCount;
};

/// Shared memory by which slots exchange states. Two buffers alternate.
class ExchangeMemory {
public:
  /// Returns the buffer of the current exchange for part `i` of a state.
  mlir::Value buffer(KernelBuilder &kernel, unsigned i, mlir::Type element,
                     int64_t size);
  void startNext() { ++exchanges; }
  bool isUsed() const { return !buffers.empty(); }

private:
  unsigned exchanges = 0;
  llvm::DenseMap<std::tuple<mlir::Type, unsigned, unsigned>, mlir::Value>
      buffers;
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_REDUCTIONSLOTS_H
