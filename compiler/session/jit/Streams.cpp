//===- Streams.cpp - The current streams of the calling thread ------------===//

#include "compiler/session/jit/Streams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorc::jit {

namespace {
struct Entry {
  const tensorc_rt_device *device;
  tensorc_rt_stream *stream;
};
/// A thread usually sets streams for one or two devices.
using Entries = llvm::SmallVector<Entry, 2>;
} // namespace

/// Null if the thread has set no streams. It has no destructor, because
/// destructors of other thread_local objects may use streams after ThreadEnd.
static thread_local Entries *entries = nullptr;

namespace {
struct ThreadEnd {
  ~ThreadEnd() {
    if (!entries)
      return;
    for (Entry &entry : *entries)
      tensorc_rt_stream_release(entry.stream);
    delete std::exchange(entries, nullptr);
  }
};
} // namespace

tensorc_rt_stream *currentStream(const tensorc_rt_device *device) {
  if (entries)
    for (Entry &entry : *entries)
      if (entry.device == device)
        return entry.stream;
  return nullptr;
}

void setCurrentStream(tensorc_rt_device *device, tensorc_rt_stream *stream) {
  static thread_local ThreadEnd end;
  (void)end;
  if (!entries)
    entries = new Entries;
  auto known = llvm::find_if(
      *entries, [&](const Entry &entry) { return entry.device == device; });
  if (known != entries->end()) {
    tensorc_rt_stream_release(known->stream);
    entries->erase(known);
  }
  if (stream && stream != tensorc_rt_device_default_stream(device)) {
    tensorc_rt_stream_retain(stream);
    entries->push_back({device, stream});
  } else if (entries->empty()) {
    delete std::exchange(entries, nullptr);
  }
}

} // namespace tensorc::jit
