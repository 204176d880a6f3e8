//===- Driver.h - what a driver implements ----------------------*- C++ -*-===//
//
// A driver gives devices; a device gives memory, images and streams. A new one
// is a copy of runtime/drivers/null and a row of runtime/abi/DeviceKinds.h.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CORE_DRIVER_H
#define TENSORC_RUNTIME_CORE_DRIVER_H

#include "runtime/abi/Format.h"
#include "runtime/core/Allocator.h"
#include "runtime/core/Status.h"
#include "runtime/core/streams/Mark.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct tensorc_rt_device {};
struct tensorc_rt_stream {};

namespace tensorc::rt {

/// Launch parameters that only user-written kernels need: further dims of the
/// grid and the block, and dynamic shared memory. Devices without them report
/// an error.
struct LaunchShape {
  uint32_t gridY = 1, gridZ = 1, blockY = 1, blockZ = 1, sharedBytes = 0;
  bool isPlain() const {
    return gridY == 1 && gridZ == 1 && blockY == 1 && blockZ == 1 &&
           sharedBytes == 0;
  }
};

/// A window on a buffer from which a kernel copies boxes in bulk. Dims are
/// innermost first. Elements beyond the sizes are zero.
struct TensorMap {
  static constexpr uint32_t maxRank = 5;
  uint32_t buffer = 0; // which argument
  uint32_t elementBytes = 0;
  uint32_t swizzle = 0; // 0, 32, 64, 128 bytes
  uint32_t rank = 0;
  uint32_t box[6] = {};
  int64_t sizes[maxRank] = {};
  int64_t strides[maxRank - 1] = {}; // in bytes, of all dims but the first
};
static_assert(sizeof(TensorMap) % sizeof(Word) == 0);

/// One call of a kernel over [0, extent), with all values checked. If there is
/// a block, the kernel is the code of one thread, `extent` blocks of that many
/// threads run it, and grain and scratch have no meaning.
struct Launch {
  const void *kernel; // the handle that the image gave
  const char *name;
  const Word *args; // valid during the call only
  uint32_t arity;
  int64_t extent;     // > 0
  int64_t grain;      // > 0
  int64_t scratch;    // bytes per thread, >= 0
  uint32_t block = 0; // threads, at most maxBlockThreads; 0: takes a range
  /// Bytes of each of the args, 0 for scalars; null: unknown. Valid as long as
  /// the args.
  const uint64_t *sizes = nullptr;
  LaunchShape shape = {};
  /// Tensor maps that follow the args. Valid as long as the args.
  std::span<const TensorMap> maps = {};
  /// Number of leading args that are addresses of buffers.
  uint32_t buffers = 0;
  /// Location in the user's program, if known. The text lives as long as
  /// `name`.
  const char *file = nullptr;
  uint32_t line = 0;
};

/// A mapped image. `kernels` are the driver's handles, in the requested order.
class Image {
public:
  virtual ~Image() = default;
  std::vector<const void *> kernels;
};

enum class CopyKind { DeviceToDevice, HostToDevice, DeviceToHost };

class Device;
class Batch;

/// A queue of work. Several threads may call it; work is done in the order of
/// the calls. Bounds have been checked.
class Stream : public tensorc_rt_stream {
public:
  /// When the stream enters the device's list, from which other threads call
  /// it. A stream that is made while threads use the list enlists itself once
  /// it is complete.
  enum class Listing { Now, ByItself };
  explicit Stream(Device &device, Listing listing = Listing::Now);
  virtual ~Stream();

  virtual Status launch(const Launch &launch) = 0;
  /// Copies in stream order: a host source is read, and a host target written,
  /// when the stream gets there.
  virtual Status copy(void *target, const void *source, size_t size,
                      CopyKind kind) = 0;
  /// Copies from the host, which may change `source` when this returns.
  virtual Status write(void *target, const void *source, size_t size);
  /// Copies to the host. The bytes are there when this returns.
  virtual Status read(void *target, const void *source, size_t size);
  /// Copies from memory of another device, whose work on it is finished or
  /// waited for. UNSUPPORTED if the devices only reach each other through the
  /// host.
  virtual Status copyFrom(Device &from, void *target, const void *source,
                          size_t size);
  /// Submits many calls at once. A GPU may replay a batch that it has seen
  /// before.
  virtual Status submit(const Batch &batch);
  /// True if gathering calls for `submit` pays.
  virtual bool takesBatches() const { return false; }
  /// Repeats the low `width` (1, 2, 4, 8) bytes of the pattern.
  virtual Status fill(void *target, uint64_t pattern, uint32_t width,
                      size_t size) = 0;
  /// Calls a function on the host in stream order.
  virtual Status call(std::function<Status()> function) = 0;
  /// Calls the function before the following work, which is skipped if it
  /// returns an error; the error becomes the stream's. Not called where the
  /// host cannot stop work.
  virtual Status askBeforeWork(std::function<Status()>) { return Status(); }
  virtual Status record(std::shared_ptr<Mark> &mark) = 0;
  virtual Status wait(std::shared_ptr<Mark> mark) = 0;
  /// Waits. Returns the first error of the stream's work and forgets it.
  virtual Status synchronize() = 0;
  virtual bool idle() = 0;
  /// Queues the vendor library's function for a call of this name, on device
  /// memory. `taken` is false if there is none.
  virtual Status callLibrary(const std::string &name,
                             const tensorc_rt_op_call &call, bool &taken) {
    (void)name, (void)call;
    taken = false;
    return Status();
  }
  /// True if work is finished when its call returns. Otherwise buffers in use
  /// are released through `retire`.
  virtual bool isInline() const = 0;
  /// The vendor library's handle, or null.
  virtual void *native() { return nullptr; }
  /// Releases references once the work so far is finished.
  virtual void retire(std::vector<Buffer *> buffers,
                      std::shared_ptr<const void> keep) = 0;

  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  /// Releases the blocks of the device's allocator, which keeps them from other
  /// streams while this one uses them, and leaves the other buffers.
  void releaseBlocks(std::vector<Buffer *> &buffers);

protected:
  void enlist();

public:
  Device &device;
  const uint64_t id; // no other stream of the process ever has it

private:
  friend class Device;
  std::atomic<uint32_t> refs{1};
  Stream *next = nullptr, *previous = nullptr; // in the device's list
  bool isListed = false;
};

/// Streams of a device. Each reference is dropped at the end of the scope.
class StreamList {
public:
  StreamList() = default;
  StreamList(StreamList &&) = default;
  ~StreamList() {
    for (Stream *stream : streams)
      stream->release();
  }
  std::vector<Stream *> streams;
};

/// Counters of runs, summed over all threads.
struct RunCounters {
  std::atomic<uint64_t> runs{0}, launches{0}, copies{0}, copiedBytes{0},
      customCalls{0};
};

/// A device. It lives as long as the process.
class Device : public tensorc_rt_device, public MemorySource {
public:
  explicit Device(std::string name)
      : allocator(*this, *this), deviceName(std::move(name)) {}

  const char *name() const final { return deviceName.c_str(); }
  /// Fills in all properties but the name.
  virtual void properties(tensorc_rt_device_properties &properties) const = 0;
  /// Returns 0 if it cannot run code for the target; a larger value is a better
  /// fit.
  virtual int32_t accepts(const char *target) const = 0;
  /// Maps an image and looks the kernels up.
  virtual Status loadImage(std::span<const char> bytes,
                           std::span<const std::string> kernels,
                           std::unique_ptr<Image> &out) = 0;
  virtual Status createStream(Stream *&out) = 0;
  /// Wraps a stream of the vendor's library, which its creator still owns.
  virtual Status wrapStream(void *native, Stream *&out);
  virtual Stream &defaultStream() = 0;
  /// True if host pointers into device memory work.
  virtual bool hostVisible() const = 0;
  /// Returns the error that ended all work on the device for this process, if
  /// any.
  virtual Status health() { return Status(); }
  /// Returns the free and total bytes of the host, unless the driver overrides
  /// it.
  Status memoryInfo(uint64_t &free, uint64_t &total) override;

  /// Returns the streams that are still referenced.
  StreamList liveStreams();
  /// Waits for all streams. Returns their first error and forgets it.
  Status synchronize();
  /// Waits for the buffers that streams retire, if the calling thread may wait.
  void reclaim(bool wait) override;

  Allocator allocator;
  RunCounters counters;

private:
  friend class Stream;
  std::string deviceName;
  Stream *streams = nullptr; // under the process' lock for streams
};

/// All devices, in the order of the table of drivers. Never changes.
const std::vector<Device *> &allDevices();
/// Called before a fork: waits while another thread creates the list.
void waitForDevices();
/// Returns the device of this name, or the default device for null.
Status findDevice(const char *name, Device *&out);

inline Device *unwrap(tensorc_rt_device *device) {
  return static_cast<Device *>(device);
}
inline const Device *unwrap(const tensorc_rt_device *device) {
  return static_cast<const Device *>(device);
}
inline Stream *unwrap(tensorc_rt_stream *stream) {
  return static_cast<Stream *>(stream);
}

} // namespace tensorc::rt

#endif
