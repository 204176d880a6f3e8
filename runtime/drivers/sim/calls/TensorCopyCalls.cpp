//===- TensorCopyCalls.cpp - bulk copies of boxes of a buffer -------------===//
#include "runtime/drivers/sim/calls/Calls.h"

#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Alignment in bytes of a box in shared memory, with and without a swizzle.
static constexpr uint64_t swizzledAlignment = 1024, plainAlignment = 128;

/// Checks that no thread may still be reading the destination, and that earlier
/// copies to it are known to be finished in the issuing thread.
static void claimCells(const Thread &thread, const TensorCopy &copy,
                       uint32_t number, uint32_t site) {
  ThreadBlock &block = *thread.owner;
  AsyncProxy &async = block.async();
  BlockErrors &errors = block.errors;
  const Knowledge &mine = async.knowledge[thread.thread];
  uint64_t begin = block.memory.sharedOffset(number);
  uint64_t first = copy.address / AsyncProxy::cellBytes;
  for (uint64_t i = first; i < first + copy.bytes / AsyncProxy::cellBytes;
       ++i) {
    AsyncCell &cell = async.cells[i];
    auto at =
        static_cast<unsigned long long>(i * AsyncProxy::cellBytes - begin);
    if (cell.barrier && mine.phases[cell.barrier - 1] <= cell.phase) {
      errors.report(
          "a race: thread %u copies to byte %llu of %s (%s), and may not "
          "know that the copy before it has come",
          thread.thread, at, errors.segmentName(number).c_str(),
          errors.place(site).c_str());
      block.scheduler.abandon();
    }
    for (uint32_t g = 0; g < Knowledge::maxGroups; ++g)
      if (cell.reads[g] > mine.reads[g]) {
        errors.report(
            "a race: thread %u copies to byte %llu of %s (%s), and may not "
            "know that threads %u to %u have multiplied what is there",
            thread.thread, at, errors.segmentName(number).c_str(),
            errors.place(site).c_str(), g * warpgroupThreads,
            (g + 1) * warpgroupThreads - 1);
        block.scheduler.abandon();
      }
    cell.barrier = copy.barrier + 1;
    cell.phase = async.barriers[copy.barrier].phase;
  }
  // Marks the copy as an earlier write, for later loads of threads.
  const Segment &segment = block.memory[number];
  uint64_t offset = copy.address - begin;
  for (uint64_t i = offset >> segment.granuleLog;
       segment.cells && i < (offset + copy.bytes) >> segment.granuleLog; ++i)
    segment.cells[segment.firstCell + i].writer =
        Visit(block.memory.owner(), thread.thread, 0, site, false).bits;
}

/// Returns the reason why the hardware would not perform the copy; null if it
/// would.
static const char *findFault(const TensorMap &map, uint64_t address,
                             const Mbarrier &barrier) {
  uint32_t inner = map.box[0] * map.elementBytes;
  if (!barrier.isFenced)
    return "no fence has shown its mbarrier to copies";
  if (inner % 16 || inner > 512 || (map.swizzle && inner > map.swizzle))
    return "its box is not one of whole 16 bytes within the swizzle";
  if (address % (map.swizzle ? swizzledAlignment : plainAlignment))
    return map.swizzle ? "its target is not aligned to 1024"
                       : "its target is not aligned to 128";
  return nullptr;
}

void calls::tensorCopy(SimThread *self, const void *map,
                       const int64_t *coordinates, void *to, void *barrier,
                       uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  auto &bound = *static_cast<const BoundMap *>(map);
  uint32_t number = findMbarrier(thread, barrier, site, SimOp::Atomic);
  TensorCopy copy{
      &bound.map, bound.host, {}, nullptr, 0, number, bound.map.elementBytes};
  for (uint32_t d = 0; d < bound.map.rank; ++d) {
    copy.at[d] = coordinates[d];
    copy.bytes *= bound.map.box[d];
  }
  auto token = reinterpret_cast<uint64_t>(to);
  bool isChecked = block.grid->options.checks;
  copy.to = static_cast<char *>(to);
  if (isChecked) {
    const Segment *segment = block.memory.findAccess(token, copy.bytes);
    if (!segment || !block.memory.isShared(simSegment(token))) {
      block.errors.reportRange(thread, token, copy.bytes,
                               block.memory.find(simSegment(token)), site);
      block.scheduler.abandon();
    }
    copy.to = segment->host + simOffset(token);
  }
  copy.address = static_cast<uint64_t>(copy.to - block.memory.shared());
  AsyncProxy &async = block.async();
  if (const char *fault =
          findFault(bound.map, copy.address, async.barriers[number])) {
    block.errors.report("thread %u makes a tensor copy that cannot be: %s (%s)",
                        thread.thread, fault, block.errors.place(site).c_str());
    block.scheduler.abandon();
  }
  if (isChecked)
    claimCells(thread, copy, simSegment(token), site);
  std::memset(copy.to, 0xff, copy.bytes);
  async.copies.push_back(copy);
  if (block.scheduler.order().performsAtOnce(copy.address >> 13) &&
      async.deliverCopies(number, block.memory.shared()))
    block.scheduler.noteProgress();
}
