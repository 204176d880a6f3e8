//===- NullDriver.cpp - accepts everything, computes nothing --------------===//
//
// A template for new drivers: copy this file and fill it in. It has everything
// that a driver needs. It also serves to measure the overhead of the runtime.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/HostMemory.h"
#include "runtime/core/streams/InlineStream.h"
#include "runtime/core/streams/WorkerStream.h"
#include "runtime/drivers/Drivers.h"

#include <cstring>

using namespace tensorc::rt;

namespace {
/// A stream that does nothing. Reads from the device return zeros.
class NullStream final : public InlineStream {
public:
  using InlineStream::InlineStream;
  Status launch(const Launch &) override { return Status(); }
  Status copy(void *target, const void *, size_t size, CopyKind kind) override {
    if (kind == CopyKind::DeviceToHost && size)
      std::memset(target, 0, size);
    return Status();
  }
  Status fill(void *, uint64_t, uint32_t, size_t) override { return Status(); }
};

class NullDevice final : public Device {
public:
  NullDevice() : Device("null:0"), stream(*this) {}
  void properties(tensorc_rt_device_properties &properties) const override {
    properties.description = "computes nothing";
    properties.target = "null";
    properties.threads = 1;
    properties.memory = hostMemorySize();
  }
  int32_t accepts(const char *) const override { return 1; }
  Status loadImage(std::span<const char>, std::span<const std::string> kernels,
                   std::unique_ptr<Image> &out) override {
    out = std::make_unique<Image>();
    out->kernels.resize(kernels.size());
    return Status();
  }
  Status createStream(Stream *&out) override {
    out = new WorkerStream(stream);
    return Status();
  }
  Stream &defaultStream() override { return stream; }
  bool hostVisible() const override { return true; }
  void *allocateMemory(size_t bytes) override { return allocateZeros(bytes); }
  void freeMemory(void *data, size_t bytes) override {
    freeHostMemory(data, bytes);
  }

private:
  NullStream stream;
};
} // namespace

void tensorc::rt::addNullDevices(FoundDevices &found) {
  auto device = std::make_unique<NullDevice>();
  found.devices.push_back(device.get());
  (void)device.release();
}
