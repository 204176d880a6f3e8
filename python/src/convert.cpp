//===- convert.cpp - lists, buffers and DLPack to arrays, and back ---------===//
#include "core.h"

#include "tensorc/arrays.h"
#include "tensorc/dlpack.h"

#include <cstring>
#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

namespace tcpy {
namespace {

//===-- Formats of buffers ------------------------------------------------===//

/// The dtype of a format of the struct module, or 0.
tensorc_dtype ofFormat(const char *format, Py_ssize_t itemsize) {
  std::string_view text = format ? format : "B";
  if (!text.empty() && std::strchr("@=<", text[0]))
    text.remove_prefix(1);
  if (text == "?")
    return TENSORC_I1;
  if (text == "e")
    return TENSORC_F16;
  if (text == "f")
    return TENSORC_F32;
  if (text == "d")
    return TENSORC_F64;
  if (text == "Zf" || text == "Zd") {
    // Known by name, in a library that has them.
    for (int i = 1; i < 64; ++i)
      if (tensorc_dtype_name(static_cast<tensorc_dtype>(i)) ==
          std::string(text == "Zf" ? "c64" : "c128"))
        return static_cast<tensorc_dtype>(i);
    return {};
  }
  if (text.size() != 1)
    return {};
  bool isSigned = std::strchr("bhilqn", text[0]);
  if (!isSigned && !std::strchr("BHILQN", text[0]))
    return {};
  switch (itemsize) {
  case 1:
    return isSigned ? TENSORC_I8 : TENSORC_UI8;
  case 2:
    return isSigned ? TENSORC_I16 : TENSORC_UI16;
  case 4:
    return isSigned ? TENSORC_I32 : TENSORC_UI32;
  case 8:
    return isSigned ? TENSORC_I64 : TENSORC_UI64;
  }
  return {};
}

/// NULL for what the struct module has no format.
const char *formatOf(tensorc_dtype dtype) {
  switch (dtype) {
  case TENSORC_I1:
    return "?";
  case TENSORC_I8:
    return "b";
  case TENSORC_I16:
    return "h";
  case TENSORC_I32:
    return "i";
  case TENSORC_I64:
    return "l";
  case TENSORC_UI8:
    return "B";
  case TENSORC_UI16:
    return "H";
  case TENSORC_UI32:
    return "I";
  case TENSORC_UI64:
    return "L";
  case TENSORC_F16:
    return "e";
  case TENSORC_F32:
    return "f";
  case TENSORC_F64:
    return "d";
  default:
    break;
  }
  std::string name = tensorc_dtype_name(dtype);
  return name == "c64" ? "Zf" : name == "c128" ? "Zd" : nullptr;
}

//===-- To arrays ---------------------------------------------------------===//

Array scalarOf(tensorc_arg arg) {
  tensorc_dtype dtype = arg.kind == TENSORC_ARG_BOOL   ? TENSORC_I1
                        : arg.kind == TENSORC_ARG_INT  ? TENSORC_I64
                        : arg.kind == TENSORC_ARG_UINT ? TENSORC_UI64
                                                       : TENSORC_F32;
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_full(dtype, 0, nullptr, arg, here(), &out);
  return taken(status, out);
}

struct View {
  Py_buffer buffer{};
  bool isHeld = false;
  ~View() {
    if (isHeld)
      PyBuffer_Release(&buffer);
  }
};

/// Elements of a buffer, copied or shared. `copy`: 1, 0 (refuses), -1 (shares
/// nothing either: the memory may change).
Array ofBuffer(nb::handle value, bool share) {
  nb::object view = nb::steal(PyMemoryView_FromObject(value.ptr()));
  if (!view) {
    PyErr_Clear();
    raise(PyExc_TypeError,
          "an array of " +
              nb::cast<std::string>(nb::str(value.type().attr("__name__"))) +
              " has elements that tensorc does not have");
  }
  Py_buffer *buffer = PyMemoryView_GET_BUFFER(view.ptr());
  tensorc_dtype dtype = ofFormat(buffer->format, buffer->itemsize);
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
    if (PyBuffer_ToContiguous(dense.data(), buffer, buffer->len, 'C'))
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

Array ofDLPack(nb::handle value) {
  nb::object capsule;
  try {
    capsule =
        value.attr("__dlpack__")(nb::arg("max_version") = nb::make_tuple(1, 1));
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_TypeError))
      throw;
    capsule = value.attr("__dlpack__")();
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
                                here(), &out)
          : tensorc_from_dlpack_unversioned(static_cast<DLManagedTensor *>(raw),
                                            here(), &out);
  return taken(status, out);
}

bool isList(PyObject *value) {
  return PyList_Check(value) || PyTuple_Check(value);
}

/// Lists of numbers, all of one length at each depth.
class Nested {
public:
  /// False where an element is an array.
  bool scan(PyObject *value, size_t depth = 0) {
    if (!isList(value))
      return scanNumber(value, depth);
    auto length = PySequence_Fast_GET_SIZE(value);
    if (depth == dims.size()) {
      if (isInside)
        raise(PyExc_ValueError, "lists of different depths make no array");
      dims.push_back(length);
      if (depth >= TENSORC_RT_MAX_RANK)
        raise(PyExc_ValueError, "an array has at most " +
                                    std::to_string(TENSORC_RT_MAX_RANK) +
                                    " axes, and lists are not deeper");
    } else if (dims[depth] != length) {
      raise(PyExc_ValueError, "lists of different lengths, " +
                                  std::to_string(dims[depth]) + " and " +
                                  std::to_string(length) + ", make no array");
    }
    for (Py_ssize_t i = 0; i < length; ++i)
      if (!scan(PySequence_Fast_GET_ITEM(value, i), depth + 1))
        return false;
    return true;
  }

  Array make() {
    tensorc_dtype dtype = kind == 3   ? TENSORC_F32
                          : kind == 2 ? (isLarge ? TENSORC_UI64 : TENSORC_I64)
                          : kind == 1 ? TENSORC_I1
                                      : TENSORC_F32;
    // Doubles hold what is no integer; one of 2^63 and more fills a ui64.
    std::vector<char> bytes(numbers.size() * 8);
    char *to = bytes.data();
    for (PyObject *number : numbers) {
      if (dtype == TENSORC_F32) {
        double f = PyFloat_AsDouble(number);
        if (f == -1 && PyErr_Occurred())
          throw nb::python_error();
        auto single = static_cast<float>(f);
        std::memcpy(to, &single, 4);
        to += 4;
      } else if (dtype == TENSORC_I1) {
        *to++ = number == Py_True;
      } else if (dtype == TENSORC_UI64) {
        uint64_t i = PyLong_AsUnsignedLongLong(number);
        if (PyErr_Occurred())
          throw nb::python_error();
        std::memcpy(to, &i, 8);
        to += 8;
      } else {
        int64_t i = PyLong_AsLongLong(number);
        if (i == -1 && PyErr_Occurred())
          throw nb::python_error();
        std::memcpy(to, &i, 8);
        to += 8;
      }
    }
    tensorc_tensor *out = nullptr;
    tensorc_status *status =
        tensorc_from_data(dtype, static_cast<int32_t>(dims.size()), dims.data(),
                          bytes.data(), nullptr, here(), &out);
    return taken(status, out);
  }

  /// Doubles of all elements, for a float64.
  Array makeDoubles() {
    std::vector<double> values;
    for (PyObject *number : numbers) {
      values.push_back(PyFloat_AsDouble(number));
      if (values.back() == -1 && PyErr_Occurred())
        throw nb::python_error();
    }
    tensorc_tensor *out = nullptr;
    tensorc_status *status =
        tensorc_from_data(TENSORC_F64, static_cast<int32_t>(dims.size()),
                          dims.data(), values.data(), nullptr, here(), &out);
    return taken(status, out);
  }
  bool hasFloats() const { return kind == 3; }

private:
  bool scanNumber(PyObject *value, size_t depth) {
    if (depth != dims.size())
      raise(PyExc_ValueError, "lists of different depths make no array");
    isInside = true;
    if (PyBool_Check(value))
      kind = std::max(kind, 1);
    else if (PyLong_Check(value)) {
      kind = std::max(kind, 2);
      int overflow = 0;
      PyLong_AsLongLongAndOverflow(value, &overflow);
      isLarge |= overflow > 0;
    } else if (PyFloat_Check(value) && Py_TYPE(value) == &PyFloat_Type)
      kind = 3;
    else
      return false;
    numbers.push_back(value);
    return true;
  }

  std::vector<int64_t> dims;
  std::vector<PyObject *> numbers;
  int kind = 0;
  bool isLarge = false, isInside = false;
};

Array ofList(nb::handle value) {
  Nested nested;
  if (nested.scan(value.ptr()))
    return nested.make();
  // Arrays among the elements: each part, stacked in the dtype that all promote
  // to.
  Arrays parts = asArrays(value);
  tensorc_dtype dtype{};
  for (const Array &part : parts.arrays)
    dtype = dtype ? tensorc_promote(dtype, part.dtype()) : part.dtype();
  for (size_t i = 0; i < parts.arrays.size(); ++i)
    if (dtype && parts.arrays[i].dtype() != dtype) {
      tensorc_tensor *out = nullptr;
      tensorc_status *status =
          tensorc_astype(parts.raw[i], dtype, here(), &out);
      parts.arrays[i] = taken(status, out);
      parts.raw[i] = parts.arrays[i].raw();
    }
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_stack(parts.data(), parts.count(), 0, here(), &out);
  return taken(status, out);
}

/// Of ml_dtypes, whose elements have no format: through their bits.
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
  return {};
}
} // namespace

static Array convert(nb::handle value, bool share) {
  if (Array *array = arrayIn(value))
    return *array;
  if (isList(value.ptr())) {
    if (share)
      raise(PyExc_ValueError, "copy=False: a list is always copied");
    return ofList(value);
  }
  if (PyBool_Check(value.ptr()) || PyLong_Check(value.ptr()) ||
      Py_TYPE(value.ptr()) == &PyFloat_Type) {
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
    // What is lazily computed later must not see later changes.
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

//===-- From arrays -------------------------------------------------------===//

namespace {
/// What a buffer that Python looks into keeps alive.
struct Export {
  Array array;
  tensorc_rt_buffer *buffer = nullptr;
  std::vector<Py_ssize_t> shape, strides;
  ~Export() { tensorc_rt_buffer_release(buffer); }
};

Array onHost(const Array &x) {
  tensorc_rt_device *device = tensorc_tensor_device(x.raw());
  tensorc_rt_device_properties properties{};
  if (device)
    tensorc_rt_device_get_properties(device, &properties);
  if (device && properties.host_visible)
    return x;
  tensorc_rt_device *host = nullptr;
  check(tensorc_find_device("cpu", &host));
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_to(x.raw(), host, here(), &out);
  return taken(status, out);
}

void *hostData(Export &to) {
  tensorc_tensor *raw = to.array.raw();
  tensorc_status *status;
  {
    nb::gil_scoped_release release;
    status = tensorc_tensor_buffer(raw, &to.buffer);
    if (!status)
      status = tensorc_rt_buffer_synchronize(to.buffer);
  }
  check(status);
  return tensorc_rt_buffer_data(to.buffer);
}
} // namespace

int getBuffer(PyObject *exporter, Py_buffer *view, int flags) {
  view->obj = nullptr;
  try {
    Array *self = arrayIn(exporter);
    const char *format = formatOf(self->dtype());
    if (!format) {
      PyErr_SetString(PyExc_BufferError,
                      ("elements of " + pythonName(self->dtype()) +
                       " have no format of the buffer protocol")
                          .c_str());
      return -1;
    }
    if (flags & PyBUF_WRITABLE) {
      PyErr_SetString(PyExc_BufferError, "the value of an array is read-only");
      return -1;
    }
    auto kept = std::make_unique<Export>();
    kept->array = onHost(*self);
    static char nothing[64];
    void *data = hostData(*kept);
    auto itemsize = static_cast<Py_ssize_t>(tensorc_dtype_size(self->dtype()));
    kept->shape.assign(self->dims(), self->dims() + self->rank());
    kept->strides.resize(kept->shape.size());
    Py_ssize_t stride = itemsize;
    for (size_t i = kept->shape.size(); i-- > 0; stride *= kept->shape[i])
      kept->strides[i] = stride;
    *view = {};
    view->buf = data ? data : nothing;
    view->len = static_cast<Py_ssize_t>(self->size()) * itemsize;
    view->itemsize = itemsize;
    view->readonly = 1;
    view->ndim = self->rank();
    view->format = flags & PyBUF_FORMAT ? const_cast<char *>(format) : nullptr;
    view->shape = flags & PyBUF_ND ? kept->shape.data() : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES
                        ? kept->strides.data()
                        : nullptr;
    view->internal = kept.release();
    view->obj = Py_NewRef(exporter);
    return 0;
  } catch (nb::python_error &error) {
    error.restore();
  } catch (std::exception &error) {
    PyErr_SetString(PyExc_BufferError, error.what());
  }
  return -1;
}

void releaseBuffer(PyObject *, Py_buffer *view) {
  delete static_cast<Export *>(view->internal);
}

namespace {
// The parts of dlpack.h's structs that their owner needs.
struct Versioned {
  struct {
    uint32_t major, minor;
  } version;
  void *manager;
  void (*deleter)(Versioned *);
};
struct Unversioned {
  char tensor[48];
  void *manager;
  void (*deleter)(Unversioned *);
};
template <typename Managed>
void freeUnused(PyObject *capsule, const char *name) {
  if (!PyCapsule_IsValid(capsule, name))
    return; // the receiver took it
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter)
    managed->deleter(managed);
}

nb::object toDLPack(const Array &x, bool isVersioned) {
  tensorc_tensor *raw = x.raw();
  tensorc_status *status;
  DLManagedTensorVersioned *versioned = nullptr;
  DLManagedTensor *unversioned = nullptr;
  {
    nb::gil_scoped_release release;
    status = isVersioned ? tensorc_to_dlpack(raw, &versioned)
                         : tensorc_to_dlpack_unversioned(raw, &unversioned);
  }
  if (status && tensorc_status_code(status) != TENSORC_DEVICE_ERROR) {
    std::string text = tensorc_status_message(status);
    tensorc_status_free(status);
    raise(PyExc_BufferError, text);
  }
  check(status);
  PyObject *capsule =
      isVersioned
          ? PyCapsule_New(versioned, "dltensor_versioned",
                          [](PyObject *c) {
                            freeUnused<Versioned>(c, "dltensor_versioned");
                          })
          : PyCapsule_New(unversioned, "dltensor", [](PyObject *c) {
              freeUnused<Unversioned>(c, "dltensor");
            });
  if (!capsule)
    throw nb::python_error();
  return nb::steal(capsule);
}

nb::tuple dlpackDevice(const Array &x) {
  tensorc_rt_device *device = tensorc_tensor_device(x.raw());
  std::string name = "cpu:0";
  if (device) {
    tensorc_rt_device_properties properties{};
    tensorc_rt_device_get_properties(device, &properties);
    name = properties.name;
  }
  // kDLCPU, kDLCUDA, kDLROCM
  int kind = name.rfind("cuda", 0) == 0   ? 2
             : name.rfind("rocm", 0) == 0 ? 10
                                          : 1;
  size_t colon = name.rfind(':');
  int index = kind == 1 || colon == std::string::npos
                  ? 0
                  : std::atoi(name.c_str() + colon + 1);
  return nb::make_tuple(kind, index);
}

nb::bytes bytesOf(const Array &x) {
  // Two 4-bit integers share a byte.
  bool isPacked = x.dtype() == TENSORC_I4 || x.dtype() == TENSORC_UI4;
  int64_t size =
      isPacked ? (x.size() + 1) / 2 : x.size() * tensorc_dtype_size(x.dtype());
  nb::object bytes = nb::steal(PyBytes_FromStringAndSize(nullptr, size));
  char *to = PyBytes_AsString(bytes.ptr());
  tensorc_tensor *raw = x.raw();
  tensorc_status *status;
  {
    nb::gil_scoped_release release;
    status = tensorc_read(raw, to, static_cast<size_t>(size));
  }
  check(status);
  return nb::borrow<nb::bytes>(bytes);
}
} // namespace

void addConversions(nb::module_ &m, nb::class_<Array> &array) {
  array
      .def(
          "__dlpack__",
          [](const Array &x, nb::handle stream, nb::handle max_version,
             nb::handle dl_device, nb::handle copy) {
            if (!stream.is_none() &&
                nb::cast<nb::tuple>(dlpackDevice(x))[0].equal(nb::int_(1)))
              raise(PyExc_ValueError, "__dlpack__: a CPU has no streams");
            if (!dl_device.is_none() &&
                !nb::tuple(dl_device).equal(dlpackDevice(x)))
              raise(PyExc_BufferError, "__dlpack__: the array is on another "
                                       "device; move it with to()");
            bool isVersioned = !max_version.is_none() &&
                               nb::cast<int>(nb::tuple(max_version)[0]) >= 1;
            if (copy.ptr() == Py_True)
              return toDLPack(x, false);
            return toDLPack(x, isVersioned);
          },
          nb::kw_only(), nb::arg("stream") = nb::none(),
          nb::arg("max_version") = nb::none(),
          nb::arg("dl_device") = nb::none(), nb::arg("copy") = nb::none(),
          "The value for another library, without a copy, read-only.")
      .def(
          "__dlpack_device__", [](const Array &x) { return dlpackDevice(x); },
          "The kind and the number of the device, as DLPack has them.")
      .def(
          "tobytes", [](const Array &x) { return bytesOf(x); },
          "The bytes of the elements, in C's order.");
  m.def(
      "as_array",
      [](nb::handle value, bool share) { return convert(value, share); },
      nb::arg("value"), nb::arg("share") = false);
  m.def("doubles", [](nb::handle value) {
    Nested nested;
    if (isList(value.ptr()) ? nested.scan(value.ptr())
                            : nested.scan(value.ptr(), 0))
      return nested.makeDoubles();
    return asArray(value);
  });
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
