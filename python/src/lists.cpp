//===- lists.cpp - Converts nested lists of numbers and arrays ------------===//
#include "core.h"

#include "tensorc/arrays.h"

#include <cstring>

namespace tcpy {

bool isList(PyObject *value) {
  return PyList_Check(value) || PyTuple_Check(value);
}

namespace {
/// Nested lists of numbers in which all lists at one depth have the same
/// length.
class Nested {
public:
  /// Collects the numbers. Returns false if an element is an array.
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
    bool isOfFloats = kind == 0 || kind >= 3;
    if (isOfFloats && tensorc_default_dtype() == TENSORC_F64)
      return makeDoubles();
    if (kind == 4)
      return makeComplex<float>(TENSORC_C64);
    tensorc_dtype dtype = isOfFloats  ? TENSORC_F32
                          : kind == 1 ? TENSORC_I1
                          : isLarge   ? TENSORC_UI64
                                      : TENSORC_I64;
    // Numbers that are not all integers are stored as floats. Integers are
    // stored as ui64 if one of them is at least 2^63.
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

  /// Returns all elements as doubles, in an array of float64 or complex128.
  Array makeDoubles() {
    if (kind == 4)
      return makeComplex<double>(TENSORC_C128);
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
  bool hasFloats() const { return kind >= 3; }

private:
  template <typename Part> Array makeComplex(tensorc_dtype dtype) {
    std::vector<Part> parts;
    for (PyObject *number : numbers) {
      nb::object value = nb::borrow(number);
      if (!PyComplex_Check(number))
        value = nb::handle(&PyComplex_Type)(value);
      parts.push_back(static_cast<Part>(PyComplex_RealAsDouble(value.ptr())));
      parts.push_back(static_cast<Part>(PyComplex_ImagAsDouble(value.ptr())));
    }
    tensorc_tensor *out = nullptr;
    tensorc_status *status =
        tensorc_from_data(dtype, static_cast<int32_t>(dims.size()), dims.data(),
                          parts.data(), nullptr, here(), &out);
    return taken(status, out);
  }

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
      kind = std::max(kind, 3);
    else if (Py_TYPE(value) == &PyComplex_Type)
      kind = 4;
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
} // namespace

Array ofList(nb::handle value) {
  Nested nested;
  if (nested.scan(value.ptr()))
    return nested.make();
  // If some elements are arrays, each element is converted, and the results are
  // stacked in the promoted dtype.
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

Array doublesOf(nb::handle value, bool ofAnyNumbers) {
  Nested nested;
  bool isOfNumbers = isList(value.ptr()) ? nested.scan(value.ptr())
                                         : nested.scan(value.ptr(), 0);
  if (isOfNumbers && (ofAnyNumbers || nested.hasFloats()))
    return nested.makeDoubles();
  return asArray(value);
}

void addLists(nb::module_ &m) {
  m.def("doubles", [](nb::handle value) { return doublesOf(value, true); });
}

} // namespace tcpy
