//===- PrefetchStreams.h - Prefetches in the K loop -------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PREFETCHSTREAMS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PREFETCHSTREAMS_H

#include "codegen/emitters/simd/contraction/parts/ColumnPanel.h"
#include "codegen/emitters/simd/contraction/parts/RowPanel.h"

#include <functional>

namespace tensorc::codegen::simd {

/// A buffer that a tile prefetches while it is multiplied.
struct PrefetchStream {
  using Visit = llvm::function_ref<void(mlir::Value position)>;

  mlir::Value buffer;
  /// Calls `visit` for an element of each line to prefetch at the step in
  /// `dims`.
  std::function<void(const Values &dims, const Tile &tile, Visit visit)> lines;
  /// Number of K steps between two prefetches. They are emitted in a loop
  /// around the micro-kernel, which only a panel's first tile runs. 0: each
  /// step prefetches.
  int64_t period = 0;
  /// True if only the first steps prefetch, one step per row of the tile.
  bool isPerRow = false;
  bool isWrite = false;
  /// Locality hint of the prefetch: 3 is L1, 2 is L2.
  unsigned locality = 2;
};

/// The prefetches of a tile's K loop. Each add… function decides from sizes and
/// strides whether its memory is prefetched: if it exceeds L2 and the hardware
/// prefetcher does not follow its reads.
class PrefetchStreams {
public:
  PrefetchStreams(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  void add(PrefetchStream stream) { streams.push_back(std::move(stream)); }
  /// Prefetches the next tile's rows of x, if they are contiguous along K.
  void addNextRows(const RowPanel &x);
  /// Prefetches the next tile's rows of packed x.
  void addNextPackedRows(const RowPanel &x);
  /// Prefetches the next tile's pixels, if x is windows of images. Returns
  /// false if nothing is prefetched.
  bool addNextPixels(const RowPanel &x);
  /// Prefetches the next block of y, if y lies in memory as panels.
  void addNextBlock();
  /// Prefetches x at later K steps, if x is contiguous along its rows.
  void addLaterSteps(const RowPanel &x);
  /// Prefetches the operands and outputs of the epilogue.
  void addResults();
  /// Prefetches the elements of y that the next panel packs.
  void addNextPanel(const ColumnReads &y);

  /// Emits the prefetches of the K step in `dims`.
  void emitStep(const Values &dims, const Tile &tile);
  /// Emits the K loops around a step. They are split into blocks if the tile
  /// prefetches a panel.
  mlir::FailureOr<Values>
  emitSteps(const Values &dims, const Tile &tile, mlir::ValueRange carried,
            Step step,
            llvm::function_ref<void(const Values &dims)> beforeInnermost);
  /// Sets the tile's members that its prefetches need.
  void beginTile(mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work,
                 const WorkItem &begun, const ColumnPanel *panel,
                 const ColumnReads &y, Tile &tile);

private:
  void emit(const PrefetchStream &stream, const Values &dims, const Tile &tile);
  const PrefetchStream *findPeriodic() const;
  int64_t sizeOf(mlir::BlockArgument argument) const;
  void addResult(mlir::Value v, mlir::Value buffer,
                 const analysis::Index &index, bool isWrite);
  /// The part of the next panel that is prefetched during a block of K steps.
  struct PanelBlock {
    int64_t steps = 1;
    /// Offsets of the lines in elements, relative to the block's first step.
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
  /// Number of tiles that read the same block of y. 0 if blocks are not
  /// prefetched.
  int64_t tilesOfBlock = 0;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PREFETCHSTREAMS_H
