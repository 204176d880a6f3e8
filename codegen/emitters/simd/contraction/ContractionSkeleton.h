//===- ContractionSkeleton.h - A dot_general's fusion, under emission -----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H

#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/parts/ColumnPanel.h"
#include "codegen/emitters/simd/contraction/parts/Epilogue.h"

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
  /// Rows and columns that are a multiple of this apart fall into the same
  /// places of the nearest cache.
  static constexpr int64_t collidingBytes = 4096;
  Tiling tiling{*this};
  Epilogue epilogue{*this, tiling};
  /// x, tile by tile: for each step of the sum the tile's rows. Null: x is read
  /// in place.
  mlir::Value rowPanel;
  /// A tile's rows of x as they are multiplied, where memory holds them
  /// narrower. Null: they are read as they lie.
  mlir::Value wideRows;
  /// In it, elements from one row to the next, and from step to step.
  mlir::AffineExpr rowsApart, stepsApart;
  /// Null: a tile copies its rows. Else a kernel before has packed those of all
  /// tiles, so many elements apart.
  mlir::AffineExpr packedTile;
  /// Where memory holds x row after row, and x is too large for a cache: what
  /// is read of it, to ask for the next tile's rows during a sum.
  std::optional<std::pair<mlir::BlockArgument, analysis::Index>> rowsAhead;
  /// Where memory holds x along its rows, those of several loops that are
  /// summed over, and y is read in place: what is read of x, to ask for the
  /// next tile's during a sum, and elements from row to row.
  struct PixelRead {
    mlir::BlockArgument argument;
    analysis::Index index;
    int64_t step;
  };
  llvm::SmallVector<PixelRead> pixelsAhead;
  /// Large memory that y lies in as its panels would, of which a few tiles read
  /// each: what each step asks for of the next one.
  struct BlockAhead {
    mlir::BlockArgument input;
    mlir::AffineExpr position;
    int64_t tiles, steps, lanes;
  };
  std::optional<BlockAhead> blockAhead;
  /// Where memory holds x along its rows, and steps are far apart: what is read
  /// of it, and how many bytes ahead to ask for.
  struct StepsAhead {
    mlir::BlockArgument input;
    mlir::AffineExpr position;
    int64_t bytes;
  };
  std::optional<StepsAhead> stepsAhead;
  /// Large memory that the epilogue reads or writes along the lanes, to ask for
  /// the tile's part of it during the sum.
  struct Ahead {
    mlir::Value buffer;
    mlir::AffineExpr position;
    bool isWrite;
  };
  llvm::SmallVector<Ahead> resultsAhead;
  /// Large memory that y's lanes lie side by side in, to ask for the next
  /// panel's part of it during the sum of this one's first tile.
  struct PanelAhead {
    mlir::BlockArgument input;
    mlir::AffineExpr position;
    /// Steps of the sum that ask for what as many steps of the next one read,
    /// and where the lines of that are, from where these steps begin.
    int64_t steps = 1;
    llvm::SmallVector<int64_t> lines;
  };
  std::optional<PanelAhead> panelAhead;
  std::optional<ColumnReads> y;
  std::optional<ColumnLoads> columnLoads;
  std::optional<TransposedLoads> transposedLoads;
  /// None: y is read in place.
  std::optional<ColumnPanel> panel;

  void planReadLoops(bool inPlace);
  bool isInPlace() {
    return tiling.isOneTile() || liesAsPanel(*this, tiling.lanes());
  }
  /// Each array that x is read from, with the index there.
  void walkMemoryOfX(
      llvm::function_ref<void(mlir::BlockArgument, const analysis::Index &)>
          visit);
  bool rowsCollide();
  void planRowsAhead();
  void askForRows(const Values &dims, const Tile &place);
  void askForPacked(const Values &dims, const Tile &place);
  void planPixelsAhead();
  void askForPixels(Values dims, const Tile &place);
  void planBlockAhead();
  void askForBlock(const Values &dims, const Tile &place);
  void planStepsAhead();
  void askForSteps(const Values &dims, const Tile &place);
  void planResultsAhead();
  void askForResults(const Values &dims, const Tile &place);
  void planPanelAhead();
  std::optional<PanelAhead> linesAhead(mlir::BlockArgument input,
                                       const analysis::Index &index);
  void planNextPanel(mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work,
                     Tile &place);
  void askForPanel(mlir::Value step, const Tile &place);
  int64_t vectorsInTurns(const ColumnReads &reads, int64_t rowCount);
  Numbers choose();
  mlir::AffineExpr planPanel(bool inPlace);
  mlir::AffineExpr planRows();
  mlir::LogicalResult packRows();
  /// Whether memory holds x along its rows (or along the sum); none: neither.
  std::optional<bool> findRowsOfX();
  bool widensRows();
  void layOutRows();
  mlir::AffineExpr planWideRows(mlir::AffineExpr scratch);
  mlir::AffineExpr tilesOfX();
  void layOutPacked();
  bool planPacked();
  mlir::Value packedPlace(const Values &dims, mlir::Value row);
  mlir::LogicalResult packAlongRows(Values dims, mlir::Value firstStep,
                                    mlir::Value firstTile);
  mlir::LogicalResult packAlongSum(Values dims, mlir::Value row);
  mlir::FailureOr<KernelSpec> emitPacking();
  mlir::FailureOr<mlir::Value>
  wideX(const Values &dims, ExpressionEmitter::Lanes lanes, mlir::Value mask);
  mlir::LogicalResult widenRows(Values dims, const Tile &place);
  mlir::FailureOr<mlir::Value> elementOfX(const Values &dims, const Tile &place,
                                          int64_t row);
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
  /// In blocks of steps, if these ask for the next panel.
  mlir::FailureOr<Values> sumBlocks(const Values &dims, const Tile &place,
                                    mlir::ValueRange carried, Step step);
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
