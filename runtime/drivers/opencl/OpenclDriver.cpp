//===- OpenclDriver.cpp - devices of OpenCL, through libOpenCL.so.1 -------===//
//
// Needs shared virtual memory, because buffers are addresses, and SPIR-V.
// Devices without these are refused. runtime/drivers/gpu has the parts that do
// not depend on OpenCL.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/gpu/GpuDevice.h"
#include "runtime/drivers/opencl/OpenclKernels.h"
#include "runtime/drivers/opencl/OpenclQueue.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::opencl;

namespace {
class OpenclDevices final : public DeviceApi {
public:
  explicit OpenclDevices(OpenclDevice &device) : device(device) {}

  std::vector<Ordinal> list() const override { return {0}; }
  DeviceFacts describe(Ordinal) const override;
  std::string target(Ordinal) const override;
  int32_t accepts(const std::string &own, const char *target) const override;
  Result open(Handle &) override;
  Result enter(const Handle &, void *&) override { return success; }
  void leave(void *) override {}
  std::string describeError(Result result) const override;
  bool endsAllWork(Result result) const override {
    return result == deviceNotAvailable;
  }

private:
  static constexpr Result deviceNotAvailable = -2;
  OpenclDevice &device;
};

class OpenclCopies final : public CopyApi {
public:
  explicit OpenclCopies(const Functions &call) : call(call) {}

  Result toDevice(void *target, const void *source, size_t size,
                  Stream_t on) override {
    return onDevice(target, source, size, on);
  }
  Result toHost(void *target, const void *source, size_t size,
                Stream_t on) override {
    return onDevice(target, source, size, on);
  }
  Result onDevice(void *target, const void *source, size_t size,
                  Stream_t on) override {
    return queueOf(on).enqueue([&](CommandQueue queue) {
      return call.EnqueueSVMMemcpy(queue, no, target, source, size, 0, nullptr,
                                   nullptr);
    });
  }
  Result fill(void *target, uint32_t word, uint32_t unit, size_t count,
              Stream_t on) override {
    return queueOf(on).enqueue([&](CommandQueue queue) {
      return call.EnqueueSVMMemFill(queue, target, &word, unit, unit * count, 0,
                                    nullptr, nullptr);
    });
  }

private:
  const Functions &call;
};

class OpenclStreams final : public StreamApi {
public:
  explicit OpenclStreams(const OpenclDevice &device) : device(device) {}

  Result create(const Handle &, Stream_t &out) override;
  Result destroy(Stream_t stream) override {
    delete &queueOf(stream);
    return success;
  }
  Result synchronize(Stream_t stream) override;
  Result drain(Stream_t stream) override { return queueOf(stream).drain(); }
  Result query(Stream_t stream) override { return queueOf(stream).query(); }
  Result wait(Stream_t stream, Event_t event) override;
  Result callHost(Stream_t stream, HostFunction function,
                  void *argument) override {
    return queueOf(stream).callHost(function, argument);
  }
  LaunchSite culprit() override {
    std::lock_guard lock(mutex);
    return std::exchange(failed, {});
  }

private:
  const OpenclDevice &device;
  std::mutex mutex;
  LaunchSite failed; // found by the last synchronize()
};

class OpenclEvents final : public EventApi {
public:
  explicit OpenclEvents(const Functions &call) : call(call) {}

  Result create(const Handle &, Event_t &out) override {
    out = reinterpret_cast<Event_t>(new EventOwner(call));
    return success;
  }
  Result record(Event_t event, Stream_t stream) override {
    return queueOf(stream).record(eventOf(event));
  }
  Result query(Event_t event) override { return eventOf(event).query(); }
  Result synchronize(Event_t event) override { return eventOf(event).wait(); }
  Result elapsed(float &milliseconds, Event_t start, Event_t stop) override;

private:
  const Functions &call;
};

/// The library with one of its devices.
struct Opencl {
  Opencl(const Functions &call, DeviceId id, std::string platform)
      : device{call, id, std::move(platform)}, copies(call), events(call) {}

  OpenclDevice device;
  OpenclDevices devices{device};
  OpenclMemory memory{device};
  OpenclCopies copies;
  OpenclStreams streams{device};
  OpenclEvents events;
  OpenclKernels kernels{device, memory};
};
} // namespace

static VendorLibrary passParts(const std::shared_ptr<Opencl> &library) {
  return {.owner = library,
          .devices = library->devices,
          .memory = library->memory,
          .copies = library->copies,
          .streams = library->streams,
          .events = library->events,
          .kernels = library->kernels};
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// Major and minor version are 3 and 0 if the version text is "OpenCL 3.0 ...".
DeviceFacts OpenclDevices::describe(Ordinal) const {
  DeviceFacts facts;
  facts.name = device.title();
  facts.memory = device.getNumber<uint64_t>(globalMemSize);
  facts.multiprocessors =
      static_cast<int32_t>(device.getNumber<uint32_t>(maxComputeUnits));
  facts.grid.maxBlock = static_cast<int32_t>(
      std::min<size_t>(device.getNumber<size_t>(maxWorkGroupSize), INT32_MAX));
  bool isCpu = device.isCpu();
  facts.driver = device.getText(driverVersion);
  facts.gpuVendor = isCpu ? 0 : device.getNumber<uint32_t>(vendorId);
  facts.threadsPerMultiprocessor = isCpu ? 1 : facts.grid.maxBlock;
  facts.grid.maxShared = static_cast<uint32_t>(
      std::min<uint64_t>(device.getNumber<uint64_t>(localMemSize), INT32_MAX));
  (void)std::sscanf(device.getText(deviceVersion).c_str(), "OpenCL %d.%d",
                    &facts.major, &facts.minor);
  facts.grid.maxOuterBlocks =
      facts.grid.maxBlocks; // OpenCL has no limit of its own.
  return facts;
}

/// Programs for "opencl" use f64 and atomics on 64-bit integers; programs for
/// "opencl:f32" use neither.
std::string OpenclDevices::target(Ordinal) const {
  bool isWide = device.hasExtension("cl_khr_fp64") &&
                device.hasExtension("cl_khr_int64_base_atomics") &&
                device.hasExtension("cl_khr_int64_extended_atomics");
  return getSpirvTarget("opencl", isWide);
}

int32_t OpenclDevices::accepts(const std::string &own,
                               const char *target) const {
  if (own == target)
    return 2;
  return !std::strcmp(target, "opencl:f32");
}

Result OpenclDevices::open(Handle &) {
  int32_t code = 0;
  device.context = device.call.CreateContext(nullptr, 1, &device.id, nullptr,
                                             nullptr, &code);
  device.largest = device.getNumber<uint64_t>(maxMemAllocSize);
  device.total = device.getNumber<uint64_t>(globalMemSize);
  return translate(code);
}

std::string OpenclDevices::describeError(Result result) const {
  if (result == resultNotSupported)
    return "OpenCL cannot do this";
  const char *name = errorName(result);
  return name ? name : "OpenCL's error " + std::to_string(result);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Result OpenclStreams::create(const Handle &, Stream_t &out) {
  const uint64_t properties[] = {queueProperties, profilingEnable, 0};
  int32_t code = 0;
  CommandQueue queue = device.call.CreateCommandQueueWithProperties(
      device.context, device.id, properties, &code);
  if (!code)
    out = reinterpret_cast<Stream_t>(
        new Queue(device.call, device.context, queue));
  return translate(code);
}

Result OpenclStreams::synchronize(Stream_t stream) {
  LaunchSite launch;
  Result result = queueOf(stream).synchronize(launch);
  if (result != success) {
    std::lock_guard lock(mutex);
    failed = launch;
  }
  return result;
}

Result OpenclStreams::wait(Stream_t stream, Event_t event) {
  Event awaited = eventOf(event).get();
  if (!awaited)
    return success;
  return queueOf(stream).enqueue([&](CommandQueue queue) {
    return device.call.EnqueueBarrierWithWaitList(queue, 1, &awaited, nullptr);
  });
}

Result OpenclEvents::elapsed(float &milliseconds, Event_t start, Event_t stop) {
  uint64_t times[2] = {};
  for (int i : {0, 1})
    if (int32_t code = call.GetEventProfilingInfo(
            eventOf(i ? stop : start).get(), profilingEnd, sizeof(times[i]),
            &times[i], nullptr))
      return translate(code);
  milliseconds = static_cast<float>(
      static_cast<double>(static_cast<int64_t>(times[1] - times[0])) * 1e-6);
  return success;
}

//===----------------------------------------------------------------------===//
// The OpenCL loader
//===----------------------------------------------------------------------===//

static std::vector<DeviceId> listDevices(const Functions &call,
                                         Platform platform) {
  uint32_t count = 0;
  if (call.GetDeviceIDs(platform, anyDeviceType, 0, nullptr, &count))
    return {};
  std::vector<DeviceId> devices(count);
  if (call.GetDeviceIDs(platform, anyDeviceType, count, devices.data(),
                        nullptr))
    return {};
  return devices;
}

/// Sets `code` to the error, if any.
static std::vector<Platform> listPlatforms(const Functions &call,
                                           int32_t &code) {
  uint32_t count = 0;
  code = call.GetPlatformIDs(0, nullptr, &count);
  if (code)
    return {};
  std::vector<Platform> platforms(count);
  code = call.GetPlatformIDs(count, platforms.data(), nullptr);
  if (code)
    return {};
  return platforms;
}

/// Returns the functions of the OpenCL ICD loader, and sets its path. Returns
/// null if it is not installed, or if it is too old, which adds a reason to
/// `refused`.
static const Functions *loadFunctions(std::vector<std::string> &refused,
                                      std::string &path) {
  static constexpr const char *names[] = {"libOpenCL.so.1"};
  static constexpr EntryPoint points[] = {
#define X(name, result, parameters) {"cl" #name, offsetof(Functions, name)},
      TENSORC_OPENCL_FUNCTIONS(X)
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
  refused.push_back(path + " is older than OpenCL 2.1: it has no function " +
                    missing);
  return nullptr;
}

void tensorc::rt::addOpenclDevices(FoundDevices &found) {
  std::string path;
  const Functions *call = loadFunctions(found.refused, path);
  if (!call)
    return;
  int32_t code = 0;
  for (Platform platform : listPlatforms(*call, code)) {
    char name[256] = "";
    (void)call->GetPlatformInfo(platform, platformName, sizeof(name) - 1, name,
                                nullptr);
    for (DeviceId id : listDevices(*call, platform)) {
      auto library = std::make_shared<Opencl>(*call, id, name);
      std::string obstacle = library->device.findObstacle();
      if (obstacle.empty())
        addGpuDevices(passParts(library), "opencl", found);
      else
        found.refused.push_back(library->device.title() + " " + obstacle);
    }
  }
  explainNone(
      path, errorName(code),
      "install a driver for OpenCL, or name its folder by OCL_ICD_VENDORS",
      found);
}
