//===- MovementRules.cpp - Batching of movements, sums, products ----------===//

#include "compiler/transforms/batching/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::batching {

static LogicalResult batch(tx::BroadcastOp op, Step &s) {
  auto made = s.again(op, s.value(0));
  made.setDims(prependShifted(0, op.getDims()));
  return s.give(made);
}

static LogicalResult batch(tx::ReshapeOp op, Step &s) {
  return s.give(s.again(op, s.value(0)));
}

static LogicalResult batch(tx::TransposeOp op, Step &s) {
  auto made = s.again(op, s.value(0));
  made.setPermutation(prependShifted(0, op.getPermutation()));
  return s.give(made);
}

/// Dynamic offsets are arguments of the program, which all examples share.
static LogicalResult batch(tx::SliceOp op, Step &s) {
  auto made = s.again(op, s.values());
  made.setStaticOffsets(prepend(0, op.getStaticOffsets()));
  made.setStrides(prepend(1, op.getStrides()));
  return s.give(made);
}

static LogicalResult batch(tx::WindowsOp op, Step &s) {
  auto made = s.again(op, s.value(0));
  made.setDims(shifted(op.getDims()));
  return s.give(made);
}

static LogicalResult batch(tx::PadOp op, Step &s) {
  TensorBuilder &e = s.e;
  auto low = prepend(0, op.getLow()), high = prepend(0, op.getHigh()),
       interior = prepend(0, op.getInterior());
  auto pad = [&](Value x, Value with) -> Value {
    auto dims = shape::inferPad(dimsOf(x), {low, high, interior}).dims;
    auto type = tx::tensorType(dims, builder::typeOf(x).getElementType());
    return tx::PadOp::create(e.b, e.loc, type, x, with, low, high, interior);
  };
  if (!s.isBatched(1))
    return s.give(pad(s.value(0), s.value(1)));
  // If the padding value differs between examples, x is padded with zeros, and
  // the value is selected at the padded positions. These are marked by a tensor
  // of ones that is padded with zeros.
  Value x = s.whole(0);
  Value zero = e.full(0, DType::I32), one = e.full(1, DType::I32);
  Value inside = pad(e.broadcast(one, dimsOf(x)), zero);
  Value padded = pad(x, e.full(0, dtypeOf(x)));
  return s.give(e.select(e.equal(inside, 1), padded,
                         e.alongDim(s.value(1), 0, rankOf(padded))));
}

static LogicalResult batch(tx::ConcatenateOp op, Step &s) {
  auto made = s.again(op, s.allWhole());
  made.setDim(op.getDim() + 1);
  return s.give(made);
}

static LogicalResult batch(tx::DotGeneralOp op, Step &s) {
  bool both = s.isBatched(0) && s.isBatched(1);
  auto numbers = [&](unsigned operand, Numbers of, bool isBatch) {
    if (!s.isBatched(operand))
      return SmallVector<int64_t>(of);
    return both && isBatch ? prependShifted(0, of) : shifted(of);
  };
  auto xBatch = numbers(0, op.getXBatch(), true),
       yBatch = numbers(1, op.getYBatch(), true),
       xContracting = numbers(0, op.getXContracting(), false),
       yContracting = numbers(1, op.getYContracting(), false);
  Value made = s.e.dot(s.value(0), s.value(1),
                       {xBatch, yBatch, xContracting, yContracting});
  // The result may be wider than the operands.
  made.setType(
      tx::withElementType(made.getType(), op.getType().getElementType()));
  // The batch is a free dim if only one operand has it: the first free dim of
  // that operand.
  int64_t at = both ? 0 : op.getXBatch().size();
  if (!both && s.isBatched(1))
    at = rankOf(op.getX()) - op.getXContracting().size();
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(made)));
  order.erase(order.begin() + at);
  order.insert(order.begin(), at);
  return s.give(s.e.transpose(made, order));
}

MaybeResult batchMovement(Step &s) {
  if (s.op->hasTrait<tx::Reduction>()) {
    Operation *made = s.remake(s.value(0));
    auto dims = cast<DenseI64ArrayAttr>(s.op->getAttr("dims")).asArrayRef();
    made->setAttr("dims", s.e.b.getDenseI64ArrayAttr(shifted(dims)));
    return s.give(made->getResult(0));
  }
  if (s.op->hasTrait<tx::Scan>() || s.op->hasTrait<tx::Sort>()) {
    Operation *made = s.remake(s.value(0));
    int64_t dim = cast<IntegerAttr>(s.op->getAttr("dim")).getInt();
    made->setAttr("dim", s.e.b.getI64IntegerAttr(dim + 1));
    return s.give(made->getResult(0));
  }
  return llvm::TypeSwitch<Operation *, MaybeResult>(s.op)
      .Case<tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp, tx::SliceOp,
            tx::WindowsOp, tx::PadOp, tx::ConcatenateOp, tx::DotGeneralOp>(
          [&](auto op) { return batch(op, s); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tensorc::compiler::batching
