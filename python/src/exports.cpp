//===- exports.cpp - Arrays as buffers, DLPack and bytes ------------------===//
#include "core.h"

#include "tensorc/arrays.h"
#include "tensorc/dlpack.h"

#include <memory>
#include <utility>

namespace tcpy {

namespace {
/// Objects that are kept alive while Python uses the buffer.
struct Export {
  Array array;
  tensorc_rt_buffer *buffer = nullptr;
  std::vector<Py_ssize_t> shape, strides;
  ~Export() { tensorc_rt_buffer_release(buffer); }
};

Array onHost(const Array &x) {
  tensorc_rt_device *device = tensorc_tensor_device(x.held());
  tensorc_rt_device_properties properties{};
  if (device)
    tensorc_rt_device_get_properties(device, &properties);
  if (device && properties.host_visible)
    return x;
  tensorc_rt_device *host = nullptr;
  check(tensorc_find_device("cpu", &host));
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_to(x.held(), host, here(), &out);
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
  checkRead(status);
  return tensorc_rt_buffer_data(to.buffer);
}
} // namespace

/// The exporter whose evaluation Ctrl-C interrupted.
static PyObject *interrupted = nullptr;

int getBuffer(PyObject *exporter, Py_buffer *view, int flags) {
  view->obj = nullptr;
  interrupted = nullptr;
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
      PyErr_SetString(
          PyExc_BufferError,
          "the value of an array is read-only; x.numpy(writable=True) "
          "is memory to write to");
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
    if (error.matches(PyExc_KeyboardInterrupt))
      interrupted = exporter;
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
// The members of dlpack.h's structs that are needed to release them.
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
    return; // the receiver has taken ownership
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter)
    managed->deleter(managed);
}

/// Returns the stream that the receiver specified by DLPack's number. NULL
/// means that the export waits for the value. This is also the safe choice for
/// None and -1, which specify no order.
tensorc_rt_stream *streamOf(const Array &x, nb::handle number) {
  if (number.is_none() || nb::cast<int64_t>(number) == -1)
    return nullptr;
  tensorc_rt_device *device = tensorc_tensor_device(x.held());
  tensorc_rt_stream *stream = nullptr;
  check(tensorc_rt_stream_wrap(
      device, reinterpret_cast<void *>(nb::cast<uintptr_t>(number)), &stream));
  return stream;
}

nb::object toDLPack(const Array &x, nb::handle number, bool isVersioned,
                    bool copy) {
  tensorc_tensor *raw = x.held();
  tensorc_rt_stream *stream = streamOf(x, number);
  tensorc_status *status;
  DLManagedTensorVersioned *versioned = nullptr;
  DLManagedTensor *unversioned = nullptr;
  {
    nb::gil_scoped_release release;
    status = isVersioned
                 ? (copy ? tensorc_to_dlpack_copied
                         : tensorc_to_dlpack)(raw, stream, &versioned)
                 : tensorc_to_dlpack_unversioned(raw, stream, &unversioned);
    tensorc_rt_stream_release(stream);
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
  constexpr int32_t cpu = 1; // DLPack's number
  int32_t type = 0, id = 0;
  tensorc_dlpack_device(tensorc_tensor_device(x.held()), &type, &id);
  // If DLPack has no such device, __dlpack__ reports the error.
  return nb::make_tuple(type ? type : cpu, id);
}

nb::bytes bytesOf(const Array &x) {
  // Two 4-bit integers share a byte.
  bool isPacked = x.dtype() == TENSORC_I4 || x.dtype() == TENSORC_UI4;
  int64_t size =
      isPacked ? (x.size() + 1) / 2 : x.size() * tensorc_dtype_size(x.dtype());
  nb::object bytes = nb::steal(PyBytes_FromStringAndSize(nullptr, size));
  char *to = PyBytes_AsString(bytes.ptr());
  tensorc_tensor *raw = x.held();
  tensorc_status *status;
  {
    nb::gil_scoped_release release;
    status = tensorc_read(raw, to, static_cast<size_t>(size));
  }
  checkRead(status);
  return nb::borrow<nb::bytes>(bytes);
}
} // namespace

void addExports(nb::class_<Array> &array) {
  array
      .def(
          "_raise_interrupt",
          [](nb::handle_t<Array> x) {
            if (std::exchange(interrupted, nullptr) != x.ptr())
              return;
            PyErr_SetNone(PyExc_KeyboardInterrupt);
            throw nb::python_error();
          },
          "Raises what Ctrl-C raised in the buffer protocol before.")
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
            if (copy.ptr() == Py_False && !isVersioned)
              raise(PyExc_BufferError,
                    "__dlpack__: before version 1 of DLPack nothing says that "
                    "memory is read-only, so that the array is copied");
            return toDLPack(x, stream, isVersioned, copy.ptr() == Py_True);
          },
          nb::kw_only(), nb::arg("stream") = nb::none(),
          nb::arg("max_version") = nb::none(),
          nb::arg("dl_device") = nb::none(), nb::arg("copy") = nb::none(),
          "The value for another library, without a copy, read-only; of its "
          "own "
          "with copy=True, and where max_version is below 1.")
      .def(
          "__dlpack_device__", [](const Array &x) { return dlpackDevice(x); },
          "The kind and the number of the device, as DLPack has them.")
      .def(
          "tobytes", [](const Array &x) { return bytesOf(x); },
          "The bytes of the elements, in C's order.");
}

} // namespace tcpy
