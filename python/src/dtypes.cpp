//===- dtypes.cpp - Dtypes and their names --------------------------------===//
#include "core.h"

#include <array>

namespace tcpy {
namespace {

/// Returns Python's name for the class of a dtype with this C name: "f32",
/// "ui8", "i1".
std::string pythonNameOf(std::string name) {
  if (name == "i1")
    return "bool";
  if (name == "bf16")
    return "bfloat16";
  if (name == "f8E4M3FN")
    return "float8_e4m3fn";
  if (name == "f8E5M2")
    return "float8_e5m2";
  auto longer = [&](const char *prefix, const char *word) {
    size_t length = std::string_view(prefix).size();
    return name.compare(0, length, prefix) == 0 && std::isdigit(name[length])
               ? word + name.substr(length)
               : std::string();
  };
  for (auto [prefix, word] : {std::pair{"ui", "uint"},
                              {"i", "int"},
                              {"f", "float"},
                              {"c", "complex"}})
    if (std::string full = longer(prefix, word); !full.empty())
      return full;
  return name;
}

struct Known {
  std::string name, shortName;
  PyObject *object = nullptr;
};
constexpr int count = 64;
std::array<Known, count> &known() {
  static auto *all = new std::array<Known, count>;
  return *all;
}

bool isKind(tensorc_dtype dtype, const char *prefix) {
  return known()[dtype].name.rfind(prefix, 0) == 0;
}

/// Returns the dtype with this name, or 0.
tensorc_dtype named(std::string_view name) {
  for (int i = 1; i < count; ++i)
    if (known()[i].object &&
        (known()[i].name == name || known()[i].shortName == name))
      return static_cast<tensorc_dtype>(i);
  return {};
}

} // namespace

std::string pythonName(tensorc_dtype dtype) { return known()[dtype].name; }
nb::object dtypeObject(tensorc_dtype dtype) {
  return nb::borrow(known()[dtype].object);
}
bool isFloat(tensorc_dtype dtype) {
  return isKind(dtype, "float") || isKind(dtype, "bfloat");
}

tensorc_dtype asDType(nb::handle value) {
  DType *mine;
  if (nb::try_cast<DType *>(value, mine) && mine)
    return mine->value;
  tensorc_dtype found{};
  if (nb::isinstance<nb::str>(value))
    found = named(nb::cast<std::string>(nb::str(value)));
  else if (value.ptr() == reinterpret_cast<PyObject *>(&PyBool_Type))
    found = named("bool");
  else if (value.ptr() == reinterpret_cast<PyObject *>(&PyLong_Type))
    found = named("int64");
  else if (value.ptr() == reinterpret_cast<PyObject *>(&PyFloat_Type))
    found = named("float64");
  else if (value.ptr() == reinterpret_cast<PyObject *>(&PyComplex_Type))
    found = named("complex128");
  else if (nb::hasattr(value, "name")) // numpy.dtype
    found = named(nb::cast<std::string>(nb::str(value.attr("name"))));
  else if (nb::hasattr(value, "__name__")) // numpy.float32
    found = named(nb::cast<std::string>(nb::str(value.attr("__name__"))));
  if (!found)
    raise(PyExc_TypeError,
          "no dtype of tensorc: " + nb::cast<std::string>(nb::repr(value)));
  return found;
}

void addDTypes(nb::module_ &m) {
  auto type = nb::class_<DType>(m, "DType", "The type of an array's elements.");
  type.def_prop_ro(
          "name", [](const DType &d) { return pythonName(d.value); },
          "Its name, as NumPy's.")
      .def_prop_ro(
          "itemsize",
          [](const DType &d) { return tensorc_dtype_size(d.value); },
          "Bytes that hold one element.")
      .def_prop_ro("number", [](const DType &d) { return int(d.value); })
      .def("__repr__",
           [](const DType &d) { return "tensorc." + pythonName(d.value); })
      .def("__str__", [](const DType &d) { return pythonName(d.value); })
      .def("__hash__", [](const DType &d) { return int(d.value); })
      .def(
          "__eq__",
          [](const DType &d, nb::handle other) {
            try {
              return d.value == asDType(other);
            } catch (nb::python_error &error) {
              if (!error.matches(PyExc_TypeError))
                throw;
              return false;
            }
          },
          nb::arg().none())
      .def("__reduce__", [](const DType &d) {
        return nb::make_tuple(
            nb::module_::import_("tensorc._dtypes").attr("as_dtype"),
            nb::make_tuple(pythonName(d.value)));
      });
  nb::list all;
  for (int i = 1; i < count; ++i) {
    auto dtype = static_cast<tensorc_dtype>(i);
    std::string name = tensorc_dtype_name(dtype);
    if (name == "none") // the library has no dtype with this number
      continue;
    Known &one = known()[i];
    one.shortName = name;
    one.name = pythonNameOf(name);
    one.object = nb::cast(DType{dtype}).release().ptr();
    all.append(nb::handle(one.object));
  }
  m.attr("dtypes") = all;
  m.def("dtype_of_name",
        [](nb::handle value) { return dtypeObject(asDType(value)); });
  m.def("promote", [](DTypeLike a, DTypeLike b) -> nb::object {
    tensorc_dtype both = tensorc_promote(a.value, b.value);
    return both ? dtypeObject(both) : nb::none();
  });
}

} // namespace tcpy
