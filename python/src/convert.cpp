//===- convert.cpp - Converts numbers, buffers and DLPack to arrays -------===//
#include "core.h"

#include "tensorc/arrays.h"
#include "tensorc/dlpack.h"

#include <cstring>

namespace tcpy {
namespace {

Array scalarOf(const tensorc_arg &arg) {
  tensorc_dtype dtype = arg.kind == TENSORC_ARG_BOOL   ? TENSORC_I1
                        : arg.kind == TENSORC_ARG_INT  ? TENSORC_I64
                        : arg.kind == TENSORC_ARG_UINT ? TENSORC_UI64
                        : arg.kind == TENSORC_ARG_COMPLEX
                            ? defaultComplex()
                            : tensorc_default_dtype();
  tensorc_tensor *out = nullptr;
  checkRange(arg, dtype, here());
  tensorc_status *status = tensorc_full(dtype, 0, nullptr, &arg, here(), &out);
  return taken(status, out);
}

/// A buffer of a memoryview, for the lifetime of this object.
class Buffer {
public:
  explicit Buffer(const nb::object &view) {
    if (PyObject_GetBuffer(view.ptr(), &buffer, PyBUF_FULL_RO))
      throw nb::python_error();
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { PyBuffer_Release(&buffer); }
  Py_buffer *operator->() { return &buffer; }
  Py_buffer *get() { return &buffer; }

private:
  Py_buffer buffer;
};

/// Makes an array from a buffer. It shares the buffer's memory if `share` is
/// set and is a copy otherwise.
Array ofBuffer(nb::handle value, bool share) {
  nb::object view = nb::steal(PyMemoryView_FromObject(value.ptr()));
  if (!view) {
    PyErr_Clear();
    raise(PyExc_TypeError,
          "an array of " +
              nb::cast<std::string>(nb::str(value.type().attr("__name__"))) +
              " has elements that tensorc does not have");
  }
  Buffer buffer(view);
  tensorc_dtype dtype = ofFormat(buffer->format, buffer->itemsize);
  // If the buffer has the other byte order, NumPy swaps the bytes.
  if (!dtype && buffer->format && buffer->format[0] == '>' &&
      nb::hasattr(value, "astype")) {
    if (share)
      raise(PyExc_ValueError,
            "copy=False: the bytes are of the other order, so they are copied");
    nb::object native = value.attr("dtype").attr("newbyteorder")("=");
    return ofBuffer(value.attr("astype")(native), false);
  }
  if (!dtype)
    raise(PyExc_TypeError,
          std::string("tensorc has no dtype for elements of the format '") +
              (buffer->format ? buffer->format : "") + "'");
  std::vector<int64_t> dims(buffer->shape, buffer->shape + buffer->ndim),
      strides;
  bool isRegular = reinterpret_cast<uintptr_t>(buffer->buf) %
                       static_cast<size_t>(buffer->itemsize) ==
                   0;
  for (int i = 0; i < buffer->ndim; ++i) {
    strides.push_back(buffer->strides[i] / buffer->itemsize);
    isRegular &= buffer->strides[i] % buffer->itemsize == 0;
  }
  tensorc_tensor *out = nullptr;
  tensorc_location at = here();
  if (share) {
    if (!isRegular)
      raise(PyExc_ValueError,
            "copy=False: the elements are not aligned, so they are copied");
    PyObject *kept = nb::object(view).release().ptr();
    tensorc_status *status = tensorc_from_strided_memory(
        dtype, buffer->ndim, dims.data(), strides.data(), buffer->buf,
        [](void *user, void *) { dropLater(static_cast<PyObject *>(user)); },
        kept, at, &out);
    if (status)
      Py_DECREF(kept);
    return taken(status, out);
  }
  tensorc_status *status;
  if (isRegular) {
    status = tensorc_from_data(dtype, buffer->ndim, dims.data(), buffer->buf,
                               strides.data(), at, &out);
  } else {
    std::vector<char> dense(static_cast<size_t>(buffer->len));
    if (PyBuffer_ToContiguous(dense.data(), buffer.get(), buffer->len, 'C'))
      throw nb::python_error();
    status = tensorc_from_data(dtype, buffer->ndim, dims.data(), dense.data(),
                               nullptr, at, &out);
  }
  return taken(status, out);
}

Array bitcast(const Array &x, tensorc_dtype dtype) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_bitcast(x.raw(), dtype, here(), &out);
  return taken(status, out);
}

/// Returns the current stream of the array's device; NULL on the host.
tensorc_rt_stream *currentStream(nb::handle value) {
  if (!nb::hasattr(value, "__dlpack_device__"))
    return nullptr;
  nb::tuple place(value.attr("__dlpack_device__")());
  tensorc_rt_device *device = nullptr;
  check(tensorc_dlpack_find_device(nb::cast<int>(place[0]),
                                   nb::cast<int>(place[1]), &device));
  tensorc_rt_device_properties properties{};
  tensorc_rt_device_get_properties(device, &properties);
  if (properties.host_visible)
    return nullptr;
  return tensorc_current_stream(device);
}

/// Converts an object that has __dlpack__, or a DLPack capsule.
Array ofDLPack(nb::handle value) {
  nb::object capsule = nb::borrow(value);
  tensorc_rt_stream *stream = nullptr;
  if (!PyCapsule_CheckExact(value.ptr())) {
    if (!nb::hasattr(value, "__dlpack__"))
      raise(PyExc_TypeError,
            "from_dlpack: " +
                nb::cast<std::string>(nb::str(value.type().attr("__name__"))) +
                " has no __dlpack__");
    stream = currentStream(value);
    // The stream that the producer must synchronize with.
    nb::object given = nb::none();
    if (stream)
      given = nb::int_(
          reinterpret_cast<uintptr_t>(tensorc_rt_stream_native(stream)));
    try {
      capsule = value.attr("__dlpack__")(nb::arg("stream") = given,
                                         nb::arg("max_version") =
                                             nb::make_tuple(1, 1));
    } catch (nb::python_error &error) {
      if (!error.matches(PyExc_TypeError))
        throw;
      capsule = stream ? value.attr("__dlpack__")(nb::arg("stream") = given)
                       : value.attr("__dlpack__")();
    }
  }
  const char *name = PyCapsule_GetName(capsule.ptr());
  bool isVersioned = name && std::strcmp(name, "dltensor_versioned") == 0;
  if (!isVersioned && !(name && std::strcmp(name, "dltensor") == 0))
    raise(PyExc_TypeError,
          "__dlpack__ gave no capsule of an array, or a used one");
  void *raw = PyCapsule_GetPointer(capsule.ptr(), name);
  PyCapsule_SetName(capsule.ptr(),
                    isVersioned ? "used_dltensor_versioned" : "used_dltensor");
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      isVersioned
          ? tensorc_from_dlpack(static_cast<DLManagedTensorVersioned *>(raw),
                                stream, here(), &out)
          : tensorc_from_dlpack_unversioned(static_cast<DLManagedTensor *>(raw),
                                            stream, here(), &out);
  return taken(status, out);
}

/// Converts an array of ml_dtypes, which has no buffer format, through its
/// bits.
Array ofBits(nb::handle value, tensorc_dtype dtype) {
  const char *bits = tensorc_dtype_size(dtype) == 2 ? "uint16" : "uint8";
  return bitcast(ofBuffer(value.attr("view")(bits), false), dtype);
}

tensorc_dtype withoutFormat(nb::handle value) {
  if (!nb::hasattr(value, "dtype") || !nb::hasattr(value.attr("dtype"), "name"))
    return {};
  std::string name =
      nb::cast<std::string>(nb::str(value.attr("dtype").attr("name")));
  for (auto [known, dtype] : {std::pair{"bfloat16", TENSORC_BF16},
                              {"float8_e4m3fn", TENSORC_F8E4M3FN},
                              {"float8_e5m2", TENSORC_F8E5M2}})
    if (name == known)
      return dtype;
  // NumPy scalars of these dtypes have buffers of bytes.
  if (name.starts_with("datetime64") || name.starts_with("timedelta64"))
    raise(PyExc_TypeError, "tensorc has no dtype for " + name);
  return {};
}
} // namespace

static Array convert(nb::handle value, bool share) {
  if (Array *array = arrayIn(value)) {
    array->held();
    return *array;
  }
  if (isList(value.ptr())) {
    if (share)
      raise(PyExc_ValueError, "copy=False: a list is always copied");
    return ofList(value);
  }
  if (PyBool_Check(value.ptr()) || PyLong_Check(value.ptr()) ||
      Py_TYPE(value.ptr()) == &PyFloat_Type ||
      Py_TYPE(value.ptr()) == &PyComplex_Type) {
    if (share)
      raise(PyExc_ValueError, "copy=False: a number is always copied");
    Operand operand;
    toOperand(value, operand);
    return scalarOf(operand.arg);
  }
  if (tensorc_dtype dtype = withoutFormat(value);
      dtype && nb::hasattr(value, "view"))
    return ofBits(value, dtype);
  if (PyObject_CheckBuffer(value.ptr()) && !PyBytes_Check(value.ptr()))
    return ofBuffer(value, share);
  if (nb::hasattr(value, "__dlpack__")) {
    Array shared = ofDLPack(value);
    if (share)
      return shared;
    // The buffer is copied, because lazy evaluation must not see later changes
    // of it.
    tensorc_rt_device *device = tensorc_tensor_device(shared.raw());
    tensorc_tensor *raw = shared.raw();
    if (!device)
      return shared;
    std::vector<char> bytes(static_cast<size_t>(
        shared.size() * tensorc_dtype_size(shared.dtype())));
    tensorc_status *status;
    {
      nb::gil_scoped_release release;
      status = tensorc_read(raw, bytes.data(), bytes.size());
    }
    check(status);
    tensorc_tensor *out = nullptr;
    status = tensorc_from_data(shared.dtype(), shared.rank(), shared.dims(),
                               bytes.data(), nullptr, here(), &out);
    Array copy = taken(status, out);
    status = tensorc_to(copy.raw(), device, here(), &out);
    return taken(status, out);
  }
  if (nb::hasattr(value, "__array__"))
    return ofBuffer(value.attr("__array__")(), share);
  if (PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr()))
    return scalarOf(PyFloat_Check(value.ptr())
                        ? tensorc_float_arg(PyFloat_AsDouble(value.ptr()))
                        : tensorc_int_arg(PyLong_AsLongLong(
                              nb::steal(PyNumber_Index(value.ptr())).ptr())));
  if (PySequence_Check(value.ptr()) && !nb::isinstance<nb::str>(value) &&
      !nb::isinstance<nb::bytes>(value)) {
    nb::object list = nb::steal(PySequence_List(value.ptr()));
    if (list)
      return ofList(list);
    PyErr_Clear();
  }
  raise(PyExc_TypeError,
        "cannot make an array of " +
            nb::cast<std::string>(nb::str(value.type().attr("__name__"))));
}

Array asArray(nb::handle value) { return convert(value, false); }

Array onDeviceOf(Array array, const Array &x) {
  if (!array || tensorc_tensor_is_auto(x.held()) ||
      tensorc_tensor_is_auto(array.held()) ||
      tensorc_tensor_device(array.held()) == tensorc_tensor_device(x.held()))
    return array;
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_to(array.held(), tensorc_tensor_device(x.held()), here(), &out);
  return taken(status, out);
}

Array asArrayBeside(nb::handle value, const Array &x) {
  if (const Array *own = arrayIn(value))
    return *own;
  bool isWide = x.dtype() == TENSORC_F64 || x.dtype() == TENSORC_C128;
  bool isOfPython = isList(value.ptr()) || PyFloat_CheckExact(value.ptr()) ||
                    PyComplex_CheckExact(value.ptr());
  return onDeviceOf(
      isWide && isOfPython ? doublesOf(value, false) : asArray(value), x);
}

void addConversions(nb::module_ &m) {
  m.def("beside", asArrayBeside, nb::arg("value").none(), nb::arg("x"),
        "An array of the value, on x's device, with x's digits.");
  m.def(
      "near",
      [](nb::handle value, const Array &x) {
        return onDeviceOf(asArray(value), x);
      },
      nb::arg("value").none(), nb::arg("x"),
      "An array of the value, on x's device.");
  m.def(
      "as_array",
      [](nb::handle value, bool share) { return convert(value, share); },
      nb::arg("value").none(), nb::arg("share") = false);
  m.def("from_dlpack", [](nb::handle value) { return ofDLPack(value); });
  m.def("from_bytes", [](DTypeLike dtype, const Ints &dims, nb::bytes data) {
    size_t size = 0;
    check(tensorc_rt_byte_size(static_cast<tensorc_rt_dtype>(dtype.value),
                               dims.count(), dims.data(), &size));
    if (size != data.size())
      raise(PyExc_ValueError, "from_bytes: " + std::to_string(size) +
                                  " bytes are expected, not " +
                                  std::to_string(data.size()));
    tensorc_tensor *out = nullptr;
    tensorc_status *status =
        tensorc_from_data(dtype.value, dims.count(), dims.data(), data.data(),
                          nullptr, here(), &out);
    return taken(status, out);
  });
}

} // namespace tcpy
