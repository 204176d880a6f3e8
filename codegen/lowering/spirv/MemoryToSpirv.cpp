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

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
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
  /// `storage` is the type with which memory is accessed; null means the element
  /// type. Arrays always have the element type.
  Elements(OpBuilder &b, Location loc, SpirvFlavour flavour, MemRefType type,
           Value base, ValueRange indices, Type storage = {})
      : b(b), loc(loc), flavour(flavour), element(type.getElementType()),
        storage(storage ? storage : getSpirvStorageType(element)), base(base),
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
    Value pointer = getPointer(offset);
    Value value =
        isArray ? spirv::LoadOp::create(b, loc, pointer).getResult()
                : spirv::LoadOp::create(b, loc, pointer, aligned(), size());
    if (!element.isInteger(1))
      return value;
    return spirv::INotEqualOp::create(b, loc, b.getI1Type(), value,
                                      constant(storage, 0));
  }

  void store(int64_t offset, Value value) {
    if (element.isInteger(1))
      value = spirv::SelectOp::create(b, loc, value, constant(storage, 1),
                                      constant(storage, 0));
    Value pointer = getPointer(offset);
    if (isArray)
      spirv::StoreOp::create(b, loc, pointer, value);
    else
      spirv::StoreOp::create(b, loc, pointer, value, aligned(), size());
  }

  /// Returns the pointer to the element that is `offset` after the first one.
  Value getPointer(int64_t offset) {
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
// Atomics
//===----------------------------------------------------------------------===//

/// Atomics are relaxed, because only barriers order memory. All blocks see
/// them.
constexpr auto atomicScope = spirv::Scope::Device;
constexpr auto relaxed = spirv::MemorySemantics::None;

/// Emits a loop of compare-and-swap on the bits of an element, and returns the
/// element's old value. `next` returns the new value for an old one.
///
/// %seen = scf.while (%old = %first) {
///   %new = next(%old)
///   %seen = spirv.AtomicCompareExchange %pointer, %new, %old
///   scf.condition(%seen != %old) %seen
/// } do { ... }
Value createSwapLoop(OpBuilder &b, Location loc, Value pointer, Type element,
                     llvm::function_ref<Value(OpBuilder &, Value)> next) {
  Type bits = cast<spirv::PointerType>(pointer.getType()).getPointeeType();
  auto convert = [&](OpBuilder &b, Type type, Value value) -> Value {
    return value.getType() == type
               ? value
               : spirv::BitcastOp::create(b, loc, type, value);
  };
  auto access = spirv::MemoryAccessAttr::get(b.getContext(),
                                             spirv::MemoryAccess::Aligned);
  Value first = spirv::LoadOp::create(
      b, loc, pointer, access,
      b.getI32IntegerAttr(bits.getIntOrFloatBitWidth() / 8));
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange(bits), ValueRange(first),
      [&](OpBuilder &b, Location loc, ValueRange old) {
        Value value = next(b, convert(b, element, old[0]));
        Value seen = spirv::AtomicCompareExchangeOp::create(
            b, loc, bits, pointer, atomicScope, relaxed, relaxed,
            convert(b, bits, value), old[0]);
        Value again =
            spirv::INotEqualOp::create(b, loc, b.getI1Type(), seen, old[0]);
        scf::ConditionOp::create(b, loc, again, seen);
      },
      [&](OpBuilder &b, Location loc, ValueRange seen) {
        scf::YieldOp::create(b, loc, seen);
      });
  return convert(b, element, loop.getResult(0));
}

/// Returns a pointer to the bits of an element.
Value getBitsPointer(OpBuilder &b, Location loc, SpirvFlavour flavour,
                     MemRefType type, Value base, ValueRange indices) {
  Type bits = b.getIntegerType(type.getElementType().getIntOrFloatBitWidth());
  return Elements(b, loc, flavour, type, base, indices, bits).getPointer(0);
}

struct AtomicLowering : MemoryPattern<memref::AtomicRMWOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pointer = getBitsPointer(rewriter, loc, flavour, op.getMemRefType(),
                                   adaptor.getMemref(), adaptor.getIndices());
    Value old =
        createNative(rewriter, loc, op.getKind(), pointer, adaptor.getValue());
    if (!old)
      old = createSwapLoop(rewriter, loc, pointer, op.getType(),
                           [&](OpBuilder &b, Value now) -> Value {
                             if (op.getKind() == arith::AtomicRMWKind::assign)
                               return adaptor.getValue();
                             return spirv::FAddOp::create(b, loc, now,
                                                          adaptor.getValue());
                           });
    rewriter.replaceOp(op, old);
    return success();
  }

private:
  /// Returns null for floats.
  static Value createNative(OpBuilder &b, Location loc,
                            arith::AtomicRMWKind kind, Value pointer,
                            Value value) {
    auto create = [&](auto op) -> Value {
      return decltype(op)::create(b, loc, value.getType(), pointer, atomicScope,
                                  relaxed, value);
    };
    if (!value.getType().isInteger())
      return {};
    switch (kind) {
    case arith::AtomicRMWKind::addi:
      return create(spirv::AtomicIAddOp());
    case arith::AtomicRMWKind::andi:
      return create(spirv::AtomicAndOp());
    case arith::AtomicRMWKind::ori:
      return create(spirv::AtomicOrOp());
    case arith::AtomicRMWKind::xori:
      return create(spirv::AtomicXorOp());
    case arith::AtomicRMWKind::maxs:
      return create(spirv::AtomicSMaxOp());
    case arith::AtomicRMWKind::maxu:
      return create(spirv::AtomicUMaxOp());
    case arith::AtomicRMWKind::mins:
      return create(spirv::AtomicSMinOp());
    case arith::AtomicRMWKind::minu:
      return create(spirv::AtomicUMinOp());
    case arith::AtomicRMWKind::assign:
      return create(spirv::AtomicExchangeOp());
    default:
      llvm_unreachable("txk-expand-atomics leaves no other kinds");
    }
  }
};

struct GenericAtomicLowering : MemoryPattern<memref::GenericAtomicRMWOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::GenericAtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getMemref().getType());
    Value pointer = getBitsPointer(rewriter, loc, flavour, type,
                                   adaptor.getMemref(), adaptor.getIndices());
    rewriter.replaceOp(
        op, createSwapLoop(rewriter, loc, pointer, type.getElementType(),
                           [&](OpBuilder &b, Value now) {
                             IRMapping mapping;
                             mapping.map(op.getCurrentValue(), now);
                             for (Operation &inner :
                                  op.getBody()->without_terminator())
                               b.clone(inner, mapping);
                             return mapping.lookupOrDefault(
                                 op.getBody()->getTerminator()->getOperand(0));
                           }));
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
           BarrierLowering, ReturnLowering, AtomicLowering,
           GenericAtomicLowering>(converter, flavour, patterns.getContext());
}

} // namespace tensorc::codegen
