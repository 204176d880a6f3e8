//===- HostStaging.h - pinned host memory for copies ------------*- C++ -*-===//
//
// A GPU copies at full bus speed, and concurrently with kernels, only from and
// to pinned host memory. Pinning is slow, so pinned blocks are cached.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_HOST_HOSTSTAGING_H
#define TENSORC_RUNTIME_DRIVERS_GPU_HOST_HOSTSTAGING_H

#include "runtime/core/Status.h"
#include "runtime/drivers/gpu/Connection.h"

#include <mutex>
#include <vector>

namespace tensorc::rt::gpu {

struct PinnedBlock {
  char *data = nullptr;
  size_t size = 0;
};

class HostStaging {
public:
  static constexpr size_t largeBlock = size_t(4) << 20;
  static constexpr size_t smallBlock = size_t(64) << 10;

  explicit HostStaging(Connection &device) : device(device) {}

  /// Returns a block of the smaller size if `bytes` fit, else of the larger
  /// size. Waits if copies of the stream use too many blocks. If no memory can
  /// be pinned, `out.data` is null.
  Status take(size_t bytes, Stream_t stream, PinnedBlock &out);
  /// Returns an unused block.
  void give(PinnedBlock block);
  /// Takes the block back once the stream's work so far is done.
  Status giveBehind(PinnedBlock block, Stream_t stream);

private:
  /// Maximum number of blocks that the copies of a stream may hold.
  static constexpr ptrdiff_t maxInFlight = 8;
  struct InFlight {
    PinnedBlock block;
    Event_t event;
    Stream_t stream;
  };
  bool takeFree(size_t size, PinnedBlock &out);
  void collect();

  Connection &device;
  std::mutex mutex;
  std::vector<PinnedBlock> freeLarge, freeSmall;
  std::vector<InFlight> inFlight;
};

} // namespace tensorc::rt::gpu

#endif
