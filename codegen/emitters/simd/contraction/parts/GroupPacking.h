//===- GroupPacking.h - Packs narrow integers in groups of K steps --------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_GROUPPACKING_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_GROUPPACKING_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// An operand that is packed in groups of K steps. Each group is a 32-bit word
/// per lane. The lanes of x are its rows, those of y its columns.
struct GroupedOperand {
  mlir::Value source;
  analysis::Index index;
  /// `loop`: the loop over the operand's lanes. `vectors`: number of vectors of
  /// lanes per tile. `count`: number of valid lanes.
  unsigned loop = 0;
  int64_t vectors = 1, count = 0;
  bool isUnsigned = false;
  /// True if the highest bit of each element is flipped, because the
  /// instruction expects the other signedness.
  bool flips = false;
  /// True if the operand is contiguous along K. Blocks of it are then
  /// transposed.
  bool alongK = false;
};

/// Packs both operands of a product of narrow integers into 32-bit words.
class GroupPacking {
public:
  GroupPacking(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  GroupedOperand x, y;
  /// `groupSteps`: number of K steps per group. `narrow`: element type in
  /// groups.
  int64_t groupSteps = 0;
  mlir::Type narrow;

  /// Determines how the operands are read. Returns false if the target has no
  /// instruction that multiplies them.
  bool planOperands();
  /// The same for the tile registers of the target, which multiply bytes of any
  /// signedness, and bf16. Groups hold the bits of bf16 as i16.
  bool planTiles();
  /// Returns the total number of groups, over all K loops.
  mlir::AffineExpr countGroups() const;
  /// Packs the operand's lanes from `first` on into the buffer `to`, for all of
  /// K.
  mlir::LogicalResult pack(const GroupedOperand &operand, mlir::Value to,
                           const Values &dims, mlir::Value first);
  /// Loads lanes of the operand in its narrow type, and prefetches those
  /// `prefetchBytes` later if that is not 0.
  mlir::FailureOr<mlir::Value> loadNarrow(const GroupedOperand &operand,
                                          const Values &dims,
                                          ExpressionEmitter::Lanes lanes,
                                          mlir::Value mask,
                                          int64_t prefetchBytes = 0);
  /// Loads the packed 32-bit words of a group of K steps for the tile's lanes
  /// from `first` on, as one SIMD vector per vector of lanes. If `isLast` is set, steps past the end of K are
  /// zeros. Returns an empty list after an error.
  Values loadGroup(const GroupedOperand &operand, Values dims,
                   mlir::Value first, mlir::Value group, bool isLast);

private:
  void findLayout(GroupedOperand &operand);
  mlir::Value offsetOf(const GroupedOperand &operand, const Values &dims,
                       mlir::Value group);
  mlir::FailureOr<Values> transposedGroups(const GroupedOperand &operand,
                                           Values dims, mlir::Value first,
                                           int64_t vector);
  mlir::LogicalResult packInner(const GroupedOperand &operand, mlir::Value to,
                                const Values &dims, mlir::Value first);

  ContractionPlan &plan;
  const Tiling &tiling;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_GROUPPACKING_H
