//===- MemoryToSpirv.cpp - memref and vector accesses in SPIR-V -----------===//
//
// memref.load %m[%i] : memref<?xf32>          (%m is a 64-bit address)
//   -> %p = spirv.ConvertUToPtr %m
//      Kernel: spirv.PtrAccessChain %p[%i] of a pointer to f32
//      Shader: spirv.AccessChain %p[0, %i] of a pointer to a block of f32
//      spirv.Load %e ["Aligned", 4]
// memref.load %w[%i] : memref<64xf32, #gpu.address_space<workgroup>>
//   -> spirv.Load (spirv.AccessChain %w[%i])
// Each element of a vector is accessed separately, because a pointer to a
// scalar cannot be cast to a pointer to a vector.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/spirv/ToSpirv.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {

Type getSpirvStorageType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  if (element.isIndex())
    return IntegerType::get(element.getContext(), 64);
  return element;
}

static std::optional<spirv::StorageClass> getArrayClass(MemRefType type) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  if (!space)
    return std::nullopt;
  if (space.getValue() == gpu::AddressSpace::Workgroup)
    return spirv::StorageClass::Workgroup;
  if (space.getValue() == gpu::AddressSpace::Private)
    return spirv::StorageClass::Function;
  return std::nullopt;
}

void addMemoryConversion(SPIRVTypeConverter &converter) {
  converter.addConversion([](MemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace())
      return IntegerType::get(type.getContext(), 64);
    auto storage = getArrayClass(type);
    if (!storage || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return Type();
    return spirv::PointerType::get(
        spirv::ArrayType::get(getSpirvStorageType(type.getElementType()),
                              type.getNumElements()),
        *storage);
  });
}

namespace {

/// Emits accesses to the elements of one memref.
class Elements {
public:
  Elements(OpBuilder &b, Location loc, SpirvFlavour flavour, MemRefType type,
           Value base, ValueRange indices)
      : b(b), loc(loc), flavour(flavour), element(type.getElementType()),
        storage(getSpirvStorageType(element)), base(base),
        isArray(!base.getType().isInteger(64)) {
    for (auto [dim, index] : llvm::enumerate(indices)) {
      if (first) {
        first = spirv::IMulOp::create(
            b, loc, first, constant(first.getType(), type.getDimSize(dim)));
        first = spirv::IAddOp::create(b, loc, first, index);
      } else {
        first = index;
      }
    }
    if (!first)
      first = constant(b.getI64Type(), 0);
    if (isArray) // arrays have fewer than 2^31 elements
      first = spirv::UConvertOp::create(b, loc, b.getI32Type(), first);
  }

  Value load(int64_t offset) {
    Value place = getPlace(offset);
    Value value = isArray
                      ? spirv::LoadOp::create(b, loc, place).getResult()
                      : spirv::LoadOp::create(b, loc, place, aligned(), size());
    if (!element.isInteger(1))
      return value;
    return spirv::INotEqualOp::create(b, loc, b.getI1Type(), value,
                                      constant(storage, 0));
  }

  void store(int64_t offset, Value value) {
    if (element.isInteger(1))
      value = spirv::SelectOp::create(b, loc, value, constant(storage, 1),
                                      constant(storage, 0));
    Value place = getPlace(offset);
    if (isArray)
      spirv::StoreOp::create(b, loc, place, value);
    else
      spirv::StoreOp::create(b, loc, place, value, aligned(), size());
  }

  /// Returns the pointer to the element that is `offset` after the first one.
  Value getPlace(int64_t offset) {
    Value index = first;
    if (offset)
      index = spirv::IAddOp::create(b, loc, first,
                                    constant(first.getType(), offset));
    if (isArray)
      return spirv::AccessChainOp::create(b, loc, base, index);
    if (flavour == SpirvFlavour::Kernel) {
      auto type =
          spirv::PointerType::get(storage, spirv::StorageClass::CrossWorkgroup);
      Value pointer = spirv::ConvertUToPtrOp::create(b, loc, type, base);
      return spirv::PtrAccessChainOp::create(b, loc, pointer, index,
                                             ValueRange());
    }
    auto elements = spirv::RuntimeArrayType::get(storage, bytes());
    auto block = spirv::StructType::get(
        elements, {0}, {}, {{spirv::Decoration::Block, b.getUnitAttr()}});
    auto type = spirv::PointerType::get(
        block, spirv::StorageClass::PhysicalStorageBuffer);
    Value pointer = spirv::ConvertUToPtrOp::create(b, loc, type, base);
    return spirv::AccessChainOp::create(
        b, loc, pointer, ValueRange{constant(b.getI32Type(), 0), index});
  }

private:
  unsigned bytes() { return storage.getIntOrFloatBitWidth() / 8; }
  spirv::MemoryAccessAttr aligned() {
    return spirv::MemoryAccessAttr::get(b.getContext(),
                                        spirv::MemoryAccess::Aligned);
  }
  IntegerAttr size() { return b.getI32IntegerAttr(bytes()); }
  Value constant(Type type, int64_t value) {
    return spirv::ConstantOp::create(b, loc, type,
                                     b.getIntegerAttr(type, value));
  }

  OpBuilder &b;
  Location loc;
  SpirvFlavour flavour;
  Type element, storage;
  Value base;
  bool isArray;
  Value first;
};

template <typename Op> struct MemoryPattern : OpConversionPattern<Op> {
  MemoryPattern(const SPIRVTypeConverter &converter, SpirvFlavour flavour,
                MLIRContext *context)
      : OpConversionPattern<Op>(converter, context, /*benefit=*/10),
        flavour(flavour) {}
  SpirvFlavour flavour;
};

struct LoadLowering : MemoryPattern<memref::LoadOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Elements elements(rewriter, op.getLoc(), flavour, op.getMemRefType(),
                      adaptor.getMemref(), adaptor.getIndices());
    rewriter.replaceOp(op, elements.load(0));
    return success();
  }
};

struct StoreLowering : MemoryPattern<memref::StoreOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Elements elements(rewriter, op.getLoc(), flavour, op.getMemRefType(),
                      adaptor.getMemref(), adaptor.getIndices());
    elements.store(0, adaptor.getValue());
    rewriter.eraseOp(op);
    return success();
  }
};

struct VectorLoadLowering : MemoryPattern<vector::LoadOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(vector::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getVectorType());
    if (!type || op.getVectorType().getRank() != 1)
      return rewriter.notifyMatchFailure(op, "vectors have 1 to 4 elements");
    Elements elements(rewriter, op.getLoc(), flavour, op.getMemRefType(),
                      adaptor.getBase(), adaptor.getIndices());
    SmallVector<Value> lanes;
    for (int64_t i = 0; i < op.getVectorType().getNumElements(); ++i)
      lanes.push_back(elements.load(i));
    if (lanes.size() == 1)
      rewriter.replaceOp(op, lanes[0]);
    else
      rewriter.replaceOpWithNewOp<spirv::CompositeConstructOp>(op, type, lanes);
    return success();
  }
};

struct VectorStoreLowering : MemoryPattern<vector::StoreOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(vector::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getVectorType().getRank() != 1)
      return rewriter.notifyMatchFailure(op, "vectors have 1 to 4 elements");
    Value vector = adaptor.getValueToStore();
    Elements elements(rewriter, op.getLoc(), flavour, op.getMemRefType(),
                      adaptor.getBase(), adaptor.getIndices());
    for (int32_t i = 0; i < op.getVectorType().getNumElements(); ++i)
      elements.store(i, isa<VectorType>(vector.getType())
                            ? spirv::CompositeExtractOp::create(
                                  rewriter, op.getLoc(), vector, i)
                                  .getResult()
                            : vector);
    rewriter.eraseOp(op);
    return success();
  }
};

struct AllocaLowering : MemoryPattern<memref::AllocaOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::AllocaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast_or_null<spirv::PointerType>(
        getTypeConverter()->convertType(op.getType()));
    if (!type)
      return rewriter.notifyMatchFailure(op, "private arrays have static size");
    rewriter.replaceOp(
        op, createVariable(rewriter, op.getLoc(), type.getPointeeType()));
    return success();
  }
};

/// Lowers subview and reinterpret_cast of a contiguous 1-D buffer.
template <typename Op> struct OffsetLowering : MemoryPattern<Op> {
  using MemoryPattern<Op>::MemoryPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getType();
    if (type.getRank() > 1 || op.getStaticOffsets().size() != 1 ||
        type.getMemorySpace())
      return rewriter.notifyMatchFailure(op, "only flat buffers");
    Location loc = op.getLoc();
    Type word = rewriter.getI64Type();
    auto constant = [&](int64_t value) -> Value {
      return spirv::ConstantOp::create(rewriter, loc, word,
                                       rewriter.getI64IntegerAttr(value));
    };
    int64_t fixed = op.getStaticOffsets()[0];
    Value offset = ShapedType::isDynamic(fixed) ? Value(adaptor.getOffsets()[0])
                                                : constant(fixed);
    Type storage = getSpirvStorageType(type.getElementType());
    Value bytes = spirv::IMulOp::create(
        rewriter, loc, offset, constant(storage.getIntOrFloatBitWidth() / 8));
    rewriter.replaceOpWithNewOp<spirv::IAddOp>(op, adaptor.getSource(), bytes);
    return success();
  }
};

/// Lowers ops that return the same address.
template <typename Op> struct SameAddress : MemoryPattern<Op> {
  using MemoryPattern<Op>::MemoryPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getOperands()[0];
    if (source.getType() !=
        this->getTypeConverter()->convertType(op->getResult(0).getType()))
      return failure();
    rewriter.replaceOp(op, source);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Ids and barriers
//===----------------------------------------------------------------------===//

template <typename Op, spirv::BuiltIn builtIn>
struct IdLowering : MemoryPattern<Op> {
  using MemoryPattern<Op>::MemoryPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type index = rewriter.getI64Type();
    Type word = this->flavour == SpirvFlavour::Kernel
                    ? index
                    : Type(rewriter.getI32Type());
    Value ids = spirv::getBuiltinVariableValue(op, builtIn, word, rewriter);
    Value id = spirv::CompositeExtractOp::create(
        rewriter, op.getLoc(), ids, static_cast<int32_t>(op.getDimension()));
    if (word != index)
      id = spirv::UConvertOp::create(rewriter, op.getLoc(), index, id);
    rewriter.replaceOp(op, id);
    return success();
  }
};

/// Threads of a block communicate through workgroup memory and through buffers,
/// so barriers order both.
struct BarrierLowering : MemoryPattern<gpu::BarrierOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(gpu::BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    using spirv::MemorySemantics;
    MemorySemantics buffers = flavour == SpirvFlavour::Kernel
                                  ? MemorySemantics::CrossWorkgroupMemory
                                  : MemorySemantics::UniformMemory;
    rewriter.replaceOpWithNewOp<spirv::ControlBarrierOp>(
        op, spirv::Scope::Workgroup, spirv::Scope::Workgroup,
        MemorySemantics::AcquireRelease | MemorySemantics::WorkgroupMemory |
            buffers);
    return success();
  }
};

struct ReturnLowering : MemoryPattern<gpu::ReturnOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(gpu::ReturnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<spirv::ReturnOp>(op);
    return success();
  }
};

} // namespace

void populateMemoryToSpirv(const SPIRVTypeConverter &converter,
                           SpirvFlavour flavour, RewritePatternSet &patterns) {
  patterns
      .add<LoadLowering, StoreLowering, VectorLoadLowering, VectorStoreLowering,
           AllocaLowering, OffsetLowering<memref::SubViewOp>,
           OffsetLowering<memref::ReinterpretCastOp>,
           SameAddress<memref::CastOp>, SameAddress<memref::AssumeAlignmentOp>,
           SameAddress<memref::ExtractAlignedPointerAsIndexOp>,
           SameAddress<UnrealizedConversionCastOp>,
           IdLowering<gpu::ThreadIdOp, spirv::BuiltIn::LocalInvocationId>,
           IdLowering<gpu::BlockIdOp, spirv::BuiltIn::WorkgroupId>,
           BarrierLowering, ReturnLowering>(converter, flavour,
                                            patterns.getContext());
}

} // namespace tensorc::codegen
