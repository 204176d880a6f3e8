//===- DLPack.cpp - Exchange of tensors with other frameworks -------------===//

#include "compiler/api/DLPackAbi.h"
#include "compiler/api/Memory.h"
#include "runtime/abi/DeviceKinds.h"

#include "tensorc/dlpack.h"

#include <atomic>

using namespace tensorc;
using namespace tensorc::api;
using graph::DType;
using graph::Recorder;

//===----------------------------------------------------------------------===//
// Dtypes and devices
//===----------------------------------------------------------------------===//

namespace {
struct DTypeEntry {
  DType dtype;
  uint8_t code, bits;
};
} // namespace

static constexpr DTypeEntry dtypes[] = {{DType::I1, kDLBool, 8},
                                        {DType::I8, kDLInt, 8},
                                        {DType::I16, kDLInt, 16},
                                        {DType::I32, kDLInt, 32},
                                        {DType::I64, kDLInt, 64},
                                        {DType::UI8, kDLUInt, 8},
                                        {DType::UI16, kDLUInt, 16},
                                        {DType::UI32, kDLUInt, 32},
                                        {DType::UI64, kDLUInt, 64},
                                        {DType::F16, kDLFloat, 16},
                                        {DType::BF16, kDLBfloat, 16},
                                        {DType::F32, kDLFloat, 32},
                                        {DType::F64, kDLFloat, 64},
                                        {DType::F8E4M3FN, kDLFloat8_e4m3fn, 8},
                                        {DType::F8E5M2, kDLFloat8_e5m2, 8},
                                        {DType::I4, kDLInt, 4},
                                        {DType::UI4, kDLUInt, 4},
                                        {DType::C64, kDLComplex, 64},
                                        {DType::C128, kDLComplex, 128}};

/// Returns the type's name in NumPy or ml_dtypes.
static std::string nameOf(DLDataType type) {
  static constexpr const char *kinds[] = {"int",
                                          "uint",
                                          "float",
                                          "opaque handle",
                                          "bfloat",
                                          "complex",
                                          "bool",
                                          "float8_e3m4",
                                          "float8_e4m3",
                                          "float8_e4m3b11fnuz",
                                          "float8_e4m3fn",
                                          "float8_e4m3fnuz",
                                          "float8_e5m2",
                                          "float8_e5m2fnuz",
                                          "float8_e8m0fnu",
                                          "float6_e2m3fn",
                                          "float6_e3m2fn",
                                          "float4_e2m1fn"};
  std::string name = type.code < std::size(kinds)
                         ? kinds[type.code]
                         : "code " + std::to_string(type.code);
  if (type.code < 3 || type.code == 4 || type.code == 5)
    name += std::to_string(type.bits);
  if (type.lanes != 1)
    name += " x " + std::to_string(type.lanes) + " lanes";
  return name;
}

static DType dtypeOf(DLDataType type) {
  for (const DTypeEntry &entry : dtypes)
    if (entry.code == type.code && entry.bits == type.bits && type.lanes == 1)
      return entry.dtype;
  return DType::None;
}

/// Returns the device with DLPack's device type and id; null after an error.
static tensorc_rt_device *deviceOf(Recorder &r, int32_t type, int32_t id) {
  auto *kind = llvm::find_if(rt::deviceKinds, [&](const rt::DeviceKind &kind) {
    return type && (kind.dlpack == type || kind.dlpackHost == type);
  });
  if (kind == std::end(rt::deviceKinds)) {
    r.fail("from_dlpack",
           "arrays on devices of DLPack's type " + llvm::Twine(type) +
               " are not supported: " +
               rt::listDeviceKinds(
                   [](const rt::DeviceKind &kind) { return kind.dlpack; }));
    return nullptr;
  }
  bool isHost = type == kDLCPU || type == kind->dlpackHost;
  // Cached, because calls of small functions pass many arrays.
  static std::atomic<tensorc_rt_device *> host{nullptr};
  tensorc_rt_device *found = nullptr;
  if (isHost && (found = host.load(std::memory_order_acquire)))
    return found;
  std::string name =
      isHost ? "cpu:0" : std::string(kind->name) + ":" + std::to_string(id);
  if (jit::Status status = jit::Session::get().findBuffers(name, found)) {
    r.fail("from_dlpack", tensorc_rt_status_message(status.get()));
    return nullptr;
  }
  if (isHost)
    host.store(found, std::memory_order_release);
  return found;
}

tensorc_status *tensorc_dlpack_find_device(int32_t type, int32_t id,
                                           tensorc_rt_device **out) {
  if (auto *refused = checkOut("dlpack_find_device", out))
    return refused;
  Recorder r({}, "from_dlpack");
  *out = deviceOf(r, type, id);
  return *out ? nullptr : refusal(r);
}

void tensorc_dlpack_device(const tensorc_rt_device *device, int32_t *out_type,
                           int32_t *out_id) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  llvm::StringRef name = properties.name;
  const rt::DeviceKind *kind = rt::findDeviceKind(name);
  int32_t type = kind && kind->dlpack      ? kind->dlpack
                 : properties.host_visible ? kDLCPU
                                           : 0;
  int32_t id = 0;
  if (type != kDLCPU)
    name.split(':').second.getAsInteger(10, id);
  if (out_type)
    *out_type = type;
  if (out_id)
    *out_id = type ? id : 0;
}

//===----------------------------------------------------------------------===//
// In
//===----------------------------------------------------------------------===//

namespace {
/// Calls the array's deleter, unless ownership was transferred.
template <typename Managed> struct Owner {
  Managed *array;
  ~Owner() { release(array, nullptr); }
  static void release(void *array, void *) {
    auto *managed = static_cast<Managed *>(array);
    if (managed && managed->deleter)
      managed->deleter(managed);
  }
};
} // namespace

static bool checkArray(Recorder &r, const DLTensor &array, uint64_t flags) {
  DType dtype = dtypeOf(array.dtype);
  if (dtype == DType::None)
    r.fail("from_dlpack", "tensorc has no dtype for " + nameOf(array.dtype));
  else if (tx::isPacked(dtype) && flags & dlpackIsPadded)
    r.fail("from_dlpack", nameOf(array.dtype) +
                              " with a byte for each element is not supported");
  else if (array.byte_offset && !array.data)
    r.fail("from_dlpack", "an offset without memory");
  else
    checkList(r, "dims", array.ndim, array.shape);
  return r.error.empty();
}

/// Returns an error text if the stream does not fit an array on the device,
/// else "".
static std::string wrongStream(const tensorc_rt_stream *stream,
                               const tensorc_rt_device *device) {
  const tensorc_rt_device *other = tensorc_rt_stream_device(stream);
  if (!other || other == device)
    return "";
  tensorc_rt_device_properties theirs, ours;
  tensorc_rt_device_get_properties(other, &theirs);
  tensorc_rt_device_get_properties(device, &ours);
  return std::string("the stream is of ") + theirs.name + ", the array is on " +
         ours.name;
}

template <typename Managed>
static tensorc_status *take(Managed *array, uint64_t flags,
                            tensorc_rt_stream *stream, Recorder &r,
                            tensorc_tensor **out) {
  Owner<Managed> owner{array};
  const DLTensor &tensor = array->dl_tensor;
  if (!checkArray(r, tensor, flags))
    return refusal(r);
  tensorc_rt_device *device =
      deviceOf(r, tensor.device.device_type, tensor.device.device_id);
  if (!device)
    return refusal(r);
  if (std::string wrong = wrongStream(stream, device); !wrong.empty()) {
    r.fail("from_dlpack", wrong);
    return refusal(r);
  }
  char *data = static_cast<char *>(tensor.data);
  Memory memory = {static_cast<tensorc_dtype>(dtypeOf(tensor.dtype)),
                   graph::Ints(tensor.shape, tensor.ndim),
                   tensor.ndim ? tensor.strides : nullptr,
                   data ? data + tensor.byte_offset : nullptr,
                   Owner<Managed>::release,
                   array,
                   device,
                   stream};
  // The array's deleter is the memory's `user`. If taking the memory fails,
  // `owner` still owns the array.
  tensorc_status *failed = takeMemory(r, memory, out);
  if (!failed)
    owner.array = nullptr;
  return failed;
}

tensorc_status *tensorc_from_dlpack_unversioned(struct DLManagedTensor *array,
                                                tensorc_rt_stream *stream,
                                                tensorc_location at,
                                                tensorc_tensor **out) {
  if (tensorc_status *refused = checkOut("from_dlpack", out)) {
    Owner<DLManagedTensor> owner{array};
    return refused;
  }
  *out = nullptr;
  Recorder r(locationOf(at), "from_dlpack");
  if (array)
    return take(array, 0, stream, r, out);
  r.fail("from_dlpack", "the array is NULL");
  return refusal(r);
}

tensorc_status *tensorc_from_dlpack(struct DLManagedTensorVersioned *array,
                                    tensorc_rt_stream *stream,
                                    tensorc_location at, tensorc_tensor **out) {
  if (tensorc_status *refused = checkOut("from_dlpack", out)) {
    Owner<DLManagedTensorVersioned> owner{array};
    return refused;
  }
  *out = nullptr;
  Recorder r(locationOf(at), "from_dlpack");
  if (!array) {
    r.fail("from_dlpack", "the array is NULL");
  } else if (array->version.major != 1) {
    // Of structs with another major version only the members up to the deleter
    // are known.
    Owner<DLManagedTensorVersioned> owner{array};
    r.fail("from_dlpack", "the array is of version " +
                              llvm::Twine(array->version.major) + "." +
                              llvm::Twine(array->version.minor) +
                              " of DLPack, expected 1");
  } else {
    return take(array, array->flags, stream, r, out);
  }
  return refusal(r);
}

//===----------------------------------------------------------------------===//
// Out
//===----------------------------------------------------------------------===//

namespace {
/// A DLPack array, and the objects that it refers to.
template <typename Managed> struct Exported {
  Managed managed = {};
  tensorc_rt_buffer *buffer = nullptr;
  tensorc_rt_stream *stream = nullptr; // the receiver's
  graph::Shape shape, strides;

  Exported() { managed.manager_ctx = this; }
  ~Exported() {
    if (stream)
      tensorc_status_free(tensorc_rt_buffer_used_on(buffer, stream));
    tensorc_rt_buffer_release(buffer);
    tensorc_rt_stream_release(stream);
  }
};
} // namespace

template <typename Managed>
static tensorc_status *give(tensorc_tensor *tensor, tensorc_rt_stream *stream,
                            bool copy, Managed **out) {
  auto exported = std::make_unique<Exported<Managed>>();
  if (!tensor)
    return refusal("to_dlpack: the tensor is undefined");
  graph::NodeRef node;
  if (auto *failed = computeWhole(tensor, node))
    return failed;
  tensorc_rt_buffer *value = node->buffer();
  tensorc_rt_device *device = tensorc_rt_buffer_device(value);
  DLTensor &array = exported->managed.dl_tensor;
  tensorc_dlpack_device(device, &array.device.device_type,
                        &array.device.device_id);
  if (!array.device.device_type)
    return refusal(llvm::Twine("to_dlpack: DLPack has no device for ") +
                   graph::deviceName(device) + "; move the tensor with to()");
  if (std::string wrong = wrongStream(stream, device); !wrong.empty())
    return refusal("to_dlpack: " + wrong);
  if (copy) {
    if (auto *failed = copyBuffer(value, node->byteSize(), &exported->buffer))
      return failed;
  } else {
    tensorc_rt_buffer_retain(exported->buffer = value);
  }
  if (auto *failed = stream
                         ? tensorc_rt_buffer_ready_on(exported->buffer, stream)
                         : tensorc_rt_buffer_synchronize(exported->buffer))
    return failed;
  tensorc_rt_stream_retain(exported->stream = stream);
  exported->shape.assign(node->shape().begin(), node->shape().end());
  exported->strides.resize(node->rank());
  int64_t stride = 1;
  for (size_t i = node->rank(); i-- > 0; stride *= exported->shape[i])
    exported->strides[i] = stride;
  array.data = tensorc_rt_buffer_data(exported->buffer);
  array.ndim = static_cast<int32_t>(node->rank());
  for (const DTypeEntry &entry : dtypes)
    if (entry.dtype == node->dtype())
      array.dtype = {entry.code, entry.bits, 1};
  array.shape = exported->shape.data();
  array.strides = exported->strides.data();
  exported->managed.deleter = [](Managed *self) {
    delete static_cast<Exported<Managed> *>(self->manager_ctx);
  };
  *out = &exported.release()->managed;
  return nullptr;
}

static tensorc_status *giveVersioned(tensorc_tensor *tensor,
                                     tensorc_rt_stream *stream, bool copy,
                                     DLManagedTensorVersioned **out) {
  if (auto *refused = checkOut("to_dlpack", out))
    return refused;
  *out = nullptr;
  if (auto *failed = give(tensor, stream, copy, out))
    return failed;
  (*out)->version = {1, 0};
  (*out)->flags = copy ? dlpackIsCopied : dlpackReadOnly;
  return nullptr;
}

tensorc_status *tensorc_to_dlpack(tensorc_tensor *tensor,
                                  tensorc_rt_stream *stream,
                                  struct DLManagedTensorVersioned **out) {
  return giveVersioned(tensor, stream, /*copy=*/false, out);
}

tensorc_status *
tensorc_to_dlpack_copied(tensorc_tensor *tensor, tensorc_rt_stream *stream,
                         struct DLManagedTensorVersioned **out) {
  return giveVersioned(tensor, stream, /*copy=*/true, out);
}

tensorc_status *tensorc_to_dlpack_unversioned(tensorc_tensor *tensor,
                                              tensorc_rt_stream *stream,
                                              struct DLManagedTensor **out) {
  if (auto *refused = checkOut("to_dlpack", out))
    return refused;
  *out = nullptr;
  return give(tensor, stream, /*copy=*/true, out);
}
