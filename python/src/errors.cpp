//===- errors.cpp - statuses as Python's exceptions ------------------------===//
#include "core.h"

#include <cstring>
#include <mutex>

namespace tcpy {
namespace {
PyObject *deviceError = nullptr;

PyObject *classOf(tensorc_code code) {
  switch (code) {
  case TENSORC_OUT_OF_MEMORY:
    return PyExc_MemoryError;
  case TENSORC_UNSUPPORTED:
    return PyExc_NotImplementedError;
  case TENSORC_DEVICE_ERROR:
    return deviceError;
  case TENSORC_CUSTOM_CALL:
  case TENSORC_CANCELLED:
  case TENSORC_DEADLINE_EXCEEDED:
  case TENSORC_RESOURCE_EXHAUSTED:
    return PyExc_RuntimeError;
  default:
    return PyExc_ValueError;
  }
}

/// A message may repeat bytes that are not UTF-8; that must not hide it.
void setError(PyObject *type, const char *message) {
  if (nb::object text = nb::steal(PyUnicode_DecodeUTF8(
          message, std::strlen(message), "backslashreplace")))
    PyErr_SetObject(type, text.ptr());
}

[[noreturn]] void raiseAs(PyObject *type, tensorc_status *status) {
  setError(type, tensorc_status_message(status));
  tensorc_status_free(status);
  throw nb::python_error();
}

// What other threads dropped, whose locks must not wait for the GIL.
std::mutex droppedMutex;
std::vector<PyObject *> *dropped = new std::vector<PyObject *>;

int dropAll(void *) {
  std::vector<PyObject *> now;
  {
    std::scoped_lock lock(droppedMutex);
    now.swap(*dropped);
  }
  for (PyObject *object : now)
    Py_DECREF(object);
  return 0;
}
} // namespace

void raise(tensorc_status *status) {
  // What a function of the program raised goes on as it was.
  if (PyErr_Occurred()) {
    tensorc_status_free(status);
    throw nb::python_error();
  }
  raiseAs(classOf(tensorc_status_code(status)), status);
}

void raise(PyObject *type, const std::string &text) {
  setError(type, text.c_str());
  throw nb::python_error();
}

void checkIndex(tensorc_status *status) {
  if (status && tensorc_status_code(status) == TENSORC_INVALID_ARGUMENT)
    raiseAs(PyExc_IndexError, status);
  check(status);
}

void dropLater(PyObject *object) {
  {
    std::scoped_lock lock(droppedMutex);
    dropped->push_back(object);
  }
  // A full queue is no loss: the next one drops this, too.
  Py_AddPendingCall(dropAll, nullptr);
}

void addErrors(nb::module_ &m) {
  deviceError = PyErr_NewExceptionWithDoc(
      "tensorc.DeviceError",
      "A device failed, or the system did: what was computed there is lost.",
      PyExc_RuntimeError, nullptr);
  m.attr("DeviceError") = nb::handle(deviceError);
}

} // namespace tcpy
