//===- HopperToHost.cpp - Lower mbarriers and wgmma to callbacks ----------===//

#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/llvm/LowerBy.h"
#include "codegen/targets/sim/Callback.h"
#include "codegen/targets/sim/TilesToHost.h"

#include <cstddef>

namespace tensorc::codegen {
namespace {

using namespace sim;

/// Size of an mbarrier in bytes.
constexpr int32_t kBarrierBytes = 8;

/// Lowers an op on an mbarrier. `Word` returns the op's additional operand.
template <typename Op, size_t Offset, auto Word>
void lowerMbarrier(Op op, typename Op::Adaptor adaptor,
                   ConversionPatternRewriter &b) {
  Callback callback(op, b);
  Value token = callback.address(op.getBarriers(), adaptor.getBarriers(),
                                 adaptor.getIndex());
  callback.call(Offset, {token, Word(callback, op, adaptor)}, kBarrierBytes);
}

Value arrivals(Callback &callback, txk::NvMbarrierInitOp op,
               txk::NvMbarrierInitOp::Adaptor) {
  return callback.constant(op.getArrivals());
}
Value bytes(Callback &callback, txk::NvMbarrierArriveOp op,
            txk::NvMbarrierArriveOp::Adaptor) {
  return callback.constant(op.getBytes());
}
Value parity(Callback &, txk::NvMbarrierWaitOp,
             txk::NvMbarrierWaitOp::Adaptor adaptor) {
  return adaptor.getParity();
}

void lowerFence(txk::NvMbarrierFenceOp op, txk::NvMbarrierFenceOp::Adaptor,
                ConversionPatternRewriter &b) {
  Callback callback(op, b);
  callback.call(offsetof(rt::SimCalls, mbarrierFence), {}, 0);
}

void lowerTensorCopy(txk::NvTensorCopyOp op,
                     txk::NvTensorCopyOp::Adaptor adaptor,
                     ConversionPatternRewriter &b) {
  Callback callback(op, b);
  Value coordinates = callback.words(adaptor.getCoordinates());
  Value to =
      callback.address(op.getTo(), adaptor.getTo(), adaptor.getToIndex());
  Value barrier = callback.address(op.getBarriers(), adaptor.getBarriers(),
                                   adaptor.getBarrier());
  callback.call(offsetof(rt::SimCalls, tensorCopy),
                {adaptor.getMap(), coordinates, to, barrier}, 0);
}

void lowerBarrierSync(txk::NvBarrierSyncOp op, txk::NvBarrierSyncOp::Adaptor,
                      ConversionPatternRewriter &b) {
  Callback callback(op, b);
  callback.call(
      offsetof(rt::SimCalls, namedBarrier),
      {callback.constant(op.getNumber()), callback.constant(op.getThreads())},
      0);
}

/// Emits nothing, because the simulator has no limit on registers.
void lowerSetRegisters(txk::NvSetRegistersOp, txk::NvSetRegistersOp::Adaptor,
                       ConversionPatternRewriter &) {}

Value lowerSharedAddress(txk::NvSharedAddressOp op,
                         txk::NvSharedAddressOp::Adaptor adaptor,
                         ConversionPatternRewriter &b) {
  Callback callback(op, b);
  Value token =
      callback.address(op.getMemory(), adaptor.getMemory(), adaptor.getIndex());
  return callback.call(offsetof(rt::SimCalls, sharedAddress), {token}, 0,
                       b.getI32Type());
}

int64_t countOf(Value sums) {
  return cast<VectorType>(sums.getType()).getNumElements();
}

Value lowerWgmma(txk::NvWgmmaOp op, txk::NvWgmmaOp::Adaptor adaptor,
                 ConversionPatternRewriter &b) {
  Callback callback(op, b);
  int64_t count = countOf(op.getSums());
  rt::SimWgmma what = {uint32_t(2 * count),     op.getSteps(),
                       op.getLeftAdvance(),     op.getRightAdvance(),
                       op.getLeftAlongPlaces(), op.getRightAlongPlaces(),
                       op.getElement().isF16(), op.getFence(),
                       op.getCommit()};
  Value registers = callback.registers(count);
  callback.store(adaptor.getSums(), registers, 0);
  Value word = LLVM::ConstantOp::create(b, op.getLoc(),
                                        b.getI64IntegerAttr(what.encode()));
  callback.call(offsetof(rt::SimCalls, wgmma),
                {registers, adaptor.getLeft(), adaptor.getRight(), word}, 0);
  return callback.load(op.getType(), registers, 0);
}

Value lowerWgmmaWait(txk::NvWgmmaWaitOp op, txk::NvWgmmaWaitOp::Adaptor adaptor,
                     ConversionPatternRewriter &b) {
  Callback callback(op, b);
  int64_t count = countOf(op.getSums());
  Value registers = callback.registers(count);
  callback.store(adaptor.getSums(), registers, 0);
  callback.call(
      offsetof(rt::SimCalls, wgmmaWait),
      {registers, callback.constant(count), callback.constant(op.getPending())},
      0);
  return callback.load(op.getType(), registers, 0);
}

} // namespace

void populateHopperToHost(const LLVMTypeConverter &converter,
                          RewritePatternSet &patterns) {
  using rt::SimCalls;
  patterns.add<
      LowerBy<lowerMbarrier<txk::NvMbarrierInitOp,
                            offsetof(SimCalls, mbarrierInit), arrivals>>,
      LowerBy<lowerMbarrier<txk::NvMbarrierArriveOp,
                            offsetof(SimCalls, mbarrierArrive), bytes>>,
      LowerBy<lowerMbarrier<txk::NvMbarrierWaitOp,
                            offsetof(SimCalls, mbarrierWait), parity>>,
      LowerBy<lowerFence>, LowerBy<lowerTensorCopy>, LowerBy<lowerBarrierSync>,
      LowerBy<lowerSetRegisters>, LowerBy<lowerSharedAddress>,
      LowerBy<lowerWgmma>, LowerBy<lowerWgmmaWait>>(converter);
}

} // namespace tensorc::codegen
