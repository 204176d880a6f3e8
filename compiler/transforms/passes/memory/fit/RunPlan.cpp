//===- RunPlan.cpp - The steps of a run and their memory use --------------===//

#include "compiler/transforms/passes/memory/fit/RunPlan.h"

#include "runtime/abi/BlockSizes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::compiler {

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

int64_t blockOf(int64_t bytes) {
  return static_cast<int64_t>(rt::blockBytes(static_cast<size_t>(bytes)));
}

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
  if (buffer.loop)
    return buffer.loop->getLoc();
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

int64_t RunPlan::arenaBytes() const {
  std::vector<ArenaSlot> all = slots();
  SmallVector<LiveRange *> ranges;
  for (ArenaSlot &slot : all)
    ranges.push_back(&slot);
  return packArena(ranges);
}

int64_t RunPlan::temporaryBytes() const {
  // An arena without bytes takes a block, too.
  if (llvm::all_of(buffers, [](const PlannedBuffer &b) { return b.isResult; }))
    return nestedBytes + scratchBytes;
  return blockOf(arenaBytes()) + nestedBytes + scratchBytes;
}

static double secondsOf(const RunPlan &plan) {
  double seconds = 0;
  for (const PlannedStep &step : plan.steps)
    seconds += step.seconds;
  return seconds;
}

SmallVector<unsigned, 1> RunPlan::bodiesOf(const PlannedStep &step) const {
  SmallVector<unsigned, 1> found;
  for (auto [i, body] : llvm::enumerate(bodies))
    if (llvm::is_contained(step.ops, body.block->getParentOp()))
      found.push_back(i);
  return found;
}

void RunPlan::setBody(unsigned body, RunPlan changed) {
  LoopBody &to = bodies[body];
  double added = secondsOf(changed) - secondsOf(*to.plan);
  to.plan = std::make_shared<const RunPlan>(std::move(changed));
  buffers[to.buffer].bytes = to.plan->arenaBytes();
  for (PlannedStep &step : steps)
    if (llvm::is_contained(step.ops, to.block->getParentOp()))
      step.seconds += to.iterations * added;
}

void RunPlan::shareMemory() {
  sharesMemory = true;
  for (unsigned body = 0; body < bodies.size(); ++body) {
    RunPlan changed = *bodies[body].plan;
    changed.shareMemory();
    setBody(body, std::move(changed));
  }
}

void RunPlan::beginSearch() {
  // The search does not need the predecessors, and copies the plan often.
  predecessors.clear();
  for (LoopBody &body : bodies) {
    RunPlan plan = *body.plan;
    plan.beginSearch();
    body.plan = body.original =
        std::make_shared<const RunPlan>(std::move(plan));
  }
}

int64_t RunPlan::totalBytes() const {
  return inputBytes + constantBytes + resultBytes + temporaryBytes();
}

} // namespace tensorc::compiler
