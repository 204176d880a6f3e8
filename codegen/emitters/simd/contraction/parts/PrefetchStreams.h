//===- PrefetchStreams.h - What the K loop prefetches -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PREFETCHSTREAMS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PREFETCHSTREAMS_H

#include "codegen/emitters/simd/contraction/parts/ColumnPanel.h"
#include "codegen/emitters/simd/contraction/parts/RowPanel.h"

#include <functional>

namespace tensorc::codegen::simd {

/// Memory that a tile prefetches while it is multiplied.
struct PrefetchStream {
  using Visit = llvm::function_ref<void(mlir::Value position)>;

  mlir::Value buffer;
  /// Visits the elements whose lines are prefetched at the step in `dims`.
  std::function<void(const Values &dims, const Tile &tile, Visit visit)> lines;
  /// K steps between two prefetches, in a loop around the micro-kernel which
  /// only a panel's first tile runs them in. 0: each step prefetches.
  int64_t period = 0;
  /// Only as many steps prefetch as the tile has rows.
  bool isPerRow = false;
  bool isWrite = false;
  /// 3 is L1, 2 is L2.
  unsigned locality = 2;
};

/// The prefetches of a tile's K loop, in one list. Each add… decides from sizes
/// and strides whether its memory is prefetched: where it is too large for L2,
/// and the hardware prefetcher does not follow it.
class PrefetchStreams {
public:
  PrefetchStreams(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  void add(PrefetchStream stream) { streams.push_back(std::move(stream)); }
  /// The next tile's rows of x, contiguous along K.
  void addNextRows(const RowPanel &x);
  /// The next tile's packed rows of x.
  void addNextPackedRows(const RowPanel &x);
  /// The next tile's pixels of images, of which x is the windows.
  /// Returns false if nothing is prefetched.
  bool addNextPixels(const RowPanel &x);
  /// The next block of y, which lies as its panel would.
  void addNextBlock();
  /// x some steps ahead, where it is contiguous along its rows.
  void addLaterSteps(const RowPanel &x);
  /// What the epilogue reads and writes.
  void addResults();
  /// The next panel of y.
  void addNextPanel(const ColumnReads &y);

  /// Emits the prefetches of the step in `dims`.
  void emitStep(const Values &dims, const Tile &tile);
  /// Emits the K loops around a step, in blocks if the tile prefetches a panel.
  mlir::FailureOr<Values>
  emitSteps(const Values &dims, const Tile &tile, mlir::ValueRange carried,
            Step step,
            llvm::function_ref<void(const Values &dims)> beforeInnermost);
  /// Sets what the tile needs to know for its prefetches.
  void beginTile(mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work,
                 const WorkItem &begun, const ColumnPanel *panel,
                 const ColumnReads &y, Tile &tile);

private:
  void emit(const PrefetchStream &stream, const Values &dims, const Tile &tile);
  const PrefetchStream *findPeriodic() const;
  int64_t sizeOf(mlir::BlockArgument argument) const;
  void addResult(mlir::Value v, mlir::Value buffer,
                 const analysis::Index &index, bool isWrite);
  /// Prefetches for K steps of the next panel.
  struct PanelBlock {
    int64_t steps = 1;
    /// Offsets of the lines, in elements from where the steps begin.
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
  /// Tiles that read one block of y. 0 if blocks are not prefetched.
  int64_t tilesOfBlock = 0;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PREFETCHSTREAMS_H
