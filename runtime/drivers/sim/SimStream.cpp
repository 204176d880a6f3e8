//===- SimStream.cpp - runs simulated work on the calling thread ----------===//
#include "runtime/drivers/sim/SimStream.h"

#include "runtime/core/HostMemory.h"
#include "runtime/core/Trace.h"
#include "runtime/core/check/Checks.h"
#include "runtime/core/check/Faults.h"
#include "runtime/core/check/GuardedMemory.h"
#include "runtime/core/streams/Event.h"
#include "runtime/core/threads/Threads.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Maximum number of cells, which have 16 bytes. Larger global memory is not
/// checked for races.
static constexpr uint64_t maxCells = uint64_t(1) << 22;

//===----------------------------------------------------------------------===//
// Launches: arguments
//===----------------------------------------------------------------------===//

Status SimStream::toHost(const void *address, size_t size, char *&out) {
  out = memory.host(address, size);
  if (!out && size)
    return error(TENSORC_RT_DEVICE_ERROR,
                 "%s: %zu bytes at %p are not memory of this device",
                 device.name(), size, address);
  return Status();
}

/// Allocates the cells that detect races. Overlapping buffers share cells,
/// because a donated input is also an output.
static void watchRaces(Grid &grid, std::vector<std::unique_ptr<Cell[]>> &all) {
  const SimKernel &kernel = grid.kernel;
  std::vector<uint32_t> order(kernel.buffers);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return grid.buffers[a].host < grid.buffers[b].host;
  });
  uint64_t budget = maxCells;
  for (size_t i = 0, next; i < order.size(); i = next) {
    const char *begin = grid.buffers[order[i]].host, *end = begin;
    bool written = false;
    unsigned log = 3;
    for (next = i; next < order.size(); ++next) {
      const Segment &segment = grid.buffers[order[next]];
      if (next != i && segment.host >= end)
        break;
      const SimBuffer &buffer = kernel.memory[order[next]];
      end = std::max<const char *>(end, segment.host + segment.bytes);
      written |= buffer.written != 0;
      log = std::min(
          log, static_cast<unsigned>(__builtin_ctz(buffer.elementBytes | 8u)));
    }
    uint64_t cells = (static_cast<uint64_t>(end - begin) >> log) + 1;
    if (!written || cells > budget)
      continue;
    budget -= cells;
    all.push_back(std::make_unique<Cell[]>(cells));
    for (size_t k = i; k < next; ++k) {
      Segment &segment = grid.buffers[order[k]];
      segment.cells = all.back().get();
      segment.granuleLog = log;
      segment.firstCell = static_cast<uint64_t>(segment.host - begin) >> log;
    }
  }
}

Status SimStream::bind(const Launch &launch, Grid &grid) {
  const SimKernel &kernel = grid.kernel;
  if (launch.arity != kernel.buffers + kernel.scalars)
    return error(TENSORC_RT_DEVICE_ERROR,
                 "kernel '%s' takes %u arguments, not %u", launch.name,
                 kernel.buffers + kernel.scalars, launch.arity);
  if (launch.maps.size() != kernel.tensorMaps)
    return error(TENSORC_RT_DEVICE_ERROR,
                 "kernel '%s' takes %u tensor maps, not %zu", launch.name,
                 kernel.tensorMaps, launch.maps.size());
  grid.words.resize(launch.arity + kernel.tensorMaps + kernel.shared);
  std::copy_n(launch.args, launch.arity, grid.words.begin());
  for (uint32_t i = 0; i < kernel.buffers; ++i) {
    auto *address = reinterpret_cast<const void *>(launch.args[i]);
    uint64_t bytes = launch.sizes ? launch.sizes[i] : memory.bytesFrom(address);
    char *at = memory.host(address, bytes);
    if (!at && (bytes || !launch.sizes))
      return error(TENSORC_RT_DEVICE_ERROR,
                   "kernel '%s': argument %u, %llu bytes at %p, is not memory "
                   "of %s",
                   launch.name, i, (unsigned long long)bytes, address,
                   device.name());
    grid.buffers.push_back({at, bytes, nullptr, 0, 0});
    grid.words[i] =
        grid.options.checks ? simToken(i) : reinterpret_cast<Word>(at);
  }
  return bindMaps(launch, grid);
}

/// Checks that each window is within its buffer.
Status SimStream::bindMaps(const Launch &launch, Grid &grid) {
  for (size_t i = 0; i < launch.maps.size(); ++i) {
    const TensorMap &map = launch.maps[i];
    uint64_t end = map.elementBytes;
    bool isEmpty = false;
    for (uint32_t d = 0; d < map.rank; ++d) {
      uint64_t stride =
          d ? static_cast<uint64_t>(map.strides[d - 1]) : map.elementBytes;
      isEmpty |= map.sizes[d] == 0;
      end += static_cast<uint64_t>(map.sizes[d] - 1) * stride;
      if (d && stride % 16)
        return error(TENSORC_RT_DEVICE_ERROR,
                     "kernel '%s': tensor map %zu has a stride of %llu bytes, "
                     "which is not a multiple of 16",
                     launch.name, i, (unsigned long long)stride);
    }
    const Segment &buffer = grid.buffers[map.buffer];
    if (!isEmpty && end > buffer.bytes)
      return error(TENSORC_RT_DEVICE_ERROR,
                   "kernel '%s': tensor map %zu ends at byte %llu of argument "
                   "%u, which has %llu",
                   launch.name, i, (unsigned long long)end, map.buffer,
                   (unsigned long long)buffer.bytes);
    grid.maps.push_back({map, buffer.host});
  }
  for (size_t i = 0; i < launch.maps.size(); ++i)
    grid.words[launch.arity + i] = reinterpret_cast<Word>(&grid.maps[i]);
  return Status();
}

//===----------------------------------------------------------------------===//
// Launches: blocks
//===----------------------------------------------------------------------===//

namespace {
/// The order in which blocks run. It does not depend on the number of host
/// threads that run them.
class BlockOrder {
public:
  explicit BlockOrder(const Grid &grid)
      : blocks(grid.blocks), order(grid.options.order) {
    // A stride that has no common divisor with the number of blocks visits each
    // block once.
    stride = grid.options.seed * 2654435761u % blocks | 1;
    while (std::gcd(stride, blocks) != 1)
      stride += 2;
  }
  uint64_t block(uint64_t position) const {
    switch (order) {
    case Order::Forward:
      return position;
    case Order::Reverse:
      return blocks - 1 - position;
    case Order::Random:
      return static_cast<uint64_t>(static_cast<unsigned __int128>(position) *
                                   stride % blocks);
    }
    __builtin_unreachable();
  }

private:
  uint64_t blocks, stride;
  Order order;
};

struct Split {
  Split(const Launch &launch, const Grid &grid)
      : launch(launch), grid(grid), order(grid) {}

  const Launch &launch;
  const Grid &grid;
  BlockOrder order;
  std::vector<std::unique_ptr<BlockRunner>> runners;
  std::atomic<uint64_t> next{0};
  /// Position of the first block that failed, and its error. All blocks before
  /// it are finished, so that the reported error does not depend on the number
  /// of threads.
  std::atomic<uint64_t> firstFailed{UINT64_MAX};
  std::mutex mutex;
  Status failure;

  void fail(uint64_t position, Status status) {
    std::lock_guard lock(mutex);
    if (position >= firstFailed)
      return;
    firstFailed = position;
    failure = std::move(status);
  }
};
} // namespace

static void workOn(void *context, int64_t thread) {
  auto &split = *static_cast<Split *>(context);
  FaultScope scope(split.launch, /*isHost=*/false);
  BlockRunner &runner = *split.runners[static_cast<size_t>(thread)];
  if (Status status = runner.prepare(split.grid); !status.ok())
    return split.fail(0, std::move(status));
  while (true) {
    uint64_t position = split.next.fetch_add(1, std::memory_order_relaxed);
    if (position >= split.grid.blocks || position > split.firstFailed)
      return;
    Status status = runner.run(split.order.block(position));
    if (!status.ok())
      split.fail(position, std::move(status));
  }
}

std::unique_ptr<BlockRunner> SimStream::takeRunner() {
  std::lock_guard lock(mutex);
  if (runners.empty())
    return std::make_unique<BlockRunner>();
  auto runner = std::move(runners.back());
  runners.pop_back();
  return runner;
}

void SimStream::giveRunner(std::unique_ptr<BlockRunner> runner) {
  std::lock_guard lock(mutex);
  runners.push_back(std::move(runner));
}

/// Runs a launch whose counts the profile hook receives.
Status SimStream::runProfiled(const Launch &launch, const Grid &grid,
                              const ProfileHook &profileHook) {
  LaunchHook hook = launchHook();
  LaunchTime begin = beginLaunch(hook);
  FaultScope scope(launch, /*isHost=*/false);
  auto runner = takeRunner();
  Profile profile(grid);
  TENSORC_RT_TRY(profile.run(*runner));
  giveRunner(std::move(runner));
  TENSORC_RT_TRY(traceLaunch(hook, device, launch, begin, 1));
  return callProfileHook(profileHook, launch.name, profile.toJson());
}

Status SimStream::runBlocks(const Launch &launch, const Grid &grid) {
  if (grid.kernel.has(simProfiled))
    if (ProfileHook hook = profileHook(); hook.fn)
      return runProfiled(launch, grid, hook);
  // Blocks with atomics run on one thread, because atomic updates of floats
  // depend on their order.
  uint64_t most = grid.kernel.has(simHasAtomics) ? 1 : numThreads();
  auto count = static_cast<int64_t>(std::min(grid.blocks, most));
  LaunchHook hook = launchHook();
  LaunchTime begin = beginLaunch(hook);
  Split split(launch, grid);
  for (int64_t i = 0; i < count; ++i)
    split.runners.push_back(takeRunner());
  if (count > 1)
    runTasks(count, workOn, &split);
  workOn(&split, 0); // the remaining work, if there was no memory or thread
  for (auto &runner : split.runners)
    giveRunner(std::move(runner));
  TENSORC_RT_TRY(
      traceLaunch(hook, device, launch, begin, static_cast<int32_t>(count)));
  return std::move(split.failure);
}

/// Delays the return of a call, to imitate the latency of hardware.
static void delay() {
  if (uint32_t microseconds = simDelay())
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

Status SimStream::checkShape(const Launch &launch,
                             const SimKernel &kernel) const {
  LaunchShape shape = launch.shape;
  if (shape.sharedBytes < kernel.dynamicShared)
    return error(TENSORC_RT_DEVICE_ERROR,
                 "kernel '%s' needs %u bytes of dynamic shared memory; its "
                 "launch asks for %u",
                 launch.name, kernel.dynamicShared, shape.sharedBytes);
  shape.sharedBytes = 0;
  if (!shape.isPlain())
    return error(TENSORC_RT_UNSUPPORTED,
                 "kernel '%s' has a launch of several dims, which %s does not "
                 "simulate",
                 launch.name, device.name());
  return Status();
}

Status SimStream::launch(const Launch &launch) {
  TENSORC_RT_TRY(checkSimEnvironment());
  delay();
  const auto &kernel = *static_cast<const SimKernel *>(launch.kernel);
  TENSORC_RT_TRY(checkShape(launch, kernel));
  Grid grid{kernel,
            launch.name,
            static_cast<uint64_t>(launch.extent),
            SimOptions::fromEnvironment(),
            {},
            {},
            {}};
  // Counters need the tokens of checked accesses.
  grid.options.checks |= kernel.has(simProfiled);
  TENSORC_RT_TRY(bind(launch, grid));
  Cells cells;
  if (grid.options.checks)
    watchRaces(grid, cells);
  TENSORC_RT_TRY(runBlocks(launch, grid));
  if (!checks().memory)
    return Status();
  std::vector<const char *> host;
  for (const Segment &buffer : grid.buffers)
    host.push_back(buffer.host);
  return verifyRedZones(launch, host);
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

Status SimStream::copy(void *target, const void *source, size_t size,
                       CopyKind kind) {
  if (!size)
    return Status();
  delay();
  char *to = static_cast<char *>(target);
  auto *from = static_cast<char *>(const_cast<void *>(source));
  if (kind != CopyKind::DeviceToHost && kind != CopyKind::DeviceToBlock)
    TENSORC_RT_TRY(toHost(target, size, to));
  if (kind != CopyKind::HostToDevice && kind != CopyKind::BlockToDevice)
    TENSORC_RT_TRY(toHost(source, size, from));
  std::memmove(to, from, size);
  return Status();
}

Status SimStream::fill(void *target, uint64_t pattern, uint32_t width,
                       size_t size) {
  char *to = nullptr;
  TENSORC_RT_TRY(toHost(target, size, to));
  fillHostMemory(to, pattern, width, size);
  return Status();
}

Status SimStream::record(std::shared_ptr<Mark> &mark) {
  auto host = std::make_shared<HostMark>();
  host->reach();
  mark = std::move(host);
  return Status();
}

void SimStream::retire(std::vector<Buffer *> buffers,
                       std::shared_ptr<const void>) {
  for (Buffer *buffer : buffers)
    buffer->release();
}
