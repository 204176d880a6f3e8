//===- WindowSkeleton.h - Reductions over windows ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_WINDOWS_WINDOWSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_WINDOWS_WINDOWSKELETON_H

#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/simd/windows/WindowSums.h"
#include "codegen/kernel/CpuCosts.h"

namespace tensorc::codegen::simd {

/// Returns the largest divisor of a line's length that is at most `limit`, or 0
/// if it is so small that the loop around it would take most of the time.
int64_t partOfLine(int64_t length, int64_t limit);

/// Emits a reduction over windows that are smaller than a chunk of the order
/// (Windows.cpp, WindowLoop.cpp).
class WindowSkeleton : ReductionPlan {
public:
  WindowSkeleton(KernelBuilder &kernel, tx::OrderAttr order)
      : ReductionPlan(kernel), order(order) {}

  /// True if the fusion fits this skeleton. Reports no diagnostic if it does
  /// not.
  bool plan();
  Offers offer();
  mlir::FailureOr<KernelSpec> emit();

private:
  tx::OrderAttr order;
  int64_t positions = 0;
  /// Number of unrolled positions: all of them, or a divisor of the size of the
  /// window's last dim.
  int64_t unrolled = 0;
  std::optional<WindowSums> sums;
  /// The read along the lanes; if there are several, the one with the largest
  /// row stride.
  struct Read {
    mlir::BlockArgument value;
    mlir::AffineExpr position;
    /// Distance in bytes between the reads of neighbouring output rows, or 0 if
    /// it is unknown or if there is one row.
    int64_t rowBytes = 0;
  };
  Read read;

  using States = llvm::SmallVector<Combiner::State, 4>;
  /// Vectors of `count` consecutive output rows. `elements` has the indices of
  /// the first row.
  struct Vectors {
    const analysis::IterationSpace &space;
    ExpressionEmitter elements;
    int64_t count;
  };

  bool fits();
  bool isLooped() const { return unrolled < positions; }
  int64_t bytesBetween(unsigned loop, const Read &read);
  bool fitsInL2();
  bool isInOrder();
  void prefetchInOrder(Values dims, mlir::Value lower, mlir::Value i);
  bool readsAlongLanes();
  int64_t runLength() const {
    return kernel.costs().windowItemVectors * lanes->width;
  }
  unsigned rowLoop() const { return keptLoops[keptLoops.size() - 2]; }
  mlir::LogicalResult emitVectors(Values dims, mlir::Value mask, int64_t count);
  mlir::FailureOr<States> emitWindows(Reduction &r, Vectors &vectors);
  mlir::FailureOr<States> emitState(Reduction &r, Vectors &vectors, int64_t i,
                                    int64_t step);
  mlir::FailureOr<States> emitPosition(Reduction &r, Vectors &vectors,
                                       int64_t position);
  mlir::FailureOr<States> emitLines(Reduction &r, Vectors &vectors);
  mlir::FailureOr<States> emitLoop(Reduction &r, const Vectors &vectors,
                                   const Values &dims, mlir::Value mask);
  mlir::FailureOr<Combiner::State> emitElement(Reduction &r, Vectors &vectors,
                                               int64_t row, int64_t position);
  analysis::Index indexAt(const analysis::IterationSpace &space, int64_t row,
                          int64_t position);
  /// Returns the number of positions in a row of the window.
  int64_t lineLength() const {
    return *constantOf(loops.sizes[reducedLoops.back()]);
  }
  bool mayOverlap();
  mlir::LogicalResult emitRows(Values dims, int64_t count, mlir::Value lower,
                               mlir::Value upper);
  mlir::LogicalResult emitBlock(Values dims, mlir::Value lower,
                                mlir::Value upper);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_WINDOWS_WINDOWSKELETON_H
