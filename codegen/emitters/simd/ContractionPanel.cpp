//===- ContractionPanel.cpp - A tile's columns of y, packed ---------------===//

#include "codegen/emitters/simd/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

/// The vectors of y at one step of the sum.
FailureOr<SmallVector<Value>>
ContractionSkeleton::columnsOf(const Values &dims, ArrayRef<Value> laneAt,
                               ArrayRef<Value> masks) {
  Values columns;
  for (auto [lane, mask] : llvm::zip(laneAt, masks)) {
    Values at = dims;
    at[laneLoop] = lane;
    ExpressionEmitter elements(kernel, *space, at,
                               ExpressionEmitter::Lanes{laneLoop, width}, mask);
    FailureOr<Value> column = elements.emitLanes(dot.getY(), yIndex);
    if (failed(column))
      return failure();
    columns.push_back(widen(*column));
  }
  return columns;
}

/// Makes the panel if there is more than one tile of rows; the scratch it
/// needs.
AffineExpr ContractionSkeleton::planPanel() {
  auto count = dyn_cast<AffineConstantExpr>(loops.sizes[rowLoop]);
  if (count && count.getValue() <= rows)
    return {};
  AffineExpr elements = constant(tileVectors * width);
  for (unsigned loop : sumLoops)
    elements = elements * loops.sizes[loop];
  elements = kernel.names.simplify(elements);
  panel = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, accumulator), kernel.scratch(),
      indexConstant(kernel, 0), ValueRange{kernel.size(elements)});
  return elements * constant(accumulator.getIntOrFloatBitWidth() / 8);
}

/// Where the panel has a vector of y.
Value ContractionSkeleton::panelPlace(const Values &dims, unsigned vector) {
  Value place = dims[sumLoops.front()];
  for (unsigned loop : ArrayRef(sumLoops).drop_front())
    place = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(place, kernel.size(loops.sizes[loop])),
        dims[loop]);
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(place,
                                    indexConstant(kernel, tileVectors * width)),
      indexConstant(kernel, vector * width));
}

/// Fills the panel where `isNew` holds.
LogicalResult ContractionSkeleton::pack(Value isNew, const Values &dims,
                                        ArrayRef<Value> laneAt,
                                        ArrayRef<Value> masks) {
  auto ifOp = scf::IfOp::create(b, isNew, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  auto done = sumOver(
      0, dims, {}, [&](const Values &at, ValueRange) -> FailureOr<Values> {
        FailureOr<Values> columns = columnsOf(at, laneAt, masks);
        if (failed(columns))
          return failure();
        for (auto [v, column] : llvm::enumerate(*columns))
          vector::StoreOp::create(b, column, panel, panelPlace(at, v));
        return Values();
      });
  return success(succeeded(done));
}

} // namespace tensorc::codegen::simd
