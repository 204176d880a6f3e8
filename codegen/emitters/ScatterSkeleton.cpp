//===- ScatterSkeleton.cpp - Scatter: ordered updates without atomics -----===//

#include "codegen/emitters/ScatterSkeleton.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Index;
using Values = ScatterSkeleton::Values;

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
    // A dim of size 1 cannot be vectorized, because its index simplifies to the
    // constant 0.
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

/// Emits a loop over all indices of the dims `over`.
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

/// Loads the index vector and converts it to `index`. A value that is out of
/// bounds remains out of bounds, even if it is a huge unsigned integer.
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

/// Emits `body` under the condition that the element of the window at `dims`
/// lies inside the output. Sets the dims of x that index vectors address.
LogicalResult ScatterSkeleton::whereInside(Values dims, const Values &starts,
                                           Body body) {
  Value inside;
  auto require = [&](Value at, AffineExpr size) {
    // The comparison is unsigned, so that it also rejects negative indices.
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
  switch (op.getKind()) {
  case tx::UpdateKind::Set:
    return by;
  case tx::UpdateKind::Add:
    return isFloat ? Value(arith::AddFOp::create(b, before, by))
                   : Value(arith::AddIOp::create(b, before, by));
  case tx::UpdateKind::Mul:
    return isFloat ? Value(arith::MulFOp::create(b, before, by))
                   : Value(arith::MulIOp::create(b, before, by));
  case tx::UpdateKind::Min:
    return isFloat    ? Value(arith::MinimumFOp::create(b, before, by))
           : isSigned ? Value(arith::MinSIOp::create(b, before, by))
                      : Value(arith::MinUIOp::create(b, before, by));
  case tx::UpdateKind::Max:
    return isFloat    ? Value(arith::MaximumFOp::create(b, before, by))
           : isSigned ? Value(arith::MaxSIOp::create(b, before, by))
                      : Value(arith::MaxUIOp::create(b, before, by));
  }
  llvm_unreachable("every kind is above");
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
  if (op.getKind() != tx::UpdateKind::Set)
    value = combine(elements.splat(elements.reload(0, target)), value);
  elements.store(value, 0, target);
  return success();
}

//===----------------------------------------------------------------------===//
// Both kernels
//===----------------------------------------------------------------------===//

FailureOr<EmittedKernels>
emitScatter(KernelBuilder &kernel,
            function_ref<FailureOr<KernelSpec>(KernelBuilder &)> emitLoop,
            function_ref<FailureOr<KernelSpec>(KernelBuilder &)> emitUpdates) {
  KernelBuilder first(kernel, "_init");
  FailureOr<KernelSpec> init = emitLoop(first);
  FailureOr<KernelSpec> updates = emitUpdates(kernel);
  if (failed(init) || failed(updates))
    return failure();
  return EmittedKernels{{*init, *updates}, {}};
}

} // namespace tensorc::codegen
