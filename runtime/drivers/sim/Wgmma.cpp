//===- Wgmma.cpp - multiplications by groups of 128 threads ---------------===//
//
// Implements wgmma.mma_async m64nNk16 as the PTX ISA describes it, with both
// operands in shared memory and the 128-byte swizzle; no other swizzle is
// modelled. To find missing waits, the time at which a multiplication reads its
// operands is varied: at the wait if threads run in order, at once if they run
// in reverse order, and otherwise at random. Until the wait the registers hold
// a special NaN.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

#include "runtime/drivers/sim/Elements.h"

#include <cmath>
#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

static constexpr uint32_t inFlightBits = 0x7fc0f1a7;
static constexpr uint32_t groupRows = 64, stepElements = 16;

namespace {
/// The fields of a wgmma matrix descriptor, in bytes.
struct Descriptor {
  explicit Descriptor(uint64_t bits)
      : begin((bits & 0x3fff) << 4), leading((bits >> 16 & 0x3fff) << 4),
        stride((bits >> 32 & 0x3fff) << 4), base(bits >> 49 & 7),
        swizzle(bits >> 62) {}
  uint64_t begin, leading, stride, base, swizzle;

  /// Returns the address of the element at step `k` of row `mn` of the left
  /// operand, or of column `mn` of the right one.
  uint64_t at(uint64_t mn, uint64_t k, bool isMNMajor) const {
    uint64_t address = isMNMajor
                           ? begin + mn / 64 * leading + mn % 64 * 2 +
                                 k / 8 * stride + k % 8 * 128
                           : begin + mn / 8 * stride + mn % 8 * 128 + k * 2;
    return address ^ (address >> 7 & 7) << 4;
  }
};
} // namespace

/// Calls `visit(mn, k, address)` for every element of an operand.
template <typename Visit>
static void forElements(uint64_t bits, uint32_t mnSize, uint32_t steps,
                        uint32_t advance, bool isMNMajor, Visit visit) {
  for (uint32_t step = 0; step < steps; ++step) {
    Descriptor descriptor(bits + uint64_t(step) * advance);
    for (uint32_t mn = 0; mn < mnSize; ++mn)
      for (uint32_t k = 0; k < stepElements; ++k)
        visit(mn, step * stepElements + k, descriptor.at(mn, k, isMNMajor));
  }
}

/// Marks the shared memory that a multiplication reads. All copies to this
/// memory must have arrived.
bool BlockRunner::noteReads(uint32_t group, const GroupMultiply &op,
                            uint32_t site) {
  Knowledge all = proxy->knowledge[group * warpgroupThreads];
  for (uint32_t i = 1; i < warpgroupThreads; ++i)
    all.meet(proxy->knowledge[group * warpgroupThreads + i]);
  bool good = true;
  auto visit = [&](uint32_t, uint32_t, uint64_t address) {
    if (!good)
      return;
    good = false;
    if (address + 2 > sharedUsed) {
      report("threads %u to %u multiply byte %llu of shared memory, which has "
             "%zu (%s)",
             group * warpgroupThreads, (group + 1) * warpgroupThreads - 1,
             (unsigned long long)address, sharedUsed, place(site).c_str());
      return;
    }
    if (!grid->options.checks) {
      good = true;
      return;
    }
    AsyncCell &cell = proxy->cells[address / AsyncProxy::cellBytes];
    if (!cell.barrier || all.phases[cell.barrier - 1] <= cell.phase) {
      report("threads %u to %u multiply byte %llu of shared memory (%s), %s",
             group * warpgroupThreads, (group + 1) * warpgroupThreads - 1,
             (unsigned long long)address, place(site).c_str(),
             cell.barrier ? "and nobody has waited for the copy to that place"
                          : "which nobody has written");
      return;
    }
    cell.reads[group] = op.number;
    good = true;
  };
  const SimWgmma &what = op.what;
  forElements(op.left, groupRows, what.steps, what.leftAdvance,
              what.isLeftMNMajor, visit);
  forElements(op.right, what.columns, what.steps, what.rightAdvance,
              what.isRightMNMajor, visit);
  return good;
}

void BlockRunner::execute(Warpgroup &group, const GroupMultiply &op) {
  const SimWgmma &what = op.what;
  uint32_t depth = what.steps * stepElements;
  std::vector<float> left(size_t(groupRows) * depth),
      right(size_t(what.columns) * depth);
  auto value = [&](uint64_t address) {
    uint16_t bits;
    std::memcpy(&bits, sharedMemory.get() + address, sizeof(bits));
    return what.half ? fromHalf(bits) : fromBits(uint32_t(bits) << 16);
  };
  forElements(op.left, groupRows, what.steps, what.leftAdvance,
              what.isLeftMNMajor,
              [&](uint32_t mn, uint32_t k, uint64_t address) {
                left[size_t(mn) * depth + k] = value(address);
              });
  forElements(op.right, what.columns, what.steps, what.rightAdvance,
              what.isRightMNMajor,
              [&](uint32_t mn, uint32_t k, uint64_t address) {
                right[size_t(k) * what.columns + mn] = value(address);
              });
  for (uint32_t r = 0; r < groupRows; ++r) {
    float *sums = &group.sums[size_t(r) * what.columns];
    for (uint32_t k = 0; k < depth; ++k) {
      float x = left[size_t(r) * depth + k];
      const float *ys = &right[size_t(k) * what.columns];
      for (uint32_t c = 0; c < what.columns; ++c)
        sums[c] += x * ys[c];
    }
  }
  group.executed = op.number;
}

/// Returns element i of a thread's accumulators.
static float &sumOf(Warpgroup &group, uint32_t thread, uint32_t i) {
  uint32_t lane = thread % 32, warp = thread % warpgroupThreads / 32;
  uint32_t row = warp * 16 + lane / 4 + i / 2 % 2 * 8;
  uint32_t column = i / 4 * 8 + lane % 4 * 2 + i % 2;
  return group.sums[size_t(row) * group.columns + column];
}

/// Issues a multiplication if all 128 threads have arrived.
bool BlockRunner::issueMultiply(uint32_t number) {
  Warpgroup &group = proxy->groups[number];
  Thread *lanes = &threads[number * warpgroupThreads];
  SimWgmma what = SimWgmma::decode(lanes[0].wgmma);
  uint32_t registers = what.columns / 2, site = lanes[0].site;
  bool isChained = group.holdsSums && lanes[0].registers[0] == inFlightBits;
  if (!isChained) {
    if (!what.fence) {
      report("threads %u to %u multiply with registers that no wgmma.fence has "
             "shown (%s)",
             number * warpgroupThreads, (number + 1) * warpgroupThreads - 1,
             place(site).c_str());
      return false;
    }
    group.columns = what.columns;
    group.sums.assign(size_t(groupRows) * what.columns, 0);
    for (uint32_t t = 0; t < warpgroupThreads; ++t)
      for (uint32_t i = 0; i < registers; ++i)
        sumOf(group, t, i) = fromBits(lanes[t].registers[i]);
    group.holdsSums = true;
  }
  Descriptor left(lanes[0].left), right(lanes[0].right);
  if (left.swizzle != 1 || right.swizzle != 1 || left.base || right.base ||
      what.columns != group.columns) {
    report("a multiplication by a descriptor that is not modelled (%s)",
           place(site).c_str());
    return false;
  }
  GroupMultiply op{lanes[0].left, lanes[0].right, what, group.committed,
                   ++group.issued};
  if (!noteReads(number, op, site))
    return false;
  group.pending.push_back(op);
  group.committed += what.commit;
  bool atOnce = grid->options.order == Order::Reverse ||
                (grid->options.order == Order::Random &&
                 (random ^ number ^ op.number) & 1);
  while (atOnce && !group.pending.empty() &&
         group.executed < group.pending.back().number)
    executeNext(group);
  for (uint32_t t = 0; t < warpgroupThreads; ++t)
    for (uint32_t i = 0; i < registers; ++i)
      lanes[t].registers[i] = inFlightBits;
  return true;
}

/// Executes the first multiplication that was issued but not executed.
void BlockRunner::executeNext(Warpgroup &group) {
  for (const GroupMultiply &op : group.pending)
    if (op.number > group.executed)
      return execute(group, op);
}

/// Returns the offset in workgroup memory. Instructions encode 18 bits of it.
uint32_t BlockRunner::sharedAddress(SimThread *self, void *token,
                                    uint32_t) noexcept {
  BlockRunner &runner = *static_cast<Thread *>(self)->owner;
  if (!runner.grid->options.checks)
    return static_cast<uint32_t>(static_cast<char *>(token) -
                                 runner.sharedMemory.get());
  auto bits = reinterpret_cast<uint64_t>(token);
  uint32_t number = simSegment(bits);
  bool isShared =
      number >= runner.grid->kernel.buffers && number < runner.segments.size();
  return isShared
             ? static_cast<uint32_t>(runner.segmentBegin(number) +
                                     static_cast<uint64_t>(simOffset(bits)))
             : ~0u;
}

void BlockRunner::wgmma(SimThread *self, uint32_t *registers, uint64_t left,
                        uint64_t right, uint64_t what, uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  uint32_t number = thread.thread / warpgroupThreads;
  Warpgroup &group = runner.asyncProxy().groups[number];
  thread.registers = registers;
  thread.left = left;
  thread.right = right;
  thread.wgmma = what;
  thread.together = Together::Wgmma;
  thread.site = site;
  thread.state = State::InShuffle;
  --runner.ready;
  if (++group.waiting < warpgroupThreads)
    return runner.leave(thread);
  group.waiting = 0;
  Thread *lanes = &runner.threads[number * warpgroupThreads];
  for (uint32_t i = 0; i < warpgroupThreads; ++i) {
    if (lanes[i].site != lanes[0].site || lanes[i].left != lanes[0].left ||
        lanes[i].right != lanes[0].right) {
      runner.report("threads %u and %u of a group of 128 multiply different "
                    "things (%s)",
                    lanes[0].thread, lanes[i].thread,
                    runner.place(site).c_str());
      runner.abandon();
    }
    lanes[i].state = State::Ready;
  }
  runner.ready += warpgroupThreads;
  if (!runner.issueMultiply(number))
    runner.abandon();
  runner.progressed();
}

/// Waits for all commit groups of multiplications except the last `pending`.
void BlockRunner::wgmmaWait(SimThread *self, uint32_t *registers,
                            uint32_t count, uint32_t pending,
                            uint32_t) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  uint32_t number = thread.thread / warpgroupThreads;
  Warpgroup &group = runner.asyncProxy().groups[number];
  while (!group.pending.empty() &&
         group.pending.front().commit + pending < group.committed) {
    if (group.executed < group.pending.front().number)
      runner.execute(group, group.pending.front());
    group.over = group.pending.front().number;
    group.pending.pop_front();
  }
  Knowledge &mine = runner.proxy->knowledge[thread.thread];
  mine.reads[number] = std::max(mine.reads[number], group.over);
  if (!group.pending.empty() || !group.holdsSums)
    return;
  for (uint32_t i = 0; i < count; ++i)
    if (registers[i] == inFlightBits)
      registers[i] = toBits(sumOf(group, thread.thread, i));
}
