//===- GpuDevice.h - a device of a vendor's library -------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_GPUDEVICE_H
#define TENSORC_RUNTIME_DRIVERS_GPU_GPUDEVICE_H

#include "runtime/core/Driver.h"
#include "runtime/core/threads/Fork.h"
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/gpu/GraphCache.h"
#include "runtime/drivers/gpu/HostStaging.h"
#include "runtime/drivers/gpu/Vendor.h"

#include <deque>
#include <mutex>
#include <set>

namespace tensorc::rt::gpu {

class GpuDevice;
class GpuStream;

/// Shared memory of a block that kernels may use without a request to the
/// driver, in bytes.
constexpr uint32_t defaultShared = 48 << 10;

/// A kernel of a loaded image.
struct GpuKernel {
  Function_t function = nullptr;
  uint32_t staticShared = 0; // in bytes
  /// Number of bytes of dynamic shared memory that were requested from the
  /// driver; 0 if the default limit has been enough.
  mutable std::atomic<uint32_t> allowedShared{0};
};

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

/// A GPU. The first call that needs it opens the library's device, because this
/// takes a tenth of a second and memory of the GPU.
class GpuDevice final : public Device {
public:
  GpuDevice(Vendor &vendor, const char *kind, int index, Ordinal ordinal);

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
  bool hostVisible() const override { return false; }
  Status memoryInfo(uint64_t &free, uint64_t &total) override;
  Status health() override;
  void *allocateMemory(size_t bytes) override;
  void freeMemory(void *data, size_t bytes) override;
  void reclaim(bool wait) override;
  void trimSource() override;

  /// Whether a library call waits for queued work. If it does, its error may be
  /// due to any earlier kernel, and the error message names the kernels.
  enum class Call { Returns, Waits };
  /// Converts the result of a library call to an error. An error that ends all
  /// work is stored, with the kernels that may have caused it. The caller must
  /// not hold the lock of a stream.
  Status check(Result result, const char *doing, Call call = Call::Returns);
  /// Opens the device if necessary. Returns an error if the device is lost.
  Status open();

  // Make library calls on one of the device's streams. The device must be
  // current on the thread.
  Status launchOn(Stream_t on, const Launch &launch);
  /// Returns UNSUPPORTED if the library has no call for the pattern.
  Status fillOn(Stream_t on, void *target, uint64_t pattern, uint32_t width,
                size_t size);

  Status takeEvent(Event_t &out);
  void giveEvent(Event_t event);
  /// True if only the default stream has been used, so that all work is in its
  /// order.
  bool hasOneStream() const { return streamCount == 1; }
  void enlist(GpuStream &stream);
  void strike(GpuStream &stream);
  /// Enables copies from the peer's memory.
  void openPeer(GpuDevice &peer);

  /// The vendor's library of Fourier transforms, or null.
  const TransformEntryPoints *openTransforms() const;

  Vendor &vendor;
  Handle handle;
  HostStaging staging;
  GraphCache graphs;
  MathLibrary math;
  /// Mutable, because const functions that only describe the device also load
  /// it.
  mutable TransformLibrary transforms;
  /// Set by TENSORC_LAUNCH_BLOCKING=1: waits for each launch.
  const bool blocking;
  /// A recorded event, and the host's time at this event. They relate the GPU's
  /// clock to the host's.
  Event_t origin = nullptr;
  int64_t originTime = 0;

private:
  Status openLibrary();
  Status addStream(GpuStream &stream, Stream *&out);
  Status allowShared(const GpuKernel &kernel, const Launch &launch);
  std::string nameSuspects();

  const DeviceFacts facts;
  /// The target's name without and with the suffix for the library of
  /// transforms.
  const std::string target, targetWithTransforms;
  const uint32_t generation = forkGeneration();

  // Guards the next members; never held while waiting for work.
  std::mutex mutex;
  std::atomic<bool> isOpen{false}, isLost{false};
  std::string lost; // why
  std::vector<Event_t> events;
  std::set<const GpuDevice *> peers;
  Pool_t pool = nullptr;
  Stream_t memoryStream = nullptr;

  std::mutex streamsMutex;
  std::vector<GpuStream *> streams;
  std::atomic<int> streamCount{0};
  GpuStream *usual;
};

/// Makes the device current on the calling thread during its lifetime.
class Scope {
public:
  explicit Scope(GpuDevice &device);
  ~Scope() {
    if (entered)
      device.vendor.leave(former);
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

/// Adds the devices that the library lists, "cuda:0" and so on. The vendor
/// object is never destroyed.
void addGpuDevices(std::unique_ptr<Vendor> vendor, const char *kind,
                   FoundDevices &found);

#define TENSORC_GPU_SCOPE(device)                                              \
  ::tensorc::rt::gpu::Scope scope(device);                                     \
  if (!scope.status.ok())                                                      \
  return std::move(scope.status)

} // namespace tensorc::rt::gpu

#endif
