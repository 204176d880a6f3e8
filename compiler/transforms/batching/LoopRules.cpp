//===- LoopRules.cpp - Batching rules of branches and loops ---------------===//
//
// If the condition differs between examples, all branches run and the results
// are selected. A loop runs until all examples are done; finished examples keep
// their values.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/batching/BlockBatcher.h"
#include "ir/tx/Control.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::batching {

using Flags = SmallVector<bool>;

static Flags flagsOf(ArrayRef<Batched> values) {
  return llvm::map_to_vector(values,
                             [](const Batched &x) { return x.isBatched; });
}

/// Returns the element-wise or.
static Flags either(ArrayRef<bool> a, ArrayRef<bool> b) {
  Flags all;
  for (auto [x, y] : llvm::zip_equal(a, b))
    all.push_back(x || y);
  return all;
}

static Type typeFor(Type one, bool isBatched, Dim size) {
  auto tensor = dyn_cast<RankedTensorType>(one);
  if (!tensor || !isBatched)
    return one;
  SmallVector<Dim> dims{size};
  llvm::append_range(dims, tx::dimsOf(tensor));
  return tx::tensorType(dims, tensor.getElementType());
}

/// Adds the batch dim to the flagged values.
static SmallVector<Value> fit(TensorBuilder &e, Dim size,
                              ArrayRef<Batched> values, ArrayRef<bool> flags) {
  SmallVector<Value> all;
  for (auto [x, isBatched] : llvm::zip_equal(values, flags))
    all.push_back(isBatched ? withBatch(e, size, x) : x.value);
  return all;
}

/// Selects `then` for the examples whose predicate holds.
static Value selected(Step &s, Value predicate, const Batched &then,
                      const Batched &otherwise) {
  return s.e.select(
      s.e.alongDim(predicate, 0, 1 + rankOf(then.value) - then.isBatched),
      withBatch(s.e, s.size, then), withBatch(s.e, s.size, otherwise));
}

namespace {
/// A new block of the op. Ops are inserted into it during the lifetime of this
/// object.
struct Filled {
  Filled(Region &region, Block &from, ArrayRef<bool> flags, Step &s)
      : s(s), guard(s.e.b), block(region.emplaceBlock()) {
    for (auto [argument, isBatched] :
         llvm::zip_equal(from.getArguments(), flags))
      arguments.push_back(
          {block.addArgument(typeFor(argument.getType(), isBatched, s.size),
                             argument.getLoc()),
           isBatched});
    s.e.b.setInsertionPointToEnd(&block);
  }
  void finish(ValueRange results) {
    tx::ReturnOp::create(s.e.b, s.e.loc, results);
  }

  Step &s;
  OpBuilder::InsertionGuard guard;
  Block &block;
  SmallVector<Batched> arguments;
};
} // namespace

static SmallVector<Type> resultTypes(Step &s, ArrayRef<bool> flags) {
  SmallVector<Type> types;
  for (auto [result, isBatched] : llvm::zip_equal(s.op->getResults(), flags))
    types.push_back(typeFor(result.getType(), isBatched, s.size));
  return types;
}

static LogicalResult give(Step &s, ValueRange results, ArrayRef<bool> flags) {
  for (auto [result, isBatched] : llvm::zip_equal(results, flags))
    s.results.push_back({result, isBatched});
  return success();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Reshapes [n, 1, ...] to [n].
static Value perExample(Step &s, Value predicate) {
  return s.e.reshape(predicate, s.size);
}

/// Runs all blocks and selects, for each example, the results of its own block.
static LogicalResult selectBranch(Step &s) {
  SmallVector<SmallVector<Batched>> given;
  for (Region &body : s.op->getRegions()) {
    auto results =
        batchBlock(body.front(), s.operands.drop_front(), s.size, s.e.b);
    if (failed(results))
      return failure();
    given.push_back(*std::move(results));
  }
  Value chooses = perExample(s, s.value(0));
  SmallVector<Batched> chosen = given.pop_back_val();
  for (int64_t i = given.size(); i-- > 0;) {
    Value isHere = isa<tx::IfOp>(s.op) ? chooses : s.e.lessOrEqual(chooses, i);
    for (auto [here, other] : llvm::zip_equal(given[i], chosen))
      other = {selected(s, isHere, here, other), true};
  }
  for (const Batched &result : chosen)
    s.results.push_back({withBatch(s.e, s.size, result), true});
  return success();
}

static LogicalResult batchBranch(Step &s) {
  if (s.isBatched(0))
    return selectBranch(s);
  Flags given = flagsOf(s.operands.drop_front()),
        made(s.op->getNumResults(), false);
  for (Region &body : s.op->getRegions())
    made = either(made, batchedResults(body.front(), given));
  Operation *chosen =
      tx::createBranch(s.e.b, s.op, resultTypes(s, made), s.values());
  for (auto [from, to] :
       llvm::zip_equal(s.op->getRegions(), chosen->getRegions())) {
    Filled block(to, from.front(), given, s);
    auto results = batchBlock(from.front(), block.arguments, s.size, s.e.b);
    if (failed(results))
      return failure();
    block.finish(fit(s.e, s.size, *results, made));
  }
  return give(s, chosen->getResults(), made);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Returns which inputs of the loop differ between examples. Inputs `first` to
/// `first` + `count` are carried: if such a value differs after an iteration,
/// it differs from the start.
static Flags carriedFlags(Block &body, Flags inputs, size_t first,
                          size_t count) {
  while (true) {
    Flags results = batchedResults(body, inputs);
    bool isSame = true;
    for (size_t i = 0; i < count; ++i)
      if (results[i] && !inputs[first + i])
        inputs[first + i] = true, isSame = false;
    if (isSame)
      return inputs;
  }
}

static LogicalResult batch(tx::WhileOp op, Step &s) {
  TensorBuilder &e = s.e;
  size_t carried = op->getNumResults();
  Block &condition = op.getCondition().front(), &body = op.getBody().front();
  Flags flags = carriedFlags(body, flagsOf(s.operands), 0, carried);
  bool differs = batchedResults(condition, flags)[0];
  if (differs)
    std::fill_n(flags.begin(), carried, true);
  auto loop = tx::WhileOp::create(
      e.b, op.getLoc(), resultTypes(s, ArrayRef(flags).take_front(carried)),
      fit(e, s.size, s.operands, flags), op.getMostAttr());
  {
    Filled block(loop.getCondition(), condition, flags, s);
    auto results = batchBlock(condition, block.arguments, s.size, e.b);
    if (failed(results))
      return failure();
    Value goesOn = results->front().value;
    if (results->front().isBatched)
      goesOn = e.reduce<tx::AnyOp>(goesOn, 0);
    block.finish(goesOn);
  }
  Filled block(loop.getBody(), body, flags, s);
  auto next = batchBlock(body, block.arguments, s.size, e.b);
  if (failed(next))
    return failure();
  if (differs) {
    auto again = batchBlock(condition, block.arguments, s.size, e.b);
    if (failed(again))
      return failure();
    Value goesOn = perExample(s, withBatch(e, s.size, again->front()));
    for (auto [now, before] : llvm::zip(*next, block.arguments))
      now = {selected(s, goesOn, now, before), true};
  }
  block.finish(fit(e, s.size, *next, ArrayRef(flags).take_front(carried)));
  return give(s, loop.getResults(), ArrayRef(flags).take_front(carried));
}

/// [a, b, ...] -> [b, a, ...]
static Value swapFirst(TensorBuilder &e, Value x) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  std::swap(order[0], order[1]);
  return e.transpose(x, order);
}

static LogicalResult batch(tx::ScanOp op, Step &s) {
  TensorBuilder &e = s.e;
  size_t carried = op.getCarried(), scanned = op.getScanned();
  Block &body = op.getBody().front();
  Flags flags{false}; // the iteration number's
  llvm::append_range(flags, flagsOf(s.operands));
  flags = carriedFlags(body, flags, 1, carried);
  Flags made = batchedResults(body, flags);
  for (size_t i = 0; i < carried; ++i)
    made[i] = flags[1 + i];
  SmallVector<Value> inputs =
      fit(e, s.size, s.operands, ArrayRef(flags).drop_front());
  for (size_t i = carried; i < carried + scanned; ++i)
    if (flags[1 + i])
      inputs[i] = swapFirst(e, inputs[i]);
  SmallVector<Type> types = resultTypes(s, made);
  for (size_t i = carried; i < types.size(); ++i) {
    auto type = cast<RankedTensorType>(types[i]);
    SmallVector<Dim> dims(tx::dimsOf(type));
    if (made[i])
      std::swap(dims[0], dims[1]);
    types[i] = tx::tensorType(dims, type.getElementType());
  }
  auto loop = tx::ScanOp::create(e.b, op.getLoc(), types, op.getLengthAttr(),
                                 op.getCarriedAttr(), op.getScannedAttr(),
                                 inputs, op.getReverseAttr());
  {
    Filled block(loop.getBody(), body, flags, s);
    auto results = batchBlock(body, block.arguments, s.size, e.b);
    if (failed(results))
      return failure();
    block.finish(fit(e, s.size, *results, made));
  }
  SmallVector<Value> results(loop.getResults());
  for (size_t i = carried; i < results.size(); ++i)
    if (made[i])
      results[i] = swapFirst(e, results[i]);
  return give(s, results, made);
}

/// All operands of the gradient get the batch, so that each example has its own
/// cotangents.
static LogicalResult batch(tx::CustomVjpOp op, Step &s) {
  size_t arguments = op.getArguments();
  Block &forward = op.getForward().front(),
        &backward = op.getBackward().front();
  Flags given = flagsOf(s.operands);
  std::fill_n(given.begin(), arguments, true);
  Flags made(op->getNumResults(), true);
  auto both = tx::CustomVjpOp::create(s.e.b, op.getLoc(), resultTypes(s, made),
                                      op.getArguments(), op.getReturned(),
                                      fit(s.e, s.size, s.operands, given));
  {
    Filled block(both.getForward(), forward, given, s);
    auto results = batchBlock(forward, block.arguments, s.size, s.e.b);
    if (failed(results))
      return failure();
    block.finish(fit(s.e, s.size, *results, made));
  }
  Flags back(made);
  llvm::append_range(back, ArrayRef(given).drop_front(arguments));
  Filled block(both.getBackward(), backward, back, s);
  auto results = batchBlock(backward, block.arguments, s.size, s.e.b);
  if (failed(results))
    return failure();
  block.finish(fit(s.e, s.size, *results, Flags(arguments, true)));
  return give(s, both.getResults(), made);
}

MaybeResult batchControl(Step &s) {
  return llvm::TypeSwitch<Operation *, MaybeResult>(s.op)
      .Case<tx::IfOp, tx::SwitchOp>([&](auto) { return batchBranch(s); })
      .Case<tx::WhileOp, tx::ScanOp, tx::CustomVjpOp>(
          [&](auto op) { return batch(op, s); })
      .Case([&](tx::StopGradientOp op) -> MaybeResult {
        return s.give(s.again(op, s.value(0)));
      })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Ops without a rule
//===----------------------------------------------------------------------===//

LogicalResult batchByScan(Step &s) {
  TensorBuilder &e = s.e;
  SmallVector<Value> scanned, common;
  for (const Batched &operand : s.operands)
    (operand.isBatched ? scanned : common).push_back(operand.value);
  Flags made(s.op->getNumResults(), true);
  SmallVector<Value> inputs(scanned);
  llvm::append_range(inputs, common);
  auto loop = tx::ScanOp::create(
      e.b, s.op->getLoc(), resultTypes(s, made),
      tx::DimsAttr::get(e.b.getContext(), s.size), e.b.getI64IntegerAttr(0),
      e.b.getI64IntegerAttr(scanned.size()), inputs, UnitAttr());
  OpBuilder::InsertionGuard guard(e.b);
  Block &block = loop.getBody().emplaceBlock();
  e.b.setInsertionPointToEnd(&block);
  block.addArgument(RankedTensorType::get({}, e.b.getI64Type()), e.loc);
  IRMapping mapping;
  for (bool isScanned : {true, false})
    for (auto [operand, now] : llvm::zip_equal(s.op->getOperands(), s.operands))
      if (now.isBatched == isScanned)
        mapping.map(operand, block.addArgument(operand.getType(), e.loc));
  Operation *each = e.b.clone(*s.op, mapping);
  tx::ReturnOp::create(e.b, e.loc, each->getResults());
  return give(s, loop.getResults(), made);
}

} // namespace tensorc::compiler::batching
