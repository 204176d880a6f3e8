//===- Transpose.h - Transposes through shared memory -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_TRANSPOSE_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_TRANSPOSE_H

#include "codegen/emitters/simt/Grid.h"

namespace tensorc::codegen::simt {

/// Emits a loop whose reads are contiguous along a different dim than its
/// writes. Squares of both dims pass through shared memory, so that reads and
/// writes are coalesced.
class TransposeSkeleton {
public:
  /// Returns nullopt if no read is contiguous along another dim, or if most of
  /// each square would be outside of the output.
  static std::optional<TransposeSkeleton> match(KernelBuilder &kernel,
                                                const CollapsedDims &loops);
  mlir::FailureOr<KernelSpec> emit();
  /// Side of a square in elements.
  int64_t getSide() const { return side; }

private:
  struct Read {
    mlir::Value input;
    analysis::Index index;
    mlir::Value tile;
  };

  /// An element's row and column in a tile.
  struct Place {
    mlir::Value row, column;
  };

  KernelBuilder &kernel;
  const CollapsedDims &loops;
  analysis::IterationSpace space;
  /// `lane` is the dim along which writes are contiguous, `across` the dim
  /// along which reads are contiguous.
  unsigned lane, across = 0;
  llvm::SmallVector<Read> reads;
  /// Inputs that are also read along the dim `lane`, or in another way.
  llvm::SmallVector<mlir::Value> others;
  /// Number of elements that a thread reads and writes at once.
  int64_t width = 1;
  int64_t side = 32;

  TransposeSkeleton(KernelBuilder &kernel, const CollapsedDims &loops)
      : kernel(kernel), loops(loops), space(kernel.names, loops.sizes),
        lane(loops.sizes.size() - 1) {}
  bool find();
  void add(mlir::Value input, const analysis::Index &index);
  int64_t findWidth();
  bool fits();
  using At = llvm::function_ref<mlir::LogicalResult(const Values &dims,
                                                    const Place &inTile)>;
  mlir::LogicalResult forSquare(const Values &origin, unsigned fast,
                                unsigned slow, At body);
  int64_t tileRow(mlir::Value input);
  mlir::Value indexOf(const Read &read, const Place &place);
  mlir::Value loadColumn(const Read &read, const Place &first);
  mlir::LogicalResult load(const Values &dims, const Place &inTile);
  mlir::LogicalResult store(const Values &dims, const Place &inTile);
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_TRANSPOSE_H
