//===- Counters.h - counts the work of a block on hardware ------*- C++ -*-===//
//
// Threads of a subgroup run one after another here and in lockstep on hardware.
// The n-th execution of a site by each lane, counted since the lanes last
// synchronized (at a barrier, a shuffle or a matrix instruction), count as one
// instruction of the subgroup.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_PROFILE_COUNTERS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_PROFILE_COUNTERS_H

#include "runtime/abi/Sim.h"

#include <set>
#include <vector>

namespace tensorc::rt::sim {

/// Counts of one site in one kind of memory.
struct SiteCounts {
  uint64_t issues = 0; // instructions of subgroups
  uint64_t lanes = 0;  // active lanes, summed over the executions
  uint64_t bytes = 0;  // number of bytes that the lanes access
  // Sectors of 32 bytes, per request to global memory.
  uint64_t sectors = 0;
  // Minimum number of sectors that hold the accessed bytes.
  uint64_t minSectors = 0;
  uint64_t wavefronts = 0;    // passes over the banks of workgroup memory
  uint64_t minWavefronts = 0; // passes without bank conflicts
  uint64_t divergent = 0;     // executions of a branch that diverge
  uint64_t flops = 0;         // flops of matrix instructions

  void add(const SiteCounts &other, uint64_t times);
  bool operator==(const SiteCounts &) const = default;
};

/// Counts the work of a block. Addresses are host addresses for global memory,
/// and offsets for workgroup memory.
class Counters {
public:
  Counters(const SimKernel &kernel, uint32_t threads);

  void access(uint32_t thread, uint32_t site, bool isShared, uint64_t address,
              uint64_t bytes);
  void branch(uint32_t thread, uint32_t site, bool taken);
  /// Counts an instruction without an address.
  void execute(uint32_t thread, uint32_t site, uint64_t flops = 0);
  /// Counts a copy of `bytes` contiguous bytes by one thread.
  void bulkCopy(uint32_t thread, uint32_t site, uint64_t bytes);
  void radix(uint64_t unit, uint64_t divisor);

  /// Called when the lanes of the subgroup, or of all subgroups, synchronize.
  void meet(uint32_t subgroup);
  void meetAll();
  /// Called when a thread that does not wait for others has finished.
  void finish(uint32_t thread);
  /// Forgets the counts of the last block.
  void clear();

  /// Two entries per site: one for global memory (or none), one for workgroup
  /// memory.
  const std::vector<SiteCounts> &get() const { return counts; }
  /// Strides by which the kernel decomposes the block index: the running
  /// products of its divisors.
  const std::set<uint64_t> &radixes() const { return units; }
  /// True if a count is a mean, because a lane executed a site very often
  /// between two synchronizations.
  bool isSampled() const { return sampled; }
  /// Number of callbacks since the last clear().
  uint64_t callbacks() const { return calls; }

private:
  /// An access or a branch of one lane.
  struct Event {
    uint32_t order; // number of the execution since the lanes last synchronized
    uint32_t lane;
    uint64_t address; // address, or 1 for a branch that is taken
    uint32_t bytes;
  };
  struct Pending {
    std::vector<uint32_t> executions; // executions of each lane
    std::vector<Event> events;
  };
  uint32_t note(uint32_t thread, uint32_t slot);
  void noteEvent(uint32_t thread, uint32_t slot, uint64_t address,
                 uint32_t bytes);
  void settle(Pending &pending, uint32_t slot);
  void countRequest(const Event *begin, const Event *end, uint32_t slot);
  void countGlobal(const Event *begin, const Event *end, SiteCounts &to);
  void countShared(const Event *begin, const Event *end, bool isAtomic,
                   SiteCounts &to);

  const SimKernel &kernel;
  uint32_t slots;
  std::vector<SiteCounts> counts;
  std::vector<Pending> pending; // [subgroup][slot]
  // Slots that each subgroup has used.
  std::vector<std::vector<uint32_t>> touched;
  // Number of finished threads of each subgroup.
  std::vector<uint32_t> finished;
  // Address ranges of one request.
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  std::set<uint64_t> units;
  uint64_t calls = 0;
  bool sampled = false;
};

} // namespace tensorc::rt::sim

#endif
