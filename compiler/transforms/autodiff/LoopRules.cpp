//===- LoopRules.cpp - Gradients of loops (scan, while) -------------------===//
//
// The gradient of a scan has two loops. The first runs the scan again and
// stacks the carried values that gradients read. The second runs in the
// opposite direction: it carries the gradients of the carried values, and
// accumulates the gradients of the loop-invariant inputs. A while with a bound
// is first converted to a scan.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/autodiff/Gradients.h"
#include "compiler/transforms/autodiff/ReverseSweep.h"
#include "ir/tx/Control.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>

using namespace mlir;

namespace tensorc::compiler::autodiff {

namespace {
class ScanPullback {
public:
  ScanPullback(tx::ScanOp op, Pullback &p)
      : op(op), p(p), b(p.e.b), carried(op.getCarried()),
        scanned(op.getScanned()), body(op.getBody().front()) {}

  LogicalResult run();

private:
  size_t numInputs() { return op.getInputs().size(); }
  bool isCarried(size_t input) { return input < carried; }
  bool isScanned(size_t input) {
    return !isCarried(input) && input < carried + scanned;
  }
  SmallVector<Value> stackCarried();
  LogicalResult fillBody(Block &to);
  void dropUnread(Block &to);
  Value zerosLike(Value x) { return p.zerosLike(x); }

  tx::ScanOp op;
  Pullback &p;
  OpBuilder &b;
  size_t carried, scanned;
  Block &body;
  /// Indices of inputs and results.
  SmallVector<size_t> floats;  // carried values that have gradients
  SmallVector<size_t> common;  // loop-invariant inputs that have gradients
  SmallVector<size_t> sliced;  // scanned inputs, ditto
  SmallVector<size_t> stacked; // stacked results with a cotangent
  /// Inputs of the scan whose values the gradient reads in each iteration.
  SmallVector<size_t> parts, kept; // scanned, carried
};
} // namespace

/// Replaces the scan by one that also stacks the carried values that each
/// iteration receives. Returns the stacked values.
SmallVector<Value> ScanPullback::stackCarried() {
  if (kept.empty())
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  SmallVector<Type> types(op->getResultTypes());
  for (size_t i : kept) {
    auto type = cast<RankedTensorType>(op.getInputs()[i].getType());
    SmallVector<Dim> dims{op.lengthDim()};
    llvm::append_range(dims, tx::dimsOf(type));
    types.push_back(tx::tensorType(dims, type.getElementType()));
  }
  auto again = tx::ScanOp::create(b, op.getLoc(), types, op.getLengthAttr(),
                                  op.getCarriedAttr(), op.getScannedAttr(),
                                  op.getInputs(), op.getReverseAttr());
  IRMapping mapping;
  op.getBody().cloneInto(&again.getBody(), mapping);
  Block &block = again.getBody().front();
  SmallVector<Value> given;
  for (size_t i : kept)
    given.push_back(block.getArgument(1 + i));
  Operation *exit = block.getTerminator();
  exit->insertOperands(exit->getNumOperands(), given);
  op->replaceAllUsesWith(again->getResults().take_front(op->getNumResults()));
  return SmallVector<Value>(
      again->getResults().drop_front(op->getNumResults()));
}

/// The body's arguments are the iteration number; the gradients of the carried
/// values; the accumulated gradients of the loop-invariant inputs; the slices
/// of the scanned inputs, of the stacked carried values and of the cotangents;
/// and the other inputs.
LogicalResult ScanPullback::fillBody(Block &to) {
  Location loc = op.getLoc();
  auto arguments = body.getArguments();
  Value index = to.addArgument(arguments[0].getType(), loc);
  SmallVector<Value> gradients, sums, cotangents;
  auto add = [&](Type type) { return Value(to.addArgument(type, loc)); };
  for (size_t i : floats)
    gradients.push_back(add(arguments[1 + i].getType()));
  for (size_t i : common)
    sums.push_back(add(arguments[1 + i].getType()));
  IRMapping mapping;
  mapping.map(arguments[0], index);
  for (size_t i = carried; i < carried + scanned; ++i)
    mapping.map(arguments[1 + i], add(arguments[1 + i].getType()));
  for (size_t i = 0; i < carried; ++i)
    mapping.map(arguments[1 + i], add(arguments[1 + i].getType()));
  Operation *from = body.getTerminator();
  for (size_t i : stacked)
    cotangents.push_back(add(from->getOperand(i).getType()));
  for (size_t i = carried + scanned; i < numInputs(); ++i)
    mapping.map(arguments[1 + i], add(arguments[1 + i].getType()));

  OpBuilder inside(op.getContext());
  inside.setInsertionPointToEnd(&to);
  for (Operation &each : body.without_terminator())
    inside.clone(each, mapping);
  // ReverseSweep skips the terminator of a block, so the block gets a temporary
  // one.
  Operation *end = inside.clone(*from, mapping);
  inside.setInsertionPoint(end);
  SmallVector<Value> inputs;
  for (auto *list : {&floats, &common, &sliced})
    for (size_t i : *list)
      inputs.push_back(mapping.lookup(arguments[1 + i]));
  TensorBuilder e(inside, from);
  ReverseSweep sweep(to, inputs);
  for (auto [i, g] : llvm::zip_equal(floats, gradients))
    sweep.seed(end->getOperand(i), g, e);
  for (auto [i, g] : llvm::zip_equal(stacked, cotangents))
    sweep.seed(end->getOperand(i), g, e);
  if (failed(sweep.run(inside)))
    return failure();
  SmallVector<Value> results;
  for (auto [n, input] : llvm::enumerate(inputs)) {
    Value g = sweep.gradientOrZeros(input, e);
    bool isSum = n >= floats.size() && n < floats.size() + common.size();
    results.push_back(isSum ? e.add(sums[n - floats.size()], g) : g);
  }
  tx::ReturnOp::create(inside, loc, results);
  end->erase();
  return success();
}

/// Erases dead ops, then the arguments for slices that are no longer read, so
/// that the forward loop need not keep their values.
void ScanPullback::dropUnread(Block &to) {
  for (Operation &each : llvm::make_early_inc_range(llvm::reverse(to)))
    if (isOpTriviallyDead(&each))
      each.erase();
  size_t first = 1 + floats.size() + common.size();
  for (size_t i = carried + scanned; i-- > 0;) {
    // Scanned inputs come before carried ones.
    bool isPart = i < scanned;
    if (to.getArgument(first + i).use_empty())
      to.eraseArgument(first + i);
    else
      (isPart ? parts : kept).push_back(isPart ? carried + i : i - scanned);
  }
  std::reverse(parts.begin(), parts.end());
  std::reverse(kept.begin(), kept.end());
}

LogicalResult ScanPullback::run() {
  for (size_t i = 0; i < carried; ++i)
    if (isDifferentiable(op.getInputs()[i].getType()))
      floats.push_back(i);
  for (size_t i = carried; i < numInputs(); ++i)
    if (p.wants(i) && isDifferentiable(op.getInputs()[i].getType()))
      (isScanned(i) ? sliced : common).push_back(i);
  for (size_t i = carried; i < op->getNumResults(); ++i)
    if (p.cotangents[i])
      stacked.push_back(i);
  auto block = std::make_unique<Block>();
  if (failed(fillBody(*block)))
    return failure();
  dropUnread(*block);
  SmallVector<Value> before = stackCarried(), inputs;
  for (size_t i : floats)
    inputs.push_back(p.cotangents[i] ? p.cotangents[i]
                                     : zerosLike(op.getInputs()[i]));
  for (size_t i : common)
    inputs.push_back(zerosLike(op.getInputs()[i]));
  size_t numCarried = inputs.size();
  for (size_t i : parts)
    inputs.push_back(op.getInputs()[i]);
  llvm::append_range(inputs, before);
  for (size_t i : stacked)
    inputs.push_back(p.cotangents[i]);
  size_t numScanned = inputs.size() - numCarried;
  llvm::append_range(inputs, op.getInputs().drop_front(carried + scanned));

  SmallVector<Type> types;
  for (auto *list : {&floats, &common, &sliced})
    for (size_t i : *list)
      types.push_back(op.getInputs()[i].getType());
  auto back = tx::ScanOp::create(
      b, op.getLoc(), types, op.getLengthAttr(),
      b.getI64IntegerAttr(numCarried), b.getI64IntegerAttr(numScanned), inputs,
      op.getReverse() ? UnitAttr() : b.getUnitAttr());
  back.getBody().push_back(block.release());
  auto next = back->getResults().begin();
  for (auto *list : {&floats, &common, &sliced})
    for (size_t i : *list) {
      Value gradient = *next++;
      p.give(i, [&] { return gradient; });
    }
  return success();
}

LogicalResult pullBackScan(Pullback &p) {
  return ScanPullback(cast<tx::ScanOp>(p.op), p).run();
}

//===----------------------------------------------------------------------===//
// tx.while
//===----------------------------------------------------------------------===//

/// Returns a scan over the maximum number of iterations, whose body is a
/// branch. Once the loop's condition is false, an iteration returns its
/// arguments unchanged.
static tx::ScanOp asScan(tx::WhileOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  size_t carried = op->getNumResults();
  TypeRange types = op->getResultTypes();
  auto scan = tx::ScanOp::create(
      b, loc, types,
      tx::DimsAttr::get(b.getContext(),
                        Dim(static_cast<int64_t>(*op.getMost()))),
      b.getI64IntegerAttr(carried), b.getI64IntegerAttr(0), op.getInputs(),
      UnitAttr());
  Block &body = scan.getBody().emplaceBlock();
  body.addArgument(RankedTensorType::get({}, b.getI64Type()), loc);
  for (Value input : op.getInputs())
    body.addArgument(input.getType(), loc);
  ValueRange given(body.getArguments().drop_front());
  b.setInsertionPointToEnd(&body);
  IRMapping mapping;
  Block &condition = op.getCondition().front();
  mapping.map(condition.getArguments(), given);
  for (Operation &each : condition.without_terminator())
    b.clone(each, mapping);
  Value goesOn =
      mapping.lookupOrDefault(condition.getTerminator()->getOperand(0));
  auto branch = tx::IfOp::create(b, loc, types, goesOn, given);
  tx::ReturnOp::create(b, loc, branch.getResults());
  op.getBody().cloneInto(&branch.getThenBody(), mapping);
  Block &done = branch.getElseBody().emplaceBlock();
  for (Value input : op.getInputs())
    done.addArgument(input.getType(), loc);
  b.setInsertionPointToEnd(&done);
  tx::ReturnOp::create(b, loc,
                       ValueRange(done.getArguments().take_front(carried)));
  op->replaceAllUsesWith(scan);
  return scan;
}

LogicalResult pullBackWhile(Pullback &p) {
  auto op = cast<tx::WhileOp>(p.op);
  if (!op.getMost())
    return op.emitOpError("has no gradient, for its number of iterations is "
                          "not known before: give it a bound, `most`, or use a "
                          "scan");
  Pullback scan(p.e.b, asScan(op), p.cotangents, p.wanted);
  if (failed(pullBackScan(scan)))
    return failure();
  p.gradients = std::move(scan.gradients);
  return success();
}

} // namespace tensorc::compiler::autodiff
