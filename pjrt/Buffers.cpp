//===- Buffers.cpp - Arrays in device memory ------------------------------===//

#include "pjrt/Table.h"
#include "pjrt/Types.h"

#include <utility>

namespace tensorc::pjrt {

//===----------------------------------------------------------------------===//
// Buffer
//===----------------------------------------------------------------------===//

Value::~Value() { tensorc_tensor_release(tensor); }

Buffer::Buffer(Memory *memory, ElementType type, std::vector<int64_t> dims,
               std::shared_ptr<Value> value)
    : memory(memory), type(type), dims(std::move(dims)),
      value(std::move(value)) {}

std::shared_ptr<Value> Buffer::get() {
  std::lock_guard lock(mutex);
  return value;
}

std::shared_ptr<Value> Buffer::take() {
  std::lock_guard lock(mutex);
  return pins ? nullptr : std::exchange(value, nullptr);
}

void Buffer::erase() {
  std::lock_guard lock(mutex);
  value.reset();
}

bool Buffer::isErased() {
  std::lock_guard lock(mutex);
  return !value;
}

void Buffer::pin() {
  std::lock_guard lock(mutex);
  if (!pins++)
    pinned = value;
}

void Buffer::unpin() {
  std::lock_guard lock(mutex);
  if (pins && !--pins)
    pinned.reset();
}

/// Returns an error if the buffer has no value, else null.
static Error *checkValue(const std::shared_ptr<Value> &value) {
  return value ? nullptr
               : fail(Code::InvalidArgument,
                      "the buffer has been deleted or donated");
}

namespace {
/// A reference to a buffer's tensor for the duration of a call.
class Reading {
public:
  explicit Reading(Buffer &buffer) : value(buffer.get()) {}
  Reading(const Reading &) = delete;
  Reading &operator=(const Reading &) = delete;
  ~Reading() { tensorc_rt_buffer_release(memory); }
  /// Waits for the tensor. Returns an error if the buffer has none, else null.
  Error *check() const {
    Error *error = checkValue(value);
    return error ? error : value->wait();
  }
  Error *open(tensorc_rt_buffer *&opened) {
    Error *error = check();
    if (!error)
      error = fail(tensorc_tensor_buffer(value->tensor, &memory));
    opened = memory;
    return error;
  }
  Error *address(void *&data) {
    tensorc_rt_buffer *opened = nullptr;
    Error *error = open(opened);
    data = error ? nullptr : tensorc_rt_buffer_data(opened);
    return error;
  }

private:
  std::shared_ptr<Value> value;
  tensorc_rt_buffer *memory = nullptr;
};

/// Completed when the host's array is no longer read.
struct Loan {
  std::shared_ptr<Completion> completion;
  static void end(void *loan, void *) {
    auto *self = static_cast<Loan *>(loan);
    self->completion->finish();
    delete self;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// From the host
//===----------------------------------------------------------------------===//

static Error *tensorOver(tensorc_rt_buffer *memory, ElementType type,
                         const Dims &dims, tensorc_tensor *&tensor) {
  Error *error =
      fail(tensorc_from_buffer(dtypeOf(type), static_cast<int32_t>(dims.size()),
                               dims.data(), memory, {nullptr, 0}, &tensor));
  tensorc_rt_buffer_release(memory);
  return error;
}

/// Returns the elements of the host's array in the dense layout of the device.
static std::vector<char> denseForm(const char *data, ElementType type,
                                   const Dims &dims, const Dims &strides,
                                   size_t size) {
  int64_t width = hostWidth(type);
  std::vector<char> dense(size);
  copyStrided(dims, width, data, strides, dense.data(),
              denseStrides(dims, width));
  // NumPy treats every byte except 0 as true.
  if (type == ElementType::Pred)
    for (char &value : dense)
      value = value != 0;
  if (isPacked(type)) {
    pack(dense.data(), static_cast<int64_t>(size), dense.data());
    dense.resize((size + 1) / 2);
  }
  return dense;
}

static Error *copyFromHost(tensorc_rt_device *device, const char *data,
                           ElementType type, const Dims &dims,
                           const Dims &strides, size_t size,
                           tensorc_tensor *&tensor) {
  std::vector<char> dense;
  bool isPlain = type != ElementType::Pred && !isPacked(type) &&
                 isDense(dims, strides, hostWidth(type));
  if (!isPlain) {
    dense = denseForm(data, type, dims, strides, size);
    data = dense.data();
    size = dense.size();
  }
  tensorc_rt_buffer *memory = nullptr;
  if (auto *failed = tensorc_rt_buffer_allocate(device, size, &memory))
    return fail(failed);
  if (auto *failed = tensorc_rt_buffer_write(memory, 0, data, size, nullptr)) {
    tensorc_rt_buffer_release(memory);
    return fail(failed);
  }
  return tensorOver(memory, type, dims, tensor);
}

/// Returns the memory that a host names itself or by its device.
template <class Args> static Memory &memoryIn(const Args &args) {
  if (args.memory)
    return *args.memory;
  return *(args.device ? args.device : args.client->devices.front())
              ->memories.front();
}

static bool canBorrow(const ClientBufferFromHostBuffer &args,
                      const Memory &memory, const Dims &dims,
                      const Dims &strides, size_t size) {
  // Minimum size of an array whose memory is shared. Copying a smaller one is
  // faster.
  constexpr size_t minBorrowedBytes = 4096;
  int64_t width = hostWidth(args.type);
  return args.hostBufferSemantics == HostSemantics::ImmutableZeroCopy &&
         memory.isHost && size >= minBorrowedBytes &&
         args.type != ElementType::Pred && !isPacked(args.type) &&
         reinterpret_cast<uintptr_t>(args.data) % width == 0 &&
         isDense(dims, strides, width);
}

static Error *bufferFromHost(ClientBufferFromHostBuffer &args) {
  args.buffer = nullptr;
  args.doneWithHostBuffer = nullptr;
  Memory &memory = memoryIn(args);
  Dims dims(args.dims, args.dims + args.numDims);
  size_t size = 0;
  if (Error *error = hostSize(args.type, dims, size))
    return error;
  if (args.numByteStrides && args.numByteStrides != args.numDims)
    return fail(Code::InvalidArgument,
                "an array has not a stride for each dimension");
  Dims strides = args.numByteStrides
                     ? Dims(args.byteStrides, args.byteStrides + args.numDims)
                     : denseStrides(dims, hostWidth(args.type));
  tensorc_tensor *tensor = nullptr;
  auto loan = std::make_shared<Completion>();
  const bool isBorrowed = canBorrow(args, memory, dims, strides, size);
  if (isBorrowed) {
    auto *ending = new Loan{loan};
    tensorc_rt_buffer *borrowed = nullptr;
    if (auto *failed =
            tensorc_rt_buffer_wrap(memory.place, const_cast<void *>(args.data),
                                   size, Loan::end, ending, &borrowed)) {
      delete ending;
      return fail(failed);
    }
    if (Error *error = tensorOver(borrowed, args.type, dims, tensor))
      return error;
  } else {
    if (Error *error =
            copyFromHost(memory.place, static_cast<const char *>(args.data),
                         args.type, dims, strides, size, tensor))
      return error;
    loan->finish();
  }
  args.buffer = new Buffer(&memory, args.type, std::move(dims),
                           std::make_shared<Value>(tensor, isBorrowed));
  args.doneWithHostBuffer = new Event{std::move(loan)};
  return nullptr;
}

static Error *createUninitialized(ClientCreateUninitializedBuffer &args) {
  Memory &memory = memoryIn(args);
  Dims dims(args.shapeDims, args.shapeDims + args.shapeNumDims);
  size_t size = 0;
  if (Error *error = hostSize(args.shapeElementType, dims, size))
    return error;
  if (isPacked(args.shapeElementType))
    size = (size + 1) / 2;
  tensorc_rt_buffer *bytes = nullptr;
  if (auto *failed = tensorc_rt_buffer_allocate(memory.place, size, &bytes))
    return fail(failed);
  tensorc_tensor *tensor = nullptr;
  if (Error *error = tensorOver(bytes, args.shapeElementType, dims, tensor))
    return error;
  args.buffer = new Buffer(&memory, args.shapeElementType, std::move(dims),
                           std::make_shared<Value>(tensor));
  return nullptr;
}

namespace {
/// Memory of another library. The library must be notified when it is no longer
/// used.
struct View {
  void (*callback)(void *pointer, void *userArg);
  void *userArg;
  static void end(void *view, void *data) {
    auto *self = static_cast<View *>(view);
    if (self->callback)
      self->callback(data, self->userArg);
    delete self;
  }
};
} // namespace

static Error *viewOfDeviceBuffer(ClientCreateViewOfDeviceBuffer &args) {
  args.buffer = nullptr;
  Dims dims(args.dims, args.dims + args.numDims), strides;
  size_t size = 0;
  if (Error *error = hostSize(args.elementType, dims, size))
    return error;
  int64_t width = hostWidth(args.elementType);
  if (Error *error = stridesOf(args.layout, dims, width, strides))
    return error;
  if (isPacked(args.elementType) || !isDense(dims, strides, width))
    return fail(Code::Unimplemented,
                "memory of others is taken only if it is dense and row-major");
  Memory &memory = memoryIn(args);
  tensorc_rt_buffer *bytes = nullptr;
  auto *view = new View{args.onDeleteCallback, args.onDeleteCallbackArg};
  if (auto *failed = tensorc_rt_buffer_wrap(memory.place, args.deviceBufferPtr,
                                            size, View::end, view, &bytes)) {
    delete view;
    return fail(failed);
  }
  tensorc_tensor *tensor = nullptr;
  if (Error *error = tensorOver(bytes, args.elementType, dims, tensor))
    return error;
  args.buffer = new Buffer(&memory, args.elementType, std::move(dims),
                           std::make_shared<Value>(tensor, true));
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Copies to the host and to other devices
//===----------------------------------------------------------------------===//

static Error *deviceSize(const Buffer &buffer, size_t &size) {
  return fail(tensorc_rt_byte_size(
      static_cast<tensorc_rt_dtype>(dtypeOf(buffer.type)),
      static_cast<int32_t>(buffer.dims.size()), buffer.dims.data(), &size));
}

namespace {
/// A copy of a value to the host's memory.
struct HostCopy {
  std::shared_ptr<Value> value;
  ElementType type;
  Dims dims, strides; // dims and strides of the target
  size_t hostSize, deviceSize;
  char *target;

  Error *run() const;
};
} // namespace

Error *HostCopy::run() const {
  if (Error *error = value->wait())
    return error;
  int64_t width = hostWidth(type);
  if (!isPacked(type) && isDense(dims, strides, width))
    return fail(tensorc_read(value->tensor, target, deviceSize));
  std::vector<char> dense(deviceSize), plain(hostSize);
  if (auto *failed = tensorc_read(value->tensor, dense.data(), deviceSize))
    return fail(failed);
  if (isPacked(type)) {
    unpack(dense.data(), countOf(dims), type == ElementType::S4, plain.data());
    dense.swap(plain);
  }
  copyStrided(dims, width, dense.data(), denseStrides(dims, width), target,
              strides);
  return nullptr;
}

static Error *toHost(BufferToHostBuffer &args) {
  Buffer &buffer = *args.src;
  HostCopy copy{buffer.get(), buffer.type, buffer.dims, {}, 0, 0, nullptr};
  if (Error *error = hostSize(buffer.type, buffer.dims, copy.hostSize))
    return error;
  if (!args.dst) {
    args.dstSize = copy.hostSize;
    return nullptr;
  }
  if (args.dstSize < copy.hostSize)
    return fail(Code::InvalidArgument,
                "the target has " + std::to_string(args.dstSize) +
                    " bytes, the array has " + std::to_string(copy.hostSize));
  if (Error *error = stridesOf(args.hostLayout, buffer.dims,
                               hostWidth(buffer.type), copy.strides))
    return error;
  if (Error *error = checkValue(copy.value))
    return error;
  if (Error *error = deviceSize(buffer, copy.deviceSize))
    return error;
  copy.target = static_cast<char *>(args.dst);
  if (copy.value->isReady() || Queue::isWithinJob()) {
    if (Error *error = copy.run())
      return error;
    args.event = doneEvent();
    return nullptr;
  }
  auto done = std::make_shared<Completion>();
  auto job = [copy = std::move(copy), done] {
    done->finish(settle([&] { return copy.run(); }));
  };
  Device &device = *buffer.memory->device;
  device.queue.waitForRoom();
  if (device.isHost)
    device.queue.post(std::move(job));
  else // the tensor has been made when the outer job begins
    device.queue.post([&device, job = std::move(job)]() mutable {
      device.waits.waitForRoom();
      device.waits.post(std::move(job));
    });
  args.event = new Event{std::move(done)};
  return nullptr;
}

static Error *copyRawToHost(BufferCopyRawToHost &args) {
  if (args.offset < 0 || args.transferSize < 0)
    return fail(Code::InvalidArgument, "an offset or a size is negative");
  Reading value(*args.buffer);
  tensorc_rt_buffer *memory = nullptr;
  Error *error = value.open(memory);
  if (!error)
    error = fail(tensorc_rt_buffer_read(memory, args.offset, args.dst,
                                        args.transferSize, nullptr));
  if (!error)
    args.event = doneEvent();
  return error;
}

Error *moveTo(const tensorc_tensor *tensor, tensorc_rt_device *place,
              tensorc_tensor *&moved) {
  moved = nullptr;
  Error *error = fail(tensorc_to(tensor, place, {nullptr, 0}, &moved));
  if (!error)
    error = fail(tensorc_eval(&moved, 1));
  if (error)
    tensorc_tensor_release(std::exchange(moved, nullptr));
  return error;
}

static Error *copyTo(Buffer &buffer, Memory *memory, Buffer *&copy) {
  copy = nullptr;
  std::shared_ptr<Value> value = buffer.get();
  Error *error = checkValue(value);
  if (!error && memory->place != buffer.memory->place) {
    tensorc_tensor *moved = nullptr;
    error = value->wait();
    if (!error)
      error = moveTo(value->tensor, memory->place, moved);
    value = std::make_shared<Value>(moved);
  }
  if (!error)
    copy = new Buffer(memory, buffer.type, buffer.dims, std::move(value));
  return error;
}

static Error *copyToMemory(BufferCopyToMemory &args) {
  return copyTo(*args.buffer, args.dstMemory, args.dstBuffer);
}

static Error *copyToDevice(BufferCopyToDevice &args) {
  return copyTo(*args.buffer, args.dstDevice->memories.front(), args.dstBuffer);
}

//===----------------------------------------------------------------------===//
// Properties of a buffer
//===----------------------------------------------------------------------===//

static Error *bufferDelete(BufferDelete &args) {
  args.buffer->erase();
  return nullptr;
}

static Error *bufferIsDeleted(BufferIsDeleted &args) {
  args.isDeleted = args.buffer->isErased();
  return nullptr;
}

static Error *bufferDynamicDimensions(BufferDynamicDimensionIndices &args) {
  args.dynamicDimIndices = nullptr;
  args.numDynamicDims = 0;
  return nullptr;
}

/// Returns the dimensions from the last to the first, as row-major order lists
/// them.
static const int64_t *minorToMajor(size_t rank) {
  static const auto orders = [] {
    std::vector<Dims> all(TENSORC_RT_MAX_RANK + 1);
    for (size_t rank = 0; rank < all.size(); ++rank)
      for (size_t i = rank; i-- > 0;)
        all[rank].push_back(static_cast<int64_t>(i));
    return all;
  }();
  return orders[rank].data();
}

static Error *bufferMemoryLayout(BufferGetMemoryLayout &args) {
  args.layout = HostLayout{};
  args.layout.structSize = sizeof args.layout;
  args.layout.type = LayoutType::Tiled;
  args.layout.tiled.structSize = sizeof args.layout.tiled;
  args.layout.tiled.minorToMajor = minorToMajor(args.buffer->dims.size());
  args.layout.tiled.minorToMajorSize = args.buffer->dims.size();
  return nullptr;
}

static Error *bufferOnDeviceSize(BufferOnDeviceSizeInBytes &args) {
  return deviceSize(*args.buffer, args.onDeviceSizeInBytes);
}

static Error *bufferDevice(BufferDevice &args) {
  args.device = args.buffer->memory->device;
  return nullptr;
}

static Error *bufferIsOnCpu(BufferIsOnCpu &args) {
  // Hosts read buffers of a CPU in place, in which 4-bit integers are packed.
  args.isOnCpu = args.buffer->memory->isHost && !isPacked(args.buffer->type);
  return nullptr;
}

static Error *bufferReadyEvent(BufferReadyEvent &args) {
  std::shared_ptr<Value> value = args.buffer->get();
  args.event = value ? value->event() : doneEvent();
  return nullptr;
}

static Error *bufferUnsafePointer(BufferUnsafePointer &args) {
  void *data = nullptr;
  if (Error *error = Reading(*args.buffer).address(data))
    return error;
  args.bufferPointer = reinterpret_cast<uintptr_t>(data);
  return nullptr;
}

static Error *bufferOpaquePointer(BufferOpaqueDeviceMemoryDataPointer &args) {
  return Reading(*args.buffer).address(args.deviceMemoryPtr);
}

static Error *bufferPin(BufferIncreaseExternalReferenceCount &args) {
  args.buffer->pin();
  return nullptr;
}

static Error *bufferUnpin(BufferDecreaseExternalReferenceCount &args) {
  args.buffer->unpin();
  return nullptr;
}

void addBuffers(Table table) {
  using Type = BufferElementType;
  using Dimensions = BufferDimensions;
  using Unpadded = BufferUnpaddedDimensions;
  table.set<get<&Type::type, &Type::buffer, &Buffer::type>,
            getList<&Dimensions::dims, &Dimensions::numDims,
                    &Dimensions::buffer, &Buffer::dims>,
            getList<&Unpadded::unpaddedDims, &Unpadded::numDims,
                    &Unpadded::buffer, &Buffer::dims>,
            get<&BufferMemory::memory, &BufferMemory::buffer, &Buffer::memory>,
            bufferFromHost, createUninitialized, viewOfDeviceBuffer, toHost,
            copyRawToHost, copyToMemory, copyToDevice,
            destroy<&BufferDestroy::buffer>, bufferDelete, bufferIsDeleted,
            bufferDynamicDimensions, bufferMemoryLayout, bufferOnDeviceSize,
            bufferDevice, bufferIsOnCpu, bufferReadyEvent, bufferUnsafePointer,
            bufferOpaquePointer, bufferPin, bufferUnpin>();
}

} // namespace tensorc::pjrt
