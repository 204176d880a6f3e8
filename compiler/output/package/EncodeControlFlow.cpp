//===- EncodeControlFlow.cpp - encodes scf ops as jumps -------------------===//
#include "compiler/output/package/FunctionEncoder.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

size_t FunctionEncoder::jump(Operation *at, Op op,
                             ArrayRef<uint32_t> condition) {
  Words words(condition.begin(), condition.end());
  words.push_back(0);
  (void)emit(at, op, words);
  return result.code.size() - 1;
}

void FunctionEncoder::moveOne(Operation *at, uint32_t to, uint32_t from,
                              Type type) {
  if (to != from)
    (void)emit(at, isa<txp::BufferType>(type) ? Op::MoveBuffer : Op::Move,
               {to, from});
}

/// Emits a parallel move: a source may also be a target, as in a loop that
/// swaps values.
void FunctionEncoder::move(Operation *at, ArrayRef<uint32_t> to,
                           ValueRange from) {
  Words sources;
  append(sources, from);
  for (auto [i, value] : llvm::enumerate(from)) {
    // True if the source is overwritten before it is read.
    bool clobbered = false;
    for (size_t k = 0; k < i; ++k)
      clobbered |= to[k] == sources[i] && sources[k] != to[k] &&
                   isa<txp::BufferType>(from[k].getType()) ==
                       isa<txp::BufferType>(value.getType());
    if (clobbered) {
      uint32_t copy = newRegister(value.getType());
      moveOne(at, copy, sources[i], value.getType());
      sources[i] = copy;
    }
  }
  for (auto [target, source, value] : llvm::zip(to, sources, from))
    moveOne(at, target, source, value.getType());
}

LogicalResult FunctionEncoder::ifOp(scf::IfOp op) {
  Words results;
  for (Value value : op.getResults())
    results.push_back(define(value));
  size_t toElse = jump(op, Op::JumpIfZero, {use(op.getCondition())});
  if (failed(block(*op.thenBlock())))
    return failure();
  move(op, results, op.thenYield().getOperands());
  if (!op.elseBlock()) {
    landHere(toElse);
    return success();
  }
  size_t toEnd = jump(op, Op::Jump, {});
  landHere(toElse);
  if (failed(block(*op.elseBlock())))
    return failure();
  move(op, results, op.elseYield().getOperands());
  landHere(toEnd);
  return success();
}

LogicalResult FunctionEncoder::whileOp(scf::WhileOp op) {
  Words before, after, results;
  for (BlockArgument argument : op.getBeforeArguments())
    before.push_back(define(argument));
  for (BlockArgument argument : op.getAfterArguments())
    after.push_back(define(argument));
  for (Value value : op.getResults())
    results.push_back(define(value));
  move(op, before, op.getInits());
  uint32_t head = here();
  if (failed(block(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  size_t toEnd = jump(op, Op::JumpIfZero, {use(condition.getCondition())});
  move(op, after, condition.getArgs());
  if (failed(block(*op.getAfterBody())))
    return failure();
  move(op, before, op.getYieldOp().getOperands());
  (void)emit(op, Op::Jump, {head});
  landHere(toEnd);
  move(op, results, condition.getArgs());
  return success();
}

LogicalResult FunctionEncoder::forOp(scf::ForOp op) {
  Words carried;
  for (BlockArgument argument : op.getRegionIterArgs())
    carried.push_back(define(argument));
  // At the end of the loop, its results are in the registers of the carried
  // values.
  for (auto [value, index] : llvm::zip(op.getResults(), carried))
    registers[value] = index;
  move(op, carried, op.getInitArgs());
  uint32_t index = define(op.getInductionVar()), goOn = result.words++;
  moveOne(op, index, use(op.getLowerBound()), op.getInductionVar().getType());
  uint32_t head = here();
  (void)emit(op, op.getUnsignedCmp() ? Op::LessUnsigned : Op::LessSigned,
             {goOn, index, use(op.getUpperBound())});
  size_t toEnd = jump(op, Op::JumpIfZero, {goOn});
  if (failed(block(*op.getBody())))
    return failure();
  move(op, carried, op.getYieldedValues());
  (void)emit(op, Op::Add, {index, index, use(op.getStep())});
  (void)emit(op, Op::Jump, {head});
  landHere(toEnd);
  return success();
}
