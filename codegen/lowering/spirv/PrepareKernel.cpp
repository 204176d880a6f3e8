//===- PrepareKernel.cpp - Prepares kernels for the conversion to SPIR-V --===//
//
// gpu.func @k(%x: memref<?xf32>, %s: f32)
//     workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>) { ... }
// ->
// spirv.GlobalVariable @k_shared0
//     : !spirv.ptr<!spirv.array<64 x f32>, Workgroup>
// spirv.func @k(%word0: i64, %word1: i64) {
//   %x = builtin.unrealized_conversion_cast %word0 : i64 to memref<?xf32>
//   %s = arith.bitcast (arith.trunci %word1 : i64 to i32) : i32 to f32
//   %w = builtin.unrealized_conversion_cast (spirv.mlir.addressof @k_shared0)
//   ...
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/spirv/ToSpirv.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

LogicalResult verifyKernel(gpu::GPUFuncOp kernel) {
  if (!kernel.isKernel() || !kernel.getKnownBlockSize())
    return kernel.emitOpError("must be a kernel with a known_block_size");
  ArrayRef<int32_t> sizes = *kernel.getKnownBlockSize();
  if (sizes[0] < 1 || sizes[1] != 1 || sizes[2] != 1)
    return kernel.emitOpError("must have blocks of one dimension");
  for (Type type : kernel.getArgumentTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    bool isScalar = type.isIndex() ||
                    (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64);
    if (!isScalar && (!memref || memref.getMemorySpace()))
      return kernel.emitOpError("argument of type ")
             << type << " cannot be passed to a kernel";
  }
  return success();
}

void foldBlockSizes(gpu::GPUFuncOp kernel) {
  ArrayRef<int32_t> sizes = *kernel.getKnownBlockSize();
  kernel.walk([&](gpu::BlockDimOp op) {
    OpBuilder b(op);
    Value size = arith::ConstantIndexOp::create(
        b, op.getLoc(), sizes[static_cast<int>(op.getDimension())]);
    op.replaceAllUsesWith(size);
    op.erase();
  });
}

/// Expands gathers and masked accesses to a branch per element. Also folds
/// constants that earlier expansions left, because KeepFloats.cpp has to find
/// zeros.
void expandAccesses(gpu::GPUFuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  vector::populateVectorGatherToConditionalLoadPatterns(patterns);
  vector::populateVectorMaskedLoadStoreEmulationPatterns(patterns);
  (void)applyPatternsGreedily(kernel, std::move(patterns));
}

/// Makes loops count in i64, to which indices are converted. The conversion of
/// scf changes only types of loop-carried values.
void countInWords(gpu::GPUFuncOp kernel) {
  kernel.walk([](scf::ForOp loop) {
    Value index = loop.getInductionVar();
    if (!index.getType().isIndex())
      return;
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Type word = b.getI64Type();
    for (OpOperand *bound :
         {&loop.getLowerBoundMutable(), &loop.getUpperBoundMutable(),
          &loop.getStepMutable()})
      bound->set(arith::IndexCastOp::create(b, loc, word, bound->get()));
    index.setType(word);
    b.setInsertionPointToStart(loop.getBody());
    auto same = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
    index.replaceAllUsesExcept(same, same);
  });
}

/// Moves accesses to a view to the array of which it is a view. Both have the
/// same element type at this point.
LogicalResult moveAccesses(memref::ViewOp view, Value array, Value shift) {
  for (OpOperand &use : llvm::make_early_inc_range(view->getUses())) {
    Operation *user = use.getOwner();
    if (!isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp>(
            user))
      return user->emitOpError("of a view of workgroup memory");
    OpBuilder b(user);
    OpOperand &index = user->getOpOperand(user->getNumOperands() - 1);
    index.set(arith::AddIOp::create(b, user->getLoc(), index.get(), shift));
    use.set(array);
  }
  view.erase();
  return success();
}

/// Changes the element type of a byte array to that of its views, because
/// pointers to workgroup memory cannot be cast.
LogicalResult foldViews(gpu::GPUFuncOp kernel) {
  for (BlockArgument array : kernel.getWorkgroupAttributions()) {
    SmallVector<memref::ViewOp> views;
    for (Operation *user : array.getUsers())
      if (auto view = dyn_cast<memref::ViewOp>(user))
        views.push_back(view);
    if (views.empty())
      continue;
    Type element = views[0].getType().getElementType();
    for (memref::ViewOp view : views)
      if (view.getType().getElementType() != element ||
          view.getType().getRank() != 1)
        return view.emitOpError("of workgroup memory that has other views, of ")
               << element;
    if (llvm::range_size(array.getUsers()) != views.size())
      return kernel.emitOpError(
          "accesses workgroup memory both by bytes and by views");
    auto bytes = cast<MemRefType>(array.getType());
    int64_t size = element.getIntOrFloatBitWidth() / 8;
    array.setType(MemRefType::get({bytes.getNumElements() / size}, element,
                                  bytes.getLayout(), bytes.getMemorySpace()));
    for (memref::ViewOp view : views) {
      OpBuilder b(view);
      Value bytesOf = arith::ConstantIndexOp::create(b, view.getLoc(), size);
      Value shift = arith::DivUIOp::create(b, view.getLoc(),
                                           view.getByteShift(), bytesOf);
      if (failed(moveAccesses(view, array, shift)))
        return failure();
    }
  }
  return success();
}

/// Replaces constant vectors that are indexed at run time by variables, one for
/// each distinct table.
void placeTables(spirv::FuncOp function) {
  SmallVector<std::pair<vector::ExtractOp, DenseElementsAttr>> reads;
  function.walk([&](vector::ExtractOp op) {
    DenseElementsAttr table;
    if (op.getDynamicPosition().size() == 1 &&
        op.getSourceVectorType().getRank() == 1 &&
        op.getType().isIntOrFloat() && !op.getType().isInteger(1) &&
        matchPattern(op.getSource(), m_Constant(&table)))
      reads.push_back({op, table});
  });
  llvm::MapVector<Attribute, Value> variables;
  for (auto [op, table] : reads) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value &variable = variables[table];
    if (!variable) {
      auto array = spirv::ArrayType::get(op.getType(), table.getNumElements());
      auto entry = OpBuilder::atBlockBegin(&function.getBody().front());
      Value constant = spirv::ConstantOp::create(entry, loc, array, table);
      variable = createVariable(b, loc, array, constant);
    }
    Value index = arith::IndexCastOp::create(b, loc, b.getI32Type(),
                                             op.getDynamicPosition()[0]);
    Value pointer = spirv::AccessChainOp::create(b, loc, variable, index);
    op.replaceAllUsesWith(spirv::LoadOp::create(b, loc, pointer).getResult());
    Operation *constant = op.getSource().getDefiningOp();
    op.erase();
    if (constant->use_empty())
      constant->erase();
  }
}

Value castTo(OpBuilder &b, Location loc, Type type, Value value) {
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

/// Converts a word to an argument's type. Narrow scalars are in the low bytes
/// of their words.
Value fromWord(OpBuilder &b, Location loc, Type type, Value word) {
  if (isa<MemRefType>(type))
    return castTo(b, loc, type, word);
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, word);
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  if (bits != word.getType())
    word = arith::TruncIOp::create(b, loc, bits, word);
  return bits == type
             ? word
             : arith::BitcastOp::create(b, loc, type, word).getResult();
}

Value constantI32(OpBuilder &b, Location loc, int32_t value) {
  return spirv::ConstantOp::create(b, loc, b.getI32Type(),
                                   b.getI32IntegerAttr(value));
}

/// Creates the block of push constants and returns the words that it holds.
SmallVector<Value> readPushedWords(OpBuilder &b, Location loc,
                                   spirv::FuncOp function, size_t count) {
  Type word = b.getI64Type();
  auto blockOf = [&](size_t words) {
    SmallVector<Type> members(words, word);
    SmallVector<spirv::StructType::OffsetInfo> offsets;
    for (size_t i = 0; i < words; ++i)
      offsets.push_back(8 * i);
    return spirv::StructType::get(
        members, offsets, {}, {{spirv::Decoration::Block, b.getUnitAttr()}});
  };
  bool areMany = count > maxPushedWords;
  auto type = spirv::PointerType::get(blockOf(areMany ? 1 : count),
                                      spirv::StorageClass::PushConstant);
  std::string name = (function.getName() + "_words").str();
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(function);
    spirv::GlobalVariableOp::create(b, loc, type, name);
  }
  auto read = [&](Value block, size_t i, bool isPhysical) -> Value {
    Value pointer =
        spirv::AccessChainOp::create(b, loc, block, constantI32(b, loc, i));
    if (!isPhysical)
      return spirv::LoadOp::create(b, loc, pointer);
    return spirv::LoadOp::create(
        b, loc, pointer,
        spirv::MemoryAccessAttr::get(b.getContext(),
                                     spirv::MemoryAccess::Aligned),
        b.getI32IntegerAttr(8));
  };
  Value block = spirv::AddressOfOp::create(b, loc, type, name);
  if (areMany)
    block = spirv::ConvertUToPtrOp::create(
        b, loc,
        spirv::PointerType::get(blockOf(count),
                                spirv::StorageClass::PhysicalStorageBuffer),
        read(block, 0, false));
  SmallVector<Value> words;
  for (size_t i = 0; i < count; ++i)
    words.push_back(read(block, i, areMany));
  return words;
}

} // namespace

LogicalResult prepareKernel(gpu::GPUFuncOp kernel) {
  if (failed(verifyKernel(kernel)))
    return failure();
  foldBlockSizes(kernel);
  expandAccesses(kernel);
  countInWords(kernel);
  return foldViews(kernel);
}

MovedKernel moveToFunction(OpBuilder &b, gpu::GPUFuncOp kernel,
                           SpirvFlavour flavour) {
  Location loc = kernel.getLoc();
  SmallVector<Type> types(kernel.getArgumentTypes());
  bool isShader = flavour == SpirvFlavour::Shader;
  SmallVector<Type> parameters(isShader ? 0 : types.size(), b.getI64Type());
  SmallVector<std::pair<Type, std::string>> arrays;
  for (auto [i, array] : llvm::enumerate(kernel.getWorkgroupAttributions())) {
    auto type = cast<MemRefType>(array.getType());
    arrays.push_back(
        {spirv::PointerType::get(
             spirv::ArrayType::get(getSpirvStorageType(type.getElementType()),
                                   type.getNumElements()),
             spirv::StorageClass::Workgroup),
         (kernel.getName() + "_shared" + Twine(i)).str()});
    spirv::GlobalVariableOp::create(b, loc, arrays.back().first,
                                    arrays.back().second);
  }
  auto function = spirv::FuncOp::create(b, loc, kernel.getName(),
                                        b.getFunctionType(parameters, {}));
  function->setAttr("txk.kernel", b.getUnitAttr());
  function.getBody().takeBody(kernel.getBody());
  Block &entry = function.getBody().front();
  unsigned old = entry.getNumArguments();
  OpBuilder inside = OpBuilder::atBlockBegin(&entry);
  SmallVector<Value> words;
  for (Type type : parameters)
    words.push_back(entry.addArgument(type, loc));
  Value status;
  if (isShader) {
    words = readPushedWords(inside, loc, function, types.size() + 1);
    status = words.pop_back_val();
  }
  SmallVector<Value> values;
  for (auto [type, word] : llvm::zip_equal(types, words))
    values.push_back(fromWord(inside, loc, type, word));
  for (auto [i, array] : llvm::enumerate(arrays)) {
    Value address =
        spirv::AddressOfOp::create(inside, loc, array.first, array.second);
    values.push_back(castTo(
        inside, loc, entry.getArgument(types.size() + i).getType(), address));
  }
  for (auto [i, value] : llvm::enumerate(values))
    entry.getArgument(i).replaceAllUsesWith(value);
  entry.eraseArguments(0, old);
  placeTables(function);
  return {function, status};
}

} // namespace tensorc::codegen
