//===- Loop.cpp - Skeleton of element-wise fusions ------------------------===//
//
// for each element, or vector of elements, of the outputs' common shape:
//   compute and store all outputs
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
    if (loops.sizes.empty())
      return scalar();
    return loops.sizes.size() == 1 ? flat() : nested();
  }

private:
  KernelBuilder &kernel;
  CollapsedDims loops;
  std::optional<analysis::IterationSpace> space;

  AffineExpr constant(int64_t value) { return kernel.names.constant(value); }

  /// Reads before it writes: an output may be an input's memory.
  LogicalResult storeAll(ExpressionEmitter &elements, Value streaming) {
    SmallVector<Value> computed;
    for (Value root : kernel.yield().getValues()) {
      FailureOr<Value> element = elements.emit(root, loops.index);
      if (failed(element))
        return failure();
      computed.push_back(*element);
    }
    for (auto [i, element] : llvm::enumerate(computed))
      elements.store(element, i, loops.index, streaming);
    return success();
  }

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
    return storeAll(elements, streaming);
  }

  /// One element.
  FailureOr<KernelSpec> scalar() {
    auto done =
        forRange(kernel, kernel.begin(), kernel.end(), 1, {},
                 [&](Value, ValueRange) -> FailureOr<SmallVector<Value>> {
                   if (failed(storeLanes({}, 1, {}, {})))
                     return failure();
                   return SmallVector<Value>();
                 });
    if (failed(done))
      return failure();
    return kernel.finish(constant(1), constant(1));
  }

  /// All dims are one: work items are elements.
  FailureOr<KernelSpec> flat() {
    if (failed(lanesOf({}, kernel.begin(), kernel.end(), AffineExpr())))
      return failure();
    return kernel.finish(loops.sizes[0], constant(grainElements));
  }

  /// Work items are rows of the innermost loop.
  FailureOr<KernelSpec> nested() {
    ArrayRef<AffineExpr> outer = ArrayRef(loops.sizes).drop_back();
    AffineExpr inner = loops.sizes.back();
    auto done =
        forRange(kernel, kernel.begin(), kernel.end(), 1, {},
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
    return kernel.finish(kernel.names.product(outer), grain);
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
