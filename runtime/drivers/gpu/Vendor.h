//===- Vendor.h - the interface to a GPU vendor's library -------*- C++ -*-===//
//
// GpuDevice and GpuStream use this interface. CudaLike (cudalike/CudaLike.h)
// implements it for libraries with CUDA's functions; other libraries have their
// own implementations.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_VENDOR_H
#define TENSORC_RUNTIME_DRIVERS_GPU_VENDOR_H

#include "runtime/core/Driver.h"
#include "runtime/drivers/gpu/GpuApi.h"
#include "runtime/drivers/gpu/math/MathApi.h"
#include "runtime/drivers/gpu/math/TransformApi.h"

#include <string>

namespace tensorc::rt::gpu {

/// The library's identification of a device: its number, and its context if the
/// library has contexts.
struct Handle {
  Ordinal ordinal = 0;
  void *context = nullptr;
};

struct GridLimits {
  int64_t maxBlocks = 0x7fffffff; // limit along the first dim
  int64_t maxOuterBlocks = 65535; // limits along the second and the third dim
  int64_t maxThreads = INT64_MAX; // along each dim
};

/// Properties of a device, queried once.
struct DeviceFacts {
  std::string name;
  std::string driver; // version of the driver, if the library reports it
  // See DeviceAlias; 0 if the vendor is unknown or it is not a GPU.
  uint32_t gpuVendor = 0;
  uint64_t memory = 0;
  int32_t multiprocessors = 0, threadsPerMultiprocessor = 0, subgroup = 0,
          maxBlock = 0, major = 0, minor = 0;
  uint32_t maxShared = 0; // shared memory of a block, in bytes
  GridLimits grid;
  /// A sentence for the user with the limitations of the device, or the reason
  /// why it cannot be used.
  std::string note;
};

/// Returns the target of a device that accepts SPIR-V: `kind`, or "KIND:f32" if
/// the device lacks f64 or atomics on 64-bit integers, or if TENSORC_SPIRV_F64
/// is 0.
std::string getSpirvTarget(std::string kind, bool isWide);

/// The vendor's libraries that may not be installed; null or empty if the
/// vendor has none.
struct OptionalLibraries {
  const MathLibraries *math = nullptr;
  const TransformNames *transforms = nullptr;
  /// Candidates for the file of a library with NCCL's functions.
  std::span<const char *const> collectives = {};
};

enum class MemoryKind { Device, Host };

/// The loaded library of a vendor. Lives as long as the process. A function
/// that takes a device is called while that device is current on the calling
/// thread, unless its comment says otherwise. Streams, events and memory belong
/// to one device.
class Vendor {
public:
  virtual ~Vendor() = default;

  // Functions for devices that need not be open
  virtual std::vector<Ordinal> listDevices() const = 0;
  virtual DeviceFacts describeDevice(Ordinal device) const = 0;
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

  // Returns the text of an error, e.g. "an illegal memory access was
  // encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".
  virtual std::string describe(Result result) const = 0;
  /// True for errors after which the library refuses all further work of the
  /// process.
  virtual bool endsAllWork(Result result) const = 0;
  /// Returns the launch that failed, if the library reports it. A null kernel
  /// means that it does not.
  virtual LaunchSite culprit() { return {}; }

  // Memory
  virtual Result memoryInfo(const Handle &device, size_t &free,
                            size_t &total) = 0;
  virtual Result allocate(const Handle &device, void *&out, size_t bytes) = 0;
  /// Frees memory of allocate() or hostAllocate().
  virtual Result free(void *data, MemoryKind kind) = 0;
  /// Pinned host memory
  virtual Result hostAllocate(const Handle &device, void *&out,
                              size_t bytes) = 0;
  /// Functions for memory that is allocated and freed in stream order. If the
  /// library does not support it, `openPool` fails and the others are not
  /// called.
  virtual Result openPool(const Handle &device, Pool_t &out);
  virtual Result trimPool(Pool_t pool);
  virtual Result allocateAsync(void *&out, size_t bytes, Stream_t on);
  virtual Result freeAsync(void *data, Stream_t on);

  // Copies and fills, in the order of a stream
  virtual Result copyToDevice(void *target, const void *source, size_t size,
                              Stream_t on) = 0;
  virtual Result copyToHost(void *target, const void *source, size_t size,
                            Stream_t on) = 0;
  virtual Result copyOnDevice(void *target, const void *source, size_t size,
                              Stream_t on) = 0;
  /// Fills with `count` words of `unit` (1, 2 or 4) bytes.
  virtual Result fill(void *target, uint32_t word, uint32_t unit, size_t count,
                      Stream_t on) = 0;
  /// Copies between devices of this library.
  virtual Result copyPeer(const Handle &to, void *target, const Handle &from,
                          const void *source, size_t size, Stream_t on) = 0;
  /// Enables access to the peer's memory and its pool, if the hardware supports
  /// that.
  virtual void openPeer(const Handle &device, const Handle &peer,
                        Pool_t peerPool) = 0;

  // Streams
  virtual Result streamCreate(const Handle &device, Stream_t &out) = 0;
  virtual Result streamDestroy(Stream_t stream) = 0;
  virtual Result streamSynchronize(Stream_t stream) = 0;
  /// Waits like `streamSynchronize`, but leaves errors of earlier work to the
  /// next call of `streamSynchronize`.
  virtual Result streamDrain(Stream_t stream) {
    return streamSynchronize(stream);
  }
  virtual Result streamQuery(Stream_t stream) = 0;
  virtual Result streamWaitEvent(Stream_t stream, Event_t event) = 0;
  virtual Result hostFunction(Stream_t stream, HostFunction function,
                              void *argument) = 0;

  // Events, which keep the time of their last record
  virtual Result eventCreate(const Handle &device, Event_t &out) = 0;
  virtual Result eventRecord(Event_t event, Stream_t stream) = 0;
  virtual Result eventQuery(Event_t event) = 0;
  virtual Result eventSynchronize(Event_t event) = 0;
  virtual Result eventElapsed(float &milliseconds, Event_t start,
                              Event_t stop) = 0;

  // Kernels
  /// Loads an image, which ends in a zero byte. On failure `log` receives the
  /// reason.
  virtual Result load(const Handle &device, const std::string &image,
                      Module_t &out, std::string &log) = 0;
  virtual Result unload(Module_t module) = 0;
  /// Looks up a kernel. If the library states how many bytes of shared memory
  /// the kernel declares, sets `sharedBytes`.
  virtual Result findKernel(Module_t module, const char *name, Function_t &out,
                            uint32_t &sharedBytes) = 0;
  /// Permits launches of a kernel with more dynamic shared memory than the
  /// default limit.
  virtual Result allowShared(Function_t kernel, uint32_t bytes) = 0;
  /// Queues a launch of a kernel with blocks. If a library call other than the
  /// launch fails, sets `part` to the purpose of that call.
  virtual Result launch(Function_t kernel, const Launch &launch, Stream_t on,
                        const char *&part) = 0;

  // True if the library supports graphs. Otherwise the following functions are
  // not called.
  virtual bool hasGraphs() const { return false; }
  virtual Result beginCapture(Stream_t stream);
  virtual Result endCapture(Stream_t stream, Graph_t &out);
  virtual Result graphInstantiate(GraphExec_t &out, Graph_t graph);
  virtual Result graphLaunch(GraphExec_t graph, Stream_t on);
  virtual Result graphDestroy(Graph_t graph);
  virtual Result graphExecDestroy(GraphExec_t graph);

  virtual OptionalLibraries optionalLibraries() const { return {}; }
};

} // namespace tensorc::rt::gpu

#endif
