//===- Values.cpp - Data in and out of the C interface --------------------===//

#include "compiler/api/Api.h"
#include "compiler/jit/Streams.h"

#include <cmath>
#include <cstring>

using namespace tensorc;
using namespace tensorc::api;
using graph::DType;
using graph::Node;
using graph::NodeRef;
using graph::Recorder;

tensorc_code tensorc_status_code(const tensorc_status *status) {
  return static_cast<tensorc_code>(tensorc_rt_status_code(status));
}

const char *tensorc_status_message(const tensorc_status *status) {
  return tensorc_rt_status_message(status);
}

void tensorc_status_free(tensorc_status *status) {
  tensorc_rt_status_free(status);
}

void tensorc_string_free(char *text) { std::free(text); }

tensorc_status *api::giveText(const char *called, const std::string &text,
                              char **out) {
  if (auto *refused = checkOut(called, out))
    return refused;
  *out = static_cast<char *>(std::malloc(text.size() + 1));
  if (!*out)
    return tensorc_rt_status_create(TENSORC_RT_OUT_OF_MEMORY, "no memory");
  std::memcpy(*out, text.c_str(), text.size() + 1);
  return nullptr;
}

const char *tensorc_version(void) { return TENSORC_VERSION; }

const char *tensorc_dtype_name(tensorc_dtype dtype) {
  return graph::dtypeName(dtypeOf(dtype));
}

int64_t tensorc_dtype_size(tensorc_dtype dtype) {
  return graph::byteWidth(dtypeOf(dtype));
}

tensorc_dtype tensorc_promote(tensorc_dtype a, tensorc_dtype b) {
  if (dtypeOf(a) == DType::None || dtypeOf(b) == DType::None)
    return static_cast<tensorc_dtype>(0);
  return static_cast<tensorc_dtype>(
      graph::promote(dtypeOf(a), dtypeOf(b)).value_or(DType::None));
}

void tensorc_tensor_retain(tensorc_tensor *tensor) {
  if (tensor)
    nodeOf(tensor)->retainHandle();
}

void tensorc_tensor_release(tensorc_tensor *tensor) {
  if (tensor)
    nodeOf(tensor)->releaseHandle();
}

tensorc_dtype tensorc_tensor_dtype(const tensorc_tensor *tensor) {
  return static_cast<tensorc_dtype>(tensor ? nodeOf(tensor)->dtype()
                                           : graph::DType::None);
}

int32_t tensorc_tensor_rank(const tensorc_tensor *tensor) {
  return tensor ? nodeOf(tensor)->rank() : 0;
}

const int64_t *tensorc_tensor_dims(const tensorc_tensor *tensor) {
  return tensor ? nodeOf(tensor)->shape().data() : nullptr;
}

tensorc_location tensorc_tensor_location(const tensorc_tensor *tensor) {
  if (!tensor)
    return {nullptr, 0};
  graph::SourceLocation at = nodeOf(tensor)->location();
  return {at.file, at.line};
}

int32_t tensorc_tensor_is_evaluated(const tensorc_tensor *tensor) {
  return tensor ? nodeOf(tensor)->isEvaluated() : 0;
}

int32_t tensorc_tensor_is_traced(const tensorc_tensor *tensor) {
  return tensor ? nodeOf(tensor)->isTraced() : 0;
}

//===----------------------------------------------------------------------===//
// In
//===----------------------------------------------------------------------===//

/// Copies a strided array into dense memory, an innermost row at a time.
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

/// The same of elements of 4 bits; strides count elements there, too.
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
    // Strides may be negative: the byte before the first has elements -2, -1.
    int value = static_cast<uint8_t>(source[at >> 1]) >> ((at & 1) * 4) & 15;
    dense[i / 2] |= static_cast<char>(value << (i % 2 * 4));
    for (size_t d = dims.size(); d-- > 0 && ++index[d] == dims[d];)
      index[d] = 0;
  }
  return dense;
}

/// Checks a request for data and gives its size in bytes.
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

/// Whether the host may use the memory of the device's buffers in place.
static bool isHostVisible(const tensorc_rt_device *device) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  return properties.host_visible;
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

/// A value that belongs to the current device, in a buffer that is there.
static NodeRef currentData(graph::DType dtype, graph::Ints shape,
                           tensorc_rt_buffer *buffer,
                           graph::SourceLocation location) {
  NodeRef node =
      NodeRef::take(Node::createData(dtype, shape, buffer, location));
  jit::Session::get().bindCurrent(*node.get());
  return node;
}

/// A tensor with a copy of the data.
static tensorc_status *copied(Recorder &r, tensorc_dtype dtype,
                              graph::Ints shape, const void *data,
                              const int64_t *strides, tensorc_tensor **out) {
  size_t bytes;
  if (!checkData(r, dtype, shape, data, bytes))
    return finish(r, {}, out);
  jit::Status status;
  tensorc_rt_device *device = jit::Session::get().bufferDevice(status);
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
  return finish(r, currentData(dtypeOf(dtype), shape, buffer, r.location), out);
}

tensorc_status *tensorc_from_data(tensorc_dtype dtype, int32_t rank,
                                  const int64_t *dims, const void *data,
                                  const int64_t *strides, tensorc_location at,
                                  tensorc_tensor **out) {
  if (auto *refused = checkOut("from_data", out))
    return refused;
  Recorder r(locationOf(at), "from_data");
  return copied(r, dtype, intsOf(r, "dims", rank, dims), data, strides, out);
}

tensorc_status *tensorc_from_memory(tensorc_dtype dtype, int32_t rank,
                                    const int64_t *dims, void *data,
                                    tensorc_deleter deleter, void *user,
                                    tensorc_location at, tensorc_tensor **out) {
  if (auto *refused = checkOut("from_memory", out))
    return refused;
  *out = nullptr;
  Recorder r(locationOf(at), "from_memory");
  graph::Ints shape = intsOf(r, "dims", rank, dims);
  jit::Status status;
  tensorc_rt_device *device = jit::Session::get().bufferDevice(status);
  if (!device)
    return located(status.release(), r);
  if (reinterpret_cast<uintptr_t>(data) % 64 != 0 || !isHostVisible(device)) {
    tensorc_status *status = copied(r, dtype, shape, data, nullptr, out);
    if (!status && deleter)
      deleter(user, data);
    return status;
  }
  size_t bytes;
  if (!checkData(r, dtype, shape, data, bytes))
    return finish(r, {}, out);
  tensorc_rt_buffer *buffer;
  if (auto *failed =
          tensorc_rt_buffer_wrap(device, data, bytes, deleter, user, &buffer))
    return located(failed, r);
  return finish(r, currentData(dtypeOf(dtype), shape, buffer, r.location), out);
}

//===----------------------------------------------------------------------===//
// Out
//===----------------------------------------------------------------------===//

static tensorc_status *emptyTensor(const char *what) {
  return refusal(llvm::Twine(what) + ": the tensor is empty");
}

tensorc_status *tensorc_eval(tensorc_tensor *const *tensors, int32_t count) {
  Recorder r({}, "eval");
  if (!checkList(r, "tensors", count, tensors))
    return refusal(r);
  llvm::SmallVector<Node *, 4> roots;
  for (int32_t i = 0; i < count; ++i) {
    if (!tensors[i])
      return emptyTensor("eval");
    roots.push_back(nodeOf(tensors[i]));
  }
  return jit::Session::get().evaluate(roots).release();
}

/// On the thread's stream; waits for the work that computes the value.
static tensorc_status *readBuffer(Node &node, void *data, size_t size) {
  return tensorc_rt_buffer_read(
      node.buffer(), 0, data, size,
      jit::currentStream(tensorc_rt_buffer_device(node.buffer())));
}

tensorc_status *tensorc_read(tensorc_tensor *tensor, void *data, size_t size) {
  if (!tensor)
    return emptyTensor("read");
  if (!data && size > 0)
    return refusal("read: the data is NULL");
  if (auto *status = tensorc_eval(&tensor, 1))
    return status;
  Node *node = nodeOf(tensor);
  if (size != static_cast<size_t>(node->byteSize()))
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                    ("read: the tensor has " +
                                     std::to_string(node->byteSize()) +
                                     " bytes, not " + std::to_string(size))
                                        .c_str());
  if (size == 0)
    return nullptr;
  return readBuffer(*node, data, size);
}

static tensorc_rt_array arrayOf(const Node &node, const void *data) {
  return {const_cast<void *>(data), static_cast<tensorc_rt_dtype>(node.dtype()),
          static_cast<int32_t>(node.rank()), node.shape().data()};
}

tensorc_status *tensorc_item(tensorc_tensor *tensor, double *out_f,
                             int64_t *out_i) {
  if (!out_f || !out_i)
    return refusal("item: an out parameter is NULL");
  *out_f = 0;
  *out_i = 0;
  if (!tensor)
    return emptyTensor("item");
  Node *node = nodeOf(tensor);
  if (node->numElements() != 1)
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                    ("item: the tensor has shape " +
                                     graph::shapeString(node->shape()) +
                                     ", not one element")
                                        .c_str());
  char bytes[8] = {};
  if (auto *status = tensorc_read(tensor, bytes, node->byteSize()))
    return status;
  tensorc_rt_array array = arrayOf(*node, bytes);
  return tensorc_rt_array_element(&array, 0, out_f, out_i);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

tensorc_status *tensorc_to_string(tensorc_tensor *tensor, char **out) {
  if (auto *refused = checkOut("to_string", out))
    return refused;
  *out = nullptr;
  if (!tensor)
    return emptyTensor("to_string");
  if (auto *status = tensorc_eval(&tensor, 1))
    return status;
  Node *node = nodeOf(tensor);
  tensorc_rt_buffer *buffer = node->buffer();
  if (auto *failed = tensorc_rt_buffer_synchronize(buffer))
    return failed;
  const void *data = tensorc_rt_buffer_data(buffer);
  std::string copy;
  if (!isHostVisible(tensorc_rt_buffer_device(buffer))) {
    copy.resize(tensorc_rt_buffer_size(buffer));
    if (auto *failed = readBuffer(*node, copy.data(), copy.size()))
      return failed;
    data = copy.data();
  }
  tensorc_rt_array array = arrayOf(*node, data);
  return tensorc_rt_array_to_string(&array, out);
}

tensorc_status *tensorc_to_mlir(tensorc_tensor *tensor, int32_t symbolic,
                                char **out) {
  if (auto *refused = checkOut("to_mlir", out))
    return refused;
  *out = nullptr;
  if (!tensor)
    return emptyTensor("to_mlir");
  return giveText("to_mlir",
                  jit::Session::get().moduleText(*nodeOf(tensor), symbolic),
                  out);
}
