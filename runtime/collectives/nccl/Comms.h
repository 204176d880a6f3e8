//===- Comms.h - NCCL's communicators of one rank ---------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_NCCL_COMMS_H
#define TENSORC_RUNTIME_COLLECTIVES_NCCL_COMMS_H

#include "runtime/collectives/Collective.h"
#include "runtime/collectives/nccl/Library.h"

#include <functional>
#include <map>
#include <mutex>

namespace tensorc::rt::nccl {

/// The error that has ended a rank's communicators. Queued work shares
/// ownership of it; the work must not hold the communicators, which only a
/// thread that may call the vendor's library can destroy.
class Outcome {
public:
  void fail(Status why) {
    std::lock_guard lock(mutex);
    if (!hasFailed)
      failure = std::move(why);
    hasFailed = true;
  }
  Status get() {
    if (!hasFailed)
      return Status();
    std::lock_guard lock(mutex);
    return failure.clone();
  }
  bool failed() const { return hasFailed; }

private:
  std::mutex mutex;
  Status failure;
  std::atomic<bool> hasFailed{false};
};

/// The communicator of all ranks, and those of the groups that were used. The
/// library's functions do not block. This class waits for their outcome, at most
/// for a time limit in milliseconds.
class Comms {
public:
  Comms(const Library &library, Device &device,
        std::shared_ptr<Outcome> outcome, int32_t rank, int32_t size)
      : library(library), device(device), outcome(std::move(outcome)),
        rank(rank), size(size) {}
  ~Comms();
  /// Joins the ranks that have this id.
  Status join(const UniqueId &id, int64_t timeout);
  /// Ends the library's work on the device, and drops the communicators.
  void abort();

  /// Calls the library with the communicator of the group, while the device is
  /// current on the thread. Makes that communicator when the groups are first
  /// used. Returns the outcome if that is an error.
  Status call(const Group &group, const char *doing, int64_t timeout,
              const std::function<Result(Comm)> &function);
  /// The same with the communicator of all ranks.
  Status callAll(const char *doing, int64_t timeout,
                 const std::function<Result(Comm)> &function) {
    return call({}, doing, timeout, function);
  }

private:
  // The lock is held.
  Status find(const Group &group, int64_t timeout, Comm &out);
  Status check(Result result, Comm comm, const char *doing, int64_t timeout);
  Status settle(Comm comm, const char *doing, int64_t timeout);
  void drop(Result (*end)(Comm));

  const Library &library;
  Device &device;
  const std::shared_ptr<Outcome> outcome;
  const int32_t rank, size;
  // Held only in calls of the library, so that `abort` never waits for a stream.
  std::mutex mutex;
  Comm whole = nullptr;
  std::map<std::vector<int32_t>, Comm> groups;
};

} // namespace tensorc::rt::nccl

#endif
