//===- MemRefToLLVM.cpp - Lower memref ops to bare pointers ---------------===//
//
// memref.load %m[%i] : memref<?xf32>
//   -> %p = llvm.getelementptr %m[%i]; llvm.load %p {alignment = 4}
// memref.view, subview, reinterpret_cast -> llvm.getelementptr
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/llvm/MemoryToLLVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tensorc::codegen {

static bool isUnitStride(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return type.getRank() <= 1 &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         (strides.empty() || strides[0] == 1);
}

/// Returns the address space of a memref, or nullopt if its memory space is not
/// supported.
static std::optional<unsigned> getSpace(MemRefType type, MemorySpaces spaces) {
  if (!type.getMemorySpace())
    return spaces.global;
  auto space = dyn_cast<gpu::AddressSpaceAttr>(type.getMemorySpace());
  if (!space)
    return std::nullopt;
  switch (space.getValue()) {
  case gpu::AddressSpace::Global:
    return spaces.global;
  case gpu::AddressSpace::Workgroup:
    return spaces.workgroup;
  case gpu::AddressSpace::Private:
    return spaces.stack;
  default:
    return std::nullopt;
  }
}

void addBarePointerConversion(LLVMTypeConverter &converter,
                              MemorySpaces spaces) {
  converter.addConversion([spaces](MemRefType type) -> std::optional<Type> {
    bool flat = isUnitStride(type);
    bool fixed = type.hasStaticShape() && type.getLayout().isIdentity();
    std::optional<unsigned> space = getSpace(type, spaces);
    if ((!flat && !fixed) || !space)
      return Type();
    return LLVM::LLVMPointerType::get(type.getContext(), *space);
  });
}

static bool isNarrowFloat(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 16;
}

Type getStorageType(Type element, OpBuilder &b) {
  if (element.isInteger(1))
    return b.getI8Type();
  if (element.isIndex())
    return b.getI64Type();
  // For narrow floats, LLVM would use library calls to widen masked accesses.
  if (isNarrowFloat(element))
    return b.getI16Type();
  return element;
}

Value toStorage(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType(), element = getElementTypeOrSelf(type);
  Type storage = getStorageType(element, b);
  if (auto vector = dyn_cast<VectorType>(type))
    storage = vector.clone(storage);
  if (element.isInteger(1))
    return LLVM::ZExtOp::create(b, loc, storage, value);
  if (isNarrowFloat(element))
    return LLVM::BitcastOp::create(b, loc, storage, value);
  return value;
}

Value fromStorage(OpBuilder &b, Location loc, Type type, Value value) {
  Type element = getElementTypeOrSelf(type);
  if (element.isInteger(1))
    return LLVM::TruncOp::create(b, loc, type, value);
  if (isNarrowFloat(element))
    return LLVM::BitcastOp::create(b, loc, type, value);
  return value;
}

unsigned getElementAlignment(MemRefType type) {
  Type element = type.getElementType();
  if (auto vector = dyn_cast<VectorType>(element))
    element = vector.getElementType();
  if (element.isIndex())
    return 8;
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

static Value constantI64(OpBuilder &b, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

/// Returns the row-major position of `indices`.
static Value linearize(OpBuilder &b, Location loc, MemRefType type,
                       ValueRange indices) {
  Value position;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (!position) {
      position = index;
      continue;
    }
    Value size = constantI64(b, loc, type.getDimSize(dim));
    position = LLVM::MulOp::create(b, loc, position, size);
    position = LLVM::AddOp::create(b, loc, position, index);
  }
  return position;
}

static Value getPointer(OpBuilder &b, Location loc, Type element, Value base,
                        Value index, bool inbounds = true) {
  auto flags =
      inbounds ? LLVM::GEPNoWrapFlags::inbounds : LLVM::GEPNoWrapFlags::none;
  return LLVM::GEPOp::create(b, loc, base.getType(), element, base,
                             ArrayRef<LLVM::GEPArg>{index}, flags);
}

Value getElementPointer(OpBuilder &b, Location loc, MemRefType type, Value base,
                        ValueRange indices, bool inbounds) {
  Value position = linearize(b, loc, type, indices);
  if (!position)
    return base;
  return getPointer(b, loc, getStorageType(type.getElementType(), b), base,
                    position, inbounds);
}

namespace {

struct LoadLowering : ConvertOpToLLVMPattern<memref::LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getMemRefType();
    Value pointer = getElementPointer(
        rewriter, op.getLoc(), type, adaptor.getMemref(), adaptor.getIndices());
    unsigned align = op.getAlignment().value_or(getElementAlignment(type));
    Type storage = getStorageType(type.getElementType(), rewriter);
    Value value =
        LLVM::LoadOp::create(rewriter, op.getLoc(), storage, pointer, align,
                             /*isVolatile=*/false, op.getNontemporal());
    rewriter.replaceOp(
        op, fromStorage(rewriter, op.getLoc(), type.getElementType(), value));
    return success();
  }
};

struct StoreLowering : ConvertOpToLLVMPattern<memref::StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getMemRefType();
    Value pointer = getElementPointer(
        rewriter, op.getLoc(), type, adaptor.getMemref(), adaptor.getIndices());
    Value value = toStorage(rewriter, op.getLoc(), adaptor.getValue());
    unsigned align = op.getAlignment().value_or(getElementAlignment(type));
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, value, pointer, align,
                                               /*isVolatile=*/false,
                                               op.getNontemporal());
    return success();
  }
};

struct AllocaLowering : ConvertOpToLLVMPattern<memref::AllocaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::AllocaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getType();
    Type pointer = getTypeConverter()->convertType(type);
    if (!type.hasStaticShape() || !pointer)
      return rewriter.notifyMatchFailure(op, "stack buffers have static size");
    // The buffer is allocated in the entry block, because an alloca in a loop
    // would grow the stack.
    OpBuilder::InsertionGuard guard(rewriter);
    auto function = op->getParentOfType<FunctionOpInterface>();
    rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
    Value count = constantI64(rewriter, op.getLoc(), type.getNumElements());
    rewriter.replaceOpWithNewOp<LLVM::AllocaOp>(
        op, pointer, getStorageType(type.getElementType(), rewriter), count,
        op.getAlignment().value_or(64));
    return success();
  }
};

struct ViewLowering : ConvertOpToLLVMPattern<memref::ViewOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::ViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op,
                       getPointer(rewriter, op.getLoc(), rewriter.getI8Type(),
                                  adaptor.getSource(), adaptor.getByteShift()));
    return success();
  }
};

/// Lowers subview and reinterpret_cast of a contiguous 1-D buffer.
template <typename Op> struct OffsetLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getType();
    if (type.getRank() > 1 || op.getStaticOffsets().size() != 1)
      return rewriter.notifyMatchFailure(op, "only flat buffers");
    Location loc = op.getLoc();
    int64_t fixed = op.getStaticOffsets()[0];
    Value offset = ShapedType::isDynamic(fixed)
                       ? Value(adaptor.getOffsets()[0])
                       : constantI64(rewriter, loc, fixed);
    Type storage = getStorageType(type.getElementType(), rewriter);
    rewriter.replaceOp(
        op, getPointer(rewriter, loc, storage, adaptor.getSource(), offset));
    return success();
  }
};

struct CastLowering : ConvertOpToLLVMPattern<memref::CastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

struct AddressLowering
    : ConvertOpToLLVMPattern<memref::ExtractAlignedPointerAsIndexOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::ExtractAlignedPointerAsIndexOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::PtrToIntOp>(op, getIndexType(),
                                                  adaptor.getSource());
    return success();
  }
};

struct AssumeAlignmentLowering
    : ConvertOpToLLVMPattern<memref::AssumeAlignmentOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::AssumeAlignmentOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // The op needs no code, because accesses have alignment attributes.
    rewriter.replaceOp(op, adaptor.getMemref());
    return success();
  }
};

struct PrefetchLowering : ConvertOpToLLVMPattern<memref::PrefetchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::PrefetchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // The address of a prefetch may be out of bounds.
    Value pointer = getElementPointer(rewriter, op.getLoc(), op.getMemRefType(),
                                      adaptor.getMemref(), adaptor.getIndices(),
                                      /*inbounds=*/false);
    rewriter.replaceOpWithNewOp<LLVM::Prefetch>(
        op, pointer, op.getIsWrite() ? 1 : 0, op.getLocalityHint(),
        op.getIsDataCache() ? 1 : 0);
    return success();
  }
};

} // namespace

void populateMemRefToLLVM(const LLVMTypeConverter &converter,
                          RewritePatternSet &patterns) {
  patterns.add<LoadLowering, StoreLowering, AllocaLowering, ViewLowering,
               OffsetLowering<memref::SubViewOp>,
               OffsetLowering<memref::ReinterpretCastOp>, CastLowering,
               AddressLowering, AssumeAlignmentLowering, PrefetchLowering>(
      converter);
}

} // namespace tensorc::codegen
