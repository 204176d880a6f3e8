//===- errors.cpp - Converts statuses to Python exceptions ----------------===//
#include "core.h"

#include "tensorc/interrupt.h"

#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <string_view>

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

/// A message may contain bytes that are not UTF-8. It must be shown
/// nevertheless.
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

// Objects that other threads wanted to release at a time when they could not
// wait for the GIL.
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
// Ctrl-C sets a flag that Python checks only between its instructions, so a
// compilation or run must check the flag itself. These are the Python functions
// for that.
PyObject *signalOf = nullptr, *interruptHandler = nullptr;

/// Returns true if Ctrl-C was pressed, and raises KeyboardInterrupt. If the
/// program has installed a handler, it is called after the work, because it may
/// not want to interrupt the work.
int32_t isInterrupted(void *) {
  nb::gil_scoped_acquire hold;
  if (!PyOS_InterruptOccurred())
    return 0;
  nb::object handler =
      nb::steal(PyObject_CallFunction(signalOf, "i", int{SIGINT}));
  if (!handler.is_valid())
    PyErr_Clear();
  PyErr_SetInterrupt(); // Python handles it later, when the locks are free.
  return handler.ptr() == interruptHandler;
}

// Callbacks that release and take the GIL around long work. The stable ABI has
// no function that tests whether the thread holds the GIL, but every
// interpreter exports one.
int (*hasLock)() = nullptr;

/// Releases the GIL; null if the thread does not hold it.
void *leave() { return hasLock() ? PyEval_SaveThread() : nullptr; }
void enter(void *left) {
  if (left)
    PyEval_RestoreThread(static_cast<PyThreadState *>(left));
}

/// Installs the interrupt check. Must run on the main thread, because only that
/// thread handles signals.
int askOnMainThread(void *) {
  tensorc_rt_set_interrupt(isInterrupted, nullptr);
  return 0;
}
} // namespace

void raise(tensorc_status *status) {
  if (tensorc_status_code(status) == TENSORC_CANCELLED)
    PyErr_CheckSignals();
  // An exception that a Python callback raised is propagated unchanged.
  if (PyErr_Occurred()) {
    tensorc_status_free(status);
    throw nb::python_error();
  }
  raiseAs(classOf(tensorc_status_code(status)), status);
}

void raise(tensorc_code code, const std::string &text) {
  if (PyErr_Occurred()) // the exception that a function of the program raised
    throw nb::python_error();
  raise(classOf(code), text);
}

void raise(PyObject *type, const std::string &text) {
  setError(type, text.c_str());
  throw nb::python_error();
}

std::string line(tensorc_location at) {
  return std::string(at.file ? at.file : "?") + ":" + std::to_string(at.line);
}

std::string runningOperation() {
  try {
    return nb::cast<std::string>(
        nb::module_::import_("tensorc._operation").attr("running")());
  } catch (nb::python_error &) { // ignored, because another error is reported
    return "";
  }
}

void raiseDonated(tensorc_location donatedAt) {
  std::string operation = runningOperation();
  raise(PyExc_ValueError,
        (operation.empty() ? "" : operation + ": ") +
            "the array was donated to the call at " + line(donatedAt) +
            ", which took its memory: use what that call returns, or give it a "
            "copy  at " +
            line(here()));
}

void checkRead(tensorc_status *status, const char *reader) {
  if (!status)
    return;
  std::string text = tensorc_status_message(status);
  if (PyErr_Occurred() || text.find("  at ") != std::string::npos)
    raise(status);
  tensorc_code code = tensorc_status_code(status);
  tensorc_status_free(status);
  if (text.rfind("item: ", 0) == 0)
    text = reader + text.substr(4);
  raise(code, text + "  at " + line(here()));
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
  // If the queue is full, this object is released by the next call.
  Py_AddPendingCall(dropAll, nullptr);
}

void addErrors(nb::module_ &m) {
  deviceError = PyErr_NewExceptionWithDoc(
      "tensorc.DeviceError",
      "A device failed, or the system did: what was computed there is lost.",
      PyExc_RuntimeError, nullptr);
  m.attr("DeviceError") = nb::handle(deviceError);
  // Looks up Python's functions now. They are written in C, so calling them
  // later, while locks are held, runs no Python code.
  nb::module_ signals = nb::module_::import_("_signal");
  signalOf = nb::object(signals.attr("getsignal")).release().ptr();
  interruptHandler =
      nb::object(signals.attr("default_int_handler")).release().ptr();
  Py_AddPendingCall(askOnMainThread, nullptr);
  hasLock =
      reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "PyGILState_Check"));
  if (hasLock)
    check(tensorc_set_host_lock(leave, enter));
}

/// Converts nanobind's error message for incompatible arguments to `f(x: Array)
/// does not take (str)`. Returns an empty string for other messages.
static std::string wordsOf(std::string_view text) {
  constexpr std::string_view head =
      "(): incompatible function arguments. The following argument types are "
      "supported:\n";
  constexpr std::string_view given = "\nInvoked with types: ";
  size_t name = text.find(head), types = text.find(given);
  if (name == text.npos || types == text.npos)
    return {};
  std::string result;
  std::string_view forms =
      text.substr(name + head.size(), types - name - head.size());
  while (!forms.empty()) { // "    1. f(x: Array) -> Array\n"
    std::string_view line = forms.substr(0, forms.find('\n'));
    forms.remove_prefix(std::min(line.size() + 1, forms.size()));
    if (size_t number = line.find(". "); number != line.npos)
      line.remove_prefix(number + 2);
    line = line.substr(0, line.find(" -> "));
    if (!line.empty())
      result += (result.empty() ? "" : " or ") + std::string(line);
  }
  result +=
      " does not take (" + std::string(text.substr(types + given.size())) + ")";
  for (std::string_view inner : {"tensorc._core.", "kwargs = "})
    for (size_t at; (at = result.find(inner)) != result.npos;)
      result.erase(at, inner.size());
  if (tensorc_location at = here(); at.file)
    result += "  at " + std::string(at.file) + ":" + std::to_string(at.line);
  return result;
}

} // namespace tcpy

// The linker redirects the extension's calls of PyErr_SetString to this
// function (--wrap).
extern "C" void __real_PyErr_SetString(PyObject *type, const char *text);
extern "C" void __wrap_PyErr_SetString(PyObject *type, const char *text) {
  std::string words;
  if (type == PyExc_TypeError)
    words = tcpy::wordsOf(text);
  __real_PyErr_SetString(type, words.empty() ? text : words.c_str());
}
