//===- SpillTest.cpp - conformance: copies to the host on a second queue --===//
#include "runtime/cts/Gate.h"

#include <array>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

namespace {
class Spills : public Streams {
protected:
  void TearDown() override {
    tensorc_rt_module_release(spilling);
    Streams::TearDown();
  }
  /// Copies the argument into a temporary, spills and overwrites that, and
  /// restores it into the output, which has `restored` bytes.
  void load(uint32_t restored = 16) {
    TestPackage package;
    package.targets = {properties.target};
    package.hasOutput = true;
    package.outputDims = {{4, "4"}};
    package.events = package.words = 4;
    package.add(Op::Const, {0, 16, 0});
    package.add(Op::Const, {1, 4, 0});
    package.add(Op::Const, {2, 7, 0});
    package.add(Op::Const, {3, restored, 0});
    package.add(Op::Alloc, {1, 0});
    package.add(Op::Copy, {0, 1});
    package.add(Op::Record, {0});
    package.add(Op::Wait, {0}, 1);
    package.add(Op::Spill, {0, 1}, 1);
    package.add(Op::Record, {1}, 1);
    package.add(Op::Wait, {1});
    package.add(Op::Fill, {1, 2, 4});
    // Work of a second queue that is no copy to the host is ordered, too.
    package.add(Op::Fill, {1, 2, 4}, 1);
    package.add(Op::Alloc, {2, 3});
    package.add(Op::Record, {2});
    package.add(Op::Wait, {2}, 1);
    package.add(Op::Restore, {0, 2}, 1);
    package.add(Op::Record, {3}, 1);
    package.add(Op::Wait, {3});
    package.add(Op::Return, {1, 1, 2, 1});
    load(package);
  }
  /// Uploads a constant of 16 bytes into the output, which has `size` bytes.
  void loadUpload(uint32_t size) {
    TestPackage package;
    package.targets = {properties.target};
    package.hasOutput = true;
    package.outputDims = {{4, "4"}};
    package.events = 2;
    std::array<float, 4> constant = {1, 2, 3, 4};
    package.constants = {
        std::string(reinterpret_cast<char *>(constant.data()), 16)};
    package.add(Op::Const, {0, size, 0});
    package.add(Op::Const, {1, 4, 0});
    package.add(Op::Alloc, {1, 0});
    package.add(Op::Record, {0});
    package.add(Op::Wait, {0}, 1);
    package.add(Op::Upload, {0, 1}, 1);
    package.add(Op::Record, {1}, 1);
    package.add(Op::Wait, {1});
    package.add(Op::Return, {1, 1, 1, 1});
    load(package);
  }
  void load(const TestPackage &package) {
    std::string bytes = package.bytes();
    ASSERT_OK(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                    TENSORC_RT_COPY, nullptr, nullptr,
                                    &spilling));
  }
  std::string run(tensorc_rt_stream *on, tensorc_rt_buffer *&out) {
    int64_t four = 4;
    tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
    tensorc_rt_output output = {};
    std::string message = take(tensorc_rt_run(
        tensorc_rt_module_entry(spilling, 0), &arg, 1, &output, 1, on));
    out = output.buffer;
    return message;
  }
  /// Runs on the stream and expects the argument's bytes.
  void expectRestored(tensorc_rt_stream *on) {
    std::array<float, 4> in = {1, 2, 3, 4}, out = {};
    ASSERT_OK(tensorc_rt_buffer_write(x, 0, in.data(), sizeof in, on));
    std::vector<tensorc_rt_buffer *> results(3);
    for (tensorc_rt_buffer *&result : results)
      ASSERT_EQ(run(on, result), "");
    for (tensorc_rt_buffer *result : results) {
      out = {};
      EXPECT_OK(tensorc_rt_buffer_read(result, 0, out.data(), sizeof out, on));
      if (properties.computes) {
        EXPECT_EQ(in, out);
      }
      tensorc_rt_buffer_release(result);
    }
  }

  tensorc_rt_module *spilling = nullptr;
};
} // namespace

TEST_P(Spills, AreRestored) {
  load();
  tensorc_rt_memory_stats before = memory();
  expectRestored(nullptr);
  tensorc_rt_stream *s = stream();
  expectRestored(s);
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  EXPECT_OK(tensorc_rt_device_synchronize(device));
  EXPECT_EQ(memory().allocated, before.allocated);
}

TEST_P(Spills, TheDeviceKeepsNoConstantThatRunsUpload) {
  tensorc_rt_memory_stats before = memory();
  loadUpload(16);
  EXPECT_EQ(memory().allocated, before.allocated);
  expectRestored(nullptr);
  tensorc_rt_stream *s = stream();
  expectRestored(s);
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
  EXPECT_OK(tensorc_rt_device_synchronize(device));
  EXPECT_EQ(memory().allocated, before.allocated);
}

TEST_P(Spills, FailIfTheSizesOfAnUploadDiffer) {
  loadUpload(32);
  tensorc_rt_buffer *out = nullptr;
  EXPECT_EQ(run(stream(), out), "main: restores 16 bytes into a buffer of 32");
}

TEST_P(Spills, FailIfTheSizesDiffer) {
  load(/*restored=*/32);
  tensorc_rt_buffer *out = nullptr;
  EXPECT_EQ(run(stream(), out), "main: restores 16 bytes into a buffer of 32");
}

TEST_P(Spills, RunAfterAnErrorOfTheStream) {
  load();
  tensorc_rt_stream *s = stream();
  expectRestored(s);
  gate.fail = true;
  ASSERT_EQ(callGate(s), "");
  tensorc_rt_buffer *out = nullptr;
  ASSERT_EQ(run(s, out), "");
  tensorc_rt_buffer_release(out);
  EXPECT_EQ(take(tensorc_rt_stream_synchronize(s)), "told to");
  gate.fail = false;
  expectRestored(s);
  EXPECT_OK(tensorc_rt_stream_synchronize(s));
}

TEST_P(Spills, AreNotPartOfTheDevicesMemoryPlan) {
  load();
  int64_t four = 4;
  tensorc_rt_arg arg = {nullptr, 0, &four, 1, TENSORC_RT_F32};
  tensorc_rt_memory_plan plan;
  ASSERT_OK(tensorc_rt_entry_memory(tensorc_rt_module_entry(spilling, 0), &arg,
                                    1, &plan));
  EXPECT_EQ(plan.peak, 128u);
}

INSTANTIATE_TEST_SUITE_P(Drivers, Spills, testing::ValuesIn(firstDevices()),
                         nameOf);
