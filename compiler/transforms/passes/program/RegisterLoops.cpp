//===- RegisterLoops.cpp - Loops of a host program that become one kernel -===//
//
//   %y = tx.scan <[100000]> carried = 1 scanned = 0 (%x) { ... }
// ->
//   %y = scf.for %i = %c0 to %c100000 step %c65536 iter_args(%a = %x) {
//     %end = arith.minsi (%i + 65536), %c100000
//     %b = txp.alloc %c16
//     txp.launch @kernels::@loop_of_step extent(%c1) grain(%c1)
//         ins(%a) outs(%b) scalars(%i, %end : i64, i64)
//     scf.yield %b
//   }
//
// A run can be cancelled between two parts of a loop, so parts are bounded in
// time.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/program/RegisterLoops.h"
#include "codegen/emitters/registers/RegisterLoop.h"
#include "ir/program/LaunchAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::compiler {

/// A part of a loop should take as long as this number of launches of small
/// kernels.
static constexpr int64_t launchesOfPart = 256;

/// Returns the name `loop_of_first_and_2_more`.
static std::string nameOf(ArrayRef<StringRef> fusions) {
  if (fusions.empty())
    return "loop";
  std::string name = ("loop_of_" + fusions.front()).str();
  if (fusions.size() > 1)
    name += "_and_" + std::to_string(fusions.size() - 1) + "_more";
  return name;
}

FailureOr<bool> RegisterLoops::emit(Operation *loop) {
  codegen::RegisterLoop registers(loop, target);
  if (!registers.matches())
    return false;
  SmallVector<StringRef> fusions = registers.fusions();
  OpBuilder kernelBuilder =
      OpBuilder::atBlockEnd(&kernels->getRegion(0).front());
  auto function = registers.emit(kernelBuilder, nameOf(fusions));
  if (failed(function))
    return failure();
  SymbolTable(kernels).insert(*function);
  int64_t part = registers.iterationsOfPart(), iterations = part;
  auto scan = dyn_cast<tx::ScanOp>(loop);
  if (scan)
    iterations = std::min(part, scan.lengthDim().number().value_or(part));
  Kernel kernel{*function, fusions, part,
                std::max<int64_t>(1, launchesOfPart * iterations / part),
                registers.hasNestedWhile()};
  if (scan && kernel.hasNestedWhile)
    launchInterrupted(scan, kernel);
  else if (scan)
    launchScan(scan, kernel);
  else
    launchWhile(cast<tx::WhileOp>(loop), kernel);
  return true;
}

/// Launches the kernel for a part of the loop. `written` are the buffers for
/// its results.
void RegisterLoops::launchPart(Operation *loop, const Kernel &kernel,
                               ValueRange carried, ValueRange written,
                               ValueRange words) {
  SmallVector<Value> reads(carried);
  for (Value input : loop->getOperands().drop_front(carried.size()))
    reads.push_back(values[input]);
  auto symbol = SymbolRefAttr::get(SymbolTable::getSymbolName(kernels),
                                   {FlatSymbolRefAttr::get(kernel.function)});
  Value one = sizes.word(1);
  auto launch = txp::LaunchOp::create(
      b, symbol, one, one, Value(), reads, written, words, /*queue=*/0,
      /*block=*/0, /*shared=*/0, ArrayAttr(), ValueRange());
  launch->setAttr(txp::updatesAttr, b.getUnitAttr());
  launch->setAttr(txp::callsAttr, b.getStrArrayAttr(kernel.fusions));
  launch->setAttr(txp::weightAttr, b.getI64IntegerAttr(kernel.weight));
}

SmallVector<Value> RegisterLoops::allocate(ValueRange results) {
  return llvm::map_to_vector(results, [&](Value v) -> Value {
    return txp::AllocOp::create(b, bufferType(), sizes.bytesOf(v.getType()));
  });
}

void RegisterLoops::launchScan(tx::ScanOp scan, const Kernel &kernel) {
  ValueRange results = scan->getResults();
  ValueRange carriedResults = results.take_front(scan.getCarried());
  auto first =
      llvm::map_to_vector(scan.getInputs().take_front(scan.getCarried()),
                          [&](Value v) -> Value { return values[v]; });
  SmallVector<Value> stacked = allocate(results.drop_front(scan.getCarried()));
  Value length = sizes.value(scan.lengthDim()), zero = sizes.word(0);
  auto launchTo = [&](ValueRange carried, Value begin, Value end) {
    SmallVector<Value> made = allocate(carriedResults), words{begin, end};
    if (scan.getReverse())
      words.push_back(length);
    SmallVector<Value> written(made);
    llvm::append_range(written, stacked);
    launchPart(scan, kernel, carried, written, words);
    return made;
  };
  SmallVector<Value> last;
  shape::Dim known = scan.lengthDim();
  if (known.isNumber() && *known.number() <= kernel.iterations) {
    last = launchTo(first, zero, length);
  } else {
    Value step = sizes.word(kernel.iterations);
    auto parts = scf::ForOp::create(b, zero, length, step, first);
    OpBuilder::InsertionGuard guard(b);
    parts.getBody()->clear();
    b.setInsertionPointToEnd(parts.getBody());
    Value begin = parts.getInductionVar();
    Value end = arith::MinSIOp::create(b, arith::AddIOp::create(b, begin, step),
                                       length);
    scf::YieldOp::create(b, launchTo(parts.getRegionIterArgs(), begin, end));
    last = llvm::to_vector_of<Value>(parts.getResults());
  }
  llvm::append_range(last, stacked);
  for (auto [result, buffer] : llvm::zip_equal(results, last))
    values[result] = buffer;
}

/// Launches the kernel of a loop whose number of iterations is known only at
/// run time, until its state is 0. `words` are carried from one launch to the
/// next. `launch` takes the carried buffers, the words and a limit on iterations,
/// and returns the buffers, the next words, and the state.
///
/// The maximum is doubled after a launch that did not complete an iteration, so
/// that an iteration of any length is completed.
void RegisterLoops::launchUntilDone(
    Operation *loop, const Kernel &kernel, size_t carried, ValueRange words,
    llvm::function_ref<Launched(ValueRange, ValueRange, Value)> launch) {
  SmallVector<Value> first =
      llvm::map_to_vector(loop->getOperands().take_front(carried),
                          [&](Value v) -> Value { return values[v]; });
  llvm::append_range(first, words);
  Value zero = sizes.word(0), two = sizes.word(2), three = sizes.word(3),
        iterations = sizes.word(kernel.iterations);
  if (kernel.hasNestedWhile)
    first.push_back(iterations);
  auto types = llvm::to_vector(ValueRange(first).getTypes());
  SmallVector<Location> locations(first.size(), loop->getLoc());
  auto parts = scf::WhileOp::create(b, types, first);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&parts.getBefore(), {}, types, locations);
  ValueRange arguments = before->getArguments();
  Value max = kernel.hasNestedWhile ? arguments.back() : iterations;
  Launched made = launch(arguments.take_front(carried),
                         arguments.slice(carried, words.size()), max);
  SmallVector<Value> next = made.buffers;
  llvm::append_range(next, made.words);
  if (kernel.hasNestedWhile) {
    Value isCut =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, made.state, three);
    next.push_back(arith::SelectOp::create(
        b, isCut, arith::MulIOp::create(b, max, two), iterations));
  }
  scf::ConditionOp::create(
      b, arith::CmpIOp::create(b, arith::CmpIPredicate::ne, made.state, zero),
      next);
  Block *after = b.createBlock(&parts.getAfter(), {}, types, locations);
  scf::YieldOp::create(b, after->getArguments());
  for (size_t i = 0; i < carried; ++i)
    values[loop->getResult(i)] = parts.getResult(i);
}

/// Reads the i64 at this offset of the state.
Value RegisterLoops::readState(Value state, Value offset) {
  return txp::ReadScalarOp::create(b, b.getI64Type(), state, offset,
                                   b.getI64Type());
}

void RegisterLoops::launchInterrupted(tx::ScanOp scan, const Kernel &kernel) {
  size_t carried = scan.getCarried();
  ValueRange results = scan->getResults();
  SmallVector<Value> stacked = allocate(results.drop_front(carried));
  Value length = sizes.value(scan.lengthDim()), zero = sizes.word(0),
        eight = sizes.word(8), sixteen = sizes.word(16);
  launchUntilDone(
      scan, kernel, carried, zero,
      [&](ValueRange buffers, ValueRange words, Value max) {
        Launched made;
        made.buffers = allocate(results.take_front(carried));
        Value state = txp::AllocOp::create(b, bufferType(), sixteen);
        SmallVector<Value> written = made.buffers;
        llvm::append_range(written, stacked);
        written.push_back(state);
        launchPart(scan, kernel, buffers, written, {words[0], length, max});
        made.words.push_back(readState(state, zero));
        made.state = readState(state, eight);
        return made;
      });
  for (auto [result, buffer] :
       llvm::zip_equal(results.drop_front(carried), stacked))
    values[result] = buffer;
}

void RegisterLoops::launchWhile(tx::WhileOp loop, const Kernel &kernel) {
  Value zero = sizes.word(0), eight = sizes.word(8);
  launchUntilDone(loop, kernel, loop->getNumResults(), {},
                  [&](ValueRange buffers, ValueRange, Value max) {
                    Launched made;
                    made.buffers = allocate(loop->getResults());
                    Value state = txp::AllocOp::create(b, bufferType(), eight);
                    SmallVector<Value> written = made.buffers;
                    written.push_back(state);
                    launchPart(loop, kernel, buffers, written, max);
                    made.state = readState(state, zero);
                    return made;
                  });
}

} // namespace tensorc::compiler
