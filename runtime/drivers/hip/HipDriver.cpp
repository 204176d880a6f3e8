//===- HipDriver.cpp - AMD's GPUs, by libamdhip64.so ----------------------===//
//
// Only HIP's specific parts; runtime/drivers/gpu has the rest. ROCm is not
// needed to build this.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/gpu/GpuDevice.h"
#include "runtime/drivers/gpu/cudalike/CudaLike.h"

#include <cstring>
#include <dlfcn.h>
#include <iterator>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

// Numbers of device attributes, from hip_runtime_api.h. They have been the same
// since ROCm 6.0.
static constexpr Attributes numbers = {.maxBlock = 56,
                                       .subgroup = 87,
                                       .multiprocessors = 63,
                                       .threadsPerMultiprocessor = 57,
                                       .major = 23,
                                       .minor = 61,
                                       .memoryPools = 88,
                                       .sharedPerBlock = 74};
/// Size of a buffer that holds a hipDeviceProp_tR0600, with room to spare, and
/// the offset of its member gcnArchName.
static constexpr size_t propertiesSize = 4096, archOffset = 1160;
static constexpr size_t archSize = 256;

// hipSOLVER has cuSOLVER's functions, on top of rocSOLVER. The numbers are from
// hipblas-common.h and hipsolver-types.h, the files belong to ROCm 6 and 7.
// Earlier versions of hipBLAS have a different trmm under the same name, so
// files without a version number are not loaded.
static constexpr MathLibraries math = {
    .solverFiles = {"libhipsolver.so.1", "libhipsolver.so.0"},
    .blasFiles = {"libhipblas.so.3", "libhipblas.so.2"},
    .solver = "hipsolverDn",
    .blas = "hipblas",
    .newer = "",
    .numbers = {.none = 111,
                .transpose = 112,
                .adjoint = 113,
                .lower = 122,
                .upper = 121,
                .left = 141,
                .right = 142,
                .nonUnit = 131,
                .unit = 132,
                .vectors = 202}};

// hipFFT has cuFFT's functions, on top of rocFFT.
static constexpr TransformNames transformNames = {
    .files = {"libhipfft.so.0", "libhipfft.so"}, .prefix = "hipfft"};

/// Entry points whose interface is different in CUDA.
#define TENSORC_HIP_ENTRY_POINTS(X)                                            \
  X(getDevice, hipGetDevice, Result, (int *))                                  \
  X(setDevice, hipSetDevice, Result, (int))                                    \
  X(properties, hipGetDevicePropertiesR0600, Result, (void *, int))            \
  X(enablePeer, hipDeviceEnablePeerAccess, Result, (int, unsigned))            \
  X(copyPeer, hipMemcpyPeerAsync, Result,                                      \
    (void *, int, const void *, int, size_t, Stream_t))                        \
  X(moduleLoad, hipModuleLoadData, Result, (Module_t *, const void *))         \
  X(errorName, hipGetErrorName, const char *, (Result))                        \
  X(errorText, hipGetErrorString, const char *, (Result))

namespace {
struct HipEntryPoints {
#define X(member, name, type, parameters) type(*member) parameters = nullptr;
  TENSORC_HIP_ENTRY_POINTS(X)
#undef X
};

class Hip final : public CudaLike {
public:
  Hip() : CudaLike(numbers) {}
  static std::unique_ptr<Hip> load();

  Result open(Handle &) override { return success; }
  Result enter(const Handle &device, void *&former) override {
    int number = -1;
    if (own.getDevice(&number) != success)
      number = -1;
    former = reinterpret_cast<void *>(static_cast<intptr_t>(number));
    return number == device.ordinal ? success : own.setDevice(device.ordinal);
  }
  void leave(void *former) override {
    auto number = static_cast<int>(reinterpret_cast<intptr_t>(former));
    int current = -1;
    if (number >= 0 && own.getDevice(&current) == success && current != number)
      (void)own.setDevice(number);
  }
  Result load(const Handle &, const std::string &image, Module_t &out,
              std::string &) override {
    return own.moduleLoad(&out, image.c_str());
  }
  Result copyPeer(const Handle &to, void *target, const Handle &from,
                  const void *source, size_t size, Stream_t on) override {
    return own.copyPeer(target, to.ordinal, source, from.ordinal, size, on);
  }
  Result enablePeer(const Handle &peer) override {
    return own.enablePeer(peer.ordinal, 0);
  }
  /// Does nothing: all shared memory is available by default, and
  /// hipFuncSetAttribute applies only to kernels that the host compiler built.
  Result allowShared(Function_t, uint32_t) override { return success; }
  Result encodeMap(const TensorMap &, void *, void *) override {
    return resultNotSupported;
  }
  const MathLibraries *mathLibraries() const override { return &math; }
  const TransformNames *transformLibrary() const override {
    return &transformNames;
  }
  std::string describe(Result result) const override {
    const char *name = own.errorName(result), *text = own.errorText(result);
    return std::string(text ? text : "unknown error") + " (" +
           (name ? name : std::to_string(result)) + ")";
  }
  std::string target(Ordinal device) const override;
  int32_t accepts(const std::string &own, const char *target) const override {
    return own == target;
  }

private:
  HipEntryPoints own;
};
} // namespace

std::unique_ptr<Hip> Hip::load() {
  static constexpr const char *names[] = {"libamdhip64.so", "libamdhip64.so.7",
                                          "libamdhip64.so.6"};
  void *library = openLibrary(names, std::size(names));
  if (!library)
    return nullptr;
  static constexpr EntryPoint shared[] = {
#define X(member, cuda, hip, parameters) {#hip, offsetof(EntryPoints, member)},
      TENSORC_GPU_ENTRY_POINTS(X)
#undef X
  };
  static constexpr EntryPoint own[] = {
#define X(member, name, type, parameters)                                      \
  {#name, offsetof(HipEntryPoints, member)},
      TENSORC_HIP_ENTRY_POINTS(X)
#undef X
  };
  auto hip = std::make_unique<Hip>();
  bool found = findEntryPoints(library, shared, &hip->call) &&
               findEntryPoints(library, own, &hip->own);
  return found && hip->call.init(0) == success ? std::move(hip) : nullptr;
}

/// Returns the target of the GPU. A name such as "gfx942:sramecc+:xnack-" also
/// lists features, which the generated code does not need.
std::string Hip::target(Ordinal device) const {
  alignas(16) char properties[propertiesSize] = {};
  (void)own.properties(properties, device);
  const char *arch = properties + archOffset;
  return "rocm:" + std::string(arch, strnlen(arch, archSize))
                       .substr(0, std::strcspn(arch, ":"));
}

void tensorc::rt::addHipDevices(FoundDevices &found) {
  std::unique_ptr<Vendor> vendor = Hip::load();
  if (vendor)
    addGpuDevices(std::move(vendor), "rocm", found.devices);
}
