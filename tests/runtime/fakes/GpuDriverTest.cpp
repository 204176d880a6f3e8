//===- GpuDriverTest.cpp - the drivers of GPUs on fake libraries ----------===//
//
// Runs with the folder of the fake libraries in the loader's path, on packages
// that the tool made; CMakeLists.txt says how.
//
//===----------------------------------------------------------------------===//
#include "runtime/cts/TestPackage.h"
#include "tensorc/interrupt.h"
#include "tensorc/runtime.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/wait.h>
#include <thread>
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
  using Values = std::array<float, 1000>;
  void SetUp() override {
    ASSERT_OK(tensorc_rt_device_find(GetParam(), &device));
    ASSERT_OK(tensorc_rt_load(device, pathOf("chain").c_str(), &module));
    entry = tensorc_rt_module_entry(module, 0);
    x = allocate(device);
    std::iota(values.begin(), values.end(), 0.0f);
    ASSERT_OK(
        tensorc_rt_buffer_write(x, 0, values.data(), sizeof(values), nullptr));
  }
  static std::string pathOf(const char *program) {
    return std::string(TENSORC_TEST_PACKAGES) + "/" + program + "-" +
           std::string(GetParam()).substr(0, 4) + ".tcpkg";
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
    int64_t count = static_cast<int64_t>(values.size());
    tensorc_rt_arg arg = {x, 0, &count, 1, TENSORC_RT_F32};
    tensorc_rt_output out = {};
    std::string message = take(tensorc_rt_run(entry, &arg, 1, &out, 1, stream));
    y = out.buffer;
    return message;
  }
  /// What the program makes of x: running sums, as parts of their sum.
  void expectRight(tensorc_rt_buffer *y) {
    Values out;
    ASSERT_OK(tensorc_rt_buffer_read(y, 0, out.data(), sizeof(out), nullptr));
    double sum = 0, total = 0;
    for (float value : values)
      total += sum += value;
    sum = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      double want = (sum += values[i]) / total;
      ASSERT_NEAR(out[i], want, 1e-4 * want) << i;
    }
  }
  /// How often the fake library was called so.
  uint64_t counted(int what) {
    bool isCuda = !std::strncmp(GetParam(), "cuda", 4);
    void *library = dlopen(isCuda ? "libcuda.so.1" : "libamdhip64.so",
                           RTLD_NOW | RTLD_NOLOAD);
    auto count = reinterpret_cast<uint64_t (*)(int)>(
        dlsym(library, isCuda ? "cuFakeCount" : "hipFakeCount"));
    return count ? count(what) : 0;
  }
  static constexpr int graphsMade = 1, graphLaunches = 2, allocations = 3,
                       poolAllocations = 6, streamsMade = 7,
                       streamsDestroyed = 8, loads = 9;

  Values values, want = {};
  tensorc_rt_device *device = nullptr;
  tensorc_rt_module *module = nullptr;
  const tensorc_rt_entry *entry = nullptr;
  tensorc_rt_buffer *x = nullptr;
};
} // namespace

TEST_P(GpuDriver, RunsOnAnyStream) {
  tensorc_rt_stream *stream = nullptr;
  ASSERT_OK(tensorc_rt_stream_create(device, &stream));
  for (tensorc_rt_stream *on :
       {static_cast<tensorc_rt_stream *>(nullptr), stream}) {
    tensorc_rt_buffer *y = nullptr;
    ASSERT_EQ(run(y, on), "");
    ASSERT_OK(tensorc_rt_stream_synchronize(stream));
    expectRight(y);
    tensorc_rt_buffer_release(y);
  }
  tensorc_rt_stream_release(stream);
}

TEST_P(GpuDriver, RunsBesideTheCpu) {
  tensorc_rt_device *cpu = nullptr;
  tensorc_rt_module *here = nullptr;
  ASSERT_OK(tensorc_rt_device_find("cpu", &cpu));
  ASSERT_OK(
      tensorc_rt_load(cpu, TENSORC_TEST_PACKAGES "/chain-cpu.tcpkg", &here));
  tensorc_rt_buffer *on = allocate(cpu), *y = nullptr, *z = nullptr;
  ASSERT_OK(
      tensorc_rt_buffer_write(on, 0, values.data(), sizeof(values), nullptr));
  // Both have mapped images now, and know their own from the other's.
  int64_t count = static_cast<int64_t>(values.size());
  tensorc_rt_arg arg = {on, 0, &count, 1, TENSORC_RT_F32};
  tensorc_rt_output out = {};
  ASSERT_OK(tensorc_rt_run(tensorc_rt_module_entry(here, 0), &arg, 1, &out, 1,
                           nullptr));
  z = out.buffer;
  expectRight(z);
  ASSERT_EQ(run(y), "");
  expectRight(y);
  for (tensorc_rt_buffer *each : {on, y, z})
    tensorc_rt_buffer_release(each);
  tensorc_rt_module_release(here);
}

TEST_P(GpuDriver, ReplaysAProgramAsOneGraph) {
  uint64_t made = counted(graphsMade), launched = counted(graphLaunches);
  for (int i = 0; i < 8; ++i) {
    tensorc_rt_buffer *y = nullptr;
    ASSERT_EQ(run(y), "");
    expectRight(y);
    tensorc_rt_buffer_release(y);
  }
  // Run once more without graphs and pools, see CMakeLists.txt.
  const char *wanted = std::getenv("TENSORC_GPU_GRAPHS");
  bool isOff = wanted && *wanted == '0';
  EXPECT_EQ(counted(graphsMade) - made, isOff ? 0u : 1u);
  EXPECT_GE(counted(graphLaunches) - launched, isOff ? 0u : 6u);
  EXPECT_EQ(counted(poolAllocations) == 0, isOff);
}

/// All iterations of a loop that frees little memory are one graph, also if each
/// iteration uses a view of a large input.
TEST_P(GpuDriver, ReplaysALoopAsOneGraph) {
  using tensorc::rt::Op;
  if (const char *wanted = std::getenv("TENSORC_GPU_GRAPHS");
      wanted && *wanted == '0')
    GTEST_SKIP() << "graphs are off";
  constexpr uint32_t bytes = 16, iterations = 150;
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  TestPackage package;
  package.targets = {properties.target};
  package.hasNamedDim = true;
  package.add(Op::Const, {0, bytes, 0});
  package.add(Op::Const, {1, 1, 0});
  package.add(Op::Const, {2, iterations, 0});
  package.add(Op::Const, {3, 0, 0});
  auto head = static_cast<uint32_t>(package.code.size());
  package.add(Op::View, {1, 0, 3, 0});
  package.add(Op::Fill, {1, 0, 4});
  package.add(Op::Alloc, {2, 0});
  package.add(Op::Fill, {2, 0, 4});
  package.add(Op::Sub, {2, 2, 1});
  auto exit = static_cast<uint32_t>(package.code.size());
  package.add(Op::JumpIfZero, {2, exit + 5});
  package.add(Op::Jump, {head});
  package.add(Op::Return, {0, 0});
  std::string code = package.bytes();
  tensorc_rt_module *loop = nullptr;
  ASSERT_OK(tensorc_rt_load_bytes(device, code.data(), code.size(),
                                  TENSORC_RT_COPY, nullptr, nullptr, &loop));
  for (int64_t count : {int64_t(4), int64_t(5) << 20}) {
    tensorc_rt_buffer *input = nullptr;
    ASSERT_OK(tensorc_rt_buffer_allocate(
        device, static_cast<size_t>(count) * sizeof(float), &input));
    tensorc_rt_arg arg = {input, 0, &count, 1, TENSORC_RT_F32};
    uint64_t made = counted(graphsMade), launched = counted(graphLaunches);
    for (int i = 0; i < 8; ++i)
      EXPECT_OK(tensorc_rt_run(tensorc_rt_module_entry(loop, 0), &arg, 1,
                               nullptr, 0, nullptr));
    // Two runs may alternate between two orders of addresses.
    EXPECT_LE(counted(graphsMade) - made, 2u) << count;
    EXPECT_GE(counted(graphLaunches) - launched, 5u) << count;
    tensorc_rt_buffer_release(input);
  }
  tensorc_rt_module_release(loop);
}

TEST_P(GpuDriver, OtherBuffersAreNotTheGraphs) {
  std::vector<tensorc_rt_buffer *> results(6);
  for (tensorc_rt_buffer *&y : results)
    ASSERT_EQ(run(y), "");
  values[0] = 7; // A run that replays an earlier one's graph sees new bytes.
  std::sort(values.begin(), values.end());
  ASSERT_OK(
      tensorc_rt_buffer_write(x, 0, values.data(), sizeof(values), nullptr));
  for (tensorc_rt_buffer *&y : results) {
    tensorc_rt_buffer_release(y);
    ASSERT_EQ(run(y), "");
  }
  for (tensorc_rt_buffer *y : results) {
    expectRight(y);
    tensorc_rt_buffer_release(y);
  }
}

TEST_P(GpuDriver, GraphsGoWithTheirModule) {
  for (int i = 0; i < 4; ++i) {
    tensorc_rt_buffer *y = nullptr;
    ASSERT_EQ(run(y), "");
    tensorc_rt_buffer_release(y);
    if (i == 2) {
      TearDown();
      SetUp();
    }
  }
  tensorc_rt_buffer *y = nullptr;
  ASSERT_EQ(run(y), "");
  expectRight(y);
  tensorc_rt_buffer_release(y);
}

TEST_P(GpuDriver, EventsMeasureTheGpusTime) {
  tensorc_rt_event *before = nullptr, *after = nullptr;
  ASSERT_OK(tensorc_rt_event_create(device, &before));
  ASSERT_OK(tensorc_rt_event_create(device, &after));
  Variable delay("TENSORC_FAKE_DELAY", "5000"); // of each kernel
  ASSERT_OK(tensorc_rt_event_record(before, nullptr));
  tensorc_rt_buffer *y = nullptr;
  ASSERT_EQ(run(y), "");
  ASSERT_OK(tensorc_rt_event_record(after, nullptr));
  ASSERT_OK(tensorc_rt_event_synchronize(after));
  int64_t time = 0;
  ASSERT_OK(tensorc_rt_event_elapsed(before, after, &time));
  EXPECT_GE(time, 4 * 5000000);
  expectRight(y);
  tensorc_rt_buffer_release(y);
  tensorc_rt_event_release(before);
  tensorc_rt_event_release(after);
}

/// Each thread frees at once what its stream is far from done with, and hands
/// every other result to the other's stream.
TEST_P(GpuDriver, StreamsDoNotTakeEachOthersMemory) {
  Variable delay("TENSORC_FAKE_DELAY", "300");
  constexpr int threads = 3, rounds = 12;
  tensorc_rt_stream *streams[threads];
  for (tensorc_rt_stream *&stream : streams)
    ASSERT_OK(tensorc_rt_stream_create(device, &stream));
  auto work = [&](int index) {
    for (int i = 0; i < rounds; ++i) {
      tensorc_rt_buffer *y = nullptr, *z = allocate(device);
      ASSERT_EQ(run(y, streams[index]), "");
      tensorc_rt_stream *other = streams[(index + i) % threads];
      ASSERT_OK(tensorc_rt_buffer_copy(z, 0, y, 0, sizeof(values), other));
      tensorc_rt_buffer_release(y);
      Values out;
      ASSERT_OK(tensorc_rt_buffer_read(z, 0, out.data(), sizeof(out), other));
      ASSERT_EQ(out, want);
      tensorc_rt_buffer_release(z);
    }
  };
  tensorc_rt_buffer *y = nullptr;
  ASSERT_EQ(run(y), "");
  expectRight(y);
  ASSERT_OK(tensorc_rt_buffer_read(y, 0, want.data(), sizeof(want), nullptr));
  tensorc_rt_buffer_release(y);
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back(work, i);
  for (std::thread &worker : workers)
    worker.join();
  for (tensorc_rt_stream *stream : streams)
    tensorc_rt_stream_release(stream);
  tensorc_rt_device_trim(device);
  tensorc_rt_memory_stats memory;
  tensorc_rt_device_memory(device, &memory);
  EXPECT_EQ(memory.cached, 0u);
}

/// Bytes that are on their way when their buffer is freed.
TEST_P(GpuDriver, AWriteDoesNotReachTheNextOwner) {
  tensorc_rt_stream *late = nullptr, *early = nullptr;
  ASSERT_OK(tensorc_rt_stream_create(device, &late));
  ASSERT_OK(tensorc_rt_stream_create(device, &early));
  Variable delay("TENSORC_FAKE_DELAY", "20000");
  tensorc_rt_buffer *y = nullptr, *written = allocate(device);
  ASSERT_EQ(run(y, late), "");
  Values zeros = {}, out;
  ASSERT_OK(
      tensorc_rt_buffer_write(written, 0, zeros.data(), sizeof(zeros), late));
  tensorc_rt_buffer_release(written);
  tensorc_rt_buffer *next = allocate(device);
  ASSERT_OK(
      tensorc_rt_buffer_write(next, 0, values.data(), sizeof(values), early));
  ASSERT_OK(tensorc_rt_stream_synchronize(early));
  ASSERT_OK(tensorc_rt_stream_synchronize(late));
  ASSERT_OK(tensorc_rt_buffer_read(next, 0, out.data(), sizeof(out), early));
  EXPECT_EQ(out, values);
  for (tensorc_rt_buffer *buffer : {y, next})
    tensorc_rt_buffer_release(buffer);
  for (tensorc_rt_stream *stream : {late, early})
    tensorc_rt_stream_release(stream);
}

TEST_P(GpuDriver, AnAllocationThatFailsIsTriedOnceMore) {
  tensorc_rt_device_trim(device);
  std::string next = std::to_string(counted(allocations) + 1);
  Variable failing("TENSORC_FAKE_FAIL_ALLOCATION", next.c_str());
  tensorc_rt_buffer *buffer = allocate(device);
  EXPECT_EQ(counted(allocations), std::stoull(next) + 1);
  tensorc_rt_buffer_release(buffer);
}

TEST_P(GpuDriver, OutOfMemoryLeavesTheDeviceUsable) {
  tensorc_rt_buffer *buffer = nullptr;
  tensorc_rt_status *status =
      tensorc_rt_buffer_allocate(device, size_t(5) << 30, &buffer);
  EXPECT_EQ(tensorc_rt_status_code(status), TENSORC_RT_OUT_OF_MEMORY);
  EXPECT_NE(take(status), "");
  tensorc_rt_buffer *y = nullptr;
  ASSERT_EQ(run(y), "");
  expectRight(y);
  tensorc_rt_buffer_release(y);
}

TEST_P(GpuDriver, AKernelThatIsNotPreparedForLackOfMemory) {
  Variable failing("TENSORC_FAKE_FAIL_FUNCTION", "2"); // out of memory
  tensorc_rt_module *second = nullptr;
  tensorc_rt_status *status =
      tensorc_rt_load(device, pathOf("chain").c_str(), &second);
  EXPECT_EQ(tensorc_rt_status_code(status), TENSORC_RT_OUT_OF_MEMORY);
  EXPECT_NE(take(status).find("preparing a kernel: out of memory"),
            std::string::npos);
}

TEST_P(GpuDriver, LargeCopiesGoInParts) {
  std::vector<char> in((size_t(9) << 20) + 5), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<char>(i * 31 + (i >> 16));
  tensorc_rt_buffer *buffer = nullptr;
  ASSERT_OK(tensorc_rt_buffer_allocate(device, in.size(), &buffer));
  ASSERT_OK(tensorc_rt_buffer_write(buffer, 0, in.data(), in.size(), nullptr));
  ASSERT_OK(tensorc_rt_buffer_read(buffer, 0, out.data(), out.size(), nullptr));
  EXPECT_TRUE(in == out);
  tensorc_rt_buffer_release(buffer);
}

TEST_P(GpuDriver, CopiesBetweenDevices) {
  for (const char *name : {"cuda:0", "cuda:1", "rocm:1", "sim:0", "cpu"}) {
    tensorc_rt_device *other = nullptr;
    ASSERT_OK(tensorc_rt_device_find(name, &other));
    tensorc_rt_buffer *there = allocate(other), *back = allocate(device);
    ASSERT_OK(tensorc_rt_buffer_copy(there, 0, x, 0, sizeof(values), nullptr));
    ASSERT_OK(
        tensorc_rt_buffer_copy(back, 0, there, 0, sizeof(values), nullptr));
    Values out = {};
    ASSERT_OK(
        tensorc_rt_buffer_read(back, 0, out.data(), sizeof(out), nullptr));
    EXPECT_EQ(out, values) << name;
    tensorc_rt_buffer_release(there);
    tensorc_rt_buffer_release(back);
  }
}

/// Of every width, also where no call of the library fills so.
TEST_P(GpuDriver, FillsRepeatThePattern) {
  constexpr uint64_t patterns[] = {0, 0x4242424242424242, 0x1234123412341234,
                                   0x1122334411223344, 0x1122334455667788};
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  for (uint64_t pattern : patterns)
    for (uint32_t width : {1u, 2u, 4u, 8u}) {
      using tensorc::rt::Op;
      TestPackage package;
      package.targets = {properties.target};
      package.add(Op::Const, {0, static_cast<uint32_t>(pattern),
                              static_cast<uint32_t>(pattern >> 32)});
      package.add(Op::Fill, {0, 0, width});
      package.add(Op::Return, {0, 0});
      std::string bytes = package.bytes();
      tensorc_rt_module *filling = nullptr;
      ASSERT_OK(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                      TENSORC_RT_COPY, nullptr, nullptr,
                                      &filling));
      int64_t four = 4;
      tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
      ASSERT_OK(tensorc_rt_run(tensorc_rt_module_entry(filling, 0), &arg, 1,
                               nullptr, 0, nullptr));
      unsigned char out[16];
      ASSERT_OK(tensorc_rt_buffer_read(x, 0, out, sizeof(out), nullptr));
      for (size_t i = 0; i < sizeof(out); ++i)
        EXPECT_EQ(out[i], pattern >> i % width * 8 & 0xff)
            << std::hex << pattern << " " << width << " " << i;
      tensorc_rt_module_release(filling);
    }
}

TEST_P(GpuDriver, AChildOfForkIsToldThatItCannot) {
  pid_t child = fork();
  if (child == 0) {
    tensorc_rt_buffer *y = nullptr;
    bool refused = run(y).find("fork()") != std::string::npos;
    _exit(refused ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/// A test of matrix instructions that cannot run says nothing about them, and is
/// repeated by the next load.
TEST_P(GpuDriver, UnfinishedTileTestsAreNotRemembered) {
  std::string path = pathOf("product");
  auto load = [&] {
    tensorc_rt_module *loaded = nullptr;
    tensorc_rt_status *status = tensorc_rt_load(device, path.c_str(), &loaded);
    tensorc_rt_code code = tensorc_rt_status_code(status);
    tensorc_rt_status_free(status);
    tensorc_rt_module_release(loaded);
    return code;
  };
  pid_t child = fork();
  if (child == 0)
    _exit(load());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), TENSORC_RT_DEVICE_ERROR);
  // In a new thread, because a thread is asked every 20 ms.
  std::thread([&] {
    tensorc_rt_set_interrupt([](void *) -> int32_t { return 1; }, nullptr);
    EXPECT_EQ(load(), TENSORC_RT_CANCELLED);
  }).join();
  {
    Variable failing("TENSORC_FAKE_FAIL_FUNCTION", "2"); // out of memory
    EXPECT_EQ(load(), TENSORC_RT_OUT_OF_MEMORY);
  }
  {
    // The driver refuses the test, and may accept it another time.
    std::string next = std::to_string(counted(loads) + 1);
    Variable failing("TENSORC_FAKE_FAIL_LOAD", next.c_str());
    EXPECT_EQ(load(), TENSORC_RT_UNSUPPORTED);
  }
  for (uint64_t expected : {2, 1}) { // the test and the program; the program
    uint64_t before = counted(loads);
    EXPECT_EQ(load(), TENSORC_RT_OK);
    EXPECT_EQ(counted(loads) - before, expected);
  }
}

/// A device manages memory faster while it has one stream.
TEST_P(GpuDriver, TheSecondStreamOfASpillEndsWithItsRun) {
  using tensorc::rt::Op;
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  TestPackage package;
  package.targets = {properties.target};
  package.events = 2;
  package.add(Op::Const, {0, 16, 0});
  package.add(Op::Alloc, {1, 0});
  package.add(Op::Copy, {0, 1});
  package.add(Op::Record, {0});
  package.add(Op::Wait, {0}, 1);
  package.add(Op::Spill, {0, 1}, 1);
  package.add(Op::Restore, {0, 0}, 1);
  package.add(Op::Record, {1}, 1);
  package.add(Op::Wait, {1});
  package.add(Op::Return, {0, 0});
  std::string bytes = package.bytes();
  tensorc_rt_module *spilling = nullptr;
  ASSERT_OK(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                  TENSORC_RT_COPY, nullptr, nullptr,
                                  &spilling));
  uint64_t made = counted(streamsMade), destroyed = counted(streamsDestroyed);
  int64_t four = 4;
  tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(tensorc_rt_run(tensorc_rt_module_entry(spilling, 0), &arg, 1,
                             nullptr, 0, nullptr));
    ASSERT_OK(tensorc_rt_device_synchronize(device));
  }
  EXPECT_EQ(counted(streamsMade) - made, 3u);
  EXPECT_EQ(counted(streamsDestroyed) - destroyed, 3u);
  std::array<float, 4> out = {};
  ASSERT_OK(tensorc_rt_buffer_read(x, 0, out.data(), sizeof(out), nullptr));
  EXPECT_EQ(out, (std::array<float, 4>{0, 1, 2, 3}));
  tensorc_rt_module_release(spilling);
}

TEST_P(GpuDriver, TileTestsCallNoFunctions) {
  std::string name = std::string("unwanted.") + GetParam();
  ASSERT_OK(tensorc_rt_register_custom_call(
      name.c_str(),
      [](const tensorc_rt_custom_call *) -> tensorc_rt_status * {
        ADD_FAILURE();
        return nullptr;
      },
      nullptr));
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  TestPackage test, package;
  test.targets = package.targets = {properties.target};
  test.strings = {name, ""};
  test.add(tensorc::rt::Op::CustomCall, {0, 1, 0, 0, 0});
  test.add(tensorc::rt::Op::Return, {0, 0});
  package.add(tensorc::rt::Op::Return, {0, 0});
  std::string bytes = package.bytes(test.bytes());
  tensorc_rt_module *loaded = nullptr;
  std::string message =
      take(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &loaded));
  EXPECT_NE(message.find("its test has custom calls"), std::string::npos)
      << message;
}

TEST_P(GpuDriver, TellsWhatItIs) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  bool isCuda = !std::strncmp(GetParam(), "cuda", 4);
  EXPECT_STREQ(properties.target, isCuda ? "cuda:sm_90a" : "rocm:gfx942");
  EXPECT_EQ(properties.subgroup, isCuda ? 32 : 64);
  EXPECT_EQ(properties.memory, uint64_t(4) << 30);
  EXPECT_EQ(properties.host_visible, 0);
  auto accepts = [&](const char *target) {
    return tensorc_rt_device_accepts(device, target);
  };
  if (!isCuda) {
    EXPECT_EQ(accepts("rocm:gfx90a"), 0);
    EXPECT_EQ(accepts("rocm:gfx90a-mfma"), 0);
    EXPECT_GT(accepts("rocm:gfx942"), accepts("rocm:gfx942-mfma"));
    EXPECT_GT(accepts("rocm:gfx942-mfma"), 0);
    return;
  }
  EXPECT_GT(accepts("cuda:sm_90a"), accepts("cuda:sm_90"));
  EXPECT_GT(accepts("cuda:sm_90"), accepts("cuda:sm_80"));
  for (const char *target : {"cuda:sm_100", "cuda:sm_80a", "cuda:sm_",
                             "cuda:sm_90x", "cuda", "sim:sm_90a", "cpu"})
    EXPECT_EQ(accepts(target), 0) << target;
}

INSTANTIATE_TEST_SUITE_P(Libraries, GpuDriver,
                         testing::Values("cuda:0", "rocm:0"));
