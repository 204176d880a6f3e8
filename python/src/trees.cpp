//===- trees.cpp - Structures that contain arrays -------------------------===//
#include "trees.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>
#include <unordered_map>

namespace tcpy {
namespace {

std::unordered_map<PyTypeObject *, TypeInfo *> &known() {
  static auto *all = new std::unordered_map<PyTypeObject *, TypeInfo *>;
  return *all;
}
/// Properties of the classes that the program registered, which also apply to
/// subclasses.
std::vector<std::pair<PyTypeObject *, TypeInfo>> &registered() {
  static auto *all = new std::vector<std::pair<PyTypeObject *, TypeInfo>>;
  return *all;
}

TypeInfo lookUp(PyTypeObject *type) {
  TypeInfo info;
  for (auto &[base, known] : registered())
    if (PyType_IsSubtype(type, base))
      return known;
  nb::handle object(reinterpret_cast<PyObject *>(type));
  if (type == Py_TYPE(Py_None))
    info.kind = Kind::none;
  else if (PyType_IsSubtype(type, &PyTuple_Type) &&
           nb::hasattr(object, "_fields"))
    info.kind = Kind::named;
  else if (type == &PyTuple_Type)
    info.kind = Kind::tuple;
  else if (type == &PyList_Type)
    info.kind = Kind::list;
  else if (type == &PyDict_Type)
    info.kind = Kind::dict;
  else if (nb::hasattr(object, "__dataclass_fields__")) {
    info.kind = Kind::data;
    nb::list names;
    for (nb::handle field :
         nb::module_::import_("dataclasses").attr("fields")(object))
      names.append(field.attr("name"));
    info.fields = nb::tuple(names);
  }
  return info;
}

/// Builds the structure of a value.
struct Builder {
  std::vector<nb::object> &leaves;
  std::vector<Tree *> open;
  std::vector<Py_ssize_t> missing;
  std::vector<nb::list> keys;
  Tree root;
  bool isStarted = false;

  Tree *place() {
    if (!isStarted) {
      isStarted = true;
      return &root;
    }
    while (missing.back() == 0)
      close();
    --missing.back();
    return &open.back()->children.emplace_back();
  }
  void close() {
    open.pop_back();
    missing.pop_back();
    keys.pop_back();
  }
  void leaf(nb::handle value) {
    place()->kind = Kind::leaf;
    leaves.push_back(nb::borrow(value));
  }
  void enter(Kind kind, nb::handle value, nb::handle meta, Py_ssize_t count) {
    Tree *tree = place();
    tree->kind = kind;
    tree->type = nb::borrow(value.type());
    nb::list names;
    if (kind == Kind::dict)
      tree->meta = names;
    else if (meta.is_valid())
      tree->meta = nb::borrow(meta);
    // Children are appended later, and their addresses must not change.
    tree->children.reserve(static_cast<size_t>(count));
    open.push_back(tree);
    missing.push_back(count);
    keys.push_back(names);
  }
  void key(nb::handle key) {
    while (missing.back() == 0)
      close();
    keys.back().append(key);
  }
};

nb::object makeFrom(const Tree &tree, const std::vector<nb::object> &leaves,
                    size_t &next) {
  if (tree.kind == Kind::leaf) {
    if (next >= leaves.size())
      raise(PyExc_ValueError, "unflatten: too few leaves");
    return leaves[next++];
  }
  if (tree.kind == Kind::none)
    return nb::none();
  if (tree.kind == Kind::dict) {
    nb::dict result;
    for (size_t i = 0; i < tree.children.size(); ++i)
      result[nb::object(tree.meta[i])] =
          makeFrom(tree.children[i], leaves, next);
    return result;
  }
  nb::list parts;
  for (const Tree &child : tree.children)
    parts.append(makeFrom(child, leaves, next));
  switch (tree.kind) {
  case Kind::list:
    return parts;
  case Kind::tuple:
    return nb::tuple(parts);
  case Kind::named:
    return tree.type.attr("_make")(parts);
  case Kind::data: {
    nb::object result = tree.type.attr("__new__")(tree.type);
    nb::object set =
        nb::module_::import_("builtins").attr("object").attr("__setattr__");
    size_t i = 0;
    const TypeInfo &info = infoOf(result.ptr());
    for (nb::handle name : nb::borrow<nb::tuple>(info.fields))
      set(result, name, parts[i++]);
    return result;
  }
  default:
    return infoOfType(reinterpret_cast<PyTypeObject *>(tree.type.ptr()))
        .unflatten(tree.meta, parts);
  }
}

} // namespace

const TypeInfo &infoOfType(PyTypeObject *type) {
  auto found = known().find(type);
  if (found != known().end())
    return *found->second;
  auto *info = new TypeInfo(lookUp(type));
  // Keeps the type alive so that no other class gets its address.
  nb::handle(type).inc_ref();
  known().emplace(type, info);
  return *info;
}
const TypeInfo &infoOf(PyObject *value) { return infoOfType(Py_TYPE(value)); }

size_t Tree::leaves() const {
  if (kind == Kind::leaf)
    return 1;
  size_t count = 0;
  for (const Tree &child : children)
    count += child.leaves();
  return count;
}
nb::object Tree::make(const std::vector<nb::object> &leaves) const {
  size_t next = 0;
  nb::object result = makeFrom(*this, leaves, next);
  if (next != leaves.size())
    raise(PyExc_ValueError, "unflatten: too many leaves");
  return result;
}
bool Tree::equals(const Tree &other) const {
  if (kind != other.kind || children.size() != other.children.size() ||
      !type.is(other.type))
    return false;
  if (meta.is_valid() != other.meta.is_valid() ||
      (meta.is_valid() && !meta.equal(other.meta)))
    return false;
  for (size_t i = 0; i < children.size(); ++i)
    if (!children[i].equals(other.children[i]))
      return false;
  return true;
}
Tree flatten(nb::handle value, std::vector<nb::object> &leaves) {
  Builder builder{leaves, {}, {}, {}, {}, false};
  walk(value, builder);
  return std::move(builder.root);
}

void addTrees(nb::module_ &m) {
  nb::class_<Tree>(m, "Tree", "The structure of a value that holds arrays.")
      .def_prop_ro("num_leaves", &Tree::leaves)
      .def("__eq__", &Tree::equals)
      .def(
          "unflatten",
          [](const Tree &tree, const std::vector<nb::object> &leaves) {
            return tree.make(leaves);
          },
          "The value with these leaves.");
  m.def(
      "tree_flatten",
      [](nb::handle value) {
        std::vector<nb::object> leaves;
        Tree tree = flatten(value, leaves);
        nb::list all;
        for (nb::object &leaf : leaves)
          all.append(leaf);
        return nb::make_tuple(all, std::move(tree));
      },
      nb::arg().none(), "The leaves of a value, a list, and its structure.");
  m.def("tree_register",
        [](nb::handle type, nb::object flatten, nb::object unflatten) {
          if (!PyType_Check(type.ptr()))
            raise(PyExc_TypeError, "tree.register: a class is expected");
          auto *base = reinterpret_cast<PyTypeObject *>(type.ptr());
          type.inc_ref();
          TypeInfo info;
          info.kind = Kind::registered;
          info.flatten = std::move(flatten);
          info.unflatten = std::move(unflatten);
          // Inserts at the front, so that subclasses, which are registered
          // after their bases, are found first.
          registered().insert(registered().begin(), {base, info});
          for (auto &[known, object] : known())
            if (PyType_IsSubtype(known, base))
              *object = info;
        });
}

} // namespace tcpy
