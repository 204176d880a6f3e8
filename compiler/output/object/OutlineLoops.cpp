//===- OutlineLoops.cpp - loops over small kernels as kernels -------------===//
//
//   %y = scf.for %i = %c0 to %c10000 step %c1 iter_args(%a = %x) {
//     %b = txp.alloc %c64
//     txp.launch @kernels::@k extent(%c16) grain(%c16384) ins(%a) outs(%b)
//     scf.yield %b
//   }
// ->
//   %y = scf.for %i = %c0 to %c10000 step %c256 iter_args(%a = %x) {
//     %end = arith.minsi (%i + 256), %c10000
//     %b = txp.alloc %c64
//     txp.launch @kernels::@loop_of_k extent(%c1) grain(%c1) scratch(%c128)
//         ins(%a) outs(%b) scalars(%i, %end : i64, i64)
//     scf.yield %b
//   }
//
// and a function loop_of_k, which calls k. The outs receive the carried values
// and, for a while loop, whether it stopped before its end. A run can be
// cancelled only between two parts of a loop, so the time of a part is limited.
//
// Loops are outlined if no kernel has more work items than its grain: it runs
// on one thread anyway. If sizes are known only at run time, the program
// decides at run time.
//
//===----------------------------------------------------------------------===//
#include "compiler/output/object/LoopOutline.h"
#include "compiler/output/object/Object.h"
#include "ir/program/LaunchAttributes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

namespace tensorc::compiler {
#define GEN_PASS_DEF_OUTLINELOOPSPASS
#include "compiler/output/object/Passes.h.inc"
} // namespace tensorc::compiler

/// Maximum number of kernel launches in a part of a loop. A launch of a single
/// grain takes about 10 us.
static constexpr int64_t launchesPerPart = 256;

int64_t Outline::iterations() const {
  return std::max<int64_t>(4, launchesPerPart / std::max(launches, 1u));
}

//===----------------------------------------------------------------------===//
// The loop as a separate program
//===----------------------------------------------------------------------===//

/// Clones the ops of a block, except its terminator, with their operands
/// mapped.
static void cloneInto(OpBuilder &b, Block &from, IRMapping &map) {
  for (Operation &op : from.without_terminator())
    b.clone(op, map);
}

static SmallVector<Value> mapped(const IRMapping &map, ValueRange values) {
  return llvm::map_to_vector(values,
                             [&](Value v) { return map.lookupOrDefault(v); });
}

void Outline::writeFor(txp::FuncOp program, IRMapping &map, Bytes &results) {
  auto from = cast<scf::ForOp>(loop);
  ValueRange bounds = program.getArguments().take_back(2);
  auto to = scf::ForOp::create(b, bounds[0], bounds[1], word(1), results);
  OpBuilder::InsertionGuard guard(b);
  Block &body = *to.getBody();
  body.clear();
  map.map(from.getBody()->getArguments(), body.getArguments());
  b.setInsertionPointToEnd(&body);
  cloneInto(b, *from.getBody(), map);
  scf::YieldOp::create(b, mapped(map, from.getYieldedValues()));
  results = llvm::to_vector_of<Value>(to.getResults());
}

/// Returns an i64 that is nonzero if the loop reached its maximum number of
/// iterations.
Value Outline::writeWhile(txp::FuncOp program, IRMapping &map, Bytes &results) {
  auto from = cast<scf::WhileOp>(loop);
  Value last = word(iterations()), one = word(1);
  SmallVector<Value> first(results);
  first.push_back(word(0));
  SmallVector<Type> types(results.size(), buffer());
  types.push_back(b.getI64Type());
  SmallVector<Location> locations(types.size(), b.getLoc());
  auto to = scf::WhileOp::create(b, types, first);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&to.getBefore(), {}, types, locations);
  map.map(from.getBeforeArguments(), before->getArguments().drop_back());
  Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                     before->getArguments().back(), last);
  auto choice = scf::IfOp::create(b, TypeRange(b.getI1Type()), more,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    choice.thenBlock()->clear();
    choice.elseBlock()->clear();
    b.setInsertionPointToEnd(choice.thenBlock());
    cloneInto(b, *from.getBeforeBody(), map);
    scf::YieldOp::create(
        b, map.lookupOrDefault(from.getConditionOp().getCondition()));
    b.setInsertionPointToEnd(choice.elseBlock());
    Value none = arith::ConstantOp::create(b, b.getBoolAttr(false));
    scf::YieldOp::create(b, none);
  }
  scf::ConditionOp::create(b, choice.getResult(0), before->getArguments());
  Block *after = b.createBlock(&to.getAfter(), {}, types, locations);
  map.map(from.getAfterArguments(), after->getArguments().drop_back());
  cloneInto(b, *from.getAfterBody(), map);
  SmallVector<Value> next = mapped(map, from.getYieldOp().getOperands());
  next.push_back(arith::AddIOp::create(b, after->getArguments().back(), one));
  scf::YieldOp::create(b, next);
  results = llvm::to_vector_of<Value>(to.getResults().drop_back());
  b.setInsertionPointAfter(to);
  Value isAtEnd = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        to.getResults().back(), last);
  return arith::ExtUIOp::create(b, b.getI64Type(), isAtEnd);
}

/// The program's arguments are: buffers that are read, carried values, results
/// for these, the state of a while loop, buffers that are written, words, and
/// the bounds of a for loop.
txp::FuncOp Outline::writeProgram() {
  size_t carried = bytes.size();
  size_t buffers = ins.size() + 2 * carried + !isFor + outs.size();
  SmallVector<Type> types(buffers, buffer());
  types.append(words.size() + (isFor ? 2 : 0), b.getI64Type());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(kernels->getParentOfType<ModuleOp>().getBody());
  auto program = txp::FuncOp::create(b, "loop", b.getFunctionType(types, {}));
  Block *block = program.getBody().empty() ? &program.getBody().emplaceBlock()
                                           : &program.getBody().front();
  if (block->getNumArguments() == 0)
    block->addArguments(types, SmallVector<Location>(types.size(), b.getLoc()));
  b.setInsertionPointToEnd(block);
  IRMapping map;
  ArrayRef<BlockArgument> arguments = block->getArguments();
  map.map(ins, arguments.take_front(ins.size()));
  arguments = arguments.drop_front(ins.size());
  Bytes results(arguments.take_front(carried));
  arguments = arguments.drop_front(carried);
  SmallVector<Value> targets(arguments.take_front(carried + !isFor));
  arguments = arguments.drop_front(targets.size());
  ArrayRef<BlockArgument> writes = arguments.take_front(outs.size());
  map.map(outs, writes);
  map.map(words, arguments.drop_front(outs.size()).take_front(words.size()));
  for (Value value : fixed)
    b.clone(*value.getDefiningOp(), map);
  Value zero = word(0), eight = word(8), state;
  // Copies and fills write the whole target, but arguments have no size.
  for (auto [out, argument] : llvm::zip_equal(outs, writes))
    if (Value size = definedSizeOf(out))
      map.map(out, txp::ViewOp::create(b, buffer(), argument, zero,
                                       map.lookup(size)));
  if (isFor)
    writeFor(program, map, results);
  else
    state = writeWhile(program, map, results);
  auto target = [&](unsigned i, Value bytes) {
    return txp::ViewOp::create(b, buffer(), targets[i], zero, bytes);
  };
  for (unsigned i = 0; i < carried; ++i)
    txp::CopyOp::create(b, results[i], target(i, map.lookup(bytes[i])), 0);
  if (state)
    txp::FillOp::create(b, target(carried, eight), state, 8, 0);
  txp::ReturnOp::create(b, ValueRange());
  return program;
}

FailureOr<std::string> Outline::writeKernel(txp::FuncOp program,
                                            ObjectConstants &constants) {
  std::string stem = "loop_of_" + called.front();
  if (called.size() > 1)
    stem += "_and_" + std::to_string(called.size() - 1) + "_more";
  std::string name = stem;
  for (unsigned i = 1; kernels.lookupSymbol(name); ++i)
    name = stem + "_" + std::to_string(i);
  OpBuilder at = OpBuilder::atBlockEnd(kernels.getBody());
  auto pointer = LLVM::LLVMPointerType::get(at.getContext());
  Type i64 = at.getI64Type();
  auto func = LLVM::LLVMFuncOp::create(
      at, loop->getLoc(), name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(at.getContext()),
                                  {pointer, i64, i64, pointer}));
  ObjectSignature signature;
  signature.func = program;
  ObjectMessages messages;
  if (failed(
          KernelWriter(signature, messages, kernels, func, constants).write()))
    return failure();
  return name;
}

//===----------------------------------------------------------------------===//
// The parts of the loop
//===----------------------------------------------------------------------===//

/// Returns the size of the scratch memory that KernelWriter lays out.
Value Outline::scratchBytes(txp::FuncOp program) {
  SmallVector<unsigned> copies;
  program.walk<WalkOrder::PreOrder>(
      [&](txp::AllocOp op) { copies.push_back(copiesOf(op, CallStack())); });
  Value total = word(0), most;
  auto copy = copies.begin();
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto alloc = dyn_cast<txp::AllocOp>(op)) {
      Value stride = aligned(alloc.getBytes(), bufferAlignment);
      if (*copy > 1)
        stride = fold<arith::MaxSIOp>(stride, word(bufferAlignment));
      total = fold<arith::AddIOp>(total,
                                  fold<arith::MulIOp>(stride, word(*copy++)));
    } else if (auto launch = dyn_cast<txp::LaunchOp>(op);
               launch && launch.getScratch()) {
      Value own = aligned(launch.getScratch(), scratchAlignment);
      most = most ? fold<arith::MaxSIOp>(most, own) : own;
    }
  });
  if (most)
    total = fold<arith::AddIOp>(aligned(total, scratchAlignment), most);
  return matchPattern(total, m_Zero()) ? Value() : total;
}

/// Launches a part of the loop and returns the carried values after it.
SmallVector<Value> Outline::launchPart(const Kernel &kernel, ValueRange carried,
                                       ValueRange bounds, Value state) {
  SmallVector<Value> reads(ins), writes, scalars(words), results;
  llvm::append_range(reads, carried);
  for (Value size : bytes)
    results.push_back(txp::AllocOp::create(b, buffer(), size));
  writes = results;
  if (state)
    writes.push_back(state);
  llvm::append_range(writes, outs);
  llvm::append_range(scalars, bounds);
  auto symbol =
      SymbolRefAttr::get(kernels.getSymNameAttr(),
                         {FlatSymbolRefAttr::get(b.getContext(), kernel.name)});
  auto launch = txp::LaunchOp::create(
      b, symbol, word(1), word(1), kernel.scratch, reads, writes, scalars,
      /*queue=*/0, /*block=*/0, /*shared=*/0, ArrayAttr(), ValueRange());
  launch->setAttr(txp::updatesAttr, b.getUnitAttr());
  SmallVector<StringRef> names(called.begin(), called.end());
  launch->setAttr(txp::callsAttr, b.getStrArrayAttr(names));
  return results;
}

SmallVector<Value> Outline::writeForParts(const Kernel &kernel) {
  auto from = cast<scf::ForOp>(loop);
  Value lower = from.getLowerBound(), upper = from.getUpperBound();
  APInt first, last;
  if (matchPattern(lower, m_ConstantInt(&first)) &&
      matchPattern(upper, m_ConstantInt(&last)) && first.slt(last) &&
      (last - first).sle(iterations())) {
    weights[kernel.name] =
        launches * static_cast<unsigned>((last - first).getZExtValue());
    return launchPart(kernel, from.getInitArgs(), {lower, upper}, Value());
  }
  Value step = word(iterations());
  auto to = scf::ForOp::create(b, lower, upper, step, from.getInitArgs());
  OpBuilder::InsertionGuard guard(b);
  to.getBody()->clear();
  b.setInsertionPointToEnd(to.getBody());
  Value begin = to.getInductionVar();
  Value end =
      arith::MinSIOp::create(b, arith::AddIOp::create(b, begin, step), upper);
  scf::YieldOp::create(
      b, launchPart(kernel, to.getRegionIterArgs(), {begin, end}, Value()));
  return llvm::to_vector_of<Value>(to.getResults());
}

SmallVector<Value> Outline::writeWhileParts(const Kernel &kernel) {
  auto from = cast<scf::WhileOp>(loop);
  TypeRange types = from.getResultTypes();
  SmallVector<Location> locations(types.size(), b.getLoc());
  Value zero = word(0), eight = word(8);
  auto to = scf::WhileOp::create(b, types, from.getInits());
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&to.getBefore(), {}, types, locations);
  Value state = txp::AllocOp::create(b, buffer(), eight);
  SmallVector<Value> results =
      launchPart(kernel, before->getArguments(), {}, state);
  Value goesOn =
      txp::ReadScalarOp::create(b, b.getI64Type(), state, zero, b.getI64Type());
  scf::ConditionOp::create(
      b, arith::CmpIOp::create(b, arith::CmpIPredicate::ne, goesOn, zero),
      results);
  Block *after = b.createBlock(&to.getAfter(), {}, types, locations);
  scf::YieldOp::create(b, after->getArguments());
  return llvm::to_vector_of<Value>(to.getResults());
}

/// Returns the condition that each launch whose size is unknown consists of a
/// single grain; null if there are no such launches.
Value Outline::condition() {
  Value all;
  for (auto [extent, grain] : unknown) {
    Value fits =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sle, extent, grain);
    all = all ? Value(arith::AndIOp::create(b, all, fits)) : fits;
  }
  return all;
}

LogicalResult Outline::rewrite(ObjectConstants &constants) {
  txp::FuncOp program = writeProgram();
  Kernel kernel{"", scratchBytes(program)};
  auto name = writeKernel(program, constants);
  program.erase();
  if (failed(name))
    return failure();
  kernel.name = std::move(*name);
  auto writeParts = [&] {
    return isFor ? writeForParts(kernel) : writeWhileParts(kernel);
  };
  Value fits = condition();
  if (!fits) {
    loop->replaceAllUsesWith(writeParts());
    loop->erase();
    return success();
  }
  auto choice = scf::IfOp::create(b, loop->getResultTypes(), fits,
                                  /*withElseRegion=*/true);
  loop->replaceAllUsesWith(choice.getResults());
  choice.thenBlock()->clear();
  choice.elseBlock()->clear();
  b.setInsertionPointToEnd(choice.thenBlock());
  scf::YieldOp::create(b, writeParts());
  b.setInsertionPointToEnd(choice.elseBlock());
  loop->moveBefore(choice.elseBlock(), choice.elseBlock()->end());
  scf::YieldOp::create(b, loop->getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Keeps kernels that are still called as internal functions. They are not
/// inlined, as kernels load their arguments as invariant.
static void keepCalledKernels(ModuleOp module, ModuleOp kernels,
                              const llvm::StringSet<> &called) {
  llvm::StringSet<> launched;
  module.walk([&](txp::LaunchOp op) {
    launched.insert(op.getKernel().getLeafReference());
  });
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>()) {
    if (!called.contains(kernel.getName()))
      continue;
    kernel.setNoInline(true);
    if (!launched.contains(kernel.getName()))
      kernel.setLinkage(LLVM::Linkage::Internal);
  }
}

namespace {
struct OutlineLoops : compiler::impl::OutlineLoopsPassBase<OutlineLoops> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto kernels = module.lookupSymbol<ModuleOp>("kernels");
    if (!kernels)
      return;
    SmallVector<Operation *> loops; // inner ones first
    for (auto program : module.getOps<txp::FuncOp>())
      program.walk([&](Operation *op) {
        if (isa<scf::ForOp, scf::WhileOp>(op))
          loops.push_back(op);
      });
    ObjectConstants constants(kernels);
    llvm::StringSet<> called;
    Outline::Weights weights;
    for (Operation *loop : loops) {
      Outline outline(loop, kernels, weights);
      if (!outline.matches())
        continue;
      if (called.empty())
        addSupport(kernels);
      for (const std::string &name : outline.calledKernels())
        called.insert(name);
      if (failed(outline.rewrite(constants)))
        return signalPassFailure();
    }
    if (called.empty())
      return;
    dropUnusedSupport(kernels);
    keepCalledKernels(module, kernels, called);
  }
};
} // namespace
