//===- SimDriver.cpp - GPUs that the host plays ---------------------------===//
//
// sim:0 is listed; naming a chip, sim:gfx942, gives a device of that kind. What
// a chip is, kernels bring along. docs/design/0006-simulator.md says what is
// modelled.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/HostMemory.h"
#include "runtime/core/NativeImage.h"
#include "runtime/core/Threads.h"
#include "runtime/core/WorkerStream.h"
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/sim/SimStream.h"

#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// The most threads a block has on any simulated chip.
static constexpr uint32_t maxBlockThreads = 1024;

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
  SimDevice(std::string name, const char *target, uint32_t index)
      : Device(std::move(name)), target(target), memory(index),
        stream(*this, memory) {}

  void properties(tensorc_rt_device_properties &properties) const override {
    properties.description = "a simulated GPU";
    properties.target = target;
    properties.threads = numThreads();
    properties.computes = 1;
    properties.memory = hostMemorySize();
  }

  int32_t accepts(const char *name) const override {
    if (!std::strcmp(name, target))
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
  /// Asynchronous as a GPU's; its thread starts when someone uses the device.
  Stream &defaultStream() override {
    std::call_once(started, [&] { usual = new WorkerStream(stream); });
    return *usual;
  }
  bool hostVisible() const override { return false; }
  void *allocateMemory(size_t bytes) override { return memory.allocate(bytes); }
  void freeMemory(void *data, size_t bytes) override {
    memory.free(data, bytes);
  }

private:
  const char *target;
  SimMemory memory;
  SimStream stream;
  std::once_flag started;
  Stream *usual = nullptr;
};
} // namespace

/// The targets that can be simulated; the first is what sim:0 is.
static constexpr const char *chips[] = {"sim:sm_90a", "sim:sm_80", "sim:gfx942",
                                        "sim:gfx1100"};

void tensorc::rt::addSimDevices(std::vector<Device *> &devices) {
  for (uint32_t i = 0; hasFibers && i < simDeviceCount(); ++i) {
    auto device =
        std::make_unique<SimDevice>("sim:" + std::to_string(i), chips[0], i);
    devices.push_back(device.get());
    (void)device.release();
  }
}

Device *tensorc::rt::findSimulatedChip(const char *name) {
  static std::mutex mutex;
  static Device *devices[std::size(chips)];
  std::lock_guard lock(mutex);
  for (uint32_t i = 0; hasFibers && i < std::size(chips); ++i) {
    if (std::strcmp(name, chips[i]))
      continue;
    if (!devices[i])
      devices[i] = new SimDevice(chips[i], chips[i], maxListedDevices + i);
    return devices[i];
  }
  return nullptr;
}
