//===- GpuDevice.cpp - a device of a vendor's library ---------------------===//
#include "runtime/drivers/gpu/GpuDevice.h"

#include "runtime/abi/DeviceKinds.h"
#include "runtime/core/streams/Event.h"
#include "runtime/drivers/gpu/Commands.h"
#include "runtime/drivers/gpu/GpuStream.h"

#include <algorithm>
#include <deque>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

GpuDevice::GpuDevice(const VendorLibrary &library, const char *kind, int index,
                     Ordinal ordinal)
    : Device(std::string(kind) + ":" + std::to_string(index),
             std::make_unique<PinnedSource>(*this)),
      connection(name(), library, kind, ordinal), memory(connection),
      staging(connection), graphs(connection),
      usual(new GpuStream(*this, nullptr)) {}

Stream &GpuDevice::defaultStream() { return *usual; }

std::string_view GpuDevice::alias() const {
  return aliasOf(prefixOf(name()), connection.identity.facts.gpuVendor);
}

/// Of two package sections for the same chip, prefers the one that calls the
/// library for transforms.
int32_t GpuDevice::accepts(const char *name) const {
  std::string_view plain = name;
  bool calls = plain.ends_with(transformsSuffix);
  if (calls)
    plain.remove_suffix(transformsSuffix.size());
  int32_t fits = library.devices.accepts(connection.identity.target,
                                         std::string(plain).c_str());
  if (fits == 0 || !calls)
    return 2 * fits;
  return openTransforms() ? 2 * fits + 1 : 0;
}

const TransformEntryPoints *GpuDevice::openTransforms() const {
  const TransformNames *names = library.optional.transforms;
  return names ? math.transforms.open(*names) : nullptr;
}

void GpuDevice::properties(tensorc_rt_device_properties &properties) const {
  const DeviceFacts &facts = connection.identity.facts;
  properties.description = facts.name.c_str();
  properties.driver = facts.driver.c_str();
  properties.target =
      (openTransforms() ? connection.identity.targetWithTransforms
                        : connection.identity.target)
          .c_str();
  properties.multiprocessors = facts.multiprocessors;
  properties.threads =
      std::max(1, facts.multiprocessors * facts.threadsPerMultiprocessor);
  properties.subgroup = facts.subgroup;
  properties.max_block = facts.grid.maxBlock;
  properties.shared_memory = static_cast<int32_t>(facts.grid.maxShared);
  properties.capability_major = facts.major;
  properties.capability_minor = facts.minor;
  properties.computes = 1;
  properties.memory = facts.memory;
}

//===----------------------------------------------------------------------===//
// The library's device
//===----------------------------------------------------------------------===//

Scope::Scope(GpuDevice &device) : device(device) {
  status = device.open();
  if (!status.ok())
    return;
  status = device.check(
      device.library.devices.enter(device.connection.handle, former),
      "making the device current");
  entered = status.ok();
}

Status GpuDevice::withCollectives(const CollectiveWork &work) {
  TENSORC_GPU_SCOPE(*this);
  return work(library.optional.collectives);
}

Status GpuDevice::open() {
  if (connection.errors.isFinal())
    return health();
  if (opening.isDone.load(std::memory_order_acquire))
    return Status();
  std::lock_guard lock(opening.mutex);
  if (opening.isDone)
    return Status();
  TENSORC_RT_TRY(
      check(library.devices.open(connection.handle), "opening the device"));
  void *former = nullptr;
  TENSORC_RT_TRY(check(library.devices.enter(connection.handle, former),
                       "making the device current"));
  Status status = openLibrary();
  library.devices.leave(former);
  if (status.ok())
    opening.isDone.store(true, std::memory_order_release);
  return status;
}

Status GpuDevice::openLibrary() {
  Stream_t made = nullptr;
  TENSORC_RT_TRY(
      check(library.streams.create(connection.handle, made), "a new stream"));
  usual->attach(made);
  memory.open(made);
  EventApi &api = library.events;
  TENSORC_RT_TRY(
      check(api.create(connection.handle, clock.origin), "a new event"));
  TENSORC_RT_TRY(check(api.record(clock.origin, made), "recording an event"));
  TENSORC_RT_TRY(check(api.synchronize(clock.origin), "waiting for an event"));
  clock.originTime = now();
  connection.streams.add(usual->records);
  return Status();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Status GpuDevice::memoryInfo(uint64_t &free, uint64_t &total) {
  free = total = 0;
  TENSORC_GPU_SCOPE(*this);
  size_t freeBytes = 0, totalBytes = 0;
  TENSORC_RT_TRY(
      check(library.memory.info(connection.handle, freeBytes, totalBytes),
            "asking for free memory"));
  free = freeBytes;
  total = totalBytes;
  return Status();
}

void *GpuDevice::allocateMemory(size_t bytes) {
  Scope scope(*this);
  return scope.status.ok() ? memory.allocate(bytes) : nullptr;
}

void GpuDevice::freeMemory(void *data, size_t) {
  Scope scope(*this);
  if (scope.status.ok()) // else the process' end frees the memory
    memory.free(data);
}

void *PinnedSource::allocateMemory(size_t bytes) {
  Scope scope(device);
  void *data = nullptr;
  bool isDone = scope.status.ok() &&
                device.library.memory.hostAllocate(device.connection.handle,
                                                   data, bytes) == success;
  return isDone ? data : nullptr;
}

void PinnedSource::freeMemory(void *data, size_t) {
  Scope scope(device);
  if (scope.status.ok()) // else the process' end frees the memory
    (void)device.check(device.library.memory.free(data, MemoryKind::Host),
                       "freeing host memory");
}

void GpuDevice::trimSource() {
  Scope scope(*this);
  if (scope.status.ok())
    memory.trim();
}

void GpuDevice::reclaim(bool wait) {
  if (!opening.isDone.load(std::memory_order_acquire))
    return;
  Scope scope(*this);
  RetiredList done;
  connection.streams.collect(done, wait);
  // `done` is destroyed here, after the lock of the streams was released,
  // because releasing its buffers may use the device.
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

Status GpuDevice::createStream(Stream *&out) {
  TENSORC_GPU_SCOPE(*this);
  Stream_t made = nullptr;
  TENSORC_RT_TRY(
      check(library.streams.create(connection.handle, made), "a new stream"));
  return addStream(*new GpuStream(*this, made), out);
}

bool gpu::sharesStreams(const GpuDevice &device) {
  return findDeviceKind(device.name())->sharesStreams;
}

Status GpuDevice::wrapStream(void *native, Stream *&out) {
  if (!sharesStreams(*this))
    return Device::wrapStream(native, out);
  TENSORC_GPU_SCOPE(*this);
  return addStream(*new GpuStream(*this, static_cast<Stream_t>(native),
                                  GpuStream::Owner::Other),
                   out);
}

Status GpuDevice::addStream(GpuStream &stream, Stream *&out) {
  connection.streams.add(stream.records);
  out = &stream;
  // As long as there was no other stream, memory may have been released while
  // the default stream was still using it. The new stream waits for that work.
  if (usual->idle())
    return Status();
  std::shared_ptr<Mark> mark;
  Status status = usual->record(mark);
  if (status.ok())
    status = stream.wait(mark);
  if (!status.ok()) {
    out = nullptr;
    stream.release();
  }
  return status;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

namespace {
class GpuImage final : public Image {
public:
  explicit GpuImage(GpuDevice &device) : device(device) {}
  ~GpuImage() override {
    device.graphs.forget(kernels);
    Scope scope(device);
    if (scope.status.ok() && module)
      (void)device.library.kernels.unload(module);
  }

  GpuDevice &device;
  /// Kept as long as the module: HIP reads the image when a kernel is used.
  std::string bytes; // the image, followed by a zero that ends PTX
  Module_t module = nullptr;
  std::deque<GpuKernel> table;
};
} // namespace

Status GpuDevice::loadImage(std::span<const char> bytes,
                            std::span<const std::string> kernels,
                            std::unique_ptr<Image> &out) {
  TENSORC_GPU_SCOPE(*this);
  auto image = std::make_unique<GpuImage>(*this);
  image->bytes.assign(bytes.data(), bytes.size());
  std::string log;
  Result result =
      library.kernels.load(connection.handle, image->bytes, image->module, log);
  if (result != success) {
    image->module = nullptr;
    TENSORC_RT_TRY(health());
    Status status = check(result, "loading kernels");
    if (log.empty() || result == resultOutOfMemory)
      return status;
    return error(TENSORC_RT_INVALID_PACKAGE, "%s: %s",
                 tensorc_rt_status_message(status.get()), log.c_str());
  }
  for (size_t i = 0; i < kernels.size(); ++i) {
    GpuKernel &kernel = image->table.emplace_back();
    result = library.kernels.find(image->module, kernels[i].c_str(),
                                  kernel.function, kernel.staticShared);
    if (result == resultOutOfMemory || library.devices.endsAllWork(result))
      return check(result, "preparing a kernel");
    if (result != success)
      return error(TENSORC_RT_INVALID_PACKAGE, "the image has no kernel '%s'",
                   kernels[i].c_str());
    image->kernels.push_back(&kernel);
  }
  out = std::move(image);
  return Status();
}

void gpu::explainNone(const std::string &library, const char *error,
                      const char *advice, FoundDevices &found) {
  if (!found.devices.empty() || !found.refused.empty())
    return;
  std::string code = error ? " (" + std::string(error) + ")" : "";
  found.refused.push_back(library + " lists no device" + code + ": " + advice);
}

void gpu::addGpuDevices(const VendorLibrary &library, const char *kind,
                        FoundDevices &found) {
  std::vector<Ordinal> usable;
  for (Ordinal ordinal : library.devices.list()) {
    bool isUsable = !library.devices.target(ordinal).empty();
    std::string note = library.devices.describe(ordinal).note;
    if (!note.empty())
      (isUsable ? found.notes : found.refused).push_back(note);
    if (isUsable)
      usable.push_back(ordinal);
  }
  for (Ordinal ordinal : usable) {
    auto index = static_cast<int>(found.devices.size());
    auto device = std::make_unique<GpuDevice>(library, kind, index, ordinal);
    found.devices.push_back(device.get());
    (void)device.release(); // Devices are never destroyed.
  }
}
