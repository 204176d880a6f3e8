//===- AmxPacking.h - Pack operands for tile registers ----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_AMXPACKING_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_AMXPACKING_H

#include "codegen/emitters/simd/contraction/parts/GroupPacking.h"
#include "codegen/kernel/ops/Amx.h"

namespace tensorc::codegen::simd {

/// Packs operands into blocks for a tile register: 16 vectors of 16 words. A
/// word holds a group of K steps, as in GroupPacking. A block of x has a vector
/// for each row, whose lanes are groups. A block of y has a vector for each
/// group, whose lanes are columns. Steps past the end of K are zeros in both
/// operands, because the instruction also multiplies those.
///
/// For bf16, packing also stores the smallest magnitude of each tile.
class AmxPacking {
public:
  AmxPacking(ContractionPlan &plan, const Tiling &tiling)
      : groups(plan, tiling), plan(plan), kernel(plan.kernel), b(plan.b) {}

  GroupPacking groups;

  /// Determines the number of steps of all K loops. Returns false if it is
  /// unknown, or if blocks would span several steps of an outer K loop.
  bool planSteps();
  /// Returns the number of steps of all K loops.
  int64_t countSteps() const { return steps; }
  /// Returns the number of K steps per block.
  int64_t blockSteps() const { return txk::AmxTile::side * groups.groupSteps; }
  /// Returns the number of blocks along K.
  int64_t countBlocks() const;

  /// Where an operand is packed. Its tiles have `blocksPerTile` blocks of lanes.
  struct Destination {
    /// [tile][block along K][block of lanes]
    mlir::Value memory;
    /// [tile], or null for bytes.
    mlir::Value magnitudes;
    int64_t blocksPerTile;
  };
  /// Consecutive tiles of an operand: [first, end), which are stored from tile
  /// `first + before` on. `dims` holds the indices of the batch.
  struct Tiles {
    Values dims;
    mlir::Value before, first, end;
  };
  /// Allocates memory for the magnitudes of `count` tiles that are packed
  /// together.
  void allocate(int64_t count);
  mlir::LogicalResult packTiles(const GroupedOperand &operand,
                                const Destination &to, const Tiles &tiles);
  /// Packs an operand for all indices of its outer loops and finishes the
  /// kernel.
  mlir::FailureOr<KernelSpec> emit(const GroupedOperand &operand,
                                   const Destination &to,
                                   llvm::ArrayRef<unsigned> outerLoops);

private:
  struct Block {
    const GroupedOperand &operand;
    mlir::Value memory;
    /// Index in `memory` at which the block begins.
    mlir::Value begin;
    /// First lane, and number along the innermost K loop.
    mlir::Value lane, number;
    /// Index of the tile in the work item.
    mlir::Value inItem;
    /// True if the block exceeds K.
    bool isPartial;
  };
  bool isX(const GroupedOperand &operand) const {
    return &operand == &groups.x;
  }
  mlir::Value placeBlock(mlir::Value number, Values &dims);
  Values loadLanes(const Block &block, Values dims);
  Values loadGroups(const Block &block, Values dims);
  mlir::LogicalResult pack(const Block &block, const Values &dims);
  mlir::VectorType magnitudeType() {
    return mlir::VectorType::get({2 * txk::AmxTile::side}, b.getI16Type());
  }
  mlir::Value offsetOfSmallest(mlir::Value inItem);

  ContractionPlan &plan;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  int64_t steps = 0;
  /// The smallest magnitudes so far, a vector for each tile of the work item.
  mlir::Value smallest;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_AMXPACKING_H
