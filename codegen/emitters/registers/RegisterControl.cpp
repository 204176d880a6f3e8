//===- RegisterControl.cpp - Blocks and loops on register values ----------===//
//
//   %y, %zs = tx.scan <[8]> carried = 1 scanned = 1 (%x, %us) { ... }
// within the block of another loop ->
//   %stacked = memref.alloca
//   %y = scf.for %i = 0 to 8 iter_args(%c = %x) {
//     %u = vector.load %us[%i * 4]
//     ...
//     vector.store %z, %stacked[%i * 4]
//     scf.yield %d
//   }
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/registers/RegisterBody.h"
#include "codegen/emitters/registers/RegisterCost.h"
#include "codegen/emitters/registers/RegisterMemory.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "ir/tx/structure/TxFusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen {

//===----------------------------------------------------------------------===//
// Values in registers and in memory
//===----------------------------------------------------------------------===//

Value RegisterBody::firstOf(const Memory &memory) {
  return memory.first ? memory.first
                      : Value(arith::ConstantIndexOp::create(b, 0));
}

RegisterValue RegisterBody::valueOf(Value v) {
  if (auto known = values.find(v); known != values.end())
    return known->second;
  Memory at = memory.lookup(v);
  return r.load(at.buffer, firstOf(at), elementsOf(v.getType()));
}

/// Allocates a buffer on the stack.
static Value allocate(ImplicitLocOpBuilder &b, int64_t count, Type element) {
  return memref::AllocaOp::create(b, MemRefType::get({count}, element));
}

/// Returns where the value is in memory. A value in registers is stored there.
RegisterBody::Memory RegisterBody::memoryOf(Value v) {
  if (Memory known = memory.lookup(v); known.buffer)
    return known;
  RegisterValue value = valueOf(v);
  Memory stored{allocate(b, value.count, value.element()), {}};
  r.store(value, stored.buffer, firstOf(stored));
  return stored;
}

/// Binds values to consecutive parts.
void RegisterBody::bind(ValueRange to, ValueRange parts) {
  for (Value v : to) {
    int64_t count = elementsOf(v.getType()), number = r.countParts(count);
    values[v] = {count, llvm::to_vector<4>(parts.take_front(number))};
    parts = parts.drop_front(number);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult RegisterBody::emitFusion(tx::FusionOp fusion) {
  Block &body = fusion.getBody().front();
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), fusion.getInputs())) {
    if (Memory known = memory.lookup(input); known.buffer)
      memory[argument] = known;
    else
      values[argument] = valueOf(input);
  }
  if (failed(emitOps(body, fusion.getOrderAttr())))
    return failure();
  for (auto [result, yielded] : llvm::zip_equal(
           fusion.getResults(), body.getTerminator()->getOperands()))
    values[result] = valueOf(yielded);
  return success();
}

/// Emits a block of a branch, and returns the parts of its results, followed by
/// the number of iterations if the branch contains a tx.while.
FailureOr<SmallVector<Value>> RegisterBody::emitSide(Operation *branch,
                                                     Block &side) {
  for (auto [argument, input] :
       llvm::zip_equal(side.getArguments(), branch->getOperands().drop_front()))
    values[argument] = valueOf(input);
  if (failed(emitOps(side, {})))
    return failure();
  SmallVector<Value> parts;
  for (Value result : side.getTerminator()->getOperands())
    llvm::append_range(parts, valueOf(result).parts);
  if (containsWhile(branch->getRegions()))
    parts.push_back(iterations.done);
  return parts;
}

/// Chooses among the blocks of a branch from block `first` on.
FailureOr<SmallVector<Value>>
RegisterBody::emitChoice(Operation *branch, unsigned first, TypeRange types) {
  MutableArrayRef<Region> regions = branch->getRegions();
  if (first + 1 == regions.size())
    return emitSide(branch, regions[first].front());
  Value selector = valueOf(branch->getOperand(0)).parts[0], isFirst = selector;
  if (isa<tx::SwitchOp>(branch))
    isFirst = arith::CmpIOp::create(
        b, arith::CmpIPredicate::slt, selector,
        arith::ConstantIntOp::create(b, selector.getType(), first + 1));
  auto choice = scf::IfOp::create(b, types, isFirst, /*withElseRegion=*/true);
  Value done = iterations.done;
  for (Block *to : {choice.thenBlock(), choice.elseBlock()}) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(to);
    iterations.done = done;
    auto parts = to == choice.thenBlock()
                     ? emitSide(branch, regions[first].front())
                     : emitChoice(branch, first + 1, types);
    if (failed(parts))
      return failure();
    scf::YieldOp::create(b, *parts);
  }
  iterations.done = done;
  return llvm::to_vector_of<Value>(choice.getResults());
}

LogicalResult RegisterBody::emitBranch(Operation *branch) {
  SmallVector<Type> types;
  for (Value result : branch->getResults())
    llvm::append_range(
        types, r.typesOf(elementsOf(result.getType()),
                         kernelType(getElementTypeOrSelf(result.getType()))));
  bool isCounted = containsWhile(branch->getRegions());
  if (isCounted)
    types.push_back(b.getI64Type());
  auto parts = emitChoice(branch, 0, types);
  if (failed(parts))
    return failure();
  bind(branch->getResults(), *parts);
  if (isCounted)
    iterations.done = parts->back();
  return success();
}

LogicalResult RegisterBody::emitOps(Block &block, tx::OrderAttr order) {
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    LogicalResult made = success();
    if (auto fusion = dyn_cast<tx::FusionOp>(op)) {
      made = emitFusion(fusion);
    } else if (tx::isBranch(&op)) {
      made = emitBranch(&op);
    } else if (isa<tx::ScanOp, tx::WhileOp>(op)) {
      made = emitNested(&op);
    } else {
      FailureOr<RegisterValue> value = compute(&op, order);
      made = value;
      if (succeeded(value))
        values[op.getResult(0)] = std::move(*value);
    }
    if (failed(made))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Binds the arguments for inputs `first` and following of a loop, which are
/// the same in each iteration.
void RegisterBody::bindInvariant(Operation *loop, size_t first) {
  for (size_t i = first; i < loop->getNumOperands(); ++i) {
    Value input = loop->getOperand(i);
    std::optional<RegisterValue> loaded;
    for (Region &region : loop->getRegions()) {
      Value argument = region.getArgument(argumentNumber(loop, i));
      if (argument.use_empty())
        continue;
      if (isInMemory(argument)) {
        memory[argument] = memoryOf(input);
        continue;
      }
      if (!loaded)
        loaded = valueOf(input);
      values[argument] = *loaded;
    }
  }
}

SmallVector<Value> RegisterBody::initialParts(Operation *loop, size_t carried) {
  SmallVector<Value> parts;
  ArrayRef<Value> buffers;
  if (auto known = initial.find(loop); known != initial.end())
    buffers = known->second;
  for (unsigned i = 0; i < carried; ++i) {
    Value input = loop->getOperand(i);
    RegisterValue value = buffers.empty()
                              ? valueOf(input)
                              : r.load(buffers[i], firstOf({buffers[i], {}}),
                                       elementsOf(input.getType()));
    llvm::append_range(parts, value.parts);
  }
  return parts;
}

RegisterBody::ScanMemory RegisterBody::prepare(tx::ScanOp scan) {
  size_t carried = scan.getCarried(), scanned = scan.getScanned();
  ScanMemory made;
  for (Value input : scan.getInputs().slice(carried, scanned))
    made.scanned.push_back(memoryOf(input));
  for (Value result : scan->getResults().drop_front(carried)) {
    Memory to = destinations.lookup(result);
    if (!to.buffer)
      to.buffer = allocate(b, elementsOf(result.getType()),
                           kernelType(getElementTypeOrSelf(result.getType())));
    made.stacked.push_back(to);
  }
  bindInvariant(scan, carried + scanned);
  return made;
}

FailureOr<SmallVector<Value>>
RegisterBody::emitStep(tx::ScanOp scan, const ScanMemory &scanMemory, Value at,
                       ValueRange carriedParts) {
  Block &block = scan.getBody().front();
  size_t carried = scan.getCarried();
  values[block.getArgument(0)] = {
      1, {arith::IndexCastOp::create(b, b.getI64Type(), at)}};
  ValueRange arguments = block.getArguments().drop_front();
  bind(arguments.take_front(carried), carriedParts);
  auto sliceOf = [&](const Memory &whole, Value slice) -> Memory {
    Value size = arith::ConstantIndexOp::create(b, elementsOf(slice.getType()));
    Value offset = b.createOrFold<arith::MulIOp>(at, size);
    if (whole.first)
      offset = b.createOrFold<arith::AddIOp>(whole.first, offset);
    return {whole.buffer, offset};
  };
  for (auto [i, whole] : llvm::enumerate(scanMemory.scanned)) {
    Value argument = arguments[carried + i];
    Memory slice = sliceOf(whole, argument);
    if (isInMemory(argument))
      memory[argument] = slice;
    else
      values[argument] =
          r.load(slice.buffer, slice.first, elementsOf(argument.getType()));
  }
  ValueRange results = block.getTerminator()->getOperands();
  auto isWritten = [&](Value result) {
    auto nested = dyn_cast<OpResult>(result);
    return nested && outerResult(nested);
  };
  for (auto [result, whole] :
       llvm::zip_equal(results.drop_front(carried), scanMemory.stacked))
    if (isWritten(result))
      destinations[result] = sliceOf(whole, result);
  if (failed(emitOps(block, {})))
    return failure();
  b.setLoc(scan.getLoc());
  for (auto [result, whole] :
       llvm::zip_equal(results.drop_front(carried), scanMemory.stacked)) {
    if (isWritten(result))
      continue;
    Memory slice = sliceOf(whole, result);
    r.store(valueOf(result), slice.buffer, slice.first);
  }
  SmallVector<Value> next;
  for (Value result : results.take_front(carried))
    llvm::append_range(next, valueOf(result).parts);
  return next;
}

FailureOr<scf::ForOp> RegisterBody::emitScan(tx::ScanOp scan, Value from,
                                             Value to, Value length) {
  size_t carried = scan.getCarried();
  SmallVector<Value> first = initialParts(scan, carried);
  ScanMemory scanMemory = prepare(scan);
  bool isCounted = containsWhile(scan->getRegions());
  if (isCounted)
    first.push_back(iterations.done);
  Value one = arith::ConstantIndexOp::create(b, 1), last;
  if (scan.getReverse())
    last = arith::SubIOp::create(b, length, one);
  auto loop = scf::ForOp::create(b, from, to, one, first);
  {
    OpBuilder::InsertionGuard guard(b);
    Block &block = *loop.getBody();
    block.clear();
    b.setInsertionPointToEnd(&block);
    ValueRange parts = loop.getRegionIterArgs();
    if (isCounted) {
      iterations.done = parts.back();
      parts = parts.drop_back();
    }
    Value at = loop.getInductionVar();
    if (last)
      at = arith::SubIOp::create(b, last, at);
    auto next = emitStep(scan, scanMemory, at, parts);
    if (failed(next))
      return failure();
    if (isCounted)
      next->push_back(iterations.done);
    scf::YieldOp::create(b, *next);
  }
  ValueRange parts = loop.getResults();
  if (isCounted)
    iterations.done = parts.back();
  bind(scan->getResults().take_front(carried), parts);
  for (auto [result, stacked] : llvm::zip_equal(
           scan->getResults().drop_front(carried), scanMemory.stacked)) {
    if (isInMemory(result))
      memory[result] = stacked;
    else if (!destinations.contains(result) && !result.use_empty())
      values[result] = r.load(stacked.buffer, firstOf(stacked),
                              elementsOf(result.getType()));
  }
  return loop;
}

FailureOr<scf::WhileOp> RegisterBody::emitWhile(tx::WhileOp loop,
                                                Finish finish) {
  size_t carried = loop->getNumResults();
  bindInvariant(loop, carried);
  SmallVector<Value> first = initialParts(loop, carried);
  first.push_back(iterations.done);
  auto made = scf::WhileOp::create(b, ValueRange(first).getTypes(), first);
  SmallVector<Location> locations(first.size(), loop.getLoc());
  {
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&made.getBefore(), {},
                                  ValueRange(first).getTypes(), locations);
    Block &condition = loop.getCondition().front();
    bind(ValueRange(condition.getArguments()).take_front(carried),
         before->getArguments().drop_back());
    if (failed(emitOps(condition, {})))
      return failure();
    b.setLoc(loop.getLoc());
    Value hasRoom =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                              before->getArguments().back(), iterations.max);
    Value goesOn = valueOf(condition.getTerminator()->getOperand(0)).parts[0];
    scf::ConditionOp::create(b, arith::AndIOp::create(b, hasRoom, goesOn),
                             before->getArguments());
    Block *after = b.createBlock(&made.getAfter(), {},
                                 ValueRange(first).getTypes(), locations);
    Block &body = loop.getBody().front();
    bind(ValueRange(body.getArguments()).take_front(carried),
         after->getArguments().drop_back());
    iterations.done = after->getArguments().back();
    if (failed(emitOps(body, {})))
      return failure();
    b.setLoc(loop.getLoc());
    SmallVector<Value> next;
    for (Value result : body.getTerminator()->getOperands())
      llvm::append_range(next, valueOf(result).parts);
    next.push_back(iterations.done);
    scf::YieldOp::create(b, finish(after->getArguments(), next));
  }
  iterations.done = made.getResults().back();
  bind(loop->getResults(), made.getResults());
  return made;
}

LogicalResult RegisterBody::emitNested(Operation *loop) {
  if (auto scan = dyn_cast<tx::ScanOp>(loop)) {
    Value from = arith::ConstantIndexOp::create(b, 0);
    Value to = arith::ConstantIndexOp::create(b, *scan.lengthDim().number());
    return emitScan(scan, from, to, to);
  }
  auto countOne = [&](ValueRange, ValueRange next) {
    SmallVector<Value> counted(next);
    Value one = arith::ConstantIntOp::create(b, b.getI64Type(), 1);
    counted.back() = arith::AddIOp::create(b, counted.back(), one);
    return counted;
  };
  return emitWhile(cast<tx::WhileOp>(loop), countOne);
}

} // namespace tensorc::codegen
