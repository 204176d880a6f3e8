//===- HipDriver.cpp - AMD's GPUs, through libamdhip64.so -----------------===//
//
// The parts that are specific to HIP; runtime/drivers/gpu has the rest. ROCm is
// not needed to build this.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/TileTargets.h"
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/gpu/GpuDevice.h"
#include "runtime/drivers/gpu/cudalike/CudaLike.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

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
/// Size of a buffer that holds a hipDeviceProp_tR0600, with room to spare.
static constexpr size_t propertiesSize = 4096;

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

static constexpr const char *collectiveFiles[] = {"librccl.so.1", "librccl.so"};

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

static std::string describeVersion(int version) {
  return "ROCm " + std::to_string(version / 10000000) + "." +
         std::to_string(version / 100000 % 100);
}

namespace {
struct HipEntryPoints {
#define X(member, name, type, parameters) type(*member) parameters = nullptr;
  TENSORC_HIP_ENTRY_POINTS(X)
#undef X
};

/// The functions of libamdhip64.
struct HipFunctions {
  EntryPoints shared;
  HipEntryPoints own;
  int version = 0; // of ROCm: 60240092 is 6.2
};

class HipDevices final : public CudaLikeDevices {
public:
  explicit HipDevices(const HipFunctions &call)
      : CudaLikeDevices(call.shared, numbers), call(call) {}

  DeviceFacts describe(Ordinal device) const override;
  std::string target(Ordinal device) const override;
  /// Code runs only on its own chip, where code with matrix instructions is
  /// preferred.
  int32_t accepts(const std::string &own, const char *target) const override {
    return own == target ? 2 : targetWithoutTiles(own) == target ? 1 : 0;
  }
  Result open(Handle &) override { return success; }
  Result enter(const Handle &device, void *&former) override {
    int number = -1;
    if (call.own.getDevice(&number) != success)
      number = -1;
    former = reinterpret_cast<void *>(static_cast<intptr_t>(number));
    return number == device.ordinal ? success
                                    : call.own.setDevice(device.ordinal);
  }
  void leave(void *former) override {
    auto number = static_cast<int>(reinterpret_cast<intptr_t>(former));
    int current = -1;
    if (number >= 0 && call.own.getDevice(&current) == success &&
        current != number)
      (void)call.own.setDevice(number);
  }
  std::string describeError(Result result) const override {
    const char *name = call.own.errorName(result);
    const char *text = call.own.errorText(result);
    return std::string(text ? text : "unknown error") + " (" +
           (name ? name : std::to_string(result)) + ")";
  }

private:
  std::string getOwnTarget(Ordinal device) const;
  std::string getArchitecturePrefix(Ordinal device) const;
  std::string findArchitecture(Ordinal device) const;

  const HipFunctions &call;
};

class HipPeers final : public CudaLikePeers {
public:
  explicit HipPeers(const HipFunctions &call)
      : CudaLikePeers(call.shared), call(call.own) {}

  Result copy(const Handle &to, void *target, const Handle &from,
              const void *source, size_t size, Stream_t on) override {
    return call.copyPeer(target, to.ordinal, source, from.ordinal, size, on);
  }
  Result enable(const Handle &peer) override {
    return call.enablePeer(peer.ordinal, 0);
  }

private:
  const HipEntryPoints &call;
};

class HipKernels final : public CudaLikeKernels {
public:
  explicit HipKernels(const HipFunctions &call)
      : CudaLikeKernels(call.shared), call(call.own) {}

  Result load(const Handle &, const std::string &image, Module_t &out,
              std::string &) override {
    return call.moduleLoad(&out, image.c_str());
  }
  /// Does nothing: all shared memory is available by default, and
  /// hipFuncSetAttribute applies only to kernels that the host compiler built.
  Result allowShared(Function_t, uint32_t) override { return success; }
  Result encodeMap(const TensorMap &, void *, void *) override {
    return resultNotSupported;
  }

private:
  const HipEntryPoints &call;
};

struct Hip {
  std::string title; // path and version of the library
  HipFunctions call;
  HipDevices devices{call};
  HipPeers peers{call};
  HipKernels kernels{call};
  CudaLikeParts parts{call.shared, numbers};
};
} // namespace

/// Returns null if the library is not installed or cannot be used, which adds a
/// reason to `refused`.
static std::shared_ptr<Hip> loadHip(std::vector<std::string> &refused) {
  static constexpr const char *names[] = {"libamdhip64.so", "libamdhip64.so.7",
                                          "libamdhip64.so.6"};
  void *library = openLibrary(names, std::size(names), &refused);
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
  auto hip = std::make_shared<Hip>();
  HipFunctions &call = hip->call;
  call.version = askVersion(library, "hipRuntimeGetVersion");
  const std::string &title = hip->title =
      getLibraryPath(library) + " (" + describeVersion(call.version) + ")";
  const char *missing = findEntryPoints(library, shared, &call.shared);
  if (!missing)
    missing = findEntryPoints(library, own, &call.own);
  if (missing) {
    refused.push_back(title + " has no function " + missing);
    return nullptr;
  }
  if (Result result = call.shared.init(0); result != success) {
    refused.push_back(
        title + " does not initialize: " + hip->devices.describeError(result));
    return nullptr;
  }
  return hip;
}

/// HIP has no call that returns an architecture, and the offset of gcnArchName
/// in the properties is not the same in all releases. So this function searches
/// the properties for "gfx" and the version in the device's attributes: "gfx94"
/// for 9.4. A name such as "gfx942:sramecc+:xnack-" also lists features, which
/// the generated code does not need.
std::string HipDevices::findArchitecture(Ordinal device) const {
  alignas(16) char properties[propertiesSize] = {};
  if (call.own.properties(properties, device) != success)
    return "";
  std::string_view text(properties, sizeof(properties));
  std::string start = getArchitecturePrefix(device);
  size_t at = text.find(start);
  if (at == text.npos)
    return "";
  text.remove_prefix(at);
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr size_t letters = std::char_traits<char>::length("gfx");
  return std::string(text.substr(
      0, std::min(text.size(), text.find_first_not_of(digits, letters))));
}

std::string HipDevices::getArchitecturePrefix(Ordinal device) const {
  return "gfx" + std::to_string(ask(numbers.major, device)) +
         std::to_string(ask(numbers.minor, device));
}

std::string HipDevices::getOwnTarget(Ordinal device) const {
  std::string architecture = findArchitecture(device);
  return architecture.empty() ? "" : "rocm:" + architecture;
}

/// The requested target, if it is code without matrix instructions for this
/// device.
static std::string getRequested(const std::string &own) {
  const char *value = secure_getenv("TENSORC_ROCM_TARGET");
  return value && value == targetWithoutTiles(own) ? value : "";
}

std::string HipDevices::target(Ordinal device) const {
  std::string own = getOwnTarget(device), requested = getRequested(own);
  return requested.empty() ? own : requested;
}

DeviceFacts HipDevices::describe(Ordinal device) const {
  DeviceFacts facts = CudaLikeDevices::describe(device);
  facts.grid.maxThreads = UINT32_MAX;
  std::string own = getOwnTarget(device);
  const char *value = secure_getenv("TENSORC_ROCM_TARGET");
  if (own.empty())
    facts.note = facts.name + ": its properties name no architecture " +
                 getArchitecturePrefix(device) + "...; the library is of " +
                 describeVersion(call.version);
  else if (value && *value && getRequested(own).empty())
    facts.note = facts.name + ": TENSORC_ROCM_TARGET=" + value +
                 " is ignored: it is not " + targetWithoutTiles(own);
  return facts;
}

void tensorc::rt::addHipDevices(FoundDevices &found) {
  std::shared_ptr<Hip> hip = loadHip(found.refused);
  if (!hip)
    return;
  CudaLikeParts &parts = hip->parts;
  addGpuDevices({.owner = hip,
                 .devices = hip->devices,
                 .memory = parts.memory,
                 .copies = parts.copies,
                 .streams = parts.streams,
                 .events = parts.events,
                 .kernels = hip->kernels,
                 .peers = &hip->peers,
                 .graphs = &parts.graphs,
                 .optional = {&math, &transformNames, collectiveFiles}},
                "rocm", found);
  explainNone(hip->title, nullptr, "the driver sees no GPU", found);
}
