//===- BlockRunner.cpp - the threads of one block -------------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

#include <cstdlib>
#include <cstring>
#include <numeric>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Stack size of a thread in addition to its frame, for callbacks and signal
/// handlers.
static constexpr size_t stackBase = size_t(64) << 10;
/// Alignment of dynamic shared memory in bytes.
static constexpr size_t dynamicAlignment = 1024;
/// Number of accesses of one thread after which other threads run, and the
/// maximum number of such switches without progress of any thread.
static constexpr uint32_t accessBudget = 1u << 20, maxStalls = 1u << 10;
/// Maximum number of rounds in which all threads only poll or wait.
static constexpr uint32_t maxIdleRounds = 1000;

// The callbacks of a profile do nothing without counters.
static void countNothing(SimThread *, uint32_t) {}
static void branchUncounted(SimThread *, uint32_t, uint32_t) {}
static void radixUncounted(SimThread *, uint64_t, uint64_t, uint32_t) {}

const SimCalls BlockRunner::checkedCalls = {access,
                                            accessMasked,
                                            barrier,
                                            shuffle,
                                            loadMatrices<true>,
                                            multiply,
                                            copyAsync<true>,
                                            commitCopies,
                                            waitForCopies,
                                            mbarrierInit,
                                            mbarrierFence,
                                            mbarrierArrive,
                                            mbarrierWait,
                                            tensorCopy,
                                            namedBarrier,
                                            sharedAddress,
                                            wgmma,
                                            wgmmaWait,
                                            countNothing,
                                            branchUncounted,
                                            radixUncounted};
const SimCalls BlockRunner::uncheckedCalls = {accessUnchecked,
                                              accessMaskedUnchecked,
                                              barrier,
                                              shuffle,
                                              loadMatrices<false>,
                                              multiply,
                                              copyAsync<false>,
                                              commitCopies,
                                              waitForCopies,
                                              mbarrierInit,
                                              mbarrierFence,
                                              mbarrierArrive,
                                              mbarrierWait,
                                              tensorCopy,
                                              namedBarrier,
                                              sharedAddress,
                                              wgmma,
                                              wgmmaWait,
                                              countNothing,
                                              branchUncounted,
                                              radixUncounted};

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

static unsigned logOf(unsigned bytes) {
  return bytes ? static_cast<unsigned>(__builtin_ctz(bytes)) : 0;
}

Status BlockRunner::prepare(const Grid &of) {
  grid = &of;
  const SimKernel &kernel = of.kernel;
  segments = of.buffers;
  words = of.words;
  count = kernel.blockThreads;
  if (capacity < count) {
    threads = std::make_unique<Thread[]>(count);
    capacity = count;
  }
  order.resize(count);
  std::iota(order.begin(), order.end(), 0);
  if (of.options.order == Order::Reverse)
    std::reverse(order.begin(), order.end());
  subgroups.clear();
  for (uint32_t i = 0; i < count; i += kernel.subgroupSize)
    subgroups.push_back({i, std::min(kernel.subgroupSize, count - i), 0});

  // Arrays in workgroup memory are only aligned like buffers. Dynamic shared
  // memory is aligned for every instruction.
  const size_t begin = kernel.dynamicShared ? 0 : bufferAlignment;
  size_t bytes = begin, cells = 0;
  for (uint32_t i = 0; i < kernel.shared; ++i) {
    const SimBuffer &array = kernel.memory[kernel.buffers + i];
    unsigned log = logOf(array.elementBytes);
    segments.push_back({nullptr, array.bytes, nullptr, log, cells});
    cells += (array.bytes >> log) + 1;
    bytes += (array.bytes + bufferAlignment - 1) & ~(bufferAlignment - 1);
  }
  sharedUsed = bytes;
  bytes = (bytes + dynamicAlignment - 1) & ~(dynamicAlignment - 1);
  if (sharedBytes < bytes) {
    sharedMemory = {
        static_cast<char *>(std::aligned_alloc(dynamicAlignment, bytes)),
        std::free};
    sharedBytes = sharedMemory ? bytes : 0;
    if (!sharedMemory)
      return outOfMemory();
  }
  if (of.options.checks && sharedCellCount < cells) {
    sharedCells = std::make_unique<Cell[]>(cells);
    sharedCellCount = cells;
    flights.assign(cells, 0);
    generation = 0;
  }
  size_t offset = begin;
  for (uint32_t i = 0; i < kernel.shared; ++i) {
    Segment &segment = segments[kernel.buffers + i];
    segment.host = sharedMemory.get() + offset;
    offset += (segment.bytes + bufferAlignment - 1) & ~(bufferAlignment - 1);
    if (of.options.checks)
      segment.cells = sharedCells.get();
    words[kernel.buffers + kernel.scalars + kernel.tensorMaps + i] =
        of.options.checks ? simToken(kernel.buffers + i)
                          : reinterpret_cast<Word>(segment.host);
  }
  return Status();
}

/// Returns the next number of the splitmix64 generator.
static uint64_t next(uint64_t &state) {
  uint64_t z = state += 0x9E3779B97F4A7C15ull;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}

void BlockRunner::shuffleOrder() {
  for (uint32_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[next(random) % i]);
}

Status BlockRunner::run(uint64_t number) {
  block = number;
  epoch = 1;
  random = grid->options.seed * 0x100000001B3ull + number;
  // Access marks in workgroup memory identify the block by a generation number.
  // When the numbers are used up, all marks are cleared.
  if (++generation > Visit::maxOwner) {
    for (size_t i = 0; i < sharedCellCount; ++i)
      sharedCells[i].writer = sharedCells[i].reader = 0;
    generation = 1;
  }
  if (grid->options.checks)
    std::memset(sharedMemory.get(), 0xff, sharedUsed);
  cursor = atBarrier = polling = done = idleRounds = stalls = 0;
  budget = accessBudget;
  ready = count;
  failed = false;
  if (std::exchange(inFlight, 0))
    std::fill(flights.begin(), flights.end(), 0);
  for (Subgroup &subgroup : subgroups)
    subgroup.waiting = 0;
  proxy.reset();
  if (grid->options.order == Order::Random)
    shuffleOrder();

  const SimKernel &kernel = grid->kernel;
  size_t stack = (kernel.stackBytes + stackBase + 4095) & ~size_t(4095);
  uint32_t fibers = kernel.has(simSynchronizes) ? count : std::min(count, 1u);
  for (uint32_t i = 0; i < count; ++i) {
    Thread &thread = threads[i];
    thread.block = number;
    thread.thread = i;
    thread.owner = this;
    thread.state = State::Ready;
    thread.polled = nullptr;
    thread.polls = 0;
    thread.copies.clear();
    if (i < fibers && !(kernel.has(simSynchronizes)
                            ? thread.fiber.begin(stack, runThread, &thread)
                            : thread.fiber.begin(stack, runAllThreads, this)))
      return outOfMemory();
  }
  running = kernel.has(simSynchronizes) ? &pick()->fiber : &threads[0].fiber;
  host.switchTo(*running);
  if (grid->counters)
    grid->counters->meetAll();
  return std::exchange(failure, Status());
}

static const SimCalls &callsFor(const Grid &grid) {
  if (grid.counters)
    return countedCalls();
  return grid.options.checks ? BlockRunner::checkedCalls
                             : BlockRunner::uncheckedCalls;
}

void BlockRunner::runThread(void *context) {
  auto &thread = *static_cast<Thread *>(context);
  BlockRunner &runner = *thread.owner;
  runner.grid->kernel.function(&thread, &callsFor(*runner.grid),
                               runner.words.data());
  thread.state = State::Done;
  ++runner.done;
  --runner.ready;
  runner.progressed();
  runner.leave(thread);
}

/// Runs all threads of a block one after another on one stack. Used if they
/// never wait.
void BlockRunner::runAllThreads(void *context) {
  auto &runner = *static_cast<BlockRunner *>(context);
  const SimCalls &calls = callsFor(*runner.grid);
  for (uint32_t i : runner.order) {
    runner.progressed();
    runner.grid->kernel.function(&runner.threads[i], &calls,
                                 runner.words.data());
    if (runner.grid->counters)
      runner.grid->counters->finish(i);
  }
  runner.abandon();
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

void BlockRunner::abandon() {
  Fiber &from = *running;
  running = nullptr;
  from.switchTo(host);
  __builtin_unreachable();
}

void BlockRunner::progressed() { idleRounds = stalls = 0; }

/// Switches from a thread that waits or has finished to the next thread.
void BlockRunner::leave(Thread &thread) {
  Thread *next = pick();
  if (next == &thread)
    return;
  if (!next)
    abandon();
  running = &next->fiber;
  thread.fiber.switchTo(next->fiber);
}

/// Returns the next thread in the order that can run, or null if there is none.
BlockRunner::Thread *BlockRunner::pick() {
  while (true) {
    while (cursor < count) {
      Thread &thread = threads[order[cursor++]];
      if (thread.state == State::Ready)
        return &thread;
    }
    cursor = 0;
    if (!advance())
      return nullptr;
  }
}

/// Ends a round, and begins the next one with the threads that can continue.
/// Returns false if there is no next round.
bool BlockRunner::advance() {
  if (failed || done == count)
    return false;
  if (grid->options.order == Order::Random)
    shuffleOrder();
  if (ready)
    return true;
  if (atBarrier == count) {
    releaseBarrier();
    return !failed;
  }
  if (polling && ++idleRounds < maxIdleRounds) {
    for (uint32_t i = 0; i < count; ++i)
      if (threads[i].state == State::Polling)
        threads[i].state = State::Ready;
    ready += std::exchange(polling, 0);
    return true;
  }
  reportStuck();
  return false;
}

void BlockRunner::releaseBarrier() {
  for (uint32_t i = 1; i < count; ++i)
    if (threads[i].site != threads[0].site)
      return reportStuck();
  for (uint32_t i = 0; i < count; ++i)
    threads[i].state = State::Ready;
  ready = count;
  atBarrier = 0;
  ++epoch;
  if (proxy)
    shareKnowledge();
  if (grid->counters)
    grid->counters->meetAll();
  progressed();
}

void BlockRunner::barrier(SimThread *self, uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  thread.state = State::AtBarrier;
  thread.site = site;
  --runner.ready;
  ++runner.atBarrier;
  runner.leave(thread);
}

/// Lets the other threads run and resumes this one in a later round.
void BlockRunner::poll(Thread &thread, uint32_t site) {
  thread.site = site;
  thread.state = State::Polling;
  --ready;
  ++polling;
  leave(thread);
}

void BlockRunner::giveUp(Thread &thread, uint32_t site) {
  thread.site = site;
  thread.state = State::Polling;
  reportStuck();
  abandon();
}

/// Switches to another thread because this one has used up its budget of
/// accesses.
void BlockRunner::giveTurn(Thread &thread, uint32_t site) {
  budget = accessBudget;
  if (++stalls > maxStalls)
    giveUp(thread, site);
  if (grid->kernel.has(simSynchronizes))
    poll(thread, site);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// Sets the value that a lane reads in a shuffle. If the source is outside of
/// the lane's part of the subgroup, this is the lane's own value.
void BlockRunner::readLane(Thread &thread, const Subgroup &subgroup) {
  uint32_t lane = thread.thread - subgroup.begin;
  uint32_t width = thread.width, first = lane / width * width;
  int64_t source = lane;
  switch (thread.mode) {
  case SimShuffle::Xor:
    source = lane ^ thread.operand;
    break;
  case SimShuffle::Up:
    source = int64_t(lane) - thread.operand;
    break;
  case SimShuffle::Down:
    source = int64_t(lane) + thread.operand;
    break;
  case SimShuffle::Index:
    source = first + int64_t(thread.operand);
    break;
  }
  thread.valid = source >= first && source < int64_t(first) + width;
  thread.result = thread.value;
  if (!thread.valid)
    return;
  if (source >= subgroup.size) {
    report("thread %u shuffles with lane %lld of its subgroup, which has only "
           "%u threads (%s)",
           thread.thread, (long long)source, subgroup.size,
           place(thread.site).c_str());
    return;
  }
  thread.result = threads[subgroup.begin + source].value;
}

/// Waits for the other lanes of the subgroup. The last lane to arrive performs
/// the operation for all.
void BlockRunner::join(Thread &thread, Together what, uint32_t site) {
  thread.together = what;
  thread.site = site;
  thread.state = State::InShuffle;
  --ready;
  Subgroup &subgroup = subgroups[thread.thread / grid->kernel.subgroupSize];
  if (++subgroup.waiting < subgroup.size)
    leave(thread);
  else if (!releaseSubgroup(subgroup))
    abandon();
}

/// Performs the subgroup's operation if all of its lanes have arrived.
bool BlockRunner::releaseSubgroup(Subgroup &subgroup) {
  Thread *lanes = &threads[subgroup.begin];
  for (uint32_t i = 0; i < subgroup.size; ++i)
    if (lanes[i].site != lanes[0].site) {
      reportShuffle(lanes[0], lanes[i]);
      return false;
    }
  switch (lanes[0].together) {
  case Together::Shuffle:
    for (uint32_t i = 0; i < subgroup.size; ++i)
      readLane(lanes[i], subgroup);
    break;
  case Together::LoadMatrices:
    loadMatrices(subgroup);
    break;
  case Together::Multiply:
    multiply(subgroup);
    break;
  case Together::Wgmma:
    break; // Groups of 128 threads have several subgroups.
  }
  for (uint32_t i = 0; i < subgroup.size; ++i)
    lanes[i].state = State::Ready;
  if (grid->counters)
    grid->counters->meet(lanes[0].thread / grid->kernel.subgroupSize);
  ready += subgroup.size;
  subgroup.waiting = 0;
  progressed();
  return !failed;
}

uint64_t BlockRunner::shuffle(SimThread *self, uint64_t value, uint32_t operand,
                              uint32_t width, SimShuffle mode,
                              uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  uint32_t size = runner.grid->kernel.subgroupSize;
  thread.value = value;
  thread.operand = operand;
  thread.width = width;
  thread.mode = mode;
  if (!width || width > size || width & (width - 1)) {
    runner.report("thread %u shuffles among %u lanes of a subgroup of %u (%s)",
                  thread.thread, width, size, runner.place(site).c_str());
    runner.abandon();
  }
  runner.join(thread, Together::Shuffle, site);
  return thread.result;
}
