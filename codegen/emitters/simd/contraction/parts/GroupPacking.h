//===- GroupPacking.h - Pack narrow integers in groups of K steps ---------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_GROUPPACKING_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_GROUPPACKING_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// An operand that is packed in groups of K steps. A group fills 32 bits of
/// each lane.
struct GroupedOperand {
  mlir::Value source;
  analysis::Index index;
  /// `loop`: the loop of its lanes. `vectors`: vectors of lanes per tile.
  /// `count`: number of valid lanes.
  unsigned loop = 0;
  int64_t vectors = 1, count = 0;
  bool isUnsigned = false;
  /// True if the elements' highest bit is flipped, to give them the signedness
  /// that the instruction expects.
  bool flips = false;
  /// True if the operand is contiguous along K, so that blocks are transposed.
  bool alongSum = false;
};

/// Packs both operands of a product of narrow integers into words of 32 bits.
class GroupPacking {
public:
  GroupPacking(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  GroupedOperand x, y;
  /// `groupSteps`: number of K steps per group. `narrow`: type of their
  /// elements.
  int64_t groupSteps = 0;
  mlir::Type narrow;

  /// Finds how the operands are read. Returns false if no instruction can
  /// multiply them.
  bool planOperands();
  /// Returns the number of groups of all K loops.
  mlir::AffineExpr countGroups() const;
  /// Packs the operand's lanes from `first` on into `to`, for all of K.
  mlir::LogicalResult pack(const GroupedOperand &operand, mlir::Value to,
                           const Values &dims, mlir::Value first);

private:
  void findLayout(GroupedOperand &operand);
  mlir::Value placeOf(const GroupedOperand &operand, const Values &dims,
                      mlir::Value group);
  mlir::FailureOr<mlir::Value> loadNarrow(const GroupedOperand &operand,
                                          const Values &dims,
                                          ExpressionEmitter::Lanes lanes,
                                          mlir::Value mask);
  mlir::FailureOr<Values> transposedGroups(const GroupedOperand &operand,
                                           Values dims, mlir::Value first,
                                           int64_t vector);
  Values loadGroup(const GroupedOperand &operand, Values dims,
                   mlir::Value first, mlir::Value group, bool isLast);
  mlir::LogicalResult packInner(const GroupedOperand &operand, mlir::Value to,
                                const Values &dims, mlir::Value first);

  ContractionPlan &plan;
  const Tiling &tiling;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_GROUPPACKING_H
