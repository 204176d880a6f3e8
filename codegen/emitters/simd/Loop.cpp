//===- Loop.cpp - Skeleton of element-wise fusions ------------------------===//
//
// for each element, or vector of elements, of the outputs' common shape:
//   compute and store all outputs
//
// Where the outputs are the memory of what they keep: only what is replaced
// there, each range of work items its share.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/simd/Skeletons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// Elements that one work item's worth of overhead should be spread over.
static constexpr int64_t grainElements = 16384;
/// How far ahead of itself a kernel that streams asks for its inputs: the
/// hardware does so within a page only. Measured: 1 to 8 KB ahead into the L1
/// cache gains nothing, 4 KB into the L2 cache 20 %.
static constexpr int64_t prefetchBytes = 4096;

namespace {
class LoopSkeleton {
public:
  LoopSkeleton(KernelBuilder &kernel) : kernel(kernel) {}

  FailureOr<KernelSpec> emit() {
    FailureOr<CollapsedDims> collapsed = collapseOutputs(kernel);
    if (failed(collapsed))
      return failure();
    loops = *collapsed;
    space.emplace(kernel.names, loops.sizes);
    inPlace = keepsInputs(kernel);
    first = inPlace ? arith::SelectOp::create(kernel.b, inPlace, kernel.end(),
                                              kernel.begin())
                    : kernel.begin();
    if (loops.sizes.empty())
      return scalar();
    return loops.sizes.size() == 1 ? flat() : nested();
  }

private:
  KernelBuilder &kernel;
  CollapsedDims loops;
  std::optional<analysis::IterationSpace> space;
  /// An i1: only what is replaced is stored. Null: never.
  Value inPlace;
  /// Of the work items: none is left where the outputs keep their inputs.
  Value first;

  AffineExpr constant(int64_t value) { return kernel.names.constant(value); }

  LogicalResult storeLanes(ValueRange dims, int64_t width, Value mask,
                           Value streaming) {
    std::optional<ExpressionEmitter::Lanes> lanes;
    if (width > 1)
      lanes = {static_cast<unsigned>(dims.size() - 1), width};
    ExpressionEmitter elements(kernel, *space, dims, lanes,
                               width > 1 ? mask : Value());
    if (!isQuick(kernel))
      elements.expectAllOn();
    if (streaming)
      elements.prefetch(prefetchBytes);
    return elements.storeOutputs(loops.index, streaming);
  }

  /// One element.
  FailureOr<KernelSpec> scalar() {
    auto done =
        forRange(kernel, first, kernel.end(), 1, {},
                 [&](Value, ValueRange) -> FailureOr<SmallVector<Value>> {
                   if (failed(storeLanes({}, 1, {}, {})))
                     return failure();
                   return SmallVector<Value>();
                 });
    if (failed(done))
      return failure();
    return finish(constant(1), constant(1));
  }

  /// All dims are one: work items are elements.
  FailureOr<KernelSpec> flat() {
    if (failed(lanesOf({}, first, kernel.end(), AffineExpr())))
      return failure();
    return finish(loops.sizes[0], constant(grainElements));
  }

  /// Work items are rows of the innermost loop.
  FailureOr<KernelSpec> nested() {
    ArrayRef<AffineExpr> outer = ArrayRef(loops.sizes).drop_back();
    AffineExpr inner = loops.sizes.back();
    auto done =
        forRange(kernel, first, kernel.end(), 1, {},
                 [&](Value row, ValueRange) -> FailureOr<SmallVector<Value>> {
                   SmallVector<Value> dims = delinearize(kernel, row, outer);
                   if (failed(lanesOf(dims, indexConstant(kernel, 0),
                                      kernel.size(inner), inner)))
                     return failure();
                   return SmallVector<Value>();
                 });
    if (failed(done))
      return failure();
    AffineExpr grain = constant(grainElements).ceilDiv(inner + 1);
    return finish(kernel.names.product(outer), grain);
  }

  FailureOr<KernelSpec> finish(AffineExpr extent, AffineExpr grain) {
    if (inPlace)
      for (auto [i, root] : llvm::enumerate(kernel.yield().getValues()))
        if (auto op = root.getDefiningOp<tx::DynamicUpdateSliceOp>())
          if (failed(replaceWindow(op, i, extent)))
            return failure();
    return kernel.finish(extent, grain);
  }

  /// The share that the range of work items has of `count`, as a range; none
  /// where all elements are stored.
  std::pair<Value, Value> shareOf(AffineExpr count, AffineExpr extent) {
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

  /// By rows of the window, or by elements where it has but one row.
  LogicalResult replaceWindow(tx::DynamicUpdateSliceOp op, unsigned output,
                              AffineExpr extent) {
    SmallVector<AffineExpr> sizes = kernel.dims(op.getUpdate());
    analysis::IterationSpace window(kernel.names, sizes);
    ArrayRef<AffineExpr> outer = ArrayRef(sizes).drop_back();
    int64_t width = kernel.scheduled("lanes");
    auto row = [&](ArrayRef<Value> at, Value lower, Value upper,
                   AffineExpr size) {
      return forLanes(
          kernel, lower, upper, width, size, {},
          [&](Value i, Value mask,
              ValueRange) -> FailureOr<SmallVector<Value>> {
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
    auto [from, to] =
        shareOf(outer.empty() ? sizes[0] : kernel.names.product(outer), extent);
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

  LogicalResult lanesOf(ArrayRef<Value> outer, Value lower, Value upper,
                        AffineExpr size) {
    int64_t width = kernel.scheduled("lanes");
    return forLanes(
        kernel, lower, upper, width, size, {},
        [&](Value i, Value mask, ValueRange) -> FailureOr<SmallVector<Value>> {
          SmallVector<Value> dims(outer);
          dims.push_back(i);
          AffineExpr count = kernel.names.product(loops.sizes);
          AffineExpr row = outer.empty() ? AffineExpr() : loops.sizes.back();
          Value streaming =
              streamingStores(kernel, count, row, i, upper, width);
          if (failed(storeLanes(dims, width, mask, streaming)))
            return failure();
          return SmallVector<Value>();
        });
  }
};
} // namespace

FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel) {
  return LoopSkeleton(kernel).emit();
}

/// Those of a register, or of two, or of half of one.
Offers offerLanes(KernelBuilder &fusion) {
  int64_t width = registerLanes(fusion);
  Offers offers{{{"lanes", width}}, {{"lanes", 2 * width}}};
  if (width > 1)
    offers.push_back({{"lanes", width / 2}});
  return offers;
}

const Skeleton loop = {
    "elements", "loop", matchAll,
    [](KernelBuilder &fusion, tx::OrderAttr) -> FailureOr<Offers> {
      return offerLanes(fusion);
    },
    [](KernelBuilder &kernel) { return single(emitLoop(kernel)); }};

} // namespace tensorc::codegen::simd
