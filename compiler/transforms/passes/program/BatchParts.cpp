//===- BatchParts.cpp - Parts of buffers ----------------------------------===//

#include "compiler/transforms/passes/program/BatchParts.h"

#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/program/Txp.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::compiler {

Value BatchParts::buffer(Value value) {
  return txp::AllocOp::create(b, txp::BufferType::get(b.getContext()),
                              sizes.bytesOf(value.getType()));
}

/// Returns the part of a buffer at an offset in bytes that is as large as the
/// value `like`.
Value BatchParts::part(Value whole, int64_t offset, Value like) {
  return txp::ViewOp::create(b, txp::BufferType::get(b.getContext()), whole,
                             sizes.word(offset), sizes.bytesOf(like.getType()));
}

static int64_t bytesOf(Value value) {
  return *tx::staticBytes(cast<RankedTensorType>(value.getType()));
}

/// Returns the memory of an operand of a concatenation.
Value BatchParts::partOf(Value whole, unsigned number) {
  Value joined = values.lookup(whole);
  if (!joined)
    values[whole] = joined = buffer(whole);
  int64_t offset = 0;
  OperandRange parts = whole.getDefiningOp()->getOperands();
  for (Value before : parts.take_front(number))
    offset += bytesOf(before);
  return part(joined, offset, parts[number]);
}

Value BatchParts::allocate(Value result) {
  SmallVector<Value> views = {result};
  while (!views.empty())
    for (OpOperand &use : views.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<tx::ReshapeOp, tx::ReinterpretOp>(user))
        views.push_back(user->getResult(0));
      else if (isa<tx::ConcatenateOp>(user) && user->hasAttr(splitAttr))
        return partOf(user->getResult(0), use.getOperandNumber());
    }
  return buffer(result);
}

bool BatchParts::emitView(Operation *op) {
  if (!op->hasAttr(splitAttr))
    return false;
  auto slice = dyn_cast<tx::SliceOp>(op);
  if (!slice) {
    // The parts of a concatenation have been written to its buffer, except for
    // the zeros between the operands of a reduction.
    if (isa<tx::ConcatenateOp>(op))
      for (OpOperand &operand : op->getOpOperands())
        if (operand.get().getDefiningOp<tx::ConstantOp>())
          txp::FillOp::create(
              b, partOf(op->getResult(0), operand.getOperandNumber()),
              sizes.word(0), 1);
    return isa<tx::ConcatenateOp>(op);
  }
  int64_t offset = 0;
  for (auto [first, size] : llvm::zip_equal(slice.getStaticOffsets(),
                                            slice.getX().getType().getShape()))
    offset = offset * size + first;
  // Elements are whole bytes. The number of bytes of the parts before may exceed
  // 32 bits.
  offset *= bytesOf(slice.getResult()) / slice.getType().getNumElements();
  Value view = part(values.lookup(slice.getX()), offset, slice.getResult());
  values[slice.getResult()] = view;
  return true;
}

} // namespace tensorc::compiler
