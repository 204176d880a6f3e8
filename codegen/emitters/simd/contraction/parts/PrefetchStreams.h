//===- PrefetchStreams.h - Prefetches in the K loop -------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PREFETCHSTREAMS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PREFETCHSTREAMS_H

#include "codegen/emitters/simd/contraction/parts/ColumnPanel.h"
#include "codegen/emitters/simd/contraction/parts/RowPanel.h"

#include <functional>

namespace tensorc::codegen::simd {

/// The memory of one buffer that a tile prefetches while it is multiplied.
struct PrefetchStream {
  using Visit = llvm::function_ref<void(mlir::Value position)>;

  mlir::Value buffer;
  /// Calls `visit` with a position in each cache line to prefetch at the K step
  /// in `dims`.
  std::function<void(const Values &dims, const Tile &tile, Visit visit)> lines;
  /// Number of K steps between two prefetches. They are then emitted in a loop
  /// around the innermost K loop, for the first tile of a panel only. 0 if
  /// every step prefetches.
  int64_t period = 0;
  /// True if the first K steps prefetch, one step for each row of the tile.
  bool isPerRow = false;
  bool isWrite = false;
  /// Locality hint of the prefetch: 3 is L1, 2 is L2.
  unsigned locality = 2;
};

/// The prefetches in a tile's K loop. The `addNext…` and similar functions
/// decide from sizes and strides whether memory is prefetched: it must exceed
/// L2, and be read in a way that the hardware prefetcher does not follow.
class PrefetchStreams {
public:
  PrefetchStreams(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  void add(PrefetchStream stream) { streams.push_back(std::move(stream)); }
  /// Adds the next tile's rows of x, if they are contiguous along K.
  void addNextRows(const RowPanel &x);
  /// Adds the next tile's rows of packed x.
  void addNextPackedRows(const RowPanel &x);
  /// Adds the next tile's pixels, if x is windows of images. Returns false if
  /// it adds nothing.
  bool addNextPixels(const RowPanel &x);
  /// Adds the next block of y, if y is laid out as panels.
  void addNextBlock();
  /// Adds x at later K steps, if x is contiguous along its rows.
  void addLaterSteps(const RowPanel &x);
  /// Adds the operands and outputs of the epilogue.
  void addResults();
  /// Adds the elements of y that the next panel will hold.
  void addNextPanel(const ColumnReads &y);

  /// Emits the prefetches of the K step in `dims`.
  void emitStep(const Values &dims, const Tile &tile);
  /// Emits the K loops around `step`. If a panel is prefetched, the K loop is
  /// split into blocks with prefetches in between.
  mlir::FailureOr<Values>
  emitSteps(const Values &dims, const Tile &tile, mlir::ValueRange carried,
            Step step,
            llvm::function_ref<void(const Values &dims)> beforeInnermost);
  /// Sets the members of `tile` that its prefetches depend on.
  void beginTile(mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work,
                 const WorkItem &begun, const ColumnPanel *panel,
                 const ColumnReads &y, Tile &tile);

private:
  void emit(const PrefetchStream &stream, const Values &dims, const Tile &tile);
  const PrefetchStream *findPeriodic() const;
  int64_t sizeOf(mlir::BlockArgument argument) const;
  void addResult(mlir::Value v, mlir::Value buffer,
                 const analysis::Index &index, bool isWrite);
  /// The part of the next panel that is prefetched during a block of `steps` K
  /// steps.
  struct PanelBlock {
    int64_t steps = 1;
    /// Offsets of the cache lines in elements, relative to the block's first
    /// step.
    llvm::SmallVector<int64_t> lines;
  };
  std::optional<PanelBlock> blockOfPanel(const ColumnReads &y,
                                         mlir::BlockArgument input,
                                         mlir::AffineExpr position) const;

  ContractionPlan &plan;
  const Tiling &tiling;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  llvm::SmallVector<PrefetchStream> streams;
  /// Number of tiles that read the same block of y, or 0 if addNextBlock()
  /// added nothing.
  int64_t tilesOfBlock = 0;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PREFETCHSTREAMS_H
