//===- Memory.cpp - Memory of the caller as tensors: the C interface ------===//

#include "compiler/api/Memory.h"

#include "compiler/graph/ops/Builders.h"

#include <cmath>
#include <cstring>

using namespace tensorc;
using namespace tensorc::api;
using graph::DType;
using graph::Node;
using graph::NodeRef;
using graph::Recorder;

bool api::isHostVisible(const tensorc_rt_device *device) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  return properties.host_visible;
}

/// Copies a strided array into dense memory, one innermost row at a time.
static void copyStrided(char *target, const char *source, graph::Ints dims,
                        const int64_t *strides, int64_t width) {
  if (dims.empty()) {
    std::memcpy(target, source, width);
    return;
  }
  int64_t row = dims.back(), inner = strides[dims.size() - 1] * width;
  graph::Shape index(dims.size(), 0);
  while (true) {
    const char *from = source;
    for (size_t d = 0; d + 1 < dims.size(); ++d)
      from += index[d] * strides[d] * width;
    for (int64_t i = 0; i < row; ++i, target += width)
      std::memcpy(target, from + i * inner, width);
    size_t d = dims.size() - 1;
    while (d > 0 && ++index[d - 1] == dims[d - 1])
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

/// Like copyStrided, for 4-bit elements. Strides are in elements.
static std::string packStrided(const char *source, graph::Ints dims,
                               const int64_t *strides, size_t bytes) {
  std::string dense(bytes, '\0');
  graph::Shape index(dims.size(), 0);
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < dims.size(); ++d)
      at += index[d] * strides[d];
    // With negative strides, `at` may be negative: the byte before the first
    // one contains elements -2 and -1.
    int value = static_cast<uint8_t>(source[at >> 1]) >> ((at & 1) * 4) & 15;
    dense[i / 2] |= static_cast<char>(value << (i % 2 * 4));
    for (size_t d = dims.size(); d-- > 0 && ++index[d] == dims[d];)
      index[d] = 0;
  }
  return dense;
}

/// Checks the arguments for data and returns its size in bytes.
static bool checkData(Recorder &r, tensorc_dtype dtype, graph::Ints shape,
                      const void *data, size_t &bytes) {
  if (!r.error.empty())
    return false;
  if (dtypeOf(dtype) == DType::None) {
    r.fail("from_data", "unknown dtype");
    return false;
  }
  if (!graph::checkShape(r, "from_data", dtypeOf(dtype), shape))
    return false;
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  bytes = tx::bytesOf(dtypeOf(dtype), count);
  if (!data && bytes > 0)
    r.fail("from_data", "no data");
  return r.error.empty();
}

static tensorc_status *located(tensorc_rt_status *status, Recorder &r) {
  r.fail("from_data", tensorc_rt_status_message(status));
  tensorc_rt_status *result =
      tensorc_rt_status_create(tensorc_rt_status_code(status), r.error.c_str());
  tensorc_rt_status_free(status);
  return result;
}

/// Copies the data, dense or with strides in elements, into a fresh buffer.
static tensorc_rt_status *fill(tensorc_rt_buffer *buffer, size_t bytes,
                               const void *data, const int64_t *strides,
                               const graph::Ints &shape, DType dtype) {
  if (bytes == 0)
    return nullptr;
  if (!strides)
    return tensorc_rt_buffer_write(buffer, 0, data, bytes, nullptr);
  auto *source = static_cast<const char *>(data);
  if (tx::isPacked(dtype)) {
    std::string dense = packStrided(source, shape, strides, bytes);
    return tensorc_rt_buffer_write(buffer, 0, dense.data(), bytes, nullptr);
  }
  size_t width = tx::byteWidth(dtype);
  if (isHostVisible(tensorc_rt_buffer_device(buffer))) {
    copyStrided(static_cast<char *>(tensorc_rt_buffer_data(buffer)), source,
                shape, strides, width);
    return nullptr;
  }
  std::string dense(bytes, '\0');
  copyStrided(dense.data(), source, shape, strides, width);
  return tensorc_rt_buffer_write(buffer, 0, dense.data(), bytes, nullptr);
}

/// Makes a node from a buffer, on `device` or, if that is null, on the current
/// device.
static NodeRef dataNode(graph::DType dtype, graph::Ints shape,
                        tensorc_rt_buffer *buffer,
                        graph::SourceLocation location,
                        tensorc_rt_device *device = nullptr) {
  NodeRef node =
      NodeRef::take(Node::createData(dtype, shape, buffer, location));
  if (device)
    node->bind(device);
  else
    jit::Session::get().bindCurrent(*node.get());
  return node;
}

/// Makes a tensor from a copy of the data, on the device or, if that is null,
/// on the current device.
static tensorc_status *copied(Recorder &r, tensorc_dtype dtype,
                              graph::Ints shape, const void *data,
                              const int64_t *strides, tensorc_rt_device *place,
                              tensorc_tensor **out) {
  size_t bytes;
  if (!checkData(r, dtype, shape, data, bytes))
    return finish(r, {}, out);
  jit::Status status;
  tensorc_rt_device *device =
      place ? place : jit::Session::get().bufferDevice(status);
  if (!device)
    return located(status.release(), r);
  tensorc_rt_buffer *buffer;
  if (auto *failed = tensorc_rt_buffer_allocate(device, bytes, &buffer))
    return located(failed, r);
  if (auto *failed =
          fill(buffer, bytes, data, strides, shape, dtypeOf(dtype))) {
    tensorc_rt_buffer_release(buffer);
    return located(failed, r);
  }
  return finish(r, dataNode(dtypeOf(dtype), shape, buffer, r.location, place),
                out);
}

tensorc_status *tensorc_from_data(tensorc_dtype dtype, int32_t rank,
                                  const int64_t *dims, const void *data,
                                  const int64_t *strides, tensorc_location at,
                                  tensorc_tensor **out) {
  if (auto *refused = checkOut("from_data", out))
    return refused;
  Recorder r(locationOf(at), "from_data");
  return copied(r, dtype, intsOf(r, "dims", rank, dims), data, strides, nullptr,
                out);
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

namespace {
/// Describes strided memory as operations on a dense array. `padded` is the
/// shape of that array: its dims are in the order of their strides, and each is
/// as long as the stride of the next outer dim divided by its own. Slices, a
/// transpose and a flip of the array give the strided tensor.
class StridedView {
public:
  /// Returns false if strides overlap or do not divide each other.
  bool analyze(graph::Ints dims, const int64_t *strides);
  /// Number of elements from the lowest to the highest address, and number of
  /// elements from the lowest address to the first element.
  int64_t extent = 1, before = 0;
  int64_t paddedCount() const {
    int64_t count = 1;
    for (int64_t size : padded)
      count *= size;
    return count;
  }
  NodeRef record(Recorder &r, NodeRef flat, graph::Ints dims) const;

private:
  graph::Shape padded, sliced;
  graph::Shape order;    // dims of `padded`, by position in the result
  graph::Shape reversed; // dims of the result that are read backwards
  graph::Shape kept;     // the result's shape; repeated dims have size 1
};
} // namespace

bool StridedView::analyze(graph::Ints dims, const int64_t *strides) {
  struct Axis {
    int64_t stride, size;
    unsigned dim;
  };
  llvm::SmallVector<Axis> axes;
  kept.assign(dims.begin(), dims.end());
  for (auto [i, size] : llvm::enumerate(dims)) {
    int64_t stride = strides[i];
    if (size == 1 || stride == 0) {
      kept[i] = 1;
      continue;
    }
    int64_t reach;
    if (llvm::MulOverflow(stride, size - 1, reach) ||
        std::abs(reach) > (int64_t(1) << 48))
      return false;
    if (stride < 0) {
      reversed.push_back(i);
      before -= reach;
    }
    extent += std::abs(reach);
    axes.push_back({std::abs(stride), size, static_cast<unsigned>(i)});
  }
  llvm::sort(axes,
             [](const Axis &a, const Axis &b) { return a.stride > b.stride; });
  int64_t outer = axes.empty() ? 1 : axes.front().stride * axes.front().size;
  for (const Axis &axis : axes) {
    if (outer % axis.stride || outer / axis.stride < axis.size)
      return false;
    padded.push_back(outer / axis.stride);
    sliced.push_back(axis.size);
    outer = axis.stride;
  }
  if (outer > 1) { // padding that nothing reads
    padded.push_back(outer);
    sliced.push_back(1);
  }
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    for (auto [i, axis] : llvm::enumerate(axes))
      if (axis.dim == dim)
        order.push_back(i);
  if (outer > 1)
    order.push_back(axes.size());
  return true;
}

NodeRef StridedView::record(Recorder &r, NodeRef flat, graph::Ints dims) const {
  int64_t missing = paddedCount() - extent;
  NodeRef x = std::move(flat);
  if (missing > 0) {
    graph::Scalar zero = x->dtype() == DType::I1
                             ? graph::Scalar::of(false)
                             : graph::Scalar::of(int64_t(0));
    x = graph::pad(r, x, {0}, {missing}, {0}, zero);
  }
  x = graph::reshape(r, x, padded);
  if (padded != sliced) {
    graph::Shape starts(padded.size(), 0), steps(padded.size(), 1);
    x = graph::slice(r, x, starts, sliced, steps);
  }
  x = graph::transpose(r, x, order);
  x = graph::reshape(r, x, kept);
  if (!reversed.empty())
    x = graph::flip(r, x, reversed);
  return kept == dims ? x : graph::broadcastTo(r, x, dims);
}

static bool isDense(graph::Ints dims, const int64_t *strides) {
  int64_t dense = 1;
  for (size_t i = dims.size(); strides && i-- > 0; dense *= dims[i])
    if (dims[i] != 1 && strides[i] != dense)
      return false;
  return true;
}

/// Minimum size in bytes of memory with gaps that is used in place. Copying
/// less memory costs less than kernels that read gaps.
static constexpr int64_t minBytesWithGaps = 1 << 20;

/// The deleter is called with the given address, even if the buffer begins
/// elsewhere.
namespace {
struct MemoryOwner {
  tensorc_deleter deleter;
  void *user, *data;
  static void release(void *self, void *) {
    std::unique_ptr<MemoryOwner> owner(static_cast<MemoryOwner *>(self));
    if (owner->deleter)
      owner->deleter(owner->user, owner->data);
  }
};

/// The way in which kernels can read the memory, if they can.
struct Reading {
  bool inPlace = false, isDense = false;
  StridedView view;
  size_t bytes; // size from the lowest element to the highest
  // Elements before the first, because a GPU's buffers are aligned.
  int64_t lead = 0;
};
} // namespace

static Reading readingOf(const Memory &memory, tensorc_rt_device *device,
                         size_t bytes) {
  Reading result;
  DType dtype = dtypeOf(memory.dtype);
  size_t width = tx::byteWidth(dtype);
  auto address = reinterpret_cast<uintptr_t>(memory.data);
  bool isHost = isHostVisible(device);
  result.isDense = bytes == 0 || isDense(memory.shape, memory.strides);
  result.bytes = bytes;
  // Host memory for another device is copied.
  result.inPlace = (isHost || memory.device) && address % width == 0;
  if (!result.inPlace)
    return result;
  StridedView &view = result.view;
  if (!isHost && bytes > 0)
    result.isDense &= address % 64 == 0;
  if (!result.isDense) {
    graph::Shape dense(memory.shape.size(), 1);
    for (size_t i = dense.size(); i-- > 1;)
      dense[i - 1] = dense[i] * memory.shape[i];
    const int64_t *strides = memory.strides ? memory.strides : dense.data();
    result.inPlace =
        !tx::isPacked(dtype) && view.analyze(memory.shape, strides);
    result.bytes = view.extent * width;
    bool hasGaps = result.inPlace && view.paddedCount() != view.extent;
    if (isHost && hasGaps && result.bytes < minBytesWithGaps)
      result.inPlace = false;
    if (!isHost)
      result.lead =
          (reinterpret_cast<uintptr_t>(memory.data) - view.before * width) %
          64 / width;
  }
  return result;
}

tensorc_status *api::takeMemory(Recorder &r, const Memory &memory,
                                tensorc_tensor **out) {
  auto [dtype, shape, strides, data, deleter, user, place, stream] = memory;
  jit::Status status;
  tensorc_rt_device *device =
      place ? place : jit::Session::get().bufferDevice(status);
  if (!device)
    return located(status.release(), r);
  size_t bytes;
  if (!checkData(r, dtype, shape, data, bytes))
    return finish(r, {}, out);
  Reading reading = readingOf(memory, device, bytes);
  if (!reading.inPlace && place && !isHostVisible(device)) {
    r.fail("from_memory",
           "the array's strides overlap, or are not multiples of "
           "each other, or it is not aligned to its elements: "
           "make it contiguous first");
    return finish(r, {}, out);
  }
  if (!reading.inPlace) {
    if (stream)
      if (auto *failed = tensorc_rt_stream_synchronize(stream))
        return located(failed, r);
    tensorc_status *failed = copied(
        r, dtype, shape, data, reading.isDense ? nullptr : strides, place, out);
    if (!failed && deleter)
      deleter(user, data);
    return failed;
  }
  DType element = dtypeOf(dtype);
  int64_t width = tx::byteWidth(element);
  char *first = static_cast<char *>(data);
  if (!reading.isDense)
    first -= (reading.view.before + reading.lead) * width;
  auto owner = std::make_unique<MemoryOwner>(MemoryOwner{deleter, user, data});
  tensorc_rt_buffer *buffer;
  if (auto *failed = tensorc_rt_buffer_wrap(
          device, first, reading.bytes + reading.lead * width,
          MemoryOwner::release, owner.get(), &buffer))
    return located(failed, r);
  MemoryOwner *held = owner.release();
  if (stream)
    if (auto *failed = tensorc_rt_buffer_written_on(buffer, stream)) {
      held->deleter = nullptr;
      tensorc_rt_buffer_release(buffer);
      return located(failed, r);
    }
  if (reading.isDense)
    return finish(r, dataNode(element, shape, buffer, r.location, place), out);
  NodeRef all = dataNode(element, reading.view.extent + reading.lead, buffer,
                         r.location, place);
  NodeRef flat = all;
  if (reading.lead)
    flat = graph::slice(r, flat, {reading.lead}, {graph::openEnd}, {1});
  tensorc_status *failed = finish(r, reading.view.record(r, flat, shape), out);
  if (failed)
    held->deleter = nullptr; // After a failure the caller keeps the memory.
  return failed;
}

tensorc_status *tensorc_from_strided_memory(tensorc_dtype dtype, int32_t rank,
                                            const int64_t *dims,
                                            const int64_t *strides, void *data,
                                            tensorc_deleter deleter, void *user,
                                            tensorc_location at,
                                            tensorc_tensor **out) {
  if (auto *refused = checkOut("from_memory", out))
    return refused;
  *out = nullptr;
  Recorder r(locationOf(at), "from_memory");
  graph::Ints shape = intsOf(r, "dims", rank, dims);
  return takeMemory(r, {dtype, shape, strides, data, deleter, user, nullptr},
                    out);
}

tensorc_status *tensorc_from_memory(tensorc_dtype dtype, int32_t rank,
                                    const int64_t *dims, void *data,
                                    tensorc_deleter deleter, void *user,
                                    tensorc_location at, tensorc_tensor **out) {
  return tensorc_from_strided_memory(dtype, rank, dims, nullptr, data, deleter,
                                     user, at, out);
}
