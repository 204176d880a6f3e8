//===- StreamRecords.h - what a stream must remember ------------*- C++ -*-===//
//
// A library's stream does not say which kernels it has launched, nor which
// buffers its work still uses.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_STREAMRECORDS_H
#define TENSORC_RUNTIME_DRIVERS_GPU_STREAMRECORDS_H

#include "runtime/core/Buffer.h"
#include "runtime/drivers/gpu/EventPool.h"

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace tensorc::rt::gpu {

/// References that are dropped when this object is destroyed.
struct Retired {
  Event_t event = nullptr;
  std::vector<Buffer *> buffers;
  std::shared_ptr<const void> keep;

  Retired() = default;
  Retired(Retired &&) = default;
  Retired &operator=(Retired &&) = default;
  ~Retired() {
    for (Buffer *buffer : buffers)
      buffer->release();
  }
};
/// A list, so that entries move from one to another without an allocation.
using RetiredList = std::list<Retired>;

/// The latest launches since the stream was last known to be idle, without
/// duplicates. Thread-safe.
class RecentLaunches {
public:
  void add(std::span<const LaunchSite> launches);
  void addTo(std::vector<LaunchSite> &all);
  void clear();

private:
  std::mutex mutex;
  std::vector<LaunchSite> launches;
};

/// The references that a stream's work uses. Thread-safe.
class RetiredReferences {
public:
  RetiredReferences(const VendorLibrary &library, EventPool &events)
      : library(library), events(events) {}
  /// Moves the references that the stream no longer uses to the list. With
  /// `wait`, first waits for the work on all of them.
  void collect(Stream_t stream, RetiredList &done, bool wait);
  /// Adds references, whose event was recorded after their last use.
  void add(RetiredList &&added);
  /// Removes all references, without regard to the stream's work.
  void takeAll(RetiredList &out);

private:
  const VendorLibrary &library;
  EventPool &events;
  std::mutex mutex;
  RetiredList retired;
};

/// The records of a stream, and its handle, which is null until the device is
/// open.
struct StreamRecords {
  StreamRecords(const VendorLibrary &library, EventPool &events,
                Stream_t stream)
      : stream(stream), retired(library, events) {}
  std::atomic<Stream_t> stream;
  RecentLaunches recent;
  RetiredReferences retired;
};

/// The records of the streams of a device that the library has opened.
/// Thread-safe.
class StreamRegistry {
public:
  void add(StreamRecords &stream);
  void remove(StreamRecords &stream);
  /// True if only the default stream has been used, so that all work is in its
  /// order.
  bool hasOne() const { return count == 1; }
  /// Adds the launches that may still run or may have failed.
  void addRecent(std::vector<LaunchSite> &launches);
  /// Calls RetiredReferences::collect of all streams.
  void collect(RetiredList &done, bool wait);

private:
  std::mutex mutex;
  std::vector<StreamRecords *> streams;
  std::atomic<int> count{0};
};

} // namespace tensorc::rt::gpu

#endif
