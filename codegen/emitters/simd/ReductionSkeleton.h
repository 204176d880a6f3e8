//===- ReductionSkeleton.h - Fusions around reductions, under emission ----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSKELETON_H

#include "codegen/emitters/plans/ReductionPlan.h"
#include "codegen/emitters/simd/KeptElements.h"
#include "codegen/emitters/simd/Skeletons.h"

#include "llvm/ADT/SmallBitVector.h"

namespace tensorc::codegen::simd {

class ReductionSkeleton : protected ReductionPlan {
public:
  /// Fixed by the order: lanes of a row, and steps of the reduced loops per
  /// partial result.
  static constexpr int64_t rowLanes = 32, blockSteps = 256;
  /// Registers that lanes of columns fill.
  static constexpr int64_t columnRegisters = 4;

  ReductionSkeleton(KernelBuilder &kernel, tx::OrderAttr order)
      : ReductionPlan(kernel), isRow(kernel.fusion.getKind() == tx::kinds::row),
        order(order) {}

  /// Finds the reductions and the loops. Called first. Columns take
  /// `columnLanes` lanes, rows those of the order.
  mlir::LogicalResult plan(int64_t columnLanes);
  /// Columns whose innermost kept loop is unrolled, so that lanes run along the
  /// one before it. Fails without an error where there is none.
  mlir::LogicalResult planUnrolled(int64_t columnLanes);
  mlir::FailureOr<Offers> offer();
  mlir::FailureOr<KernelSpec> emit();

  /// Returns the partial results of a split reduction: blocks of the reduced
  /// space are work items of the first kernel, and the second combines them in
  /// order, which gives the same bits.
  llvm::SmallVector<KernelSpec::Temporary> temporaries();
  mlir::FailureOr<KernelSpec> emitPartial();
  mlir::FailureOr<KernelSpec> emitFinish();

protected:
  bool isRow;
  /// True if outputs are stored in long contiguous runs, where streaming stores
  /// pay.
  bool storesLongRuns = isRow;
  tx::OrderAttr order;
  /// Whether the lanes of a row begin at multiples of their number, while a
  /// step is emitted.
  bool startsAtMultiples = false;
  /// Prefetch distance in bytes for reads of interleaved blocks. 0: no
  /// prefetch.
  int64_t blockPrefetchDistance = 0;
  /// Rows of one loop only.
  std::optional<KeptElements> kept;
  /// The passes over a row are one loop with those over its neighbours.
  bool isPipelined = false;
  /// The passes that are first to read an input's rows.
  llvm::SmallBitVector readsRows;
  /// Each of its steps is a copy of the states and of the results.
  std::optional<unsigned> unrolledLoop;
  int64_t copies = 1;
  llvm::SmallVector<llvm::DenseMap<mlir::Value, mlir::Value>> resultsOfCopies;
  /// A read that all copies share, done before the reduced loops.
  struct KnownRead {
    mlir::Value value;
    analysis::Index index;
    mlir::Value element;
  };
  llvm::SmallVector<llvm::SmallVector<KnownRead>> knownReads;
  mlir::LogicalResult readOnce(const Values &dims, mlir::Value mask);

  /// Returns the reductions of a phase, copy after copy.
  llvm::SmallVector<Reduction *> inPhase(unsigned phase);
  /// The loops' index in a copy, while that is emitted.
  analysis::Index indexOfCopy(int64_t copy);

  llvm::SmallVector<Values> rootsOfPasses();
  void planKept();
  bool readsBytesOnce();
  void prefetch(unsigned pass, ExpressionEmitter &elements, mlir::Value i);

  /// Sizes of the loops over work items; dims and mask at one of them.
  llvm::SmallVector<mlir::AffineExpr> workSizes();
  using ItemBody = llvm::function_ref<mlir::LogicalResult(const Values &dims,
                                                          mlir::Value mask)>;
  mlir::LogicalResult atItem(llvm::ArrayRef<mlir::Value> work, ItemBody body);
  /// The kernel's loop over its work items; `outer` sizes come before those of
  /// the kept dims.
  mlir::LogicalResult
  forItems(llvm::ArrayRef<mlir::AffineExpr> outer,
           llvm::function_ref<mlir::LogicalResult(
               mlir::Value item, llvm::ArrayRef<mlir::Value> outer,
               const Values &dims, mlir::Value mask)>
               body);
  mlir::AffineExpr stepsPerItem();
  /// Elements that become one.
  mlir::AffineExpr countReduced();
  /// Elements that go into one partial result.
  int64_t blockSize() { return order.getChunk(); }
  bool maySplit();
  bool wantsSplit();
  mlir::LogicalResult storeBlock(const Values &dims, mlir::Value mask,
                                 mlir::Value lower, mlir::Value upper);
  int64_t blocksOfItem();
  int64_t bytesOfItem();
  mlir::LogicalResult oneBlock(const Values &dims, mlir::Value mask,
                               mlir::Value block, mlir::Value place);
  mlir::LogicalResult
  blocksInTurns(const Values &dims, mlir::Value mask, mlir::Value block,
                llvm::function_ref<mlir::Value(mlir::Value)> placeOf);
  mlir::LogicalResult finishPhase(llvm::ArrayRef<Reduction *> active,
                                  mlir::ValueRange states);

  mlir::LogicalResult emitItem(Values dims, mlir::Value mask);
  mlir::LogicalResult emitPhase(unsigned phase, const Values &dims,
                                mlir::Value mask);
  mlir::LogicalResult storeKept(const Values &dims, mlir::Value mask);
  mlir::LogicalResult storeElements(const Values &dims, mlir::Value mask);
  mlir::LogicalResult storeLanes(const Values &dims, mlir::Value mask);

  using Step = llvm::function_ref<mlir::FailureOr<Values>(
      const Values &dims, mlir::Value mask, mlir::ValueRange carried)>;
  mlir::FailureOr<Values> forReduced(unsigned level, Values dims,
                                     mlir::Value mask, Step step);
  mlir::FailureOr<Values> forBlocks(const Values &dims, mlir::Value mask,
                                    mlir::ValueRange carried,
                                    llvm::ArrayRef<Reduction *> active,
                                    Step step);
  mlir::FailureOr<Values> forPositions(Values dims, mlir::Value mask,
                                       mlir::ValueRange carried,
                                       mlir::Value lower, mlir::Value upper,
                                       mlir::AffineExpr size, Step step);
  bool isFewSteps(mlir::AffineExpr size);
  mlir::FailureOr<Values> innermost(Values dims, mlir::Value mask,
                                    mlir::ValueRange carried, mlir::Value lower,
                                    mlir::Value upper, mlir::AffineExpr size,
                                    mlir::Value before, Step step);
  mlir::FailureOr<Values> accumulate(llvm::ArrayRef<Reduction *> active,
                                     const Values &dims, mlir::Value mask,
                                     mlir::ValueRange carried);
  mlir::FailureOr<Values> accumulateCopy(llvm::ArrayRef<Reduction *> active,
                                         int64_t copy, const Values &dims,
                                         mlir::Value mask,
                                         mlir::ValueRange carried);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSKELETON_H
