//===- LoopInPlace.cpp - Updates windows of outputs that alias inputs -----===//
//
// An output may alias the input that it updates. A loop then stores only the
// windows that are replaced.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/ExpressionEmitter.h"
#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Returns the subrange of [0, count) that this range of work items stores, in
/// proportion to `extent` work items. It is empty unless `inPlace` is true.
static std::pair<Value, Value> subrangeOf(KernelBuilder &kernel, Value inPlace,
                                          AffineExpr count, AffineExpr extent) {
  ImplicitLocOpBuilder &b = kernel.b;
  auto scaled = [&](Value item) {
    return b.createOrFold<arith::DivUIOp>(
        b.createOrFold<arith::MulIOp>(item, kernel.size(count)),
        kernel.size(extent));
  };
  Value from = scaled(kernel.begin());
  return {from,
          arith::SelectOp::create(b, inPlace, scaled(kernel.end()), from)};
}

/// Stores the window of an output, divided among work items by rows, or by
/// elements if the window has a single dim.
static LogicalResult replaceWindow(KernelBuilder &kernel, Value inPlace,
                                   tx::DynamicUpdateSliceOp op, unsigned output,
                                   AffineExpr extent) {
  SmallVector<AffineExpr> sizes = kernel.dims(op.getUpdate());
  analysis::IterationSpace window(kernel.names, sizes);
  ArrayRef<AffineExpr> outer = ArrayRef(sizes).drop_back();
  int64_t width = kernel.scheduled("lanes");
  auto row = [&](ArrayRef<Value> at, Value lower, Value upper,
                 AffineExpr size) {
    return forLanes(
        kernel, lower, upper, width, size, {},
        [&](Value i, Value mask, ValueRange) -> FailureOr<SmallVector<Value>> {
          SmallVector<Value> dims(at);
          dims.push_back(i);
          std::optional<ExpressionEmitter::Lanes> lanes;
          if (width > 1)
            lanes = {static_cast<unsigned>(outer.size()), width};
          ExpressionEmitter elements(kernel, window, dims, lanes,
                                     width > 1 ? mask : Value());
          if (failed(elements.storeWindow(op, output)))
            return failure();
          return SmallVector<Value>();
        },
        /*mayRepeat=*/false);
  };
  auto [from, to] = subrangeOf(
      kernel, inPlace, outer.empty() ? sizes[0] : kernel.names.product(outer),
      extent);
  if (outer.empty())
    return success(succeeded(row({}, from, to, AffineExpr())));
  auto done = forRange(
      kernel, from, to, 1, {},
      [&](Value position, ValueRange) -> FailureOr<SmallVector<Value>> {
        return row(delinearize(kernel, position, outer),
                   indexConstant(kernel, 0), kernel.size(sizes.back()),
                   sizes.back());
      });
  return success(succeeded(done));
}

LogicalResult replaceWindows(KernelBuilder &kernel, Value inPlace,
                             AffineExpr extent) {
  for (auto [i, root] : llvm::enumerate(kernel.yield().getValues()))
    if (auto op = root.getDefiningOp<tx::DynamicUpdateSliceOp>())
      if (failed(replaceWindow(kernel, inPlace, op, i, extent)))
        return failure();
  return success();
}

} // namespace tensorc::codegen::simd
