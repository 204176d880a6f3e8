//===- Values.cpp - Tensors and their values: the C interface -------------===//

#include "compiler/api/Memory.h"
#include "compiler/session/jit/Streams.h"
#include "compiler/session/jit/ThreadObjects.h"

#include "llvm/Support/SaveAndRestore.h"

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
  if (Deferred *deferred = Deferred::from(tensor))
    deferred->retain();
  else if (tensor)
    nodeOf(tensor)->retainHandle();
}

void tensorc_tensor_release(tensorc_tensor *tensor) {
  if (Deferred *deferred = Deferred::from(tensor))
    deferred->release();
  else if (tensor)
    nodeOf(tensor)->releaseHandle();
}

tensorc_dtype tensorc_tensor_dtype(const tensorc_tensor *tensor) {
  if (const Deferred *deferred = Deferred::from(tensor))
    return static_cast<tensorc_dtype>(deferred->dtype);
  return static_cast<tensorc_dtype>(tensor ? nodeOf(tensor)->dtype()
                                           : graph::DType::None);
}

int32_t tensorc_tensor_rank(const tensorc_tensor *tensor) {
  if (const Deferred *deferred = Deferred::from(tensor))
    return static_cast<int32_t>(deferred->rank);
  return tensor ? nodeOf(tensor)->rank() : 0;
}

const int64_t *tensorc_tensor_dims(const tensorc_tensor *tensor) {
  return tensor ? nodeOf(tensor)->shape().data() : nullptr;
}

tensorc_location tensorc_tensor_location(const tensorc_tensor *tensor) {
  if (!tensor)
    return {nullptr, 0};
  const Deferred *deferred = Deferred::from(tensor);
  graph::SourceLocation at =
      deferred ? deferred->location : nodeOf(tensor)->location();
  return {at.file, at.line};
}

int32_t tensorc_tensor_is_evaluated(const tensorc_tensor *tensor) {
  const Deferred *deferred = Deferred::from(tensor);
  const Node *node = deferred ? deferred->known() : nodeOf(tensor);
  return node && node->isEvaluated();
}

int32_t tensorc_tensor_is_traced(const tensorc_tensor *tensor) {
  return tensor && !Deferred::from(tensor) && nodeOf(tensor)->isTraced();
}

//===----------------------------------------------------------------------===//
// Out
//===----------------------------------------------------------------------===//

static tensorc_status *emptyTensor(const char *what) {
  return refusal(llvm::Twine(what) + ": the tensor is undefined");
}

tensorc_status *tensorc_eval(tensorc_tensor *const *tensors, int32_t count) {
  Recorder r({}, "eval");
  if (!checkList(r, "tensors", count, tensors))
    return refusal(r);
  llvm::SmallVector<Node *, 4> roots;
  for (int32_t i = 0; i < count; ++i) {
    if (!tensors[i])
      return emptyTensor("eval");
    if (auto *status = tensorc_tensor_settle(tensors[i]))
      return status;
    roots.push_back(nodeOf(tensors[i]));
  }
  return jit::Session::get().evaluate(roots).release();
}

tensorc_status *api::computeWhole(tensorc_tensor *tensor, NodeRef &out) {
  if (auto *status = tensorc_eval(&tensor, 1))
    return status;
  out = refOf(tensor);
  return out->split() ? jit::reshard(out, nullptr).release() : nullptr;
}

/// Reads on the thread's stream. Waits for the work that computes the value.
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
  NodeRef node;
  if (auto *status = computeWhole(tensor, node))
    return status;
  if (size != static_cast<size_t>(node->byteSize()))
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                    ("read: the tensor has " +
                                     std::to_string(node->byteSize()) +
                                     " bytes, not " + std::to_string(size))
                                        .c_str());
  if (size == 0)
    return nullptr;
  return readBuffer(*node.get(), data, size);
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
  if (auto *status = tensorc_tensor_settle(tensor))
    return status;
  Node *node = nodeOf(tensor);
  if (node->numElements() != 1)
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                    ("item: the tensor has shape " +
                                     graph::shapeString(node->shape()) +
                                     ", not one element")
                                        .c_str());
  if (graph::isComplex(node->dtype()))
    return refusal(llvm::Twine("item: the tensor is ") +
                   graph::dtypeName(node->dtype()) +
                   "; read it, or take real(x) or imag(x)");
  char bytes[8] = {};
  llvm::SaveAndRestore<const char *> named(jit::reader, "item");
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
  llvm::SaveAndRestore<const char *> named(jit::reader, "to_string");
  NodeRef node;
  if (auto *status = computeWhole(tensor, node))
    return status;
  tensorc_rt_buffer *buffer = node->buffer();
  if (auto *failed = tensorc_rt_buffer_synchronize(buffer))
    return failed;
  const void *data = tensorc_rt_buffer_data(buffer);
  std::string copy;
  if (!isHostVisible(tensorc_rt_buffer_device(buffer))) {
    copy.resize(tensorc_rt_buffer_size(buffer));
    if (auto *failed = readBuffer(*node.get(), copy.data(), copy.size()))
      return failed;
    data = copy.data();
  }
  tensorc_rt_array array = arrayOf(*node.get(), data);
  if (auto *failed = tensorc_rt_array_to_string(&array, out))
    return failed;
  jit::Status status;
  tensorc_rt_device *device = tensorc_rt_buffer_device(buffer);
  if (device == jit::Session::get().bufferDevice(status) || status)
    return status.release();
  std::string text(*out);
  std::free(*out);
  text.insert(text.size() - 1,
              std::string(", device=") + graph::deviceName(device));
  return giveText("to_string", text, out);
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
