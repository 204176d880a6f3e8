//===- ReductionSkeleton.h - Emits fusions around reductions --------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSKELETON_H

#include "codegen/emitters/plans/ReductionPlan.h"
#include "codegen/emitters/simd/KeptElements.h"
#include "codegen/emitters/simd/ReducedLoops.h"
#include "codegen/emitters/simd/ReductionUnrolled.h"
#include "codegen/emitters/simd/Skeletons.h"

#include "llvm/ADT/SmallBitVector.h"

namespace tensorc::codegen::simd {

class ReductionSkeleton : public ReductionPlan {
public:
  /// Parts of the fusion's order: number of logical lanes of a row, and number
  /// of steps of the reduced loops per partial result.
  static constexpr int64_t rowLanes = 32, blockSteps = 256;
  /// Maximum number of registers that hold the lanes of a column reduction.
  static constexpr int64_t columnRegisters = 4;

  ReductionSkeleton(KernelBuilder &kernel, tx::OrderAttr order)
      : ReductionPlan(kernel), isRow(kernel.fusion.getKind() == tx::kinds::row),
        order(order), reduced(kernel, isRow, loops, reducedLoops, lanes) {}

  /// Finds the reductions and the loops. Must be called before anything else.
  /// Column reductions use `columnLanes` lanes, row reductions the lanes of the
  /// order.
  mlir::LogicalResult plan(int64_t columnLanes);
  /// Plans a column reduction whose innermost kept loop is unrolled, so that
  /// the loop before it can be vectorized. Fails without a diagnostic if there
  /// is no such loop.
  mlir::LogicalResult planUnrolled(int64_t columnLanes);
  mlir::FailureOr<KernelSpec> emit();

  /// For a reduction that is split into two kernels (ReductionSplit.h): the
  /// temporaries between them, the kernel of partial results, and that of final
  /// results.
  llvm::SmallVector<KernelSpec::Temporary> temporaries();
  mlir::FailureOr<KernelSpec> emitPartial();
  mlir::FailureOr<KernelSpec> emitFinish();

  bool isRow;
  /// True if outputs are stored in long contiguous runs, for which streaming
  /// stores pay off.
  bool storesLongRuns = isRow;
  tx::OrderAttr order;
  /// Prefetch distance in bytes for interleaved blocks, or 0 for no prefetches.
  int64_t blockPrefetchDistance = 0;
  /// Elements that are kept between passes. Set only if there is a single
  /// reduced loop.
  std::optional<KeptElements> kept;
  /// True if one loop runs all passes, each on another row
  /// (ReductionPipeline.cpp).
  bool isPipelined = false;
  /// Bit p is set if pass p is the first to read rows of an input.
  llvm::SmallBitVector readsRows;
  ReducedLoops reduced;
  ReductionCopies copies{*this};

  /// Returns the reductions of a phase, repeated for each copy.
  llvm::SmallVector<Reduction *> inPhase(unsigned phase);

  /// Returns the sizes of the loops over work items.
  llvm::SmallVector<mlir::AffineExpr> workSizes();
  /// Emits the kernel's loop over its work items. `outer` has the sizes of
  /// additional loops around those over kept dims.
  mlir::LogicalResult
  forItems(llvm::ArrayRef<mlir::AffineExpr> outer,
           llvm::function_ref<mlir::LogicalResult(
               mlir::Value item, llvm::ArrayRef<mlir::Value> outer,
               const Values &dims, mlir::Value mask)>
               body);
  /// Number of elements per block, and so per partial result.
  int64_t blockSize() { return order.getChunk(); }
  bool maySplit();
  mlir::LogicalResult finishPhase(llvm::ArrayRef<Reduction *> active,
                                  mlir::ValueRange states);

  mlir::LogicalResult emitPhase(unsigned phase, const Values &dims,
                                mlir::Value mask);
  mlir::LogicalResult storeKept(const Values &dims, mlir::Value mask);
  mlir::LogicalResult storeElements(const Values &dims, mlir::Value mask);

  mlir::FailureOr<Values> accumulate(llvm::ArrayRef<Reduction *> active,
                                     const Values &dims, mlir::Value mask,
                                     mlir::ValueRange carried);

protected:
  llvm::SmallVector<Values> rootsOfPasses();
  void planKept();
  void prefetch(unsigned pass, ExpressionEmitter &elements, mlir::Value i);

  /// Emits code for a work item, at its indices `dims` and under the mask of
  /// its lanes.
  using ItemBody = llvm::function_ref<mlir::LogicalResult(const Values &dims,
                                                          mlir::Value mask)>;
  mlir::LogicalResult atItem(llvm::ArrayRef<mlir::Value> work, ItemBody body);

  mlir::LogicalResult emitItem(Values dims, mlir::Value mask);
  mlir::LogicalResult storeLanes(const Values &dims, mlir::Value mask);

  using Step = ReducedLoops::Step;
  mlir::FailureOr<Values> forBlocks(const Values &dims, mlir::Value mask,
                                    mlir::ValueRange carried,
                                    llvm::ArrayRef<Reduction *> active,
                                    Step step);
  mlir::FailureOr<Values> accumulateCopy(llvm::ArrayRef<Reduction *> active,
                                         int64_t copy, const Values &dims,
                                         mlir::Value mask,
                                         mlir::ValueRange carried);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSKELETON_H
