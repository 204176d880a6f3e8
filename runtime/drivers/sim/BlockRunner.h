//===- BlockRunner.h - the threads of one block -----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCKRUNNER_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCKRUNNER_H

#include "runtime/core/Status.h"
#include "runtime/drivers/sim/AsyncCopies.h"
#include "runtime/drivers/sim/AsyncProxy.h"
#include "runtime/drivers/sim/Fiber.h"
#include "runtime/drivers/sim/Shadow.h"
#include "runtime/drivers/sim/SimOptions.h"
#include "runtime/drivers/sim/profile/Counters.h"

#include <memory>
#include <string>
#include <vector>

namespace tensorc::rt::sim {

/// The memory of one segment, whose number is part of each token.
struct Segment {
  char *host = nullptr;
  uint64_t bytes = 0;
  Cell *cells = nullptr; // null if races are not detected
  unsigned granuleLog = 0;
  uint64_t firstCell = 0;
};

/// A tensor map of a launch, and the host address of its buffer.
struct BoundMap {
  TensorMap map;
  const char *host;
};

/// A launch, as shared by all of its blocks.
struct Grid {
  const SimKernel &kernel;
  const char *name;
  uint64_t blocks;
  SimOptions options;
  std::vector<Segment> buffers;
  // Argument words, with room for the arrays in workgroup memory.
  std::vector<Word> words;
  std::vector<BoundMap> maps;
  Counters *counters = nullptr; // null: blocks are not counted
};

/// Returns the callbacks for blocks that are counted.
const SimCalls &countedCalls();

/// Runs blocks on the calling thread, one after another, with a fiber per
/// simulated thread. Switches fibers when a thread waits. Keeps the stacks for
/// later launches.
class BlockRunner {
public:
  BlockRunner() = default;
  BlockRunner(const BlockRunner &) = delete;

  /// Prepares for the blocks of a grid. Must be called before the first of them
  /// runs.
  Status prepare(const Grid &grid);
  Status run(uint64_t block);

  static const SimCalls checkedCalls, uncheckedCalls;

private:
  friend struct CountedCalls;
  enum class State : uint8_t {
    Ready,
    AtBarrier,
    AtNamedBarrier,
    // The thread waits in a shuffle or another operation of the whole subgroup.
    InShuffle,
    Polling, // reading memory that does not change
    Done
  };
  /// Operations that the threads of a subgroup or warpgroup perform together.
  enum class Together : uint8_t { Shuffle, LoadMatrices, Multiply, Wgmma };
  struct Thread : SimThread {
    BlockRunner *owner;
    Fiber fiber;
    State state;
    uint32_t site; // site at which the thread waits
    Together together;
    // A shuffle's operands, and its result.
    uint64_t value, result;
    uint32_t operand, width;
    SimShuffle mode;
    // Operands of a matrix instruction.
    uint32_t *registers;
    const char *row;
    uint32_t transposed;
    SimMultiply multiply;
    AsyncCopies copies;
    // Operands of a multiplication by 128 threads (wgmma).
    uint64_t left, right, wgmma;
    uint32_t namedBarrier;
    // The last atomic access: its address, the value, and how often the same
    // value was read.
    const char *polled;
    uint64_t polledValue;
    uint32_t polls;
  };
  struct Subgroup {
    uint32_t begin, size, waiting;
  };

  // The callbacks of the kernel, see SimCalls.
  static void *access(SimThread *, void *token, uint32_t site) noexcept;
  static void *accessUnchecked(SimThread *, void *address, uint32_t) noexcept;
  static void *accessMasked(SimThread *, void *token, uint64_t mask,
                            uint32_t site) noexcept;
  static void *accessMaskedUnchecked(SimThread *, void *address, uint64_t,
                                     uint32_t) noexcept;
  static void barrier(SimThread *, uint32_t site) noexcept;
  static uint64_t shuffle(SimThread *, uint64_t value, uint32_t operand,
                          uint32_t width, SimShuffle mode,
                          uint32_t site) noexcept;
  template <bool Checked>
  static void loadMatrices(SimThread *, void *token, uint32_t *registers,
                           uint32_t transposed, uint32_t site) noexcept;
  static void multiply(SimThread *, uint32_t *registers, SimMultiply kind,
                       uint32_t site) noexcept;
  template <bool Checked>
  static void copyAsync(SimThread *, void *to, void *from, uint32_t inside,
                        uint32_t site) noexcept;
  static void commitCopies(SimThread *, uint32_t site) noexcept;
  static void waitForCopies(SimThread *, uint32_t pending,
                            uint32_t site) noexcept;
  static void mbarrierInit(SimThread *, void *token, uint32_t arrivals,
                           uint32_t site) noexcept;
  static void mbarrierFence(SimThread *, uint32_t site) noexcept;
  static void mbarrierArrive(SimThread *, void *token, uint32_t bytes,
                             uint32_t site) noexcept;
  static void mbarrierWait(SimThread *, void *token, uint32_t parity,
                           uint32_t site) noexcept;
  static void tensorCopy(SimThread *, const void *map,
                         const int64_t *coordinates, void *to, void *barrier,
                         uint32_t site) noexcept;
  static void namedBarrier(SimThread *, uint32_t number, uint32_t threads,
                           uint32_t site) noexcept;
  static uint32_t sharedAddress(SimThread *, void *token,
                                uint32_t site) noexcept;
  static void wgmma(SimThread *, uint32_t *registers, uint64_t left,
                    uint64_t right, uint64_t what, uint32_t site) noexcept;
  static void wgmmaWait(SimThread *, uint32_t *registers, uint32_t count,
                        uint32_t pending, uint32_t site) noexcept;
  static void runThread(void *thread);
  static void runAllThreads(void *runner);

  // Scheduling (BlockRunner.cpp)
  void shuffleOrder();
  void leave(Thread &thread);
  Thread *pick();
  bool advance();
  void releaseBarrier();
  void join(Thread &thread, Together what, uint32_t site);
  bool releaseSubgroup(Subgroup &subgroup);
  void readLane(Thread &thread, const Subgroup &subgroup);
  void progressed();
  void poll(Thread &thread, uint32_t site);
  void giveTurn(Thread &thread, uint32_t site);
  [[noreturn]] void giveUp(Thread &thread, uint32_t site);

  // Matrix instructions (Matrices.cpp)
  bool needLanes(const Subgroup &subgroup, uint32_t lanes);
  void loadMatrices(const Subgroup &subgroup);
  void multiply(const Subgroup &subgroup);

  // Asynchronous copies (CopyAsync.cpp)
  char *noteCopy(Thread &thread, uint64_t token, AsyncCopy &copy);
  void finishCopy(Thread &thread, const AsyncCopy &copy);
  void checkInFlight(const Thread &thread, uint32_t number, uint64_t offset,
                     uint64_t bytes, uint32_t site);

  // mbarriers and operations that they count (Mbarriers.cpp, TensorCopies.cpp,
  // Wgmma.cpp)
  AsyncProxy &asyncProxy();
  void shareKnowledge();
  uint32_t findBarrier(Thread &thread, uint64_t token, uint32_t site, SimOp op);
  void endPhase(Mbarrier &barrier);
  uint64_t segmentBegin(uint32_t number) const {
    return static_cast<uint64_t>(segments[number].host - sharedMemory.get());
  }
  void deliverCopies(uint32_t barrier);
  void claimCells(Thread &thread, const TensorCopy &copy, uint32_t number,
                  uint32_t site);
  void checkAsync(const Thread &thread, uint32_t number, uint64_t offset,
                  uint64_t bytes, uint32_t site, SimOp op);
  bool noteReads(uint32_t group, const GroupMultiply &op, uint32_t site);
  void execute(Warpgroup &group, const GroupMultiply &op);
  void executeNext(Warpgroup &group);
  bool issueMultiply(uint32_t number);

  // Checks of accesses (CheckAccess.cpp)
  char *check(Thread &thread, uint64_t token, uint64_t bytes, uint32_t site) {
    return check(thread, token, bytes, site, grid->kernel.sites[site].op);
  }
  char *check(Thread &thread, uint64_t token, uint64_t bytes, uint32_t site,
              SimOp op);
  void checkAlignment(const Thread &thread, const char *at, uint64_t token,
                      uint32_t site);
  template <bool Shared>
  void checkRaces(Thread &thread, uint32_t number, uint64_t offset,
                  uint64_t bytes, uint32_t site, SimOp op);
  void notePoll(Thread &thread, const char *at, uint32_t site);

  // Reports of errors (Reports.cpp)
  static const char *verb(SimOp op);
  const char *verb(uint32_t site) const;
  std::string place(uint32_t site) const;
  std::string segmentName(uint32_t number) const;
  std::string waiting(const Thread &thread) const;
  void reportStuck();
  void reportShuffle(const Thread &thread, const Thread &other);
  void reportRange(const Thread &thread, uint32_t number, int64_t offset,
                   uint64_t bytes, uint32_t site);
  void reportRace(const Thread &thread, uint32_t number, uint64_t offset,
                  uint32_t site, const Finding &finding);
  [[gnu::format(printf, 2, 3)]] void report(const char *format, ...);
  /// Ends the block after an error was reported.
  [[noreturn]] void abandon();

  const Grid *grid = nullptr;
  std::vector<Segment> segments;
  std::vector<Word> words;
  std::unique_ptr<char, void (*)(void *)> sharedMemory{nullptr, nullptr};
  size_t sharedBytes = 0, sharedUsed = 0;
  std::unique_ptr<Cell[]> sharedCells;
  size_t sharedCellCount = 0;
  /// For each cell, 1 + the thread whose copy to it is in flight, or 0.
  std::vector<uint16_t> flights;
  uint32_t inFlight = 0; // copies that no wait has covered yet
  /// Set once the block uses an asynchronous operation of sm_90.
  std::unique_ptr<AsyncProxy> proxy;

  std::unique_ptr<Thread[]> threads;
  std::vector<Subgroup> subgroups;
  std::vector<uint32_t> order;
  uint32_t capacity = 0; // of `threads`
  uint32_t count = 0;    // threads of a block
  uint32_t cursor = 0;   // position in `order`
  uint32_t ready = 0, atBarrier = 0, polling = 0, done = 0;
  uint32_t idleRounds = 0, stalls = 0;
  uint32_t budget = 0; // number of accesses until other threads run
  uint64_t block = 0, epoch = 0, generation = 0, random = 0;
  Fiber host;
  Fiber *running = nullptr;
  Status failure;
  bool failed = false;
};

} // namespace tensorc::rt::sim

#endif
