//===- CpuDriver.cpp - the CPU as a device --------------------------------===//
#include "runtime/abi/MatrixTiles.h"
#include "runtime/core/HostMemory.h"
#include "runtime/core/images/NativeImage.h"
#include "runtime/core/streams/WorkerStream.h"
#include "runtime/core/threads/Threads.h"
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/cpu/CpuStream.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#if defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

using namespace tensorc::rt;

/// Targets of host code, in increasing order of required features.
#if defined(__x86_64__)
static constexpr std::array<const char *, 5> targets = {
    "cpu:x86-64", "cpu:x86-64-v2", "cpu:x86-64-v3", "cpu:x86-64-v4",
    "cpu:x86-64-amx"};
/// The lowest level for which the compiler can generate code.
static constexpr int32_t minCompiled = 2;

/// Returns the x86-64 level of this host, 1 to 4, or 5 if it also has dot
/// products of bytes and AMX, and the system permits AMX's registers.
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
  if (!(HAS("avx512vnni") && HAS("avx512vbmi") && HAS("avx512bf16") &&
        requestTiles() == TileAccess::Granted))
    return 4;
#undef HAS
  return 5;
}
#else
static constexpr std::array<const char *, 2> targets = {"cpu:aarch64",
                                                        "cpu:aarch64-sve256"};
/// The lowest level for which the compiler can generate code.
static constexpr int32_t minCompiled = 1;

/// Returns 2 if this thread's SVE registers have 256 bits, else 1.
static int32_t hostLevel() {
  bool sve = getauxval(AT_HWCAP) & HWCAP_SVE;
  return sve && (prctl(PR_SVE_GET_VL) & PR_SVE_VL_LEN_MASK) == 32 ? 2 : 1;
}
#endif

/// Returns the level that a target needs, at least 1, or 0 for an unknown
/// target.
static int32_t neededLevel(std::string_view target) {
  auto found = std::find(targets.begin(), targets.end(), target);
  return found == targets.end()
             ? 0
             : static_cast<int32_t>(found - targets.begin()) + 1;
}

/// Returns the value of TENSORC_CPU; empty if it is not set.
static std::string_view requestedCpu() {
  const char *text = secure_getenv("TENSORC_CPU");
  return text ? text : std::string_view();
}

/// Returns the level that TENSORC_CPU requests; 0 if the host lacks it, or if
/// none is requested.
static int32_t requestedLevel() {
  int32_t level = neededLevel("cpu:" + std::string(requestedCpu()));
  return level >= minCompiled && level <= hostLevel() ? level : 0;
}

/// Maximum of TENSORC_CPU_DEVICES.
static constexpr int32_t maxDevices = 64;

/// Returns the value of TENSORC_CPU_DEVICES: 1 if it is not set, 0 if it is not
/// a valid number of devices.
static int32_t requestedDevices() {
  const char *text = secure_getenv("TENSORC_CPU_DEVICES");
  if (!text || !*text)
    return 1;
  int32_t count = 0;
  const char *end = text + std::strlen(text);
  auto [rest, failure] = std::from_chars(text, end, count);
  bool isCount = failure == std::errc() && rest == end;
  return isCount && count >= 1 && count <= maxDevices ? count : 0;
}

Status tensorc::rt::checkCpuEnvironment() {
  if (!requestedDevices())
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "TENSORC_CPU_DEVICES=%s is not a number from 1 to %d",
                 secure_getenv("TENSORC_CPU_DEVICES"), maxDevices);
  std::string_view asked = requestedCpu();
  if (asked.empty() || requestedLevel())
    return Status();
  std::string known;
  for (int32_t level = minCompiled; level <= hostLevel(); ++level)
    known += (known.empty() ? "" : ", ") +
             std::string(targets[level - 1]).substr(std::strlen("cpu:"));
  return error(TENSORC_RT_INVALID_ARGUMENT,
               "TENSORC_CPU=%.*s is nothing that this processor runs; it runs: "
               "%s",
               static_cast<int>(asked.size()), asked.data(), known.c_str());
}

/// Returns the processor's name as the system reports it.
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
  CpuDevice(int32_t index, int32_t devices)
      : Device("cpu:" + std::to_string(index)), stream(*this, devices),
        processor(processorName()),
        level(requestedLevel() ? requestedLevel() : hostLevel()) {}

  void properties(tensorc_rt_device_properties &properties) const override {
    properties.description = processor.c_str();
    properties.target = targets[level - 1];
    properties.threads = stream.threads();
    properties.computes = 1;
    properties.memory = hostMemorySize();
  }

  int32_t accepts(const char *target) const override {
    // "cpu" is code for the baseline, "cpu:native" is code compiled on this
    // host.
    if (!std::strcmp(target, "cpu"))
      return 1;
    if (!std::strcmp(target, "cpu:native"))
      return 16;
    int32_t needed = neededLevel(target);
    return needed && needed <= level ? 1 + needed : 0;
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
  const int32_t level;
};
} // namespace

void tensorc::rt::addCpuDevices(FoundDevices &found) {
  int32_t count = requestedDevices();
  if (!count) {
    // Using a device fails; a list of devices can only warn.
    std::fprintf(stderr,
                 "tensorc: TENSORC_CPU_DEVICES=%s is not a number from 1 to "
                 "%d; the CPU cannot be used\n",
                 secure_getenv("TENSORC_CPU_DEVICES"), maxDevices);
    count = 1;
  }
  for (int32_t i = 0; i < count; ++i) {
    auto device = std::make_unique<CpuDevice>(i, count);
    found.devices.push_back(device.get());
    (void)device.release();
  }
  if (requestTiles() == TileAccess::Refused)
    found.notes.push_back("the system refuses permission to use AMX, so code "
                          "with AMX (cpu:x86-64-amx) is not used");
}
