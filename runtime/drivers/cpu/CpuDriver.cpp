//===- CpuDriver.cpp - the host as a device -------------------------------===//
#include "runtime/core/HostMemory.h"
#include "runtime/core/NativeImage.h"
#include "runtime/core/streams/WorkerStream.h"
#include "runtime/core/threads/Threads.h"
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/cpu/CpuStream.h"

#include <cstdio>
#include <cstring>

using namespace tensorc::rt;

#if defined(__x86_64__)
/// The x86-64 level that this host has, 1 to 4.
static int32_t hostLevel() {
  __builtin_cpu_init();
#define HAS(feature) __builtin_cpu_supports(feature)
  if (!(HAS("sse3") && HAS("ssse3") && HAS("sse4.1") && HAS("sse4.2") &&
        HAS("popcnt")))
    return 1;
  if (!(HAS("avx") && HAS("avx2") && HAS("bmi") && HAS("bmi2") && HAS("fma")))
    return 2;
  if (!(HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") &&
        HAS("avx512dq") && HAS("avx512vl")))
    return 3;
#undef HAS
  return 4;
}

/// The level a target needs, or 0 when it is none of ours.
static int32_t neededLevel(const char *target) {
  static constexpr const char *names[] = {"cpu:x86-64", "cpu:x86-64-v2",
                                          "cpu:x86-64-v3", "cpu:x86-64-v4"};
  for (int32_t i = 0; i < 4; ++i)
    if (!std::strcmp(target, names[i]))
      return i + 1;
  return 0;
}

static const char *hostTarget() {
  static constexpr const char *names[] = {"cpu:x86-64", "cpu:x86-64-v2",
                                          "cpu:x86-64-v3", "cpu:x86-64-v4"};
  static const char *name = names[hostLevel() - 1];
  return name;
}
#else
static int32_t hostLevel() { return 1; }
static int32_t neededLevel(const char *target) {
  return !std::strcmp(target, "cpu:aarch64");
}
static const char *hostTarget() { return "cpu:aarch64"; }
#endif

/// The processor's name as the system gives it.
static std::string processorName() {
  std::string name = "CPU";
  if (FILE *file = std::fopen("/proc/cpuinfo", "r")) {
    char line[256];
    while (std::fgets(line, sizeof(line), file))
      if (const char *colon = std::strchr(line, ':');
          colon && !std::strncmp(line, "model name", 10)) {
        name.assign(colon + 2, std::strcspn(colon + 2, "\n"));
        break;
      }
    std::fclose(file);
  }
  return name;
}

namespace {
class CpuDevice final : public Device {
public:
  CpuDevice() : Device("cpu:0"), stream(*this), processor(processorName()) {}

  void properties(tensorc_rt_device_properties &properties) const override {
    properties.description = processor.c_str();
    properties.target = hostTarget();
    properties.threads = numThreads();
    properties.computes = 1;
    properties.memory = hostMemorySize();
  }

  int32_t accepts(const char *target) const override {
    // What was compiled on this host, or for the least of its kind.
    if (!std::strcmp(target, "cpu"))
      return 1;
    if (!std::strcmp(target, "cpu:native"))
      return 16;
    int32_t needed = neededLevel(target);
    return needed && needed <= hostLevel() ? 1 + needed : 0;
  }

  Status loadImage(std::span<const char> bytes,
                   std::span<const std::string> kernels,
                   std::unique_ptr<Image> &out) override {
    return loadNativeImage(bytes, kernels, out);
  }
  Status createStream(Stream *&out) override {
    out = new WorkerStream(stream);
    return Status();
  }
  Stream &defaultStream() override { return stream; }
  bool hostVisible() const override { return true; }
  bool usesHostMemory() const override { return true; }
  void *allocateMemory(size_t bytes) override {
    return allocateHostMemory(bytes);
  }
  void freeMemory(void *data, size_t bytes) override {
    freeHostMemory(data, bytes);
  }

private:
  CpuStream stream;
  std::string processor;
};
} // namespace

void tensorc::rt::addCpuDevices(std::vector<Device *> &devices) {
  auto device = std::make_unique<CpuDevice>();
  devices.push_back(device.get());
  (void)device.release();
}
