//===- TilesToNVVM.cpp - ldmatrix, mma.sync and cp.async ------------------===//

#include "codegen/targets/nvptx/TilesToNVVM.h"
#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/llvm/MemoryToLLVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

using NVVM::MMALayout;
using NVVM::MMATypes;

Value extract(OpBuilder &b, Location loc, Value vector, int64_t i) {
  Value index = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(i));
  return LLVM::ExtractElementOp::create(b, loc, vector, index);
}

/// A vector of a struct's fields.
Value fromStruct(OpBuilder &b, Location loc, Value fields, VectorType type) {
  Value result = LLVM::PoisonOp::create(b, loc, type);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value index = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(i));
    Value field = LLVM::ExtractValueOp::create(b, loc, fields, i);
    result = LLVM::InsertElementOp::create(b, loc, result, field, index);
  }
  return result;
}

Type structOf(VectorType type) {
  SmallVector<Type> fields(type.getNumElements(), type.getElementType());
  return LLVM::LLVMStructType::getLiteral(type.getContext(), fields);
}

struct LdmatrixLowering : ConvertOpToLLVMPattern<txk::NvLdmatrixOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvLdmatrixOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value row = getElementPointer(rewriter, loc,
                                  cast<MemRefType>(op.getMemory().getType()),
                                  adaptor.getMemory(), adaptor.getIndex());
    auto type = cast<VectorType>(op.getType());
    Value fields = NVVM::LdMatrixOp::create(
        rewriter, loc, structOf(type), row, 4,
        op.getTrans() ? MMALayout::col : MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(rewriter.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
    rewriter.replaceOp(op, fromStruct(rewriter, loc, fields, type));
    return success();
  }
};

struct MmaLowering : ConvertOpToLLVMPattern<txk::NvMmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::NvMmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool half = op.getElement().isF16();
    // The intrinsic of f16 takes pairs, that of bf16 registers.
    auto registers = [&](Value vector, int64_t count) {
      SmallVector<Value> result;
      for (int64_t i = 0; i < count; ++i) {
        Value value = extract(rewriter, loc, vector, i);
        if (half && !value.getType().isF32())
          value = LLVM::BitcastOp::create(
              rewriter, loc, VectorType::get({2}, rewriter.getF16Type()),
              value);
        result.push_back(value);
      }
      return result;
    };
    auto type = cast<VectorType>(op.getType());
    MMATypes element = half ? MMATypes::f16 : MMATypes::bf16;
    Value fields = NVVM::MmaOp::create(
        rewriter, loc, structOf(type), registers(adaptor.getLeft(), 4),
        registers(adaptor.getRight(), 2), registers(adaptor.getSum(), 4),
        ArrayRef<int64_t>{16, 8, 16}, std::nullopt, std::nullopt,
        std::array<MMATypes, 2>{element, element},
        std::array<MMALayout, 2>{MMALayout::row, MMALayout::col});
    rewriter.replaceOp(op, fromStruct(rewriter, loc, fields, type));
    return success();
  }
};

/// Reads as many bytes as there are and fills up with zeros.
struct CopyLowering : ConvertOpToLLVMPattern<txk::CopyAsyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::CopyAsyncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto address = [&](Value memref, Value base, Value index) {
      return getElementPointer(rewriter, loc,
                               cast<MemRefType>(memref.getType()), base, index,
                               /*inbounds=*/false);
    };
    Value from =
        address(op.getFrom(), adaptor.getFrom(), adaptor.getFromIndex());
    Value to = address(op.getTo(), adaptor.getTo(), adaptor.getToIndex());
    Value bytes;
    if (Value inside = adaptor.getInside()) {
      auto constant = [&](int32_t value) -> Value {
        return LLVM::ConstantOp::create(rewriter, loc,
                                        rewriter.getI32IntegerAttr(value));
      };
      bytes = LLVM::SelectOp::create(rewriter, loc, inside, constant(16),
                                     constant(0));
    }
    NVVM::CpAsyncOp::create(rewriter, loc, to, from, 16,
                            NVVM::LoadCacheModifierKind::CG, bytes);
    rewriter.eraseOp(op);
    return success();
  }
};

struct CommitLowering : ConvertOpToLLVMPattern<txk::CopyCommitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::CopyCommitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

struct WaitLowering : ConvertOpToLLVMPattern<txk::CopyWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(txk::CopyWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(op, op.getPending());
    return success();
  }
};

} // namespace

void populateTilesToNVVM(const LLVMTypeConverter &converter,
                         RewritePatternSet &patterns) {
  patterns.add<LdmatrixLowering, MmaLowering, CopyLowering, CommitLowering,
               WaitLowering>(converter);
}

} // namespace tensorc::codegen
