//===- SpirvDriverTest.cpp - kernels on the drivers of OpenCL and Vulkan --===//
//
// Each API's driver is somebody else's, and may be missing: CMakeLists.txt says
// where they come from. A kernel is SPIR-V that was assembled from text.
//
//===----------------------------------------------------------------------===//
#include "runtime/cts/Conformance.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

using Four = std::array<float, 4>;

/// Loads a package that runs the kernel of this name with a factor.
static std::string loadScale(tensorc_rt_device *device, float factor,
                             const char *name, tensorc_rt_module *&module,
                             uint32_t blocks = 1, uint32_t arity = 2,
                             int times = 1) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  std::string kind(properties.name, std::strcspn(properties.name, ":"));
  std::ifstream file(std::string(TENSORC_TEST_SPIRV) + "/scale." + kind +
                         ".spv",
                     std::ios::binary);
  TestPackage package;
  package.targets = {properties.target};
  package.image.assign(std::istreambuf_iterator<char>(file), {});
  package.kernels = {name};
  package.arities = {arity};
  constexpr uint32_t block = 4;
  package.hasNamedDim = true;
  package.add(Op::Const, {0, blocks, 0});
  package.add(Op::Const, {1, 0, 0});
  package.add(Op::Const, {3, 1, 0});
  package.add(Op::Const, {2, std::bit_cast<uint32_t>(factor), 0});
  // The kernel on buffer 0 and words, of which the last is the factor.
  std::vector<uint32_t> launch = {0, 0, 3, 1, block, 1, arity - 1, 0, 0};
  launch.insert(launch.end(), arity - 2, 1);
  launch.insert(launch.end(), {2, 0, 0, 0});
  for (int i = 0; i < times; ++i) {
    launch.back() = static_cast<uint32_t>(i) + 1; // the op
    package.add(Op::Launch, launch);
  }
  package.add(Op::Return, {0, 0});
  std::string bytes = package.bytes();
  return take(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                    TENSORC_RT_COPY, nullptr, nullptr,
                                    &module));
}

static std::string runEntry(const tensorc_rt_entry *entry, tensorc_rt_buffer *x,
                            tensorc_rt_stream *on, int64_t count = 4) {
  tensorc_rt_arg arg = {x, 0, &count, 1, TENSORC_RT_F32};
  return take(tensorc_rt_run(entry, &arg, 1, nullptr, 0, on));
}

namespace {
/// x *= factor of f32[4] by a kernel of one block, in place.
class SpirvDriver : public Conformance {
protected:
  void SetUp() override {
    std::string missing =
        take(tensorc_rt_device_find(GetParam().c_str(), &device));
    if (!device)
      GTEST_SKIP() << missing;
    tensorc_rt_device_get_properties(device, &properties);
  }
  void TearDown() override {
    tensorc_rt_module_release(module);
    if (device)
      Conformance::TearDown();
  }
  std::string load(float factor, const char *name = "scale") {
    return loadScale(device, factor, name, module);
  }
  std::string run(tensorc_rt_buffer *x, tensorc_rt_stream *on = nullptr) {
    return runEntry(tensorc_rt_module_entry(module, 0), x, on);
  }

  tensorc_rt_module *module = nullptr;
};
} // namespace

TEST_P(SpirvDriver, RunsAKernel) {
  ASSERT_EQ(load(3), "");
  Four in = {1, 2, 3, 4}, out = {}, want = {3, 6, 9, 12};
  tensorc_rt_buffer *x = buffer(16);
  tensorc_rt_stream *own = stream();
  tensorc_rt_event *start = event(), *stop = event();
  ASSERT_OK(tensorc_rt_buffer_write(x, 0, in.data(), 16, own));
  ASSERT_OK(tensorc_rt_event_record(start, own));
  ASSERT_EQ(run(x, own), "");
  ASSERT_OK(tensorc_rt_event_record(stop, own));
  ASSERT_OK(tensorc_rt_buffer_read(x, 0, out.data(), 16, own));
  EXPECT_EQ(out, want);
  int64_t time = 0;
  EXPECT_OK(tensorc_rt_event_elapsed(start, stop, &time));
  EXPECT_GT(time, 0);
}

/// A buffer may be a part of an allocation.
TEST_P(SpirvDriver, RunsOnAView) {
  ASSERT_EQ(load(2), "");
  std::array<float, 48> in, out;
  std::iota(in.begin(), in.end(), 1.0f);
  tensorc_rt_buffer *whole = buffer(sizeof(in)), *view = nullptr;
  ASSERT_OK(tensorc_rt_buffer_view(whole, 64, 16, &view));
  buffers.push_back(view);
  ASSERT_OK(tensorc_rt_buffer_write(whole, 0, in.data(), sizeof(in), nullptr));
  ASSERT_EQ(run(view), "");
  ASSERT_OK(tensorc_rt_buffer_read(whole, 0, out.data(), sizeof(out), nullptr));
  for (size_t i = 16; i < 20; ++i)
    in[i] *= 2;
  EXPECT_EQ(out, in);
}

TEST_P(SpirvDriver, RefusesWhatIsNoModule) {
  EXPECT_NE(load(1, "nothing").find("no kernel 'nothing'"), std::string::npos);
  TestPackage package;
  package.targets = {properties.target};
  package.kernels = {"scale"};
  package.add(Op::Return, {0, 0});
  package.image = "these are not instructions of a GPU.";
  std::string bytes = package.bytes();
  EXPECT_NE(
      take(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module))
          .find(properties.name),
      std::string::npos);
}

/// Multiplies by 2 on a stream of its own, again and again.
static void work(tensorc_rt_device *device, const tensorc_rt_entry *entry,
                 int seed) {
  tensorc_rt_stream *own = nullptr;
  tensorc_rt_buffer *x = nullptr;
  ASSERT_OK(tensorc_rt_stream_create(device, &own));
  ASSERT_OK(tensorc_rt_buffer_allocate(device, 16, &x));
  for (int i = 0; i < 20; ++i) {
    auto first = static_cast<float>(seed + i);
    Four in = {first, 1, 2, 3}, out = {}, want = {8 * first, 8, 16, 24};
    ASSERT_OK(tensorc_rt_buffer_write(x, 0, in.data(), 16, own));
    for (int k = 0; k < 3; ++k)
      ASSERT_EQ(runEntry(entry, x, own), "");
    ASSERT_OK(tensorc_rt_buffer_read(x, 0, out.data(), 16, own));
    EXPECT_EQ(out, want);
  }
  tensorc_rt_buffer_release(x);
  tensorc_rt_stream_release(own);
}

/// Threads share the module, whose kernels keep their arguments.
TEST_P(SpirvDriver, IsSharedByThreads) {
  ASSERT_EQ(load(2), "");
  std::vector<std::thread> workers;
  for (int i = 0; i < 8; ++i)
    workers.emplace_back(work, device, tensorc_rt_module_entry(module, 0),
                         100 * i);
  for (std::thread &worker : workers)
    worker.join();
}

/// Four threads on each API: their compilers and ours share the process.
TEST(SpirvDrivers, WorkInOneProcess) {
  std::vector<tensorc_rt_module *> modules;
  std::vector<std::thread> workers;
  for (const char *name : {"opencl:0", "vulkan:0"}) {
    tensorc_rt_device *device = nullptr;
    std::string missing = take(tensorc_rt_device_find(name, &device));
    if (!device)
      GTEST_SKIP() << missing;
  }
  for (const char *name : {"opencl:0", "vulkan:0"}) {
    tensorc_rt_device *device = nullptr;
    tensorc_rt_module *module = nullptr;
    ASSERT_OK(tensorc_rt_device_find(name, &device));
    ASSERT_EQ(loadScale(device, 2, "scale", module), "");
    modules.push_back(module);
    for (int i = 0; i < 4; ++i)
      workers.emplace_back(work, device, tensorc_rt_module_entry(module, 0),
                           100 * i);
  }
  for (std::thread &worker : workers)
    worker.join();
  for (tensorc_rt_module *module : modules)
    tensorc_rt_module_release(module);
}

/// More arguments than push constants, and more blocks than Vulkan's devices take
/// at once.
TEST_P(SpirvDriver, TakesManyArgumentsAndBlocks) {
  constexpr uint32_t blocks = 70000;
  ASSERT_EQ(loadScale(device, 2, "many", module, blocks, 20), "");
  std::vector<float> in(size_t(4) * blocks), out(in.size());
  std::iota(in.begin(), in.end(), 1.0f);
  size_t bytes = in.size() * sizeof(float);
  tensorc_rt_buffer *x = buffer(bytes);
  ASSERT_OK(tensorc_rt_buffer_write(x, 0, in.data(), bytes, nullptr));
  ASSERT_EQ(runEntry(tensorc_rt_module_entry(module, 0), x, nullptr,
                     static_cast<int64_t>(in.size())),
            "");
  ASSERT_OK(tensorc_rt_buffer_read(x, 0, out.data(), bytes, nullptr));
  for (float &value : in)
    value *= 2;
  EXPECT_EQ(in, out);
}

/// The same program on the same buffers, which a driver may replay as a graph.
TEST_P(SpirvDriver, RepeatsAProgram) {
  constexpr int launches = 6, runs = 5;
  for (uint32_t arity : {2u, 20u}) {
    ASSERT_EQ(loadScale(device, 2, arity == 2 ? "scale" : "many", module, 1,
                        arity, launches),
              "");
    Four in = {1, 2, 3, 4}, out = {};
    tensorc_rt_buffer *x = buffer(16);
    tensorc_rt_stream *own = stream();
    ASSERT_OK(tensorc_rt_buffer_write(x, 0, in.data(), 16, own));
    for (int i = 0; i < runs; ++i)
      ASSERT_EQ(run(x, own), "");
    ASSERT_OK(tensorc_rt_buffer_read(x, 0, out.data(), 16, own));
    for (float &value : in)
      value *= 1 << launches * runs;
    EXPECT_EQ(out, in);
    tensorc_rt_module_release(std::exchange(module, nullptr));
  }
}

/// More work than a driver's queue is made for.
TEST_P(SpirvDriver, TakesManyLaunches) {
  ASSERT_EQ(load(1), "");
  Four in = {1, 2, 3, 4}, out = {};
  tensorc_rt_buffer *x = buffer(16);
  tensorc_rt_stream *own = stream();
  ASSERT_OK(tensorc_rt_buffer_write(x, 0, in.data(), 16, own));
  for (int i = 0; i < 3000; ++i)
    ASSERT_EQ(run(x, own), "");
  ASSERT_OK(tensorc_rt_buffer_read(x, 0, out.data(), 16, own));
  EXPECT_EQ(out, in);
}

TEST_P(SpirvDriver, TellsItsDriversVersion) {
  EXPECT_NE(std::string(properties.driver).find('.'), std::string::npos)
      << properties.driver;
}

/// A child cannot use the driver, but other devices. lavapipe waits at exit for
/// its threads, which the child does not have. Not on OpenCL, because Intel's
/// runtime does not always end in a child.
TEST_P(SpirvDriver, AChildOfForkUsesOtherDevicesAndExits) {
  if (GetParam() != "vulkan:0")
    GTEST_SKIP() << "for Vulkan only";
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer ends a child that starts threads";
#endif
#endif
  ASSERT_EQ(load(2), "");
  ASSERT_EQ(run(buffer(16)), "");
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    int wrong = 0;
    for (const char *name : {"cpu", "sim:0"}) {
      tensorc_rt_device *other = nullptr;
      tensorc_rt_stream *kept = nullptr;
      tensorc_rt_buffer *x = nullptr;
      Four in = {1, 2, 3, 4}, out = {};
      for (tensorc_rt_status *status :
           {tensorc_rt_device_find(name, &other),
            tensorc_rt_stream_create(other, &kept),
            tensorc_rt_buffer_allocate(other, 16, &x),
            tensorc_rt_buffer_write(x, 0, in.data(), 16, kept),
            tensorc_rt_buffer_read(x, 0, out.data(), 16, kept)})
        wrong += !take(status).empty();
      wrong += in != out;
    }
    std::exit(wrong ? 1 : 7);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

/// The validation layer judges the calls only if the loader has found it
/// (CMakeLists.txt).
TEST_P(SpirvDriver, LoadsTheNamedLayer) {
  const char *layers = getenv("VK_INSTANCE_LAYERS");
  if (GetParam() != "vulkan:0" || !layers)
    GTEST_SKIP() << "no layer of Vulkan is named";
  constexpr const char *folders[] = {"/usr/share", "/usr/local/share", "/etc"};
  bool isInstalled = std::any_of(
      std::begin(folders), std::end(folders), [](const char *folder) {
        return std::ifstream(std::string(folder) +
                             "/vulkan/explicit_layer.d/"
                             "VkLayer_khronos_validation.json")
            .good();
      });
  if (!isInstalled)
    GTEST_SKIP() << "Vulkan's validation layer is not installed";
  ASSERT_STREQ(layers, "VK_LAYER_KHRONOS_validation");
  std::ifstream maps("/proc/self/maps");
  std::string loaded(std::istreambuf_iterator<char>(maps), {});
  EXPECT_NE(loaded.find("libVkLayer_khronos_validation"), std::string::npos);
}

/// A layer lets OpenCL's events tell that launches failed, and calls the CPU a
/// GPU (CMakeLists.txt).
TEST(OpenclLayer, AFailedLaunchIsNamedWithItsLine) {
  tensorc_rt_device *device = nullptr;
  tensorc_rt_module *module = nullptr;
  std::string missing = take(tensorc_rt_device_find("opencl:0", &device));
  if (!device || !getenv("TENSORC_LAYER_FAILING"))
    GTEST_SKIP() << missing;
  ASSERT_EQ(loadScale(device, 2, "scale", module, 1, 2, 3), "");
  tensorc_rt_buffer *x = nullptr;
  ASSERT_OK(tensorc_rt_buffer_allocate(device, 16, &x));
  const tensorc_rt_line lines[] = {{"app.cpp", 40}, {"app.cpp", 41}};
  tensorc_rt_run_memory memory = {sizeof(memory), nullptr, nullptr, lines, 2};
  int64_t count = 4;
  tensorc_rt_arg arg = {x, 0, &count, 1, TENSORC_RT_F32};
  EXPECT_OK(tensorc_rt_run_into(tensorc_rt_module_entry(module, 0), &arg, 1,
                                &memory, nullptr, 0, nullptr, nullptr));
  // It waits for the work before it gives up, and leaves the work's error.
  tensorc_rt_buffer *huge = nullptr;
  EXPECT_NE(take(tensorc_rt_buffer_allocate(device, size_t(1) << 50, &huge)),
            "");
  EXPECT_EQ(take(tensorc_rt_device_synchronize(device)),
            "opencl:0: waiting for a stream: CL_OUT_OF_RESOURCES in the kernel "
            "'scale' (app.cpp:40)");
  EXPECT_OK(tensorc_rt_device_synchronize(device)); // forgotten
  tensorc_rt_buffer_release(x);
  tensorc_rt_module_release(module);
}

TEST(OpenclLayer, AGpuOfIntelsIsAnXpu) {
  tensorc_rt_device *device = nullptr, *named = nullptr;
  std::string missing = take(tensorc_rt_device_find("opencl:0", &device));
  if (!device)
    GTEST_SKIP() << missing;
  bool isGpu = getenv("TENSORC_LAYER_GPU") != nullptr;
  for (const char *name : {"xpu", "xpu:0"}) {
    std::string message = take(tensorc_rt_device_find(name, &named));
    EXPECT_EQ(named, isGpu ? device : nullptr) << message;
  }
  EXPECT_NE(take(tensorc_rt_device_find("xpu:1", &named)), "");
  EXPECT_NE(take(tensorc_rt_device_find("mps", &named)), "");
}

INSTANTIATE_TEST_SUITE_P(Drivers, SpirvDriver,
                         testing::Values("opencl:0", "vulkan:0"), nameOf);
