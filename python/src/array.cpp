//===- array.cpp - The class Array ----------------------------------------===//
#include "core.h"

#include "tensorc/operations.h"

namespace tcpy {

nb::object itemObject(nb::handle value);
int getBuffer(PyObject *exporter, Py_buffer *view, int flags);
void releaseBuffer(PyObject *exporter, Py_buffer *view);

void Array::readSizesNow() const {
  nb::gil_scoped_acquire gil; // the caller may have released the GIL
  tensorc_status *status;
  {
    nb::gil_scoped_release release;
    status = tensorc_tensor_settle(handle);
  }
  check(status);
  isUnread = false;
}

namespace {

/// Returns the library's text with Python's names: array([1.0, 2.0],
/// dtype=float32).
std::string textOf(const Array &x) {
  Text text;
  tensorc_status *status;
  {
    nb::gil_scoped_release release;
    status = tensorc_to_string(x.held(), &text.text);
  }
  check(status);
  std::string result = text.text;
  if (result.rfind("tensor(", 0) == 0)
    result.replace(0, 6, "array");
  std::string former = std::string(", dtype=") + tensorc_dtype_name(x.dtype());
  if (size_t at = result.rfind(former); at != std::string::npos)
    result.replace(at, former.size(), ", dtype=" + pythonName(x.dtype()));
  return result;
}

std::string describe(const Array &x, const std::string &value) {
  std::string result = "array(" + value;
  if (!x.hasSizes())
    return result + ", dtype=" + pythonName(x.dtype()) + ")";
  result += ", shape=(";
  for (int32_t i = 0; i < x.rank(); ++i)
    result += (i ? ", " : "") + std::to_string(x.dims()[i]);
  return result + (x.rank() == 1 ? ",)" : ")") +
         ", dtype=" + pythonName(x.dtype()) + ")";
}

/// `MemoryError: ...`
std::string describeError(const nb::python_error &error) {
  return nb::cast<std::string>(nb::str(error.type().attr("__name__"))) + ": " +
         nb::cast<std::string>(nb::str(error.value()));
}

void addProperties(nb::class_<Array> &array) {
  array
      .def_prop_ro(
          "shape",
          [](const Array &x) {
            nb::object shape = nb::steal(PyTuple_New(x.rank()));
            for (int32_t i = 0; i < x.rank(); ++i)
              PyTuple_SetItem(shape.ptr(), i, PyLong_FromLongLong(x.dims()[i]));
            return nb::tuple(shape);
          },
          "The sizes, a tuple.")
      .def_prop_ro(
          "dtype", [](const Array &x) { return dtypeObject(x.dtype()); },
          "The type of the elements.")
      .def_prop_ro(
          "ndim", [](const Array &x) { return x.rank(); },
          "The number of axes.")
      .def_prop_ro(
          "size", [](const Array &x) { return x.size(); },
          "The number of elements.")
      .def_prop_ro(
          "itemsize",
          [](const Array &x) { return tensorc_dtype_size(x.dtype()); },
          "Bytes of an element.")
      .def_prop_ro(
          "nbytes",
          [](const Array &x) {
            return x.size() * tensorc_dtype_size(x.dtype());
          },
          "Bytes of all elements.")
      .def_prop_ro(
          "is_evaluated",
          [](const Array &x) {
            return tensorc_tensor_is_evaluated(x.withoutSizes()) != 0;
          },
          "Whether there is a value.")
      .def_prop_ro(
          "is_traced",
          [](const Array &x) {
            return tensorc_tensor_is_traced(x.withoutSizes()) != 0;
          },
          "Whether it stands for an argument of a function that is being "
          "traced.")
      .def_prop_ro(
          "location",
          [](const Array &x) {
            tensorc_location at = tensorc_tensor_location(x.withoutSizes());
            return nb::make_tuple(at.file ? at.file : "", at.line);
          },
          "The file and the line that recorded it.");
}

void addMethods(nb::class_<Array> &array) {
  array
      .def(
          "item", [](nb::handle self) { return itemObject(self); },
          "The only element, as a number of Python.")
      .def(
          "eval",
          [](nb::handle self) {
            Array x = *arrayIn(self);
            tensorc_tensor *raw = x.held();
            evaluate(&raw, 1);
            return nb::borrow(self);
          },
          "Computes the value now. Returns the array itself.")
      .def("__len__",
           [](const Array &x) {
             if (x.rank() == 0)
               raise(PyExc_TypeError, "len() of an array of rank 0");
             return x.dims()[0];
           })
      .def("__repr__",
           [](const Array &x) {
             // Values that depend on a trace cannot be printed. Debuggers call
             // repr for every array, so it must not raise.
             if (!x)
               return describe(x, "donated");
             if (tensorc_tensor_is_traced(x.withoutSizes()))
               return describe(x, "traced");
             try {
               return textOf(x);
             } catch (nb::python_error &error) {
               if (!error.matches(PyExc_Exception))
                 throw;
               return describe(x, "<" + describeError(error) + ">");
             }
           })
      .def(
          "to_mlir",
          [](const Array &x, bool symbolic) {
            Text text;
            check(tensorc_to_mlir(x.held(), symbolic, &text.text));
            return std::string(text.text);
          },
          nb::arg("symbolic") = false,
          "The expression that computes it, as a tx module.")
      .def("__copy__", [](const Array &x) { return x; })
      .def("__deepcopy__", [](const Array &x, nb::handle) { return x; })
      .def("_assign", [](Array &x, const Array &value) { x = value; });
}

} // namespace

void evaluate(tensorc_tensor *const *tensors, size_t count) {
  tensorc_status *status;
  {
    nb::gil_scoped_release release;
    status = tensorc_eval(tensors, static_cast<int32_t>(count));
  }
  checkRead(status);
}

Arrays asArrays(nb::handle sequence) {
  Arrays result;
  nb::object list = nb::steal(
      PySequence_Fast(sequence.ptr(), "a list of arrays is expected"));
  if (!list)
    throw nb::python_error();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.ptr()); ++i) {
    result.arrays.push_back(asArray(PySequence_Fast_GET_ITEM(list.ptr(), i)));
    result.raw.push_back(result.arrays.back().raw());
  }
  return result;
}

nb::list toList(const std::vector<tensorc_tensor *> &taken) {
  nb::list result;
  for (tensorc_tensor *x : taken)
    result.append(x ? nb::cast(Array(x)) : nb::none());
  return result;
}

bool fillInts(nb::handle value, std::vector<int64_t> &out) {
  out.clear();
  if (value.is_none())
    return true;
  auto add = [&](PyObject *one) {
    if (PyBool_Check(one) || !PyIndex_Check(one))
      return false;
    nb::object index = nb::steal(PyNumber_Index(one));
    if (!index)
      throw nb::python_error();
    int64_t number = PyLong_AsLongLong(index.ptr());
    if (number == -1 && PyErr_Occurred())
      throw nb::python_error();
    out.push_back(number);
    return true;
  };
  if (PyLong_Check(value.ptr()) ||
      (PyIndex_Check(value.ptr()) && !PySequence_Check(value.ptr())))
    return add(value.ptr());
  if (Array *x = arrayIn(value); x && x->rank() == 0)
    return add(value.ptr());
  nb::object list = nb::steal(PySequence_Fast(value.ptr(), ""));
  if (!list) {
    PyErr_Clear();
    return false;
  }
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.ptr()); ++i)
    if (!add(PySequence_Fast_GET_ITEM(list.ptr(), i)))
      return false;
  return true;
}

const int64_t *PerAxis::of(const Array &x) {
  auto rank = static_cast<size_t>(x.rank());
  if (values.size() == 1 && rank != 1)
    values.assign(rank, values[0]);
  if (values.size() != rank)
    raise(PyExc_ValueError, "one number for each of " + std::to_string(rank) +
                                " axes is expected, not " +
                                std::to_string(values.size()));
  return values.data();
}

/// Defines a method that inspects the elements when they are computed and
/// returns x.
template <auto function> void addLook(nb::module_ &m, const char *name) {
  m.def(name, [](const Array &x, const std::string &text) {
    tensorc_tensor *out = nullptr;
    tensorc_status *status = function(x.held(), text.c_str(), here(), &out);
    return taken(status, out);
  });
}

void addArray(nb::module_ &m) {
  static PyType_Slot slots[64];
  PyType_Slot *next = slots;
  for (PyType_Slot *from = operatorSlots(); from->slot; ++from)
    *next++ = *from;
  *next++ = {Py_bf_getbuffer, reinterpret_cast<void *>(getBuffer)};
  *next++ = {Py_bf_releasebuffer, reinterpret_cast<void *>(releaseBuffer)};
  *next = {0, nullptr};

  auto array = nb::class_<Array>(
      m, "Array", nb::type_slots(slots), nb::is_weak_referenceable(),
      "An array whose value is computed when it is needed.");
  addProperties(array);
  addMethods(array);
  array.attr("__hash__") = nb::none();
  array.attr("__array_priority__") = 100;
  addExports(array);
  addIndexing(m, array);

  addLook<tensorc_check_numerics>(m, "check_numerics");
  addLook<tensorc_debug_print>(m, "debug_print");
  m.def(
      "eval",
      [](const nb::args &given) {
        bool isOne = given.size() == 1 && isList(given[0].ptr());
        Arrays all = asArrays(isOne ? nb::handle(given[0]) : nb::handle(given));
        evaluate(all.data(), all.raw.size());
      },
      "Computes the values of all, given one by one or as a list; what they "
      "share is computed once.");
}

} // namespace tcpy
