//===- AccessChecker.h - checks each access of a kernel ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_ACCESSCHECKER_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_ACCESSCHECKER_H

#include "runtime/drivers/sim/block/AsyncProxy.h"
#include "runtime/drivers/sim/block/BlockMemory.h"
#include "runtime/drivers/sim/block/CopyFlights.h"
#include "runtime/drivers/sim/block/Scheduler.h"

namespace tensorc::rt::sim {

/// Checks that accesses are within a segment and aligned, and that they do not
/// race. The functions do not return if an access is not allowed.
class AccessChecker {
public:
  AccessChecker(const BlockMemory &memory, const CopyFlights &flights,
                const std::unique_ptr<AsyncProxy> &proxy, Scheduler &scheduler,
                BlockErrors &errors)
      : memory(memory), flights(flights), proxy(proxy), scheduler(scheduler),
        errors(errors) {}

  void prepare(const Grid &of) { grid = &of; }
  /// Checks an access and returns the host address of the bytes.
  char *check(Thread &thread, uint64_t token, uint64_t bytes, uint32_t site,
              SimOp op);
  void checkAlignment(const Thread &thread, const char *at, uint64_t token,
                      uint32_t site);
  char *checkAligned(Thread &thread, uint64_t token, uint64_t bytes,
                     uint32_t site, SimOp op) {
    char *at = check(thread, token, bytes, site, op);
    checkAlignment(thread, at, token, site);
    return at;
  }
  /// Checks an access to workgroup memory for races only.
  void checkSharedRaces(const Thread &thread, uint32_t number, uint64_t offset,
                        uint64_t bytes, uint32_t site, SimOp op);
  /// Detects polling: a thread that reads the same value repeatedly waits for
  /// another thread, which would never run on the same host thread. Switches to
  /// it.
  void notePoll(Thread &thread, const char *at, uint32_t site);

private:
  template <bool Shared>
  void checkRaces(const Thread &thread, uint32_t number, uint64_t offset,
                  uint64_t bytes, uint32_t site, SimOp op);
  void checkInFlight(const Thread &thread, uint32_t number, uint64_t offset,
                     uint64_t bytes, uint32_t site);
  void checkAsync(const Thread &thread, uint32_t number, uint64_t offset,
                  uint64_t bytes, uint32_t site, SimOp op);

  const Grid *grid = nullptr;
  const BlockMemory &memory;
  const CopyFlights &flights;
  const std::unique_ptr<AsyncProxy> &proxy;
  Scheduler &scheduler;
  BlockErrors &errors;
};

} // namespace tensorc::rt::sim

#endif
