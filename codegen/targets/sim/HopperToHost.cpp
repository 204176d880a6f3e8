//===- HopperToHost.cpp - mbarriers, bulk copies and wgmma as callbacks ---===//

#include "codegen/kernel/ops/Txk.h"
#include "codegen/targets/sim/Callback.h"
#include "codegen/targets/sim/TilesToHost.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include <cstddef>

namespace tensorc::codegen {
namespace {

using namespace sim;

/// Of an mbarrier.
constexpr int32_t kBarrierBytes = 8;

/// An op on an mbarrier, with one more word.
template <typename Op, size_t Offset, auto Word>
struct MbarrierLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    Value token = callback.address(op.getBarriers(), adaptor.getBarriers(),
                                   adaptor.getIndex());
    callback.call(Offset, {token, Word(callback, op, adaptor)}, kBarrierBytes);
    rewriter.eraseOp(op);
    return success();
  }
};

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

struct FenceLowering : ConvertOpToLLVMPattern<txk::NvMbarrierFenceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvMbarrierFenceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    callback.call(offsetof(rt::SimCalls, mbarrierFence), {}, 0);
    rewriter.eraseOp(op);
    return success();
  }
};

struct TensorCopyLowering : ConvertOpToLLVMPattern<txk::NvTensorCopyOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvTensorCopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    Value coordinates = callback.words(adaptor.getCoordinates());
    Value to =
        callback.address(op.getTo(), adaptor.getTo(), adaptor.getToIndex());
    Value barrier = callback.address(op.getBarriers(), adaptor.getBarriers(),
                                     adaptor.getBarrier());
    callback.call(offsetof(rt::SimCalls, tensorCopy),
                  {adaptor.getMap(), coordinates, to, barrier}, 0);
    rewriter.eraseOp(op);
    return success();
  }
};

struct BarrierSyncLowering : ConvertOpToLLVMPattern<txk::NvBarrierSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvBarrierSyncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    callback.call(
        offsetof(rt::SimCalls, namedBarrier),
        {callback.constant(op.getNumber()), callback.constant(op.getThreads())},
        0);
    rewriter.eraseOp(op);
    return success();
  }
};

/// There are registers enough.
struct SetRegistersLowering : ConvertOpToLLVMPattern<txk::NvSetRegistersOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvSetRegistersOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

struct SharedAddressLowering : ConvertOpToLLVMPattern<txk::NvSharedAddressOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvSharedAddressOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    Value token = callback.address(op.getMemory(), adaptor.getMemory(),
                                   adaptor.getIndex());
    rewriter.replaceOp(op, callback.call(offsetof(rt::SimCalls, sharedAddress),
                                         {token}, 0, rewriter.getI32Type()));
    return success();
  }
};

int64_t countOf(Value sums) {
  return cast<VectorType>(sums.getType()).getNumElements();
}

struct WgmmaLowering : ConvertOpToLLVMPattern<txk::NvWgmmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvWgmmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    int64_t count = countOf(op.getSums());
    rt::SimWgmma what = {uint32_t(2 * count),     op.getSteps(),
                         op.getLeftAdvance(),     op.getRightAdvance(),
                         op.getLeftAlongPlaces(), op.getRightAlongPlaces(),
                         op.getElement().isF16(), op.getFence(),
                         op.getCommit()};
    Value registers = callback.registers(count);
    callback.store(adaptor.getSums(), registers, 0);
    Value word = LLVM::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getI64IntegerAttr(what.encode()));
    callback.call(offsetof(rt::SimCalls, wgmma),
                  {registers, adaptor.getLeft(), adaptor.getRight(), word}, 0);
    rewriter.replaceOp(op, callback.load(op.getType(), registers, 0));
    return success();
  }
};

struct WgmmaWaitLowering : ConvertOpToLLVMPattern<txk::NvWgmmaWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvWgmmaWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    int64_t count = countOf(op.getSums());
    Value registers = callback.registers(count);
    callback.store(adaptor.getSums(), registers, 0);
    callback.call(offsetof(rt::SimCalls, wgmmaWait),
                  {registers, callback.constant(count),
                   callback.constant(op.getPending())},
                  0);
    rewriter.replaceOp(op, callback.load(op.getType(), registers, 0));
    return success();
  }
};

} // namespace

void populateHopperToHost(const LLVMTypeConverter &converter,
                          RewritePatternSet &patterns) {
  using rt::SimCalls;
  patterns.add<MbarrierLowering<txk::NvMbarrierInitOp,
                                offsetof(SimCalls, mbarrierInit), arrivals>,
               MbarrierLowering<txk::NvMbarrierArriveOp,
                                offsetof(SimCalls, mbarrierArrive), bytes>,
               MbarrierLowering<txk::NvMbarrierWaitOp,
                                offsetof(SimCalls, mbarrierWait), parity>,
               FenceLowering, TensorCopyLowering, BarrierSyncLowering,
               SetRegistersLowering, SharedAddressLowering, WgmmaLowering,
               WgmmaWaitLowering>(converter);
}

} // namespace tensorc::codegen
