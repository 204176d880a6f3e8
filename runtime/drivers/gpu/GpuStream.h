//===- GpuStream.h - a stream of a vendor's library -------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_GPUSTREAM_H
#define TENSORC_RUNTIME_DRIVERS_GPU_GPUSTREAM_H

#include "runtime/drivers/gpu/GpuDevice.h"

#include <list>

namespace tensorc::rt::gpu {

/// References that are dropped when this object is destroyed.
struct Retired {
  Event_t event = nullptr;
  std::vector<Buffer *> buffers;
  std::shared_ptr<const void> keep;

  Retired() = default;
  Retired(Retired &&) = default;
  Retired &operator=(Retired &&) = default;
  ~Retired() {
    for (Buffer *buffer : buffers)
      buffer->release();
  }
};
/// A list, so that entries move from one to another without an allocation.
using RetiredList = std::list<Retired>;

class GpuStream final : public Stream {
public:
  /// The owner of the library's stream, which destroys it.
  enum class Owner { This, Other };
  /// If `stream` is null, the library's stream is attached once the device is
  /// open.
  GpuStream(GpuDevice &device, Stream_t stream, Owner owner = Owner::This)
      : Stream(device, Listing::ByItself), gpu(device), owner(owner),
        stream(stream) {
    enlist();
  }
  ~GpuStream() override;

  Status launch(const Launch &launch) override;
  Status copy(void *target, const void *source, size_t size,
              CopyKind kind) override;
  Status write(void *target, const void *source, size_t size) override;
  Status read(void *target, const void *source, size_t size) override;
  Status copyFrom(Device &from, void *target, const void *source,
                  size_t size) override;
  Status fill(void *target, uint64_t pattern, uint32_t width,
              size_t size) override;
  Status submit(const Batch &batch) override;
  bool takesBatches() const override { return gpu.vendor.hasGraphs(); }
  Status call(std::function<Status()> function) override;
  Status callLibrary(const std::string &name, const tensorc_rt_op_call &call,
                     bool &taken) override;
  Status record(std::shared_ptr<Mark> &mark) override;
  Status wait(std::shared_ptr<Mark> mark) override;
  Status synchronize() override;
  bool idle() override;
  bool isInline() const override { return false; }
  void retire(std::vector<Buffer *> buffers,
              std::shared_ptr<const void> keep) override;

  void *native() override;
  Stream_t handle() const { return stream; }
  void attach(Stream_t made) { stream = made; }
  /// Moves buffers that the stream no longer uses to the list. With `wait`,
  /// first waits for the work on all of them.
  void collect(RetiredList &done, bool wait);
  /// Adds the launches that may still run or may have failed.
  void addRecent(std::vector<LaunchSite> &launches);

private:
  /// Errors of host functions, which may run after the stream was destroyed.
  struct HostState {
    std::mutex mutex;
    Status failure; // error of the first function that failed
    std::atomic<bool> failed{false};
  };
  struct HostCall {
    std::shared_ptr<HostState> state;
    std::function<Status()> function;
    bool always; // runs even after an error
  };
  static void runHostCall(void *call);
  Status callOnHost(std::function<Status()> function, bool always);

  Status waitForAll();
  void noteLaunches(std::span<const LaunchSite> launches);
  Status traced(const Launch &launch);
  Status fillByCopies(void *target, uint64_t pattern, uint32_t width,
                      size_t size);
  Status takeBounce();

  GpuDevice &gpu;
  const Owner owner;
  std::atomic<Stream_t> stream; // null until the device is open
  /// Set if work since the last synchronization may write to host memory. The
  /// host must not read that memory before the work is done.
  std::atomic<bool> touchesHost{false};
  std::shared_ptr<HostState> host = std::make_shared<HostState>();

  std::mutex mutex; // guards the members below
  RetiredList retired;
  /// The latest launches since the stream was last known to be idle, without
  /// duplicates.
  std::vector<LaunchSite> recent;
  PinnedBlock bounce; // pinned memory for copies in stream order
};

} // namespace tensorc::rt::gpu

#endif
