//===- NullDriver.cpp - accepts everything, computes nothing --------------===//
//
// The skeleton of a driver: copy it, then fill in. It shows what has to be
// there, and measures what the runtime itself costs.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/Event.h"
#include "runtime/core/HostMemory.h"
#include "runtime/core/WorkerStream.h"
#include "runtime/drivers/Drivers.h"

using namespace tensorc::rt;

namespace {
class NullStream final : public Stream {
public:
  explicit NullStream(Device &device) : Stream(device) {}
  Status launch(const Launch &) override { return Status(); }
  Status copy(void *, const void *, size_t, CopyKind) override {
    return Status();
  }
  Status fill(void *, uint64_t, uint32_t, size_t) override { return Status(); }
  Status call(std::function<Status()> function) override { return function(); }
  Status record(std::shared_ptr<Mark> &mark) override {
    auto host = std::make_shared<HostMark>();
    host->reach();
    mark = std::move(host);
    return Status();
  }
  Status wait(std::shared_ptr<Mark> mark) override { return mark->wait(); }
  Status synchronize() override { return Status(); }
  bool idle() override { return true; }
  bool isInline() const override { return true; }
  void retire(std::vector<Buffer *> buffers,
              std::shared_ptr<const void>) override {
    for (Buffer *buffer : buffers)
      buffer->release();
  }
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
  void *allocateMemory(size_t bytes) override {
    return allocateHostMemory(bytes);
  }
  void freeMemory(void *data, size_t bytes) override {
    freeHostMemory(data, bytes);
  }

private:
  NullStream stream;
};
} // namespace

void tensorc::rt::addNullDevices(std::vector<Device *> &devices) {
  devices.push_back(new NullDevice);
}
