//===- VectorMemoryToLLVM.cpp - Lower vector accesses to bare pointers ----===//
//
// vector.load %m[%i] {alignment = 64} : memref<?xf32>, vector<16xf32>
//   -> llvm.load %p {alignment = 64} : vector<16xf32>
// vector.load %m[%i] : memref<?xi1>, vector<16xi1>      (i1 is a byte)
//   -> llvm.trunc (llvm.load %p : vector<16xi8>) : vector<16xi1>
// vector.create_mask %n : vector<16xi1>
//   -> icmp slt [0, 1, ..], splat(trunc(smin(%n, 16)))
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/llvm/MemoryToLLVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

VectorType getStorageVector(VectorType type, OpBuilder &b) {
  return type.clone(getStorageType(type.getElementType(), b));
}

template <typename Op> unsigned getAlignment(Op op, MemRefType type) {
  return op.getAlignment().value_or(getElementAlignment(type));
}

struct VectorLoadLowering : ConvertOpToLLVMPattern<vector::LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(vector::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType memref = op.getMemRefType();
    VectorType type = op.getVectorType();
    Value pointer = getElementPointer(rewriter, loc, memref, adaptor.getBase(),
                                      adaptor.getIndices());
    Value value = LLVM::LoadOp::create(
        rewriter, loc, getStorageVector(type, rewriter), pointer,
        getAlignment(op, memref), /*isVolatile=*/false, op.getNontemporal());
    rewriter.replaceOp(op, fromStorage(rewriter, loc, type, value));
    return success();
  }
};

struct VectorStoreLowering : ConvertOpToLLVMPattern<vector::StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(vector::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType memref = op.getMemRefType();
    Value pointer = getElementPointer(rewriter, loc, memref, adaptor.getBase(),
                                      adaptor.getIndices());
    Value value = toStorage(rewriter, loc, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
        op, value, pointer, getAlignment(op, memref), /*isVolatile=*/false,
        op.getNontemporal());
    return success();
  }
};

struct MaskedLoadLowering : ConvertOpToLLVMPattern<vector::MaskedLoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(vector::MaskedLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType memref = op.getMemRefType();
    VectorType type = op.getVectorType();
    Value pointer = getElementPointer(rewriter, loc, memref, adaptor.getBase(),
                                      adaptor.getIndices(), /*inbounds=*/false);
    Value other = toStorage(rewriter, loc, adaptor.getPassThru());
    Value value = LLVM::MaskedLoadOp::create(
        rewriter, loc, other.getType(), pointer, adaptor.getMask(), other,
        rewriter.getI32IntegerAttr(getAlignment(op, memref)));
    rewriter.replaceOp(op, fromStorage(rewriter, loc, type, value));
    return success();
  }
};

struct MaskedStoreLowering : ConvertOpToLLVMPattern<vector::MaskedStoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(vector::MaskedStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType memref = op.getMemRefType();
    Value pointer = getElementPointer(rewriter, loc, memref, adaptor.getBase(),
                                      adaptor.getIndices(), /*inbounds=*/false);
    Value value = toStorage(rewriter, loc, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(
        op, value, pointer, adaptor.getMask(),
        rewriter.getI32IntegerAttr(getAlignment(op, memref)));
    return success();
  }
};

/// Returns the vector of addresses &base[offsets][indices].
Value getPointers(OpBuilder &b, Location loc, MemRefType memref, Value base,
                  ValueRange offsets, Value indices) {
  base = getElementPointer(b, loc, memref, base, offsets, /*inbounds=*/false);
  auto lanes = cast<VectorType>(indices.getType());
  Type pointers = VectorType::get(lanes.getShape(), base.getType());
  return LLVM::GEPOp::create(b, loc, pointers,
                             getStorageType(memref.getElementType(), b), base,
                             ArrayRef<LLVM::GEPArg>{indices});
}

struct GatherLowering : ConvertOpToLLVMPattern<vector::GatherOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(vector::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto memref = dyn_cast<MemRefType>(op.getBaseType());
    if (!memref)
      return rewriter.notifyMatchFailure(op, "gather from a memref only");
    VectorType type = op.getVectorType();
    Value pointers = getPointers(rewriter, loc, memref, adaptor.getBase(),
                                 adaptor.getOffsets(), adaptor.getIndices());
    Value other = toStorage(rewriter, loc, adaptor.getPassThru());
    Value value = LLVM::masked_gather::create(
        rewriter, loc, other.getType(), pointers, adaptor.getMask(), other,
        rewriter.getI32IntegerAttr(getAlignment(op, memref)));
    rewriter.replaceOp(op, fromStorage(rewriter, loc, type, value));
    return success();
  }
};

struct ScatterLowering : ConvertOpToLLVMPattern<vector::ScatterOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(vector::ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto memref = dyn_cast<MemRefType>(op.getBase().getType());
    if (!memref)
      return rewriter.notifyMatchFailure(op, "scatter to a memref only");
    Value pointers = getPointers(rewriter, loc, memref, adaptor.getBase(),
                                 adaptor.getOffsets(), adaptor.getIndices());
    Value value = toStorage(rewriter, loc, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::masked_scatter>(
        op, value, pointers, adaptor.getMask(),
        rewriter.getI32IntegerAttr(getAlignment(op, memref)));
    return success();
  }
};

/// Lowers create_mask to a comparison in 32-bit lanes, which takes one
/// instruction, whereas 64-bit lanes take two. The bound is clamped first so
/// that it fits.
struct CreateMaskLowering : ConvertOpToLLVMPattern<vector::CreateMaskOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(vector::CreateMaskOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    VectorType type = op.getType();
    if (type.getRank() != 1 || type.isScalable())
      return rewriter.notifyMatchFailure(op, "one-dimensional masks only");
    Location loc = op.getLoc();
    int64_t lanes = type.getDimSize(0);
    Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
    auto constant = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc,
                                      rewriter.getIntegerAttr(i64, value));
    };
    Value bound = LLVM::SMinOp::create(
        rewriter, loc, i64, adaptor.getOperands()[0], constant(lanes));
    bound = LLVM::SMaxOp::create(rewriter, loc, i64, bound, constant(0));
    bound = LLVM::TruncOp::create(rewriter, loc, i32, bound);
    auto laneType = VectorType::get(lanes, i32);
    Value splat = vector::BroadcastOp::create(rewriter, loc, laneType, bound);
    auto steps = llvm::to_vector(llvm::seq<int32_t>(0, lanes));
    Value step = arith::ConstantOp::create(
        rewriter, loc, DenseElementsAttr::get(laneType, ArrayRef(steps)));
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::slt,
                                              step, splat);
    return success();
  }
};

/// Lowers constant_mask, to which a create_mask of constants folds.
struct ConstantMaskLowering : ConvertOpToLLVMPattern<vector::ConstantMaskOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(vector::ConstantMaskOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<VectorType>(op.getType());
    if (type.getRank() != 1 || type.isScalable())
      return rewriter.notifyMatchFailure(op, "one-dimensional masks only");
    SmallVector<bool> lanes(type.getDimSize(0), false);
    std::fill_n(lanes.begin(), op.getMaskDimSizes()[0], true);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseElementsAttr::get(type, lanes));
    return success();
  }
};

} // namespace

void populateVectorMemoryToLLVM(const LLVMTypeConverter &converter,
                                RewritePatternSet &patterns) {
  // These patterns have precedence over upstream's, which expect memref
  // descriptors.
  patterns.add<VectorLoadLowering, VectorStoreLowering, MaskedLoadLowering,
               MaskedStoreLowering, GatherLowering, ScatterLowering,
               CreateMaskLowering, ConstantMaskLowering>(converter,
                                                         /*benefit=*/10);
}

} // namespace tensorc::codegen
