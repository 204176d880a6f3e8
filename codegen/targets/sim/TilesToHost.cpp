//===- TilesToHost.cpp - Instructions on matrices as callbacks ------------===//
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
#include "codegen/kernel/ops/Txk.h"
#include "codegen/targets/sim/Callback.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include <cstddef>

using namespace mlir;

namespace tensorc::codegen {
namespace {

using namespace sim;

/// Bytes of a copy, and of a matrix's row.
constexpr int32_t kRowBytes = 16;

struct LdmatrixLowering : ConvertOpToLLVMPattern<txk::NvLdmatrixOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvLdmatrixOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    Value registers = callback.registers(4);
    Value token = callback.address(op.getMemory(), adaptor.getMemory(),
                                   adaptor.getIndex());
    callback.call(offsetof(rt::SimCalls, loadMatrices),
                  {token, registers, callback.constant(op.getTrans())},
                  kRowBytes);
    rewriter.replaceOp(op, callback.load(op.getType(), registers, 0));
    return success();
  }
};

/// mma and mfma.
template <typename Op, rt::SimMultiply Half, rt::SimMultiply BFloat>
struct MultiplyLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    auto count = [](Value vector) {
      return cast<VectorType>(vector.getType()).getNumElements();
    };
    unsigned left = count(op.getLeft()), right = count(op.getRight());
    unsigned sum = left + right;
    Value registers = callback.registers(sum + count(op.getSum()));
    callback.store(adaptor.getLeft(), registers, 0);
    callback.store(adaptor.getRight(), registers, left);
    callback.store(adaptor.getSum(), registers, sum);
    rt::SimMultiply kind = op.getElement().isF16() ? Half : BFloat;
    callback.call(offsetof(rt::SimCalls, multiply),
                  {registers, callback.constant(uint32_t(kind))}, 0);
    rewriter.replaceOp(op, callback.load(op.getType(), registers, sum));
    return success();
  }
};

struct CopyLowering : ConvertOpToLLVMPattern<txk::CopyAsyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::CopyAsyncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    Value inside = callback.constant(1);
    if (adaptor.getInside())
      inside = LLVM::ZExtOp::create(rewriter, op.getLoc(),
                                    rewriter.getI32Type(), adaptor.getInside());
    Value to =
        callback.address(op.getTo(), adaptor.getTo(), adaptor.getToIndex());
    Value from = callback.address(op.getFrom(), adaptor.getFrom(),
                                  adaptor.getFromIndex());
    callback.call(offsetof(rt::SimCalls, copyAsync), {to, from, inside},
                  kRowBytes);
    rewriter.eraseOp(op);
    return success();
  }
};

struct CommitLowering : ConvertOpToLLVMPattern<txk::CopyCommitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::CopyCommitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    callback.call(offsetof(rt::SimCalls, commitCopies), {}, 0);
    rewriter.eraseOp(op);
    return success();
  }
};

struct WaitLowering : ConvertOpToLLVMPattern<txk::CopyWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::CopyWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Callback callback(op, rewriter);
    callback.call(offsetof(rt::SimCalls, waitForCopies),
                  {callback.constant(op.getPending())}, 0);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateTilesToHost(const LLVMTypeConverter &converter,
                         RewritePatternSet &patterns) {
  using rt::SimMultiply;
  patterns.add<
      LdmatrixLowering, CopyLowering, CommitLowering, WaitLowering,
      MultiplyLowering<txk::NvMmaOp, SimMultiply::MmaF16, SimMultiply::MmaBF16>,
      MultiplyLowering<txk::AmdMfmaOp, SimMultiply::MfmaF16,
                       SimMultiply::MfmaBF16>>(converter);
}

} // namespace tensorc::codegen
