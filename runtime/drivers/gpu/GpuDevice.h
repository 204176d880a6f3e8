//===- GpuDevice.h - a device of a vendor's library -------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_GPUDEVICE_H
#define TENSORC_RUNTIME_DRIVERS_GPU_GPUDEVICE_H

#include "runtime/core/Driver.h"
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/gpu/DeviceMemory.h"
#include "runtime/drivers/gpu/GraphCache.h"
#include "runtime/drivers/gpu/host/HostStaging.h"

#include <mutex>

namespace tensorc::rt::gpu {

class GpuDevice;
class GpuStream;

/// Pinned host memory of a device, with which copies are fast and overlap with
/// kernels.
class PinnedSource final : public HostSource {
public:
  explicit PinnedSource(GpuDevice &device) : device(device) {}
  void *allocateMemory(size_t bytes) override;
  void freeMemory(void *data, size_t bytes) override;

private:
  GpuDevice &device;
};

/// A recorded event, and the host's time at this event. They relate the GPU's
/// clock to the host's.
struct DeviceClock {
  Event_t origin = nullptr;
  int64_t originTime = 0;
};

/// The vendor's libraries of mathematics, opened at the first use.
struct MathPackages {
  MathLibrary algebra;
  TransformLibrary transforms;
};

/// A GPU. The first call that needs it opens the library's device, because this
/// takes a tenth of a second and memory of the GPU.
class GpuDevice final : public Device {
public:
  GpuDevice(const VendorLibrary &library, const char *kind, int index,
            Ordinal ordinal);

  // Device
  void properties(tensorc_rt_device_properties &properties) const override;
  std::string_view alias() const override;
  int32_t accepts(const char *name) const override;
  Status loadImage(std::span<const char> bytes,
                   std::span<const std::string> kernels,
                   std::unique_ptr<Image> &out) override;
  Status createStream(Stream *&out) override;
  Status wrapStream(void *native, Stream *&out) override;
  Stream &defaultStream() override;
  Status withCollectives(const CollectiveWork &work) override;
  bool callsMayWait() const override { return false; }
  bool hostVisible() const override { return false; }
  Status memoryInfo(uint64_t &free, uint64_t &total) override;
  Status health() override { return connection.errors.health(); }
  void *allocateMemory(size_t bytes) override;
  void freeMemory(void *data, size_t bytes) override;
  void reclaim(bool wait) override;
  void trimSource() override;

  /// See Connection::check.
  Status check(Result result, const char *doing, Call call = Call::Returns) {
    return connection.check(result, doing, call);
  }
  /// Opens the device if necessary. Returns an error if the device is lost.
  Status open();

  /// The vendor's library of Fourier transforms, or null.
  const TransformEntryPoints *openTransforms() const;

  Connection connection;
  const VendorLibrary &library = connection.library;
  DeviceMemory memory;
  HostStaging staging;
  GraphCache graphs;
  /// Mutable, because const functions that only describe the device also load
  /// it.
  mutable MathPackages math;
  DeviceClock clock;

private:
  Status openLibrary();
  Status addStream(GpuStream &stream, Stream *&out);

  struct Opening {
    std::mutex mutex;
    std::atomic<bool> isDone{false};
  };
  Opening opening;
  GpuStream *const usual; // the default stream
};

/// Makes the device current on the calling thread during its lifetime.
class Scope {
public:
  explicit Scope(GpuDevice &device);
  ~Scope() {
    if (entered)
      device.library.devices.leave(former);
  }
  Scope(const Scope &) = delete;
  /// The error if the device could not be made current; the caller takes it.
  Status status;

private:
  GpuDevice &device;
  void *former = nullptr;
  bool entered = false;
};

/// True if streams can be shared with other users of the vendor's library.
bool sharesStreams(const GpuDevice &device);

/// Adds the devices that the library lists, "cuda:0" and so on.
void addGpuDevices(const VendorLibrary &library, const char *kind,
                   FoundDevices &found);
/// Adds a reason if a library that was loaded lists no device, usable or not.
/// `error` is the name of an error code, or null.
void explainNone(const std::string &library, const char *error,
                 const char *advice, FoundDevices &found);

#define TENSORC_GPU_SCOPE(device)                                              \
  ::tensorc::rt::gpu::Scope scope(device);                                     \
  if (!scope.status.ok())                                                      \
  return std::move(scope.status)

} // namespace tensorc::rt::gpu

#endif
