//===- Counters.cpp - counts the work of a block on hardware --------------===//
#include "runtime/drivers/sim/profile/Counters.h"

#include <algorithm>
#include <tuple>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Granularity of transfers between the caches of current GPUs.
static constexpr uint64_t sectorBytes = 32;
/// Workgroup memory has 32 banks of 4 bytes on all supported chips. A pass
/// accesses each bank once.
static constexpr uint64_t numBanks = 32, bankBytes = 4;
/// Maximum number of executions of a site, per lane, whose addresses are kept
/// until the lanes synchronize: 12 MiB for 32 lanes. Further executions count
/// as the mean of these.
static constexpr uint32_t maxOrders = 1u << 14;

void SiteCounts::add(const SiteCounts &other, uint64_t times) {
  issues += times * other.issues;
  lanes += times * other.lanes;
  bytes += times * other.bytes;
  sectors += times * other.sectors;
  minSectors += times * other.minSectors;
  wavefronts += times * other.wavefronts;
  minWavefronts += times * other.minWavefronts;
  divergent += times * other.divergent;
  flops += times * other.flops;
}

Counters::Counters(const SimKernel &kernel, uint32_t threads)
    : kernel(kernel), slots(2 * kernel.siteCount), counts(slots) {
  uint32_t subgroups =
      (threads + kernel.subgroupSize - 1) / kernel.subgroupSize;
  pending.resize(size_t(subgroups) * slots);
  touched.resize(subgroups);
  finished.resize(subgroups);
}

void Counters::clear() {
  std::fill(counts.begin(), counts.end(), SiteCounts());
  std::fill(finished.begin(), finished.end(), 0);
  calls = 0;
}

/// Counts an execution and returns its number since the lanes last
/// synchronized.
uint32_t Counters::note(uint32_t thread, uint32_t slot) {
  ++calls;
  uint32_t subgroup = thread / kernel.subgroupSize;
  Pending &here = pending[size_t(subgroup) * slots + slot];
  if (here.executions.empty()) {
    here.executions.assign(kernel.subgroupSize, 0);
    touched[subgroup].push_back(slot);
  }
  return here.executions[thread % kernel.subgroupSize]++;
}

void Counters::noteEvent(uint32_t thread, uint32_t slot, uint64_t address,
                         uint32_t bytes) {
  uint32_t order = note(thread, slot);
  if (order >= maxOrders)
    return;
  size_t subgroup = thread / kernel.subgroupSize;
  pending[subgroup * slots + slot].events.push_back(
      {order, thread % kernel.subgroupSize, address, bytes});
}

void Counters::access(uint32_t thread, uint32_t site, bool isShared,
                      uint64_t address, uint64_t bytes) {
  noteEvent(thread, 2 * site + isShared, address, static_cast<uint32_t>(bytes));
}

void Counters::branch(uint32_t thread, uint32_t site, bool taken) {
  noteEvent(thread, 2 * site, taken, 0);
}

void Counters::execute(uint32_t thread, uint32_t site, uint64_t flops) {
  note(thread, 2 * site);
  counts[size_t(2) * site].flops += flops;
}

void Counters::bulkCopy(uint32_t thread, uint32_t site, uint64_t bytes) {
  note(thread, 2 * site);
  SiteCounts &to = counts[size_t(2) * site];
  to.bytes += bytes;
  to.sectors += (bytes + sectorBytes - 1) / sectorBytes;
  to.minSectors += (bytes + sectorBytes - 1) / sectorBytes;
}

void Counters::radix(uint64_t unit, uint64_t divisor) {
  units.insert(unit);
  if (divisor)
    units.insert(unit * divisor);
}

void Counters::meetAll() {
  for (uint32_t i = 0; i < touched.size(); ++i)
    meet(i);
}

// If threads run in order, only the events of a few subgroups are in memory at
// a time.
void Counters::finish(uint32_t thread) {
  uint32_t subgroup = thread / kernel.subgroupSize;
  if (++finished[subgroup] == kernel.subgroupSize)
    meet(subgroup);
}

void Counters::meet(uint32_t subgroup) {
  for (uint32_t slot : touched[subgroup]) {
    Pending &here = pending[size_t(subgroup) * slots + slot];
    settle(here, slot);
    here.executions.clear();
    here.events.clear();
  }
  touched[subgroup].clear();
}

void Counters::settle(Pending &here, uint32_t slot) {
  SiteCounts &to = counts[slot];
  for (uint32_t lane : here.executions)
    to.lanes += lane;
  uint32_t issues =
      *std::max_element(here.executions.begin(), here.executions.end());
  to.issues += issues;
  SiteCounts before = to;
  std::sort(here.events.begin(), here.events.end(),
            [](const Event &a, const Event &b) {
              return std::tie(a.order, a.lane) < std::tie(b.order, b.lane);
            });
  const Event *begin = here.events.data(), *last = begin + here.events.size();
  while (begin != last) {
    const Event *end = begin;
    while (end != last && end->order == begin->order)
      ++end;
    countRequest(begin, end, slot);
    begin = end;
  }
  if (issues <= maxOrders || here.events.empty())
    return;
  sampled = true;
  auto scale = [&](uint64_t &count, uint64_t old) {
    count = old + static_cast<uint64_t>(static_cast<double>(count - old) *
                                        issues / maxOrders);
  };
  scale(to.bytes, before.bytes);
  scale(to.sectors, before.sectors);
  scale(to.minSectors, before.minSectors);
  scale(to.wavefronts, before.wavefronts);
  scale(to.minWavefronts, before.minWavefronts);
  scale(to.divergent, before.divergent);
}

void Counters::countRequest(const Event *begin, const Event *end,
                            uint32_t slot) {
  SimOp op = kernel.sites[slot / 2].op;
  SiteCounts &to = counts[slot];
  if (op == SimOp::Branch) {
    auto taken = std::count_if(
        begin, end, [](const Event &event) { return event.address != 0; });
    to.divergent += taken != 0 && taken != end - begin;
    return;
  }
  for (const Event *event = begin; event != end; ++event)
    to.bytes += event->bytes;
  if (slot % 2)
    countShared(begin, end, op == SimOp::Atomic, to);
  else
    countGlobal(begin, end, to);
}

void Counters::countGlobal(const Event *begin, const Event *end,
                           SiteCounts &to) {
  ranges.clear();
  for (const Event *event = begin; event != end; ++event)
    ranges.emplace_back(event->address, event->address + event->bytes);
  std::sort(ranges.begin(), ranges.end());
  // `covered` is the end of the bytes, and `sector` the first sector, that have
  // not been counted yet.
  uint64_t different = 0, covered = 0, sector = 0, sectors = 0;
  for (auto [first, last] : ranges) {
    if (last > covered)
      different += last - std::max(first, covered);
    covered = std::max(covered, last);
    uint64_t firstSector = std::max(first / sectorBytes, sector);
    uint64_t endSector = (last + sectorBytes - 1) / sectorBytes;
    if (endSector > firstSector)
      sectors += endSector - firstSector;
    sector = std::max(sector, endSector);
  }
  to.sectors += sectors;
  to.minSectors += (different + sectorBytes - 1) / sectorBytes;
}

/// Counts the passes over the banks. A pass serves as many lanes as 128 bytes
/// hold; lanes that access the same word share it, unless they are atomic.
void Counters::countShared(const Event *begin, const Event *end, bool isAtomic,
                           SiteCounts &to) {
  uint64_t bytes = std::max<uint64_t>(begin->bytes, bankBytes);
  uint64_t lanesPerPass = std::max<uint64_t>(numBanks * bankBytes / bytes, 1);
  std::vector<uint64_t> words;
  while (begin != end) {
    uint64_t part = begin->lane / lanesPerPass;
    words.clear();
    for (; begin != end && begin->lane / lanesPerPass == part; ++begin)
      for (uint64_t word = begin->address / bankBytes;
           word <= (begin->address + begin->bytes - 1) / bankBytes; ++word)
        words.push_back(word);
    std::sort(words.begin(), words.end());
    if (!isAtomic)
      words.erase(std::unique(words.begin(), words.end()), words.end());
    uint64_t inBank[numBanks] = {};
    for (uint64_t word : words)
      ++inBank[word % numBanks];
    to.wavefronts += *std::max_element(inBank, inBank + numBanks);
    ++to.minWavefronts;
  }
}
