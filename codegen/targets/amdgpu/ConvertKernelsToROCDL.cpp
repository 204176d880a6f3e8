//===- ConvertKernelsToROCDL.cpp - Lower GPU kernels to llvm and rocdl ----===//
//
// gpu.func @k(%x: memref<?xf32>) kernel { %t = gpu.thread_id x ... }
// ->
// llvm.func @k(%x: !llvm.ptr<1>) attributes {rocdl.kernel,
//                     rocdl.reqd_work_group_size = array<i32: 256, 1, 1>} {
//   %t = rocdl.workitem.id.x : i32
//   ...
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/ops/TileInstructions.h"
#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/llvm/KernelToLLVM.h"
#include "codegen/lowering/llvm/LowerBy.h"
#include "codegen/targets/amdgpu/Passes.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_CONVERTKERNELSTOROCDLPASS
#include "codegen/targets/amdgpu/Passes.h.inc"

namespace {

/// Lowers shuffles to ds_bpermute, which loads a register of the lane whose
/// number times 4 is given. A lane whose source is outside of its segment of
/// `width` lanes gets its own value.
struct ShuffleLowering : ConvertOpToLLVMPattern<gpu::ShuffleOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(gpu::ShuffleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getValue().getType().isInteger(32))
      return rewriter.notifyMatchFailure(op, "run txk-expand-shuffles first");
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value zero = LLVM::ConstantOp::create(rewriter, loc, i32, 0);
    Value two = LLVM::ConstantOp::create(rewriter, loc, i32, 2);
    Value lane = createLane(rewriter, loc);
    Value width = adaptor.getWidth();
    Value mask = LLVM::SubOp::create(rewriter, loc, zero, width);
    Value first = LLVM::AndOp::create(rewriter, loc, lane, mask);
    Value source = createSource(op.getMode(), lane, first, adaptor.getOffset(),
                                rewriter, loc);
    // The comparison is unsigned, so that it also rejects lanes before the
    // segment.
    Value distance = LLVM::SubOp::create(rewriter, loc, source, first);
    Value valid = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ult,
                                       distance, width);
    source = LLVM::SelectOp::create(rewriter, loc, valid, source, lane);
    Value address = LLVM::ShlOp::create(rewriter, loc, source, two);
    Value result = ROCDL::DsBpermuteOp::create(rewriter, loc, i32, address,
                                               adaptor.getValue());
    rewriter.replaceOp(op, {result, valid});
    return success();
  }

private:
  /// Returns the number of the lane in its subgroup.
  static Value createLane(OpBuilder &b, Location loc) {
    Type i32 = b.getI32Type();
    Value zero = LLVM::ConstantOp::create(b, loc, i32, 0);
    Value all = LLVM::ConstantOp::create(b, loc, i32, -1);
    Value low = ROCDL::MbcntLoOp::create(b, loc, i32, all, zero,
                                         /*arg_attrs=*/{}, /*res_attrs=*/{});
    return ROCDL::MbcntHiOp::create(b, loc, i32, all, low, {}, {});
  }

  static Value createSource(gpu::ShuffleMode mode, Value lane, Value first,
                            Value offset, OpBuilder &b, Location loc) {
    switch (mode) {
    case gpu::ShuffleMode::XOR:
      return LLVM::XOrOp::create(b, loc, lane, offset);
    case gpu::ShuffleMode::UP:
      return LLVM::SubOp::create(b, loc, lane, offset);
    case gpu::ShuffleMode::DOWN:
      return LLVM::AddOp::create(b, loc, lane, offset);
    case gpu::ShuffleMode::IDX:
      return LLVM::AddOp::create(b, loc, first, offset);
    }
    llvm_unreachable("all modes are listed");
  }
};

/// Lowers mfma. Each operand is a vector of four f16, or of the bits of four
/// bf16.
struct MfmaLowering : ConvertOpToLLVMPattern<txk::AmdMfmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::AmdMfmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool half = op.getElement().isF16();
    Type element = half ? Type(rewriter.getF16Type()) : rewriter.getI16Type();
    auto operand = [&](Value registers) -> Value {
      return LLVM::BitcastOp::create(rewriter, loc,
                                     VectorType::get({4}, element), registers);
    };
    // The last three operands would broadcast or permute lanes.
    Value no =
        LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
    SmallVector<Value> operands{operand(adaptor.getLeft()),
                                operand(adaptor.getRight()),
                                adaptor.getSum(),
                                no,
                                no,
                                no};
    if (half)
      rewriter.replaceOpWithNewOp<ROCDL::mfma_f32_16x16x16f16>(op, op.getType(),
                                                               operands);
    else
      rewriter.replaceOpWithNewOp<ROCDL::mfma_f32_16x16x16bf16_1k>(
          op, op.getType(), operands);
    return success();
  }
};

/// Lowers mfma of bytes, whose operands are 64-bit integers. gfx90a has it for
/// half of the K steps, with 32-bit integers.
struct MfmaI8Lowering : ConvertOpToLLVMPattern<txk::AmdMfmaI8Op> {
  MfmaI8Lowering(const LLVMTypeConverter &converter, bool isHalved)
      : ConvertOpToLLVMPattern(converter), isHalved(isHalved) {}
  bool isHalved;

  LogicalResult matchAndRewrite(txk::AmdMfmaI8Op op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value no = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
    if (!isHalved) {
      auto operand = [&](Value registers) -> Value {
        return LLVM::BitcastOp::create(b, loc, b.getI64Type(), registers);
      };
      b.replaceOpWithNewOp<ROCDL::mfma_i32_16x16x32_i8>(
          op, op.getType(),
          ValueRange{operand(adaptor.getLeft()), operand(adaptor.getRight()),
                     adaptor.getSum(), no, no, no});
      return success();
    }
    Value sum = adaptor.getSum();
    for (int32_t i : {0, 1}) {
      Value number = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(i));
      auto word = [&](Value registers) -> Value {
        return LLVM::ExtractElementOp::create(b, loc, registers, number);
      };
      sum = ROCDL::mfma_i32_16x16x16i8::create(
          b, loc, op.getType(),
          ValueRange{word(adaptor.getLeft()), word(adaptor.getRight()), sum, no,
                     no, no});
    }
    b.replaceOp(op, sum);
    return success();
  }
};

/// Lowers wmma. Operands are vectors of f16, of the bits of bf16, or of words of
/// four bytes.
struct WmmaLowering : ConvertOpToLLVMPattern<txk::AmdWmmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(txk::AmdWmmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Type element = op.getElement();
    Value left = adaptor.getLeft(), right = adaptor.getRight(),
          sum = adaptor.getSum();
    if (element.isInteger(8)) {
      b.replaceOpWithNewOp<ROCDL::wmma_i32_16x16x16_iu8>(
          op, op.getType(), !op.getLeftUnsigned(), left, !op.getRightUnsigned(),
          right, sum, /*clamp=*/false);
      return success();
    }
    Type type = element.isF16() ? element : b.getI16Type();
    auto operand = [&](Value registers) -> Value {
      int64_t words = cast<VectorType>(registers.getType()).getNumElements();
      return LLVM::BitcastOp::create(
          b, op.getLoc(), VectorType::get({2 * words}, type), registers);
    };
    if (element.isF16())
      b.replaceOpWithNewOp<ROCDL::wmma_f32_16x16x16_f16>(
          op, op.getType(), operand(left), operand(right), sum);
    else
      b.replaceOpWithNewOp<ROCDL::wmma_f32_16x16x16_bf16>(
          op, op.getType(), operand(left), operand(right), sum);
    return success();
  }
};

struct ConvertKernelsToROCDL
    : impl::ConvertKernelsToROCDLPassBase<ConvertKernelsToROCDL> {
  using ConvertKernelsToROCDLPassBase::ConvertKernelsToROCDLPassBase;
  void runOnOperation() override {
    SimtLowering lowering;
    lowering.spaces = {
        llvm::AMDGPUAS::GLOBAL_ADDRESS, llvm::AMDGPUAS::LOCAL_ADDRESS,
        llvm::AMDGPUAS::PRIVATE_ADDRESS, llvm::AMDGPUAS::CONSTANT_ADDRESS};
    lowering.dialects = {"rocdl"};
    lowering.deviceScope = "agent";
    lowering.markKernel = [](LLVM::LLVMFuncOp kernel, int32_t threads) {
      Builder b(kernel.getContext());
      auto *dialect = b.getContext()->getLoadedDialect<ROCDL::ROCDLDialect>();
      dialect->getKernelAttrHelper().setAttr(kernel, b.getUnitAttr());
      dialect->getReqdWorkGroupSizeAttrHelper().setAttr(
          kernel, b.getDenseI32ArrayAttr({threads, 1, 1}));
      std::string count = std::to_string(threads);
      dialect->getFlatWorkGroupSizeAttrHelper().setAttr(
          kernel, b.getStringAttr(count + "," + count));
    };
    lowering.populate = [this](LLVMTypeConverter &converter,
                               RewritePatternSet &patterns) {
      // ROCDL::BarrierOp includes memory fences, which a bare s_barrier does
      // not.
      patterns
          .add<LowerBy<lowerToRegister<gpu::ThreadIdOp, ROCDL::ThreadIdXOp>>,
               LowerBy<lowerToRegister<gpu::BlockIdOp, ROCDL::BlockIdXOp>>,
               LowerBy<lowerToOther<gpu::BarrierOp, ROCDL::BarrierOp>>,
               ShuffleLowering, MfmaLowering, WmmaLowering>(converter);
      patterns.add<MfmaI8Lowering>(converter, chip == "gfx90a");
    };
    if (failed(convertSimtKernels(getOperation(), lowering)))
      signalPassFailure();
  }
};

} // namespace
} // namespace tensorc::codegen
