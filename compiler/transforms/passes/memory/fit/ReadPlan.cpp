//===- ReadPlan.cpp - Reads the steps of a run from a program -------------===//

#include "compiler/transforms/passes/memory/fit/RunPlan.h"

#include "compiler/transforms/passes/memory/BufferAliases.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/Dims.h"
#include "runtime/abi/BlockSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler {

static bool isLaunchOrMove(Operation *op) {
  return isa<txp::LaunchOp, txp::CopyOp, txp::FillOp>(op);
}

/// True for ops that are not steps of the run: sizes, views and allocations.
static bool isPartOfSteps(Operation *op) {
  return isa<txp::AllocOp>(op) || (op->getNumRegions() == 0 && isPure(op));
}

namespace {
/// Reads one program, or one block of a loop in it.
class RunReader {
public:
  RunReader(Block &block, const RunRates &rates, DictionaryAttr sizes)
      : block(block), rates(rates), sizes(sizes) {}
  FailureOr<RunPlan> read();

private:
  using Roots = SmallVector<unsigned, 1>;

  bool isInLoop() const {
    return isa<LoopLikeOpInterface>(block.getParentOp());
  }
  std::optional<int64_t> numberOf(shape::Dim dim) const;
  std::optional<int64_t> numberOf(Value value) const;
  bool addAlloc(txp::AllocOp alloc);
  /// If the value is a whole buffer that the block allocates, returns the
  /// buffer's number; otherwise -1.
  int bufferOf(Value value) const {
    Operation *alloc = value.getDefiningOp<txp::AllocOp>();
    if (!alloc || alloc->getBlock() != &block)
      return -1;
    return bufferOfRoot.lookup(roots.lookup(value).front());
  }
  void addConstant(txp::ConstantBufferOp constant);
  void addRoot(Value buffer);
  void addResults(Operation *op);
  bool addBodies(Operation *loop, unsigned step);
  int64_t carriedBytesOf(Operation *loop, const RunPlan &body) const;
  bool addStep(Operation *op);
  void fillLaunch(PlannedStep &step, txp::LaunchOp launch);
  bool belongsToLast(txp::LaunchOp launch) const;
  double secondsOf(txp::LaunchOp launch) const;
  std::optional<int64_t> scratchOf(txp::LaunchOp launch) const;
  std::optional<int64_t> nestedBytesOf(Operation *op, bool repeats,
                                       unsigned depth = 0);
  std::optional<int64_t> nestedScratchOf(Operation *op);
  void addDependences(Operation *op, unsigned step);
  void findRepeatable();
  bool addInputs(txp::FuncOp program);

  Block &block;
  const RunRates &rates;
  DictionaryAttr sizes;
  RunPlan plan;
  /// The allocations, arguments and constants that a value may be a part of.
  DenseMap<Value, Roots> roots;
  unsigned numRoots = 0;
  DenseMap<unsigned, unsigned> bufferOfRoot;
  DenseMap<Operation *, unsigned> stepOf;
  /// Per root: the last step that wrote it, and the steps that have read it
  /// since.
  DenseMap<unsigned, unsigned> lastWriter;
  DenseMap<unsigned, SmallVector<unsigned>> readers;
  std::optional<unsigned> lastAssert, lastEffect;
};
} // namespace

std::optional<int64_t> RunReader::numberOf(shape::Dim dim) const {
  return shape::evaluate(dim, [&](StringRef name) -> std::optional<int64_t> {
    auto size = sizes ? sizes.getAs<IntegerAttr>(name) : IntegerAttr();
    return size ? std::optional(size.getInt()) : std::nullopt;
  });
}

std::optional<int64_t> RunReader::numberOf(Value value) const {
  std::optional<int64_t> constant = constantOf(value);
  Operation *op = value.getDefiningOp();
  if (constant || !sizes || !op)
    return constant;
  if (auto dim = dyn_cast<txp::DimOp>(op)) {
    auto argument = dyn_cast<BlockArgument>(dim.getBuffer());
    auto entry = argument
                     ? dyn_cast<txp::FuncOp>(argument.getOwner()->getParentOp())
                     : txp::FuncOp();
    if (!entry || !entry.isEntry())
      return std::nullopt;
    auto input = cast<TypeAttr>((*entry.getInputs())[argument.getArgNumber()]);
    return numberOf(
        tx::dimsOf(cast<RankedTensorType>(input.getValue()))[dim.getIndex()]);
  }
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<int64_t> a = numberOf(op->getOperand(0)),
                         b = numberOf(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  return TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](arith::AddIOp) { return *a + *b; })
      .Case([&](arith::SubIOp) { return *a - *b; })
      .Case([&](arith::MulIOp) { return *a * *b; })
      .Case([&](arith::MinSIOp) { return std::min(*a, *b); })
      .Case([&](arith::MaxSIOp) { return std::max(*a, *b); })
      .Case<arith::CeilDivSIOp, arith::FloorDivSIOp, arith::DivSIOp>(
          [&](Operation *op) -> std::optional<int64_t> {
            if (*a < 0 || *b <= 0)
              return std::nullopt;
            return isa<arith::CeilDivSIOp>(op) ? llvm::divideCeil(*a, *b)
                                               : *a / *b;
          })
      .Default([](Operation *) { return std::nullopt; });
}

/// The values that an op and its regions read from the block around it.
static llvm::SetVector<Value> readFrom(Operation *op) {
  llvm::SetVector<Value> values;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
        values.insert(operand);
  });
  return values;
}

bool RunReader::addAlloc(txp::AllocOp alloc) {
  std::optional<int64_t> bytes = numberOf(alloc.getBytes());
  if (!bytes || *bytes < 0 || alloc.getQueue() != 0)
    return false;
  unsigned index = plan.buffers.size();
  plan.buffers.push_back({*bytes, alloc, index});
  bufferOfRoot[numRoots] = index;
  addRoot(alloc.getBuffer());
  return true;
}

void RunReader::addConstant(txp::ConstantBufferOp constant) {
  Value buffer = constant.getBuffer();
  addRoot(buffer);
  auto elements = dyn_cast<ElementsAttr>(constant.getValue());
  if (!rates.copiesConstants || !elements)
    return;
  int64_t bytes =
      tx::bytesOf(cast<RankedTensorType>(elements.getType())).constant();
  plan.constantBytes += blockOf(bytes);
  bool isPlain = llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    return isa<txp::LaunchOp>(user) && user->getBlock() == &block;
  });
  plan.constants.push_back({bytes, constant, isPlain});
}

/// Adds an allocation, and all values that may alias it.
void RunReader::addRoot(Value buffer) {
  for (Value alias : aliasesOf(buffer))
    roots[alias].push_back(numRoots);
  ++numRoots;
}

/// The results of a branch, a loop or a call may also be memory of their own.
void RunReader::addResults(Operation *op) {
  for (Value result : op->getResults())
    if (isa<txp::BufferType>(result.getType()))
      addRoot(result);
}

double RunReader::secondsOf(txp::LaunchOp launch) const {
  double bytes = 0, flops = 0;
  auto numbers = [](tx::DimsAttr dims) { return dims.getDims(); };
  if (auto sizes = launch->getAttrOfType<tx::DimsAttr>(txp::sizesAttr)) {
    unsigned count = launch.getIns().size() + launch.getOuts().size();
    for (shape::Dim dim : numbers(sizes).drop_front(2).take_front(count))
      bytes += static_cast<double>(numberOf(dim).value_or(0));
  }
  if (auto work = launch->getAttrOfType<tx::DimsAttr>(txp::flopsAttr))
    for (shape::Dim dim : numbers(work))
      flops += static_cast<double>(numberOf(dim).value_or(0));
  return rates.launchSeconds +
         std::max(bytes / rates.bytesPerSecond, flops / rates.flopsPerSecond);
}

/// True if the launch continues the work of the previous step: a fusion may
/// have several kernels on the same buffers.
bool RunReader::belongsToLast(txp::LaunchOp launch) const {
  if (plan.steps.empty() || !launch->hasAttr(txp::updatesAttr))
    return false;
  auto last = dyn_cast<txp::LaunchOp>(plan.steps.back().ops.back());
  return last && last.getIns() == launch.getIns() &&
         last.getOuts() == launch.getOuts();
}

void RunReader::fillLaunch(PlannedStep &step, txp::LaunchOp launch) {
  auto add = [&](ValueRange values, SmallVector<int> &list) {
    for (Value value : values)
      list.push_back(bufferOf(value));
  };
  add(launch.getIns(), step.ins);
  add(launch.getOuts(), step.outs);
  if (auto pairs = launch->getAttrOfType<DenseI64ArrayAttr>(txp::inPlaceAttr))
    for (ArrayRef<int64_t> list = pairs; !list.empty();
         list = list.drop_front(2))
      step.inPlace.push_back({list[0], list[1]});
}

/// Returns the bytes of scratch memory of all threads, or nullopt if they are
/// unknown.
std::optional<int64_t> RunReader::scratchOf(txp::LaunchOp launch) const {
  if (!launch.getScratch())
    return 0;
  std::optional<int64_t> bytes = numberOf(launch.getScratch());
  if (!bytes)
    return std::nullopt;
  return blockOf(llvm::alignTo(*bytes, rt::scratchAlignment) * rates.threads);
}

/// True if txp-outline-loops may make a kernel of the loop, whose scratch memory
/// has the buffers of its allocations.
static bool mayBeOutlined(Operation *loop) {
  return !loop->walk([](txp::LaunchOp launch) {
                std::optional<int64_t> extent = constantOf(launch.getExtent()),
                                       grain = constantOf(launch.getGrain());
                return extent && grain && *extent > *grain
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Returns the bytes that the scratch memory of an outlined loop needs in addition
/// to that of its kernels, for these bytes of buffers. A block may be larger by
/// an eighth than what is in it.
static int64_t outlinedBytes(int64_t bytes, int64_t scratch) {
  return bytes
             ? blockOf(bytes + (bytes + scratch) / 8 + 2 * rt::scratchAlignment)
             : 0;
}

/// Returns the bytes that an op allocates in addition to its results. The
/// runtime frees them at the end of the run. Returns nullopt if a size is not a
/// number. `repeats` tells whether the op runs several times.
std::optional<int64_t> RunReader::nestedBytesOf(Operation *op, bool repeats,
                                                unsigned depth) {
  constexpr unsigned maxCallDepth = 8;
  if (depth > maxCallDepth)
    return std::nullopt;
  if (auto call = dyn_cast<txp::CallOp>(op)) {
    Operation *callee =
        SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
    return callee ? nestedBytesOf(callee, repeats, depth + 1) : std::nullopt;
  }
  repeats |= isa<LoopLikeOpInterface>(op);
  int64_t total = 0;
  for (Region &region : op->getRegions()) {
    int64_t bytes = 0;
    for (Operation &inner : region.getOps()) {
      std::optional<int64_t> more;
      if (auto alloc = dyn_cast<txp::AllocOp>(inner)) {
        if ((more = numberOf(alloc.getBytes())))
          more = blockOf(*more) * (repeats ? countCopies(alloc) : 1);
      } else {
        more = nestedBytesOf(&inner, repeats, depth);
      }
      if (!more)
        return std::nullopt;
      bytes += *more;
    }
    // One of the branches runs.
    bool isBranch = isa<scf::IfOp, scf::IndexSwitchOp>(op) && !repeats;
    total = isBranch ? std::max(total, bytes) : total + bytes;
  }
  bool isOutlined = isa<LoopLikeOpInterface>(op) && !rates.copiesConstants &&
                    mayBeOutlined(op);
  return isOutlined
             ? total + outlinedBytes(total, nestedScratchOf(op).value_or(0))
             : total;
}

/// Returns the maximum scratch memory of the launches in the op and in the
/// functions it calls, or nullopt if it is unknown.
std::optional<int64_t> RunReader::nestedScratchOf(Operation *op) {
  int64_t maxBytes = 0;
  WalkResult known = op->walk([&](Operation *inner) {
    std::optional<int64_t> bytes = 0;
    if (auto launch = dyn_cast<txp::LaunchOp>(inner))
      bytes = scratchOf(launch);
    else if (auto call = dyn_cast<txp::CallOp>(inner))
      bytes = nestedScratchOf(
          SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
    if (!bytes)
      return WalkResult::interrupt();
    maxBytes = std::max(maxBytes, *bytes);
    return WalkResult::advance();
  });
  return known.wasInterrupted() ? std::nullopt : std::optional(maxBytes);
}

void RunReader::addDependences(Operation *op, unsigned step) {
  std::vector<unsigned> &before = plan.predecessors[step];
  auto dependOn = [&](unsigned other) {
    if (other != step && !llvm::is_contained(before, other))
      before.push_back(other);
  };
  // Sizes that are computed by other steps.
  SmallVector<Value> pending(readFrom(op).takeVector());
  DenseSet<Operation *> seen;
  while (!pending.empty()) {
    Operation *definition = pending.pop_back_val().getDefiningOp();
    if (!definition || definition->getBlock() != &block ||
        !seen.insert(definition).second)
      continue;
    auto it = stepOf.find(definition);
    if (it != stepOf.end())
      dependOn(it->second);
    else
      llvm::append_range(pending, definition->getOperands());
  }
  auto read = [&](Value value) {
    for (unsigned root : roots.lookup(value)) {
      if (auto it = lastWriter.find(root); it != lastWriter.end())
        dependOn(it->second);
      readers[root].push_back(step);
    }
  };
  auto write = [&](Value value) {
    for (unsigned root : roots.lookup(value)) {
      if (auto it = lastWriter.find(root); it != lastWriter.end())
        dependOn(it->second);
      for (unsigned reader : readers[root])
        dependOn(reader);
      readers[root].clear();
      lastWriter[root] = step;
    }
  };
  if (auto launch = dyn_cast<txp::LaunchOp>(op)) {
    llvm::for_each(launch.getIns(), read);
    llvm::for_each(launch.getOuts(), write);
  } else {
    for (Value value : readFrom(op)) {
      read(value);
      write(value);
    }
  }
  if (lastAssert)
    dependOn(*lastAssert);
  if (isLaunchOrMove(op))
    return;
  if (lastEffect)
    dependOn(*lastEffect);
  lastEffect = step;
  if (isa<txp::AssertOp>(op))
    lastAssert = step;
}

bool RunReader::addStep(Operation *op) {
  auto launch = dyn_cast<txp::LaunchOp>(op);
  if (auto queue = op->getAttrOfType<IntegerAttr>("queue");
      queue && queue.getInt() != 0)
    return false;
  // Repeated launches require that their arguments do not change.
  if (launch && llvm::any_of(launch.getOuts(), llvm::IsaPred<BlockArgument>))
    return false;
  std::optional<int64_t> scratch = nestedScratchOf(op);
  if (!scratch)
    return false;
  plan.scratchBytes = std::max(plan.scratchBytes, *scratch);
  bool isLoop = isa<scf::ForOp, scf::WhileOp>(op);
  if (!isLoop) {
    std::optional<int64_t> nested = nestedBytesOf(op, isInLoop());
    if (!nested)
      return false;
    plan.nestedBytes += *nested;
  }
  if (launch && belongsToLast(launch)) {
    PlannedStep &step = plan.steps.back();
    step.ops.push_back(op);
    step.seconds += secondsOf(launch);
    step.inPlace.clear();
    stepOf[op] = plan.steps.size() - 1;
    addDependences(op, plan.steps.size() - 1);
    return true;
  }
  unsigned index = plan.steps.size();
  PlannedStep &step = plan.steps.emplace_back();
  plan.predecessors.emplace_back();
  step.ops.push_back(op);
  stepOf[op] = index;
  if (launch) {
    fillLaunch(step, launch);
    step.seconds = secondsOf(launch);
  }
  for (Value value : readFrom(op)) {
    if (launch && bufferOf(value) >= 0)
      continue;
    for (unsigned root : roots.lookup(value))
      if (auto it = bufferOfRoot.find(root); it != bufferOfRoot.end()) {
        step.others.push_back(it->second);
        plan.buffers[it->second].isPlain = false;
      }
  }
  if (isLoop && !addBodies(op, index))
    return false;
  addDependences(op, index);
  addResults(op);
  return true;
}

/// Returns the number of iterations, or a guess.
static double iterationsOf(Operation *loop) {
  constexpr double guess = 10;
  auto op = dyn_cast<scf::ForOp>(loop);
  if (!op)
    return guess;
  std::optional<int64_t> begin = constantOf(op.getLowerBound()),
                         end = constantOf(op.getUpperBound()),
                         by = constantOf(op.getStep());
  if (!begin || !end || !by || *by <= 0)
    return guess;
  return std::max<double>(1, llvm::divideCeil(*end - *begin, *by));
}

/// Returns the bytes of the values that iterations allocate and pass on.
int64_t RunReader::carriedBytesOf(Operation *loop, const RunPlan &body) const {
  bool isOutlined = !rates.copiesConstants && mayBeOutlined(loop);
  int64_t total = 0, scratch = 0;
  for (const PlannedBuffer &buffer : body.buffers) {
    if (!buffer.isResult)
      continue;
    int64_t copies = countCopies(buffer.alloc);
    total += copies * blockOf(buffer.bytes);
    scratch += copies * (buffer.bytes + rt::scratchAlignment);
  }
  return isOutlined ? total + outlinedBytes(scratch, body.scratchBytes) : total;
}

/// Reads the blocks of a loop.
bool RunReader::addBodies(Operation *loop, unsigned step) {
  double iterations = iterationsOf(loop);
  for (Region &region : loop->getRegions()) {
    FailureOr<RunPlan> body = RunReader(region.front(), rates, sizes).read();
    if (failed(body))
      return false;
    plan.nestedBytes += body->nestedBytes + carriedBytesOf(loop, *body);
    plan.constantBytes += body->constantBytes;
    for (const PlannedStep &inner : body->steps)
      plan.steps[step].seconds += iterations * inner.seconds;
    unsigned buffer = plan.buffers.size();
    PlannedBuffer temporaries;
    temporaries.bytes = body->arenaBytes();
    temporaries.loop = loop;
    temporaries.content = buffer;
    temporaries.isPlain = false;
    if (temporaries.bytes == 0)
      continue;
    plan.buffers.push_back(temporaries);
    plan.steps[step].others.push_back(buffer);
    auto shared = std::make_shared<const RunPlan>(std::move(*body));
    plan.bodies.push_back(
        {&region.front(), buffer, iterations, shared, shared});
  }
  return true;
}

/// A launch can be repeated if nothing else writes its results or its inputs. In a
/// loop that includes memory from outside of it.
void RunReader::findRepeatable() {
  auto isUnchanged = [&](Value value) {
    return llvm::none_of(roots.lookup(value), [&](unsigned root) {
      return !bufferOfRoot.count(root) && lastWriter.count(root);
    });
  };
  std::vector<unsigned> writers(plan.buffers.size());
  for (const PlannedStep &step : plan.steps)
    for (int out : step.outs)
      if (out >= 0)
        ++writers[out];
  auto isWrittenOnce = [&](int buffer) {
    return plan.buffers[buffer].isPlain && writers[buffer] == 1;
  };
  for (PlannedStep &step : plan.steps)
    step.isRepeatable =
        !step.outs.empty() && step.others.empty() &&
        !step.ops.front()->hasAttr(txp::updatesAttr) &&
        llvm::all_of(cast<txp::LaunchOp>(step.ops.front()).getIns(),
                     isUnchanged) &&
        llvm::all_of(step.outs,
                     [&](int out) { return out >= 0 && isWrittenOnce(out); }) &&
        llvm::all_of(step.ins,
                     [&](int in) { return in < 0 || isWrittenOnce(in); });
}

/// Adds the bytes of the arguments. Returns false if a size is not a number.
bool RunReader::addInputs(txp::FuncOp program) {
  for (auto [argument, input] :
       llvm::zip_equal(block.getArguments(), *program.getInputs())) {
    if (!isa<txp::BufferType>(argument.getType()))
      continue;
    std::optional<int64_t> bytes = numberOf(
        tx::bytesOf(cast<RankedTensorType>(cast<TypeAttr>(input).getValue())));
    if (!bytes)
      return false;
    plan.inputBytes += blockOf(*bytes);
  }
  return true;
}

FailureOr<RunPlan> RunReader::read() {
  llvm::SetVector<Value> outside;
  getUsedValuesDefinedAbove(*block.getParent(), outside);
  for (Value value : outside)
    if (isa<txp::BufferType>(value.getType()))
      addRoot(value);
  for (BlockArgument argument : block.getArguments())
    if (isa<txp::BufferType>(argument.getType()))
      addRoot(argument);
  auto program = dyn_cast<txp::FuncOp>(block.getParentOp());
  if (program && !addInputs(program))
    return failure();
  for (Operation &op : block.without_terminator()) {
    if (auto alloc = dyn_cast<txp::AllocOp>(op)) {
      if (!addAlloc(alloc))
        return failure();
    } else if (auto constant = dyn_cast<txp::ConstantBufferOp>(op)) {
      addConstant(constant);
    } else if (!isPartOfSteps(&op) && !addStep(&op)) {
      return failure();
    }
  }
  for (Value value : block.getTerminator()->getOperands())
    for (unsigned root : roots.lookup(value))
      if (auto it = bufferOfRoot.find(root); it != bufferOfRoot.end()) {
        PlannedBuffer &buffer = plan.buffers[it->second];
        if (!std::exchange(buffer.isResult, true))
          plan.resultBytes += blockOf(buffer.bytes);
      }
  findRepeatable();
  return std::move(plan);
}

FailureOr<RunPlan> RunPlan::read(txp::FuncOp program, const RunRates &rates,
                                 DictionaryAttr sizes) {
  return RunReader(program.getBody().front(), rates, sizes).read();
}

} // namespace tensorc::compiler
