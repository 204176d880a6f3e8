//===- OpenclLayer.cpp - faults, and facts of a GPU, before a driver ------===//
//
// A layer of OpenCL's loader (OPENCL_LAYERS). TENSORC_LAYER_FAILING=NAME lets
// launches of that kernel end with an error, TENSORC_LAYER_GPU=1 calls devices
// GPUs. The loader's headers are not needed: a table of functions is an array.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/opencl/OpenclApi.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>

using namespace tensorc::rt::opencl;

// Places in the loader's table (_cl_icd_dispatch).
static constexpr uint32_t getDeviceInfo = 3, getKernelInfo = 39,
                          getEventInfo = 42, releaseEvent = 44,
                          enqueueNDRangeKernel = 59, numFunctions = 149;
static constexpr uint32_t kernelFunctionName = 0x1190, layerApiVersion = 0x4240,
                          apiVersion100 = 100;
static constexpr uint64_t gpuDeviceType = 1 << 2;
static constexpr int32_t outOfResources = -5;

static const void *const *target = nullptr;
static const void *table[numFunctions];

static std::mutex mutex;
static std::set<Event> failing;

template <typename Function> static Function next(uint32_t index) {
  return reinterpret_cast<Function>(const_cast<void *>(target[index]));
}

static bool isFailing(ClKernel kernel) {
  const char *name = std::getenv("TENSORC_LAYER_FAILING");
  char text[256] = {};
  using Get = int32_t (*)(ClKernel, uint32_t, size_t, void *, size_t *);
  return name &&
         !next<Get>(getKernelInfo)(kernel, kernelFunctionName, sizeof(text),
                                   text, nullptr) &&
         !std::strcmp(name, text);
}

static int32_t enqueue(CommandQueue queue, ClKernel kernel, uint32_t dims,
                       const size_t *offset, const size_t *global,
                       const size_t *local, uint32_t count, const Event *waits,
                       Event *event) {
  int32_t code = next<decltype(&enqueue)>(enqueueNDRangeKernel)(
      queue, kernel, dims, offset, global, local, count, waits, event);
  if (!code && event && isFailing(kernel)) {
    std::lock_guard lock(mutex);
    failing.insert(*event);
  }
  return code;
}

static int32_t describeEvent(Event event, uint32_t what, size_t size,
                             void *value, size_t *needed) {
  int32_t code = next<decltype(&describeEvent)>(getEventInfo)(event, what, size,
                                                              value, needed);
  std::lock_guard lock(mutex);
  if (what == eventStatus && failing.count(event) &&
      *static_cast<int32_t *>(value) == complete)
    *static_cast<int32_t *>(value) = outOfResources;
  return code;
}

static int32_t release(Event event) {
  {
    std::lock_guard lock(mutex);
    failing.erase(event);
  }
  return next<decltype(&release)>(releaseEvent)(event);
}

static int32_t describeDevice(DeviceId device, uint32_t what, size_t size,
                              void *value, size_t *needed) {
  int32_t code = next<decltype(&describeDevice)>(getDeviceInfo)(
      device, what, size, value, needed);
  if (what == deviceType && value && std::getenv("TENSORC_LAYER_GPU"))
    std::memcpy(value, &gpuDeviceType, sizeof(gpuDeviceType));
  return code;
}

extern "C" [[gnu::visibility("default")]] int32_t
clGetLayerInfo(uint32_t what, size_t size, void *value, size_t *needed) {
  constexpr int32_t invalidValue = -30;
  if (what != layerApiVersion)
    return invalidValue;
  if (value && size >= sizeof(apiVersion100))
    std::memcpy(value, &apiVersion100, sizeof(apiVersion100));
  if (needed)
    *needed = sizeof(apiVersion100);
  return 0;
}

extern "C" [[gnu::visibility("default")]] int32_t
clInitLayerWithProperties(uint32_t count, const void *const *functions,
                          uint32_t *outCount, const void *const **out,
                          const void *properties) {
  (void)properties;
  target = functions;
  std::copy_n(functions, std::min(count, numFunctions), table);
  table[getDeviceInfo] = reinterpret_cast<const void *>(describeDevice);
  table[getEventInfo] = reinterpret_cast<const void *>(describeEvent);
  table[releaseEvent] = reinterpret_cast<const void *>(release);
  table[enqueueNDRangeKernel] = reinterpret_cast<const void *>(enqueue);
  *outCount = numFunctions;
  *out = table;
  return 0;
}

extern "C" [[gnu::visibility("default")]] int32_t clDeinitLayer() { return 0; }
