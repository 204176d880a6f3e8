//===- HostCalls.cpp - functions on the host in a stream's order ----------===//
#include "runtime/drivers/gpu/host/HostCalls.h"

#include <utility>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

void HostCalls::run(void *argument) {
  std::unique_ptr<Entry> entry(static_cast<Entry *>(argument));
  std::shared_ptr<State> state = entry->state;
  Status status;
  if (entry->when == When::Always || !state->failed) {
    try {
      status = entry->function();
    } catch (const std::bad_alloc &) {
      status = outOfMemory();
    } catch (const std::exception &exception) {
      status = error(TENSORC_RT_DEVICE_ERROR, "%s", exception.what());
    }
  }
  entry.reset();
  if (!status.ok()) {
    std::lock_guard lock(state->mutex);
    if (!state->failed)
      state->failure = std::move(status);
    state->failed = true;
  }
}

Result HostCalls::queue(StreamApi &api, Stream_t stream,
                        std::function<Status()> function, When when) {
  auto entry = std::make_unique<Entry>(state, std::move(function), when);
  Result result = api.callHost(stream, run, entry.get());
  if (result == success)
    (void)entry.release();
  return result;
}

Status HostCalls::takeFailure() {
  std::lock_guard lock(state->mutex);
  state->failed = false;
  return std::exchange(state->failure, Status());
}
