//===- TilesToHost.cpp - Lower matrix instructions to callbacks -----------===//
//
// %r = txk.nv.ldmatrix %m[%i]
// ->
// %a = llvm.alloca 4 x i32
// llvm.call (llvm.load %calls[...])(%thread, %token, %a, 0, 0)
//     {sim.call = "txk.nv.ldmatrix", sim.access = array<i32: 16, 16>}
// %r = llvm.load %a
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/sim/TilesToHost.h"
#include "codegen/kernel/ops/TileInstructions.h"
#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/llvm/LowerBy.h"
#include "codegen/targets/sim/Callback.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cstddef>

using namespace mlir;

namespace tensorc::codegen {
namespace {

using namespace sim;

/// Size in bytes of an asynchronous copy, and of a row of an ldmatrix matrix.
constexpr int32_t kRowBytes = 16;

Value lowerLdmatrix(txk::NvLdmatrixOp op, txk::NvLdmatrixOp::Adaptor adaptor,
                    ConversionPatternRewriter &b) {
  Callback callback(op, b);
  Value registers = callback.registers(4);
  Value token =
      callback.address(op.getMemory(), adaptor.getMemory(), adaptor.getIndex());
  callback.call(offsetof(rt::SimCalls, loadMatrices),
                {token, registers, callback.constant(op.getTrans())},
                kRowBytes);
  return callback.load(op.getType(), registers, 0);
}

using rt::SimMultiply;

/// Returns the kind that is so many places after `first`, the first kind of
/// products of bytes of its unit.
SimMultiply ofSigns(SimMultiply first, bool leftUnsigned, bool rightUnsigned) {
  return static_cast<SimMultiply>(static_cast<uint32_t>(first) +
                                  2 * leftUnsigned + rightUnsigned);
}

SimMultiply kindOf(txk::NvMmaOp op) {
  if (op.getElement().isTF32())
    return SimMultiply::MmaTF32;
  return op.getElement().isF16() ? SimMultiply::MmaF16 : SimMultiply::MmaBF16;
}
SimMultiply kindOf(txk::NvMmaBytesOp op) {
  return ofSigns(SimMultiply::MmaSS, op.getLeftUnsigned(),
                 op.getRightUnsigned());
}
SimMultiply kindOf(txk::AmdMfmaOp op) {
  return op.getElement().isF16() ? SimMultiply::MfmaF16 : SimMultiply::MfmaBF16;
}
SimMultiply kindOf(txk::AmdMfmaI8Op) { return SimMultiply::MfmaSS; }
SimMultiply kindOf(txk::AmdWmmaOp op) {
  Type element = op.getElement();
  int64_t words = cast<VectorType>(op.getLeft().getType()).getNumElements();
  bool isHalf = words == (element.isInteger(8) ? 2 : 4);
  if (element.isInteger(8))
    return ofSigns(isHalf ? SimMultiply::WmmaHalfRowsSS
                          : SimMultiply::WmmaRowsSS,
                   op.getLeftUnsigned(), op.getRightUnsigned());
  if (element.isF16())
    return isHalf ? SimMultiply::WmmaHalfRowsF16 : SimMultiply::WmmaRowsF16;
  return isHalf ? SimMultiply::WmmaHalfRowsBF16 : SimMultiply::WmmaRowsBF16;
}

/// Lowers a multiplication to a callback.
template <typename Op>
Value lowerMultiply(Op op, typename Op::Adaptor adaptor,
                    ConversionPatternRewriter &b) {
  Callback callback(op, b);
  auto count = [](Value vector) {
    return cast<VectorType>(vector.getType()).getNumElements();
  };
  unsigned left = count(op.getLeft()), right = count(op.getRight());
  unsigned sum = left + right;
  Value registers = callback.registers(sum + count(op.getSum()));
  callback.store(adaptor.getLeft(), registers, 0);
  callback.store(adaptor.getRight(), registers, left);
  callback.store(adaptor.getSum(), registers, sum);
  callback.call(offsetof(rt::SimCalls, multiply),
                {registers, callback.constant(uint32_t(kindOf(op)))}, 0);
  return callback.load(op.getType(), registers, sum);
}

void lowerCopy(txk::CopyAsyncOp op, txk::CopyAsyncOp::Adaptor adaptor,
               ConversionPatternRewriter &b) {
  Callback callback(op, b);
  Value inside = callback.constant(1);
  if (adaptor.getInside())
    inside = LLVM::ZExtOp::create(b, op.getLoc(), b.getI32Type(),
                                  adaptor.getInside());
  Value to =
      callback.address(op.getTo(), adaptor.getTo(), adaptor.getToIndex());
  Value from =
      callback.address(op.getFrom(), adaptor.getFrom(), adaptor.getFromIndex());
  callback.call(offsetof(rt::SimCalls, copyAsync), {to, from, inside},
                kRowBytes);
}

void lowerCommit(txk::CopyCommitOp op, txk::CopyCommitOp::Adaptor,
                 ConversionPatternRewriter &b) {
  Callback callback(op, b);
  callback.call(offsetof(rt::SimCalls, commitCopies), {}, 0);
}

void lowerWait(txk::CopyWaitOp op, txk::CopyWaitOp::Adaptor,
               ConversionPatternRewriter &b) {
  Callback callback(op, b);
  callback.call(offsetof(rt::SimCalls, waitForCopies),
                {callback.constant(op.getPending())}, 0);
}

} // namespace

void expandElementInstructions(Operation *root) {
  root->walk([](Operation *op) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    Value result;
    if (auto narrow = dyn_cast<txk::NvNarrowOp>(op)) {
      auto wide = cast<VectorType>(narrow.getElements().getType());
      Value rounded = arith::TruncFOp::create(
          b, loc, wide.clone(narrow.getElement()), narrow.getElements());
      result = vector::BitCastOp::create(b, loc, narrow.getType(), rounded);
    } else if (auto exp2 = dyn_cast<txk::FastExp2Op>(op)) {
      result = math::Exp2Op::create(b, loc, exp2.getX());
    }
    if (!result)
      return;
    op->replaceAllUsesWith(ValueRange{result});
    op->erase();
  });
}

void populateTilesToHost(const LLVMTypeConverter &converter,
                         RewritePatternSet &patterns) {
  patterns.add<LowerBy<lowerLdmatrix>, LowerBy<lowerCopy>, LowerBy<lowerCommit>,
               LowerBy<lowerWait>, LowerBy<lowerMultiply<txk::NvMmaOp>>,
               LowerBy<lowerMultiply<txk::NvMmaBytesOp>>,
               LowerBy<lowerMultiply<txk::AmdMfmaOp>>,
               LowerBy<lowerMultiply<txk::AmdMfmaI8Op>>,
               LowerBy<lowerMultiply<txk::AmdWmmaOp>>>(converter);
}

} // namespace tensorc::codegen
