//===- RunPlan.cpp - The steps of a run and their memory use --------------===//

#include "compiler/transforms/passes/memory/fit/RunPlan.h"

#include "compiler/transforms/passes/memory/BufferAliases.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/Dims.h"
#include "runtime/abi/BlockSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler {

//===----------------------------------------------------------------------===//
// Reading a program
//===----------------------------------------------------------------------===//

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

static int64_t blockOf(int64_t bytes) {
  return static_cast<int64_t>(rt::blockBytes(static_cast<size_t>(bytes)));
}

static bool isLaunchOrMove(Operation *op) {
  return isa<txp::LaunchOp, txp::CopyOp, txp::FillOp>(op);
}

/// True for ops that are not steps of the run: sizes, views and allocations.
static bool isPartOfSteps(Operation *op) {
  return isa<txp::AllocOp>(op) || (op->getNumRegions() == 0 && isPure(op));
}

namespace {
/// Reads one program.
class RunReader {
public:
  RunReader(txp::FuncOp program, const RunRates &rates, DictionaryAttr sizes)
      : program(program), rates(rates), sizes(sizes) {}
  FailureOr<RunPlan> read();

private:
  using Roots = SmallVector<unsigned, 1>;

  Block &block() const { return txp::FuncOp(program).getBody().front(); }
  std::optional<int64_t> numberOf(shape::Dim dim) const;
  std::optional<int64_t> numberOf(Value value) const;
  bool addAlloc(txp::AllocOp alloc);
  /// If the value is a whole buffer, returns the buffer's number; otherwise -1.
  int bufferOf(Value value) const {
    if (!value.getDefiningOp<txp::AllocOp>())
      return -1;
    return bufferOfRoot.lookup(roots.lookup(value).front());
  }
  void addConstant(txp::ConstantBufferOp constant);
  void addRoot(Value buffer);
  void addResults(Operation *op);
  bool addStep(Operation *op);
  void fillLaunch(PlannedStep &step, txp::LaunchOp launch);
  bool belongsToLast(txp::LaunchOp launch) const;
  double secondsOf(txp::LaunchOp launch) const;
  std::optional<int64_t> scratchOf(txp::LaunchOp launch) const;
  std::optional<int64_t> nestedBytesOf(Operation *op, unsigned depth);
  std::optional<int64_t> nestedScratchOf(Operation *op);
  void addDependences(Operation *op, unsigned step);
  void findRepeatable();

  txp::FuncOp program;
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
    txp::FuncOp entry = program;
    auto argument = dyn_cast<BlockArgument>(dim.getBuffer());
    if (!argument || argument.getOwner() != &block())
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
    return isa<txp::LaunchOp>(user) && user->getBlock() == &block();
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

/// Returns the bytes that an op allocates in addition to its results. The
/// runtime frees them at the end of the run. Returns nullopt if a size is not a
/// number, or if there is a loop, whose buffers txp-outline-loops allocates
/// again.
std::optional<int64_t> RunReader::nestedBytesOf(Operation *op, unsigned depth) {
  constexpr unsigned maxCallDepth = 8;
  if (isa<LoopLikeOpInterface>(op) || depth > maxCallDepth)
    return std::nullopt;
  if (auto call = dyn_cast<txp::CallOp>(op)) {
    Operation *callee =
        SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
    return callee ? nestedBytesOf(callee, depth + 1) : std::nullopt;
  }
  int64_t total = 0;
  for (Region &region : op->getRegions()) {
    int64_t bytes = 0;
    for (Operation &inner : region.getOps()) {
      std::optional<int64_t> more;
      if (auto alloc = dyn_cast<txp::AllocOp>(inner)) {
        if ((more = numberOf(alloc.getBytes())))
          more = blockOf(*more);
      } else {
        more = nestedBytesOf(&inner, depth);
      }
      if (!more)
        return std::nullopt;
      bytes += *more;
    }
    // One of the branches runs.
    total = isa<scf::IfOp, scf::IndexSwitchOp>(op) ? std::max(total, bytes)
                                                   : total + bytes;
  }
  return total;
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
    if (!definition || definition->getBlock() != &block() ||
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
  std::optional<int64_t> nested = nestedBytesOf(op, 0);
  std::optional<int64_t> scratch = nested ? nestedScratchOf(op) : std::nullopt;
  if (!scratch)
    return false;
  plan.nestedBytes += *nested;
  plan.scratchBytes = std::max(plan.scratchBytes, *scratch);
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
  addDependences(op, index);
  addResults(op);
  return true;
}

/// A launch can be repeated if nothing else writes its results or its inputs.
void RunReader::findRepeatable() {
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
        llvm::all_of(step.outs,
                     [&](int out) { return out >= 0 && isWrittenOnce(out); }) &&
        llvm::all_of(step.ins,
                     [&](int in) { return in < 0 || isWrittenOnce(in); });
}

FailureOr<RunPlan> RunReader::read() {
  for (BlockArgument argument : block().getArguments())
    if (isa<txp::BufferType>(argument.getType()))
      addRoot(argument);
  for (auto [argument, input] :
       llvm::zip_equal(block().getArguments(), *program.getInputs())) {
    if (!isa<txp::BufferType>(argument.getType()))
      continue;
    std::optional<int64_t> bytes = numberOf(
        tx::bytesOf(cast<RankedTensorType>(cast<TypeAttr>(input).getValue())));
    if (!bytes)
      return failure();
    plan.inputBytes += blockOf(*bytes);
  }
  for (Operation &op : block().without_terminator()) {
    if (auto alloc = dyn_cast<txp::AllocOp>(op)) {
      if (!addAlloc(alloc))
        return failure();
    } else if (auto constant = dyn_cast<txp::ConstantBufferOp>(op)) {
      addConstant(constant);
    } else if (!isPartOfSteps(&op) && !addStep(&op)) {
      return failure();
    }
  }
  for (Value value : block().getTerminator()->getOperands())
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
  return RunReader(program, rates, sizes).read();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void RunPlan::forEachUse(const PlannedStep &step,
                         function_ref<void(unsigned)> use) {
  for (int buffer : step.ins)
    if (buffer >= 0)
      use(buffer);
  for (int buffer : step.outs)
    if (buffer >= 0)
      use(buffer);
  for (unsigned buffer : step.others)
    use(buffer);
}

std::vector<UsedRange> RunPlan::usedRanges() const {
  std::vector<UsedRange> ranges(buffers.size());
  for (auto [s, step] : llvm::enumerate(steps))
    forEachUse(step, [&](unsigned buffer) {
      ranges[buffer].add(s);
      if (step.kind == PlannedStep::Kind::AwaitRestore)
        ranges[buffer].complete = s;
    });
  return ranges;
}

Location RunPlan::locationOf(const PlannedStep &step) const {
  if (!step.ops.empty())
    return step.ops.front()->getLoc();
  return locationOf(buffers[step.others.front()]);
}

Location RunPlan::locationOf(const PlannedBuffer &buffer) const {
  if (buffer.constant < 0)
    return txp::AllocOp(buffer.alloc).getLoc();
  return txp::ConstantBufferOp(constants[buffer.constant].op).getLoc();
}

bool PlannedBuffer::hasSizeOf(const PlannedBuffer &other) const {
  if (bytes != other.bytes || !alloc || !other.alloc)
    return false;
  Value own = txp::AllocOp(alloc).getBytes(),
        others = txp::AllocOp(other.alloc).getBytes();
  return own == others || (constantOf(own) && constantOf(others));
}

std::vector<ArenaSlot> RunPlan::slots() const {
  std::vector<UsedRange> ranges = usedRanges();
  std::vector<ArenaSlot> slots;
  std::vector<int> slotOf(buffers.size(), -1);
  auto isPlainTemporary = [&](int buffer) {
    return buffer >= 0 && !buffers[buffer].isResult && buffers[buffer].isPlain;
  };
  for (auto [s, step] : llvm::enumerate(steps)) {
    SmallVector<int, 1> taken;
    if (sharesMemory)
      for (auto [i, o] : step.inPlace) {
        int in = step.ins[i], out = step.outs[o];
        bool canShare = isPlainTemporary(in) && isPlainTemporary(out) &&
                        in != out && slotOf[in] >= 0 &&
                        buffers[in].hasSizeOf(buffers[out]) &&
                        ranges[in].end == s && ranges[out].begin == s &&
                        llvm::count(step.ins, in) == 1 && slotOf[out] < 0 &&
                        !llvm::is_contained(taken, in);
        if (!canShare)
          continue;
        taken.push_back(in);
        slotOf[out] = slotOf[in];
        ArenaSlot &slot = slots[slotOf[in]];
        slot.end = ranges[out].end;
        slot.buffers.push_back(out);
      }
    forEachUse(step, [&](unsigned buffer) {
      if (slotOf[buffer] >= 0 || buffers[buffer].isResult)
        return;
      slotOf[buffer] = slots.size();
      ArenaSlot &slot = slots.emplace_back();
      slot.bytes = buffers[buffer].bytes;
      slot.begin = ranges[buffer].begin;
      slot.end = ranges[buffer].end;
      slot.buffers.push_back(buffer);
    });
  }
  return slots;
}

RunPlan::Usage RunPlan::usage() const {
  Usage usage;
  usage.live.resize(steps.size() + 1);
  for (const ArenaSlot &slot : slots()) {
    auto bytes =
        static_cast<int64_t>(llvm::alignTo(slot.bytes, arenaAlignment));
    usage.live[slot.begin] += bytes;
    usage.live[slot.end + 1] -= bytes;
  }
  for (size_t s = 1; s < usage.live.size(); ++s)
    usage.live[s] += usage.live[s - 1];
  auto peak = llvm::max_element(usage.live);
  usage.peak = *peak;
  usage.at = peak - usage.live.begin();
  usage.plateau = llvm::count(usage.live, usage.peak);
  return usage;
}

int64_t RunPlan::temporaryBytes() const {
  // An arena without bytes takes a block, too.
  if (llvm::all_of(buffers, [](const PlannedBuffer &b) { return b.isResult; }))
    return nestedBytes + scratchBytes;
  std::vector<ArenaSlot> all = slots();
  SmallVector<LiveRange *> ranges;
  for (ArenaSlot &slot : all)
    ranges.push_back(&slot);
  return blockOf(packArena(ranges)) + nestedBytes + scratchBytes;
}

int64_t RunPlan::totalBytes() const {
  return inputBytes + constantBytes + resultBytes + temporaryBytes();
}

} // namespace tensorc::compiler
