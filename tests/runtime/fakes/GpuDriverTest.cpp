//===- GpuDriverTest.cpp - the drivers of GPUs on fake libraries ----------===//
//
// Runs with the folder of the fake libraries in the loader's path, on packages
// that the tool made; CMakeLists.txt says how.
//
//===----------------------------------------------------------------------===//
#include "runtime/cts/TestPackage.h"
#include "tensorc/runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

using namespace tensorc::rt::cts;

#define ASSERT_OK(call) ASSERT_EQ(take(call), "")
#define EXPECT_OK(call) EXPECT_EQ(take(call), "")

namespace {
/// Sets a variable in a scope.
struct Variable {
  Variable(const char *name, const char *value) : name(name) {
    setenv(name, value, 1);
  }
  ~Variable() { unsetenv(name); }
  const char *name;
};

/// y = chain(x) of f32[n], a program of several kernels, on one fake device.
class GpuDriver : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    ASSERT_OK(tensorc_rt_device_find(GetParam(), &device));
    std::string path = std::string(TENSORC_TEST_PACKAGES) + "/chain-" +
                       std::string(GetParam()).substr(0, 4) + ".tcpkg";
    ASSERT_OK(tensorc_rt_load(device, path.c_str(), &module));
    entry = tensorc_rt_module_entry(module, 0);
    x = allocate(device);
    std::iota(values.begin(), values.end(), 0.0f);
    ASSERT_OK(
        tensorc_rt_buffer_write(x, 0, values.data(), sizeof(values), nullptr));
  }
  void TearDown() override {
    tensorc_rt_buffer_release(x);
    tensorc_rt_module_release(module);
  }
  static tensorc_rt_buffer *allocate(tensorc_rt_device *on) {
    tensorc_rt_buffer *buffer = nullptr;
    EXPECT_OK(tensorc_rt_buffer_allocate(on, sizeof(values), &buffer));
    return buffer;
  }
  std::string run(tensorc_rt_buffer *&y, tensorc_rt_stream *stream = nullptr) {
    int64_t count = std::size(values);
    tensorc_rt_arg arg = {x, 0, &count, 1, TENSORC_RT_F32};
    tensorc_rt_output out = {};
    std::string message =
        take(tensorc_rt_run(entry, &arg, 1, &out, 1, stream));
    y = out.buffer;
    return message;
  }
  /// What the program makes of x, on the host.
  static bool isRight(const std::array<float, 1000> &in,
                      const std::array<float, 1000> &out) {
    float sum = 0;
    for (float value : in)
      sum += value;
    for (size_t i = 0; i < in.size(); ++i) {
      float want = in[i] / sum;
      if (std::abs(out[i] - want) > 1e-5f * std::max(1.0f, std::abs(want)))
        return false;
    }
    return true;
  }

  using Values = std::array<float, 1000>;
  Values values;
  tensorc_rt_device *device = nullptr;
  tensorc_rt_module *module = nullptr;
  const tensorc_rt_entry *entry = nullptr;
  tensorc_rt_buffer *x = nullptr;
};
} // namespace
