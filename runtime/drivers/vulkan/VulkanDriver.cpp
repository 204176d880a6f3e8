//===- VulkanDriver.cpp - devices of Vulkan, through libvulkan.so.1 -------===//
//
// Buffers are device addresses, which kernels receive in their push constants.
// Devices without buffer device addresses are refused. runtime/drivers/gpu has
// the parts that do not depend on Vulkan.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/gpu/GpuDevice.h"
#include "runtime/drivers/vulkan/VulkanKernels.h"

#include <algorithm>
#include <cstring>
#include <iterator>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::vulkan;

namespace {
struct RecordedEvent {
  QueryPool time = 0;
  Point point;
};
using SharedGraph = std::shared_ptr<RecordedGraph>;
} // namespace

// The objects to which handles point.
static RecordedEvent &eventOf(Event_t event) {
  return *reinterpret_cast<RecordedEvent *>(event);
}
static SharedGraph &graphOf(Graph_t graph) {
  return *reinterpret_cast<SharedGraph *>(graph);
}

namespace {
class VulkanDevices final : public DeviceApi {
public:
  explicit VulkanDevices(VulkanDevice &device) : device(device) {}

  std::vector<Ordinal> list() const override { return {0}; }
  DeviceFacts describe(Ordinal) const override;
  std::string target(Ordinal) const override;
  int32_t accepts(const std::string &own, const char *target) const override;
  Result open(Handle &) override { return device.open(); }
  Result enter(const Handle &, void *&) override { return success; }
  void leave(void *) override {}
  std::string describeError(Result result) const override;
  bool endsAllWork(Result result) const override {
    return result == vkDeviceLost || result == loopWasCut;
  }

private:
  VulkanDevice &device;
};

class VulkanBuffers final : public MemoryApi {
public:
  explicit VulkanBuffers(VulkanDevice &device) : device(device) {}

  Result info(const Handle &, size_t &free, size_t &total) override;
  Result allocate(const Handle &, void *&out, size_t bytes) override;
  Result free(void *data, MemoryKind kind) override {
    (kind == MemoryKind::Host ? device.host : device.memory).free(data);
    return success;
  }
  Result hostAllocate(const Handle &, void *&out, size_t bytes) override {
    return device.host.allocate(bytes, out);
  }
  Result openPool(const Handle &, Pool_t &out) override;
  Result trimPool(Pool_t) override;
  Result allocateAsync(void *&out, size_t bytes, Stream_t) override {
    return allocate({}, out, bytes);
  }
  Result freeAsync(void *data, Stream_t on) override;

private:
  void collect();

  /// Memory that can be freed once the work of a stream has reached the point.
  struct Retiring {
    void *data;
    Point point;
  };
  VulkanDevice &device;
  std::mutex mutex; // guards `retiring`
  std::vector<Retiring> retiring;
};

class VulkanCopies final : public CopyApi {
public:
  explicit VulkanCopies(VulkanDevice &device) : device(device) {}

  Result toDevice(void *target, const void *source, size_t size,
                  Stream_t on) override {
    return copy(device.memory.find(target), device.host.find(source), size, on);
  }
  Result toHost(void *target, const void *source, size_t size,
                Stream_t on) override {
    return copy(device.host.find(target), device.memory.find(source), size, on);
  }
  Result onDevice(void *target, const void *source, size_t size,
                  Stream_t on) override {
    return copy(device.memory.find(target), device.memory.find(source), size,
                on);
  }
  Result fill(void *target, uint32_t word, uint32_t unit, size_t count,
              Stream_t on) override;

private:
  Result copy(Place target, Place source, size_t size, Stream_t on);

  VulkanDevice &device;
};

class VulkanStreams final : public StreamApi {
public:
  explicit VulkanStreams(VulkanDevice &device) : device(device) {}

  Result create(const Handle &, Stream_t &out) override;
  /// Does not delete a stream that is destroyed by its own work.
  Result destroy(Stream_t stream) override {
    if (!streamOf(stream).isCalling())
      delete &streamOf(stream);
    return success;
  }
  Result synchronize(Stream_t stream) override {
    return device.loops.check(streamOf(stream).synchronize());
  }
  Result drain(Stream_t stream) override { return streamOf(stream).drain(); }
  Result query(Stream_t stream) override {
    return device.loops.check(streamOf(stream).query());
  }
  Result wait(Stream_t stream, Event_t event) override {
    return streamOf(stream).waitFor(eventOf(event).point);
  }
  Result callHost(Stream_t stream, HostFunction function,
                  void *argument) override {
    return streamOf(stream).callHost(function, argument);
  }
  LaunchSite culprit() override { return device.loops.culprit(); }

private:
  VulkanDevice &device;
};

class VulkanEvents final : public EventApi {
public:
  explicit VulkanEvents(VulkanDevice &device) : device(device) {}

  Result create(const Handle &, Event_t &out) override;
  Result record(Event_t event, Stream_t stream) override;
  Result query(Event_t event) override {
    return device.loops.check(eventOf(event).point.query());
  }
  Result synchronize(Event_t event) override {
    return device.loops.check(eventOf(event).point.wait());
  }
  Result elapsed(float &milliseconds, Event_t start, Event_t stop) override;

private:
  VulkanDevice &device;
};

class VulkanGraphs final : public GraphApi {
public:
  Result beginCapture(Stream_t stream) override {
    return streamOf(stream).beginCapture();
  }
  Result endCapture(Stream_t stream, Graph_t &out) override;
  Result instantiate(GraphExec_t &out, Graph_t graph) override {
    out = reinterpret_cast<GraphExec_t>(new SharedGraph(graphOf(graph)));
    return success;
  }
  Result launch(GraphExec_t graph, Stream_t on) override {
    return streamOf(on).launch(*reinterpret_cast<SharedGraph *>(graph));
  }
  Result destroy(Graph_t graph) override {
    delete &graphOf(graph);
    return success;
  }
  Result destroyExec(GraphExec_t graph) override {
    delete reinterpret_cast<SharedGraph *>(graph);
    return success;
  }
};

/// The library with one of its devices.
struct Vulkan {
  Vulkan(const Functions &call, PhysicalDevice id) : device(call, id) {}

  VulkanDevice device;
  VulkanDevices devices{device};
  VulkanBuffers memory{device};
  VulkanCopies copies{device};
  VulkanStreams streams{device};
  VulkanEvents events{device};
  VulkanKernels kernels{device, memory, copies, streams};
  VulkanGraphs graphs;
};
} // namespace

static VendorLibrary passParts(const std::shared_ptr<Vulkan> &library) {
  return {.owner = library,
          .devices = library->devices,
          .memory = library->memory,
          .copies = library->copies,
          .streams = library->streams,
          .events = library->events,
          .kernels = library->kernels,
          .graphs = &library->graphs};
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

DeviceFacts VulkanDevices::describe(Ordinal) const {
  const PhysicalTraits &traits = device.traits;
  DeviceFacts facts;
  uint32_t version = traits.get<uint32_t>(apiVersionOffset);
  facts.name = traits.title();
  facts.memory = traits.total;
  facts.grid.maxBlock = static_cast<int32_t>(std::min<uint32_t>(
      traits.get<uint32_t>(maxInvocationsOffset), INT32_MAX));
  facts.multiprocessors = 1; // Vulkan does not report it.
  bool isCpu = traits.get<uint32_t>(deviceTypeOffset) == cpuDevice;
  facts.threadsPerMultiprocessor = isCpu ? 1 : facts.grid.maxBlock;
  // The parts of the version number have a driver-specific meaning. The text is
  // for people, and may be empty.
  facts.driver = std::string(traits.controls.name) + " " +
                 traits.controls.info + " " +
                 std::to_string(traits.get<uint32_t>(driverVersionOffset));
  facts.gpuVendor = isCpu ? 0 : traits.get<uint32_t>(vendorOffset);
  facts.major = static_cast<int32_t>(version >> 22 & 127);
  facts.minor = static_cast<int32_t>(version >> 12 & 1023);
  facts.grid.maxShared = traits.get<uint32_t>(maxSharedOffset);
  facts.grid.maxOuterBlocks =
      std::min(traits.get<uint32_t>(maxGroupsOffset + sizeof(uint32_t)),
               traits.get<uint32_t>(maxGroupsOffset + 2 * sizeof(uint32_t)));
  return facts;
}

/// Programs for "vulkan" use f64 and atomics on 64-bit integers; programs for
/// "vulkan:f32" use neither.
std::string VulkanDevices::target(Ordinal) const {
  const FeatureChain &features = device.traits.features;
  bool isWide = features.basic.has[shaderFloat64] &&
                features.of12.has[int64Atomics] &&
                features.of12.has[sharedInt64Atomics];
  return getSpirvTarget("vulkan", isWide);
}

int32_t VulkanDevices::accepts(const std::string &own,
                               const char *target) const {
  if (own == target)
    return 2;
  return !std::strcmp(target, "vulkan:f32");
}

std::string VulkanDevices::describeError(Result result) const {
  if (result == resultNotSupported)
    return "Vulkan cannot do this";
  if (result == loopWasCut)
    return "results are wrong: the driver (" +
           std::string(device.traits.controls.name) +
           ") ended a loop early (Mesa's lavapipe allows a thread 65535 "
           "iterations)";
  const char *name = errorName(result);
  return name ? name : "Vulkan's error " + std::to_string(result);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Vulkan reports only the total memory of a device, so memory of other
/// processes counts as free.
Result VulkanBuffers::info(const Handle &, size_t &free, size_t &total) {
  total = device.traits.total;
  free = total - std::min<uint64_t>(device.memory.used(), total);
  return success;
}

/// Frees the memory that streams no longer use.
void VulkanBuffers::collect() {
  std::lock_guard lock(mutex);
  std::erase_if(retiring, [&](const Retiring &each) {
    if (each.point.query() == resultNotReady)
      return false;
    device.memory.free(each.data);
    return true;
  });
}

Result VulkanBuffers::allocate(const Handle &, void *&out, size_t bytes) {
  collect();
  return device.memory.allocate(bytes, out);
}

/// There is no pool. Any non-null handle makes memory be freed in the order of
/// a stream.
Result VulkanBuffers::openPool(const Handle &, Pool_t &out) {
  out = reinterpret_cast<Pool_t>(this);
  return success;
}

Result VulkanBuffers::trimPool(Pool_t) {
  collect();
  device.memory.trim();
  return success;
}

Result VulkanBuffers::freeAsync(void *data, Stream_t on) {
  std::lock_guard lock(mutex);
  retiring.push_back({data, streamOf(on).last()});
  return success;
}

Result VulkanCopies::copy(Place target, Place source, size_t size,
                          Stream_t on) {
  if (!target.buffer || !source.buffer)
    // There is no host memory for the host's part of the object.
    return resultOutOfMemory;
  return streamOf(on).enqueue([this, target, source, size](Slot &slot) {
    BufferCopy part = {source.offset, target.offset, size};
    device.opened.call.CmdCopyBuffer(slot.commands, source.buffer,
                                     target.buffer, 1, &part);
    return success;
  });
}

/// Fills whole aligned words only. For other fills GpuStream copies.
Result VulkanCopies::fill(void *target, uint32_t word, uint32_t unit,
                          size_t count, Stream_t on) {
  size_t bytes = unit * count;
  if (bytes % sizeof(word) ||
      reinterpret_cast<uintptr_t>(target) % sizeof(word))
    return resultNotSupported;
  Place at = device.memory.find(target);
  return streamOf(on).enqueue([this, at, bytes, word](Slot &slot) {
    device.opened.call.CmdFillBuffer(slot.commands, at.buffer, at.offset, bytes,
                                     word);
    return success;
  });
}

//===----------------------------------------------------------------------===//
// Streams, events and graphs
//===----------------------------------------------------------------------===//

Result VulkanStreams::create(const Handle &, Stream_t &out) {
  auto stream =
      std::make_unique<VulkanStream>(device.opened, device.queue, device.host);
  Result result = stream->open();
  if (result == success)
    out = reinterpret_cast<Stream_t>(stream.release());
  return result;
}

Result VulkanEvents::create(const Handle &, Event_t &out) {
  QueryPoolCreateInfo info;
  auto event = std::make_unique<RecordedEvent>();
  int32_t code = device.opened.call.CreateQueryPool(device.opened.device, &info,
                                                    nullptr, &event->time);
  if (code == vkSuccess)
    out = reinterpret_cast<Event_t>(event.release());
  return translate(code);
}

Result VulkanEvents::record(Event_t event, Stream_t stream) {
  RecordedEvent &to = eventOf(event);
  uint64_t value = 0;
  Result result = streamOf(stream).enqueue(
      [&call = device.opened.call, time = to.time](Slot &slot) {
        call.CmdResetQueryPool(slot.commands, time, 0, 1);
        call.CmdWriteTimestamp(slot.commands, bottomOfPipe, time, 0);
        return success;
      },
      &value);
  if (result == success)
    to.point = {streamOf(stream).last().timeline, value};
  return result;
}

Result VulkanEvents::elapsed(float &milliseconds, Event_t start, Event_t stop) {
  uint64_t times[2] = {};
  for (int i : {0, 1})
    if (int32_t code = device.opened.call.GetQueryPoolResults(
            device.opened.device, eventOf(i ? stop : start).time, 0, 1,
            sizeof(uint64_t), &times[i], sizeof(uint64_t), query64Bits))
      return translate(code);
  auto ticks = static_cast<double>(static_cast<int64_t>(times[1] - times[0]));
  auto period =
      static_cast<double>(device.traits.get<float>(timestampPeriodOffset));
  milliseconds = static_cast<float>(ticks * period * 1e-6);
  return success;
}

Result VulkanGraphs::endCapture(Stream_t stream, Graph_t &out) {
  SharedGraph graph = streamOf(stream).endCapture();
  Result result = graph->end();
  if (result == success)
    out = reinterpret_cast<Graph_t>(new SharedGraph(std::move(graph)));
  return result;
}

//===----------------------------------------------------------------------===//
// The Vulkan loader
//===----------------------------------------------------------------------===//

/// Returns the functions of the Vulkan loader, and sets its path; null if it is
/// missing or too old, which adds a reason to `refused`.
static const Functions *loadFunctions(std::vector<std::string> &refused,
                                      std::string &path) {
  static constexpr const char *names[] = {"libvulkan.so.1"};
  static constexpr EntryPoint points[] = {
#define X(name, result, parameters) {"vk" #name, offsetof(Functions, name)},
      TENSORC_VULKAN_FUNCTIONS(X)
#undef X
  };
  void *library = openLibrary(names, std::size(names), &refused);
  if (!library)
    return nullptr;
  path = getLibraryPath(library);
  static Functions functions;
  const char *missing = findEntryPoints(library, points, &functions);
  if (!missing)
    return &functions;
  refused.push_back(path + " is older than Vulkan 1.2: it has no function " +
                    missing);
  return nullptr;
}

/// Sets `code` to the error, if any.
static std::vector<PhysicalDevice> listDevices(const Functions &call,
                                               int32_t &code) {
  uint32_t version = 0;
  code = call.EnumerateInstanceVersion(&version);
  if (code != vkSuccess)
    return {};
  ApplicationInfo application;
  application.name = application.engine = "tensorc";
  application.apiVersion = std::min(version, version13);
  InstanceCreateInfo info;
  info.application = &application;
  Instance instance = nullptr; // never destroyed
  code = call.CreateInstance(&info, nullptr, &instance);
  if (code != vkSuccess)
    return {};
  uint32_t count = 0;
  code = call.EnumeratePhysicalDevices(instance, &count, nullptr);
  if (code != vkSuccess)
    return {};
  std::vector<PhysicalDevice> devices(count);
  code = call.EnumeratePhysicalDevices(instance, &count, devices.data());
  if (code < 0)
    return {};
  return devices;
}

void tensorc::rt::addVulkanDevices(FoundDevices &found) {
  std::string path;
  const Functions *call = loadFunctions(found.refused, path);
  if (!call)
    return;
  int32_t code = vkSuccess;
  for (PhysicalDevice id : listDevices(*call, code)) {
    auto library = std::make_shared<Vulkan>(*call, id);
    const PhysicalTraits &traits = library->device.traits;
    std::string obstacle = traits.findObstacle();
    if (obstacle.empty())
      addGpuDevices(passParts(library), "vulkan", found);
    else
      found.refused.push_back(traits.title() + (" " + obstacle));
  }
  explainNone(path, errorName(code),
              "install a driver for Vulkan, or name it by VK_ICD_FILENAMES",
              found);
}
