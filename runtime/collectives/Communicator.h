//===- Communicator.h - one rank of a communicator --------------*- C++ -*-===//
//
// A backend implements `perform`, which is called in stream order, with data in
// host memory. Everything else is shared: checks, copies from and to devices,
// and reporting that this rank will not take part. A backend on device memory
// implements `queue` instead.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_COMMUNICATOR_H
#define TENSORC_RUNTIME_COLLECTIVES_COMMUNICATOR_H

#include "runtime/collectives/Collective.h"
#include "runtime/core/Driver.h"

#include <atomic>
#include <chrono>
#include <memory>

struct tensorc_rt_communicator {};

namespace tensorc::rt {

/// Returns TENSORC_COMMUNICATOR_TIMEOUT, or 300 s.
std::chrono::milliseconds defaultTimeout();

/// The connection of one rank to all ranks, implemented by a backend. Queued
/// work shares ownership of it.
class Channel {
public:
  virtual ~Channel() = default;
  /// Performs this rank's part of the collective with this number. Waits for
  /// the other ranks. If they do not combine the same calls, performs only the
  /// first call (Collective::first) and sets `isFirstOnly`.
  virtual Status perform(uint64_t number, const Collective &collective,
                         bool &isFirstOnly) = 0;
  /// True if collectives are queued on streams, with data in device memory.
  virtual bool takesDeviceMemory() const { return false; }
  /// Queues this rank's part of a collective on device memory. If it fails, the
  /// channel has already notified the other ranks.
  virtual Status queue(Collective &collective, Stream &stream);
  /// Makes collectives that need this rank fail on all ranks.
  virtual void abort(Status why) = 0;
  /// Returns the error with which another rank has aborted, if there is one.
  virtual Status checkAborted() { return Status(); }
  virtual const char *backend() const = 0;
  /// False if only the thread that starts a collective may perform it.
  virtual bool isConcurrent() const { return true; }

  std::atomic<int64_t> timeout{defaultTimeout().count()}; // milliseconds
};

/// A rank: its channel, its device, and the collectives that it has called. A
/// collective that combines several calls has a number for each of them, because
/// other ranks may make these calls one by one.
class Communicator final : public tensorc_rt_communicator {
public:
  Communicator(std::shared_ptr<Channel> channel, Device &device, int32_t rank,
               int32_t size)
      : device(device), rank(rank), size(size), channel(std::move(channel)) {}

  /// Checks the arguments and queues the collective on the stream.
  Status start(const tensorc_rt_collective &given, Stream &stream);
  /// Queues a collective on device memory. The caller guarantees that it has
  /// the right size, and keeps it alive.
  Status queue(Collective collective, char *input, char *output,
               Stream &stream);
  /// Performs a collective on host memory, without a stream, and waits for it.
  Status perform(Collective &collective);
  /// Makes collectives that need this rank fail on all ranks.
  void abort(Status why);
  const char *backend() const { return channel->backend(); }
  /// True if collectives of several streams may wait for other ranks at once.
  bool overlaps() const {
    return channel->takesDeviceMemory() || device.callsMayWait();
  }
  void setTimeout(int64_t milliseconds);
  tensorc_rt_communicator_counters counters() const {
    return {started.load(std::memory_order_relaxed),
            bytesSent.load(std::memory_order_relaxed)};
  }

  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release();

  Device &device;
  const int32_t rank, size;

private:
  Status startChecked(const tensorc_rt_collective &given, Collective collective,
                      Stream &stream);
  /// Counts a collective, and returns its number.
  uint64_t count(const Collective &collective);

  std::shared_ptr<Channel> channel;
  std::atomic<uint64_t> started{0}, bytesSent{0}; // for the counters
  std::atomic<uint64_t> nextNumber{0};
  std::atomic<uint32_t> refs{1};
};

/// Connects `count` ranks of this process, and returns a channel for each.
std::vector<std::shared_ptr<Channel>> connectLocally(int32_t count);
/// Connects the processes that MPI has started. All of them must call this.
Status connectByMpi(std::shared_ptr<Channel> &out, int32_t &rank,
                    int32_t &size);
/// Connects GPUs of one vendor by its library, NCCL or RCCL. All ranks must call
/// this. They exchange its id by the file, or by MPI if `file` is null; MPI then
/// sets rank and size.
Status connectByNccl(Device &device, const char *file, int32_t &rank,
                     int32_t &size, std::shared_ptr<Channel> &out);

inline Communicator *unwrap(tensorc_rt_communicator *communicator) {
  return static_cast<Communicator *>(communicator);
}
inline const Communicator *unwrap(const tensorc_rt_communicator *communicator) {
  return static_cast<const Communicator *>(communicator);
}

} // namespace tensorc::rt

#endif
