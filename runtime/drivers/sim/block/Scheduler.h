//===- Scheduler.h - switches between the threads of a block ----*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_SCHEDULER_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_SCHEDULER_H

#include "runtime/drivers/sim/block/BlockErrors.h"
#include "runtime/drivers/sim/block/RunOrder.h"

#include <functional>
#include <memory>
#include <span>

namespace tensorc::rt::sim {

/// Runs the threads of a block on fibers, in rounds, and switches to the next
/// thread when one waits.
class Scheduler {
public:
  /// `afterBarrier` is called when all threads have met at a barrier.
  Scheduler(BlockErrors &errors, std::function<void()> afterBarrier)
      : errors(errors), afterBarrier(std::move(afterBarrier)) {}

  void prepare(const Grid &grid);
  void begin(uint64_t block);
  /// Runs until the block has finished or failed. The threads' fibers have
  /// begun; if threads never wait, only the first one.
  void run();

  std::span<Thread> threads() { return {storage.get(), count}; }
  RunOrder &order() { return runOrder; }
  /// Returns 1 + the number of barriers so far.
  uint64_t epoch() const { return barriers; }

  // The thread that runs calls these functions.
  void waitAtBarrier(Thread &thread, uint32_t site);
  /// Lets the other threads run and resumes this one in a later round.
  void poll(Thread &thread, uint32_t site);
  /// Marks a thread as waiting. The thread must call leave() afterwards, unless
  /// another thread wakes it before.
  void suspend(Thread &thread, ThreadState state, uint32_t site);
  /// Switches from a thread that waits to the next thread.
  void leave(Thread &thread);
  void wake(Thread &thread);
  void finish(Thread &thread);
  /// Notes that some threads have met at a barrier.
  void advanceEpoch() { ++barriers; }
  /// Resets the limits on rounds and accesses without progress.
  void noteProgress() { patience.idleRounds = patience.stalls = 0; }
  /// Counts an access. Switches to another thread if this one has used up its
  /// budget.
  void spendAccess(Thread &thread, uint32_t site) {
    if (--patience.budget == 0)
      giveTurn(thread, site);
  }
  /// Reports a deadlock of a thread that only polls, and ends the block.
  [[noreturn]] void giveUp(Thread &thread, uint32_t site);
  /// Ends the block after an error was reported, or because it has finished.
  [[noreturn]] void abandon();

private:
  Thread *pick();
  bool advance();
  void releaseBarrier();
  void giveTurn(Thread &thread, uint32_t site);
  void reportStuck();
  bool hasFibers() const { return grid->kernel.has(simSynchronizes); }

  /// Number of threads in each state that others can change.
  struct StateCounts {
    uint32_t ready = 0, atBarrier = 0, polling = 0, done = 0;
  };
  /// Counts that end a block without progress.
  struct Patience {
    uint32_t budget = 0;     // accesses until other threads run
    uint32_t idleRounds = 0; // rounds since the last progress
    uint32_t stalls = 0;     // used budgets since the last progress
  };
  /// The calling thread, and the fiber that runs.
  struct Fibers {
    Fiber host;
    Fiber *running = nullptr;
  };

  const Grid *grid = nullptr;
  BlockErrors &errors;
  std::function<void()> afterBarrier;
  std::unique_ptr<Thread[]> storage;
  uint32_t capacity = 0, count = 0; // of threads: stored, and of this grid
  RunOrder runOrder;
  StateCounts states;
  Patience patience;
  uint64_t barriers = 1;
  Fibers fibers;
};

} // namespace tensorc::rt::sim

#endif
