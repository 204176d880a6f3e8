//===- Streams.cpp - the calling thread's streams -------------------------===//

#include "compiler/jit/Streams.h"

#include "llvm/ADT/SmallVector.h"

namespace tensorc::jit {

namespace {
/// Few: a thread has a stream of its own on one device or two.
struct ThreadStreams {
  struct Entry {
    const tensorc_rt_device *device;
    tensorc_rt_stream *stream;
  };
  llvm::SmallVector<Entry, 2> entries;

  ~ThreadStreams() {
    for (Entry &entry : entries)
      tensorc_rt_stream_release(entry.stream);
  }
};
} // namespace

static thread_local ThreadStreams streams;

tensorc_rt_stream *currentStream(const tensorc_rt_device *device) {
  for (ThreadStreams::Entry &entry : streams.entries)
    if (entry.device == device)
      return entry.stream;
  return nullptr;
}

void setCurrentStream(const tensorc_rt_device *device,
                      tensorc_rt_stream *stream) {
  tensorc_rt_stream_retain(stream);
  for (ThreadStreams::Entry &entry : streams.entries)
    if (entry.device == device) {
      tensorc_rt_stream_release(std::exchange(entry.stream, stream));
      return;
    }
  streams.entries.push_back({device, stream});
}

} // namespace tensorc::jit
