//===- ScanPlan.h - Shared parts of scan skeletons --------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_SCANPLAN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_SCANPLAN_H

#include "codegen/emitters/AxisNest.h"
#include "codegen/emitters/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tensorc::codegen {

/// The scan of a fusion, its loops, and the combination of its states.
class ScanPlan {
protected:
  using Values = llvm::SmallVector<mlir::Value>;

  ScanPlan(KernelBuilder &kernel, AxisNest axisNest)
      : kernel(kernel), b(kernel.b), nest(std::move(axisNest)),
        op(nest.ops.front()), combiner(kernel, op),
        space(kernel.names, nest.loops.sizes), reverse(op->hasAttr("reverse")),
        exclusive(op->hasAttr("exclusive")) {}

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  AxisNest nest;
  mlir::Operation *op;
  Combiner combiner;
  analysis::IterationSpace space;
  bool reverse, exclusive;

  /// Combines the states of consecutive elements, x before y. The order of the
  /// operands affects only rounding.
  mlir::FailureOr<mlir::Value> combine(mlir::Value x, mlir::Value y) {
    auto state = combiner.combine(x, y);
    if (failed(state))
      return mlir::failure();
    return (*state)[0];
  }
  /// Returns the index of the i-th element in scan order: i, or count - 1 - i
  /// for a reverse scan.
  mlir::Value inOrder(mlir::Value i, mlir::Value count) {
    if (!reverse)
      return i;
    mlir::Value last =
        b.createOrFold<mlir::arith::SubIOp>(count, indexConstant(kernel, 1));
    return b.createOrFold<mlir::arith::SubIOp>(last, i);
  }
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_SCANPLAN_H
