//===- CudaDriver.cpp - NVIDIA's GPUs, through libcuda.so.1 ---------------===//
//
// The parts that are specific to CUDA; runtime/drivers/gpu has the rest.
// libcuda.so.1 is part of NVIDIA's driver, so no CUDA toolkit is needed to
// build or to run this.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/PtxChips.h"
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/gpu/GpuDevice.h"
#include "runtime/drivers/gpu/cudalike/CudaLike.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iterator>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

// Numbers of device attributes, from cuda.h.
static constexpr Attributes numbers = {.maxBlock = 1,
                                       .subgroup = 10,
                                       .multiprocessors = 16,
                                       .threadsPerMultiprocessor = 39,
                                       .major = 75,
                                       .minor = 76,
                                       .memoryPools = 115,
                                       .sharedPerBlock = 97}; // with opt-in
// Attributes of functions
static constexpr int declaredShared = 1, maxDynamicShared = 8;
static constexpr Result unsupportedPtx = 222;
static constexpr int jitErrorLog = 5, jitErrorLogSize = 6;

// Libraries of CUDA 12 and 13; the numbers are from cublas_api.h and
// cusolver_common.h.
static constexpr MathLibraries math = {
    .solverFiles = {"libcusolver.so.12", "libcusolver.so.11"},
    .blasFiles = {"libcublas.so.13", "libcublas.so.12"},
    .solver = "cusolverDn",
    .blas = "cublas",
    .newer = "_v2",
    .numbers = {.none = 0,
                .transpose = 1,
                .adjoint = 2,
                .lower = 0,
                .upper = 1,
                .left = 0,
                .right = 1,
                .nonUnit = 0,
                .unit = 1,
                .vectors = 1}};

// The files belong to CUDA 13 and 12.
static constexpr TransformNames transformNames = {
    .files = {"libcufft.so.12", "libcufft.so.11"}, .prefix = "cufft"};

static constexpr const char *collectiveFiles[] = {"libnccl.so.2"};

/// Entry points whose interface is different in HIP.
#define TENSORC_CUDA_ENTRY_POINTS(X)                                           \
  X(retainContext, cuDevicePrimaryCtxRetain, (void **, Ordinal))               \
  X(pushContext, cuCtxPushCurrent_v2, (void *))                                \
  X(popContext, cuCtxPopCurrent_v2, (void **))                                 \
  X(enablePeer, cuCtxEnablePeerAccess, (void *, unsigned))                     \
  X(copyPeer, cuMemcpyPeerAsync,                                               \
    (void *, void *, const void *, void *, size_t, Stream_t))                  \
  X(moduleLoad, cuModuleLoadDataEx,                                            \
    (Module_t *, const void *, unsigned, int *, void **))                      \
  X(functionAttribute, cuFuncGetAttribute, (int *, int, Function_t))           \
  X(setFunctionAttribute, cuFuncSetAttribute, (Function_t, int, int))          \
  X(errorName, cuGetErrorName, (Result, const char **))                        \
  X(errorText, cuGetErrorString, (Result, const char **))

static std::string describeVersion(int version) {
  return "CUDA " + std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

namespace {
struct CudaEntryPoints {
#define X(member, name, parameters) Result(*member) parameters = nullptr;
  TENSORC_CUDA_ENTRY_POINTS(X)
#undef X
};

/// The type of cuTensorMapEncodeTiled.
using EncodeTiled = Result(void *out, int type, unsigned rank, void *buffer,
                           const uint64_t *sizes, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int promotion,
                           int fill);

/// The functions of libcuda.
struct CudaFunctions {
  EntryPoints shared;
  CudaEntryPoints own;
  int version = 0; // CUDA version that the driver supports; 12020 is 12.2
  /// This entry point exists since CUDA 12. All GPUs for which it is used
  /// require CUDA 12.
  EncodeTiled *encodeTiled = nullptr;
};

class CudaDevices final : public CudaLikeDevices {
public:
  explicit CudaDevices(const CudaFunctions &call)
      : CudaLikeDevices(call.shared, numbers), call(call) {}

  DeviceFacts describe(Ordinal device) const override;
  std::string target(Ordinal device) const override {
    return chooseTarget(device).name;
  }
  int32_t accepts(const std::string &own, const char *target) const override;
  Result open(Handle &device) override {
    return call.own.retainContext(&device.context, device.ordinal);
  }
  Result enter(const Handle &device, void *&) override {
    return call.own.pushContext(device.context);
  }
  void leave(void *) override {
    void *context = nullptr;
    (void)call.own.popContext(&context);
  }
  std::string describeError(Result result) const override;

private:
  /// A target, and the reason why it is not the best one for the GPU.
  struct ChosenTarget {
    std::string name, why;
  };
  ChosenTarget chooseTarget(Ordinal device) const;
  const PtxChip *findPortableChip(int capability) const;

  const CudaFunctions &call;
};

class CudaPeers final : public CudaLikePeers {
public:
  explicit CudaPeers(const CudaFunctions &call)
      : CudaLikePeers(call.shared), call(call.own) {}

  Result copy(const Handle &to, void *target, const Handle &from,
              const void *source, size_t size, Stream_t on) override {
    return call.copyPeer(target, to.context, source, from.context, size, on);
  }
  Result enable(const Handle &peer) override {
    return call.enablePeer(peer.context, 0);
  }

private:
  const CudaEntryPoints &call;
};

class CudaKernels final : public CudaLikeKernels {
public:
  explicit CudaKernels(const CudaFunctions &call)
      : CudaLikeKernels(call.shared), call(call) {}

  Result load(const Handle &, const std::string &image, Module_t &out,
              std::string &log) override;
  Result find(Module_t module, const char *name, Function_t &out,
              uint32_t &sharedBytes) override {
    Result result = CudaLikeKernels::find(module, name, out, sharedBytes);
    int bytes = 0;
    if (result == success &&
        call.own.functionAttribute(&bytes, declaredShared, out) == success)
      sharedBytes = static_cast<uint32_t>(bytes);
    return result;
  }
  Result allowShared(Function_t kernel, uint32_t bytes) override {
    return call.own.setFunctionAttribute(kernel, maxDynamicShared,
                                         static_cast<int>(bytes));
  }
  Result encodeMap(const TensorMap &map, void *buffer, void *out) override;

private:
  const CudaFunctions &call;
};

struct Cuda {
  std::string title; // path and version of the library
  CudaFunctions call;
  CudaDevices devices{call};
  CudaPeers peers{call};
  CudaKernels kernels{call};
  CudaLikeParts parts{call.shared, numbers};
};
} // namespace

/// Returns null if the library is not installed or cannot be used, which adds a
/// reason to `refused`.
static std::shared_ptr<Cuda> loadCuda(std::vector<std::string> &refused) {
  static constexpr const char *names[] = {"libcuda.so.1"};
  void *library = openLibrary(names, std::size(names), &refused);
  if (!library)
    return nullptr;
  static constexpr EntryPoint shared[] = {
#define X(member, cuda, hip, parameters) {#cuda, offsetof(EntryPoints, member)},
      TENSORC_GPU_ENTRY_POINTS(X)
#undef X
  };
  static constexpr EntryPoint own[] = {
#define X(member, name, parameters) {#name, offsetof(CudaEntryPoints, member)},
      TENSORC_CUDA_ENTRY_POINTS(X)
#undef X
  };
  auto cuda = std::make_shared<Cuda>();
  CudaFunctions &call = cuda->call;
  call.version = askVersion(library, "cuDriverGetVersion");
  const std::string &title = cuda->title =
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
        title + " does not initialize: " + cuda->devices.describeError(result));
    return nullptr;
  }
  call.encodeTiled =
      reinterpret_cast<EncodeTiled *>(dlsym(library, "cuTensorMapEncodeTiled"));
  return cuda;
}

/// Returns the version that PTX text declares: "8.0".
static std::string getPtxVersion(std::string_view text) {
  constexpr std::string_view mark = ".version ";
  size_t at = text.find(mark);
  if (at == text.npos)
    return "of unknown version";
  text.remove_prefix(at + mark.size());
  return std::string(text.substr(0, text.find_first_of(" \t\r\n")));
}

/// The driver assembles PTX for the GPU; its error messages are those of ptxas.
Result CudaKernels::load(const Handle &, const std::string &image,
                         Module_t &out, std::string &log) {
  log.assign(4096, '\0');
  int options[] = {jitErrorLog, jitErrorLogSize};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  Result result = call.own.moduleLoad(&out, image.c_str(), std::size(options),
                                      options, values);
  log.resize(std::strlen(log.c_str()));
  while (!log.empty() && std::isspace(static_cast<unsigned char>(log.back())))
    log.pop_back();
  if (result == unsupportedPtx)
    log = "the code is PTX " + getPtxVersion(image) +
          ", which is newer than the driver, for " +
          describeVersion(call.version);
  return result;
}

/// Encodes a tensor map. For a window without elements the encoding is zeros,
/// because no kernel reads it.
Result CudaKernels::encodeMap(const TensorMap &map, void *buffer, void *out) {
  if (!call.encodeTiled)
    return resultNotSupported;
  std::memset(out, 0, tensorMapBytes);
  uint64_t sizes[TensorMap::maxRank], strides[TensorMap::maxRank];
  uint32_t steps[TensorMap::maxRank];
  for (uint32_t d = 0; d < map.rank; ++d) {
    if (!map.sizes[d])
      return success;
    sizes[d] = static_cast<uint64_t>(map.sizes[d]);
    strides[d] = d + 1 < map.rank ? static_cast<uint64_t>(map.strides[d]) : 0;
    steps[d] = 1;
  }
  // Any type of this size, because maps only copy.
  int type = map.elementBytes == 1   ? 0
             : map.elementBytes == 2 ? 1
             : map.elementBytes == 4 ? 2
                                     : 4;
  int swizzle = map.swizzle == 128 ? 3 : static_cast<int>(map.swizzle / 32);
  constexpr int noInterleave = 0, promoteTo128 = 2, fillZeros = 0;
  return call.encodeTiled(out, type, map.rank, buffer, sizes, strides, map.box,
                          steps, noInterleave, swizzle, promoteTo128,
                          fillZeros);
}

std::string CudaDevices::describeError(Result result) const {
  const char *name = nullptr, *text = nullptr;
  (void)call.own.errorName(result, &name);
  (void)call.own.errorText(result, &text);
  return std::string(text ? text : "unknown error") + " (" +
         (name ? name : std::to_string(result)) + ")";
}

/// Returns the compute capability in a name such as "cuda:sm_90", or 0 if the
/// name has a suffix.
static int getPlainCapability(std::string_view name) {
  std::string_view digits = name.substr(ptxPrefix.size());
  int number = 0;
  auto [end, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return code == std::errc() && end == digits.data() + digits.size() ? number
                                                                     : 0;
}

/// Returns the newest chip in the table, up to this capability, whose code this
/// driver can assemble and all later GPUs can run; null if there is none.
const PtxChip *CudaDevices::findPortableChip(int capability) const {
  const PtxChip *best = nullptr;
  for (const PtxChip &chip : ptxChips)
    if (int number = getPlainCapability(chip.name);
        number && number <= capability && chip.driver <= call.version &&
        (!best || number > getPlainCapability(best->name)))
      best = &chip;
  return best;
}

/// Reads TENSORC_CUDA_TARGET, and reports once if it names no chip of the
/// table.
static const PtxChip *readTarget() {
  const char *value = secure_getenv("TENSORC_CUDA_TARGET");
  if (!value || !*value)
    return nullptr;
  for (const PtxChip &chip : ptxChips)
    if (chip.name == value && getPlainCapability(chip.name))
      return &chip;
  std::fprintf(stderr,
               "tensorc: TENSORC_CUDA_TARGET=%s is ignored: it is not a target "
               "such as cuda:sm_80\n",
               value);
  return nullptr;
}

/// A target with the suffix "a" enables instructions that only this capability
/// has, such as wgmma. If the driver is too old for a chip's PTX, code for an
/// older chip is used.
CudaDevices::ChosenTarget CudaDevices::chooseTarget(Ordinal device) const {
  int capability = ask(numbers.major, device) * 10 + ask(numbers.minor, device);
  std::string own = std::string(ptxPrefix) + std::to_string(capability) +
                    (capability >= 90 ? "a" : "");
  static const PtxChip *const wanted = readTarget();
  if (wanted && getPlainCapability(wanted->name) <= capability)
    return {std::string(wanted->name), ""};
  std::string ignored;
  if (wanted)
    ignored = "TENSORC_CUDA_TARGET=" + std::string(wanted->name) +
              " is ignored: the GPU is " + own;
  const PtxChip *known = findPtxChip(own);
  if (!known || !call.version || known->driver <= call.version)
    return {own, ignored};
  const PtxChip *older = findPortableChip(capability);
  std::string which = older ? std::string(older->name) : "";
  return {which,
          ignored + (wanted ? "; " : "") + "the driver, for " +
              describeVersion(call.version) + ", assembles no code for " + own +
              ": " + (older ? which + " is used" : "no device is listed") +
              "; a driver for " + describeVersion(known->driver) + " does"};
}

DeviceFacts CudaDevices::describe(Ordinal device) const {
  DeviceFacts facts = CudaLikeDevices::describe(device);
  std::string why = chooseTarget(device).why;
  if (!why.empty())
    facts.note = facts.name + ": " + why;
  return facts;
}

/// Rates a target: PTX for an earlier compute capability also runs, and the
/// nearest capability is preferred. PTX for a capability with an "a" runs only
/// on that one.
int32_t CudaDevices::accepts(const std::string &own, const char *target) const {
  if (own == target)
    return 10000;
  if (!std::string_view(target).starts_with(ptxPrefix))
    return 0;
  int wanted = getPlainCapability(target);
  int have = std::atoi(own.c_str() + ptxPrefix.size());
  return wanted > 0 && wanted <= have ? wanted : 0;
}

void tensorc::rt::addCudaDevices(FoundDevices &found) {
  std::shared_ptr<Cuda> cuda = loadCuda(found.refused);
  if (!cuda)
    return;
  CudaLikeParts &parts = cuda->parts;
  addGpuDevices({.owner = cuda,
                 .devices = cuda->devices,
                 .memory = parts.memory,
                 .copies = parts.copies,
                 .streams = parts.streams,
                 .events = parts.events,
                 .kernels = cuda->kernels,
                 .peers = &cuda->peers,
                 .graphs = &parts.graphs,
                 .optional = {&math, &transformNames, collectiveFiles}},
                "cuda", found);
  explainNone(cuda->title, nullptr, "the driver sees no GPU", found);
}
