//===- AmxColumns.h - Columns of y for tile registers -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_AMXCOLUMNS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_AMXCOLUMNS_H

#include "codegen/emitters/simd/contraction/amx/AmxPacking.h"

namespace tensorc::codegen::simd {

/// The tiles of columns of a work item, as blocks for tile registers. A weight
/// that was packed in advance (shape::columnWords) is read in place. Other
/// operands are packed into scratch memory.
class AmxColumns {
public:
  AmxColumns(ContractionPlan &plan, const Tiling &tiling, AmxPacking &packing)
      : plan(plan), tiling(tiling), packing(packing), kernel(plan.kernel),
        b(plan.b) {}

  /// True if y is read in place.
  bool isInPlace = false;

  /// True if y has the layout of words, whose loops differ from those of x.
  bool areWords();
  /// Reads y in place if it is an input with the layout of words. Called after
  /// the loops and operands are planned. Returns false if y has that layout,
  /// but cannot be read in place.
  bool planWords();
  /// Returns the number of words of scratch memory for the work item's tiles.
  int64_t scratchWords() const;
  /// Uses `scratch` for the tiles, and allocates memory for magnitudes if
  /// `needsMagnitudes` is set.
  void allocate(mlir::Value scratch, bool needsMagnitudes);
  /// Emits what precedes the tiles of a work item: packs them, if the previous
  /// item had others, and finds their smallest magnitudes.
  mlir::LogicalResult begin(const WorkItem &item);
  /// Returns where a tile begins. `number` is its number in the work item.
  mlir::Value beginOf(mlir::Value number, mlir::Value lane0);
  /// Loads a block of the tile that begins at `begin` into a tile register.
  void loadBlock(int64_t tile, mlir::Value begin, mlir::Value block,
                 int64_t vector);
  /// Loads 16 words of a block, one for each column.
  mlir::Value loadWords(mlir::Value begin, mlir::Value block, int64_t vector,
                        mlir::Value group);
  /// Returns the smallest magnitude of a tile of the work item.
  mlir::Value smallestOfTile(mlir::Value number);

private:
  mlir::Value at(mlir::Value base, mlir::Value index, int64_t factor);
  int64_t wordElements() const {
    return isInPlace ? packing.groups.groupSteps : 1;
  }
  int64_t tileWords() const;
  mlir::Value placeOf(mlir::Value begin, mlir::Value block, int64_t vector);
  mlir::Value vectorAt(mlir::Value place);
  mlir::LogicalResult findSmallest(mlir::Value first, mlir::Value end);

  ContractionPlan &plan;
  const Tiling &tiling;
  AmxPacking &packing;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  mlir::BlockArgument input;
  /// The blocks, as [tile][block along K][vector] of scratch words, or as
  /// [tile][vector][block along K] of the elements of y.
  mlir::Value memory;
  mlir::Value magnitudes;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_AMXCOLUMNS_H
