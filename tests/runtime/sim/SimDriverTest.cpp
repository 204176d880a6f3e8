//===- SimDriverTest.cpp - the simulator's memory is its own --------------===//
#include "tensorc/runtime.h"

#include <cerrno>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace {

/// Devices are made at the first call of the runtime.
const int twoDevices = setenv("TENSORC_SIM_DEVICES", "2", 1);

std::string take(tensorc_rt_status *status) {
  std::string message = tensorc_rt_status_message(status);
  tensorc_rt_status_free(status);
  return message;
}

struct Device {
  explicit Device(const char *name) {
    EXPECT_EQ(take(tensorc_rt_device_find(name, &device)), "");
  }
  tensorc_rt_buffer *buffer(size_t size) const {
    tensorc_rt_buffer *buffer = nullptr;
    EXPECT_EQ(take(tensorc_rt_buffer_allocate(device, size, &buffer)), "");
    return buffer;
  }
  tensorc_rt_device_properties properties() const {
    tensorc_rt_device_properties result;
    tensorc_rt_device_get_properties(device, &result);
    return result;
  }
  tensorc_rt_device *device = nullptr;
};

/// Whether the host may read there; asks the system, which does not crash.
bool hostCanRead(const void *data) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  bool can = write(ends[1], data, 1) == 1;
  EXPECT_TRUE(can || errno == EFAULT);
  close(ends[0]);
  close(ends[1]);
  return can;
}

TEST(SimDriver, ListsAsManyDevicesAsAskedFor) {
  ASSERT_EQ(twoDevices, 0);
  Device first("sim"), second("sim:1");
  EXPECT_STREQ(first.properties().name, "sim:0");
  EXPECT_STREQ(second.properties().name, "sim:1");
  EXPECT_NE(first.device, second.device);
  EXPECT_EQ(first.properties().host_visible, 0);
}

TEST(SimDriver, ChipsAreDevicesThatAreNotListed) {
  int32_t count = tensorc_rt_device_count();
  Device chip("sim:gfx942"), again("sim:gfx942"), other("sim:sm_80");
  EXPECT_EQ(chip.device, again.device);
  EXPECT_NE(chip.device, other.device);
  EXPECT_STREQ(chip.properties().target, "sim:gfx942");
  EXPECT_EQ(tensorc_rt_device_count(), count);
  EXPECT_GT(tensorc_rt_device_accepts(chip.device, "sim:gfx942"), 0);
  EXPECT_EQ(tensorc_rt_device_accepts(chip.device, "sim:sm_80"), 0);
  EXPECT_EQ(tensorc_rt_device_accepts(chip.device, "cpu"), 0);
  tensorc_rt_device *none = nullptr;
  EXPECT_NE(take(tensorc_rt_device_find("sim:gfx9", &none)), "");
}

TEST(SimDriver, TheHostCannotReadItsMemory) {
  for (size_t size : {64, 100000, 8 << 20}) {
    tensorc_rt_buffer *buffer = Device("sim").buffer(size);
    char *data = static_cast<char *>(tensorc_rt_buffer_data(buffer));
    EXPECT_FALSE(hostCanRead(data));
    EXPECT_FALSE(hostCanRead(data + size - 1));
    tensorc_rt_buffer_release(buffer);
  }
  EXPECT_TRUE(hostCanRead("x"));
}

TEST(SimDriver, FreshMemoryIsNotZero) {
  Device device("sim");
  tensorc_rt_device_trim(device.device);
  tensorc_rt_buffer *buffer = device.buffer(64);
  float value = 0;
  EXPECT_EQ(take(tensorc_rt_buffer_read(buffer, 0, &value, 4, nullptr)), "");
  EXPECT_TRUE(value != value);
  tensorc_rt_buffer_release(buffer);
}

TEST(SimDriver, HostMemoryIsRefused) {
  Device device("sim");
  tensorc_rt_buffer *buffer = device.buffer(64), *wrapped = nullptr;
  alignas(64) static char bytes[64];
  ASSERT_EQ(take(tensorc_rt_buffer_wrap(device.device, bytes, 64, nullptr,
                                        nullptr, &wrapped)),
            "");
  EXPECT_EQ(take(tensorc_rt_buffer_copy(buffer, 0, wrapped, 0, 64, nullptr)),
            "");
  // The default stream is asynchronous: the error comes with the next wait.
  std::string message =
      take(tensorc_rt_buffer_read(buffer, 0, bytes, 1, nullptr));
  EXPECT_NE(message.find("not memory of this device"), std::string::npos)
      << message;
  // The bytes were never copied, so every read fails until they are written.
  EXPECT_EQ(take(tensorc_rt_buffer_read(buffer, 0, bytes, 1, nullptr)),
            message);
  EXPECT_EQ(take(tensorc_rt_buffer_write(buffer, 0, bytes, 32, nullptr)),
            message);
  EXPECT_EQ(take(tensorc_rt_buffer_write(buffer, 0, bytes, 64, nullptr)), "");
  EXPECT_EQ(take(tensorc_rt_buffer_read(buffer, 0, bytes, 1, nullptr)), "");
  tensorc_rt_buffer_release(wrapped);
  tensorc_rt_buffer_release(buffer);
}

} // namespace
