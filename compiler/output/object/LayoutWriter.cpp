//===- LayoutWriter.cpp - the layout of the workspace ---------------------===//
//
// An object allocates nothing, so the size of the workspace must follow from
// the dims. Each txp.alloc gets a slot, in program order; a buffer that a loop
// may carry between iterations gets several. Threads' scratch comes last, sized
// for the launch that needs the most.
//
//===----------------------------------------------------------------------===//
#include "compiler/output/object/ProgramLowering.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

txp::FuncOp compiler::calleeOf(txp::CallOp op) {
  return SymbolTable::lookupNearestSymbolFrom<txp::FuncOp>(op,
                                                           op.getCalleeAttr());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> compiler::buffersCarriedAround(Operation *op,
                                                  const CallStack &calls) {
  SmallVector<Value> buffers;
  auto around = [&](Operation *op) {
    for (Region *region = op->getParentRegion(); region;
         region = region->getParentRegion()) {
      if (isa<txp::FuncOp>(region->getParentOp()))
        return;
      for (BlockArgument argument : region->getArguments())
        if (isa<txp::BufferType>(argument.getType()))
          buffers.push_back(argument);
    }
  };
  around(op);
  for (txp::CallOp call : llvm::reverse(calls))
    around(call);
  return buffers;
}

/// True if a buffer may outlive the loop iteration that allocated it. A buffer
/// that a called function returns is assumed to.
static bool outlivesIteration(Value buffer) {
  SmallVector<Value> work = {buffer};
  DenseSet<Value> seen;
  auto push = [&](ValueRange values) {
    for (Value value : values)
      if (isa<txp::BufferType>(value.getType()))
        work.push_back(value);
  };
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      if (isa<txp::ReturnOp, scf::ConditionOp>(user))
        return true;
      if (isa<scf::YieldOp>(user)) {
        if (!isa<scf::IfOp>(user->getParentOp()))
          return true;
        push(user->getParentOp()->getResults());
      }
      if (isa<txp::ViewOp, txp::CallOp, arith::SelectOp>(user) ||
          user->getNumRegions())
        push(user->getResults());
      for (Region &region : user->getRegions())
        for (BlockArgument argument : region.getArguments())
          push(argument);
    }
  }
  return false;
}

unsigned compiler::copiesOf(txp::AllocOp op, const CallStack &calls) {
  SmallVector<Value> carried = buffersCarriedAround(op, calls);
  if (carried.empty() || !outlivesIteration(op.getBuffer()))
    return 1;
  return 1 + carried.size();
}

//===----------------------------------------------------------------------===//
// Sizes before the run
//===----------------------------------------------------------------------===//

Value LayoutWriter::computeSize(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!isa<txp::FuncOp>(argument.getOwner()->getParentOp()))
      return Value();
    unsigned number = argument.getArgNumber();
    if (path.empty()) {
      unsigned field = signature.argumentFields[number];
      for (auto [i, dim] : llvm::enumerate(signature.dimFields))
        if (dim == field)
          return dims[i];
      return Value();
    }
    txp::CallOp call = path.pop_back_val();
    llvm::SaveAndRestore saved(sizes, decltype(sizes)());
    Value size = sizeOf(call.getArgs()[number]);
    path.push_back(call);
    return size;
  }
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<txp::DimOp>(op)) {
    unsigned number = cast<BlockArgument>(dim.getBuffer()).getArgNumber();
    return evaluate(signature.argumentDims[number][dim.getIndex()]);
  }
  if (auto call = dyn_cast<txp::CallOp>(op)) {
    auto ret =
        cast<txp::ReturnOp>(calleeOf(call).getBody().front().getTerminator());
    llvm::SaveAndRestore saved(sizes, decltype(sizes)());
    path.push_back(call);
    Value size =
        sizeOf(ret.getResults()[cast<OpResult>(value).getResultNumber()]);
    path.pop_back();
    return size;
  }
  if (op->getName().getDialectNamespace() != "arith")
    return Value();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(sizeOf(operand));
    if (!operands.back())
      return Value();
  }
  return arithmetic(*op, operands);
}

Value LayoutWriter::sizeOf(Value value) {
  if (Value known = sizes.lookup(value))
    return known;
  Value size = computeSize(value);
  if (size)
    sizes[value] = size;
  return size;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

std::optional<unsigned> LayoutWriter::resultOf(txp::AllocOp op,
                                               const CallStack &calls) const {
  if (!calls.empty() || !isa<txp::FuncOp>(op->getParentOp()))
    return std::nullopt;
  auto ret = cast<txp::ReturnOp>(op->getBlock()->getTerminator());
  for (auto [i, value] : llvm::enumerate(ret.getResults()))
    if (value == op.getBuffer())
      return i;
  return std::nullopt;
}

LogicalResult LayoutWriter::visitAlloc(txp::AllocOp op) {
  Value bytes = sizeOf(op.getBytes());
  std::optional<unsigned> result = resultOf(op, path);
  WorkspaceLayout::Slot slot{plan.total, bytes, Value(), copiesOf(op, path)};
  if (!bytes && !result)
    return op.emitOpError("has a size that only the run knows, but an object's "
                          "workspace is laid out before: use --emit=package");
  if (slot.copies > 63)
    return op.emitOpError("is in a loop that carries too many buffers");
  if (!bytes)
    slot.bytes = word(0);
  failIf(compare(Predicate::slt, slot.bytes, word(0)),
         "allocates a negative number of bytes");
  if (result && signature.isGiven(signature.resultDims[*result])) {
    // The result is computed in the caller's memory if that is large enough.
    Type type = signature.outputs[signature.resultFields[*result]].type;
    Value given = bytesOf(type, signature.resultDims[*result]);
    Value fits = compare(Predicate::sle, slot.bytes, given);
    slot.bytes = LLVM::SelectOp::create(b, fits, word(0), slot.bytes);
  } else if (result) {
    slot.bytes = word(0);
  }
  slot.stride = alignUp(slot.bytes, bufferAlignment);
  if (slot.copies > 1) // copies are distinguished by their addresses
    slot.stride = LLVM::SMaxOp::create(b, slot.stride, word(bufferAlignment));
  Value all = slot.copies == 1 ? slot.stride
                               : checkedMul(slot.stride, word(slot.copies));
  plan.total = checkedAdd(plan.total, all);
  plan.slots.push_back(slot);
  return success();
}

LogicalResult LayoutWriter::visitLaunch(txp::LaunchOp op) {
  if (!op.getScratch())
    return success();
  Value bytes = sizeOf(op.getScratch());
  if (!bytes)
    return op.emitOpError("has scratch whose size only the run knows, but an "
                          "object's workspace is laid out before: use "
                          "--emit=package");
  failIf(compare(Predicate::slt, bytes, word(0)),
         "allocates a negative number of bytes");
  Value stride = alignUp(bytes, scratchAlignment);
  scratch = scratch ? Value(LLVM::SMaxOp::create(b, scratch, stride)) : stride;
  return success();
}

LogicalResult LayoutWriter::visitCall(txp::CallOp op) {
  txp::FuncOp callee = calleeOf(op);
  for (txp::CallOp outer : path)
    if (calleeOf(outer) == callee)
      return op.emitOpError() << "calls " << op.getCalleeAttr()
                              << " from itself, which an object cannot do: "
                                 "use --emit=package";
  llvm::SaveAndRestore saved(sizes, decltype(sizes)());
  path.push_back(op);
  LogicalResult result = visit(callee.getBody().front());
  path.pop_back();
  return result;
}

LogicalResult LayoutWriter::visit(Block &block) {
  for (Operation &op : block) {
    LogicalResult result = success();
    if (auto alloc = dyn_cast<txp::AllocOp>(op))
      result = visitAlloc(alloc);
    else if (auto launch = dyn_cast<txp::LaunchOp>(op))
      result = visitLaunch(launch);
    else if (auto call = dyn_cast<txp::CallOp>(op))
      result = visitCall(call);
    if (failed(result))
      return failure();
    for (Region &region : op.getRegions())
      if (!region.empty() && failed(visit(region.front())))
        return failure();
  }
  return success();
}

FailureOr<WorkspaceLayout> LayoutWriter::layOut(Value threads) {
  plan.total = word(0);
  if (failed(visit(signature.func.getBody().front())))
    return failure();
  if (scratch) {
    plan.scratchOffset = plan.total;
    plan.total = checkedAdd(plan.total, checkedMul(scratch, threads));
  }
  return plan;
}
