//===- Scatter.cpp - Skeleton of updates at computed indices --------------===//
//
//   for each element of x: compute it, and store it in the output
// and, as a kernel of its own, each work item with its free elements:
//   for each index vector:
//     for each position of the window along the other dims:
//       if that lies inside the output:
//         for each vector of free elements: load, combine, store
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/ScalarOps.h"
#include "codegen/emitters/ScatterSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Index;
using Values = ScatterSkeleton::Values;

/// Updates that one work item's worth of overhead should be spread over.
static constexpr int64_t grainUpdates = 16384;

static tx::ScatterOp scatterOf(KernelBuilder &kernel) {
  return kernel.yield().getValues()[0].getDefiningOp<tx::ScatterOp>();
}

SmallVector<AffineExpr> ScatterSkeleton::sizesOf(KernelBuilder &kernel,
                                                 tx::ScatterOp op) {
  SmallVector<AffineExpr> sizes = kernel.dims(op.getUpdates());
  SmallVector<AffineExpr> x = kernel.dims(op.getX());
  for (int64_t d : op.getScatterDimsToOperandDims())
    sizes.push_back(x[d]);
  return sizes;
}

ScatterSkeleton::ScatterSkeleton(KernelBuilder &kernel)
    : kernel(kernel), b(kernel.b), op(scatterOf(kernel)),
      sizes(sizesOf(kernel, op)),
      batch(llvm::map_to_vector(op.getBatchDims(),
                                [](int64_t d) { return unsigned(d); })),
      space(kernel.names, sizes),
      updateRank(op.getUpdates().getType().getRank()) {
  for (auto [d, dim] : llvm::enumerate(op.getWindowDimOfX())) {
    if (dim < 0)
      continue;
    // A dim of one element has no lanes: an index along it is the constant 0.
    bool isBound =
        llvm::is_contained(op.getScatterDimsToOperandDims(), int64_t(d)) ||
        sizes[dim] == kernel.names.constant(1);
    (isBound ? bound : free).push_back(dim);
  }
}

SmallVector<AffineExpr>
ScatterSkeleton::sizesAt(ArrayRef<unsigned> dims) const {
  return llvm::map_to_vector(dims, [&](unsigned d) { return sizes[d]; });
}

AffineExpr ScatterSkeleton::updatesOfElement() {
  return kernel.names.simplify(kernel.names.product(sizesAt(batch)) *
                               kernel.names.product(sizesAt(bound)));
}

/// One loop over some dims.
LogicalResult ScatterSkeleton::forEach(ArrayRef<unsigned> over, Values dims,
                                       Body body) {
  SmallVector<AffineExpr> counts = sizesAt(over);
  AffineExpr count = kernel.names.product(counts);
  auto done = forRange(
      kernel, indexConstant(kernel, 0), kernel.size(count), 1, {},
      [&](Value position, ValueRange) -> FailureOr<SmallVector<Value>> {
        for (auto [d, value] :
             llvm::zip(over, delinearize(kernel, position, counts)))
          dims[d] = value;
        if (failed(body(dims)))
          return failure();
        return SmallVector<Value>();
      });
  return success(succeeded(done));
}

/// The index vector as indices, of which those outside stay outside.
FailureOr<Values> ScatterSkeleton::startsAt(const Values &dims) {
  ExpressionEmitter elements(kernel, space, dims);
  Type element = op.getIndices().getType().getElementType();
  Values starts;
  for (int64_t k = 0; k < op.getVectorSize(); ++k) {
    Index at = analysis::indexVectorIndex(op, space.identity(), k, space);
    FailureOr<Value> start = elements.emitLanes(op.getIndices(), at);
    if (failed(start))
      return failure();
    Value wide = *start;
    Type i64 = b.getI64Type();
    if (element.getIntOrFloatBitWidth() < 64)
      wide = element.isUnsignedInteger()
                 ? Value(arith::ExtUIOp::create(b, i64, wide))
                 : Value(arith::ExtSIOp::create(b, i64, wide));
    else if (element.isUnsignedInteger())
      wide = arith::MinUIOp::create(
          b, wide, arith::ConstantIntOp::create(b, INT64_MAX, 64));
    starts.push_back(arith::IndexCastOp::create(b, b.getIndexType(), wide));
  }
  return starts;
}

/// The body where the position inside the window is one of the output too.
LogicalResult ScatterSkeleton::whereInside(Values dims, const Values &starts,
                                           Body body) {
  Value inside;
  auto require = [&](Value at, AffineExpr size) {
    // Unsigned: one comparison refuses negative indices too.
    Value below = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at,
                                        kernel.size(size));
    inside = inside ? arith::AndIOp::create(b, inside, below) : below;
  };
  SmallVector<int64_t> windowDims = op.getWindowDimOfX();
  for (auto [k, d] : llvm::enumerate(op.getScatterDimsToOperandDims())) {
    Value at = starts[k];
    if (windowDims[d] >= 0)
      at = arith::AddIOp::create(b, at, dims[windowDims[d]]);
    dims[updateRank + k] = at;
    require(at, sizes[updateRank + k]);
  }
  SmallVector<AffineExpr> x = kernel.dims(op.getX());
  for (int64_t d : op.getInsertedWindowDims())
    if (!llvm::is_contained(op.getScatterDimsToOperandDims(), d))
      require(indexConstant(kernel, 0), x[d]);
  if (!inside)
    return body(dims);
  auto ifOp = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  return body(dims);
}

LogicalResult ScatterSkeleton::forEachUpdate(Values dims, Body body) {
  return forEach(batch, dims, [&](const Values &dims) -> LogicalResult {
    FailureOr<Values> starts = startsAt(dims);
    if (failed(starts))
      return failure();
    return forEach(bound, dims, [&](const Values &dims) {
      return whereInside(dims, *starts, body);
    });
  });
}

Value ScatterSkeleton::combine(Value before, Value by) {
  ElementKind kind = elementKind(op.getX().getType().getElementType());
  bool isFloat = kind == ElementKind::Float;
  bool isSigned = kind == ElementKind::Signed;
  StringRef name = op.getKind();
  if (name == "add")
    return isFloat ? Value(arith::AddFOp::create(b, before, by))
                   : Value(arith::AddIOp::create(b, before, by));
  if (name == "mul")
    return isFloat ? Value(arith::MulFOp::create(b, before, by))
                   : Value(arith::MulIOp::create(b, before, by));
  if (name == "min")
    return isFloat    ? Value(arith::MinimumFOp::create(b, before, by))
           : isSigned ? Value(arith::MinSIOp::create(b, before, by))
                      : Value(arith::MinUIOp::create(b, before, by));
  return isFloat    ? Value(arith::MaximumFOp::create(b, before, by))
         : isSigned ? Value(arith::MaxSIOp::create(b, before, by))
                    : Value(arith::MaxUIOp::create(b, before, by));
}

LogicalResult
ScatterSkeleton::update(const Values &dims,
                        std::optional<ExpressionEmitter::Lanes> lanes,
                        Value mask) {
  ExpressionEmitter elements(kernel, space, dims, lanes, mask);
  Index all = space.identity();
  Index target;
  for (int64_t d : op.getWindowDimOfX())
    target.push_back(d < 0 ? kernel.names.constant(0) : all[d]);
  for (auto [k, d] : llvm::enumerate(op.getScatterDimsToOperandDims()))
    target[d] = all[updateRank + k];
  FailureOr<Value> by = elements.emitLanes(
      op.getUpdates(), Index(ArrayRef(all).take_front(updateRank)));
  if (failed(by))
    return failure();
  Value value = *by;
  if (op.getKind() != "set")
    value = combine(elements.splat(elements.reload(0, target)), value);
  elements.store(value, 0, target);
  return success();
}

//===----------------------------------------------------------------------===//
// The kernel for a range of work items
//===----------------------------------------------------------------------===//

/// Along the innermost free dim, by lanes, from `lower` to `upper`.
static LogicalResult updateLanes(KernelBuilder &kernel,
                                 ScatterSkeleton &scatter, Values dims,
                                 Value lower, Value upper, AffineExpr size) {
  int64_t width = registerLanes(kernel);
  unsigned lane = scatter.freeDims().back();
  return scatter.forEachUpdate(dims, [&](const Values &outer) {
    auto done = forLanes(
        kernel, lower, upper, width, size, {},
        [&](Value i, Value mask, ValueRange) -> FailureOr<SmallVector<Value>> {
          Values dims = outer;
          dims[lane] = i;
          std::optional<ExpressionEmitter::Lanes> lanes;
          if (width > 1)
            lanes = {lane, width};
          if (failed(scatter.update(dims, lanes, width > 1 ? mask : Value())))
            return failure();
          return SmallVector<Value>();
        });
    return success(succeeded(done));
  });
}

static FailureOr<KernelSpec> emitUpdates(KernelBuilder &kernel) {
  ScatterSkeleton scatter(kernel);
  ArrayRef<unsigned> free = scatter.freeDims();
  AffineExpr one = kernel.names.constant(1);
  AffineExpr updates = scatter.updatesOfElement() + 1;
  AffineExpr extent = one, cost = updates;
  if (free.size() == 1) {
    // Work items are elements.
    extent = scatter.sizeOf(free[0]);
    if (failed(updateLanes(kernel, scatter, scatter.noDims(), kernel.begin(),
                           kernel.end(), AffineExpr())))
      return failure();
  } else {
    // Work items are rows of the innermost free dim; without one it is one
    // item, which takes all.
    SmallVector<AffineExpr> rows;
    for (unsigned d : free.empty() ? free : free.drop_back())
      rows.push_back(scatter.sizeOf(d));
    extent = kernel.names.product(rows);
    auto done = forRange(
        kernel, kernel.begin(), kernel.end(), 1, {},
        [&](Value row, ValueRange) -> FailureOr<SmallVector<Value>> {
          Values dims = scatter.noDims();
          for (auto [d, value] :
               llvm::zip(free, delinearize(kernel, row, rows)))
            dims[d] = value;
          LogicalResult updated =
              free.empty()
                  ? scatter.forEachUpdate(dims,
                                          [&](const Values &dims) {
                                            return scatter.update(dims);
                                          })
                  : updateLanes(kernel, scatter, dims, indexConstant(kernel, 0),
                                kernel.size(scatter.sizeOf(free.back())),
                                scatter.sizeOf(free.back()));
          if (failed(updated))
            return failure();
          return SmallVector<Value>();
        });
    if (failed(done))
      return failure();
    if (!free.empty())
      cost = updates * (scatter.sizeOf(free.back()) + 1);
  }
  return kernel.finish(extent,
                       kernel.names.constant(grainUpdates).ceilDiv(cost));
}

FailureOr<EmittedKernels> emitScatter(KernelBuilder &kernel) {
  KernelBuilder first(kernel, "_init");
  FailureOr<KernelSpec> init = emitLoop(first);
  FailureOr<KernelSpec> updates = emitUpdates(kernel);
  if (failed(init) || failed(updates))
    return failure();
  return EmittedKernels{{*init, *updates}, {}};
}

} // namespace tensorc::codegen
