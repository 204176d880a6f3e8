//===- GpuDevice.cpp - a device of a vendor's library ---------------------===//
#include "runtime/drivers/gpu/GpuDevice.h"

#include "runtime/abi/DeviceKinds.h"
#include "runtime/core/streams/Event.h"
#include "runtime/drivers/gpu/GpuStream.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

/// The environment variables are read once, so that an invalid value is
/// reported once for all devices.
static bool isBlocking() {
  static const bool is = readSwitch("TENSORC_LAUNCH_BLOCKING", false);
  return is;
}
static bool wantsPools() {
  static const bool wants = readSwitch("TENSORC_GPU_POOLS", true);
  return wants;
}

/// Reads the version of the driver from the kind's file if the library does not
/// report it.
static DeviceFacts readFacts(const Vendor &vendor, const char *kind,
                             Ordinal ordinal) {
  DeviceFacts facts = vendor.describeDevice(ordinal);
  if (facts.driver.empty()) {
    std::ifstream file(findDeviceKind(kind)->versionFile);
    std::getline(file, facts.driver);
  }
  return facts;
}

std::string_view GpuDevice::alias() const {
  return aliasOf(prefixOf(name()), facts.gpuVendor);
}

GpuDevice::GpuDevice(Vendor &vendor, const char *kind, int index,
                     Ordinal ordinal)
    : Device(std::string(kind) + ":" + std::to_string(index),
             std::make_unique<PinnedSource>(*this)),
      vendor(vendor), staging(*this), graphs(*this), blocking(isBlocking()),
      facts(readFacts(vendor, kind, ordinal)), target(vendor.target(ordinal)),
      targetWithTransforms(target + std::string(transformsSuffix)) {
  handle.ordinal = ordinal;
  usual = new GpuStream(*this, nullptr);
}

/// Of two package sections for the same chip, prefers the one that calls the
/// library for transforms.
int32_t GpuDevice::accepts(const char *name) const {
  std::string_view plain = name;
  bool calls = plain.ends_with(transformsSuffix);
  if (calls)
    plain.remove_suffix(transformsSuffix.size());
  int32_t fits = vendor.accepts(target, std::string(plain).c_str());
  if (fits == 0 || !calls)
    return 2 * fits;
  return openTransforms() ? 2 * fits + 1 : 0;
}

const TransformEntryPoints *GpuDevice::openTransforms() const {
  const TransformNames *names = vendor.optionalLibraries().transforms;
  return names ? transforms.open(*names) : nullptr;
}

void GpuDevice::properties(tensorc_rt_device_properties &properties) const {
  properties.description = facts.name.c_str();
  properties.driver = facts.driver.c_str();
  properties.target =
      (openTransforms() ? targetWithTransforms : target).c_str();
  properties.multiprocessors = facts.multiprocessors;
  properties.threads =
      std::max(1, facts.multiprocessors * facts.threadsPerMultiprocessor);
  properties.subgroup = facts.subgroup;
  properties.max_block = facts.maxBlock;
  properties.shared_memory = static_cast<int32_t>(facts.maxShared);
  properties.capability_major = facts.major;
  properties.capability_minor = facts.minor;
  properties.computes = 1;
  properties.memory = facts.memory;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Returns " in the kernel 'a' (app.cpp:41)", or a list of the kernels that may
/// have caused an error.
std::string GpuDevice::nameSuspects() {
  if (!isOpen)
    return "";
  std::vector<LaunchSite> launches;
  const LaunchSite known = vendor.culprit();
  // Launches of a graph have no lines; the stream that launched the graph has
  // them.
  if (!known.kernel || !known.file) {
    std::lock_guard lock(streamsMutex);
    for (GpuStream *stream : streams)
      stream->addRecent(launches);
  }
  if (known.kernel) {
    std::erase_if(launches, [&](const LaunchSite &launch) {
      return std::strcmp(launch.kernel, known.kernel) != 0;
    });
    if (launches.empty())
      launches.push_back(known);
  }
  if (launches.empty())
    return "";
  if (launches.size() == 1)
    return " in the kernel " + launches[0].text();
  std::string text;
  for (const LaunchSite &launch : launches)
    text += (text.empty() ? " in one of the kernels " : ", ") + launch.text();
  return text + " (TENSORC_LAUNCH_BLOCKING=1 tells which)";
}

Status GpuDevice::check(Result result, const char *doing, Call call) {
  if (result == success)
    return Status();
  bool isMemory = result == resultOutOfMemory;
  bool isFinal = !isMemory && vendor.endsAllWork(result);
  std::string why = isMemory ? "out of memory" : vendor.describe(result);
  std::string suspects =
      (call == Call::Waits && result != resultNotSupported) ||
              (isFinal && !isLost)
          ? nameSuspects()
          : "";
  if (!isFinal)
    return error(isMemory ? TENSORC_RT_OUT_OF_MEMORY : TENSORC_RT_DEVICE_ERROR,
                 "%s: %s: %s%s", name(), doing, why.c_str(), suspects.c_str());
  {
    std::lock_guard lock(mutex);
    if (!isLost)
      lost = why + suspects;
    isLost = true;
  }
  return health();
}

Status GpuDevice::health() {
  if (generation != forkGeneration())
    return error(TENSORC_RT_DEVICE_ERROR,
                 "%s cannot be used in a child of fork(): start the process "
                 "anew",
                 name());
  if (!isLost)
    return Status();
  std::lock_guard lock(mutex);
  return error(TENSORC_RT_DEVICE_ERROR,
               "%s: %s; the device cannot be used any more by this process",
               name(), lost.c_str());
}

//===----------------------------------------------------------------------===//
// The library's device
//===----------------------------------------------------------------------===//

Scope::Scope(GpuDevice &device) : device(device) {
  status = device.open();
  if (!status.ok())
    return;
  status = device.check(device.vendor.enter(device.handle, former),
                        "making the device current");
  entered = status.ok();
}

Status GpuDevice::withCollectives(const CollectiveWork &work) {
  TENSORC_GPU_SCOPE(*this);
  return work(vendor.optionalLibraries().collectives);
}

Status GpuDevice::open() {
  if (isLost || generation != forkGeneration())
    return health();
  if (isOpen.load(std::memory_order_acquire))
    return Status();
  // The caller must not hold the lock for errors, because opening may report
  // errors.
  std::lock_guard lock(streamsMutex);
  if (isOpen)
    return Status();
  TENSORC_RT_TRY(check(vendor.open(handle), "opening the device"));
  void *former = nullptr;
  TENSORC_RT_TRY(
      check(vendor.enter(handle, former), "making the device current"));
  Status status = openLibrary();
  vendor.leave(former);
  if (status.ok())
    isOpen.store(true, std::memory_order_release);
  return status;
}

Status GpuDevice::openLibrary() {
  Stream_t made = nullptr;
  TENSORC_RT_TRY(check(vendor.streamCreate(handle, made), "a new stream"));
  usual->attach(made);
  streams.push_back(usual);
  streamCount = 1;
  if (!wantsPools() || vendor.openPool(handle, pool) != success ||
      vendor.streamCreate(handle, memoryStream) != success)
    pool = nullptr;
  TENSORC_RT_TRY(check(vendor.eventCreate(handle, origin), "a new event"));
  TENSORC_RT_TRY(check(vendor.eventRecord(origin, made), "recording an event"));
  TENSORC_RT_TRY(
      check(vendor.eventSynchronize(origin), "waiting for an event"));
  originTime = now();
  return Status();
}

void GpuDevice::openPeer(GpuDevice &peer) {
  {
    std::lock_guard lock(mutex);
    if (!peers.insert(&peer).second)
      return;
  }
  vendor.openPeer(handle, peer.handle, peer.pool);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Status GpuDevice::memoryInfo(uint64_t &free, uint64_t &total) {
  free = total = 0;
  TENSORC_GPU_SCOPE(*this);
  size_t freeBytes = 0, totalBytes = 0;
  TENSORC_RT_TRY(check(vendor.memoryInfo(handle, freeBytes, totalBytes),
                       "asking for free memory"));
  free = freeBytes;
  total = totalBytes;
  return Status();
}

/// With a single stream the memory is allocated in the stream's order; with
/// several streams it is available when this returns.
void *GpuDevice::allocateMemory(size_t bytes) {
  Scope scope(*this);
  if (!scope.status.ok())
    return nullptr;
  void *data = nullptr;
  if (!pool)
    return vendor.allocate(handle, data, bytes) == success ? data : nullptr;
  bool alone = hasOneStream();
  Stream_t on = alone ? usual->handle() : memoryStream;
  Result result = vendor.allocateAsync(data, bytes, on);
  if (result == success && !alone)
    result = vendor.streamSynchronize(on);
  (void)check(result, "allocating");
  return result == success ? data : nullptr;
}

/// Other streams have finished using the memory, but the default stream may not
/// have.
void GpuDevice::freeMemory(void *data, size_t) {
  Scope scope(*this);
  if (!scope.status.ok())
    return; // The device is lost; the process' end frees the memory.
  if (pool)
    (void)check(vendor.freeAsync(data, usual->handle()), "freeing");
  else
    (void)check(vendor.free(data, MemoryKind::Device), "freeing");
}

void *PinnedSource::allocateMemory(size_t bytes) {
  Scope scope(device);
  void *data = nullptr;
  bool isDone = scope.status.ok() && device.vendor.hostAllocate(
                                         device.handle, data, bytes) == success;
  return isDone ? data : nullptr;
}

void PinnedSource::freeMemory(void *data, size_t) {
  Scope scope(device);
  if (scope.status.ok()) // else the process' end frees the memory
    (void)device.check(device.vendor.free(data, MemoryKind::Host),
                       "freeing host memory");
}

void GpuDevice::trimSource() {
  Scope scope(*this);
  if (!scope.status.ok() || !pool)
    return;
  (void)vendor.streamDrain(usual->handle());
  (void)vendor.trimPool(pool);
}

void GpuDevice::reclaim(bool wait) {
  if (!isOpen.load(std::memory_order_acquire))
    return;
  Scope scope(*this);
  RetiredList done;
  {
    std::lock_guard lock(streamsMutex);
    for (GpuStream *stream : streams)
      stream->collect(done, wait);
  }
  // `done` is destroyed here, after the lock was released, because releasing
  // its buffers may use the device.
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Status GpuDevice::createStream(Stream *&out) {
  TENSORC_GPU_SCOPE(*this);
  Stream_t made = nullptr;
  TENSORC_RT_TRY(check(vendor.streamCreate(handle, made), "a new stream"));
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
  enlist(stream);
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

Stream &GpuDevice::defaultStream() { return *usual; }

void GpuDevice::enlist(GpuStream &stream) {
  std::lock_guard lock(streamsMutex);
  streams.push_back(&stream);
  ++streamCount;
}

void GpuDevice::strike(GpuStream &stream) {
  std::lock_guard lock(streamsMutex);
  std::erase(streams, &stream);
  --streamCount;
}

Status GpuDevice::takeEvent(Event_t &out) {
  {
    std::lock_guard lock(mutex);
    if (!events.empty()) {
      out = events.back();
      events.pop_back();
      return Status();
    }
  }
  return check(vendor.eventCreate(handle, out), "a new event");
}

void GpuDevice::giveEvent(Event_t event) {
  try {
    std::lock_guard lock(mutex);
    events.push_back(event);
  } catch (const std::bad_alloc &) {
    // It is lost.
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
class GpuImage final : public Image {
public:
  explicit GpuImage(GpuDevice &device) : device(device) {}
  ~GpuImage() override {
    device.graphs.forget(kernels);
    Scope scope(device);
    if (scope.status.ok() && module)
      (void)device.vendor.unload(module);
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
  Result result = vendor.load(handle, image->bytes, image->module, log);
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
    result = vendor.findKernel(image->module, kernels[i].c_str(),
                               kernel.function, kernel.staticShared);
    if (result == resultOutOfMemory || vendor.endsAllWork(result))
      return check(result, "preparing a kernel");
    if (result != success)
      return error(TENSORC_RT_INVALID_PACKAGE, "the image has no kernel '%s'",
                   kernels[i].c_str());
    image->kernels.push_back(&kernel);
  }
  out = std::move(image);
  return Status();
}

/// Raises the kernel's limit of dynamic shared memory. Called before the launch
/// is captured, because this call itself cannot be captured.
Status GpuDevice::allowShared(const GpuKernel &kernel, const Launch &launch) {
  uint32_t bytes = launch.shape.sharedBytes;
  uint64_t sum = uint64_t(bytes) + kernel.staticShared;
  if (sum > facts.maxShared)
    return error(TENSORC_RT_UNSUPPORTED,
                 "%s: kernel %s asks for %u bytes of dynamic shared memory%s; "
                 "a block has %u",
                 name(), launch.site().text().c_str(), bytes,
                 kernel.staticShared
                     ? (" and has " + std::to_string(kernel.staticShared) +
                        " of static shared memory")
                           .c_str()
                     : "",
                 facts.maxShared);
  if (sum <= defaultShared || bytes <= kernel.allowedShared)
    return Status();
  Result result = vendor.allowShared(kernel.function, bytes);
  if (result != success)
    return check(result, "asking for dynamic shared memory");
  kernel.allowedShared = bytes;
  return Status();
}

/// Reports grids and blocks that the device does not support. Only kernels of
/// users can have such grids.
static Status checkGrid(const GpuDevice &device, const GridLimits &limits,
                        const Launch &launch) {
  const LaunchShape &shape = launch.shape;
  auto fits = [&](int64_t blocks, int64_t threads, int64_t maxBlocks) {
    return blocks <= maxBlocks && blocks <= limits.maxThreads / threads;
  };
  if (fits(launch.extent, launch.block, limits.maxBlocks) &&
      fits(shape.gridY, shape.blockY, limits.maxOuterBlocks) &&
      fits(shape.gridZ, shape.blockZ, limits.maxOuterBlocks))
    return Status();
  std::string threads;
  if (limits.maxThreads != INT64_MAX)
    threads =
        " and " + std::to_string(limits.maxThreads) + " threads along a dim";
  return error(TENSORC_RT_UNSUPPORTED,
               "%s: kernel %s has a grid of %lld x %u x %u blocks of %u x "
               "%u x %u threads; the device takes at most %lld x %lld x %lld "
               "blocks%s",
               device.name(), launch.site().text().c_str(),
               (long long)launch.extent, shape.gridY, shape.gridZ, launch.block,
               shape.blockY, shape.blockZ, (long long)limits.maxBlocks,
               (long long)limits.maxOuterBlocks,
               (long long)limits.maxOuterBlocks, threads.c_str());
}

Status GpuDevice::launchOn(Stream_t on, const Launch &launch) {
  const auto &kernel = *static_cast<const GpuKernel *>(launch.kernel);
  if (!launch.block)
    return error(TENSORC_RT_UNSUPPORTED,
                 "%s: kernel '%s' takes a range; a GPU runs blocks of threads",
                 name(), launch.name);
  TENSORC_RT_TRY(checkGrid(*this, facts.grid, launch));
  if (launch.shape.sharedBytes)
    TENSORC_RT_TRY(allowShared(kernel, launch));
  const char *part = nullptr;
  Result result = vendor.launch(kernel.function, launch, on, part);
  if (result == success)
    return Status();
  std::string doing = "launching " + launch.site().text();
  return check(result, part ? part : doing.c_str());
}

/// Sets `word` to four bytes of the repeated pattern; returns false if the
/// pattern has more than four bytes.
static bool narrow(uint64_t pattern, uint32_t width, uint32_t &word,
                   uint32_t &unit) {
  word = static_cast<uint32_t>(pattern);
  if (width == 1)
    word = (word & 0xff) * 0x01010101u;
  if (width == 2)
    word = (word & 0xffff) * 0x00010001u;
  if (width == 8 && pattern >> 32 != word)
    return false;
  uint32_t half = (word & 0xffff) * 0x00010001u;
  uint32_t byte = (word & 0xff) * 0x01010101u;
  unit = word == byte ? 1 : word == half ? 2 : 4;
  return true;
}

Status GpuDevice::fillOn(Stream_t on, void *target, uint64_t pattern,
                         uint32_t width, size_t size) {
  uint32_t word = 0, unit = 0;
  auto cannotFill = [&] {
    return error(TENSORC_RT_UNSUPPORTED, "%s: no call fills so", name());
  };
  if (!narrow(pattern, width, word, unit) || size % unit ||
      reinterpret_cast<uintptr_t>(target) % unit)
    return cannotFill();
  Result result = vendor.fill(target, word, unit, size / unit, on);
  return result == resultNotSupported ? cannotFill() : check(result, "filling");
}

void gpu::addGpuDevices(std::unique_ptr<Vendor> vendor, const char *kind,
                        FoundDevices &found) {
  std::vector<Ordinal> usable;
  for (Ordinal ordinal : vendor->listDevices()) {
    bool isUsable = !vendor->target(ordinal).empty();
    std::string note = vendor->describeDevice(ordinal).note;
    if (!note.empty())
      (isUsable ? found.notes : found.refused).push_back(note);
    if (isUsable)
      usable.push_back(ordinal);
  }
  if (usable.empty())
    return;
  // Devices are never destroyed, and each of them refers to the vendor object.
  Vendor &stays = *vendor.release();
  for (Ordinal ordinal : usable) {
    auto index = static_cast<int>(found.devices.size());
    auto device = std::make_unique<GpuDevice>(stays, kind, index, ordinal);
    found.devices.push_back(device.get());
    (void)device.release();
  }
}
