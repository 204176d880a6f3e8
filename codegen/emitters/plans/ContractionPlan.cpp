//===- ContractionPlan.cpp - Loops and operands of a contraction ----------===//

#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Index;

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

Dot::Dot(tx::DotGeneralOp dot) : op(dot) {}

Dot::Tensor Dot::getX() const { return cast<tx::DotGeneralOp>(op).getX(); }
Dot::Tensor Dot::getY() const { return cast<tx::DotGeneralOp>(op).getY(); }

Dot::Tensor Dot::getResult() const {
  return cast<tx::DotGeneralOp>(op).getResult();
}

ArrayRef<int64_t> Dot::getXBatch() const {
  return cast<tx::DotGeneralOp>(op).getXBatch();
}

ArrayRef<int64_t> Dot::getYBatch() const {
  return cast<tx::DotGeneralOp>(op).getYBatch();
}

ArrayRef<int64_t> Dot::getXContracting() const {
  return cast<tx::DotGeneralOp>(op).getXContracting();
}

ArrayRef<int64_t> Dot::getYContracting() const {
  return cast<tx::DotGeneralOp>(op).getYContracting();
}

//===----------------------------------------------------------------------===//
// ContractionPlan
//===----------------------------------------------------------------------===//

LogicalResult ContractionPlan::findDot() {
  for (Operation &op : kernel.body().without_terminator()) {
    auto candidate = dyn_cast<tx::DotGeneralOp>(op);
    if (!candidate)
      continue;
    if (dot)
      return op.emitError("a fusion holds one contraction");
    dot = candidate;
  }
  if (!dot)
    return kernel.fusion.emitOpError("has no contraction");
  return findOutput();
}

/// Determines how the outputs index the dot's dims. All outputs must have the
/// number of elements of the dot's result, and its dims in the same order.
LogicalResult ContractionPlan::findOutput() {
  Value first = kernel.yield().getValues().front();
  for (Value root : kernel.yield().getValues())
    if (!tx::sameShape(root.getType(), first.getType()))
      return kernel.fusion.emitOpError("outputs differ in shape");
  analysis::IterationSpace outputs(kernel.names, kernel.dims(first));
  SmallVector<Index, 1> reads;
  for (Value root : kernel.yield().getValues())
    analysis::walkReads(
        root, outputs.identity(), outputs,
        [&](Value s) { return kernel.symbolOf(s); },
        [&](Value v) { return v == dot.getResult(); },
        [&](Value v, const Index &at) {
          if (v == dot.getResult() && !llvm::is_contained(reads, at))
            reads.push_back(at);
        },
        [](const analysis::Guard &) {});
  if (reads.empty())
    return kernel.fusion.emitOpError("outputs do not read its contraction");
  if (reads.size() > 1)
    return dot.emitError("is read at ")
           << reads.size() << " different indices by its fusion's outputs";
  const Index &found = reads.front();
  unsigned rank = dot.getType().getRank();
  llvm::SmallBitVector seen(rank);
  for (AffineExpr e : found) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    if (!dim || dim.getPosition() >= rank || seen.test(dim.getPosition()))
      break;
    seen.set(dim.getPosition());
    outputDims.push_back(dim.getPosition());
  }
  SmallVector<AffineExpr> sizes = kernel.dims(dot.getResult());
  bool isFull = outputDims.size() == rank && outputs.getRank() == rank;
  for (unsigned d = 0; isFull && d < rank; ++d)
    isFull = outputs.getSizes()[outputDims[d]] == sizes[d];
  if (!isFull)
    return kernel.fusion.emitOpError("outputs differ in shape from its "
                                     "contraction");
  return success();
}

/// Sets the index of each operand, given the index in the iteration space. The
/// dims of that space are those of the result, followed by the reduction dims.
void ContractionPlan::planIndices(const Index &all) {
  unsigned rank = dot.getType().getRank();
  unsigned batch = dot.getXBatch().size();
  auto fill = [&](Index &index, int64_t operandRank,
                  ArrayRef<int64_t> batchDims, ArrayRef<int64_t> sumDims,
                  unsigned firstFree) {
    index.assign(operandRank, AffineExpr());
    for (auto [i, d] : llvm::enumerate(batchDims))
      index[d] = all[i];
    for (auto [i, d] : llvm::enumerate(sumDims))
      index[d] = all[rank + i];
    for (AffineExpr &e : index)
      if (!e)
        e = all[firstFree++];
  };
  int64_t xRank = dot.getX().getType().getRank();
  unsigned xFree = xRank - batch - dot.getXContracting().size();
  fill(xIndex, xRank, dot.getXBatch(), dot.getXContracting(), batch);
  fill(yIndex, dot.getY().getType().getRank(), dot.getYBatch(),
       dot.getYContracting(), batch + xFree);
  if (isSwapped)
    std::swap(xIndex, yIndex);
  outIndex = outputAt(all);
}

Index ContractionPlan::outputAt(ArrayRef<AffineExpr> all) const {
  Index index(outputDims.size());
  for (auto [i, d] : llvm::enumerate(outputDims))
    index[d] = all[i];
  return index;
}

LogicalResult ContractionPlan::planDims() {
  if (failed(findDot()))
    return failure();
  Type element = dot.getType().getElementType();
  accumulator = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32
                    ? b.getF32Type()
                    : kernelType(element);
  shape = kernel.dims(dot.getResult());
  unsigned batch = dot.getXBatch().size();
  unsigned xFree =
      dot.getX().getType().getRank() - batch - dot.getXContracting().size();
  unsigned yFree = shape.size() - batch - xFree;
  if (xFree == 0 || yFree == 0 || dot.getXContracting().empty())
    return dot.emitError("needs rows, columns and a contracted dimension");
  roles.append(batch, Role::Batch);
  roles.append(xFree, isSwapped ? Role::Lane : Role::Row);
  roles.append(yFree, isSwapped ? Role::Row : Role::Lane);
  SmallVector<AffineExpr> xDims = kernel.dims(dot.getX());
  for (int64_t d : dot.getXContracting()) {
    shape.push_back(xDims[d]);
    roles.push_back(Role::Sum);
  }
  planIndices(analysis::IterationSpace(kernel.names, shape).identity());
  return success();
}

void ContractionPlan::planLoops(bool withY) {
  planIndices(analysis::IterationSpace(kernel.names, shape).identity());
  outerLoops.clear();
  kLoops.clear();
  SmallVector<std::pair<Value, Index>> roots{{operandX(), xIndex}};
  if (withY)
    roots.push_back({operandY(), yIndex});
  for (Value root : kernel.yield().getValues())
    roots.push_back({root, outIndex});
  loops = collapseDims(
      kernel, shape, roots, [&](Value v) { return v == dot.getResult(); },
      [&](unsigned d) {
        return roles[d] == roles[d + 1] && (withY || roles[d] != Role::Batch);
      });
  for (Role role : {Role::Row, Role::Lane, Role::Sum})
    if (llvm::none_of(loops.innermost,
                      [&](unsigned d) { return roles[d] == role; }))
      loops.addUnitLoop(llvm::find(roles, role) - roles.begin(), kernel.names);
  planIndices(loops.index);
  space.emplace(kernel.names, loops.sizes);
  for (auto [loop, d] : llvm::enumerate(loops.innermost)) {
    if (roles[d] == Role::Row)
      rowLoop = loop;
    if (roles[d] == Role::Lane)
      laneLoop = loop;
  }
  for (auto [loop, d] : llvm::enumerate(loops.innermost)) {
    if (roles[d] == Role::Sum)
      kLoops.push_back(loop);
    else if (loop != rowLoop && loop != laneLoop)
      outerLoops.push_back(loop);
  }
}

LogicalResult ContractionPlan::planNest() {
  if (failed(planDims()))
    return failure();
  planLoops(/*withY=*/true);
  return success();
}

Value ContractionPlan::widen(Value v) {
  Type wanted = shapedLike(accumulator, v.getType());
  return v.getType() == wanted ? v : Value(arith::ExtFOp::create(b, wanted, v));
}

Value ContractionPlan::multiplyAdd(Value x, Value y, Value sum) {
  if (isa<FloatType>(accumulator))
    return vector::FMAOp::create(b, x, y, sum);
  return arith::AddIOp::create(b, arith::MulIOp::create(b, x, y), sum);
}

} // namespace tensorc::codegen
