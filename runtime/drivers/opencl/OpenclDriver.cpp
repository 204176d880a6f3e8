//===- OpenclDriver.cpp - devices of OpenCL, through libOpenCL.so.1 -------===//
//
// Needs shared virtual memory, because buffers are addresses, and SPIR-V.
// Devices without these are refused. runtime/drivers/gpu has the parts that do
// not depend on OpenCL.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/gpu/GpuDevice.h"
#include "runtime/drivers/opencl/OpenclQueue.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <vector>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::opencl;

namespace {
/// A kernel object stores its arguments, so a lock is held while they are set
/// and the kernel is launched.
struct LoadedKernel {
  ClKernel kernel = nullptr;
  std::mutex mutex;
};

/// A program, and the kernels that were looked up in it so far.
struct LoadedProgram {
  Program program = nullptr;
  std::deque<LoadedKernel> kernels;
};

/// One device, with a context of its own.
class OpenclDevice final : public Vendor {
public:
  OpenclDevice(const Functions &call, DeviceId id, std::string platform)
      : call(call), id(id), platform(std::move(platform)) {}
  /// Returns the reason why the device cannot be used; empty if it can.
  std::string findObstacle() const;
  /// Returns "NAME (PLATFORM)".
  std::string title() const {
    return getText(deviceName) + " (" + platform + ")";
  }

  std::vector<Ordinal> listDevices() const override { return {0}; }
  DeviceFacts describeDevice(Ordinal) const override;
  std::string target(Ordinal) const override;
  int32_t accepts(const std::string &own, const char *target) const override;
  Result open(Handle &device) override;
  Result enter(const Handle &, void *&) override { return success; }
  void leave(void *) override {}

  std::string describe(Result result) const override;
  bool endsAllWork(Result result) const override {
    return result == deviceNotAvailable;
  }
  LaunchSite culprit() override {
    std::lock_guard lock(mutex);
    return std::exchange(failed, {});
  }

  Result memoryInfo(const Handle &, size_t &free, size_t &total) override;
  Result allocate(const Handle &, void *&out, size_t bytes) override;
  Result free(void *data, MemoryKind kind) override;
  Result hostAllocate(const Handle &, void *&out, size_t bytes) override;
  Result openPool(const Handle &, Pool_t &out) override;
  Result trimPool(Pool_t) override { return success; }
  Result allocateAsync(void *&out, size_t bytes, Stream_t) override {
    return allocate({}, out, bytes);
  }
  Result freeAsync(void *data, Stream_t on) override;

  Result copyToDevice(void *target, const void *source, size_t size,
                      Stream_t on) override {
    return copyOnDevice(target, source, size, on);
  }
  Result copyToHost(void *target, const void *source, size_t size,
                    Stream_t on) override {
    return copyOnDevice(target, source, size, on);
  }
  Result copyOnDevice(void *target, const void *source, size_t size,
                      Stream_t on) override;
  Result fill(void *target, uint32_t word, uint32_t unit, size_t count,
              Stream_t on) override;
  /// Not called: each device has a Vendor object of its own, so there are no
  /// peers.
  Result copyPeer(const Handle &, void *, const Handle &, const void *, size_t,
                  Stream_t) override {
    return resultNotSupported;
  }
  void openPeer(const Handle &, const Handle &, Pool_t) override {}

  Result streamCreate(const Handle &, Stream_t &out) override;
  Result streamDestroy(Stream_t stream) override {
    delete &queueOf(stream);
    return success;
  }
  Result streamSynchronize(Stream_t stream) override;
  Result streamDrain(Stream_t stream) override {
    return queueOf(stream).drain();
  }
  Result streamQuery(Stream_t stream) override {
    return queueOf(stream).query();
  }
  Result streamWaitEvent(Stream_t stream, Event_t event) override;
  Result hostFunction(Stream_t stream, HostFunction function,
                      void *argument) override {
    return queueOf(stream).callHost(function, argument);
  }

  Result eventCreate(const Handle &, Event_t &out) override {
    out = reinterpret_cast<Event_t>(new EventOwner(call));
    return success;
  }
  Result eventRecord(Event_t event, Stream_t stream) override {
    return queueOf(stream).record(eventOf(event));
  }
  Result eventQuery(Event_t event) override { return eventOf(event).query(); }
  Result eventSynchronize(Event_t event) override {
    return eventOf(event).wait();
  }
  Result eventElapsed(float &milliseconds, Event_t start,
                      Event_t stop) override;

  Result load(const Handle &, const std::string &image, Module_t &out,
              std::string &log) override;
  Result unload(Module_t module) override;
  Result findKernel(Module_t module, const char *name, Function_t &out,
                    uint32_t &) override;
  Result allowShared(Function_t, uint32_t) override {
    return resultNotSupported;
  }
  Result launch(Function_t kernel, const Launch &launch, Stream_t on,
                const char *&part) override;

private:
  static constexpr Result deviceNotAvailable = -2;

  static Queue &queueOf(Stream_t stream) {
    return *reinterpret_cast<Queue *>(stream);
  }
  static EventOwner &eventOf(Event_t event) {
    return *reinterpret_cast<EventOwner *>(event);
  }
  template <typename T> T getNumber(uint32_t what) const {
    T value = 0;
    (void)call.GetDeviceInfo(id, what, sizeof(value), &value, nullptr);
    return value;
  }
  std::string getText(uint32_t what) const;
  bool hasExtension(const char *name) const;
  void forget(const void *data);

  const Functions &call;
  const DeviceId id;
  const std::string platform;
  Context context = nullptr; // null until the device is open
  uint64_t largest = 0, total = 0;

  std::mutex mutex;
  std::map<const void *, size_t> allocated;
  uint64_t used = 0; // bytes
  LaunchSite failed; // found by the last wait
};
} // namespace

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

std::string OpenclDevice::getText(uint32_t what) const {
  size_t size = 0;
  if (call.GetDeviceInfo(id, what, 0, nullptr, &size))
    return "";
  std::string text(size, '\0');
  if (call.GetDeviceInfo(id, what, size, text.data(), nullptr))
    return "";
  text.resize(std::strlen(text.c_str()));
  return text;
}

bool OpenclDevice::hasExtension(const char *name) const {
  std::string all = " " + getText(deviceExtensions) + " ";
  return all.find(" " + std::string(name) + " ") != std::string::npos;
}

std::string OpenclDevice::findObstacle() const {
  if (getText(ilVersion).find("SPIR-V") == std::string::npos)
    return "takes no SPIR-V (clCreateProgramWithIL), only its own binaries "
           "and OpenCL C";
  if (!(getNumber<uint64_t>(svmCapabilities) & svmCoarseGrainBuffer))
    return "has no shared virtual memory (clSVMAlloc)";
  if (getNumber<uint32_t>(addressBits) != 64)
    return "has addresses of other than 64 bits";
  if (!getNumber<uint32_t>(deviceAvailable))
    return "is not available, says its driver";
  return "";
}

/// Major and minor version are 3 and 0 if the version text is "OpenCL 3.0 ...".
DeviceFacts OpenclDevice::describeDevice(Ordinal) const {
  DeviceFacts facts;
  facts.name = title();
  facts.memory = getNumber<uint64_t>(globalMemSize);
  facts.multiprocessors =
      static_cast<int32_t>(getNumber<uint32_t>(maxComputeUnits));
  facts.maxBlock = static_cast<int32_t>(
      std::min<size_t>(getNumber<size_t>(maxWorkGroupSize), INT32_MAX));
  bool isCpu = getNumber<uint64_t>(deviceType) & cpuDeviceType;
  facts.driver = getText(driverVersion);
  facts.gpuVendor = isCpu ? 0 : getNumber<uint32_t>(vendorId);
  facts.threadsPerMultiprocessor = isCpu ? 1 : facts.maxBlock;
  facts.maxShared = static_cast<uint32_t>(
      std::min<uint64_t>(getNumber<uint64_t>(localMemSize), INT32_MAX));
  (void)std::sscanf(getText(deviceVersion).c_str(), "OpenCL %d.%d",
                    &facts.major, &facts.minor);
  facts.grid.maxOuterBlocks =
      facts.grid.maxBlocks; // OpenCL has no limit of its own.
  return facts;
}

/// Programs for "opencl" use f64 and atomics on 64-bit integers; programs for
/// "opencl:f32" use neither.
std::string OpenclDevice::target(Ordinal) const {
  bool isWide = hasExtension("cl_khr_fp64") &&
                hasExtension("cl_khr_int64_base_atomics") &&
                hasExtension("cl_khr_int64_extended_atomics");
  return getSpirvTarget("opencl", isWide);
}

int32_t OpenclDevice::accepts(const std::string &own,
                              const char *target) const {
  if (own == target)
    return 2;
  return !std::strcmp(target, "opencl:f32");
}

Result OpenclDevice::open(Handle &) {
  int32_t code = 0;
  context = call.CreateContext(nullptr, 1, &id, nullptr, nullptr, &code);
  largest = getNumber<uint64_t>(maxMemAllocSize);
  total = getNumber<uint64_t>(globalMemSize);
  return translate(code);
}

std::string OpenclDevice::describe(Result result) const {
  if (result == resultNotSupported)
    return "OpenCL cannot do this";
  const char *name = errorName(result);
  return name ? name : "OpenCL's error " + std::to_string(result);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// OpenCL reports only the total memory of a device, so memory of other
/// processes counts as free.
Result OpenclDevice::memoryInfo(const Handle &, size_t &free, size_t &all) {
  std::lock_guard lock(mutex);
  all = total;
  free = total - std::min(used, total);
  return success;
}

/// Alignment of allocations in bytes: a cache line, which no OpenCL type
/// exceeds.
static constexpr uint32_t alignment = 128;

Result OpenclDevice::allocate(const Handle &, void *&out, size_t bytes) {
  if (bytes > largest)
    return resultOutOfMemory;
  out = call.SVMAlloc(context, memReadWrite, bytes, alignment);
  if (!out)
    return resultOutOfMemory;
  std::lock_guard lock(mutex);
  allocated[out] = bytes;
  used += bytes;
  return success;
}

void OpenclDevice::forget(const void *data) {
  std::lock_guard lock(mutex);
  auto found = allocated.find(data);
  if (found == allocated.end())
    return;
  used -= found->second;
  allocated.erase(found);
}

Result OpenclDevice::free(void *data, MemoryKind kind) {
  if (kind == MemoryKind::Host)
    return std::free(data), success;
  forget(data);
  call.SVMFree(context, data);
  return success;
}

/// There is no pool. Any non-null handle makes memory be freed in the order of
/// a stream.
Result OpenclDevice::openPool(const Handle &, Pool_t &out) {
  out = reinterpret_cast<Pool_t>(this);
  return success;
}

Result OpenclDevice::freeAsync(void *data, Stream_t on) {
  forget(data);
  return queueOf(on).enqueue([&](CommandQueue queue) {
    return call.EnqueueSVMFree(queue, 1, &data, nullptr, nullptr, 0, nullptr,
                               nullptr);
  });
}

/// Pinned memory is not needed, so this allocates ordinary host memory.
Result OpenclDevice::hostAllocate(const Handle &, void *&out, size_t bytes) {
  constexpr size_t page = 4096;
  out = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  return out ? success : resultOutOfMemory;
}

Result OpenclDevice::copyOnDevice(void *target, const void *source, size_t size,
                                  Stream_t on) {
  return queueOf(on).enqueue([&](CommandQueue queue) {
    return call.EnqueueSVMMemcpy(queue, no, target, source, size, 0, nullptr,
                                 nullptr);
  });
}

Result OpenclDevice::fill(void *target, uint32_t word, uint32_t unit,
                          size_t count, Stream_t on) {
  return queueOf(on).enqueue([&](CommandQueue queue) {
    return call.EnqueueSVMMemFill(queue, target, &word, unit, unit * count, 0,
                                  nullptr, nullptr);
  });
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Result OpenclDevice::streamCreate(const Handle &, Stream_t &out) {
  const uint64_t properties[] = {queueProperties, profilingEnable, 0};
  int32_t code = 0;
  CommandQueue queue =
      call.CreateCommandQueueWithProperties(context, id, properties, &code);
  if (!code)
    out = reinterpret_cast<Stream_t>(new Queue(call, context, queue));
  return translate(code);
}

Result OpenclDevice::streamSynchronize(Stream_t stream) {
  LaunchSite launch;
  Result result = queueOf(stream).synchronize(launch);
  if (result != success) {
    std::lock_guard lock(mutex);
    failed = launch;
  }
  return result;
}

Result OpenclDevice::streamWaitEvent(Stream_t stream, Event_t event) {
  Event awaited = eventOf(event).get();
  if (!awaited)
    return success;
  return queueOf(stream).enqueue([&](CommandQueue queue) {
    return call.EnqueueBarrierWithWaitList(queue, 1, &awaited, nullptr);
  });
}

Result OpenclDevice::eventElapsed(float &milliseconds, Event_t start,
                                  Event_t stop) {
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
// Kernels
//===----------------------------------------------------------------------===//

/// The optimizer of Intel's runtime for CPUs (2026.2) is turned off: kernels
/// that count leading zeros, or select among offsets, get wrong numbers.
static const char *getBuildOptions(const std::string &platform, bool isCpu) {
  return isCpu && platform.starts_with("Intel") ? "-cl-opt-disable" : nullptr;
}

Result OpenclDevice::load(const Handle &, const std::string &image,
                          Module_t &out, std::string &log) {
  int32_t code = 0;
  Program program =
      call.CreateProgramWithIL(context, image.data(), image.size(), &code);
  if (code)
    return translate(code);
  bool isCpu = getNumber<uint64_t>(deviceType) & cpuDeviceType;
  code = call.BuildProgram(program, 1, &id, getBuildOptions(platform, isCpu),
                           nullptr, nullptr);
  if (!code) {
    auto loaded = std::make_unique<LoadedProgram>();
    loaded->program = program;
    out = reinterpret_cast<Module_t>(loaded.release());
    return success;
  }
  size_t size = 0;
  (void)call.GetProgramBuildInfo(program, id, programBuildLog, 0, nullptr,
                                 &size);
  log.assign(size, '\0');
  (void)call.GetProgramBuildInfo(program, id, programBuildLog, size, log.data(),
                                 nullptr);
  log.resize(std::strlen(log.c_str()));
  while (!log.empty() && std::isspace(static_cast<unsigned char>(log.back())))
    log.pop_back();
  (void)call.ReleaseProgram(program);
  return translate(code);
}

Result OpenclDevice::unload(Module_t module) {
  std::unique_ptr<LoadedProgram> program(
      reinterpret_cast<LoadedProgram *>(module));
  for (LoadedKernel &kernel : program->kernels)
    (void)call.ReleaseKernel(kernel.kernel);
  (void)call.ReleaseProgram(program->program);
  return success;
}

Result OpenclDevice::findKernel(Module_t module, const char *name,
                                Function_t &out, uint32_t &) {
  auto &program = *reinterpret_cast<LoadedProgram *>(module);
  int32_t code = 0;
  ClKernel kernel = call.CreateKernel(program.program, name, &code);
  if (code)
    return translate(code);
  LoadedKernel &made = program.kernels.emplace_back();
  made.kernel = kernel;
  out = reinterpret_cast<Function_t>(&made);
  return success;
}

/// Returns the allocations that a launch accesses. Empty buffers are left out:
/// their address is null or the end of an allocation, both of which OpenCL
/// refuses.
static std::vector<const void *>
findBuffers(const std::map<const void *, size_t> &allocated,
            const Launch &launch) {
  std::vector<const void *> result;
  for (uint32_t i = 0; i < launch.buffers; ++i) {
    auto *data = reinterpret_cast<const char *>(launch.args[i]);
    auto after = allocated.upper_bound(data);
    if (after == allocated.begin())
      continue;
    const auto &[start, bytes] = *std::prev(after);
    if (data < static_cast<const char *>(start) + bytes)
      result.push_back(start);
  }
  return result;
}

/// Sets each argument as a 64-bit word. Buffers are passed as addresses in such
/// words, so the driver must be told which allocations the kernel accesses.
Result OpenclDevice::launch(Function_t function, const Launch &launch,
                            Stream_t on, const char *&part) {
  const LaunchShape &shape = launch.shape;
  if (shape.sharedBytes) {
    part = "asking for dynamic shared memory";
    return resultNotSupported;
  }
  if (!launch.maps.empty()) {
    part = "encoding a tensor map";
    return resultNotSupported;
  }
  auto &kernel = *reinterpret_cast<LoadedKernel *>(function);
  std::lock_guard lock(kernel.mutex);
  for (uint32_t i = 0; i < launch.arity; ++i)
    if (int32_t code = call.SetKernelArg(kernel.kernel, i, sizeof(Word),
                                         &launch.args[i])) {
      part = "setting an argument of a kernel";
      return translate(code);
    }
  std::vector<const void *> buffers;
  {
    std::lock_guard allocations(mutex);
    buffers = findBuffers(allocated, launch);
  }
  if (!buffers.empty())
    if (int32_t code = call.SetKernelExecInfo(kernel.kernel, kernelSvmPointers,
                                              buffers.size() * sizeof(void *),
                                              buffers.data())) {
      part = "naming the buffers of a kernel";
      return translate(code);
    }
  const size_t local[] = {launch.block, shape.blockY, shape.blockZ};
  const size_t global[] = {local[0] * static_cast<size_t>(launch.extent),
                           local[1] * shape.gridY, local[2] * shape.gridZ};
  return queueOf(on).enqueueLaunch(
      launch.site(), [&](CommandQueue queue, Event *event) {
        return call.EnqueueNDRangeKernel(queue, kernel.kernel, 3, nullptr,
                                         global, local, 0, nullptr, event);
      });
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

static std::vector<Platform> listPlatforms(const Functions &call) {
  uint32_t count = 0;
  if (call.GetPlatformIDs(0, nullptr, &count))
    return {};
  std::vector<Platform> platforms(count);
  if (call.GetPlatformIDs(count, platforms.data(), nullptr))
    return {};
  return platforms;
}

/// Returns the functions of the OpenCL ICD loader. Returns null if it is not
/// installed, or if it is too old, which adds a reason to `refused`.
static const Functions *loadFunctions(std::vector<std::string> &refused) {
  static constexpr const char *names[] = {"libOpenCL.so.1"};
  static constexpr EntryPoint points[] = {
#define X(name, result, parameters) {"cl" #name, offsetof(Functions, name)},
      TENSORC_OPENCL_FUNCTIONS(X)
#undef X
  };
  void *library = openLibrary(names, std::size(names), &refused);
  if (!library)
    return nullptr;
  static Functions functions;
  const char *missing = findEntryPoints(library, points, &functions);
  if (!missing)
    return &functions;
  refused.push_back(getLibraryPath(library) +
                    " is older than OpenCL 2.1: it has no function " + missing);
  return nullptr;
}

void tensorc::rt::addOpenclDevices(FoundDevices &found) {
  const Functions *call = loadFunctions(found.refused);
  if (!call)
    return;
  for (Platform platform : listPlatforms(*call)) {
    char name[256] = "";
    (void)call->GetPlatformInfo(platform, platformName, sizeof(name) - 1, name,
                                nullptr);
    for (DeviceId id : listDevices(*call, platform)) {
      auto device = std::make_unique<OpenclDevice>(*call, id, name);
      std::string obstacle = device->findObstacle();
      if (obstacle.empty())
        addGpuDevices(std::move(device), "opencl", found);
      else
        found.refused.push_back(device->title() + " " + obstacle);
    }
  }
}
