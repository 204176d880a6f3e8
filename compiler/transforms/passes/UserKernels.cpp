//===- UserKernels.cpp - Kernels written by the user ----------------------===//
//
// gpu.module @mine {
//   gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
//     %i = gpu.thread_id y
//     %b = gpu.block_id y
// and a call with a grid of two dims and blocks of [16, 8] becomes
// gpu.module @kernels {
//   gpu.func @k(%x: memref<?xf32> {llvm.noalias}, ..., %gx: index, %gy: index)
//       kernel attributes {known_block_size = array<i32: 128, 1, 1>, ...} {
//     %t = gpu.thread_id x      %i = (%t / 16) mod 8
//     %u = gpu.block_id x       %b = (%u / %gx) mod %gy
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/UserKernels.h"

#include "codegen/kernel/WorkgroupMemory.h"
#include "codegen/targets/Target.h"
#include "compiler/transforms/passes/program/UniformFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/IR/Intrinsics.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {

/// Rewrites one function for a one-dimensional launch.
class LaunchFlattener {
public:
  LaunchFlattener(gpu::GPUFuncOp function, ArrayRef<int32_t> sizes,
                  unsigned gridDims, unsigned subgroup)
      : function(function), gridDims(gridDims), subgroup(subgroup),
        b(function.getLoc(), function.getContext()) {
    llvm::copy(sizes, block);
  }
  LogicalResult run();

  bool takesGrid = false;

private:
  void addGridArguments();
  FailureOr<Value> replacement(Operation *op);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value divide(Value x, Value y) { return arith::DivUIOp::create(b, x, y); }
  Value modulo(Value x, Value y) { return arith::RemUIOp::create(b, x, y); }
  Value thread(gpu::Dimension dim);
  Value blockId(gpu::Dimension dim);

  gpu::GPUFuncOp function;
  unsigned gridDims, subgroup;
  ImplicitLocOpBuilder b;
  int32_t block[3] = {1, 1, 1};
  Value grid[2];
};

/// True if the op depends on the sizes of the grid: it reads a grid dim, or the
/// block's index in a grid of several dims.
bool needsGrid(Operation *op, unsigned gridDims) {
  if (auto dims = dyn_cast<gpu::GridDimOp>(op))
    return true;
  return gridDims > 1 && isa<gpu::BlockIdOp, gpu::GlobalIdOp>(op);
}

void LaunchFlattener::addGridArguments() {
  function.walk([&](Operation *op) { takesGrid |= needsGrid(op, gridDims); });
  if (!takesGrid)
    return;
  for (Value &size : grid) {
    unsigned end = function.getNumArguments();
    (void)function.insertArgument(end, b.getIndexType(), DictionaryAttr(),
                                  function.getLoc());
    size = function.getArgument(end);
  }
}

Value LaunchFlattener::thread(gpu::Dimension dim) {
  auto d = static_cast<unsigned>(dim);
  if (block[d] == 1)
    return constant(0);
  Value id = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  int64_t below = 1, above = 1;
  for (unsigned i = 0; i < 3; ++i)
    (i < d ? below : above) *= i == d ? 1 : block[i];
  if (below != 1)
    id = divide(id, constant(below));
  return above != 1 ? modulo(id, constant(block[d])) : id;
}

Value LaunchFlattener::blockId(gpu::Dimension dim) {
  auto d = static_cast<unsigned>(dim);
  if (d >= gridDims)
    return constant(0);
  Value id = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  for (unsigned i = 0; i < d; ++i)
    id = divide(id, grid[i]);
  return d + 1 < gridDims ? modulo(id, grid[d]) : id;
}

/// Returns the replacement of an op, or null if the op is kept.
FailureOr<Value> LaunchFlattener::replacement(Operation *op) {
  auto dim = [](auto op) { return op.getDimension(); };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return thread(dim(id));
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return blockId(dim(id));
  if (auto size = dyn_cast<gpu::BlockDimOp>(op))
    return constant(block[static_cast<unsigned>(dim(size))]);
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op)) {
    Value size = constant(block[static_cast<unsigned>(dim(id))]);
    Value first = arith::MulIOp::create(b, blockId(dim(id)), size);
    return Value(arith::AddIOp::create(b, first, thread(dim(id))));
  }
  if (auto size = dyn_cast<gpu::GridDimOp>(op)) {
    if (dim(size) == gpu::Dimension::z)
      return op->emitOpError("along z is not known to a kernel: pass it as a "
                             "scalar"),
             failure();
    return grid[static_cast<unsigned>(dim(size))];
  }
  if (isa<gpu::SubgroupSizeOp>(op))
    return constant(subgroup);
  if (isa<gpu::LaneIdOp, gpu::SubgroupIdOp>(op)) {
    Value id = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    Value size = constant(subgroup);
    return isa<gpu::LaneIdOp>(op) ? modulo(id, size) : divide(id, size);
  }
  return Value();
}

LogicalResult LaunchFlattener::run() {
  addGridArguments();
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    b.setInsertionPoint(op);
    b.setLoc(op->getLoc());
    FailureOr<Value> value = replacement(op);
    if (failed(value))
      return failure();
    if (!*value)
      continue;
    op->replaceAllUsesWith(ValueRange(*value));
    op->erase();
  }
  int32_t threads = block[0] * block[1] * block[2];
  function->setAttr("known_block_size",
                    b.getDenseI32ArrayAttr({threads, 1, 1}));
  function->removeAttr("known_grid_size");
  return success();
}

/// True if the element types match. Signedness belongs to the ops, not to
/// memory.
bool sameElement(Type memory, Type tensor) {
  auto a = dyn_cast<IntegerType>(memory), b = dyn_cast<IntegerType>(tensor);
  return a && b ? a.getWidth() == b.getWidth() : memory == tensor;
}

/// Checks the kernel's arguments: buffers of inputs, then of outputs, then
/// scalars.
LogicalResult checkArguments(tx::KernelCallOp call, gpu::GPUFuncOp function) {
  SmallVector<Type> tensors(call.getInputs().getTypes());
  llvm::append_range(tensors, call.getOutputs().getTypes());
  unsigned scalars =
      call.getScalars() ? call.getScalars()->getDims().size() : 0;
  auto refuse = [&]() {
    return call.emitError() << call.getKernel() << ": the kernel ";
  };
  if (function.getNumArguments() != tensors.size() + scalars)
    return refuse() << "takes " << function.getNumArguments()
                    << " arguments, the call gives " << call.getInputs().size()
                    << " inputs, " << call.getOutputs().size()
                    << " outputs and " << scalars << " scalars";
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (i >= tensors.size()) {
      if (!type.isSignlessInteger() && !type.isIndex())
        return refuse() << "takes " << type << " as argument " << i
                        << ", the call gives an integer";
      continue;
    }
    auto memref = dyn_cast<MemRefType>(type);
    Type element = cast<RankedTensorType>(tensors[i]).getElementType();
    if (!memref || !sameElement(memref.getElementType(), element))
      return refuse() << "takes " << type << " as argument " << i
                      << ", the call gives a buffer of " << element;
    bool isBare = memref.getLayout().isIdentity() && !memref.getMemorySpace();
    if (!isBare || (!memref.hasStaticShape() && memref.getRank() != 1))
      return refuse() << "takes " << type << " as argument " << i
                      << "; a buffer has one dim, or a static shape";
  }
  return success();
}

/// Reports an error for ops that LLVM cannot lower, because it would abort the
/// process.
LogicalResult checkBody(gpu::GPUFuncOp function, StringRef target) {
  const codegen::Target &code = llvm::cantFail(codegen::findTarget(target));
  auto isScalable = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.isScalable();
  };
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (llvm::any_of(op->getResultTypes(), isScalable) ||
        llvm::any_of(op->getOperandTypes(), isScalable))
      return op->emitError("a vector of scalable size: no GPU has them");
    if (isa<LLVM::InlineAsmOp>(op) && !code.supportsInlineAssembly())
      return op->emitError("inline assembly is for ")
             << codegen::listKindsWithAssembly() << " targets, not for "
             << target;
    auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
    if (!call)
      return WalkResult::advance();
    StringRef name = call.getIntrin();
    StringRef processor = name.split('.').second.split('.').first;
    if (processor != code.getIntrinsicPrefix() &&
        llvm::Intrinsic::isTargetIntrinsic(
            llvm::Intrinsic::lookupIntrinsicID(name)))
      return op->emitError("an intrinsic that ") << target << " does not have";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Without shuffle instructions, the threads of a block exchange words through
/// workgroup memory, with barriers that all of them must reach.
LogicalResult checkShuffles(gpu::GPUFuncOp function, StringRef target) {
  UniformFlow flow(function);
  WalkResult result = function.walk([&](gpu::ShuffleOp op) -> WalkResult {
    Operation *around = flow.divergenceAround(op);
    if (!around)
      return WalkResult::advance();
    InFlightDiagnostic error =
        op.emitError(function.getName())
        << ": some threads of a block may skip this gpu.shuffle; on " << target
        << " shuffles go through workgroup memory, and all threads must "
           "execute them";
    error.attachNote(around->getLoc())
        << "what it depends on here differs between threads or was read from "
           "memory; move the shuffle out";
    return error;
  });
  return failure(result.wasInterrupted());
}

} // namespace

FailureOr<gpu::GPUFuncOp> UserKernels::find(tx::KernelCallOp call) {
  auto refuse = [&]() {
    return call.emitError() << call.getKernel() << ": the kernel ";
  };
  Operation *symbol = module.lookupSymbol(call.getKernel());
  auto list = dyn_cast_or_null<gpu::GPUModuleOp>(symbol);
  if (!list || symbol == kernels)
    return refuse() << (symbol ? "is not a gpu.module" : "is not defined"),
           failure();
  if (!target.isSimt())
    return refuse() << "is for GPUs, not for " << target.getName(), failure();
  if (call.getShared())
    return refuse() << "declares its shared memory as workgroup memory: shared "
                       "is for "
                    << rt::listKernelLanguages(),
           failure();
  gpu::GPUFuncOp function;
  for (Operation &op : *list.getBody()) {
    auto next = dyn_cast<gpu::GPUFuncOp>(op);
    if (!next || !next.isKernel() || function)
      return op.emitError() << call.getKernel()
                            << ": its gpu.module holds more than one gpu.func "
                               "... kernel",
             failure();
    function = next;
  }
  if (!function)
    return refuse() << "has no gpu.func ... kernel", failure();
  return function;
}

FailureOr<UserKernel> UserKernels::get(tx::KernelCallOp call) {
  FailureOr<gpu::GPUFuncOp> found = find(call);
  if (failed(found))
    return failure();
  SmallVector<int32_t, 3> block;
  if (auto size = found->getKnownBlockSize())
    block.assign(size->begin(), size->end());
  if (call.getBlock()) {
    SmallVector<int32_t, 3> given(*call.getBlock());
    given.resize(3, 1);
    if (!block.empty() && block != given)
      return found->emitOpError("has another known_block_size than its call"),
             failure();
    block = given;
  }
  if (block.empty())
    return call.emitError()
               << call.getKernel()
               << ": needs a block: neither the call nor known_block_size "
                  "says how many threads",
           failure();
  unsigned gridDims = call.getGrid().getDims().size();
  if (failed(checkArguments(call, *found)) ||
      failed(checkBody(*found, target.getName())))
    return failure();
  if (!target.hasShuffles() && failed(checkShuffles(*found, target.getName())))
    return failure();
  for (const Known &other : known)
    if (other.symbol == found->getOperation() && other.block == block &&
        other.gridDims == gridDims)
      return other.kernel;
  auto b = OpBuilder::atBlockEnd(&kernels->getRegion(0).front());
  auto copy = cast<gpu::GPUFuncOp>(b.clone(**found));
  SymbolTable(kernels).insert(copy);
  copy->setAttr("txk.kernel", b.getUnitAttr());
  unsigned buffers = call.getNumOperands() + call.getNumResults();
  for (unsigned i = 0; i < buffers; ++i)
    copy.setArgAttr(i, "llvm.noalias", b.getUnitAttr());
  LaunchFlattener flattener(copy, block, gridDims, target.getSubgroupSize());
  if (failed(flattener.run()))
    return failure();
  if (failed(codegen::placeWorkgroupMemory(copy, target)))
    return failure();
  UserKernel kernel{copy, unsigned(block[0] * block[1] * block[2]),
                    unsigned(codegen::getDynamicShared(copy)),
                    flattener.takesGrid};
  known.push_back({found->getOperation(), block, gridDims, kernel});
  return kernel;
}

void UserKernels::finish() {
  for (auto list :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    if (list != kernels)
      list.erase();
}

} // namespace tensorc::compiler
