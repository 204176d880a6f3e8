//===- Comms.cpp - NCCL's communicators of one rank -----------------------===//
#include "runtime/collectives/nccl/Comms.h"

#include "runtime/core/streams/Event.h"

#include <algorithm>
#include <thread>
#include <utility>

using namespace tensorc::rt;
using namespace tensorc::rt::nccl;

Status Comms::check(Result result, Comm comm, const char *doing,
                    int64_t timeout) {
  TENSORC_RT_TRY(library.check(result, doing));
  return result == inProgress ? settle(comm, doing, timeout) : Status();
}

/// Waits until the last call on the communicator has returned.
Status Comms::settle(Comm comm, const char *doing, int64_t timeout) {
  for (int64_t begin = now();;) {
    Result state = success;
    TENSORC_RT_TRY(library.check(library.asyncError(comm, &state), doing));
    TENSORC_RT_TRY(library.check(state, doing));
    TENSORC_RT_TRY(outcome->get());
    if (state == success)
      return Status();
    if (now() - begin > timeout * 1000000)
      return error(
          TENSORC_RT_DEADLINE_EXCEEDED,
          "NCCL: %s: not all ranks took part within %lld ms, for which "
          "rank %d waited",
          doing, static_cast<long long>(timeout), rank);
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

Status Comms::join(const UniqueId &id, int64_t timeout) {
  return device.withCollectives([&](auto) {
    std::lock_guard lock(mutex);
    Config config;
    Result result = library.join(&whole, size, id, rank, &config);
    return check(result, whole, "joining the ranks", timeout);
  });
}

Status Comms::find(const Group &group, int64_t timeout, Comm &out) {
  out = whole;
  if (group.all.empty())
    return Status();
  const char *doing = "dividing the ranks into groups";
  std::vector<int32_t> key = group.all;
  auto place = std::find(key.begin(), key.end(), rank) - key.begin();
  key.push_back(group.size());
  Comm &known = groups[key];
  if (!known) {
    Result result = library.split(whole, static_cast<int>(place / group.size()),
                                  group.own, &known, nullptr);
    TENSORC_RT_TRY(check(result, whole, doing, timeout));
    TENSORC_RT_TRY(known ? settle(known, doing, timeout)
                         : error(TENSORC_RT_DEVICE_ERROR, "NCCL: %s", doing));
  }
  out = known;
  return Status();
}

Status Comms::call(const Group &group, const char *doing, int64_t timeout,
                   const std::function<Result(Comm)> &function) {
  std::lock_guard lock(mutex);
  TENSORC_RT_TRY(outcome->get());
  Comm comm = nullptr;
  TENSORC_RT_TRY(find(group, timeout, comm));
  return check(function(comm), comm, doing, timeout);
}

void Comms::drop(Result (*end)(Comm)) {
  (void)device.withCollectives([&](auto) {
    std::lock_guard lock(mutex);
    for (auto &[key, comm] : groups)
      if (comm)
        (void)end(std::exchange(comm, nullptr));
    if (whole)
      (void)end(std::exchange(whole, nullptr));
    return Status();
  });
}

void Comms::abort() { drop(library.abort); }

Comms::~Comms() { drop(outcome->failed() ? library.abort : library.destroy); }
