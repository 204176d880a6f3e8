//===- Conformance.h - the fixture of the conformance suite -----*- C++ -*-===//
//
// Every test runs on the first device of every driver in the table of drivers.
// Tests skip what the device's properties exclude.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CTS_CONFORMANCE_H
#define TENSORC_RUNTIME_CTS_CONFORMANCE_H

#include "runtime/cts/TestPackage.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>

namespace tensorc::rt::cts {

#define EXPECT_OK(call) EXPECT_EQ(::tensorc::rt::cts::take(call), "")
#define ASSERT_OK(call) ASSERT_EQ(::tensorc::rt::cts::take(call), "")

class Conformance : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    ASSERT_OK(tensorc_rt_device_find(GetParam().c_str(), &device));
    tensorc_rt_device_get_properties(device, &properties);
  }
  void TearDown() override {
    for (tensorc_rt_buffer *buffer : buffers)
      tensorc_rt_buffer_release(buffer);
    for (tensorc_rt_stream *stream : streams)
      tensorc_rt_stream_release(stream);
    for (tensorc_rt_event *event : events)
      tensorc_rt_event_release(event);
    tensorc_rt_device_set_memory_limit(device, 0);
    tensorc_rt_device_trim(device); // Leak checkers cannot see all caches.
  }

  /// Creates objects that the fixture releases.
  tensorc_rt_buffer *buffer(size_t size) {
    tensorc_rt_buffer *buffer = nullptr;
    EXPECT_OK(tensorc_rt_buffer_allocate(device, size, &buffer));
    buffers.push_back(buffer);
    return buffer;
  }
  tensorc_rt_stream *stream() {
    tensorc_rt_stream *stream = nullptr;
    EXPECT_OK(tensorc_rt_stream_create(device, &stream));
    streams.push_back(stream);
    return stream;
  }
  tensorc_rt_event *event() {
    tensorc_rt_event *event = nullptr;
    EXPECT_OK(tensorc_rt_event_create(device, &event));
    events.push_back(event);
    return event;
  }
  tensorc_rt_memory_stats memory() const {
    tensorc_rt_memory_stats stats;
    tensorc_rt_device_memory(device, &stats);
    return stats;
  }

  /// True if freed memory is released at once. Guarded memory is never cached,
  /// so that uses of freed memory fault.
  static bool freesAtOnce() {
    return secure_getenv("TENSORC_CHECK") != nullptr;
  }

  tensorc_rt_device *device = nullptr;
  tensorc_rt_device_properties properties = {};
  std::vector<tensorc_rt_buffer *> buffers;
  std::vector<tensorc_rt_stream *> streams;
  std::vector<tensorc_rt_event *> events;
};

/// Returns the names of the first device of each driver.
std::vector<std::string> firstDevices();

/// Returns the name of a test's parameter: "opencl" for "opencl:0".
inline std::string nameOf(const testing::TestParamInfo<std::string> &info) {
  return info.param.substr(0, info.param.find(':'));
}

} // namespace tensorc::rt::cts

#endif
