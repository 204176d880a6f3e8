//===- Loop.cpp - Element-wise loops on GPUs ------------------------------===//
//
// i = the thread's vector of elements (consecutive threads have consecutive
// vectors)
// if all of the vector is inside: compute and store all outputs as vectors
// else: compute and store them element by element
//
// If the outputs alias the inputs that they update, only the replaced windows
// are stored, in a grid-stride loop.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/simt/Grid.h"
#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/emitters/simt/Transpose.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen::simt {

namespace {
class LoopSkeleton {
public:
  LoopSkeleton(KernelBuilder &kernel, const CollapsedDims &loops)
      : kernel(kernel), loops(loops), space(kernel.names, loops.sizes),
        inner(loops.sizes.back()), lane(loops.sizes.size() - 1) {}

  /// Returns the maximum number of lanes per access, such that rows consist of
  /// whole vectors.
  int64_t widest() {
    SmallVector<std::pair<Value, analysis::Index>> roots;
    for (Value root : kernel.yield().getValues())
      roots.push_back({root, loops.index});
    if (!readsVectors(kernel, space, roots, [](Value) { return false; }, lane))
      return 1;
    // If the size of rows is not a multiple of the lanes, fewer lanes are used.
    auto size = dyn_cast<AffineConstantExpr>(inner);
    return size && lane > 0
               ? dividingLanes(accessLanes(kernel), size.getValue())
               : accessLanes(kernel);
  }

  FailureOr<KernelSpec> emit() {
    width = kernel.scheduled("lanes");
    int64_t threads = kernel.scheduled("threads");
    SmallVector<AffineExpr> work(loops.sizes);
    work.back() = kernel.names.simplify(inner.ceilDiv(width));
    AffineExpr vectors = kernel.names.product(work);
    AffineExpr blocks = kernel.names.simplify(vectors.ceilDiv(threads));
    auto constant = dyn_cast<AffineConstantExpr>(vectors);
    bool isFull = constant && constant.getValue() % threads == 0;
    auto body = [&](Value block) {
      Value position =
          add(kernel, mul(kernel, block, indexConstant(kernel, threads)),
              threadId(kernel, threads));
      Value inside =
          isFull ? Value() : less(kernel, position, kernel.size(vectors));
      if (Value inPlace = keepsInputs(kernel)) {
        if (failed(replaceWindows(inPlace, position, blocks, threads)))
          return failure();
        inside = andNot(inside, inPlace);
      }
      return when(kernel, inside, [&] {
        Values dims = delinearize(kernel, position, work);
        dims.back() = mul(kernel, dims.back(), indexConstant(kernel, width));
        return storeVector(dims);
      });
    };
    if (failed(forBlocks(kernel, blocks, threads, body)))
      return failure();
    return finish(kernel, blocks, threads);
  }

private:
  KernelBuilder &kernel;
  const CollapsedDims &loops;
  analysis::IterationSpace space;
  AffineExpr inner;
  unsigned lane;
  int64_t width = 1;

  /// Returns `x and not y`. A null x means true.
  Value andNot(Value x, Value y) {
    ImplicitLocOpBuilder &b = kernel.b;
    Value yes = arith::ConstantIntOp::create(b, 1, /*width=*/1);
    Value no = arith::XOrIOp::create(b, y, yes);
    return x ? Value(arith::AndIOp::create(b, x, no)) : no;
  }

  /// Emits code that, if `inPlace` is true, stores only the windows of
  /// dynamic_update_slice ops. Each window has a grid-stride loop that starts
  /// at `position`.
  LogicalResult replaceWindows(Value inPlace, Value position, AffineExpr blocks,
                               int64_t threads) {
    Value step = kernel.size(kernel.names.simplify(blocks * threads));
    return when(kernel, inPlace, [&]() -> LogicalResult {
      for (auto [i, root] : llvm::enumerate(kernel.yield().getValues())) {
        auto op = root.getDefiningOp<tx::DynamicUpdateSliceOp>();
        if (!op)
          continue;
        SmallVector<AffineExpr> sizes = kernel.dims(op.getUpdate());
        analysis::IterationSpace window(kernel.names, sizes);
        unsigned output = i;
        auto done = forStrided(
            kernel, position, kernel.size(kernel.names.product(sizes)), step,
            {}, [&](Value element, ValueRange) -> FailureOr<Values> {
              Values dims = delinearize(kernel, element, sizes);
              ExpressionEmitter elements(kernel, window, dims);
              if (failed(elements.storeWindow(op, output)))
                return failure();
              return Values();
            });
        if (failed(done))
          return failure();
      }
      return success();
    });
  }

  LogicalResult storeAll(ValueRange dims, bool asVector) {
    std::optional<ExpressionEmitter::Lanes> lanes;
    if (asVector)
      lanes = {lane, width};
    ExpressionEmitter elements(kernel, space, dims, lanes);
    if (asVector)
      elements.assumeAligned(lane > 0 ? inner : AffineExpr());
    return elements.storeOutputs(loops.index);
  }

  /// True if the whole vector at `first` is inside the row, and rows are
  /// aligned.
  Value isFullVector(Value first) {
    Value size = kernel.size(inner), w = indexConstant(kernel, width);
    if (lane > 0)
      return equal(kernel, rem(kernel, size, w), indexConstant(kernel, 0));
    Value past = add(kernel, first, w);
    return kernel.b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ule, past,
                                                size);
  }

  LogicalResult storeVector(Values dims) {
    if (width == 1)
      return storeAll(dims, /*asVector=*/false);
    auto size = dyn_cast<AffineConstantExpr>(inner);
    if (size && size.getValue() % width == 0)
      return storeAll(dims, /*asVector=*/true);
    Value first = dims.back();
    auto vectorized = [&]() -> FailureOr<Values> {
      if (failed(storeAll(dims, /*asVector=*/true)))
        return failure();
      return Values();
    };
    auto rest = [&]() {
      Value past = min(kernel, add(kernel, first, indexConstant(kernel, width)),
                       kernel.size(inner));
      return forRange(kernel, first, past, 1, {},
                      [&](Value i, ValueRange) -> FailureOr<Values> {
                        dims.back() = i;
                        if (failed(storeAll(dims, /*asVector=*/false)))
                          return failure();
                        return Values();
                      });
    };
    return success(succeeded(
        choose(kernel, isFullVector(first), TypeRange(), vectorized, rest)));
  }
};
} // namespace

static FailureOr<CollapsedDims> findLoops(KernelBuilder &kernel) {
  FailureOr<CollapsedDims> loops = collapseOutputs(kernel);
  if (succeeded(loops) && loops->sizes.empty())
    loops->sizes.push_back(kernel.names.constant(1));
  return loops;
}

static FailureOr<Offers> offerLanes(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<CollapsedDims> loops = findLoops(fusion);
  if (failed(loops))
    return failure();
  Offers offers;
  for (int64_t lanes = LoopSkeleton(fusion, *loops).widest(); lanes; lanes /= 2)
    for (int64_t threads : {blockThreads, blockThreads / 2})
      offers.push_back({{"lanes", lanes}, {"threads", threads}});
  return offers;
}

static bool matchSquares(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<CollapsedDims> loops = findLoops(fusion);
  return succeeded(loops) && TransposeSkeleton::match(fusion, *loops);
}

static FailureOr<Offers> offerSquares(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<CollapsedDims> loops = findLoops(fusion);
  if (failed(loops))
    return failure();
  return Offers{
      {{"side", TransposeSkeleton::match(fusion, *loops)->getSide()}}};
}

FailureOr<Offers> offerLoop(KernelBuilder &fusion) {
  return matchSquares(fusion, {}) ? offerSquares(fusion, {})
                                  : offerLanes(fusion, {});
}

FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel) {
  FailureOr<CollapsedDims> loops = findLoops(kernel);
  if (failed(loops))
    return failure();
  if (kernel.fusion.getScheduleAttr().get("side"))
    return TransposeSkeleton::match(kernel, *loops)->emit();
  return LoopSkeleton(kernel, *loops).emit();
}

static FailureOr<EmittedKernels> emitSingleLoop(KernelBuilder &kernel) {
  return single(emitLoop(kernel));
}

const Skeleton squares = {"squares", tx::kinds::loop, matchSquares,
                          offerSquares, emitSingleLoop};
const Skeleton loop = {.name = "elements",
                       .kind = tx::kinds::loop,
                       .match = matchAll,
                       .schedules = offerLanes,
                       .emit = emitSingleLoop,
                       .mayOverwrite = true};

} // namespace tensorc::codegen::simt
