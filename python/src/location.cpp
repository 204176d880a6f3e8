//===- location.cpp - Finds the current line of the program ---------------===//
#include "core.h"
#include "tensorc/operations.h"

#include <unordered_map>

namespace tcpy {
namespace {

/// A file of Python code. It is identified by the object of its name, which all
/// functions of a module share.
struct File {
  const char *name;
  bool isOurs;
};

std::string &packageFolder() {
  static auto *folder = new std::string;
  return *folder;
}

const File &fileOf(PyObject *name) {
  // Holds references to the names, so that their addresses are not reused. It
  // is cleared when it becomes large, because programs may generate code
  // repeatedly.
  static auto *known = new std::unordered_map<PyObject *, File>;
  constexpr size_t capacity = 4096;
  auto found = known->find(name);
  if (found != known->end())
    return found->second;
  if (known->size() >= capacity) {
    for (auto &[object, file] : *known)
      Py_DECREF(object);
    known->clear();
  }
  const char *text = PyUnicode_AsUTF8AndSize(name, nullptr);
  if (!text) {
    PyErr_Clear();
    text = "?";
  }
  tensorc_location copy;
  tensorc_copy_location(text, 0, &copy);
  const std::string &folder = packageFolder();
  bool isOurs = !folder.empty() &&
                std::string_view(text).substr(0, folder.size()) == folder;
  Py_INCREF(name);
  return known->emplace(name, File{copy.file, isOurs}).first->second;
}

PyObject *fileNameOf(PyCodeObject *code) {
#ifdef Py_LIMITED_API
  PyObject *name =
      PyObject_GetAttrString(reinterpret_cast<PyObject *>(code), "co_filename");
  Py_XDECREF(name); // the code object holds a reference
  return name;
#else
  return code->co_filename;
#endif
}

PyFrameObject *callerOf(PyFrameObject *frame) {
#ifdef Py_LIMITED_API
  auto *back =
      PyObject_GetAttrString(reinterpret_cast<PyObject *>(frame), "f_back");
  if (back == Py_None)
    Py_CLEAR(back);
  return reinterpret_cast<PyFrameObject *>(back);
#else
  return PyFrame_GetBack(frame);
#endif
}

} // namespace

void setPackageFolder(const std::string &folder) { packageFolder() = folder; }

tensorc_location here() {
  PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
  tensorc_location at{nullptr, 0};
  while (frame) {
    PyCodeObject *code = PyFrame_GetCode(frame);
    const File &file = fileOf(fileNameOf(code));
    Py_DECREF(code);
    if (!file.isOurs) {
      at = {file.name, static_cast<uint32_t>(PyFrame_GetLineNumber(frame))};
      Py_DECREF(frame);
      break;
    }
    PyFrameObject *back = callerOf(frame);
    Py_DECREF(frame);
    frame = back;
  }
  return at;
}

} // namespace tcpy
