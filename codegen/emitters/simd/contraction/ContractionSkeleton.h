//===- ContractionSkeleton.h - A dot_general's fusion, under emission -----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H

#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/parts/Epilogue.h"

namespace tensorc::codegen::simd {

class ContractionSkeleton : protected ContractionPlan {
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
  /// Null: y is read in place.
  mlir::Value panel;
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
  /// A block's steps, for those that are left at the end of a sum whose size
  /// has a name.
  mlir::Value restBlock;
  /// Two lines of y's columns in words: those of a tile's vectors for each
  /// word.
  mlir::Value turned;

  /// A narrow read of y of which memory holds a column's steps side by side,
  /// those of a block in a few words.
  struct BlockRead {
    mlir::BlockArgument input;
    /// Of a block's first step, and how many elements behind it the others are.
    mlir::AffineExpr position;
    llvm::SmallVector<int64_t> offsets;
    /// The input's, at each step.
    llvm::SmallVector<analysis::Index> indices;

    int64_t words() const;
    int64_t bits() const;
  };
  /// Loops in which y is read: those of the contraction, or, to fill a panel,
  /// loops of its own.
  struct ReadLoops {
    std::optional<analysis::IterationSpace> space;
    analysis::Index index;
    /// Of the tiled lanes the innermost one, and those outside of it: lanes of
    /// the contraction are several runs through memory.
    unsigned laneLoop = 0;
    llvm::SmallVector<unsigned> runLoops;
    llvm::SmallVector<unsigned> sumLoops;
    /// Per loop of the contraction that changes y, other than lanes and sums:
    /// the loops that stand for it.
    llvm::SmallVector<std::pair<unsigned, llvm::SmallVector<unsigned>>> others;
    /// Memory holds y along the innermost sum: blocks of as many steps as there
    /// are lanes are read along it and transposed in registers.
    bool alongSum = false;
    /// If it is narrow, what a block is made of. Else none.
    llvm::SmallVector<BlockRead> bytes;
    /// The steps of such a block, and of those that are turned at once.
    int64_t blockSteps = 0, lineSteps = 0;
    /// One vector of lanes lies side by side.
    bool alongLanes = false;
    /// Elements of y that one step of the innermost sum moves on; 0: unknown.
    int64_t stepElements = 0;
    /// And from one lane to the next.
    int64_t laneElements = 0;
    /// Of the widest element that is read of y.
    int64_t elementBytes = 1;
    /// What is read along the lanes once for each step of the second innermost
    /// sum, such as the scales of groups; that step moves on so many elements.
    struct GroupRead {
      mlir::BlockArgument input;
      mlir::AffineExpr position;
      int64_t stepElements;
    };
    llvm::SmallVector<GroupRead> ofGroups;

    mlir::AffineExpr size(unsigned loop) const {
      return space->getSizes()[loop];
    }
  };
  std::optional<ReadLoops> y;

  void planReadLoops(bool inPlace);
  ReadLoops loopsInPlace();
  ReadLoops loopsForPanel();
  void planReads(ReadLoops &reads);
  bool liesAsPanel(int64_t lanes);
  bool isInPlace() { return tiling.isOneTile() || liesAsPanel(tiling.lanes()); }
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
  int64_t vectorsInTurns(const ReadLoops &reads, int64_t rowCount);
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
  /// Of the loops that y is read in, those around a tile's lanes and sums.
  Values dimsOfPanel(const Values &tileDims);
  /// Fills the panel.
  mlir::LogicalResult pack(const Values &tileDims, const Tile &place);
  mlir::LogicalResult packBlocks(const Values &dims, const Tile &place);
  mlir::LogicalResult packRuns(Values dims, mlir::Value lane0);
  mlir::Value panelPlace(const Values &dims, llvm::ArrayRef<unsigned> sumLoops,
                         llvm::ArrayRef<mlir::AffineExpr> sizes,
                         mlir::Value lane);
  static int64_t bytesOf(mlir::Value v);
  int64_t bytesOfY();
  void askAhead(ExpressionEmitter &elements);
  void askForGroup(Values dims, const Tile &place);
  /// The vectors of y at one step of the sum, as they lie in memory and as
  /// they are multiplied.
  mlir::FailureOr<Values> narrowColumnsOf(const Values &dims,
                                          const Tile &place);
  /// Whether two columns share a byte, which a tile takes apart as it lies.
  bool inHalves = false;
  analysis::IterationSpace spaceOfHalves();
  analysis::Index indexOfHalf(const analysis::IterationSpace &halves,
                              int64_t half);
  bool sharesBytes();
  mlir::FailureOr<Values> halvesOf(const Values &dims, const Tile &place);
  void weave(Values &sums);
  bool beginsLine(int64_t vector, int64_t count);
  mlir::FailureOr<Values> columnsOf(const Values &dims, const Tile &place);
  mlir::FailureOr<Values> blockOf(const Values &dims, mlir::Value lane,
                                  mlir::Value mask);
  analysis::IterationSpace spaceOfBlocks(const ReadLoops &reads, int64_t steps);
  analysis::Index indexInBlock(const ReadLoops &reads,
                               const analysis::IterationSpace &blocks,
                               int64_t steps, int64_t step);
  /// Calls `onRead` for what y reads at the index from memory whose position
  /// changes along both loops. False: a guard was met.
  bool walkReadsAlong(
      const analysis::IterationSpace &space, const analysis::Index &index,
      unsigned laneLoop, unsigned sumLoop,
      llvm::function_ref<void(mlir::BlockArgument, const analysis::Index &,
                              mlir::AffineExpr)>
          onRead);
  llvm::SmallVector<BlockRead> readsOfBlock(const ReadLoops &reads,
                                            int64_t steps);
  int64_t blocksOfLine(const ReadLoops &reads);
  void planBytes(ReadLoops &reads);
  Values wordsOf(const BlockRead &read, int64_t count,
                 const analysis::IterationSpace &blocks, Values dims,
                 mlir::Value lane);
  mlir::Value placeOfWord(unsigned read, mlir::Value lineBegin,
                          mlir::Value word, mlir::Value vector);
  void askForColumns(const BlockRead &read,
                     const analysis::IterationSpace &blocks, Values dims,
                     mlir::Value vector);
  void turnLine(Values dims, const Tile &place, mlir::Value vector);
  mlir::LogicalResult turnLines(const Values &dims, const Tile &place);
  bool turnsAhead();
  mlir::FailureOr<Values> blockOfBytes(Values dims, const Tile &place,
                                       unsigned vector, mlir::Value lineBegin,
                                       mlir::Value number);
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
  /// One step of the sum, or, given several vectors of y that follow each
  /// other along the sum (`vector` of the tile's), so many.
  using Step = llvm::function_ref<mlir::FailureOr<Values>(const Values &,
                                                          mlir::ValueRange)>;
  using BlockStep = llvm::function_ref<mlir::FailureOr<Values>(
      const Values &, unsigned vector, llvm::ArrayRef<mlir::Value> block,
      mlir::ValueRange)>;
  /// `place`: where y is read as it lies in memory; else null.
  mlir::FailureOr<Values> sumOver(llvm::ArrayRef<unsigned> sumLoops,
                                  llvm::ArrayRef<mlir::AffineExpr> sizes,
                                  Values dims, mlir::ValueRange carried,
                                  Step step, const Tile *place = nullptr);
  /// In blocks of steps, if these ask for the next panel.
  mlir::FailureOr<Values> sumBlocks(const Values &dims, const Tile &place,
                                    mlir::ValueRange carried, Step step);
  mlir::FailureOr<Values> sumOverBlocks(unsigned level, Values dims,
                                        const Tile &place,
                                        mlir::ValueRange carried,
                                        BlockStep step);
  /// Of one of the tile's vectors: where its lanes begin, the vector's number
  /// among the sums, and these.
  using VectorStep = llvm::function_ref<mlir::FailureOr<Values>(
      mlir::Value lane, unsigned vector, mlir::ValueRange sums)>;
  bool takesTurns(const Tile &place);
  mlir::FailureOr<Values>
  overVectors(const Tile &place, mlir::ValueRange carried, VectorStep step);
  mlir::FailureOr<Values> blockStep(const Values &dims, const Tile &place,
                                    mlir::Value mask, int64_t steps,
                                    mlir::Value end, mlir::ValueRange carried,
                                    BlockStep step);
  mlir::FailureOr<Values> lineStep(const Values &dims, const Tile &place,
                                   mlir::Value end, mlir::ValueRange carried,
                                   BlockStep step);
  mlir::FailureOr<Values> forRest(const Values &dims, const Tile &place,
                                  mlir::Value mask, mlir::Value rest,
                                  mlir::ValueRange carried, BlockStep step);
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
