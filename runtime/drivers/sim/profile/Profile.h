//===- Profile.h - counts the work of a launch on hardware ------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_PROFILE_PROFILE_H
#define TENSORC_RUNTIME_DRIVERS_SIM_PROFILE_PROFILE_H

#include "runtime/drivers/sim/BlockRunner.h"

#include "tensorc/profile.h"

#include <string>

namespace tensorc::rt::sim {

struct ProfileHook {
  tensorc_rt_profile_hook fn = nullptr;
  void *user = nullptr;
};

/// Returns the hook that receives profiles, if any.
ProfileHook profileHook();
/// Fails if the hook throws.
Status callProfileHook(const ProfileHook &hook, const char *kernel,
                       const std::string &json);

/// The counts of a launch. Of blocks that do the same work one is counted, and
/// its counts are multiplied.
class Profile {
public:
  explicit Profile(const Grid &grid)
      : grid(grid), counters(grid.kernel, grid.kernel.blockThreads),
        isCounted(grid.blocks) {}

  /// Runs all blocks of the grid, or only those that are counted if the others
  /// would take too long.
  Status run(BlockRunner &runner);
  std::string toJson() const;

private:
  using Counts = std::vector<SiteCounts>;
  /// Blocks that are expected to do the same work: some of them, and the number
  /// of all.
  struct Kind {
    std::vector<uint64_t> samples;
    uint64_t blocks;
  };
  std::vector<Kind> kinds() const;
  Status count(BlockRunner &runner, uint64_t block, Counts &out);
  Status countAll(BlockRunner &runner);
  Status countKinds(BlockRunner &runner, bool &areEqual);
  Status runOthers(BlockRunner &runner);

  Grid grid; // the grid; its counters are set while a block is counted
  Counters counters;
  Counts total;
  std::vector<bool> isCounted;
  /// Counts of the blocks that have run, by block number.
  std::vector<std::pair<uint64_t, Counts>> known;
  uint64_t callbacksPerBlock = 0, blocksCounted = 0;
  // All blocks were counted, or all samples of each kind agree.
  bool isExact = true;
  bool isComplete = true; // true if all blocks have been run
};

} // namespace tensorc::rt::sim

#endif
