//===- GpuStream.h - a stream of a vendor's library -------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_GPUSTREAM_H
#define TENSORC_RUNTIME_DRIVERS_GPU_GPUSTREAM_H

#include "runtime/drivers/gpu/GpuDevice.h"
#include "runtime/drivers/gpu/host/HostCalls.h"

namespace tensorc::rt::gpu {

/// The pinned block that a stream's copies in stream order use. The stream
/// orders its uses.
class BounceBlock {
public:
  explicit BounceBlock(HostStaging &staging) : staging(staging) {}
  /// Takes the block unless it is there already.
  Status take(Stream_t stream);
  void give() { staging.give(block); }
  const PinnedBlock &get() const { return block; }

private:
  HostStaging &staging;
  std::mutex mutex; // held while the block is taken
  PinnedBlock block;
};

class GpuStream final : public Stream {
public:
  /// The owner of the library's stream, which destroys it.
  enum class Owner { This, Other };
  /// If `stream` is null, the library's stream is attached once the device is
  /// open.
  GpuStream(GpuDevice &device, Stream_t stream, Owner owner = Owner::This)
      : Stream(device, Listing::ByItself),
        records(device.library, device.connection.events, stream), gpu(device),
        library(device.library), owner(owner), bounce(device.staging) {
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
  bool takesBatches() const override { return library.graphs; }
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
  Stream_t handle() const { return records.stream; }
  void attach(Stream_t made) { records.stream = made; }

  StreamRecords records;

private:
  Status callOnHost(std::function<Status()> function, HostCalls::When when);
  Status waitForAll();
  Status traced(const Launch &launch);
  Status fillByCopies(void *target, uint64_t pattern, uint32_t width,
                      size_t size);

  GpuDevice &gpu;
  const VendorLibrary &library;
  const Owner owner;
  /// Set if work since the last synchronization may write to host memory. The
  /// host must not read that memory before the work is done.
  std::atomic<bool> touchesHost{false};
  HostCalls host;
  BounceBlock bounce;
};

} // namespace tensorc::rt::gpu

#endif
