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
#include "codegen/emitters/registers/StepLanes.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/RegisterLoopCosts.h"
#include "ir/tx/Control.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen {

RegisterLoop::RegisterLoop(Operation *loop, const TargetInfo &target)
    : loop(loop), target(target),
      lanes(target.getLanes(Float32Type::get(loop->getContext()))) {}

bool RegisterLoop::matches() {
  if (target.isSimt() || !target.hasFma())
    return false;
  for (Region &region : loop->getRegions()) {
    auto more = registerCost(region.front(), lanes);
    if (!more)
      return false;
    cost += *more;
  }
  return cost <= loopCosts::maxLoopOps;
}

int64_t RegisterLoop::iterationsOfPart() const {
  return loopCosts::partOps / std::max(cost, loopCosts::minLoopOps);
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
        r(b, lanes), body(r, target) {
    ArrayRef<BlockArgument> arguments = function.getArguments();
    size_t results = loop->getNumResults() + isa<tx::WhileOp>(loop);
    inputs = arguments.take_front(loop->getNumOperands());
    arguments = arguments.drop_front(inputs.size());
    outputs = arguments.take_front(results);
    scalars = arguments.drop_front(results);
  }

  LogicalResult emit() {
    LogicalResult made = isa<tx::ScanOp>(loop)
                             ? emitScan(cast<tx::ScanOp>(loop))
                             : emitWhile(cast<tx::WhileOp>(loop));
    func::ReturnOp::create(b);
    return made;
  }

private:
  Operation *loop;
  ImplicitLocOpBuilder b;
  RegisterBuilder r;
  RegisterBody body;
  ArrayRef<BlockArgument> inputs, outputs, scalars;

  Value indexOf(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value scalarIndex(unsigned i) {
    return arith::IndexCastOp::create(b, b.getIndexType(), scalars[i]);
  }
  /// Groups consecutive parts into values of these types.
  SmallVector<RegisterValue> group(ValueRange parts, TypeRange types);
  SmallVector<RegisterValue> readAll(ArrayRef<BlockArgument> from,
                                     TypeRange types);
  SmallVector<RegisterValue> readCommon(size_t first);
  void storeCarried(ValueRange parts, TypeRange types);
  LogicalResult emitScan(tx::ScanOp scan);
  LogicalResult emitWhile(tx::WhileOp op);
};
} // namespace

static SmallVector<Value> partsOf(ArrayRef<RegisterValue> values) {
  SmallVector<Value> parts;
  for (const RegisterValue &value : values)
    llvm::append_range(parts, value.parts);
  return parts;
}

SmallVector<RegisterValue> LoopEmitter::group(ValueRange parts,
                                              TypeRange types) {
  SmallVector<RegisterValue> values;
  for (Type type : types) {
    int64_t count = elementsOf(type), number = r.countParts(count);
    values.push_back({count, llvm::to_vector<4>(parts.take_front(number))});
    parts = parts.drop_front(number);
  }
  return values;
}

SmallVector<RegisterValue> LoopEmitter::readAll(ArrayRef<BlockArgument> from,
                                                TypeRange types) {
  SmallVector<RegisterValue> values;
  for (auto [input, type] : llvm::zip_equal(from, types))
    values.push_back(r.load(input, indexOf(0), elementsOf(type)));
  return values;
}

/// Loads the loop-invariant inputs, from input `first` on. An input of which
/// only slices are read stays in memory (see isReadInMemory).
SmallVector<RegisterValue> LoopEmitter::readCommon(size_t first) {
  SmallVector<RegisterValue> values;
  for (size_t i = first; i < inputs.size(); ++i) {
    bool isNeeded = false;
    for (Region &region : loop->getRegions()) {
      BlockArgument argument = region.getArgument(i + isa<tx::ScanOp>(loop));
      if (isReadInMemory(argument))
        body.keepInMemory(argument, inputs[i]);
      else
        isNeeded |= !argument.use_empty();
    }
    int64_t count = elementsOf(loop->getOperand(i).getType());
    values.push_back(isNeeded ? r.load(inputs[i], indexOf(0), count)
                              : RegisterValue());
  }
  return values;
}

void LoopEmitter::storeCarried(ValueRange parts, TypeRange types) {
  for (auto [i, value] : llvm::enumerate(group(parts, types)))
    r.store(value, outputs[i], indexOf(0));
}

LogicalResult LoopEmitter::emitScan(tx::ScanOp scan) {
  size_t carried = scan.getCarried(), scanned = scan.getScanned();
  auto types = llvm::to_vector(
      TypeRange(scan.getBody().front().getArgumentTypes()).drop_front());
  TypeRange argumentTypes(types),
      carriedTypes = argumentTypes.take_front(carried);
  SmallVector<RegisterValue> first =
      readAll(inputs.take_front(carried), carriedTypes);
  SmallVector<RegisterValue> common = readCommon(carried + scanned);
  Value lastStep;
  if (scan.getReverse())
    lastStep = arith::SubIOp::create(b, scalarIndex(2), indexOf(1));
  auto op = scf::ForOp::create(b, scalarIndex(0), scalarIndex(1), indexOf(1),
                               partsOf(first));
  {
    OpBuilder::InsertionGuard guard(b);
    Block &block = *op.getBody();
    block.clear();
    b.setInsertionPointToEnd(&block);
    Value at = op.getInductionVar();
    if (lastStep)
      at = arith::SubIOp::create(b, lastStep, at);
    SmallVector<RegisterValue> arguments{
        {1, {arith::IndexCastOp::create(b, b.getI64Type(), at)}}};
    llvm::append_range(arguments, group(op.getRegionIterArgs(), carriedTypes));
    auto offsetOf = [&](Type type) -> Value {
      return b.createOrFold<arith::MulIOp>(at, indexOf(elementsOf(type)));
    };
    for (size_t i = carried; i < carried + scanned; ++i)
      arguments.push_back(
          r.load(inputs[i], offsetOf(types[i]), elementsOf(types[i])));
    llvm::append_range(arguments, common);
    auto results = body.emit(scan.getBody().front(), arguments);
    if (failed(results))
      return failure();
    b.setLoc(scan.getLoc());
    ArrayRef<RegisterValue> next = *results;
    Operation *terminator = scan.getBody().front().getTerminator();
    for (size_t i = carried; i < next.size(); ++i)
      r.store(next[i], outputs[i],
              offsetOf(terminator->getOperand(i).getType()));
    scf::YieldOp::create(b, partsOf(next.take_front(carried)));
  }
  storeCarried(op.getResults(), carriedTypes);
  distributeSteps(op, r.lanes);
  return success();
}

LogicalResult LoopEmitter::emitWhile(tx::WhileOp loopOp) {
  size_t carried = loopOp->getNumResults();
  auto types = llvm::to_vector(loopOp->getResultTypes());
  SmallVector<RegisterValue> common = readCommon(carried);
  SmallVector<Value> first =
      partsOf(readAll(inputs.take_front(carried), types));
  first.push_back(arith::ConstantIntOp::create(b, b.getI64Type(), 0));
  auto op = scf::WhileOp::create(b, ValueRange(first).getTypes(), first);
  SmallVector<Location> locations(first.size(), loopOp.getLoc());
  auto argumentsOf = [&](Block &block) {
    SmallVector<RegisterValue> arguments =
        group(block.getArguments().drop_back(), types);
    llvm::append_range(arguments, common);
    return arguments;
  };
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&op.getBefore(), {},
                                ValueRange(first).getTypes(), locations);
  auto condition =
      body.emit(loopOp.getCondition().front(), argumentsOf(*before));
  if (failed(condition))
    return failure();
  Value hasRoom = arith::CmpIOp::create(
      b, arith::CmpIPredicate::slt, before->getArguments().back(), scalars[0]);
  scf::ConditionOp::create(
      b, arith::AndIOp::create(b, hasRoom, (*condition)[0].parts[0]),
      before->getArguments());
  Block *after = b.createBlock(&op.getAfter(), {}, ValueRange(first).getTypes(),
                               locations);
  auto next = body.emit(loopOp.getBody().front(), argumentsOf(*after));
  if (failed(next))
    return failure();
  SmallVector<Value> yielded = partsOf(*next);
  yielded.push_back(arith::AddIOp::create(
      b, after->getArguments().back(),
      arith::ConstantIntOp::create(b, b.getI64Type(), 1)));
  scf::YieldOp::create(b, yielded);
  b.setInsertionPointAfter(op);
  storeCarried(op.getResults().drop_back(), types);
  Value isFull = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                       op.getResults().back(), scalars[0]);
  memref::StoreOp::create(b, arith::ExtUIOp::create(b, b.getI64Type(), isFull),
                          outputs[carried], indexOf(0));
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
  if (!scan)
    types.push_back(flat(b.getI64Type()));
  size_t buffers = types.size();
  types.append(!scan ? 1 : scan.getReverse() ? 3 : 2, b.getI64Type());
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
