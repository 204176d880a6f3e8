//===- streams.hpp - streams, events, memory of devices -------------------===//
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
#include "tensorc/memory.h"

namespace tensorc {

class Event;

/// A queue of work on a device. Copies refer to the same stream.
class Stream {
public:
  /// Creates a stream, which works concurrently with other streams.
  explicit Stream(const Device &device = {}, Location at = Location::current())
      : Stream(create(device, at)) {}
  /// Adds a reference to a stream of the C interface.
  static Stream share(tensorc_rt_stream *stream) {
    tensorc_rt_stream_retain(stream);
    return Stream(stream);
  }

  /// Wraps a CUstream or hipStream_t of another library, which must outlive
  /// this object.
  static Stream wrap(const Device &device, void *native,
                     Location at = Location::current()) {
    tensorc_rt_stream *stream = nullptr;
    detail::check(tensorc_rt_stream_wrap(device.raw(at), native, &stream), at);
    return Stream(stream);
  }

  tensorc_rt_stream *raw() const { return handle.get(); }
  /// Returns the CUstream or hipStream_t, for use by another library; null on
  /// other devices.
  void *native() const { return tensorc_rt_stream_native(raw()); }
  Device device() const { return Device(tensorc_rt_stream_device(raw())); }
  /// Waits for the stream's work, and throws its first error.
  void synchronize(Location at = Location::current()) const {
    detail::check(tensorc_rt_stream_synchronize(raw()), at);
  }
  /// True if all work of the stream is done.
  bool query() const { return tensorc_rt_stream_query(raw()); }
  /// Makes work that is queued from now on wait for the event.
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

/// Returns the stream of the thread's evaluations on a device.
inline Stream current_stream(const Device &device = {},
                             Location at = Location::current()) {
  return Stream::share(tensorc_current_stream(device.raw(at)));
}
/// Makes `stream` the thread's current stream of its device for a scope.
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

/// A point in the order of a stream's work. Copies refer to the same event.
class Event {
public:
  explicit Event(const Device &device = {}, Location at = Location::current())
      : handle(create(device, at), tensorc_rt_event_release) {}

  tensorc_rt_event *raw() const { return handle.get(); }
  /// Records the event after the work that is already queued on the stream.
  /// Replaces an earlier record.
  void record(const Stream &stream, Location at = Location::current()) const {
    detail::check(tensorc_rt_event_record(raw(), stream.raw()), at);
  }
  bool query() const { return tensorc_rt_event_query(raw()); }
  void synchronize(Location at = Location::current()) const {
    detail::check(tensorc_rt_event_synchronize(raw()), at);
  }
  /// Returns the milliseconds from this event to a later one; both must have
  /// been reached.
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

/// Waits for all work of the device, or of all devices for "auto", and throws
/// the first error.
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

/// Numbers of bytes of a device's memory.
struct MemoryStats {
  uint64_t allocated; // bytes in use by tensors and runs
  uint64_t reserved;  // allocated bytes and cached bytes
  uint64_t peak;      // maximum of `allocated` since reset_peak
  uint64_t free;      // bytes that no process uses
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
/// Records the times of allocations, and keeps the last `blocks` released blocks
/// for memory_snapshot; 0 stops it.
inline void record_memory(uint32_t blocks, const Device &device = {},
                          Location at = Location::current()) {
  detail::check(tensorc_rt_device_record_memory(device.raw(at), blocks), at);
}
/// Returns the blocks of the device's memory as JSON (tensorc/memory.h).
inline std::string memory_snapshot(const Device &device = {},
                                   Location at = Location::current()) {
  char *text = nullptr;
  detail::check(tensorc_rt_device_memory_snapshot(device.raw(at), &text), at);
  std::string json(text);
  tensorc_rt_string_free(text);
  return json;
}
/// Sets the peak to the bytes that are currently allocated.
inline void reset_peak(const Device &device = {},
                       Location at = Location::current()) {
  tensorc_rt_device_reset_peak(device.raw(at));
}
/// Returns cached memory to the system.
inline void empty_cache(const Device &device = {},
                        Location at = Location::current()) {
  tensorc_rt_device_trim(device.raw(at));
}
/// Limits the allocated bytes; 0 removes the limit.
inline void set_memory_limit(uint64_t bytes, const Device &device = {},
                             Location at = Location::current()) {
  tensorc_rt_device_set_memory_limit(device.raw(at), bytes);
}

/// True if the value has been computed. On asynchronous devices evaluation
/// returns earlier.
inline bool Tensor::is_ready(Location at) const {
  return tensorc_tensor_is_ready(needed("is_ready", at));
}

} // namespace tensorc

#endif
