//===- FakeCuda.cpp - a libcuda.so.1 without a GPU ------------------------===//
#include "EntryPoints.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tensorc::fakes;
using namespace tensorc::rt::gpu;

const Flavour tensorc::fakes::flavour = {"fake libcuda", "sm_90a", 48 << 10};

static thread_local std::vector<FakeDevice *> contexts;

FakeDevice *tensorc::fakes::currentDevice() {
  return contexts.empty() ? nullptr : contexts.back();
}

/// TENSORC_FAKE_POOLS=0: a GPU without cuMemAllocAsync.
static bool hasPools() {
  const char *value = std::getenv("TENSORC_FAKE_POOLS");
  return !value || *value != '0';
}

/// TENSORC_FAKE_CAPABILITY=103: as if it were sm_103.
static int capability() {
  const char *value = std::getenv("TENSORC_FAKE_CAPABILITY");
  return value && *value ? std::atoi(value) : 90;
}

/// TENSORC_FAKE_DRIVER=11080: as if it were a driver for CUDA 11.8.
static int driverVersion() {
  const char *value = std::getenv("TENSORC_FAKE_DRIVER");
  return value && *value ? std::atoi(value) : 13000;
}

/// TENSORC_FAKE_SHARED: bytes of shared memory that a block may ask for.
static int maxShared() {
  const char *value = std::getenv("TENSORC_FAKE_SHARED");
  return value && *value ? std::atoi(value) : 227 << 10;
}

/// Numbers of cuda.h.
int tensorc::fakes::attributeOf(int attribute) {
  switch (attribute) {
  case 1: // threads of a block
    return 1024;
  case 10: // threads of a warp
    return 32;
  case 16: // multiprocessors
    return 132;
  case 39: // threads of each
    return 2048;
  case 75: // the capability's two numbers
    return capability() / 10;
  case 76:
    return capability() % 10;
  case 97: // shared memory of a block, if asked for
    return maxShared();
  case 115:
    return hasPools();
  default:
    return 0;
  }
}

extern "C" {
FAKE_EXPORT Result cuDriverGetVersion(int *out) {
  *out = driverVersion();
  return success;
}

FAKE_EXPORT Result cuDevicePrimaryCtxRetain(void **out, Ordinal ordinal) {
  *out = devices()[static_cast<size_t>(ordinal)];
  return success;
}

FAKE_EXPORT Result cuCtxPushCurrent_v2(void *context) {
  contexts.push_back(static_cast<FakeDevice *>(context));
  return success;
}

FAKE_EXPORT Result cuCtxPopCurrent_v2(void **out) {
  if (contexts.empty())
    return invalidContext;
  *out = contexts.back();
  contexts.pop_back();
  return success;
}

extern "C" Result cuDeviceCanAccessPeer(int *, Ordinal, Ordinal);

FAKE_EXPORT Result cuCtxEnablePeerAccess(void *peer, unsigned) {
  constexpr Result unsupported = 217;
  int reachable = 0;
  (void)cuDeviceCanAccessPeer(&reachable, 0, 1);
  return peer == currentDevice() ? invalidValue
         : reachable             ? success
                                 : unsupported;
}

FAKE_EXPORT Result cuMemcpyPeerAsync(void *to, void *toContext,
                                     const void *from, void *fromContext,
                                     size_t size, Stream_t stream) {
  FakeDevice *device = currentDevice();
  if (!device)
    return invalidContext;
  if (device->sticky != success)
    return device->sticky;
  return copyBetween(*static_cast<FakeDevice *>(toContext), to,
                     *static_cast<FakeDevice *>(fromContext), from, size,
                     *reinterpret_cast<FakeStream *>(stream));
}

FAKE_EXPORT Result cuModuleLoadDataEx(Module_t *out, const void *image,
                                      unsigned count, int *options,
                                      void **values) {
  FakeDevice *device = currentDevice();
  if (!device)
    return invalidContext;
  if (device->sticky != success)
    return device->sticky;
  FakeModule *module = nullptr;
  std::string log;
  Result result = loadModule(static_cast<const char *>(image), module, log);
  *out = reinterpret_cast<Module_t>(module);
  constexpr int errorLog = 5, errorLogSize = 6;
  char *buffer = nullptr;
  size_t size = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == errorLog)
      buffer = static_cast<char *>(values[i]);
    if (options[i] == errorLogSize)
      size = reinterpret_cast<size_t>(values[i]);
  }
  if (buffer && size)
    std::snprintf(buffer, size, "%s", log.c_str());
  return result;
}

FAKE_EXPORT Result cuFuncGetAttribute(int *out, int attribute, Function_t) {
  constexpr int declaredShared = 1;
  if (attribute != declaredShared)
    return invalidValue;
  *out = static_cast<int>(staticShared());
  return success;
}

FAKE_EXPORT Result cuFuncSetAttribute(Function_t function, int attribute,
                                      int value) {
  constexpr int maxDynamicShared = 8;
  if (!currentDevice())
    return invalidContext;
  if (attribute != maxDynamicShared || value < 0 ||
      value + static_cast<int>(staticShared()) > maxShared())
    return invalidValue;
  auto &known = *reinterpret_cast<FakeFunction *>(function);
  known.allowedShared = static_cast<unsigned>(value);
  return success;
}

/// With the limits of the real one.
FAKE_EXPORT Result cuTensorMapEncodeTiled(void *out, int type, unsigned rank,
                                          void *buffer, const uint64_t *sizes,
                                          const uint64_t *strides,
                                          const uint32_t *box,
                                          const uint32_t *steps, int interleave,
                                          int swizzle, int, int) {
  constexpr uint16_t typeBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
  auto isAligned = [](auto value, uint64_t to) {
    return (uint64_t)value % to == 0;
  };
  if (type < 0 || type > 9 || rank < 1 || rank > 5 || interleave ||
      swizzle < 0 || swizzle > 3 || !isAligned(out, 128) || !buffer ||
      !isAligned(buffer, 16))
    return invalidValue;
  FakeTensorMap map;
  map.buffer = buffer;
  map.elementBytes = typeBytes[type];
  map.swizzle = static_cast<uint16_t>(swizzle ? 16 << swizzle : 0);
  map.rank = static_cast<uint16_t>(rank);
  uint32_t inner = box[0] * map.elementBytes;
  if (inner % 16 || (swizzle && inner > map.swizzle))
    return invalidValue;
  for (unsigned d = 0; d < rank; ++d) {
    if (!sizes[d] || sizes[d] > uint64_t(1) << 32 || !box[d] || box[d] > 256 ||
        steps[d] != 1)
      return invalidValue;
    map.sizes[d] = static_cast<uint32_t>(sizes[d]);
    map.box[d] = box[d];
    if (d + 1 == rank)
      continue;
    if (strides[d] % 16 || strides[d] >= uint64_t(1) << 40)
      return invalidValue;
    map.strides[d] = strides[d];
  }
  std::memcpy(out, &map, sizeof(map));
  return success;
}

FAKE_EXPORT Result cuGetErrorName(Result result, const char **out) {
  *out = result == illegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
         : result == launchFailed ? "CUDA_ERROR_LAUNCH_FAILED"
         : result == invalidImage ? "CUDA_ERROR_INVALID_IMAGE"
                                  : "CUDA_ERROR_FAKE";
  return success;
}

/// NVRTC asks a loaded driver for tables of its own, and takes it for granted
/// that the function exists; that a table does not is an answer.
FAKE_EXPORT Result cuGetExportTable(const void **out, const void *) {
  *out = nullptr;
  return notFound;
}

FAKE_EXPORT Result cuGetErrorString(Result result, const char **out) {
  *out = result == illegalAddress ? "an illegal memory access was encountered"
         : result == launchFailed ? "unspecified launch failure"
                                  : "a fake error";
  return success;
}
}
