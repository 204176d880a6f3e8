//===- Stream.cpp - a device's streams ------------------------------------===//
#include "runtime/abi/DeviceKinds.h"
#include "runtime/core/Driver.h"
#include "runtime/core/HostMemory.h"
#include "runtime/core/streams/StreamThread.h"
#include "runtime/core/threads/Fork.h"

using namespace tensorc::rt;

static uint64_t nextId() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

Stream::Stream(Device &device, Listing listing) : device(device), id(nextId()) {
  if (listing == Listing::Now)
    enlist();
}

void Stream::enlist() {
  ProcessLockGuard lock(ProcessLock::Streams);
  isListed = true;
  next = device.streams;
  if (next)
    next->previous = this;
  device.streams = this;
}

Stream::~Stream() {
  ProcessLockGuard lock(ProcessLock::Streams);
  if (!isListed)
    return;
  (previous ? previous->next : device.streams) = next;
  if (next)
    next->previous = previous;
}

void Stream::releaseBlocks(std::vector<Buffer *> &buffers) {
  auto isOther = [&](const Buffer *buffer) {
    return buffer->device != &device || !buffer->isPooled();
  };
  auto ours = std::partition(buffers.begin(), buffers.end(), isOther);
  if (ours == buffers.end())
    return;
  try {
    std::shared_ptr<Mark> mark;
    if (!record(mark).ok())
      return;
    for (auto at = ours; at != buffers.end(); ++at)
      (*at)->noteUse(id, mark);
  } catch (const std::exception &) {
    return; // out of memory: they are released later
  }
  for (auto at = ours; at != buffers.end(); ++at)
    (*at)->release();
  buffers.erase(ours, buffers.end());
}

Status Device::wrapStream(void *, Stream *&) {
  std::string kinds = listDeviceKinds(
      [](const DeviceKind &kind) { return kind.sharesStreams; });
  return error(TENSORC_RT_UNSUPPORTED,
               "%s has no streams of another library; those that have: %s",
               name(), kinds.c_str());
}

StreamList Device::liveStreams() {
  StreamList list;
  ProcessLockGuard lock(ProcessLock::Streams);
  size_t most = 0;
  for (Stream *stream = streams; stream; stream = stream->next)
    ++most;
  // May throw only as long as the list holds no references.
  list.streams.reserve(most);
  for (Stream *stream = streams; stream; stream = stream->next) {
    // A stream without references is being destroyed. It is skipped, as its
    // destructor waits for its work.
    uint32_t count = stream->refs.load(std::memory_order_relaxed);
    while (count && !stream->refs.compare_exchange_weak(
                        count, count + 1, std::memory_order_acquire))
      ;
    if (count)
      list.streams.push_back(stream);
  }
  return list;
}

Status Device::synchronize() {
  Status first;
  StreamList list = liveStreams();
  for (Stream *stream : list.streams)
    if (Status status = stream->synchronize(); first.ok())
      first = std::move(status);
  return first;
}

void Device::reclaim(bool wait) {
  if (!wait || isStreamThread())
    return;
  try {
    StreamList list = liveStreams();
    for (Stream *stream : list.streams) {
      if (stream->isInline())
        continue;
      std::shared_ptr<Mark> mark;
      if (stream->record(mark).ok())
        (void)mark->wait();
    }
  } catch (const std::bad_alloc &) {
    // There is no memory for the list. The caller continues with the memory
    // that is already free.
  }
}

//===----------------------------------------------------------------------===//
// Streams and host memory for spilled buffers
//===----------------------------------------------------------------------===//

Status Device::createSharedStream(std::shared_ptr<Stream> &out) {
  Stream *stream = nullptr;
  TENSORC_RT_TRY(createStream(stream));
  // If this throws, it calls the deleter.
  out.reset(stream, [](Stream *used) {
    // Discards an error: whoever waited for the stream's marks has received it.
    (void)used->synchronize();
    used->release();
  });
  return Status();
}

Status HostSource::memoryInfo(uint64_t &free, uint64_t &total) {
  free = hostMemoryAvailable();
  total = hostMemorySize();
  return Status();
}

void *HostSource::allocateMemory(size_t bytes) {
  return allocateHostMemory(bytes);
}

void HostSource::freeMemory(void *data, size_t bytes) {
  freeHostMemory(data, bytes);
}
