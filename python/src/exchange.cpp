//===- exchange.cpp - Fast exchange of arrays with other libraries --------===//
//
// DLPack's exchange table (since its version 1.2) passes arrays by C calls,
// without capsules and without looking up methods in Python.
//
//===----------------------------------------------------------------------===//
#include "core.h"

#include "tensorc/dlpack.h"

namespace tcpy {
namespace {

/// The first members of the other library's table of exchange functions
/// (DLPackExchangeAPI). The member names are ours.
struct Table {
  uint32_t major, minor;
  const void *older;
  const void *allocate;
  int (*take)(void *object, DLManagedTensorVersioned **out);
  int (*give)(DLManagedTensorVersioned *taken, void **out);
};

bool isTrue(nb::handle object, const char *method) {
  return nb::object(object.attr(method)()).ptr() == Py_True;
}

class Exchanged {
public:
  Exchanged(nb::object function, nb::object table, nb::object type)
      : function(std::move(function)), type(std::move(type)), owner(table) {
    found = static_cast<const Table *>(
        PyCapsule_GetPointer(table.ptr(), "dlpack_exchange_api"));
    if (!found)
      throw nb::python_error();
    if (found->major != 1)
      raise(PyExc_ValueError, "the table is of version " +
                                  std::to_string(found->major) +
                                  " of DLPack, expected 1");
  }

  nb::list call(nb::handle key, nb::list values) {
    size_t count = nb::len(values);
    nb::object given =
        nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count) + 1));
    auto put = [&](size_t i, nb::object value) {
      PyTuple_SetItem(given.ptr(), static_cast<Py_ssize_t>(i),
                      value.release().ptr());
    };
    put(0, nb::borrow(key));
    for (size_t i = 0; i < count; ++i)
      put(i + 1, taken(values[i]));
    nb::object made =
        nb::steal(PyObject_Call(function.ptr(), given.ptr(), nullptr));
    if (!made.is_valid())
      throw nb::python_error();
    given.reset();
    return results(std::move(made));
  }

  nb::object function, type;

private:
  /// Returns an array that uses the memory of an array of the other library.
  nb::object taken(nb::object value) const {
    if (!PyType_IsSubtype(Py_TYPE(value.ptr()),
                          reinterpret_cast<PyTypeObject *>(type.ptr())))
      return value;
    // Lazy conjugations and negations are computed first, because the memory
    // does not reflect them.
    if (isTrue(value, "is_neg") || isTrue(value, "is_conj"))
      value = value.attr("resolve_conj")().attr("resolve_neg")();
    DLManagedTensorVersioned *managed = nullptr;
    if (found->take(value.ptr(), &managed))
      throw nb::python_error();
    tensorc_tensor *out = nullptr;
    return nb::cast(tcpy::taken(
        tensorc_from_dlpack(managed, nullptr, {nullptr, 0}, &out), out));
  }

  /// Converts the function's results to arrays of the other library. Their
  /// memory is not shared, so it may be overwritten.
  nb::list results(nb::object made) const {
    struct Given {
      nb::object value; // set if the result is not an array
      DLManagedTensorVersioned *managed = nullptr;
      tensorc_rt_buffer *buffer = nullptr; // that `managed` holds
    };
    std::vector<Given> all;
    for (nb::handle value : nb::borrow<nb::list>(made)) {
      Given &one = all.emplace_back();
      Array *array = arrayIn(value);
      if (!array) {
        one.value = nb::borrow(value);
        continue;
      }
      check(tensorc_to_dlpack(array->held(), nullptr, &one.managed));
      check(tensorc_tensor_buffer(array->held(), &one.buffer));
      tensorc_rt_buffer_release(one.buffer);
    }
    made.reset();
    nb::list list;
    for (Given &one : all) {
      if (one.managed) {
        bool isOwn =
            one.buffer && tensorc_rt_buffer_is_exclusive(one.buffer, nullptr);
        void *object = nullptr;
        if (found->give(std::exchange(one.managed, nullptr), &object))
          throw nb::python_error();
        one.value = nb::steal(static_cast<PyObject *>(object));
        if (!isOwn)
          one.value = one.value.attr("clone")();
      }
      list.append(one.value);
    }
    return list;
  }

  nb::object owner; // keeps the table alive
  const Table *found;
};

int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    Py_VISIT(nb::inst_ptr<Exchanged>(self)->function.ptr());
  return 0;
}
int clear(PyObject *self) {
  nb::inst_ptr<Exchanged>(self)->function.reset();
  return 0;
}
} // namespace

void addExchange(nb::module_ &m) {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {0, nullptr}};
  nb::class_<Exchanged>(m, "Exchanged", nb::type_slots(slots),
                        "A function of a key and of arrays of another library, "
                        "which gets those as arrays of this one, and returns a "
                        "list of arrays.")
      .def(nb::init<nb::object, nb::object, nb::object>(), nb::arg("function"),
           nb::arg("table"), nb::arg("type"))
      .def("__call__", &Exchanged::call, nb::arg("key").none(),
           nb::arg("values"));
}

} // namespace tcpy
