//===- ContractionSkeleton.h - A dot_general's fusion, under emission -----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H

#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/parts/ColumnPanel.h"
#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/emitters/simd/contraction/parts/PrefetchStreams.h"

namespace tensorc::codegen::simd {

class ContractionSkeleton : public ContractionPlan {
public:
  explicit ContractionSkeleton(KernelBuilder &kernel)
      : ContractionPlan(kernel) {}
  virtual ~ContractionSkeleton() = default;

  mlir::FailureOr<Offers> offer();
  mlir::FailureOr<KernelSpec> emit();

  /// Another skeleton of the same loops: ContractionSweep.cpp.
  bool sweeps();
  mlir::FailureOr<Offers> offerSweeps();
  mlir::FailureOr<KernelSpec> emitSweep();
  /// And of its tiles: ContractionGroups.cpp.
  bool takesGroups();
  mlir::FailureOr<Offers> offerGroups();
  mlir::FailureOr<KernelSpec> emitGroups();
  /// And of its tiles, with x packed before them: ContractionPackedRows.cpp.
  bool takesPacked();
  static mlir::FailureOr<EmittedKernels> emitPacked(KernelBuilder &to);

protected:
  Tiling tiling{*this};
  Epilogue epilogue{*this, tiling};
  RowPanel x{*this, tiling};
  PrefetchStreams streams{*this, tiling};
  std::optional<ColumnReads> y;
  std::optional<ColumnLoads> columnLoads;
  std::optional<TransposedLoads> transposedLoads;
  /// None: y is read in place.
  std::optional<ColumnPanel> panel;

  void planReadLoops(bool inPlace);
  bool isInPlace() {
    return tiling.isOneTile() || liesAsPanel(*this, tiling.lanes());
  }
  int64_t vectorsInTurns(const ColumnReads &reads, int64_t rowCount);
  Numbers choose();
  mlir::AffineExpr planPanel(bool inPlace);
  void planPrefetches();
  bool planPacked();
  mlir::LogicalResult packAlongRows(Values dims, mlir::Value firstStep,
                                    mlir::Value firstTile);
  mlir::LogicalResult packAlongSum(Values dims, mlir::Value row);
  mlir::FailureOr<KernelSpec> emitPacking();
  virtual mlir::FailureOr<Values>
  emitItem(mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work);
  mlir::LogicalResult emitTile(const Values &dims, const Row &first,
                               Tile &place);
  mlir::LogicalResult emitTiles(const Values &dims, const Row &first,
                                const Tile &place);
  /// The tile's sums, in memory.
  virtual mlir::LogicalResult sumTile(const Values &dims, const Tile &place);
  mlir::LogicalResult
  sumTurned(const Values &dims, const Tile &place, Values zeros,
            llvm::function_ref<void(mlir::ValueRange)> store);
  mlir::FailureOr<KernelSpec> emitTilesOf();
  /// The kernel around the tiles.
  mlir::FailureOr<KernelSpec> emitItems(mlir::AffineExpr scratch);
  mlir::FailureOr<Values> step(const Values &dims, const Tile &place,
                               mlir::ValueRange carried);
  mlir::LogicalResult multiply(const Values &dims, const Tile &place,
                               llvm::ArrayRef<mlir::Value> columns,
                               unsigned vector, Values &sums);

  /// Columns [begin, end); if they are whole vectors, `length` is constant.
  struct Run {
    mlir::Value begin, end;
    mlir::AffineExpr length;
  };
  mlir::Value sweptPlace(mlir::Value row, mlir::Value column);
  mlir::LogicalResult sweepSteps(Values dims, const Run &run, int64_t count);
  mlir::LogicalResult sweepRun(Values dims, const Run &run);

  /// An operand in groups of steps: those of a lane lie in 32 bits.
  struct Grouped {
    mlir::Value source;
    analysis::Index index;
    /// That of its lanes, and how many vectors of these there are side by side.
    unsigned loop = 0;
    int64_t vectors = 1;
    /// Lanes that count.
    int64_t count = 0;
    bool isUnsigned = false;
    /// Elements change their sign's meaning.
    bool flips = false;
    bool alongSum = false;
  };
  Grouped groupedX, groupedY;
  int64_t groupSteps = 0;
  mlir::Type narrow;
  mlir::Value words, wordsOfX, corrections;
  bool planGroups();
  void planMemory(Grouped &operand);
  mlir::AffineExpr countGroups();
  Values groupAt(const Grouped &operand, Values dims, mlir::Value first,
                 mlir::Value group, bool isLast);
  mlir::FailureOr<mlir::Value> narrowLanes(const Grouped &operand,
                                           const Values &dims,
                                           ExpressionEmitter::Lanes lanes,
                                           mlir::Value mask);
  mlir::FailureOr<Values> turnedGroups(const Grouped &operand, Values dims,
                                       mlir::Value first, int64_t vector);
  mlir::LogicalResult packGroups(const Grouped &operand, mlir::Value to,
                                 const Values &dims, mlir::Value first);
  mlir::LogicalResult packInner(const Grouped &operand, mlir::Value to,
                                const Values &dims, mlir::Value first);
  mlir::Value groupPlace(const Grouped &operand, const Values &dims,
                         mlir::Value group);
  mlir::LogicalResult packTile(const Values &dims, mlir::Value lane,
                               mlir::Value tileNumber);
  mlir::FailureOr<Values> sumOfGroups(mlir::Value tileNumber, Values sums,
                                      mlir::ValueRange factors);
  mlir::FailureOr<Values> emitGroupsItem(mlir::Value item,
                                         llvm::ArrayRef<mlir::AffineExpr> work);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H
