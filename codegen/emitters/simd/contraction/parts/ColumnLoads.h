//===- ColumnLoads.h - Loads of y at one step of K --------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNLOADS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNLOADS_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// Prefetch distance of loads of y along K.
struct LoadPrefetch {
  /// Prefetch distance in bytes, or 0 for no prefetches.
  int64_t bytes = 0;
  /// Locality hint: 3 is L1, 2 is L2.
  unsigned locality = 2;

  /// Chooses the distance. `packs` is true if the loads fill a panel.
  static LoadPrefetch choose(ContractionPlan &plan, const Tiling &tiling,
                             const ColumnReads &y, bool packs);
  void apply(ExpressionEmitter &elements, unsigned loop) const {
    if (bytes != 0)
      elements.prefetch(bytes, loop, locality);
  }
};

/// Loads y if it is contiguous along its columns, which are the lanes of
/// vectors.
///
/// Two neighbouring columns of 4-bit elements share a byte. A vector of bytes
/// then holds two vectors of columns, the even ones and the odd ones. They are
/// multiplied in this order, and the accumulators are interleaved once after
/// the K loop:
///   sum[0] += x(k) * (low nibbles of the bytes at k)
///   sum[1] += x(k) * (high nibbles)
class ColumnLoads {
public:
  ColumnLoads(ContractionPlan &plan, const Tiling &tiling, const ColumnReads &y,
              bool packs);

  LoadPrefetch prefetch;

  /// Enables loading shared bytes as even and odd columns, if tiles have both.
  void splitSharedBytes();
  bool interleaves() const { return inHalves; }
  /// Interleaves the accumulators of even and odd columns.
  void interleave(Values &sums);
  /// Loads the tile's vectors of y at the K step in `dims`, and widens them to
  /// the type of the accumulators.
  mlir::FailureOr<Values> load(const Values &dims, const Tile &tile);
  /// Loads the tile's vectors of y at the K step in `dims`, without widening
  /// them.
  mlir::FailureOr<Values> loadNarrow(const Values &dims, const Tile &tile);
  /// Prefetches, for the next step of the second innermost K loop, what is read
  /// once per step of that loop, such as scales of quantization groups. Without
  /// prefetches, each group would wait for memory.
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
  /// innermost K loop. `stepElements` is the stride along that loop.
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
