//===- ColumnLoads.h - Loads of y at one step of K --------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNLOADS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNLOADS_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// Prefetch distance of loads of y along K.
struct LoadPrefetch {
  /// Prefetch distance in bytes. 0: no prefetch.
  int64_t bytes = 0;
  unsigned locality = 2;

  /// `packs` is true if the loads fill a panel.
  static LoadPrefetch choose(ContractionPlan &plan, const Tiling &tiling,
                             const ColumnReads &y, bool packs);
  void apply(ExpressionEmitter &elements, unsigned loop) const {
    if (bytes != 0)
      elements.prefetch(bytes, loop, locality);
  }
};

/// Loads y if vectors of lanes can be loaded as they are in memory.
///
/// Two neighbouring columns of 4-bit elements share a byte. A vector of bytes
/// is then two vectors of columns, the even and the odd ones. They are
/// multiplied in this form, and the accumulators are interleaved once after the
/// K loop:
///   sum[0] += x(k) * (low nibbles of the bytes at k)
///   sum[1] += x(k) * (high nibbles)
class ColumnLoads {
public:
  ColumnLoads(ContractionPlan &plan, const Tiling &tiling, const ColumnReads &y,
              bool packs);

  LoadPrefetch prefetch;

  /// Enables reading shared bytes as even and odd columns, if a tile has both.
  void splitSharedBytes();
  bool interleaves() const { return inHalves; }
  /// Interleaves the accumulators of even and odd columns.
  void interleave(Values &sums);
  /// Loads the tile's vectors of y at the step in `dims`, widened for
  /// multiplication.
  mlir::FailureOr<Values> load(const Values &dims, const Tile &tile);
  /// Loads the same vectors without widening them.
  mlir::FailureOr<Values> loadNarrow(const Values &dims, const Tile &tile);
  /// Prefetches what is read once per step of the second innermost K loop, such
  /// as scales of quantization groups, for the next step. Otherwise each group
  /// would wait for memory.
  void prefetchNextGroup(Values dims, const Tile &tile);

private:
  bool sharesBytes();
  bool beginsLine(int64_t vector, int64_t count);
  analysis::IterationSpace spaceOfHalves();
  analysis::Index indexOfHalf(const analysis::IterationSpace &halves,
                              int64_t half);
  mlir::FailureOr<Values> loadHalves(const Values &dims, const Tile &tile);
  void findGroupReads();

  /// An input that is read along the lanes once per step of the second
  /// innermost K loop. `stepElements` is its stride along that loop.
  struct GroupRead {
    mlir::BlockArgument input;
    mlir::AffineExpr position;
    int64_t stepElements;
  };

  ContractionPlan &plan;
  const Tiling &tiling;
  const ColumnReads &y;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  bool inHalves = false;
  llvm::SmallVector<GroupRead> groupReads;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNLOADS_H
