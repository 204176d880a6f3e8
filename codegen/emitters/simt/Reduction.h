//===- Reduction.h - Reductions on GPUs -------------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_REDUCTION_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_REDUCTION_H

#include "codegen/emitters/plans/ReductionPlan.h"
#include "codegen/emitters/simt/Grid.h"
#include "codegen/emitters/simt/ReductionSlots.h"
#include "codegen/emitters/simt/Skeletons.h"

namespace tensorc::codegen::simt {

/// Emits fusions with reductions. The threads of a block form a 2-D array of
/// kept indices and *slots*; the slots of a kept index share the elements to
/// reduce. Consecutive threads are slots in row reductions, and kept indices in
/// column reductions.
class ReductionSkeleton : ReductionPlan {
public:
  /// Number of elements per chunk (partial result) in row and in column
  /// reductions.
  static constexpr int64_t rowChunk = 16384, columnChunk = 256;
  /// Shape of a block for column reductions: adjacent columns of a subgroup,
  /// and slots.
  static constexpr int64_t columnsPerBlock = 32, columnSlots = 8;

  explicit ReductionSkeleton(KernelBuilder &kernel) : ReductionPlan(kernel) {}

  /// Finds the reductions and the loops. Must be called before anything else.
  mlir::LogicalResult plan();
  tx::OrderAttr chooseOrder();
  Offers offer(tx::OrderAttr order);
  /// Reads the order and the schedule of the fusion.
  void apply();
  mlir::FailureOr<KernelSpec> emit();

  /// Returns the temporaries between the two kernels of a split reduction. Each
  /// block of the first kernel reduces one chunk. The second kernel combines
  /// the chunks in the same order as a single kernel would, so the bits are the
  /// same.
  llvm::SmallVector<KernelSpec::Temporary> temporaries();
  mlir::FailureOr<KernelSpec> emitPartial();
  mlir::FailureOr<KernelSpec> emitFinish();

private:
  bool isRow = false;
  unsigned laneLoop = 0;
  /// Number of lanes per vector if rows consist of whole vectors, and 1
  /// otherwise.
  int64_t width = 1;
  /// A block has `slots` x `keptIndices` threads: `slots` threads for each of
  /// `keptIndices` kept indices (or vectors of kept indices).
  int64_t slots = 1, keptIndices = 1;
  /// Set if the length of a row is named. `slots` is then the number of threads.
  std::optional<NamedRows> namedRows;
  /// Number of reduced elements per result, and number of elements per chunk.
  mlir::AffineExpr count;
  int64_t chunk = 0;

  mlir::Value slot;
  /// An i1 that is true if the thread's kept index exists, or null if it always
  /// does.
  mlir::Value isValid;
  ExchangeMemory exchange;

  int64_t threads() { return slots * keptIndices; }
  int64_t subgroup() { return kernel.target.getSubgroupSize(); }
  void applyOrder(tx::OrderAttr order);
  bool maySplit();
  bool wantsSplit();
  void addOffers(Offers &offers, Numbers numbers);
  int64_t columnWidth();
  bool hasVectors();

  // The kept dims.
  llvm::SmallVector<mlir::AffineExpr> workSizes();
  mlir::AffineExpr itemCount();
  mlir::AffineExpr maxItems();
  Values atItem(mlir::Value item);
  mlir::Value keptPosition(const Values &dims);

  // The reduced elements.
  using Step = llvm::function_ref<mlir::FailureOr<Values>(
      const Values &dims, mlir::ValueRange carried)>;
  mlir::FailureOr<Values> forElements(const Values &dims, mlir::Value lower,
                                      mlir::Value upper,
                                      mlir::ValueRange carried, Step step);
  using Pass = llvm::function_ref<mlir::FailureOr<Values>()>;
  mlir::FailureOr<Values> byWidth(mlir::TypeRange types, Pass pass);
  mlir::FailureOr<Values> accumulate(llvm::ArrayRef<Reduction *> active,
                                     const Values &dims,
                                     mlir::ValueRange carried);
  mlir::AffineExpr chunkCount();
  mlir::FailureOr<Values> chunkOf(llvm::ArrayRef<Reduction *> active,
                                  const Values &dims, mlir::Value number);
  mlir::FailureOr<Values> allChunks(llvm::ArrayRef<Reduction *> active,
                                    const Values &dims);

  // Among slots.
  mlir::FailureOr<Values> across(llvm::ArrayRef<Reduction *> active,
                                 mlir::ValueRange states,
                                 mlir::Value slotCount);
  mlir::FailureOr<Values> acrossThreads(Reduction &r, Values state,
                                        int64_t count, mlir::Value slotCount);
  mlir::FailureOr<Values> acrossSubgroups(Reduction &r, Values state,
                                          int64_t count);
  mlir::FailureOr<Values> acrossColumns(Reduction &r, Values state);
  void endOfIteration();
  mlir::Value andValid(mlir::Value condition);

  mlir::LogicalResult emitItem(mlir::Value item);
  mlir::LogicalResult storeKept(const Values &dims);
  mlir::LogicalResult storeElements(const Values &dims);
  llvm::SmallVector<mlir::Type> stateTypes(llvm::ArrayRef<Reduction *> active);
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_REDUCTION_H
