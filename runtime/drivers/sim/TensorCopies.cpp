//===- TensorCopies.cpp - bulk copies of boxes of a buffer ----------------===//
//
// Implements cp.async.bulk.tensor and its swizzles as the PTX ISA describes
// them: 16 bytes at an address are stored where bits 4 to 6 are xored with bits
// 7 to 9. Elements outside of the buffer's sizes are zeros.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Alignment in bytes of a box in shared memory, with and without a swizzle.
static constexpr uint64_t swizzledAlignment = 1024, plainAlignment = 128;

static uint64_t swizzled(uint64_t address, uint32_t swizzle) {
  uint64_t rows = swizzle / 16; // 8, 4 or 2; 0 without a swizzle
  return rows ? address ^ (address >> 7 & (rows - 1)) << 4 : address;
}

/// Calls `piece` for each row of a box, in the order in which they are stored.
template <typename Piece>
static void forRows(const TensorCopy &copy, Piece piece) {
  const TensorMap &map = *copy.map;
  std::array<int64_t, 5> row{};
  uint64_t rows = 1;
  for (uint32_t d = 1; d < map.rank; ++d)
    rows *= map.box[d];
  for (uint64_t i = 0; i < rows; ++i) {
    int64_t offset = copy.at[0] * map.elementBytes;
    bool inside = true;
    for (uint32_t d = 1; d < map.rank; ++d) {
      int64_t x = copy.at[d] + row[d];
      inside &= x >= 0 && x < map.sizes[d];
      offset += x * map.strides[d - 1];
    }
    piece(i, inside, offset);
    for (uint32_t d = 1; d < map.rank && ++row[d] == map.box[d]; ++d)
      row[d] = 0;
  }
}

static void perform(const TensorCopy &copy, char *memory) {
  const TensorMap &map = *copy.map;
  uint64_t bytes = uint64_t(map.box[0]) * map.elementBytes;
  forRows(copy, [&](uint64_t row, bool inside, int64_t offset) {
    char line[512] = {};
    for (uint32_t i = 0; inside && i < map.box[0]; ++i)
      if (int64_t x = copy.at[0] + i; x >= 0 && x < map.sizes[0])
        std::memcpy(line + i * map.elementBytes,
                    copy.from + offset + i * map.elementBytes,
                    map.elementBytes);
    for (uint64_t i = 0; i < bytes; i += 16)
      std::memcpy(memory +
                      swizzled(copy.address + row * bytes + i, map.swizzle),
                  line + i, 16);
  });
}

/// Makes the copies in flight that signal the mbarrier arrive.
void BlockRunner::deliverCopies(uint32_t barrier) {
  auto &list = proxy->copies;
  for (size_t i = 0; i < list.size();) {
    if (list[i].barrier != barrier) {
      ++i;
      continue;
    }
    TensorCopy copy = list[i];
    list.erase(list.begin() + static_cast<ptrdiff_t>(i));
    perform(copy, sharedMemory.get());
    Mbarrier &signalled = proxy->barriers[barrier];
    signalled.bytes -= copy.bytes;
    endPhase(signalled);
  }
}

/// Checks that no thread may still be reading the destination, and that earlier
/// copies to it are known to be finished in the issuing thread.
void BlockRunner::claimCells(Thread &thread, const TensorCopy &copy,
                             uint32_t number, uint32_t site) {
  const Knowledge &mine = proxy->knowledge[thread.thread];
  uint64_t first = copy.address / AsyncProxy::cellBytes;
  for (uint64_t i = first; i < first + copy.bytes / AsyncProxy::cellBytes;
       ++i) {
    AsyncCell &cell = proxy->cells[i];
    auto at = static_cast<unsigned long long>(i * AsyncProxy::cellBytes -
                                              segmentBegin(number));
    if (cell.barrier && mine.phases[cell.barrier - 1] <= cell.phase) {
      report("a race: thread %u copies to byte %llu of %s (%s), and may not "
             "know that the copy before it has come",
             thread.thread, at, segmentName(number).c_str(),
             place(site).c_str());
      abandon();
    }
    for (uint32_t g = 0; g < Knowledge::maxGroups; ++g)
      if (cell.reads[g] > mine.reads[g]) {
        report("a race: thread %u copies to byte %llu of %s (%s), and may not "
               "know that threads %u to %u have multiplied what is there",
               thread.thread, at, segmentName(number).c_str(),
               place(site).c_str(), g * warpgroupThreads,
               (g + 1) * warpgroupThreads - 1);
        abandon();
      }
    cell.barrier = copy.barrier + 1;
    cell.phase = proxy->barriers[copy.barrier].phase;
  }
  // Marks the copy as an earlier write, for later loads of threads.
  const Segment &segment = segments[number];
  uint64_t offset = copy.address - segmentBegin(number);
  for (uint64_t i = offset >> segment.granuleLog;
       segment.cells && i < (offset + copy.bytes) >> segment.granuleLog; ++i)
    segment.cells[segment.firstCell + i].writer =
        Visit(generation, thread.thread, 0, site, false).bits;
}

/// Returns the reason why the hardware would not perform the copy, or an empty
/// string.
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

void BlockRunner::tensorCopy(SimThread *self, const void *map,
                             const int64_t *coordinates, void *to,
                             void *barrier, uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  auto &bound = *static_cast<const BoundMap *>(map);
  uint32_t number = runner.findBarrier(
      thread, reinterpret_cast<uint64_t>(barrier), site, SimOp::Atomic);
  TensorCopy copy{
      &bound.map, bound.host, {}, nullptr, 0, number, bound.map.elementBytes};
  for (uint32_t d = 0; d < bound.map.rank; ++d) {
    copy.at[d] = coordinates[d];
    copy.bytes *= bound.map.box[d];
  }
  auto token = reinterpret_cast<uint64_t>(to);
  uint32_t segment = 0;
  copy.to = static_cast<char *>(to);
  if (runner.grid->options.checks) {
    segment = simSegment(token);
    int64_t offset = simOffset(token);
    if (segment >= runner.segments.size() || offset < 0 ||
        segment < runner.grid->kernel.buffers ||
        static_cast<uint64_t>(offset) + copy.bytes >
            runner.segments[segment].bytes) {
      runner.reportRange(thread, segment, offset, copy.bytes, site);
      runner.abandon();
    }
    copy.to = runner.segments[segment].host + offset;
  }
  copy.address = static_cast<uint64_t>(copy.to - runner.sharedMemory.get());
  const Mbarrier &signalled = runner.proxy->barriers[number];
  if (const char *fault = findFault(bound.map, copy.address, signalled)) {
    runner.report("thread %u makes a tensor copy that cannot be: %s (%s)",
                  thread.thread, fault, runner.place(site).c_str());
    runner.abandon();
  }
  if (runner.grid->options.checks)
    runner.claimCells(thread, copy, segment, site);
  std::memset(copy.to, 0xff, copy.bytes);
  runner.proxy->copies.push_back(copy);
  bool atOnce = runner.grid->options.order == Order::Reverse ||
                (runner.grid->options.order == Order::Random &&
                 (runner.random ^ copy.address >> 13) & 1);
  if (atOnce)
    runner.deliverCopies(number);
}

/// Checks an ordinary access of a thread against asynchronous copies and
/// multiplications.
void BlockRunner::checkAsync(const Thread &thread, uint32_t number,
                             uint64_t offset, uint64_t bytes, uint32_t site,
                             SimOp op) {
  const Knowledge &mine = proxy->knowledge[thread.thread];
  uint64_t address = segmentBegin(number) + offset;
  for (uint64_t i = address / AsyncProxy::cellBytes;
       i <= (address + bytes - 1) / AsyncProxy::cellBytes; ++i) {
    const AsyncCell &cell = proxy->cells[i];
    bool early = cell.barrier && mine.phases[cell.barrier - 1] <= cell.phase;
    bool read = false;
    for (uint32_t g = 0; op != SimOp::Read && g < Knowledge::maxGroups; ++g)
      read |= cell.reads[g] > mine.reads[g];
    if (!early && !read)
      continue;
    report("a race: thread %u %s byte %llu of %s (%s), and %s", thread.thread,
           verb(op), (unsigned long long)offset, segmentName(number).c_str(),
           place(site).c_str(),
           early ? "nobody has waited for the copy to that place"
                 : "may not know that what is there has been multiplied");
    abandon();
  }
}
