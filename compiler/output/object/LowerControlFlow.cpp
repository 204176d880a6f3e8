//===- LowerControlFlow.cpp - lowers scf ops to blocks --------------------===//
#include "compiler/output/object/ProgramLowering.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

SmallVector<Type> ProgramWriter::flatTypes(TypeRange types) {
  SmallVector<Type> result;
  for (Type type : types) {
    if (isa<txp::BufferType>(type))
      result.append({pointer(), i64()});
    else if (!isa<txp::EventType>(type))
      result.push_back(type);
  }
  return result;
}

SmallVector<Value> ProgramWriter::flat(ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values) {
    if (isa<txp::BufferType>(value.getType())) {
      BufferValue buffer = buffers.lookup(value);
      result.append({buffer.data, buffer.bytes});
    } else if (!isa<txp::EventType>(value.getType())) {
      result.push_back(word(value));
    }
  }
  return result;
}

void ProgramWriter::bind(ValueRange values, ValueRange flat) {
  for (Value value : values) {
    if (isa<txp::BufferType>(value.getType())) {
      buffers[value] = {flat[0], flat[1]};
      flat = flat.drop_front(2);
    } else if (!isa<txp::EventType>(value.getType())) {
      words[value] = flat.front();
      flat = flat.drop_front();
    }
  }
}

LogicalResult ProgramWriter::ifOp(scf::IfOp op) {
  Block *then = newBlock(), *otherwise = newBlock();
  Block *after = newBlock(flatTypes(op.getResultTypes()));
  branchIf(word(op.getCondition()), then, otherwise);
  for (auto [to, from] : {std::pair(then, op.thenBlock()),
                          std::pair(otherwise, op.elseBlock())}) {
    b.setInsertionPointToStart(to);
    if (!from) {
      branch(after);
      continue;
    }
    if (failed(block(*from)))
      return failure();
    branch(after, flat(from->getTerminator()->getOperands()));
  }
  b.setInsertionPointToStart(after);
  bind(op.getResults(), after->getArguments());
  return success();
}

LogicalResult ProgramWriter::whileOp(scf::WhileOp op) {
  Block *before = newBlock(flatTypes(op.getBeforeBody()->getArgumentTypes()));
  Block *body = newBlock(flatTypes(op.getAfterBody()->getArgumentTypes()));
  Block *after = newBlock(flatTypes(op.getResultTypes()));
  branch(before, flat(op.getInits()));
  b.setInsertionPointToStart(before);
  bind(op.getBeforeArguments(), before->getArguments());
  if (failed(block(*op.getBeforeBody())))
    return failure();
  SmallVector<Value> passed = flat(op.getConditionOp().getArgs());
  LLVM::CondBrOp::create(b, word(op.getConditionOp().getCondition()), body,
                         passed, after, passed);
  b.setInsertionPointToStart(body);
  bind(op.getAfterArguments(), body->getArguments());
  if (failed(block(*op.getAfterBody())))
    return failure();
  branch(before, flat(op.getYieldOp().getOperands()));
  b.setInsertionPointToStart(after);
  bind(op.getResults(), after->getArguments());
  return success();
}

LogicalResult ProgramWriter::forOp(scf::ForOp op) {
  SmallVector<Type> types = {op.getInductionVar().getType()};
  types.append(flatTypes(op.getResultTypes()));
  Block *head = newBlock(types), *body = newBlock(), *after = newBlock();
  SmallVector<Value> first = {word(op.getLowerBound())};
  first.append(flat(op.getInitArgs()));
  branch(head, first);
  b.setInsertionPointToStart(head);
  ValueRange carried = head->getArguments();
  Value index = carried.front();
  bind(op.getRegionIterArgs(), carried.drop_front());
  branchIf(compare(op.getUnsignedCmp() ? Predicate::ult : Predicate::slt, index,
                   word(op.getUpperBound())),
           body, after);
  b.setInsertionPointToStart(body);
  words[op.getInductionVar()] = index;
  if (failed(block(*op.getBody())))
    return failure();
  SmallVector<Value> next = {checkedAdd(index, word(op.getStep()))};
  next.append(flat(op.getYieldedValues()));
  branch(head, next);
  b.setInsertionPointToStart(after);
  bind(op.getResults(), carried.drop_front());
  return success();
}
