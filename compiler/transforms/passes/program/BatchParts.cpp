//===- BatchParts.cpp - Views of a batch that is computed in parts --------===//

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

/// Returns the part of a buffer with this number. All parts are as large as the
/// value `like`.
Value BatchParts::part(Value whole, int64_t number, Value like) {
  Value bytes = sizes.bytesOf(like.getType());
  Value offset = arith::MulIOp::create(b, sizes.word(number), bytes);
  return txp::ViewOp::create(b, txp::BufferType::get(b.getContext()), whole,
                             offset, bytes);
}

Value BatchParts::allocate(Value result) {
  for (OpOperand &use : result.getUses()) {
    auto whole = dyn_cast<tx::ConcatenateOp>(use.getOwner());
    if (!whole || !whole->hasAttr(splitAttr))
      continue;
    Value joined = values.lookup(whole.getResult());
    if (!joined)
      values[whole.getResult()] = joined = buffer(whole.getResult());
    return part(joined, use.getOperandNumber(), result);
  }
  return buffer(result);
}

bool BatchParts::emitView(Operation *op) {
  if (!op->hasAttr(splitAttr))
    return false;
  auto slice = dyn_cast<tx::SliceOp>(op);
  // The parts of a concatenation have been written to its buffer.
  if (!slice)
    return isa<tx::ConcatenateOp>(op);
  int64_t offset = 0;
  for (auto [first, size] : llvm::zip_equal(slice.getStaticOffsets(),
                                            slice.getX().getType().getShape()))
    offset = offset * size + first;
  Value view =
      part(values.lookup(slice.getX()),
           offset / slice.getType().getNumElements(), slice.getResult());
  values[slice.getResult()] = view;
  return true;
}

} // namespace tensorc::compiler
