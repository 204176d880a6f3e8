//===- trees.h - Structures that contain arrays ---------------------------===//
#ifndef TENSORC_PYTHON_SRC_TREES_H
#define TENSORC_PYTHON_SRC_TREES_H

#include "core.h"

#include <memory>

namespace tcpy {

/// How a class is flattened.
enum class Kind : int64_t {
  leaf,
  none,
  tuple,
  list,
  dict,
  named,
  data,
  registered
};

/// Properties of a class.
struct TypeInfo {
  Kind kind = Kind::leaf;
  nb::object fields; // tuple of names, for dataclasses and named tuples
  nb::object flatten, unflatten; // functions of registered classes
};
/// Returns the properties of a value's class. The object lives as long as the
/// process.
const TypeInfo &infoOf(PyObject *value);
const TypeInfo &infoOfType(PyTypeObject *type);

/// The structure of a value without its leaves.
struct Tree {
  Kind kind = Kind::leaf;
  // Meta holds a dict's keys, or the data of a registered class.
  nb::object type, meta;
  std::vector<Tree> children;

  size_t leaves() const;
  /// Builds the value with these leaves, in order.
  nb::object make(const std::vector<nb::object> &leaves) const;
  bool equals(const Tree &other) const;
};

/// Flattens a value: returns its structure and appends its leaves.
Tree flatten(nb::handle value, std::vector<nb::object> &leaves);

/// Counts the nesting of the value that a thread visits. Python's limit of C
/// calls is no help: since 3.12 it may be more than the stack holds.
class Nesting {
public:
  Nesting() {
    constexpr int limit = 1000; // Python's usual limit of recursion
    if (depth == limit)
      raise(PyExc_RecursionError,
            "maximum recursion depth exceeded in a value that holds arrays");
    ++depth;
  }
  Nesting(const Nesting &) = delete;
  ~Nesting() { --depth; }

private:
  static inline thread_local int depth = 0;
};

/// Calls `enter(kind, type, meta, count)` and `leaf(value)` in the order of
/// flatten(), without building a Tree.
template <typename Visitor> void walk(nb::handle value, Visitor &visitor) {
  const TypeInfo &info = infoOf(value.ptr());
  if (info.kind == Kind::leaf)
    return visitor.leaf(value);
  Nesting nesting;
  switch (info.kind) {
  case Kind::none:
    visitor.enter(info.kind, value, nb::handle(), 0);
    break;
  case Kind::tuple:
  case Kind::list:
  case Kind::named: {
    Py_ssize_t count = PySequence_Fast_GET_SIZE(value.ptr());
    visitor.enter(info.kind, value, nb::handle(), count);
    for (Py_ssize_t i = 0;
         i < count && i < PySequence_Fast_GET_SIZE(value.ptr()); ++i)
      walk(nb::borrow(PySequence_Fast_GET_ITEM(value.ptr(), i)), visitor);
    break;
  }
  case Kind::dict: {
    visitor.enter(info.kind, value, nb::handle(), PyDict_Size(value.ptr()));
    PyObject *key, *item;
    for (Py_ssize_t at = 0; PyDict_Next(value.ptr(), &at, &key, &item);) {
      visitor.key(key);
      walk(nb::borrow(item), visitor);
    }
    break;
  }
  case Kind::data: {
    visitor.enter(info.kind, value, nb::handle(),
                  PyTuple_GET_SIZE(info.fields.ptr()));
    for (nb::handle name : nb::borrow<nb::tuple>(info.fields))
      walk(nb::object(nb::getattr(value, name)), visitor);
    break;
  }
  default: {
    nb::tuple parts = nb::tuple(info.flatten(value));
    nb::object children = parts[0], meta = parts[1];
    nb::object list = nb::steal(
        PySequence_Fast(children.ptr(), "flatten returns a list of children"));
    if (!list)
      throw nb::python_error();
    visitor.enter(info.kind, value, meta, PySequence_Fast_GET_SIZE(list.ptr()));
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.ptr()); ++i)
      walk(nb::borrow(PySequence_Fast_GET_ITEM(list.ptr(), i)), visitor);
  }
  }
}

} // namespace tcpy

#endif
