//===- Communicator.h - one rank among others -------------------*- C++ -*-===//
//
// A backend implements `perform`, which is called in stream order, on host
// memory. Everything else is shared: checks, copies from and to devices, and
// reporting that this rank will not take part.
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

/// The time of TENSORC_COMMUNICATOR_TIMEOUT, or 300 s.
std::chrono::milliseconds defaultTimeout();

/// Ranks of one backend as one rank sees them. Shared with the work that
/// streams still do.
class Channel {
public:
  virtual ~Channel() = default;
  /// Does this rank's part of its collective of this number. Waits for the
  /// other ranks.
  virtual Status perform(uint64_t number, const Collective &collective) = 0;
  /// Makes the collectives that need this rank fail on all ranks.
  virtual void abort(Status why) = 0;
  virtual const char *backend() const = 0;
  /// False if only the thread that starts collectives may do them.
  virtual bool isConcurrent() const { return true; }

  std::atomic<int64_t> timeout{defaultTimeout().count()}; // milliseconds
};

/// A rank, its device, and the order of its calls.
class Communicator final : public tensorc_rt_communicator {
public:
  Communicator(std::shared_ptr<Channel> channel, Device &device, int32_t rank,
               int32_t size)
      : device(device), rank(rank), size(size), channel(std::move(channel)) {}

  /// Queues a collective.
  Status start(const tensorc_rt_collective &given, Stream &stream);
  /// Queues a collective on memory of the device with the right size, which the
  /// caller keeps alive.
  Status queue(Collective collective, char *input, char *output,
               Stream &stream);
  /// Does a collective on host memory, without a stream.
  Status perform(const Collective &collective);
  void abort(Status why) { channel->abort(std::move(why)); }
  const char *backend() const { return channel->backend(); }
  void setTimeout(int64_t milliseconds);

  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release();

  Device &device;
  const int32_t rank, size;

private:
  Status startChecked(const tensorc_rt_collective &given, Collective collective,
                      Stream &stream);

  std::shared_ptr<Channel> channel;
  std::atomic<uint64_t> calls{0}; // that were started
  std::atomic<uint32_t> refs{1};
};

/// Connects devices of this process: a channel for each.
std::vector<std::shared_ptr<Channel>> connectLocally(int32_t count);
/// Connects the processes that MPI has started, all of which call this.
Status connectByMpi(std::shared_ptr<Channel> &out, int32_t &rank,
                    int32_t &size);

inline Communicator *unwrap(tensorc_rt_communicator *communicator) {
  return static_cast<Communicator *>(communicator);
}
inline const Communicator *unwrap(const tensorc_rt_communicator *communicator) {
  return static_cast<const Communicator *>(communicator);
}

} // namespace tensorc::rt

#endif
