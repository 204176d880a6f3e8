//===- HostCalls.h - functions on the host in a stream's order --*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_HOST_HOSTCALLS_H
#define TENSORC_RUNTIME_DRIVERS_GPU_HOST_HOSTCALLS_H

#include "runtime/core/Status.h"
#include "runtime/drivers/gpu/VendorApi.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace tensorc::rt::gpu {

/// Lets a library's stream call functions on the host, and keeps their first
/// error. Thread-safe.
class HostCalls {
public:
  /// Whether a function is called if an earlier one has failed.
  enum class When { WithoutError, Always };
  /// Queues a call.
  Result queue(StreamApi &api, Stream_t stream,
               std::function<Status()> function, When when);
  /// True if a function has failed since the last call of takeFailure().
  bool hasFailed() const { return state->failed; }
  /// Returns the error of the first function that failed, and forgets it.
  Status takeFailure();

private:
  /// Shared with the calls, because a function may run after the stream was
  /// destroyed.
  struct State {
    std::mutex mutex;
    Status failure;
    std::atomic<bool> failed{false};
  };
  struct Entry {
    std::shared_ptr<State> state;
    std::function<Status()> function;
    When when;
  };
  static void run(void *entry);

  const std::shared_ptr<State> state = std::make_shared<State>();
};

} // namespace tensorc::rt::gpu

#endif
