//===- Frame.h - the registers of a running function ------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_FRAME_H
#define TENSORC_RUNTIME_PROGRAM_FRAME_H

#include "runtime/core/Driver.h"
#include "runtime/program/Program.h"

#include <memory>
#include <utility>

namespace tensorc::rt {

class Queues;

/// The contents of a buffer register: a part of a buffer. It counts no
/// references; `isBorrowed` tells the frame whether to release `owner`.
struct BufferRef {
  Buffer *owner = nullptr;
  char *data = nullptr;
  int64_t size = 0;
  bool readOnly = false;   // a constant, or an input that is not donated
  bool isBorrowed = false; // the caller owns the reference
  /// Element type, if known: an input's dtype, or the one declared by the
  /// kernel that wrote the buffer.
  tensorc_rt_dtype dtype = TENSORC_RT_NONE;
};

/// The contents of a register of host buffers: a block of the device's
/// hostAllocator that holds the bytes of a buffer.
struct HostRef {
  Buffer *block = nullptr;
  tensorc_rt_dtype dtype = TENSORC_RT_NONE; // as in BufferRef
};

/// An array that stores up to N elements in place, and more on the heap. Only
/// the requested number of elements is zeroed.
template <typename T, size_t N> class Registers {
public:
  explicit Registers(size_t count) : count(count) {
    if (count > N)
      heap = std::make_unique<T[]>(count);
    else
      std::uninitialized_value_construct_n(data(), count);
  }
  ~Registers() {
    if (!heap)
      std::destroy_n(data(), count);
  }
  Registers(const Registers &) = delete;
  T &operator[](size_t i) { return data()[i]; }
  T *data() { return heap ? heap.get() : reinterpret_cast<T *>(local); }

private:
  alignas(T) std::byte local[N * sizeof(T)];
  std::unique_ptr<T[]> heap;
  size_t count;
};

/// References that a run on an asynchronous stream may release only when the
/// stream has done the work queued so far. For an inline stream they are
/// released at once.
class Retired {
public:
  Retired(Queues &queues, Stream &stream, std::shared_ptr<const void> module)
      : queues(queues), stream(stream), module(std::move(module)),
        deferred(!stream.isInline()) {}
  ~Retired() {
    noteHostBlocks();
    if (deferred)
      stream.retire(std::move(buffers), std::move(module));
  }
  /// Keeps a second stream until the work queued so far is finished.
  void keep(std::shared_ptr<Stream> second) {
    using Kept =
        std::pair<std::shared_ptr<const void>, std::shared_ptr<Stream>>;
    module = std::make_shared<Kept>(std::move(module), std::move(second));
  }
  void drop(Buffer *buffer) {
    if (deferred)
      defer(buffer);
    else
      buffer->release();
  }
  /// Lets later work of the stream use the memory of the buffers that were
  /// dropped so far. Otherwise a loop would keep that of all its iterations.
  void retire();
  bool hasBuffers() const { return !buffers.empty(); }
  /// Drops a block of the device's hostAllocator.
  void dropHost(Buffer *block) {
    if (!deferred)
      return block->release();
    size_t count = hostBlocks.size();
    try {
      hostBlocks.push_back(block);
      buffers.push_back(block);
    } catch (const std::bad_alloc &) {
      hostBlocks.resize(count);
      dropNow(block);
    }
  }
  /// Returns the error of work that `drop` has waited for, if there was one.
  Status takeFailure() { return std::exchange(failure, Status()); }

private:
  /// Adds the reference to `buffers`, and retires them if they are too many.
  void defer(Buffer *buffer);
  /// If one of the last `buffers` is this one, makes it the last of them and
  /// returns true.
  bool moveToEnd(Buffer *buffer);
  /// Used if there is no memory to keep the reference: waits for the run's work.
  void dropNow(Buffer *buffer);
  /// Records that the stream uses the host blocks. A stream may release blocks
  /// at once if all users of the device's memory are in its order, but the host,
  /// which frees these blocks, is not.
  void noteHostBlocks();

  /// Number of freed bytes at which the buffers are retired. That ends a batch,
  /// and changes which addresses later allocations get, so that no graph is
  /// reused. Kernels on so much memory take longer than their launches.
  static constexpr size_t maxBytes = size_t(16) << 20;
  /// Number of buffers at which they are retired. Beside its memory, a buffer
  /// takes up to 0.8 KB on the host, so these take about `maxBytes`, too.
  static constexpr size_t maxBuffers = 1 << 14;

  Queues &queues;
  Stream &stream;
  std::shared_ptr<const void> module;
  bool deferred;
  std::vector<Buffer *> buffers;
  size_t bytes = 0;                 // that releasing the buffers frees
  std::vector<Buffer *> hostBlocks; // those among the buffers
  Status failure;
};

/// The registers of one call. Its destructor drops the references to buffers.
class Frame {
public:
  Frame(const Function &function, Retired &retired)
      : words(function.words), buffers(function.buffers),
        events(function.events), hostBuffers(function.hostBuffers),
        function(function), retired(retired) {}
  ~Frame() {
    for (uint32_t i = 0; i < function.buffers; ++i)
      drop(buffers[i]);
    for (uint32_t i = 0; i < function.hostBuffers; ++i)
      setHost(i, {});
  }

  /// Sets a register; the frame becomes the owner of the reference.
  void take(uint32_t index, BufferRef ref) {
    drop(buffers[index]);
    buffers[index] = ref;
  }
  /// Sets a register, adding a reference.
  void share(uint32_t index, BufferRef ref) {
    if (ref.owner)
      ref.owner->retain();
    ref.isBorrowed = false;
    take(index, ref);
  }

  /// Sets a register of host buffers; the frame becomes the owner of the
  /// reference.
  void setHost(uint32_t index, HostRef ref) {
    if (Buffer *old = std::exchange(hostBuffers[index], ref).block)
      retired.dropHost(old);
  }

  // Sizes with which a typical program does not use the heap.
  Registers<int64_t, 64> words;
  Registers<BufferRef, 24> buffers;
  Registers<std::shared_ptr<Mark>, 2> events;
  Registers<HostRef, 1> hostBuffers;
  const Function &function;

private:
  void drop(const BufferRef &ref) {
    if (ref.owner && !ref.isBorrowed)
      retired.drop(ref.owner);
  }

  Retired &retired;
};

} // namespace tensorc::rt

#endif
