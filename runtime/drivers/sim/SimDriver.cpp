//===- SimDriver.cpp - GPUs that are simulated on the host ----------------===//
//
// Only sim:0 is listed; a name with a chip, such as sim:gfx942, creates a
// device of that kind. Kernels contain the properties of their chip.
// docs/design/0006-gpu-simulator.md describes the model.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/HostMemory.h"
#include "runtime/core/images/NativeImage.h"
#include "runtime/core/streams/WorkerStream.h"
#include "runtime/core/threads/Threads.h"
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/sim/SimStream.h"

#include <algorithm>
#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Maximum number of threads of a block on any simulated chip.
static constexpr uint32_t maxBlockThreads = 1024;

namespace {
/// A target that can be simulated, and the properties that its hardware
/// reports.
struct Chip {
  const char *target;
  int32_t multiprocessors, subgroup, major, minor, sharedKilobytes;
};
} // namespace

/// The devices sim:0, sim:1, ... simulate the first chip.
static constexpr Chip chips[] = {{"sim:sm_90a", 132, 32, 9, 0, 227},
                                 {"sim:sm_80", 108, 32, 8, 0, 163},
                                 {"sim:gfx942", 304, 64, 9, 4, 64},
                                 {"sim:gfx1100", 48, 32, 11, 0, 64},
                                 {"sim:gfx1200", 16, 32, 12, 0, 64}};

static Status checkKernel(const SimKernel &kernel, const std::string &name) {
  if (kernel.version != simVersion)
    return error(TENSORC_RT_INVALID_PACKAGE,
                 "the kernel '%s' is for version %u of the simulator, not %u",
                 name.c_str(), kernel.version, simVersion);
  if (kernel.blockThreads == 0 || kernel.blockThreads > maxBlockThreads ||
      kernel.subgroupSize == 0)
    return error(TENSORC_RT_INVALID_PACKAGE,
                 "the kernel '%s' has blocks of %u threads", name.c_str(),
                 kernel.blockThreads);
  return Status();
}

namespace {
class SimDevice final : public Device {
public:
  SimDevice(std::string name, const Chip &chip, uint32_t index)
      : Device(std::move(name)), chip(chip), memory(index),
        stream(*this, memory) {}

  void properties(tensorc_rt_device_properties &properties) const override {
    properties.description = "a simulated GPU";
    properties.target = chip.target;
    properties.threads = numThreads();
    properties.computes = 1;
    uint64_t limit = simMemoryLimit();
    properties.memory = limit ? limit : hostMemorySize();
    properties.multiprocessors = chip.multiprocessors;
    properties.subgroup = chip.subgroup;
    properties.max_block = maxBlockThreads;
    properties.shared_memory = chip.sharedKilobytes << 10;
    properties.capability_major = chip.major;
    properties.capability_minor = chip.minor;
  }

  int32_t accepts(const char *name) const override {
    if (!std::strcmp(name, chip.target))
      return 2;
    return !std::strcmp(name, "sim");
  }

  Status loadImage(std::span<const char> bytes,
                   std::span<const std::string> kernels,
                   std::unique_ptr<Image> &out) override {
    TENSORC_RT_TRY(loadNativeImage(bytes, kernels, out));
    for (size_t i = 0; i < kernels.size(); ++i)
      TENSORC_RT_TRY(checkKernel(
          *static_cast<const SimKernel *>(out->kernels[i]), kernels[i]));
    return Status();
  }
  Status createStream(Stream *&out) override {
    out = new WorkerStream(stream);
    return Status();
  }
  /// The default stream is asynchronous, like that of a GPU. Its thread is
  /// started when the device is first used.
  Stream &defaultStream() override {
    std::call_once(started, [&] { usual = new WorkerStream(stream); });
    return *usual;
  }
  bool hostVisible() const override { return false; }
  bool usesHostMemory() const override { return true; }
  Status memoryInfo(uint64_t &free, uint64_t &total) override {
    TENSORC_RT_TRY(Device::memoryInfo(free, total));
    if (uint64_t limit = simMemoryLimit()) {
      total = limit;
      free = limit - std::min(limit, memory.usedBytes());
    }
    return Status();
  }
  void *allocateMemory(size_t bytes) override { return memory.allocate(bytes); }
  void freeMemory(void *data, size_t bytes) override {
    memory.free(data, bytes);
  }

private:
  const Chip &chip;
  SimMemory memory;
  SimStream stream;
  std::once_flag started;
  Stream *usual = nullptr;
};
} // namespace

void tensorc::rt::addSimDevices(FoundDevices &found) {
  for (uint32_t i = 0; hasFibers && i < simDeviceCount(); ++i) {
    auto device =
        std::make_unique<SimDevice>("sim:" + std::to_string(i), chips[0], i);
    found.devices.push_back(device.get());
    (void)device.release();
  }
}

/// Parses names such as "sim:gfx942" and "sim:gfx942:1" into an index of
/// `chips` and the number of the device.
static bool parseChip(const char *name, size_t &chip, uint32_t &index) {
  for (chip = 0; chip < std::size(chips); ++chip) {
    size_t length = std::strlen(chips[chip].target);
    if (std::strncmp(name, chips[chip].target, length))
      continue;
    const char *rest = name + length;
    index = 0;
    if (!*rest)
      return true;
    if (rest[0] != ':' || rest[1] < '0' || rest[1] > '9' || rest[2])
      continue;
    index = static_cast<uint32_t>(rest[1] - '0');
    return index < simDeviceCount();
  }
  return false;
}

Status tensorc::rt::checkSimulators() { return checkSimEnvironment(); }

/// Maximum number of devices of a named chip, whose names end with one digit.
static constexpr uint32_t maxDevicesOfChip = 10;
// The addresses of a device's memory contain its number in seven bits.
static_assert(maxListedDevices + maxDevicesOfChip * std::size(chips) < 127);

Device *tensorc::rt::findSimulatedChip(const char *name) {
  static std::mutex mutex;
  static Device *devices[std::size(chips)][maxDevicesOfChip];
  size_t chip = 0;
  uint32_t index = 0;
  if (!hasFibers || !parseChip(name, chip, index))
    return nullptr;
  std::lock_guard lock(mutex);
  Device *&device = devices[chip][index];
  if (!device) {
    std::string full = chips[chip].target;
    if (index)
      full += ":" + std::to_string(index);
    auto number = static_cast<uint32_t>(maxListedDevices +
                                        maxDevicesOfChip * chip + index);
    device = new SimDevice(std::move(full), chips[chip], number);
  }
  return device;
}
