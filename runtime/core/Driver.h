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

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct tensorc_rt_device {};
struct tensorc_rt_stream {};

namespace tensorc::rt {

/// What only kernels that a user wrote ask for: further dims of the grid and
/// the block, and dynamic shared memory. A device without them says so.
struct LaunchShape {
  uint32_t gridY = 1, gridZ = 1, blockY = 1, blockZ = 1, sharedBytes = 0;
  bool isPlain() const {
    return gridY == 1 && gridZ == 1 && blockY == 1 && blockZ == 1 &&
           sharedBytes == 0;
  }
};

/// A window on a buffer from which a kernel copies boxes in bulk. Dims are
/// innermost first; what lies beyond the sizes is zero.
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

/// One call of a kernel over [0, extent), all values checked. With a block, the
/// kernel is code of one thread, and `extent` blocks of so many threads run it;
/// grain and scratch say nothing then.
struct Launch {
  const void *kernel; // the handle that the image gave
  const char *name;
  const Word *args; // valid during the call only
  uint32_t arity;
  int64_t extent;     // > 0
  int64_t grain;      // > 0
  int64_t scratch;    // bytes per thread, >= 0
  uint32_t block = 0; // threads, at most maxBlockThreads; 0: takes a range
  /// Bytes of each of the args, 0 for scalars; null: not known. As long valid.
  const uint64_t *sizes = nullptr;
  LaunchShape shape = {};
  /// Behind the args; as long valid.
  const TensorMap *maps = nullptr;
  uint32_t mapCount = 0;
  /// Where the user's program asks for it, if known: a text that lives as long
  /// as `name`.
  const char *file = nullptr;
  uint32_t line = 0;
};

/// A mapped image; `kernels` are the driver's handles, in the order asked for.
class Image {
public:
  virtual ~Image() = default;
  std::vector<const void *> kernels;
};

/// A point that a stream reaches.
class Mark {
public:
  virtual ~Mark() = default;
  virtual bool reached() = 0;
  virtual Status wait() = 0;
  /// CLOCK_MONOTONIC nanoseconds at which it was reached.
  virtual int64_t time() = 0;
  /// Once reached: the error that work before it ended with, where the stream
  /// can tell; success before. Every call gives it.
  virtual Status failure() { return Status(); }
  /// Nanoseconds from an earlier mark, both reached; a GPU's own clock where
  /// both are marks of one GPU.
  virtual int64_t since(Mark &start) { return time() - start.time(); }
};

enum class CopyKind { DeviceToDevice, HostToDevice, DeviceToHost };

class Device;
class Batch;

/// A queue of work. Calls come from several threads; work is done in the order
/// of the calls. Bounds have been checked.
class Stream : public tensorc_rt_stream {
public:
  /// From when it is in the device's list other threads call it; one that is
  /// made while they are there enlists itself when it is whole.
  enum class Listing { Now, ByItself };
  explicit Stream(Device &device, Listing listing = Listing::Now);
  virtual ~Stream();

  virtual Status launch(const Launch &launch) = 0;
  /// In stream order throughout: a source on the host is read, and a target
  /// there written, when the stream gets there.
  virtual Status copy(void *target, const void *source, size_t size,
                      CopyKind kind) = 0;
  /// From the host, which may change `source` when this returns.
  virtual Status write(void *target, const void *source, size_t size);
  /// To the host, where the bytes are when this returns.
  virtual Status read(void *target, const void *source, size_t size);
  /// From memory of another device, whose work on it is done or waited for.
  /// UNSUPPORTED where the devices have no way to each other but the host.
  virtual Status copyFrom(Device &from, void *target, const void *source,
                          size_t size);
  /// Many calls at once; a GPU may replay what it has seen before.
  virtual Status submit(const Batch &batch);
  /// Whether `submit` is worth gathering calls for.
  virtual bool takesBatches() const { return false; }
  /// Repeats the low `width` (1, 2, 4, 8) bytes of the pattern.
  virtual Status fill(void *target, uint64_t pattern, uint32_t width,
                      size_t size) = 0;
  /// Calls a function on the host in stream order.
  virtual Status call(std::function<Status()> function) = 0;
  /// Asks before the work that follows whether it may still be done: its error
  /// is the stream's. Where the host cannot stop work, it is not asked.
  virtual Status askBeforeWork(std::function<Status()>) { return Status(); }
  virtual Status record(std::shared_ptr<Mark> &mark) = 0;
  virtual Status wait(std::shared_ptr<Mark> mark) = 0;
  /// Waits; gives the first error of the stream's work and forgets it.
  virtual Status synchronize() = 0;
  virtual bool idle() = 0;
  /// Queues what a library of the device's vendor has for a call of this name,
  /// of memory of the device. Not taken: there is none.
  virtual Status callLibrary(const std::string &name,
                             const tensorc_rt_op_call &call, bool &taken) {
    (void)name, (void)call;
    taken = false;
    return Status();
  }
  /// Whether work is done when the call that gives it returns. If not, buffers
  /// that work uses are released through `retire`.
  virtual bool isInline() const = 0;
  /// What the vendor's library calls it; null where there is none.
  virtual void *native() { return nullptr; }
  /// Releases references once the work so far is done.
  virtual void retire(std::vector<Buffer *> buffers,
                      std::shared_ptr<const void> keep) = 0;

  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  /// Releases those that are blocks of the device's allocator, which keeps
  /// them from other streams while this one works on them; leaves the others.
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

/// Streams of a device, each with a reference, dropped at the end of the scope.
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

/// What runs have done, summed over all threads.
struct RunCounters {
  std::atomic<uint64_t> runs{0}, launches{0}, copies{0}, copiedBytes{0},
      customCalls{0};
};

/// A device; lives as long as the process.
class Device : public tensorc_rt_device, public MemorySource {
public:
  explicit Device(std::string name)
      : allocator(*this, *this), deviceName(std::move(name)) {}

  const char *name() const { return deviceName.c_str(); }
  /// Fills in all but the name.
  virtual void properties(tensorc_rt_device_properties &properties) const = 0;
  /// 0 when it cannot run code for the target, else larger for a better fit.
  virtual int32_t accepts(const char *target) const = 0;
  /// Maps an image and looks the kernels up.
  virtual Status loadImage(std::span<const char> bytes,
                           std::span<const std::string> kernels,
                           std::unique_ptr<Image> &out) = 0;
  virtual Status createStream(Stream *&out) = 0;
  /// A stream around one of the vendor's library, which stays its maker's.
  virtual Status wrapStream(void *native, Stream *&out);
  virtual Stream &defaultStream() = 0;
  /// Whether host pointers into device memory work.
  virtual bool hostVisible() const = 0;
  /// The error that ended all work on the device for this process, if any.
  virtual Status health() { return Status(); }
  /// Bytes that are free now, other processes counted, and bytes there are.
  virtual Status memoryInfo(uint64_t &free, uint64_t &total);

  /// Those that somebody still holds.
  StreamList liveStreams();
  /// Waits for all of them; gives the first error and forgets it.
  Status synchronize();
  /// Waits for what they retire, where the calling thread may wait.
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
/// Before a fork: waits where another thread is making the list.
void waitForDevices();
/// The device of this name; null names the default device.
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
