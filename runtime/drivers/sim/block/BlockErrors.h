//===- BlockErrors.h - error messages of a block ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_BLOCKERRORS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_BLOCKERRORS_H

#include "runtime/core/Status.h"
#include "runtime/drivers/sim/block/Grid.h"
#include "runtime/drivers/sim/block/Thread.h"

#include <string>
#include <utility>

namespace tensorc::rt::sim {

/// Holds the first error of the block that runs, and names the places, the
/// memory and the accesses of its kernel.
class BlockErrors {
public:
  void prepare(const Grid &of) { grid = &of; }
  void begin(uint64_t number) {
    block = number;
    failed = false;
  }
  bool any() const { return failed; }
  Status take() { return std::exchange(failure, Status()); }

  /// Reports an error. Only the first report of a block is kept.
  [[gnu::format(printf, 2, 3)]] void report(const char *format, ...);
  /// Reports an access outside of a segment; null if there is no segment.
  void reportRange(const Thread &thread, uint64_t token, uint64_t bytes,
                   const Segment *segment, uint32_t site);
  void reportRace(const Thread &thread, uint32_t number, uint64_t offset,
                  uint32_t site, const Finding &finding);

  /// Returns "vector.load at model.mlir:12:8".
  std::string place(uint32_t site) const;
  std::string segmentName(uint32_t number) const;
  static const char *verb(SimOp op);
  const char *verb(uint32_t site) const {
    return verb(grid->kernel.sites[site].op);
  }

private:
  const Grid *grid = nullptr;
  uint64_t block = 0;
  Status failure;
  bool failed = false;
};

} // namespace tensorc::rt::sim

#endif
