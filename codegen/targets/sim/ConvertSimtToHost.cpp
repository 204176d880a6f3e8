//===- ConvertSimtToHost.cpp - GPU kernels as functions of the host -------===//
//
// gpu.module @kernels {
//   gpu.func @k(%x: memref<?xf32>, %n: i64)
//       workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel
//       attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
//     %t = gpu.thread_id x
//     gpu.barrier
// ->
// module @kernels {
//   func.func @k(%thread: !llvm.ptr, %calls: !llvm.ptr, %words: !llvm.ptr)
//       attributes {sim.block = 32 : i32, ...} {
//     %x = unrealized_conversion_cast (llvm.load %words) to memref<?xf32>
//     %n = llvm.load %words[1] : i64
//     %s = unrealized_conversion_cast (llvm.load %words[2]) to memref<32xf32>
//     %t = llvm.load %thread[...]
//     llvm.call (llvm.load %calls[2])(%thread, 0) {sim.call = "gpu.barrier"}
//
// runtime/abi/Sim.h declares the driver's side. The location of each access is
// named after its op and line, for reports of the driver.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/WorkgroupMemory.h"
#include "codegen/lowering/tiles/TileLayout.h"
#include "codegen/targets/sim/Passes.h"
#include "codegen/targets/sim/SimKernelAttrs.h"
#include "codegen/targets/sim/TilesToHost.h"
#include "runtime/abi/Sim.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AsmState.h"
#include <cstddef>

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_CONVERTSIMTTOHOSTPASS
#include "codegen/targets/sim/Passes.h.inc"

namespace {

using namespace sim;

int64_t elementBytes(MemRefType type) {
  Type element = type.getElementType();
  if (auto vector = dyn_cast<VectorType>(element))
    element = vector.getElementType();
  if (element.isIndex())
    return 8;
  return std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
}

/// Returns the size in bytes of the units in which a workgroup array is
/// accessed. An array of bytes may have views with wider element types.
int64_t unitBytes(BlockArgument array) {
  auto type = cast<MemRefType>(array.getType());
  int64_t unit = 0;
  for (Operation *user : array.getUsers()) {
    auto view = dyn_cast<memref::ViewOp>(user);
    if (!view)
      return elementBytes(type);
    int64_t bytes = elementBytes(view.getType());
    unit = unit ? std::min(unit, bytes) : bytes;
  }
  return unit ? unit : elementBytes(type);
}

/// Removes the memory space from a type, because the host has only one.
Type stripSpace(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.getMemorySpace())
    return type;
  return MemRefType::get(memref.getShape(), memref.getElementType(),
                         memref.getLayout());
}

bool isAccess(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
             memref::GenericAtomicRMWOp, vector::LoadOp, vector::StoreOp,
             vector::MaskedLoadOp, vector::MaskedStoreOp, vector::GatherOp,
             vector::ScatterOp, gpu::BarrierOp, gpu::ShuffleOp>(op) ||
         isa<txk::TxkDialect>(op->getDialect());
}

/// Names the locations of accesses, for example "vector.load, line 12 after
/// emit".
void nameAccesses(ModuleOp module) {
  AsmState::LocationMap lines;
  AsmState state(module, OpPrintingFlags(), &lines);
  module->print(llvm::nulls(), state);
  module.walk([&](Operation *op) {
    if (!isAccess(op))
      return;
    bool atomic = isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op);
    std::string name =
        (atomic ? StringRef(kAtomicPrefix) : op->getName().getStringRef())
            .str();
    name += ", line " + std::to_string(lines.lookup(op).first) + " after emit";
    op->setLoc(
        NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
  });
}

/// Converts a gpu.func to a function of the host.
class KernelConverter {
public:
  KernelConverter(gpu::GPUFuncOp kernel, OpBuilder &b, unsigned subgroupSize)
      : kernel(kernel), b(b), loc(kernel.getLoc()), subgroupSize(subgroupSize),
        pointer(LLVM::LLVMPointerType::get(b.getContext())) {}

  LogicalResult convert(int64_t sharedLimit, int64_t dynamicLimit);

private:
  LogicalResult readBlockSize();
  LogicalResult checkShared(int64_t sharedLimit, int64_t dynamicLimit);
  LogicalResult unpackArguments();
  LogicalResult convertOps();
  LogicalResult convertOp(Operation *op);
  Value threadId();
  Value blockId();
  LogicalResult shuffle(gpu::ShuffleOp op);
  void atomicRMW(memref::AtomicRMWOp op);
  void genericAtomicRMW(memref::GenericAtomicRMWOp op);

  Value constant(Type type, int64_t value) {
    return LLVM::ConstantOp::create(b, loc, type,
                                    b.getIntegerAttr(type, value));
  }
  Value at(Value base, size_t offset) {
    return LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(offset)},
                               LLVM::GEPNoWrapFlags::inbounds);
  }
  Value argument(HostArgument which) { return host.getArgument(which); }
  Value loadConstant(Type type, Value address, unsigned alignment) {
    auto load = LLVM::LoadOp::create(b, loc, type, address, alignment);
    load.setInvariant(true);
    return load;
  }
  Value cast(Type type, Value value) {
    return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
  }
  Value fromWord(Type type, unsigned index);
  LLVM::CallOp callBack(size_t offset, Type result, ArrayRef<Value> operands,
                        StringRef what);

  gpu::GPUFuncOp kernel;
  OpBuilder &b;
  Location loc;
  unsigned subgroupSize;
  int32_t blockSize = 0;
  Type pointer;
  func::FuncOp host;
};

LogicalResult KernelConverter::readBlockSize() {
  auto known = kernel.getKnownBlockSize();
  if (!known || known->size() != 3 || (*known)[0] < 1 || (*known)[1] != 1 ||
      (*known)[2] != 1)
    return kernel.emitOpError(
        "needs known_block_size = array<i32: N, 1, 1> to be simulated");
  if ((*known)[0] > 1024)
    return kernel.emitOpError("has blocks of more than 1024 threads");
  blockSize = (*known)[0];
  return success();
}

/// Checks the size of workgroup memory against the limits. Dynamic memory must
/// hold all arrays, so a kernel that requests less is refused.
LogicalResult KernelConverter::checkShared(int64_t sharedLimit,
                                           int64_t dynamicLimit) {
  int64_t bytes = layOutWorkgroupMemory(kernel).back();
  int64_t dynamic = getDynamicShared(kernel);
  int64_t limit = dynamic ? dynamicLimit : sharedLimit;
  if (std::max(bytes, dynamic) > limit)
    return kernel.emitOpError("needs ")
           << bytes << " bytes of workgroup memory; the target has " << limit;
  if (dynamic && dynamic < bytes)
    return kernel.emitOpError("has ")
           << dynamic << " bytes of dynamic shared memory and needs " << bytes;
  return success();
}

LogicalResult KernelConverter::convert(int64_t sharedLimit,
                                       int64_t dynamicLimit) {
  if (failed(readBlockSize()) || failed(checkShared(sharedLimit, dynamicLimit)))
    return failure();
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      result.setType(stripSpace(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(stripSpace(argument.getType()));
  });
  host =
      func::FuncOp::create(b, loc, kernel.getName(),
                           b.getFunctionType({pointer, pointer, pointer}, {}));
  // The runtime owns the callback table and the words, so no buffer aliases
  // them.
  for (HostArgument argument : {CallsArg, WordsArg}) {
    host.setArgAttr(argument, "llvm.noalias", b.getUnitAttr());
    host.setArgAttr(argument, "llvm.readonly", b.getUnitAttr());
  }
  Block *entry = host.addEntryBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  if (failed(unpackArguments()))
    return failure();
  Block &first = kernel.getBody().front();
  entry->getOperations().splice(entry->end(), first.getOperations());
  for (Block &block :
       llvm::make_early_inc_range(llvm::drop_begin(kernel.getBody())))
    block.moveBefore(&host.getBody(), host.getBody().end());
  return convertOps();
}

Value KernelConverter::fromWord(Type type, unsigned index) {
  Value slot = at(argument(WordsArg), index * sizeof(rt::Word));
  if (isa<MemRefType, txk::TensorMapType>(type))
    return cast(type, loadConstant(pointer, slot, 8));
  if (type.isIndex())
    return cast(type, loadConstant(b.getI64Type(), slot, 8));
  if (type.isInteger(1))
    return LLVM::TruncOp::create(b, loc, type,
                                 loadConstant(b.getI8Type(), slot, 8));
  if (isa<FloatType>(type) && !LLVM::isCompatibleType(type)) { // f8
    Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
    return arith::BitcastOp::create(b, loc, type, loadConstant(bits, slot, 8));
  }
  return loadConstant(type, slot, 8);
}

LogicalResult KernelConverter::unpackArguments() {
  SmallVector<int32_t> buffers, shared;
  Block &first = kernel.getBody().front();
  unsigned count = kernel.getFunctionType().getNumInputs();
  unsigned maps = 0;
  for (auto [i, old] : llvm::enumerate(first.getArguments())) {
    if (isa<txk::TensorMapType>(old.getType())) {
      old.replaceAllUsesWith(fromWord(old.getType(), i));
      ++maps;
      continue;
    }
    auto memref = dyn_cast<MemRefType>(old.getType());
    bool fits = memref || old.getType().isIntOrIndexOrFloat();
    if (!fits || (i >= count && !memref.hasStaticShape()))
      return kernel.emitOpError("argument ")
             << i << " of type " << old.getType() << " cannot be simulated";
    if (i >= count + kernel.getNumWorkgroupAttributions()) {
      // Private memory becomes stack memory of the thread.
      old.replaceAllUsesWith(memref::AllocaOp::create(b, loc, memref));
      continue;
    }
    int64_t unit = i < count ? 0 : unitBytes(old);
    old.replaceAllUsesWith(fromWord(old.getType(), i));
    if (!memref)
      continue;
    if (i < count) {
      if (buffers.size() != i)
        return kernel.emitOpError("has a buffer after a scalar");
      buffers.push_back(elementBytes(memref));
      continue;
    }
    int64_t bytes = memref.getNumElements() * elementBytes(memref);
    shared.append({int32_t(bytes), int32_t(unit)});
  }
  if (kernel->getParentOfType<ModuleOp>()->hasAttr(kProfileAttr))
    host->setAttr(kProfileAttr, b.getUnitAttr());
  host->setAttr(kBlockAttr, b.getI32IntegerAttr(blockSize));
  host->setAttr(kSubgroupAttr, b.getI32IntegerAttr(subgroupSize));
  host->setAttr(kScalarsAttr,
                b.getI32IntegerAttr(count - buffers.size() - maps));
  host->setAttr(kBuffersAttr, b.getDenseI32ArrayAttr(buffers));
  if (maps)
    host->setAttr(kTensorMapsAttr, b.getI32IntegerAttr(maps));
  if (int64_t dynamic = getDynamicShared(kernel))
    host->setAttr(kDynamicAttr, b.getI32IntegerAttr(dynamic));
  host->setAttr(kSharedAttr, b.getDenseI32ArrayAttr(shared));
  return success();
}

Value KernelConverter::threadId() {
  Value id =
      loadConstant(b.getI32Type(),
                   at(argument(ThreadArg), offsetof(rt::SimThread, thread)), 4);
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), id);
}

Value KernelConverter::blockId() {
  Value id =
      loadConstant(b.getI64Type(),
                   at(argument(ThreadArg), offsetof(rt::SimThread, block)), 8);
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), id);
}

LLVM::CallOp KernelConverter::callBack(size_t offset, Type result,
                                       ArrayRef<Value> operands,
                                       StringRef what) {
  Value function = loadConstant(pointer, at(argument(CallsArg), offset), 8);
  SmallVector<Value> all{argument(ThreadArg)};
  all.append(operands.begin(), operands.end());
  all.push_back(constant(b.getI32Type(), 0)); // the site, which is set later
  auto type = LLVM::LLVMFunctionType::get(
      result, llvm::to_vector(TypeRange(ValueRange(all))));
  all.insert(all.begin(), function);
  auto call = LLVM::CallOp::create(b, loc, type, all);
  call->setAttr(kCallAttr, b.getStringAttr(what));
  return call;
}

rt::SimShuffle getMode(gpu::ShuffleMode mode) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return rt::SimShuffle::Xor;
  case gpu::ShuffleMode::UP:
    return rt::SimShuffle::Up;
  case gpu::ShuffleMode::DOWN:
    return rt::SimShuffle::Down;
  case gpu::ShuffleMode::IDX:
    return rt::SimShuffle::Index;
  }
  llvm_unreachable("all modes are listed");
}

LogicalResult KernelConverter::shuffle(gpu::ShuffleOp op) {
  Type type = op.getValue().getType(), i64 = b.getI64Type();
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
    return op.emitOpError("of ") << type << " cannot be simulated";
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  Value value = op.getValue();
  if (type != bits)
    value = arith::BitcastOp::create(b, loc, bits, value);
  if (bits != i64)
    value = arith::ExtUIOp::create(b, loc, i64, value);
  Value mode = constant(b.getI32Type(), int64_t(getMode(op.getMode())));
  Value result =
      callBack(offsetof(rt::SimCalls, shuffle), i64,
               {value, op.getOffset(), op.getWidth(), mode}, kShuffleCall)
          .getResult();
  Value valid = LLVM::LoadOp::create(
      b, loc, b.getI32Type(),
      at(argument(ThreadArg), offsetof(rt::SimThread, valid)), 4);
  if (bits != i64)
    result = arith::TruncIOp::create(b, loc, bits, result);
  if (type != bits)
    result = arith::BitcastOp::create(b, loc, type, result);
  op.getShuffleResult().replaceAllUsesWith(result);
  op.getValid().replaceAllUsesWith(
      arith::TruncIOp::create(b, loc, b.getI1Type(), valid));
  op.erase();
  return success();
}

/// Replaces an atomic op by a load and a store. Together these are atomic in
/// the simulator: fibers switch only in callbacks, and a kernel with atomics
/// runs its blocks one by one. Their locations mark them as atomic.
void KernelConverter::atomicRMW(memref::AtomicRMWOp op) {
  Value old = memref::LoadOp::create(b, loc, op.getMemref(), op.getIndices());
  Value value = op.getValue(), updated;
  if (op.getKind() == arith::AtomicRMWKind::assign)
    updated = value;
  else
    updated = arith::getReductionOp(op.getKind(), b, loc, old, value);
  memref::StoreOp::create(b, loc, updated, op.getMemref(), op.getIndices());
  op.replaceAllUsesWith(old);
  op.erase();
}

void KernelConverter::genericAtomicRMW(memref::GenericAtomicRMWOp op) {
  Value old = memref::LoadOp::create(b, loc, op.getMemref(), op.getIndices());
  Block &body = op.getRegion().front();
  auto yield = cast<memref::AtomicYieldOp>(body.getTerminator());
  body.getArgument(0).replaceAllUsesWith(old);
  Value updated = yield.getResult();
  yield.erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  memref::StoreOp::create(b, loc, updated, op.getMemref(), op.getIndices());
  op.replaceAllUsesWith(old);
  op.erase();
}

LogicalResult KernelConverter::convertOps() {
  SmallVector<Operation *> ops;
  host.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    b.setInsertionPoint(op);
    loc = op->getLoc();
    if (failed(convertOp(op)))
      return failure();
  }
  return success();
}

LogicalResult KernelConverter::convertOp(Operation *op) {
  auto replace = [&](Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return success();
  };
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return replace(id.getDimension() == gpu::Dimension::x ? threadId()
                                                          : index(0));
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return replace(id.getDimension() == gpu::Dimension::x ? blockId()
                                                          : index(0));
  if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    return replace(
        index(dim.getDimension() == gpu::Dimension::x ? blockSize : 1));
  if (isa<gpu::SubgroupSizeOp>(op))
    return replace(index(subgroupSize));
  if (isa<gpu::LaneIdOp>(op))
    return replace(
        arith::RemUIOp::create(b, loc, threadId(), index(subgroupSize)));
  if (isa<gpu::SubgroupIdOp>(op))
    return replace(
        arith::DivUIOp::create(b, loc, threadId(), index(subgroupSize)));
  if (auto space = dyn_cast<memref::MemorySpaceCastOp>(op))
    return replace(space.getSource());
  if (isa<gpu::BarrierOp>(op)) {
    callBack(offsetof(rt::SimCalls, barrier),
             LLVM::LLVMVoidType::get(op->getContext()), {}, kBarrierCall);
    op->erase();
    return success();
  }
  if (auto shuffled = dyn_cast<gpu::ShuffleOp>(op))
    return shuffle(shuffled);
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    return atomicRMW(atomic), success();
  if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op))
    return genericAtomicRMW(atomic), success();
  if (isa<gpu::ReturnOp>(op)) {
    func::ReturnOp::create(b, loc);
    op->erase();
    return success();
  }
  if (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()))
    return op->emitOpError("cannot be simulated");
  return success();
}

struct ConvertSimtToHost : impl::ConvertSimtToHostPassBase<ConvertSimtToHost> {
  using Base::Base;
  void runOnOperation() override {
    nameAccesses(getOperation());
    if (failed(expandTiles(getOperation(), matrixUnit)))
      return signalPassFailure();
    expandElementInstructions(getOperation());
    for (auto gpuModule :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(convertModule(gpuModule)))
        return signalPassFailure();
  }

  LogicalResult convertModule(gpu::GPUModuleOp gpuModule) {
    OpBuilder b(gpuModule);
    auto hostModule =
        ModuleOp::create(b, gpuModule.getLoc(), gpuModule.getName());
    b.setInsertionPointToEnd(hostModule.getBody());
    for (Operation &op : llvm::make_early_inc_range(*gpuModule.getBody())) {
      if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op)) {
        if (failed(KernelConverter(kernel, b, subgroupSize)
                       .convert(sharedMemoryBytes, maxSharedMemoryBytes)))
          return failure();
        continue;
      }
      op.moveBefore(hostModule.getBody(), hostModule.getBody()->end());
    }
    gpuModule.erase();
    return success();
  }
};

} // namespace
} // namespace tensorc::codegen
