//===- RegisterLoop.cpp - Emits a loop as one kernel on registers ---------===//
//
//   tx.scan <[1000]> carried = 1 scanned = 1 (%x, %zs) { ... }
// ->
//   func.func @loop_of_step(%x, %zs, %last, %ys, %from, %to, ...) {
//     %a = vector.load %x
//     %b = scf.for %i = %from to %to iter_args(%c = %a) -> vector<4xf32> {
//       %z = memref.load %zs[%i]
//       ...
//       memref.store %y, %ys[%i]
//       scf.yield %d
//     }
//     vector.store %b, %last
//   }
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/registers/RegisterLoop.h"
#include "codegen/emitters/registers/RegisterBody.h"
#include "codegen/emitters/registers/RegisterCost.h"
#include "codegen/emitters/registers/StepLanes.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/RegisterLoopCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen {

RegisterLoop::RegisterLoop(Operation *loop, const TargetInfo &target)
    : loop(loop), target(target),
      lanes(target.getLanes(Float32Type::get(loop->getContext()))) {}

bool RegisterLoop::matches() {
  if (target.isSimt() || !target.hasFma())
    return false;
  // The number of iterations is not passed on from the condition.
  if (auto loopOp = dyn_cast<tx::WhileOp>(loop);
      loopOp && containsWhile(loopOp.getCondition()))
    return false;
  RegisterCost cost;
  for (Region &region : loop->getRegions()) {
    auto more = registerCost(region.front(), lanes);
    if (!more)
      return false;
    cost += *more;
  }
  runCost = cost.run;
  return cost.code <= loopCosts::maxLoopOps;
}

int64_t RegisterLoop::iterationsOfPart() const {
  return std::max<int64_t>(1, loopCosts::partOps /
                                  std::max(runCost, loopCosts::minLoopOps));
}

bool RegisterLoop::hasNestedWhile() const {
  return containsWhile(loop->getRegions());
}

SmallVector<StringRef> RegisterLoop::fusions() const {
  SmallVector<StringRef> names;
  loop->walk([&](tx::FusionOp fusion) { names.push_back(fusion.getName()); });
  return names;
}

namespace {
/// Emits the function's body.
class LoopEmitter {
public:
  LoopEmitter(Operation *loop, func::FuncOp function, int64_t lanes,
              const TargetInfo &target)
      : loop(loop), b(loop->getLoc(), OpBuilder(function.getBody())),
        r(b, lanes), body(r, target),
        isInterrupted(containsWhile(loop->getRegions())) {
    ArrayRef<BlockArgument> arguments = function.getArguments();
    size_t results =
        loop->getNumResults() + (isa<tx::WhileOp>(loop) || isInterrupted);
    ArrayRef<BlockArgument> inputs =
        arguments.take_front(loop->getNumOperands());
    arguments = arguments.drop_front(inputs.size());
    outputs = arguments.take_front(results);
    scalars = arguments.drop_front(results);
    for (auto [operand, input] : llvm::zip_equal(loop->getOperands(), inputs))
      body.keepInMemory(operand, input);
    body.initial[loop].assign(inputs.begin(), inputs.end());
  }

  LogicalResult emit() {
    LogicalResult made = failure();
    if (auto whileOp = dyn_cast<tx::WhileOp>(loop))
      made = emitWhile(whileOp);
    else if (isInterrupted)
      made = emitInterrupted(cast<tx::ScanOp>(loop));
    else
      made = emitScan(cast<tx::ScanOp>(loop));
    func::ReturnOp::create(b);
    return made;
  }

private:
  Operation *loop;
  ImplicitLocOpBuilder b;
  RegisterBuilder r;
  RegisterBody body;
  /// True if a nested loop may use up the iterations of a launch.
  bool isInterrupted;
  ArrayRef<BlockArgument> outputs, scalars;

  Value indexOf(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value word(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  }
  Value scalarIndex(unsigned i) {
    return arith::IndexCastOp::create(b, b.getIndexType(), scalars[i]);
  }
  void writeStacked(tx::ScanOp scan);
  void storeCarried(ValueRange parts, size_t carried);
  SmallVector<Value> finishStep(ValueRange before, ValueRange after);
  Value stateOf(Value done);
  LogicalResult emitScan(tx::ScanOp scan);
  LogicalResult emitInterrupted(tx::ScanOp scan);
  LogicalResult emitWhile(tx::WhileOp op);
};
} // namespace

/// Makes the stacked results be written to the kernel's outputs.
void LoopEmitter::writeStacked(tx::ScanOp scan) {
  for (size_t i = scan.getCarried(); i < scan->getNumResults(); ++i)
    body.writeTo(scan->getResult(i), outputs[i]);
}

void LoopEmitter::storeCarried(ValueRange parts, size_t carried) {
  for (size_t i = 0; i < carried; ++i) {
    int64_t count = elementsOf(loop->getResult(i).getType());
    int64_t number = r.countParts(count);
    r.store({count, llvm::to_vector<4>(parts.take_front(number))}, outputs[i],
            indexOf(0));
    parts = parts.drop_front(number);
  }
}

LogicalResult LoopEmitter::emitScan(tx::ScanOp scan) {
  writeStacked(scan);
  Value length = scan.getReverse() ? scalarIndex(2) : Value();
  auto op = body.emitScan(scan, scalarIndex(0), scalarIndex(1), length);
  if (failed(op))
    return failure();
  storeCarried(op->getResults(), scan.getCarried());
  distributeSteps(*op, r.lanes);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops that a launch may not finish
//===----------------------------------------------------------------------===//

/// Completes an iteration. The values are the carried parts, followed by the
/// number of iterations that this launch did, before and after. If a nested
/// loop stopped because the launch has no iterations left, the results of the
/// iteration are discarded, and the next launch repeats it. The number of
/// iterations is then above the maximum: by 2 if this was the launch's first
/// iteration, else by 1.
SmallVector<Value> LoopEmitter::finishStep(ValueRange before,
                                           ValueRange after) {
  SmallVector<Value> next(after);
  Value one = word(1);
  next.back() = arith::AddIOp::create(b, after.back(), one);
  if (!isInterrupted)
    return next;
  Value max = body.iterations.max;
  Value isCut =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, after.back(), max);
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        before.back(), word(0));
  Value above =
      arith::AddIOp::create(b, arith::AddIOp::create(b, max, one),
                            arith::ExtUIOp::create(b, b.getI64Type(), isFirst));
  SmallVector<Value> former(before);
  former.back() = above;
  for (auto [value, old] : llvm::zip_equal(next, former))
    value = arith::SelectOp::create(b, isCut, old, value);
  return next;
}

/// Returns 0 if the launch did fewer iterations than it may, else 1 plus the
/// number of iterations above the maximum.
Value LoopEmitter::stateOf(Value done) {
  Value above = arith::SubIOp::create(b, done, body.iterations.max);
  return arith::MaxSIOp::create(b, arith::AddIOp::create(b, above, word(1)),
                                word(0));
}

/// Emits a scan that may end early, when its nested loops have used up the
/// launch's limit of iterations. The kernel returns the iteration at which to
/// continue.
LogicalResult LoopEmitter::emitInterrupted(tx::ScanOp scan) {
  writeStacked(scan);
  size_t carried = scan.getCarried();
  body.iterations.max = scalars[2];
  RegisterBody::ScanMemory memory = body.prepare(scan);
  SmallVector<Value> first = body.initialParts(scan, carried);
  first.append({scalars[0], word(0)});
  TypeRange types = ValueRange(first).getTypes();
  SmallVector<Location> locations(first.size(), scan.getLoc());
  auto op = scf::WhileOp::create(b, types, first);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&op.getBefore(), {}, types, locations);
    ValueRange values = before->getArguments();
    Value hasRoom = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                          values.back(), body.iterations.max);
    Value isLeft = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                         values.drop_back().back(), scalars[1]);
    scf::ConditionOp::create(b, arith::AndIOp::create(b, hasRoom, isLeft),
                             values);
    Block *after = b.createBlock(&op.getAfter(), {}, types, locations);
    values = after->getArguments();
    body.iterations.done = values.back();
    Value position = values.drop_back().back(), at = position;
    if (scan.getReverse())
      at = arith::SubIOp::create(
          b, arith::SubIOp::create(b, scalars[1], word(1)), position);
    auto next = body.emitStep(
        scan, memory, arith::IndexCastOp::create(b, b.getIndexType(), at),
        values.drop_back(2));
    if (failed(next))
      return failure();
    next->push_back(arith::AddIOp::create(b, position, word(1)));
    next->push_back(body.iterations.done);
    scf::YieldOp::create(b, finishStep(values, *next));
  }
  ValueRange results = op.getResults();
  storeCarried(results, carried);
  Value state = outputs[scan->getNumResults()];
  memref::StoreOp::create(b, results.drop_back().back(), state, indexOf(0));
  memref::StoreOp::create(b, stateOf(results.back()), state, indexOf(1));
  return success();
}

LogicalResult LoopEmitter::emitWhile(tx::WhileOp whileOp) {
  body.iterations = {word(0), scalars[0]};
  auto op = body.emitWhile(whileOp, [&](ValueRange before, ValueRange after) {
    return finishStep(before, after);
  });
  if (failed(op))
    return failure();
  ValueRange results = op->getResults();
  size_t carried = whileOp->getNumResults();
  storeCarried(results, carried);
  memref::StoreOp::create(b, stateOf(results.back()), outputs[carried],
                          indexOf(0));
  return success();
}

FailureOr<func::FuncOp> RegisterLoop::emit(OpBuilder &b, StringRef name) {
  auto flat = [](Type element) -> Type {
    return MemRefType::get({ShapedType::kDynamic}, element);
  };
  SmallVector<Type> types;
  auto scan = dyn_cast<tx::ScanOp>(loop);
  for (TypeRange list :
       {TypeRange(loop->getOperandTypes()), TypeRange(loop->getResultTypes())})
    for (Type type : list)
      types.push_back(flat(kernelType(getElementTypeOrSelf(type))));
  bool isInterrupted = hasNestedWhile();
  if (!scan || isInterrupted)
    types.push_back(flat(b.getI64Type()));
  size_t buffers = types.size();
  types.append(!scan                                ? 1
               : scan.getReverse() || isInterrupted ? 3
                                                    : 2,
               b.getI64Type());
  types.append({b.getIndexType(), b.getIndexType(), flat(b.getI8Type())});
  auto function = func::FuncOp::create(b, loop->getLoc(), name,
                                       b.getFunctionType(types, {}));
  function->setAttr("txk.kernel", b.getUnitAttr());
  for (size_t i = 0; i < buffers; ++i)
    function.setArgAttr(i, "llvm.noalias", b.getUnitAttr());
  function.addEntryBlock();
  if (failed(LoopEmitter(loop, function, lanes, target).emit()))
    return failure();
  return function;
}

} // namespace tensorc::codegen
