//===- streams.hpp - streams, events, memory of devices; in tensorc.hpp ---===//
//
//   tensorc::Stream side("cuda:0");
//   tensorc::Event start("cuda:0"), stop("cuda:0");
//   start.record(side);
//   { tensorc::StreamGuard guard(side); y.eval(); }
//   stop.record(side);
//   stop.synchronize();
//   double milliseconds = start.elapsed_ms(stop);
//
// docs/gpu.md is the guide.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_STREAMS_HPP
#define TENSORC_STREAMS_HPP

#include "tensorc/devices.hpp"

namespace tensorc {

class Event;

/// A queue of work on a device. Copies stand for the same one.
class Stream {
public:
  /// A new one, which works beside the others.
  explicit Stream(const Device &device = {}, Location at = Location::current())
      : Stream(create(device, at)) {}
  /// Shares a stream of the C interface.
  static Stream share(tensorc_rt_stream *stream) {
    tensorc_rt_stream_retain(stream);
    return Stream(stream);
  }

  /// A CUstream or hipStream_t of another library, which outlives this.
  static Stream wrap(const Device &device, void *native,
                     Location at = Location::current()) {
    tensorc_rt_stream *stream = nullptr;
    detail::check(tensorc_rt_stream_wrap(device.raw(at), native, &stream), at);
    return Stream(stream);
  }

  tensorc_rt_stream *raw() const { return handle.get(); }
  /// The CUstream or hipStream_t, for another library; null on other devices.
  void *native() const { return tensorc_rt_stream_native(raw()); }
  Device device() const { return Device(tensorc_rt_stream_device(raw())); }
  /// Waits for its work; the first error of that.
  void synchronize(Location at = Location::current()) const {
    detail::check(tensorc_rt_stream_synchronize(raw()), at);
  }
  /// Whether its work is done.
  bool query() const { return tensorc_rt_stream_query(raw()); }
  /// What it is given from now on waits for the event.
  void wait(const Event &event, Location at = Location::current()) const;
  friend bool operator==(const Stream &a, const Stream &b) {
    return a.raw() == b.raw();
  }

private:
  explicit Stream(tensorc_rt_stream *stream)
      : handle(stream, tensorc_rt_stream_release) {}
  static tensorc_rt_stream *create(const Device &device, Location at) {
    tensorc_rt_stream *stream = nullptr;
    detail::check(tensorc_rt_stream_create(device.raw(at), &stream), at);
    return stream;
  }
  std::shared_ptr<tensorc_rt_stream> handle;
};

/// The stream that the thread's evaluations on a device go to.
inline Stream current_stream(const Device &device = {},
                             Location at = Location::current()) {
  return Stream::share(tensorc_current_stream(device.raw(at)));
}
/// Sets that stream in a scope.
class StreamGuard {
public:
  explicit StreamGuard(const Stream &stream, Location at = Location::current())
      : device(tensorc_rt_stream_device(stream.raw())),
        former(Stream::share(tensorc_current_stream(device))) {
    detail::check(tensorc_set_stream(device, stream.raw()), at);
  }
  StreamGuard(const StreamGuard &) = delete;
  ~StreamGuard() {
    tensorc_status_free(tensorc_set_stream(device, former.raw()));
  }

private:
  tensorc_rt_device *device;
  Stream former;
};

/// A point that a stream reaches. Copies stand for the same one.
class Event {
public:
  explicit Event(const Device &device = {}, Location at = Location::current())
      : handle(create(device, at), tensorc_rt_event_release) {}

  tensorc_rt_event *raw() const { return handle.get(); }
  /// Reached when the stream's work so far is done; replaces an earlier record.
  void record(const Stream &stream, Location at = Location::current()) const {
    detail::check(tensorc_rt_event_record(raw(), stream.raw()), at);
  }
  bool query() const { return tensorc_rt_event_query(raw()); }
  void synchronize(Location at = Location::current()) const {
    detail::check(tensorc_rt_event_synchronize(raw()), at);
  }
  /// Milliseconds from this event to a later one, both reached.
  double elapsed_ms(const Event &end, Location at = Location::current()) const {
    int64_t nanoseconds = 0;
    detail::check(tensorc_rt_event_elapsed(raw(), end.raw(), &nanoseconds), at);
    return static_cast<double>(nanoseconds) * 1e-6;
  }

private:
  static tensorc_rt_event *create(const Device &device, Location at) {
    tensorc_rt_event *event = nullptr;
    detail::check(tensorc_rt_event_create(device.raw(at), &event), at);
    return event;
  }
  std::shared_ptr<tensorc_rt_event> handle;
};

inline void Stream::wait(const Event &event, Location at) const {
  detail::check(tensorc_rt_stream_wait(raw(), event.raw()), at);
}

/// Waits for all work of the device, for "auto" of all that are listed; the
/// first error of that.
inline void synchronize(const Device &device = {},
                        Location at = Location::current()) {
  if (device.is_auto()) {
    for (int i = 0; i < tensorc_rt_device_count(); ++i)
      detail::check(tensorc_rt_device_synchronize(tensorc_rt_device_get(i)),
                    at);
    return;
  }
  detail::check(tensorc_rt_device_synchronize(device.raw(at)), at);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Bytes of a device's memory.
struct MemoryStats {
  uint64_t allocated; // in use by tensors and runs
  uint64_t reserved;  // that, and what is kept for the next allocations
  uint64_t peak;      // the most that was allocated since reset_peak
  uint64_t free;      // that nobody uses, other processes counted
  uint64_t total;
  uint64_t allocations, cache_hits;
};
inline MemoryStats memory_stats(const Device &device = {},
                                Location at = Location::current()) {
  tensorc_rt_memory_stats s;
  tensorc_rt_device_memory(device.raw(at), &s);
  return {s.allocated, s.allocated + s.cached, s.peak,      s.free,
          s.total,     s.allocations,          s.cache_hits};
}
/// The peak becomes what is allocated now.
inline void reset_peak(const Device &device = {},
                       Location at = Location::current()) {
  tensorc_rt_device_reset_peak(device.raw(at));
}
/// Gives what is kept for the next allocations back to the system.
inline void empty_cache(const Device &device = {},
                        Location at = Location::current()) {
  tensorc_rt_device_trim(device.raw(at));
}
/// Allocations past this many bytes fail; 0: no limit but the device's.
inline void set_memory_limit(uint64_t bytes, const Device &device = {},
                             Location at = Location::current()) {
  tensorc_rt_device_set_memory_limit(device.raw(at), bytes);
}

/// Whether the value is in memory; evaluation returns before that on devices
/// that work asynchronously.
inline bool Tensor::is_ready(Location at) const {
  return tensorc_tensor_is_ready(needed("is_ready", at));
}

} // namespace tensorc

#endif
