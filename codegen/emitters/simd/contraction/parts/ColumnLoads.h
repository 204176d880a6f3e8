//===- ColumnLoads.h - Vectors of y at one step of K ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNLOADS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNLOADS_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// How far ahead of a load of y to prefetch along K.
struct LoadPrefetch {
  /// 0: nothing is prefetched.
  int64_t bytes = 0;
  unsigned locality = 2;

  /// `packs`: the loads fill a panel.
  static LoadPrefetch choose(ContractionPlan &plan, const Tiling &tiling,
                             const ColumnReads &y, bool packs);
  void apply(ExpressionEmitter &elements, unsigned loop) const {
    if (bytes != 0)
      elements.prefetch(bytes, loop, locality);
  }
};

/// Loads of y where vectors of lanes are read as memory holds them.
///
/// If two neighbouring columns share a byte, a vector of bytes is two vectors
/// of columns, the even and the odd ones. They are multiplied so, and the
/// accumulators are interleaved once after the K loop:
///   sum[0] += x(k) * (low nibbles of the bytes at k)
///   sum[1] += x(k) * (high nibbles)
class ColumnLoads {
public:
  ColumnLoads(ContractionPlan &plan, const Tiling &tiling, const ColumnReads &y,
              bool packs);

  LoadPrefetch prefetch;

  /// Reads shared bytes as even and odd columns, if a tile has both.
  void splitSharedBytes();
  bool interleaves() const { return inHalves; }
  /// Puts the columns of a tile's accumulators in order.
  void interleave(Values &sums);
  /// The tile's vectors of y at the step in `dims`, as they are multiplied.
  mlir::FailureOr<Values> load(const Values &dims, const Tile &tile);
  /// The same, as memory holds them.
  mlir::FailureOr<Values> loadNarrow(const Values &dims, const Tile &tile);
  /// Prefetches the tile's part of what the next step of the second innermost K
  /// loop reads once, such as the scales of groups: without it each group waits
  /// for memory.
  void prefetchNextGroup(Values dims, const Tile &tile);

private:
  bool sharesBytes();
  bool beginsLine(int64_t vector, int64_t count);
  analysis::IterationSpace spaceOfHalves();
  analysis::Index indexOfHalf(const analysis::IterationSpace &halves,
                              int64_t half);
  mlir::FailureOr<Values> loadHalves(const Values &dims, const Tile &tile);
  void findGroupReads();

  /// An input read along the lanes once for each step of the second innermost K
  /// loop, whose stride is `stepElements`.
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
