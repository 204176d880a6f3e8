//===- EmitControl.cpp - Branches and loops of a host program -------------===//

#include "compiler/transforms/passes/program/ProgramEmitter.h"

#include "ir/program/Txp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::compiler {

/// Reads an i1 or signed integer of one element on the host, which waits for
/// the value.
Value ProgramEmitter::readWord(Value element) {
  Value word = values[element];
  Type type = getElementTypeOrSelf(element.getType());
  if (isa<txp::BufferType>(word.getType()))
    return txp::ReadScalarOp::create(b, b.getI64Type(), word, sizes.word(0),
                                     type);
  // Only the low bytes of a scalar are significant.
  if (type.isInteger(1))
    return arith::AndIOp::create(b, word, sizes.word(0xff));
  Value unused = sizes.word(64 - type.getIntOrFloatBitWidth());
  return arith::ShRSIOp::create(b, arith::ShLIOp::create(b, word, unused),
                                unused);
}

Value ProgramEmitter::readPredicate(Value predicate) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, readWord(predicate),
                               sizes.word(0));
}

/// Emits the ops of a block at the end of another one, and returns its results.
FailureOr<SmallVector<Value>> ProgramEmitter::emitBody(Block &from, Block &to,
                                                       ValueRange arguments) {
  for (auto [argument, value] : llvm::zip_equal(from.getArguments(), arguments))
    values[argument] = value;
  b.setInsertionPointToEnd(&to);
  if (failed(emitBlock(from)))
    return failure();
  b.setLoc(from.getTerminator()->getLoc());
  return llvm::map_to_vector(from.getTerminator()->getOperands(),
                             [&](Value v) { return values[v]; });
}

/// Emits a binary search for the chosen block among `bodies`, and returns its
/// results. `isBelow(i)` tests whether the number of the chosen block is less
/// than i.
FailureOr<SmallVector<Value>>
ProgramEmitter::emitChoice(MutableArrayRef<Region> bodies, ValueRange inputs,
                           llvm::function_ref<Value(unsigned)> isBelow) {
  if (bodies.size() == 1)
    return emitBody(bodies[0].front(), *b.getInsertionBlock(), inputs);
  size_t half = bodies.size() / 2;
  SmallVector<Type> types(bodies[0].getParentOp()->getNumResults(),
                          bufferType());
  auto choice =
      scf::IfOp::create(b, types, isBelow(bodies[half].getRegionNumber()),
                        /*withElseRegion=*/true);
  std::pair<Block *, MutableArrayRef<Region>> sides[] = {
      {choice.thenBlock(), bodies.take_front(half)},
      {choice.elseBlock(), bodies.drop_front(half)}};
  for (auto [block, part] : sides) {
    OpBuilder::InsertionGuard guard(b);
    block->clear();
    b.setInsertionPointToEnd(block);
    auto yielded = emitChoice(part, inputs, isBelow);
    if (failed(yielded))
      return failure();
    scf::YieldOp::create(b, *yielded);
  }
  return llvm::to_vector_of<Value>(choice.getResults());
}

LogicalResult ProgramEmitter::emitBranch(Operation *branch) {
  Value selector = branch->getOperand(0);
  auto inputs = llvm::map_to_vector(branch->getOperands().drop_front(),
                                    [&](Value v) { return values[v]; });
  Value word =
      isa<tx::IfOp>(branch) ? readPredicate(selector) : readWord(selector);
  auto isBelow = [&](unsigned number) -> Value {
    if (isa<tx::IfOp>(branch))
      return word;
    return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, word,
                                 sizes.word(number));
  };
  auto chosen = emitChoice(branch->getRegions(), inputs, isBelow);
  if (failed(chosen))
    return failure();
  for (auto [result, buffer] : llvm::zip_equal(branch->getResults(), *chosen))
    values[result] = buffer;
  return success();
}

/// Each iteration allocates new buffers and frees those of the previous one.
LogicalResult ProgramEmitter::emitWhile(tx::WhileOp loop) {
  auto inputs =
      llvm::map_to_vector(loop.getInputs(), [&](Value v) { return values[v]; });
  size_t carried = loop->getNumResults();
  SmallVector<Type> types(carried, bufferType());
  SmallVector<Location> locations(carried, loop.getLoc());
  auto op =
      scf::WhileOp::create(b, types, ArrayRef(inputs).take_front(carried));
  OpBuilder::InsertionGuard guard(b);
  auto with = [&](Block &block) {
    SmallVector<Value> all(block.getArguments());
    llvm::append_range(all, ArrayRef(inputs).drop_front(carried));
    return all;
  };
  Block *before = b.createBlock(&op.getBefore(), {}, types, locations);
  auto goesOn = emitBody(loop.getCondition().front(), *before, with(*before));
  if (failed(goesOn))
    return failure();
  Value predicate = loop.getCondition().front().getTerminator()->getOperand(0);
  scf::ConditionOp::create(b, readPredicate(predicate), before->getArguments());
  Block *after = b.createBlock(&op.getAfter(), {}, types, locations);
  auto next = emitBody(loop.getBody().front(), *after, with(*after));
  if (failed(next))
    return failure();
  scf::YieldOp::create(b, *next);
  for (auto [result, buffer] : llvm::zip(loop.getResults(), op.getResults()))
    values[result] = buffer;
  return success();
}

/// Buffer alignment on which kernels rely. Slices whose size is not a multiple
/// of it are copied.
static constexpr int64_t partAlignment = 64;

static bool isAligned(Type part) {
  return shape::divides(partAlignment,
                        tx::bytesOf(cast<RankedTensorType>(part))) == true;
}

Value ProgramEmitter::viewPart(Value whole, Value index, Value bytes) {
  return txp::ViewOp::create(b, bufferType(), whole,
                             arith::MulIOp::create(b, index, bytes), bytes);
}

Value ProgramEmitter::readPart(Value whole, Value index, Type part,
                               Value bytes) {
  Value view = viewPart(whole, index, bytes);
  if (isAligned(part))
    return view;
  Value copy = txp::AllocOp::create(b, bufferType(), bytes);
  txp::CopyOp::create(b, view, copy, 0);
  return copy;
}

/// Lets the kernel that computes a slice write the slice directly into the
/// stacked result if nothing else uses it; otherwise copies the slice.
void ProgramEmitter::storePart(Value part, Value whole, Value index, Type type,
                               Value bytes, bool isShared) {
  auto alloc = part.getDefiningOp<txp::AllocOp>();
  if (isShared || !isAligned(type) || !alloc ||
      alloc->getBlock() != b.getInsertionBlock()) {
    txp::CopyOp::create(b, part, viewPart(whole, index, bytes), 0);
    return;
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(alloc);
  alloc.getBuffer().replaceAllUsesWith(viewPart(whole, index, bytes));
  alloc.erase();
}

LogicalResult ProgramEmitter::emitScan(tx::ScanOp loop) {
  auto inputs =
      llvm::map_to_vector(loop.getInputs(), [&](Value v) { return values[v]; });
  size_t carried = loop.getCarried(), scanned = loop.getScanned();
  Block &body = loop.getBody().front();
  auto parts = llvm::to_vector(body.getArguments().slice(1 + carried, scanned));
  OperandRange made = body.getTerminator()->getOperands().drop_front(carried);
  auto bytesOf = [&](Value v) { return sizes.bytesOf(v.getType()); };
  // The stacked results, allocated before the loop.
  SmallVector<Value> stacked =
      llvm::map_to_vector(loop->getResults().drop_front(carried), [&](Value v) {
        return Value(txp::AllocOp::create(b, bufferType(), bytesOf(v)));
      });
  SmallVector<Value> readBytes = llvm::map_to_vector(parts, bytesOf),
                     madeBytes = llvm::map_to_vector(made, bytesOf);
  Value length = sizes.value(loop.lengthDim());
  auto op = scf::ForOp::create(b, sizes.word(0), length, sizes.word(1),
                               ArrayRef(inputs).take_front(carried));
  OpBuilder::InsertionGuard guard(b);
  Block &block = *op.getBody();
  block.clear();
  b.setInsertionPointToEnd(&block);
  Value index = op.getInductionVar();
  if (loop.getReverse())
    index = arith::SubIOp::create(
        b, arith::SubIOp::create(b, length, sizes.word(1)), index);
  SmallVector<Value> arguments{index};
  llvm::append_range(arguments, op.getRegionIterArgs());
  for (auto [input, part, bytes] : llvm::zip_equal(
           ArrayRef(inputs).slice(carried, scanned), parts, readBytes))
    arguments.push_back(readPart(input, index, part.getType(), bytes));
  llvm::append_range(arguments, ArrayRef(inputs).drop_front(carried + scanned));
  auto next = emitBody(body, block, arguments);
  if (failed(next))
    return failure();
  for (auto [i, part] : llvm::enumerate(ArrayRef(*next).drop_front(carried)))
    storePart(part, stacked[i], index, made[i].getType(), madeBytes[i],
              /*isShared=*/llvm::count(*next, part) > 1);
  scf::YieldOp::create(b, ArrayRef(*next).take_front(carried));
  for (auto [i, result] : llvm::enumerate(loop.getResults()))
    values[result] =
        i < carried ? Value(op.getResult(i)) : stacked[i - carried];
  return success();
}

} // namespace tensorc::compiler
