//===- ReverseSweep.cpp - Reverse-mode differentiation of a block ---------===//

#include "compiler/transforms/autodiff/ReverseSweep.h"

#include "compiler/transforms/autodiff/Gradients.h"
#include "compiler/transforms/passes/complex/ExpandComplex.h"
#include "ir/tx/Complex.h"
#include "ir/tx/Control.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

static SmallVector<Operation *> opsOf(Block &block) {
  return llvm::map_to_vector(block.without_terminator(),
                             [](Operation &op) { return &op; });
}

ReverseSweep::ReverseSweep(Block &block, ArrayRef<Value> inputs)
    : ReverseSweep(opsOf(block), inputs) {}

ReverseSweep::ReverseSweep(ArrayRef<Operation *> ops, ArrayRef<Value> inputs)
    : ops(ops), varied(inputs.begin(), inputs.end()) {
  for (Operation *op : ops) {
    if (isa<tx::StopGradientOp>(op) ||
        !llvm::any_of(op->getOperands(),
                      [&](Value x) { return varied.contains(x); }))
      continue;
    for (Value result : op->getResults())
      if (isDifferentiable(result.getType()) || isComplexType(result.getType()))
        varied.insert(result);
  }
}

void ReverseSweep::seed(Value value, Value gradient, TensorBuilder &e) {
  Value &sum = gradients[value];
  sum = sum ? e.add(sum, gradient) : gradient;
}

Value ReverseSweep::gradientOrZeros(Value value, TensorBuilder &e) const {
  if (Value found = gradient(value))
    return found;
  return e.full(0.0, dtypeOf(value), dimsOf(value));
}

LogicalResult ReverseSweep::run(OpBuilder &b) {
  for (Operation *op : llvm::reverse(ops)) {
    SmallVector<Value> cotangents;
    for (Value result : op->getResults())
      cotangents.push_back(gradients.lookup(result));
    if (llvm::none_of(cotangents, [](Value g) { return bool(g); }))
      continue;
    SmallVector<bool> wanted;
    for (Value operand : op->getOperands())
      wanted.push_back(varied.contains(operand));
    if (!llvm::is_contained(wanted, true))
      continue;
    Pullback p(b, op, cotangents, wanted);
    if (failed(pullBack(p)))
      return failure();
    for (auto [operand, gradient] : llvm::zip(op->getOperands(), p.gradients))
      if (gradient && varied.contains(operand))
        seed(operand, gradient, p.e);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops with regions, and calls of functions registered by the embedder
//===----------------------------------------------------------------------===//

/// Fills the branch of a gradient with a copy of `from` followed by its
/// pullback. The arguments are those of `from` and the cotangents.
static LogicalResult fillBranch(Block &from, Block &to, ArrayRef<bool> wanted,
                                ArrayRef<unsigned> seeded) {
  OpBuilder b = OpBuilder::atBlockEnd(&to);
  IRMapping mapping;
  unsigned numInputs = from.getNumArguments();
  mapping.map(from.getArguments(), to.getArguments().take_front(numInputs));
  for (Operation &op : from.without_terminator())
    b.clone(op, mapping);
  Operation *exit = from.getTerminator();
  // The sweep skips the terminator of a block, so the block gets a temporary
  // one.
  Operation *end = b.clone(*exit, mapping);
  b.setInsertionPoint(end);
  SmallVector<Value> inputs;
  for (unsigned i = 0; i < numInputs; ++i)
    if (wanted[i])
      inputs.push_back(to.getArgument(i));
  TensorBuilder e(b, exit);
  ReverseSweep sweep(to, inputs);
  for (auto [i, result] : llvm::enumerate(seeded))
    sweep.seed(end->getOperand(result), to.getArgument(numInputs + i), e);
  if (failed(sweep.run(b)))
    return failure();
  SmallVector<Value> results;
  for (Value input : inputs)
    results.push_back(sweep.gradientOrZeros(input, e));
  tx::ReturnOp::create(b, exit->getLoc(), results);
  end->erase();
  return success();
}

LogicalResult pullBackBranch(Pullback &p) {
  Operation *op = p.op;
  OperandRange given = op->getOperands().drop_front();
  SmallVector<Value> inputs(given);
  SmallVector<unsigned> seeded;
  for (auto [i, g] : llvm::enumerate(p.cotangents)) {
    if (!g)
      continue;
    seeded.push_back(i);
    inputs.push_back(g);
  }
  ArrayRef<bool> wanted = p.wanted.drop_front(); // all but the condition
  SmallVector<Type> types;
  for (auto [input, isWanted] : llvm::zip(given, wanted))
    if (isWanted)
      types.push_back(input.getType());
  SmallVector<Value> operands{op->getOperand(0)};
  llvm::append_range(operands, inputs);
  Operation *back = tx::createBranch(p.e.b, op, types, operands);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), back->getRegions())) {
    Block &block = to.emplaceBlock();
    for (Value input : inputs)
      block.addArgument(input.getType(), op->getLoc());
    if (failed(fillBranch(from.front(), block, wanted, seeded)))
      return failure();
  }
  unsigned next = 0;
  for (auto [i, isWanted] : llvm::enumerate(wanted))
    if (isWanted)
      p.set(1 + i, back->getResult(next++));
  return success();
}

LogicalResult pullBackCustomVjp(Pullback &p) {
  auto op = cast<tx::CustomVjpOp>(p.op);
  TensorBuilder &e = p.e;
  size_t arguments = op.getArguments(), returned = op.getReturned();
  SmallVector<Value> given(op->getResults().drop_front(returned));
  for (auto [i, result] :
       llvm::enumerate(op->getResults().take_front(returned)))
    given.push_back(p.cotangents[i]
                        ? p.cotangents[i]
                        : e.full(0, dtypeOf(result), dimsOf(result)));
  llvm::append_range(given, op.getInputs().drop_front(arguments));
  auto inlined = [&](Block &body, ValueRange inputs, IRMapping &mapping) {
    mapping.map(body.getArguments(), inputs);
    return llvm::map_to_vector(body.without_terminator(), [&](Operation &each) {
      return e.b.clone(each, mapping);
    });
  };
  IRMapping mapping;
  Block &backward = op.getBackward().front();
  inlined(backward, given, mapping);
  Operation *exit = backward.getTerminator();
  for (size_t i = 0; i < arguments; ++i)
    if (p.wants(i))
      p.set(i, mapping.lookup(exit->getOperand(i)));
  // Gradients of gradients: values that the first block kept for the pullback
  // are differentiated like any expression.
  if (llvm::none_of(p.cotangents.drop_front(returned),
                    [](Value g) { return bool(g); }))
    return success();
  IRMapping again;
  Block &forward = op.getForward().front();
  SmallVector<Operation *> ops = inlined(forward, op.getInputs(), again);
  SmallVector<Value> inputs;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if (p.wants(i))
      inputs.push_back(input);
  ReverseSweep sweep(ops, inputs);
  for (size_t i = returned; i < op->getNumResults(); ++i)
    if (p.cotangents[i])
      sweep.seed(again.lookup(forward.getTerminator()->getOperand(i)),
                 p.cotangents[i], e);
  if (failed(sweep.run(e.b)))
    return failure();
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if (Value more = p.wants(i) ? sweep.gradient(input) : Value())
      p.set(i, p.gradients[i] ? e.add(p.gradients[i], more) : more);
  return success();
}

LogicalResult pullBackCustomCall(Pullback &p) {
  auto op = cast<tx::CustomCallOp>(p.op);
  if (!op.getDerivative() && op.getName().starts_with("linalg."))
    return pullBackLinearAlgebra(p);
  if (op.getName() == "collective")
    return pullBackCollective(p);
  // These calls return x.
  if (op.getName() == "check_numerics" || op.getName() == "debug_print") {
    p.set(0, p.cotangents.front());
    return success();
  }
  if (!op.getDerivative())
    return op.emitOpError()
           << op.getName()
           << " names no derivative, so it has no gradient: name one, or give "
              "the call a gradient by custom_vjp";
  SmallVector<Value> inputs(op.getInputs());
  llvm::append_range(inputs, op.getOutputs());
  for (auto [output, g] : llvm::zip(op.getOutputs(), p.cotangents))
    inputs.push_back(g ? g : p.zerosLike(output));
  SmallVector<Type> types(op.getInputs().getTypes());
  auto call =
      tx::CustomCallOp::create(p.e.b, op.getLoc(), types, *op.getDerivative(),
                               inputs, op.getConfigAttr(), StringAttr());
  for (auto [i, gradient] : llvm::enumerate(call.getOutputs()))
    p.set(i, gradient);
  return success();
}

//===----------------------------------------------------------------------===//
// Parts of complex numbers
//===----------------------------------------------------------------------===//

static LogicalResult pullBackParts(Pullback &p) {
  Value g = p.cotangents[0];
  OpBuilder &b = p.e.b;
  Location loc = p.op->getLoc();
  if (isa<tx::ComplexOp>(p.op)) {
    Type plane = p.op->getOperandTypes()[0];
    p.give(0, [&] { return tx::RealOp::create(b, loc, plane, g); });
    p.give(1, [&] { return tx::ImagOp::create(b, loc, plane, g); });
    return success();
  }
  Type type = p.op->getOperandTypes()[0];
  p.give(0, [&] {
    Value zeros = p.zerosLike(g);
    return isa<tx::RealOp>(p.op)
               ? tx::ComplexOp::create(b, loc, type, g, zeros)
               : tx::ComplexOp::create(b, loc, type, zeros, g);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Which rule
//===----------------------------------------------------------------------===//

LogicalResult pullBack(Pullback &p) {
  if (pullBackElementwise(p))
    return p.state;
  if (hasOwnRule(p.op))
    return pullBackComposite(p);
  Value g = p.cotangents[0];
  return llvm::TypeSwitch<Operation *, LogicalResult>(p.op)
#define TENSORC_GRADIENT_RULE(Op)                                              \
  .Case([&](tx::Op op) { return pullBack(op, g, p); })
#include "compiler/transforms/autodiff/RuleFunctions.inc"
#undef TENSORC_GRADIENT_RULE
      .Case<tx::ComplexOp, tx::RealOp, tx::ImagOp>(
          [&](auto) { return pullBackParts(p); })
      .Case<tx::IfOp, tx::SwitchOp>([&](auto) { return pullBackBranch(p); })
      .Case([&](tx::ScanOp) { return pullBackScan(p); })
      .Case([&](tx::CustomVjpOp) { return pullBackCustomVjp(p); })
      .Case([&](tx::WhileOp) { return pullBackWhile(p); })
      .Case([&](tx::CustomCallOp) { return pullBackCustomCall(p); })
      .Default([](Operation *op) {
        return op->emitOpError("is not differentiable: stop_gradient leaves it "
                               "out, and custom_vjp gives it a gradient");
      });
}

} // namespace tensorc::compiler::autodiff
