//===- VendorApi.h - the interfaces to a GPU vendor's library ---*- C++ -*-===//
//
// A driver implements one class for each group of functions, and passes them to
// GpuDevice and GpuStream as a VendorLibrary. cudalike/CudaLike.h has the
// classes for libraries with CUDA's functions; other libraries have their own.
//
// A function that takes a device is called while that device is current on the
// calling thread, unless its comment says otherwise. Streams, events and memory
// belong to one device.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_VENDORAPI_H
#define TENSORC_RUNTIME_DRIVERS_GPU_VENDORAPI_H

#include "runtime/core/Driver.h"
#include "runtime/drivers/gpu/GpuApi.h"
#include "runtime/drivers/gpu/math/MathApi.h"
#include "runtime/drivers/gpu/math/TransformApi.h"

#include <memory>
#include <string>

namespace tensorc::rt::gpu {

/// The library's identification of a device: its number, and its context if the
/// library has contexts.
struct Handle {
  Ordinal ordinal = 0;
  void *context = nullptr;
};

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// Limits on a launch.
struct GridLimits {
  int64_t maxBlocks = 0x7fffffff; // limit along the first dim
  int64_t maxOuterBlocks = 65535; // limits along the second and the third dim
  int64_t maxThreads = INT64_MAX; // along each dim
  int32_t maxBlock = 0;           // threads of a block
  uint32_t maxShared = 0;         // shared memory of a block, in bytes
};

/// Properties of a device, queried once.
struct DeviceFacts {
  std::string name;
  std::string driver; // version of the driver, if the library reports it
  // See DeviceAlias; 0 if the vendor is unknown or it is not a GPU.
  uint32_t gpuVendor = 0;
  uint64_t memory = 0;
  int32_t multiprocessors = 0, threadsPerMultiprocessor = 0, subgroup = 0,
          major = 0, minor = 0;
  GridLimits grid;
  /// A sentence for the user with the limitations of the device, or the reason
  /// why it cannot be used.
  std::string note;
};

/// Returns the target of a device that accepts SPIR-V: `kind`, or "KIND:f32" if
/// the device lacks f64 or atomics on 64-bit integers, or if TENSORC_SPIRV_F64
/// is 0.
std::string getSpirvTarget(std::string kind, bool isWide);

/// Lists devices and makes them current. The devices need not be open.
class DeviceApi {
public:
  virtual ~DeviceApi() = default;
  virtual std::vector<Ordinal> list() const = 0;
  virtual DeviceFacts describe(Ordinal device) const = 0;
  /// Returns the target to compile for, such as "cuda:sm_90a". Empty if it
  /// cannot be determined; the note in the device's facts then gives the
  /// reason.
  virtual std::string target(Ordinal device) const = 0;
  /// Rates how well a device whose target is `own` runs code for another
  /// target; 0 means that it cannot.
  virtual int32_t accepts(const std::string &own, const char *target) const = 0;
  /// Initializes the device for this process, which allocates memory on it.
  virtual Result open(Handle &device) = 0;
  /// Makes the device current on the calling thread. Returns in `former` the
  /// state that `leave` restores.
  virtual Result enter(const Handle &device, void *&former) = 0;
  virtual void leave(void *former) = 0;

  /// Returns the text of an error, e.g. "an illegal memory access was
  /// encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".
  virtual std::string describeError(Result result) const = 0;
  /// True for errors after which the library refuses all further work of the
  /// process.
  virtual bool endsAllWork(Result result) const = 0;
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

enum class MemoryKind { Device, Host };

class MemoryApi {
public:
  virtual ~MemoryApi() = default;
  virtual Result info(const Handle &device, size_t &free, size_t &total) = 0;
  virtual Result allocate(const Handle &device, void *&out, size_t bytes) = 0;
  /// Frees memory of allocate() or hostAllocate().
  virtual Result free(void *data, MemoryKind kind) = 0;
  /// Pinned host memory
  virtual Result hostAllocate(const Handle &device, void *&out,
                              size_t bytes) = 0;
  /// Functions for memory that is allocated and freed in stream order. If the
  /// library does not support it, `openPool` fails and the others are not
  /// called.
  virtual Result openPool(const Handle &device, Pool_t &out) = 0;
  virtual Result trimPool(Pool_t pool) = 0;
  virtual Result allocateAsync(void *&out, size_t bytes, Stream_t on) = 0;
  virtual Result freeAsync(void *data, Stream_t on) = 0;
};

/// Copies and fills, in the order of a stream.
class CopyApi {
public:
  virtual ~CopyApi() = default;
  virtual Result toDevice(void *target, const void *source, size_t size,
                          Stream_t on) = 0;
  virtual Result toHost(void *target, const void *source, size_t size,
                        Stream_t on) = 0;
  virtual Result onDevice(void *target, const void *source, size_t size,
                          Stream_t on) = 0;
  /// Fills with `count` words of `unit` (1, 2 or 4) bytes.
  virtual Result fill(void *target, uint32_t word, uint32_t unit, size_t count,
                      Stream_t on) = 0;
};

/// Copies between devices of the library.
class PeerApi {
public:
  virtual ~PeerApi() = default;
  /// Enables access to the peer's memory and its pool, if the hardware supports
  /// that.
  virtual void open(const Handle &device, const Handle &peer,
                    Pool_t peerPool) = 0;
  virtual Result copy(const Handle &to, void *target, const Handle &from,
                      const void *source, size_t size, Stream_t on) = 0;
};

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

class StreamApi {
public:
  virtual ~StreamApi() = default;
  virtual Result create(const Handle &device, Stream_t &out) = 0;
  virtual Result destroy(Stream_t stream) = 0;
  virtual Result synchronize(Stream_t stream) = 0;
  /// Waits like `synchronize`, but leaves errors of earlier work to the next
  /// call of `synchronize`.
  virtual Result drain(Stream_t stream) { return synchronize(stream); }
  virtual Result query(Stream_t stream) = 0;
  virtual Result wait(Stream_t stream, Event_t event) = 0;
  virtual Result callHost(Stream_t stream, HostFunction function,
                          void *argument) = 0;
  /// Returns the launch that failed, if the library reports it. A null kernel
  /// means that it does not.
  virtual LaunchSite culprit() { return {}; }
};

/// Events keep the time of their last record.
class EventApi {
public:
  virtual ~EventApi() = default;
  virtual Result create(const Handle &device, Event_t &out) = 0;
  virtual Result record(Event_t event, Stream_t stream) = 0;
  virtual Result query(Event_t event) = 0;
  virtual Result synchronize(Event_t event) = 0;
  virtual Result elapsed(float &milliseconds, Event_t start, Event_t stop) = 0;
};

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

class KernelApi {
public:
  virtual ~KernelApi() = default;
  /// Loads an image, which ends in a zero byte. On failure `log` receives the
  /// reason.
  virtual Result load(const Handle &device, const std::string &image,
                      Module_t &out, std::string &log) = 0;
  virtual Result unload(Module_t module) = 0;
  /// Looks up a kernel. If the library states how many bytes of shared memory
  /// the kernel declares, sets `sharedBytes`.
  virtual Result find(Module_t module, const char *name, Function_t &out,
                      uint32_t &sharedBytes) = 0;
  /// Permits launches of a kernel with more dynamic shared memory than the
  /// default limit.
  virtual Result allowShared(Function_t, uint32_t) {
    return resultNotSupported;
  }
  /// Queues a launch of a kernel with blocks. If a library call other than the
  /// launch fails, sets `part` to the purpose of that call.
  virtual Result launch(Function_t kernel, const Launch &launch, Stream_t on,
                        const char *&part) = 0;
};

/// Graphs that are captured from the calls on a stream.
class GraphApi {
public:
  virtual ~GraphApi() = default;
  virtual Result beginCapture(Stream_t stream) = 0;
  virtual Result endCapture(Stream_t stream, Graph_t &out) = 0;
  virtual Result instantiate(GraphExec_t &out, Graph_t graph) = 0;
  virtual Result launch(GraphExec_t graph, Stream_t on) = 0;
  virtual Result destroy(Graph_t graph) = 0;
  virtual Result destroyExec(GraphExec_t graph) = 0;
};

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// The vendor's libraries that may not be installed; null or empty if the
/// vendor has none.
struct OptionalLibraries {
  const MathLibraries *math = nullptr;
  const TransformNames *transforms = nullptr;
  /// Candidates for the file of a library with NCCL's functions.
  std::span<const char *const> collectives = {};
};

/// The loaded library of a vendor.
struct VendorLibrary {
  std::shared_ptr<void> owner; // of the objects below
  DeviceApi &devices;
  MemoryApi &memory;
  CopyApi &copies;
  StreamApi &streams;
  EventApi &events;
  KernelApi &kernels;
  PeerApi *peers = nullptr;   // null if the library lists one device
  GraphApi *graphs = nullptr; // null if the library has no graphs
  OptionalLibraries optional = {};

  bool operator==(const VendorLibrary &other) const {
    return &devices == &other.devices;
  }
};

} // namespace tensorc::rt::gpu

#endif
