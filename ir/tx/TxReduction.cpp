//===- TxReduction.cpp - Verifiers of reductions and contractions ---------===//

#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::tx {

LogicalResult verifyReduction(Operation *op, ArrayRef<int64_t> dims) {
  auto in = cast<RankedTensorType>(op->getOperand(0).getType());
  auto out = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t last = -1;
  for (int64_t dim : dims) {
    if (dim <= last || dim >= in.getRank())
      return op->emitOpError("dims must increase strictly and lie inside rank ")
             << in.getRank();
    last = dim;
  }
  DimSpace space(op->getContext());
  SmallVector<AffineExpr> from = space.dims(in), kept;
  for (auto [i, dim] : llvm::enumerate(from))
    if (!llvm::is_contained(dims, static_cast<int64_t>(i)))
      kept.push_back(dim);
  if (kept != space.dims(out))
    return op->emitOpError("reducing ")
           << shapeString(in) << " does not give " << shapeString(out);
  if (!out.hasStaticShape() && !out.getEncoding())
    return op->emitOpError("dynamic dimensions must be named: write "
                           "tensor<?xf32, #tx.dims<[n]>>");
  if (!isa<ArgmaxOp, ArgminOp>(op))
    return in.getElementType() == out.getElementType()
               ? success()
               : op->emitOpError("result dtype ")
                     << out.getElementType() << " differs from the operand's "
                     << in.getElementType();
  if (!out.getElementType().isSignlessInteger(32) &&
      !out.getElementType().isSignlessInteger(64))
    return op->emitOpError("result dtype must be i32 or i64, not ")
           << out.getElementType();
  for (int64_t dim : dims)
    if (in.getDimSize(dim) == 0)
      return op->emitOpError("has no elements to choose from: ")
             << shapeString(in);
  return success();
}

static LogicalResult checkDims(DotGeneralOp op, StringRef side, int64_t rank,
                               ArrayRef<int64_t> batch,
                               ArrayRef<int64_t> contracting) {
  llvm::SmallVector<bool> seen(rank, false);
  for (int64_t dim : llvm::concat<const int64_t>(batch, contracting)) {
    if (dim < 0 || dim >= rank)
      return op.emitOpError()
             << side << " dimension " << dim << " is outside rank " << rank;
    if (std::exchange(seen[dim], true))
      return op.emitOpError()
             << side << " dimension " << dim << " is listed twice";
  }
  return success();
}

LogicalResult DotGeneralOp::verify() {
  auto x = getX().getType(), y = getY().getType(), out = getType();
  if (getXBatch().size() != getYBatch().size() ||
      getXContracting().size() != getYContracting().size())
    return emitOpError("lists of dimensions differ in length");
  if (failed(
          checkDims(*this, "x", x.getRank(), getXBatch(), getXContracting())) ||
      failed(
          checkDims(*this, "y", y.getRank(), getYBatch(), getYContracting())))
    return failure();
  if (x.getElementType() != y.getElementType())
    return emitOpError("dtypes differ: ")
           << x.getElementType() << " and " << y.getElementType();
  if (out.getElementType() != x.getElementType())
    return emitOpError("result dtype ")
           << out.getElementType() << " differs from the operands' "
           << x.getElementType();
  DimSpace space(getContext());
  SmallVector<AffineExpr> dx = space.dims(x), dy = space.dims(y), expected;
  for (auto [a, b] : llvm::zip(getXContracting(), getYContracting()))
    if (dx[a] != dy[b])
      return emitOpError("inner dimensions differ: ")
             << shapeString(x) << " x " << shapeString(y);
  for (auto [a, b] : llvm::zip(getXBatch(), getYBatch())) {
    if (dx[a] != dy[b])
      return emitOpError("batch dimensions differ: ")
             << shapeString(x) << " x " << shapeString(y);
    expected.push_back(dx[a]);
  }
  auto free = [&](ArrayRef<AffineExpr> dims, ArrayRef<int64_t> batch,
                  ArrayRef<int64_t> contracting) {
    for (auto [i, dim] : llvm::enumerate(dims))
      if (!llvm::is_contained(batch, static_cast<int64_t>(i)) &&
          !llvm::is_contained(contracting, static_cast<int64_t>(i)))
        expected.push_back(dim);
  };
  free(dx, getXBatch(), getXContracting());
  free(dy, getYBatch(), getYContracting());
  if (expected != space.dims(out))
    return emitOpError("result has shape ")
           << shapeString(out) << " but the operands make "
           << shapeString(space.type(expected, out.getElementType()));
  return success();
}

} // namespace tensorc::tx
