//===- SimtToLLVM.cpp - Lower GPU kernels to LLVM functions ---------------===//
//
// gpu.func @k(%x: memref<?xf32> {llvm.noalias}, %n: i64)
//     workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>)
//     kernel attributes {known_block_size = array<i32: 256, 1, 1>} { ... }
// ->
// llvm.mlir.global internal @k_shared0() {addr_space = 3} : !llvm.array<64 x f32>
// llvm.func @k(%x: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %n: i64) {
//   %w = llvm.mlir.addressof @k_shared0 : !llvm.ptr<3>
//   ...
//
// Arrays of a kernel with txk.dynamic_shared are in an external global without
// a size. Unlike gpu.dynamic_shared_memory, it has an alignment.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/WorkgroupMemory.h"
#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/llvm/KernelToLLVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

/// Alignment of buffers (see runtime/abi/Format.h) and of the globals for
/// workgroup memory. It suffices for the widest access.
constexpr int64_t kBufferAlignment = 64;
static_assert(kBufferAlignment == kSharedAlignment);

/// True if nothing is written through the memref or a view of it.
bool isOnlyRead(Value memref) {
  return llvm::all_of(memref.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<memref::LoadOp, vector::LoadOp, vector::MaskedLoadOp,
            vector::GatherOp, memref::PrefetchOp,
            memref::ExtractAlignedPointerAsIndexOp>(user))
      return true;
    if (auto copy = dyn_cast<txk::CopyAsyncOp>(user))
      return use.get() == copy.getFrom();
    bool isView = isa<ViewLikeOpInterface, memref::AssumeAlignmentOp>(user);
    return isView && use.getOperandNumber() == 0 &&
           isOnlyRead(user->getResult(0));
  });
}

struct FunctionLowering : ConvertOpToLLVMPattern<gpu::GPUFuncOp> {
  FunctionLowering(const LLVMTypeConverter &converter,
                   const SimtLowering &lowering)
      : ConvertOpToLLVMPattern(converter), lowering(lowering) {}

  LogicalResult
  matchAndRewrite(gpu::GPUFuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned count = op.getNumArguments();
    TypeConverter::SignatureConversion signature(
        op.getBody().getNumArguments());
    SmallVector<Type> types;
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      Type converted = getTypeConverter()->convertType(type);
      if (isa<txk::TensorMapType>(type) && !lowering.markTensorMap)
        converted = nullptr;
      if (!converted)
        return op.emitOpError("argument ")
               << i << " of type " << type << " cannot be passed to a kernel";
      types.push_back(converted);
      signature.addInputs(i, converted);
    }
    rewriter.setInsertionPointToStart(&op.front());
    for (auto [i, buffer] : llvm::enumerate(op.getWorkgroupAttributions())) {
      Value address = createShared(op, i, buffer, rewriter);
      if (!address)
        return failure();
      signature.remapInput(count + i, address);
    }
    rewriter.setInsertionPoint(op);
    auto function = LLVM::LLVMFuncOp::create(
        rewriter, loc, op.getName(),
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(op.getContext()),
                                    types));
    for (unsigned i = 0; i < count; ++i)
      function.setArgAttrs(i, getArgumentAttributes(op, i, rewriter));
    function->setAttr("txk.kernel", rewriter.getUnitAttr());
    lowering.markKernel(function, (*op.getKnownBlockSize())[0]);
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(),
                                function.end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), *typeConverter,
                                           &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Returns the address of dynamic shared memory, a global that all kernels of
  /// the module share.
  static Value dynamicShared(gpu::GPUFuncOp op, LLVM::LLVMPointerType pointer,
                             ConversionPatternRewriter &rewriter) {
    constexpr StringLiteral name = "dynamic_shared";
    Operation *module = op->getParentOp();
    if (!SymbolTable::lookupSymbolIn(module, name)) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(op);
      LLVM::GlobalOp::create(rewriter, op.getLoc(),
                             LLVM::LLVMArrayType::get(rewriter.getI8Type(), 0),
                             /*isConstant=*/false, LLVM::Linkage::External,
                             name, Attribute(), kDynamicSharedAlignment,
                             pointer.getAddressSpace());
    }
    return LLVM::AddressOfOp::create(rewriter, op.getLoc(), pointer, name);
  }

  /// Returns the address of the workgroup attribution `index`, in dynamic
  /// shared memory or as a new global.
  Value createShared(gpu::GPUFuncOp op, unsigned index, BlockArgument buffer,
                     ConversionPatternRewriter &rewriter) const {
    auto type = cast<MemRefType>(buffer.getType());
    auto pointer = dyn_cast_or_null<LLVM::LLVMPointerType>(
        getTypeConverter()->convertType(type));
    if (!pointer || !type.hasStaticShape()) {
      op.emitOpError("has workgroup memory of type ")
          << type << ", whose size is not static";
      return {};
    }
    if (getDynamicShared(op)) {
      auto place = static_cast<int32_t>(layOutWorkgroupMemory(op)[index]);
      return LLVM::GEPOp::create(
          rewriter, op.getLoc(), pointer, rewriter.getI8Type(),
          dynamicShared(op, pointer, rewriter), ArrayRef<LLVM::GEPArg>{place},
          LLVM::GEPNoWrapFlags::inbounds);
    }
    Type array = LLVM::LLVMArrayType::get(
        getStorageType(type.getElementType(), rewriter), type.getNumElements());
    std::string name = (op.getName() + "_shared" + Twine(index)).str();
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(op);
      LLVM::GlobalOp::create(rewriter, op.getLoc(), array,
                             /*isConstant=*/false, LLVM::Linkage::Internal,
                             name, /*value=*/Attribute(), kBufferAlignment,
                             pointer.getAddressSpace());
    }
    return LLVM::AddressOfOp::create(rewriter, op.getLoc(), pointer, name);
  }

  DictionaryAttr getArgumentAttributes(gpu::GPUFuncOp op, unsigned index,
                                       OpBuilder &b) const {
    NamedAttrList attributes(op.getArgAttrDict(index));
    if (isa<MemRefType>(op.getArgumentTypes()[index])) {
      attributes.set("llvm.align", b.getI64IntegerAttr(kBufferAlignment));
      attributes.set("llvm.nonnull", b.getUnitAttr());
      if (isOnlyRead(op.getArgument(index)))
        attributes.set("llvm.readonly", b.getUnitAttr());
    }
    if (isa<txk::TensorMapType>(op.getArgumentTypes()[index]))
      lowering.markTensorMap(attributes, b);
    return attributes.getDictionary(b.getContext());
  }

  const SimtLowering &lowering;
};

struct ReturnLowering : ConvertOpToLLVMPattern<gpu::ReturnOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(gpu::ReturnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

/// Lowers ids along y and z to 0, because blocks and grids are one-dimensional.
template <typename Op> struct OtherDimension : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getDimension() == gpu::Dimension::x)
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(
        op, rewriter.getI64IntegerAttr(0));
    return success();
  }
};

/// Replaces block sizes by constants. Must run before the conversion, which
/// drops the function's attribute.
void foldBlockSizes(gpu::GPUFuncOp function) {
  ArrayRef<int32_t> sizes = *function.getKnownBlockSize();
  function.walk([&](gpu::BlockDimOp op) {
    OpBuilder b(op);
    Value size = arith::ConstantIndexOp::create(
        b, op.getLoc(), sizes[static_cast<int>(op.getDimension())]);
    op.replaceAllUsesWith(size);
    op.erase();
  });
}

/// Moves constant vectors that are indexed at run time to globals. Otherwise
/// each thread would copy them to its stack.
void placeTables(gpu::GPUModuleOp module, unsigned space) {
  SmallVector<std::pair<vector::ExtractOp, DenseElementsAttr>> reads;
  module.walk([&](vector::ExtractOp op) {
    DenseElementsAttr table;
    if (op.getDynamicPosition().size() == 1 &&
        op.getSourceVectorType().getRank() == 1 &&
        isa<Float32Type, Float64Type, IntegerType>(op.getType()) &&
        !op.getType().isInteger(1) &&
        matchPattern(op.getSource(), m_Constant(&table)))
      reads.push_back({op, table});
  });
  Type pointer = LLVM::LLVMPointerType::get(module.getContext(), space);
  llvm::MapVector<Attribute, std::string> names;
  for (auto [op, table] : reads) {
    Location loc = op.getLoc();
    Type element = op.getType();
    auto [it, isNew] = names.try_emplace(table, "");
    if (isNew) {
      it->second = "table" + std::to_string(names.size() - 1);
      auto b = OpBuilder::atBlockBegin(module.getBody());
      LLVM::GlobalOp::create(
          b, loc, LLVM::LLVMArrayType::get(element, table.getNumElements()),
          /*isConstant=*/true, LLVM::Linkage::Internal, it->second, table,
          kBufferAlignment, space);
    }
    OpBuilder b(op);
    Value address = LLVM::AddressOfOp::create(b, loc, pointer, it->second);
    Value index = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                             op.getDynamicPosition()[0]);
    address = LLVM::GEPOp::create(b, loc, pointer, element, address,
                                  ArrayRef<LLVM::GEPArg>{index},
                                  LLVM::GEPNoWrapFlags::inbounds);
    op.replaceAllUsesWith(
        LLVM::LoadOp::create(b, loc, element, address).getResult());
    op.erase();
  }
}

/// Makes i1 arguments bytes, of which only the lowest bit is significant.
void passBytesForBooleans(gpu::GPUFuncOp function) {
  SmallVector<Type> types(function.getArgumentTypes());
  OpBuilder b = OpBuilder::atBlockBegin(&function.front());
  for (auto [i, type] : llvm::enumerate(types)) {
    if (!type.isInteger(1))
      continue;
    type = b.getI8Type();
    BlockArgument argument = function.getArgument(i);
    argument.setType(type);
    auto bit =
        arith::TruncIOp::create(b, argument.getLoc(), b.getI1Type(), argument);
    argument.replaceAllUsesExcept(bit, bit);
  }
  function.setFunctionType(b.getFunctionType(types, {}));
}

LogicalResult verifyKernel(gpu::GPUFuncOp function) {
  if (!function.isKernel() || !function.getKnownBlockSize())
    return function.emitOpError("must be a kernel with a known_block_size");
  ArrayRef<int32_t> sizes = *function.getKnownBlockSize();
  if (sizes[0] < 1 || sizes[1] != 1 || sizes[2] != 1)
    return function.emitOpError("must have blocks of one dimension");
  return success();
}

} // namespace

LogicalResult convertSimtKernels(gpu::GPUModuleOp module,
                                 const SimtLowering &lowering) {
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    if (failed(verifyKernel(function)))
      return failure();
    foldBlockSizes(function);
    passBytesForBooleans(function);
  }
  placeTables(module, lowering.spaces.constant);
  MLIRContext *context = module.getContext();
  LLVMTypeConverter converter(context, LowerToLLVMOptions(context));
  addBarePointerConversion(converter, lowering.spaces);
  converter.addConversion([](txk::TensorMapType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  RewritePatternSet patterns(context);
  patterns.add<FunctionLowering>(converter, lowering);
  patterns.add<ReturnLowering, OtherDimension<gpu::ThreadIdOp>,
               OtherDimension<gpu::BlockIdOp>>(converter, /*benefit=*/2);
  populateKernelToLLVM(converter, patterns);
  populateAtomicsToLLVM(converter, patterns, lowering.deviceScope);
  lowering.populate(converter, patterns);
  return convertToLLVM(module, std::move(patterns), lowering.dialects);
}

} // namespace tensorc::codegen
