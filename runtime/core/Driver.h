//===- Driver.h - the interface of drivers ----------------------*- C++ -*-===//
//
// A driver creates devices; a device provides memory, images and streams. To
// add a driver, copy runtime/drivers/null and add a row to
// runtime/abi/DeviceKinds.h.
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

/// Launch parameters that only user-written kernels need: additional dims of
/// the grid and the block, and dynamic shared memory. Devices that do not
/// support them report an error.
struct LaunchShape {
  uint32_t gridY = 1, gridZ = 1, blockY = 1, blockZ = 1, sharedBytes = 0;
  bool isPlain() const {
    return gridY == 1 && gridZ == 1 && blockY == 1 && blockZ == 1 &&
           sharedBytes == 0;
  }
};

/// A window of a buffer from which a kernel copies boxes in bulk (TMA). Dims
/// are innermost first. Elements outside of the buffer are read as zeros.
struct TensorMap {
  static constexpr uint32_t maxRank = 5;
  uint32_t buffer = 0; // number of the argument
  uint32_t elementBytes = 0;
  uint32_t swizzle = 0; // 0, 32, 64 or 128 bytes
  uint32_t rank = 0;
  uint32_t box[6] = {};
  int64_t sizes[maxRank] = {};
  // Strides in bytes of all dims except the innermost.
  int64_t strides[maxRank - 1] = {};
};
static_assert(sizeof(TensorMap) % sizeof(Word) == 0);

/// The names of a launch in messages. The texts live as long as the process.
struct LaunchSite {
  const char *kernel = nullptr;
  // Source file of the user's program; null if unknown.
  const char *file = nullptr;
  uint32_t line = 0;
  bool operator==(const LaunchSite &) const = default;
  /// Returns "'kernel' (app.cpp:41)".
  std::string text() const;
};

/// One call of a kernel over [0, extent). All values have been checked. If
/// `block` is not 0, the kernel is the code of one thread and runs on `extent`
/// blocks of `block` threads; grain and scratch then have no meaning.
struct Launch {
  const void *kernel; // handle of the driver, from Image::kernels
  const char *name;   // lives as long as the process
  const Word *args;   // valid during the call only
  uint32_t arity;
  int64_t extent;     // > 0
  int64_t grain;      // > 0
  int64_t scratch;    // bytes per thread, >= 0
  uint32_t block = 0; // number of threads; 0 if the kernel takes a range
  /// Number of bytes of the buffer of each argument, 0 for scalars. Null if
  /// unknown. Valid as long as the args.
  const uint64_t *sizes = nullptr;
  LaunchShape shape = {};
  /// Tensor maps that follow the args. Valid as long as the args.
  std::span<const TensorMap> maps = {};
  /// Number of leading args that are addresses of buffers.
  uint32_t buffers = 0;
  /// Location in the user's program, if known. The text lives as long as the
  /// process.
  const char *file = nullptr;
  uint32_t line = 0;
  LaunchSite site() const { return {name, file, line}; }
};

/// A mapped image. `kernels` are the driver's handles, in the requested order.
class Image {
public:
  virtual ~Image() = default;
  std::vector<const void *> kernels;
};

/// A block is a block of the device's hostAllocator.
enum class CopyKind {
  DeviceToDevice,
  HostToDevice,
  DeviceToHost,
  BlockToDevice,
  DeviceToBlock
};

class Device;
class Batch;

/// A queue of work. Several threads may call it; work is executed in the order
/// of the calls. Bounds have been checked.
class Stream : public tensorc_rt_stream {
public:
  /// The time at which the stream is added to the device's list, through which
  /// other threads find it. ByItself: the constructor of the derived class adds
  /// the stream once it is complete.
  enum class Listing { Now, ByItself };
  explicit Stream(Device &device, Listing listing = Listing::Now);
  virtual ~Stream();

  virtual Status launch(const Launch &launch) = 0;
  /// Copies in stream order: the host source is read, and the host target
  /// written, when the stream reaches the copy.
  virtual Status copy(void *target, const void *source, size_t size,
                      CopyKind kind) = 0;
  /// Copies from the host. The caller may change `source` after the call.
  virtual Status write(void *target, const void *source, size_t size);
  /// Copies to the host. The bytes are in `target` when this returns.
  virtual Status read(void *target, const void *source, size_t size);
  /// Copies from memory of another device. That device has finished its work on
  /// the memory, or this stream waits for it. Returns UNSUPPORTED if the
  /// devices only reach each other through the host.
  virtual Status copyFrom(Device &from, void *target, const void *source,
                          size_t size);
  /// Submits many calls at once. A GPU may replay a batch that it has already
  /// seen (a graph).
  virtual Status submit(const Batch &batch);
  /// True if it pays to collect calls in a Batch for `submit`.
  virtual bool takesBatches() const { return false; }
  /// Fills memory by repeating the low `width` (1, 2, 4 or 8) bytes of the
  /// pattern.
  virtual Status fill(void *target, uint64_t pattern, uint32_t width,
                      size_t size) = 0;
  /// Calls a function on the host in stream order.
  virtual Status call(std::function<Status()> function) = 0;
  /// Calls the function before the next work of the stream. If it returns an
  /// error, that work is skipped, and the error becomes the stream's. Streams
  /// whose work the host cannot stop do not call it.
  virtual Status askBeforeWork(std::function<Status()>) { return Status(); }
  virtual Status record(std::shared_ptr<Mark> &mark) = 0;
  virtual Status wait(std::shared_ptr<Mark> mark) = 0;
  /// Waits for all work of the stream. Returns its first error and forgets it.
  virtual Status synchronize() = 0;
  virtual bool idle() = 0;
  /// Queues a call of the vendor library's function with this name, on device
  /// memory. Sets `taken` to false if there is no such function.
  virtual Status callLibrary(const std::string &name,
                             const tensorc_rt_op_call &call, bool &taken) {
    (void)name, (void)call;
    taken = false;
    return Status();
  }
  /// True if each call returns only when its work is finished. Otherwise
  /// buffers in use are released through `retire`.
  virtual bool isInline() const = 0;
  /// The vendor library's handle of the stream, or null.
  virtual void *native() { return nullptr; }
  /// Releases the references once the work queued so far is finished.
  virtual void retire(std::vector<Buffer *> buffers,
                      std::shared_ptr<const void> keep) = 0;

  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  /// Releases those buffers in the list that are blocks of the device's
  /// allocator, and removes them from the list. The allocator keeps such blocks
  /// from other streams while this stream uses them.
  void releaseBlocks(std::vector<Buffer *> &buffers);

protected:
  void enlist();

public:
  Device &device;
  const uint64_t id; // unique among all streams that the process ever creates

private:
  friend class Device;
  std::atomic<uint32_t> refs{1};
  // Neighbours in the device's list.
  Stream *next = nullptr, *previous = nullptr;
  bool isListed = false;
};

/// References to streams of a device, which are dropped at the end of the
/// scope.
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

/// Work that calls a vendor's library of collectives.
using CollectiveWork = std::function<Status(std::span<const char *const>)>;

/// A source of ordinary memory of the host.
class HostSource : public MemorySource {
public:
  const char *name() const override { return "host memory"; }
  Status memoryInfo(uint64_t &free, uint64_t &total) override;
  void *allocateMemory(size_t bytes) override;
  void freeMemory(void *data, size_t bytes) override;
};

/// A device. It lives as long as the process.
class Device : public tensorc_rt_device, public MemorySource {
public:
  /// `host` is the source of host memory that the device copies fastest, if
  /// that is not ordinary memory.
  explicit Device(std::string name, std::unique_ptr<HostSource> host = nullptr)
      : allocator(*this, *this),
        hostSource(host ? std::move(host) : std::make_unique<HostSource>()),
        hostAllocator(*this, *hostSource), deviceName(std::move(name)) {}

  const char *name() const final { return deviceName.c_str(); }
  /// A second name for devices of this kind by this vendor (DeviceAlias), or "".
  virtual std::string_view alias() const { return {}; }
  /// Fills in all properties but the name.
  virtual void properties(tensorc_rt_device_properties &properties) const = 0;
  /// Returns how well the device runs code for the target: 0 if it cannot, and
  /// larger values for better fits.
  virtual int32_t accepts(const char *target) const = 0;
  /// Maps an image and looks up its kernels.
  virtual Status loadImage(std::span<const char> bytes,
                           std::span<const std::string> kernels,
                           std::unique_ptr<Image> &out) = 0;
  virtual Status createStream(Stream *&out) = 0;
  /// Wraps a stream of the vendor's library. Its creator keeps ownership of it.
  virtual Status wrapStream(void *native, Stream *&out);
  virtual Stream &defaultStream() = 0;
  /// Calls the function while the device is current on the calling thread. Its
  /// argument lists candidates for the file of the vendor's library of
  /// collectives, which has the functions of NCCL; it is empty if there is none.
  virtual Status withCollectives(const CollectiveWork &work) {
    return work({});
  }
  /// Creates a stream that is released when the last reference is dropped, at
  /// which time its work must be finished. It is not kept for later runs,
  /// because a device with one stream manages memory faster.
  Status createSharedStream(std::shared_ptr<Stream> &out);
  /// True if a function that one stream calls may wait for one that another
  /// stream calls. Libraries of GPUs may call all of them on one thread.
  virtual bool callsMayWait() const { return true; }
  /// True if the host can access device memory through its addresses.
  virtual bool hostVisible() const = 0;
  /// Returns the error that ended all work of this process on the device, if
  /// any.
  virtual Status health() { return Status(); }
  /// Returns the free and the total bytes of the host's memory, unless a driver
  /// overrides it.
  Status memoryInfo(uint64_t &free, uint64_t &total) override;

  /// Returns the streams that still have references.
  StreamList liveStreams();
  /// Waits for all streams of the device. Returns their first error and forgets
  /// it.
  Status synchronize();
  /// Releases buffers that streams have retired; waits for unfinished ones if
  /// `wait` is set and the calling thread may wait.
  void reclaim(bool wait) override;

  Allocator allocator;

private:
  std::unique_ptr<HostSource> hostSource;

public:
  /// Host memory for buffers that programs spill.
  Allocator hostAllocator;
  RunCounters counters;

private:
  friend class Stream;

  std::string deviceName;
  // Guarded by the process lock for streams.
  Stream *streams = nullptr;
};

/// Returns all devices, in the order of the table of drivers. The list never
/// changes.
const std::vector<Device *> &allDevices();
/// Waits while another thread creates the list of devices. Called before a
/// fork.
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
