//===- StepLanes.cpp - Vectorizes a loop over its steps -------------------===//
//
//   for i: v1 = p * v + load x[i]; s1 = s + log(v)      (v, s are carried)
// ->
//   for i by 16:
//     xs = load x[i ... i + 15]
//     v[t + 1] = p * v[t] + xs[t], for t of 0 to 15
//     ls = log(v[0 ... 15])
//     s[t + 1] = s[t] + ls[t], for t of 0 to 15
//
// Each element is computed as before, and sums are in order, so no bit changes.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/registers/StepLanes.h"
#include "codegen/kernel/RegisterLoopCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {
/// The ops of a loop in groups. A group is a single op, or the ops of a
/// recurrence. A group needs only earlier groups.
class StepGroups {
public:
  explicit StepGroups(scf::ForOp loop) : loop(loop) {}
  /// Returns false if the loop has an op or value that cannot be distributed.
  bool find();
  /// True if the vectorized ops save more than it costs to move elements
  /// between scalars and vectors.
  bool isProfitable();

  struct Group {
    SmallVector<Operation *> ops;
    bool isRecurrence;
  };
  SmallVector<Group> groups;
  bool isRecurrent(Operation *op) const { return recurrent.contains(op); }

private:
  scf::ForOp loop;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> numbers;
  /// Ops that need op i, in the same step or a later one.
  SmallVector<BitVector> reached;
  DenseSet<Operation *> recurrent;

  bool isSupported(Operation *op) const;
  void findReached();
  bool isSameGroup(unsigned a, unsigned b) const {
    return a == b || (reached[a].test(b) && reached[b].test(a));
  }
};

/// Emits the loop over vectors of steps.
class StepEmitter {
public:
  StepEmitter(scf::ForOp loop, const StepGroups &steps, int64_t lanes)
      : loop(loop), steps(steps), lanes(lanes), b(loop.getLoc(), loop) {}
  void emit();

private:
  scf::ForOp loop, made;
  const StepGroups &steps;
  int64_t lanes;
  ImplicitLocOpBuilder b;
  /// Values of the loop body for a vector of steps: as a vector, and as one
  /// scalar per step.
  DenseMap<Value, Value> vectors;
  DenseMap<Value, SmallVector<Value>> scalars;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  VectorType typeOf(Type element) { return VectorType::get({lanes}, element); }
  Value yielded(BlockArgument carried) {
    return loop.getYieldedValues()[carried.getArgNumber() - 1];
  }
  Value scalarOf(Value value, int64_t lane);
  Value vectorOf(Value value);
  Value positionOf(Value position, bool &isReversed);
  Value reversed(Value vector);
  void emitVector(Operation *op);
  void emitRecurrence(ArrayRef<Operation *> ops);
};
} // namespace

//===----------------------------------------------------------------------===//
// Recurrences
//===----------------------------------------------------------------------===//

static bool isOutside(scf::ForOp loop, Value value) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

/// True if the position is the loop's induction variable, or a loop-invariant
/// value minus that variable.
static bool isContiguous(scf::ForOp loop, Value position) {
  if (position == loop.getInductionVar())
    return true;
  auto sub = position.getDefiningOp<arith::SubIOp>();
  return sub && sub.getRhs() == loop.getInductionVar() &&
         isOutside(loop, sub.getLhs());
}

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

bool StepGroups::isSupported(Operation *op) const {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return isOutside(loop, load.getMemRef()) && load.getIndices().size() == 1 &&
           isContiguous(loop, load.getIndices()[0]);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return isOutside(loop, store.getMemRef()) &&
           store.getIndices().size() == 1 &&
           isContiguous(loop, store.getIndices()[0]);
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 && isScalar(op->getResult(0).getType());
}

void StepGroups::findReached() {
  reached.assign(ops.size(), BitVector(ops.size()));
  auto addUsers = [&](unsigned i, Value value) {
    for (Operation *user : value.getUsers())
      if (auto it = numbers.find(user); it != numbers.end())
        reached[i].set(it->second);
  };
  for (auto [i, op] : llvm::enumerate(ops)) {
    for (Value result : op->getResults())
      addUsers(i, result);
    for (auto [argument, next] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      if (next.getDefiningOp() == op)
        addUsers(i, argument);
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (BitVector &each : reached) {
      BitVector before = each;
      for (unsigned next : before.set_bits())
        each |= reached[next];
      changes |= each != before;
    }
  }
}

bool StepGroups::find() {
  Block &body = *loop.getBody();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    if (op.hasTrait<OpTrait::ConstantLike>())
      op.moveBefore(loop);
  for (Operation &op : body.without_terminator()) {
    if (!isSupported(&op))
      return false;
    numbers[&op] = ops.size();
    ops.push_back(&op);
  }
  for (auto [argument, next, init] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues(),
                       loop.getInitArgs())) {
    if (next == argument) // never changes
      argument.replaceAllUsesWith(init);
    else if (!isScalar(next.getType()) || !next.getDefiningOp() ||
             isOutside(loop, next))
      return false;
  }
  findReached();
  // A group may be emitted when all ops that it depends on are in earlier
  // groups.
  BitVector done(ops.size());
  while (!done.all()) {
    for (unsigned i = 0; i < ops.size(); ++i) {
      auto isReady = [&] {
        for (unsigned j = 0; j < ops.size(); ++j)
          if (reached[j].test(i) && !done.test(j) && !isSameGroup(i, j))
            return false;
        return true;
      };
      if (done.test(i) || !isReady())
        continue;
      Group group{{}, reached[i].test(i)};
      for (unsigned j = 0; j < ops.size(); ++j)
        if (isSameGroup(i, j)) {
          group.ops.push_back(ops[j]);
          done.set(j);
          if (group.isRecurrence)
            recurrent.insert(ops[j]);
        }
      groups.push_back(std::move(group));
    }
  }
  return static_cast<int64_t>(recurrent.size()) <= loopCosts::maxRecurrentOps;
}

/// Returns the number of simple instructions that take as long as the scalar
/// op.
static int64_t costOf(Operation *op) {
  if (isa<arith::DivFOp, math::SqrtOp>(op))
    return 5;
  if (isa<memref::LoadOp, memref::StoreOp, arith::IndexCastOp>(op))
    return 0;
  bool isCostly =
      isa<math::MathDialect>(op->getDialect()) && !isa<math::FmaOp>(op);
  return isCostly ? loopCosts::costlyOps : 1;
}

bool StepGroups::isProfitable() {
  int64_t gain = -loopCosts::minStepGain;
  for (Operation *op : ops) {
    if (!isRecurrent(op))
      gain += costOf(op);
    bool moves = false;
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers())
        moves |= numbers.contains(user) &&
                 isRecurrent(user) != isRecurrent(op) &&
                 !isa<memref::LoadOp>(op);
    for (auto [argument, next] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      if (next.getDefiningOp() == op)
        moves |= llvm::any_of(argument.getUsers(), [&](Operation *user) {
          return isRecurrent(user) != isRecurrent(op);
        });
    if (moves)
      gain -= loopCosts::stepMoveOps;
  }
  return gain > 0;
}

//===----------------------------------------------------------------------===//
// The loop over vectors of steps
//===----------------------------------------------------------------------===//

/// Returns the position in memory of the vector's first element. `position` is
/// that of one step.
Value StepEmitter::positionOf(Value position, bool &isReversed) {
  auto sub = position.getDefiningOp<arith::SubIOp>();
  isReversed = sub != nullptr;
  if (!sub)
    return made.getInductionVar();
  Value first = arith::SubIOp::create(b, sub.getLhs(), made.getInductionVar());
  return arith::SubIOp::create(b, first, index(lanes - 1));
}

Value StepEmitter::reversed(Value vector) {
  SmallVector<int64_t> mask;
  for (int64_t i = lanes; i-- > 0;)
    mask.push_back(i);
  return vector::ShuffleOp::create(b, vector, vector, mask);
}

Value StepEmitter::vectorOf(Value value) {
  if (Value known = vectors.lookup(value))
    return known;
  VectorType type = typeOf(value.getType());
  Value vector;
  auto argument = dyn_cast<BlockArgument>(value);
  if (value == loop.getInductionVar()) {
    vector = arith::AddIOp::create(
        b, vector::BroadcastOp::create(b, type, made.getInductionVar()),
        vector::StepOp::create(b, type));
  } else if (isOutside(loop, value)) {
    vector = vector::BroadcastOp::create(b, type, value);
  } else if (argument &&
             !steps.isRecurrent(yielded(argument).getDefiningOp())) {
    // The values of the previous step are the vector shifted by one lane, with
    // the carried value in lane 0.
    Value first = vector::BroadcastOp::create(
        b, type, made.getRegionIterArgs()[argument.getArgNumber() - 1]);
    SmallVector<int64_t> mask{lanes};
    for (int64_t i = 0; i + 1 < lanes; ++i)
      mask.push_back(i);
    vector =
        vector::ShuffleOp::create(b, vectorOf(yielded(argument)), first, mask);
  } else {
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < lanes; ++lane)
      elements.push_back(scalarOf(value, lane));
    vector = vector::FromElementsOp::create(b, type, elements);
  }
  return vectors[value] = vector;
}

Value StepEmitter::scalarOf(Value value, int64_t lane) {
  if (isOutside(loop, value))
    return value;
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument != loop.getInductionVar())
    return lane == 0
               ? Value(made.getRegionIterArgs()[argument.getArgNumber() - 1])
               : scalarOf(yielded(argument), lane - 1);
  SmallVector<Value> &known = scalars[value];
  if (known.empty())
    known.resize(lanes);
  if (!known[lane]) {
    Value vector = vectorOf(value);
    scalars[value][lane] =
        vector::ExtractOp::create(b, vector, ArrayRef<int64_t>{lane});
  }
  return scalars[value][lane];
}

void StepEmitter::emitVector(Operation *op) {
  b.setLoc(op->getLoc());
  bool isReversed = false;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Value position = positionOf(load.getIndices()[0], isReversed);
    Value vector = vector::LoadOp::create(b, typeOf(load.getType()),
                                          load.getMemRef(), position);
    vectors[load] = isReversed ? reversed(vector) : vector;
    return;
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    Value vector = vectorOf(store.getValue());
    Value position = positionOf(store.getIndices()[0], isReversed);
    vector::StoreOp::create(b, isReversed ? reversed(vector) : vector,
                            store.getMemRef(), position);
    return;
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(vectorOf(operand));
  OperationState state(op->getLoc(), op->getName(), operands,
                       {typeOf(op->getResult(0).getType())}, op->getAttrs());
  vectors[op->getResult(0)] = b.create(state)->getResult(0);
}

void StepEmitter::emitRecurrence(ArrayRef<Operation *> ops) {
  for (int64_t lane = 0; lane < lanes; ++lane)
    for (Operation *op : ops) {
      IRMapping map;
      for (Value operand : op->getOperands())
        map.map(operand, scalarOf(operand, lane));
      SmallVector<Value> &known = scalars[op->getResult(0)];
      known.resize(lanes);
      known[lane] = b.clone(*op, map)->getResult(0);
    }
}

void StepEmitter::emit() {
  Value count =
      arith::SubIOp::create(b, loop.getUpperBound(), loop.getLowerBound());
  count = arith::MaxSIOp::create(b, count, index(0));
  Value rest = arith::RemUIOp::create(b, count, index(lanes));
  Value end = arith::AddIOp::create(b, loop.getLowerBound(),
                                    arith::SubIOp::create(b, count, rest));
  made = scf::ForOp::create(b, loop.getLowerBound(), end, index(lanes),
                            loop.getInitArgs());
  loop.setLowerBound(end);
  for (auto [i, result] : llvm::enumerate(made.getResults()))
    loop.getInitArgsMutable()[i].set(result);
  made.getBody()->clear();
  b.setInsertionPointToEnd(made.getBody());
  for (const StepGroups::Group &group : steps.groups) {
    if (group.isRecurrence)
      emitRecurrence(group.ops);
    else
      emitVector(group.ops.front());
  }
  SmallVector<Value> last;
  for (Value next : loop.getYieldedValues())
    last.push_back(scalarOf(next, lanes - 1));
  scf::YieldOp::create(b, loop.getLoc(), last);
}

void distributeSteps(scf::ForOp loop, int64_t lanes) {
  StepGroups steps(loop);
  if (lanes > 1 && steps.find() && steps.isProfitable())
    StepEmitter(loop, steps, lanes).emit();
}

} // namespace tensorc::codegen
