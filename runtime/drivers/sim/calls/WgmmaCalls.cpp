//===- WgmmaCalls.cpp - multiplications by groups of 128 threads ----------===//
//
// Implements wgmma.mma_async m64nNk16 as the PTX ISA describes it, with both
// operands in shared memory and the 128-byte swizzle; no other swizzle is
// modelled. To find missing waits, the time at which a multiplication reads its
// operands is varied: at the wait if threads run in order, at once if they run
// in reverse order, and otherwise at random. Until the wait the registers hold
// a special NaN.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/calls/Calls.h"

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

/// Returns "threads 0 to 127".
static std::string namesOf(uint32_t group) {
  return "threads " + std::to_string(group * warpgroupThreads) + " to " +
         std::to_string((group + 1) * warpgroupThreads - 1);
}

/// Marks the shared memory that a multiplication reads. All copies to this
/// memory must have arrived; otherwise reports an error and returns false.
static bool noteReads(ThreadBlock &block, uint32_t group,
                      const GroupMultiply &op, uint32_t site) {
  AsyncProxy &async = block.async();
  BlockErrors &errors = block.errors;
  size_t bytes = block.memory.sharedBytes();
  Knowledge all = async.knowledge[group * warpgroupThreads];
  for (uint32_t i = 1; i < warpgroupThreads; ++i)
    all.meet(async.knowledge[group * warpgroupThreads + i]);
  auto visit = [&](uint32_t, uint32_t, uint64_t address) {
    if (errors.any())
      return;
    if (address + 2 > bytes)
      return errors.report(
          "%s multiply byte %llu of shared memory, which has %zu (%s)",
          namesOf(group).c_str(), (unsigned long long)address, bytes,
          errors.place(site).c_str());
    if (!block.grid->options.checks)
      return;
    AsyncCell &cell = async.cells[address / AsyncProxy::cellBytes];
    if (!cell.barrier || all.phases[cell.barrier - 1] <= cell.phase)
      return errors.report(
          "%s multiply byte %llu of shared memory (%s), %s",
          namesOf(group).c_str(), (unsigned long long)address,
          errors.place(site).c_str(),
          cell.barrier ? "and nobody has waited for the copy to that place"
                       : "which nobody has written");
    cell.reads[group] = op.number;
  };
  const SimWgmma &what = op.what;
  forElements(op.left, groupRows, what.steps, what.leftAdvance,
              what.isLeftMNMajor, visit);
  forElements(op.right, what.columns, what.steps, what.rightAdvance,
              what.isRightMNMajor, visit);
  return !errors.any();
}

static void execute(const char *shared, Warpgroup &group,
                    const GroupMultiply &op) {
  const SimWgmma &what = op.what;
  uint32_t depth = what.steps * stepElements;
  std::vector<float> left(size_t(groupRows) * depth),
      right(size_t(what.columns) * depth);
  auto value = [&](uint64_t address) {
    uint16_t bits;
    std::memcpy(&bits, shared + address, sizeof(bits));
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

/// Reads the accumulators from the registers of all threads, unless the previous
/// multiplication left them there, which may be in flight. Returns false if the
/// registers may not be read.
static bool readSums(Warpgroup &group, std::span<const Thread> lanes,
                     const SimWgmma &what) {
  if (group.holdsSums && lanes[0].matrix.registers[0] == inFlightBits)
    return true;
  if (!what.fence)
    return false;
  group.columns = what.columns;
  group.sums.assign(size_t(groupRows) * what.columns, 0);
  for (uint32_t t = 0; t < warpgroupThreads; ++t)
    for (uint32_t i = 0; i < what.columns / 2; ++i)
      sumOf(group, t, i) = fromBits(lanes[t].matrix.registers[i]);
  group.holdsSums = true;
  return true;
}

/// Issues the multiplication whose operands all 128 threads hold. May report an
/// error.
static void issueMultiply(ThreadBlock &block, uint32_t number,
                          std::span<Thread> lanes) {
  BlockErrors &errors = block.errors;
  Warpgroup &group = block.async().groups[number];
  const WgmmaOperands &operands = lanes[0].wgmma;
  SimWgmma what = SimWgmma::decode(operands.what);
  uint32_t site = lanes[0].site;
  if (!readSums(group, lanes, what))
    return errors.report(
        "%s multiply with registers that no wgmma.fence has shown (%s)",
        namesOf(number).c_str(), errors.place(site).c_str());
  Descriptor left(operands.left), right(operands.right);
  if (left.swizzle != 1 || right.swizzle != 1 || left.base || right.base ||
      what.columns != group.columns)
    return errors.report(
        "a multiplication by a descriptor that is not modelled (%s)",
        errors.place(site).c_str());
  GroupMultiply op{operands.left, operands.right, what, group.committed,
                   ++group.issued};
  if (!noteReads(block, number, op, site))
    return;
  group.pending.push_back(op);
  group.committed += what.commit;
  if (block.scheduler.order().performsAtOnce(number ^ op.number))
    for (const GroupMultiply &each : group.pending)
      if (each.number > group.executed)
        execute(block.memory.shared(), group, each);
  for (Thread &lane : lanes)
    std::fill_n(lane.matrix.registers, what.columns / 2, inFlightBits);
}

/// Returns the offset in workgroup memory. Instructions encode 18 bits of it.
uint32_t calls::sharedAddress(SimThread *self, void *token, uint32_t) noexcept {
  ThreadBlock &block = *threadOf(self).owner;
  const BlockMemory &memory = block.memory;
  if (!block.grid->options.checks)
    return static_cast<uint32_t>(static_cast<char *>(token) - memory.shared());
  auto bits = reinterpret_cast<uint64_t>(token);
  uint32_t number = simSegment(bits);
  bool isShared = memory.isShared(number) && memory.find(number);
  return isShared
             ? static_cast<uint32_t>(memory.sharedOffset(number) +
                                     static_cast<uint64_t>(simOffset(bits)))
             : ~0u;
}

void calls::wgmma(SimThread *self, uint32_t *registers, uint64_t left,
                  uint64_t right, uint64_t what, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  uint32_t number = thread.thread / warpgroupThreads;
  Warpgroup &group = block.async().groups[number];
  thread.matrix.registers = registers;
  thread.wgmma = {left, right, what};
  thread.together = Together::Wgmma;
  block.scheduler.suspend(thread, ThreadState::InShuffle, site);
  if (++group.waiting < warpgroupThreads)
    return block.scheduler.leave(thread);
  group.waiting = 0;
  std::span<Thread> lanes = block.scheduler.threads().subspan(
      number * warpgroupThreads, warpgroupThreads);
  for (Thread &lane : lanes) {
    const WgmmaOperands &first = lanes[0].wgmma;
    if (lane.site != lanes[0].site || lane.wgmma.left != first.left ||
        lane.wgmma.right != first.right) {
      block.errors.report(
          "threads %u and %u of a group of 128 multiply different things (%s)",
          lanes[0].thread, lane.thread, block.errors.place(site).c_str());
      block.scheduler.abandon();
    }
    block.scheduler.wake(lane);
  }
  issueMultiply(block, number, lanes);
  if (block.errors.any())
    block.scheduler.abandon();
  block.scheduler.noteProgress();
}

/// Waits for all commit groups of multiplications except the last `pending`.
void calls::wgmmaWait(SimThread *self, uint32_t *registers, uint32_t count,
                      uint32_t pending, uint32_t) noexcept {
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  uint32_t number = thread.thread / warpgroupThreads;
  Warpgroup &group = block.async().groups[number];
  while (!group.pending.empty() &&
         group.pending.front().commit + pending < group.committed) {
    if (group.executed < group.pending.front().number)
      execute(block.memory.shared(), group, group.pending.front());
    group.over = group.pending.front().number;
    group.pending.pop_front();
  }
  Knowledge &mine = block.async().knowledge[thread.thread];
  mine.reads[number] = std::max(mine.reads[number], group.over);
  if (!group.pending.empty() || !group.holdsSums)
    return;
  for (uint32_t i = 0; i < count; ++i)
    if (registers[i] == inFlightBits)
      registers[i] = toBits(sumOf(group, thread.thread, i));
}
