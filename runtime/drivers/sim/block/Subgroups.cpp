//===- Subgroups.cpp - operations of whole subgroups ----------------------===//
#include "runtime/drivers/sim/block/Subgroups.h"

#include "runtime/drivers/sim/block/Deadlocks.h"
#include "runtime/drivers/sim/block/Matrices.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

void Subgroups::prepare(const Grid &of) {
  grid = &of;
  uint32_t size = of.kernel.subgroupSize;
  waiting.assign((of.kernel.blockThreads + size - 1) / size, 0);
}

void Subgroups::join(Thread &thread, Together what, uint32_t site) {
  uint32_t size = grid->kernel.subgroupSize, number = thread.thread / size;
  std::span<Thread> lanes = scheduler.threads().subspan(number * size);
  lanes = lanes.first(std::min<size_t>(size, lanes.size()));
  thread.together = what;
  scheduler.suspend(thread, ThreadState::InShuffle, site);
  if (++waiting[number] < lanes.size())
    return scheduler.leave(thread);
  perform(lanes);
  if (errors.any())
    scheduler.abandon();
  for (Thread &lane : lanes)
    scheduler.wake(lane);
  if (grid->counters)
    grid->counters->meet(number);
  waiting[number] = 0;
  scheduler.noteProgress();
}

void Subgroups::perform(std::span<Thread> lanes) {
  const Thread &first = lanes[0];
  for (const Thread &lane : lanes)
    if (lane.site != first.site)
      return reportInactiveLanes(errors, first, lane);
  switch (first.together) {
  case Together::Shuffle:
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
      readLane(lanes, lane);
    break;
  case Together::LoadMatrices:
    if (hasLanes(lanes, matrixLoadLanes))
      loadMatrices(lanes);
    break;
  case Together::Multiply:
    if (hasLanes(lanes, matrixLanes(first.matrix.multiply)))
      multiplyMatrices(lanes);
    break;
  case Together::Wgmma:
    break; // Groups of 128 threads have several subgroups.
  }
}

/// Sets the value that a lane reads in a shuffle. If the source is outside of
/// the lane's part of the subgroup, this is the lane's own value.
void Subgroups::readLane(std::span<Thread> lanes, uint32_t lane) {
  Thread &thread = lanes[lane];
  ShuffleLane &shuffle = thread.shuffle;
  uint32_t width = shuffle.width, first = lane / width * width;
  int64_t source = lane;
  switch (shuffle.mode) {
  case SimShuffle::Xor:
    source = lane ^ shuffle.operand;
    break;
  case SimShuffle::Up:
    source = int64_t(lane) - shuffle.operand;
    break;
  case SimShuffle::Down:
    source = int64_t(lane) + shuffle.operand;
    break;
  case SimShuffle::Index:
    source = first + int64_t(shuffle.operand);
    break;
  }
  thread.valid = source >= first && source < int64_t(first) + width;
  shuffle.result = shuffle.value;
  if (!thread.valid)
    return;
  if (source >= static_cast<int64_t>(lanes.size()))
    return errors.report(
        "thread %u shuffles with lane %lld of its subgroup, which has only "
        "%zu threads (%s)",
        thread.thread, (long long)source, lanes.size(),
        errors.place(thread.site).c_str());
  shuffle.result = lanes[static_cast<size_t>(source)].shuffle.value;
}

bool Subgroups::hasLanes(std::span<Thread> lanes, uint32_t number) {
  if (lanes.size() == number)
    return true;
  errors.report("thread %u is in an operation of %u lanes on matrices, and its "
                "subgroup has %zu (%s)",
                lanes[0].thread, number, lanes.size(),
                errors.place(lanes[0].site).c_str());
  return false;
}
