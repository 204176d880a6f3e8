//===- files.cpp - Arrays in files, and packages --------------------------===//
#include "core.h"

#include "tensorc/files.h"

#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace tcpy {
namespace {

/// A loaded package.
struct Package {
  tensorc_rt_module *raw = nullptr;
  Package() = default;
  Package(const Package &) = delete;
  ~Package() { tensorc_rt_module_release(raw); }

  const tensorc_rt_entry *entry(const char *name) const {
    const tensorc_rt_entry *found = nullptr;
    check(tensorc_rt_module_find(raw, name, &found));
    return found;
  }
};

nb::list described(const tensorc_rt_entry *entry, bool isInput) {
  nb::list all;
  int32_t count = isInput ? tensorc_rt_entry_input_count(entry)
                          : tensorc_rt_entry_output_count(entry);
  for (int32_t i = 0; i < count; ++i) {
    tensorc_rt_value_info info{};
    check((isInput ? tensorc_rt_entry_input : tensorc_rt_entry_output)(entry, i,
                                                                       &info));
    nb::list dims;
    for (int32_t d = 0; d < info.rank; ++d)
      if (info.dims[d] >= 0)
        dims.append(info.dims[d]);
      else
        dims.append(info.dim_names[d]);
    nb::object dtype =
        info.dtype == TENSORC_RT_INDEX
            ? nb::object(nb::str("index"))
            : dtypeObject(static_cast<tensorc_dtype>(info.dtype));
    all.append(nb::make_tuple(info.name, dtype, nb::tuple(dims)));
  }
  return all;
}

nb::object callPackage(const Package &p, nb::args arguments,
                       const std::optional<std::string> &name) {
  const tensorc_rt_entry *entry = p.entry(name ? name->c_str() : nullptr);
  std::vector<Operand> operands(arguments.size());
  std::vector<tensorc_arg> raw;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!toOperand(arguments[i], operands[i])) {
      operands[i].array = asArray(arguments[i]);
      operands[i].arg = tensorc_tensor_arg(operands[i].array.raw());
    }
    raw.push_back(operands[i].arg);
  }
  std::vector<tensorc_tensor *> out(
      static_cast<size_t>(tensorc_rt_entry_output_count(entry)));
  tensorc_location at = here();
  tensorc_status *status;
  {
    nb::gil_scoped_release release;
    status = tensorc_call(entry, raw.data(), static_cast<int32_t>(raw.size()),
                          at, out.data(), static_cast<int32_t>(out.size()));
  }
  check(status);
  if (out.size() == 1)
    return nb::cast(Array(out[0]));
  return nb::tuple(toList(out));
}

void addTensorFiles(nb::module_ &m) {
  m.def("load_file", [](const std::string &path) {
    tensorc_tensor_file *file = nullptr;
    tensorc_location at = here();
    tensorc_status *status;
    {
      nb::gil_scoped_release release;
      status = tensorc_load_file(path.c_str(), at, &file);
    }
    if (status && tensorc_status_code(status) == TENSORC_NOT_FOUND) {
      std::string text = tensorc_status_message(status);
      tensorc_status_free(status);
      raise(PyExc_FileNotFoundError, text);
    }
    check(status);
    nb::dict result;
    for (int32_t i = 0; i < tensorc_tensor_file_count(file); ++i)
      result[tensorc_tensor_file_name(file, i)] =
          nb::cast(Array::sharing(tensorc_tensor_file_tensor(file, i)));
    tensorc_tensor_file_release(file);
    return result;
  });
  m.def("save_file",
        [](const std::string &path, const std::vector<std::string> &names,
           const Arrays &arrays) {
          std::vector<const char *> raw;
          for (const std::string &name : names)
            raw.push_back(name.c_str());
          tensorc_status *status;
          {
            nb::gil_scoped_release release;
            status = tensorc_save_file(path.c_str(), raw.data(), arrays.data(),
                                       arrays.count());
          }
          check(status);
        });
}

void addPackages(nb::module_ &m) {
  nb::class_<Package>(
      m, "Package",
      "A package that was loaded: call it, or one of its entries.")
      .def_prop_ro("target",
                   [](const Package &p) {
                     return std::string(tensorc_rt_module_target(p.raw));
                   })
      .def_prop_ro("compiler",
                   [](const Package &p) {
                     return std::string(tensorc_rt_module_compiler(p.raw));
                   })
      .def_prop_ro(
          "entries",
          [](const Package &p) {
            nb::list names;
            for (int32_t i = 0; i < tensorc_rt_module_entry_count(p.raw); ++i)
              names.append(
                  tensorc_rt_entry_name(tensorc_rt_module_entry(p.raw, i)));
            return names;
          },
          "The names of its functions.")
      .def(
          "inputs",
          [](const Package &p, const std::optional<std::string> &name) {
            return described(p.entry(name ? name->c_str() : nullptr), true);
          },
          nb::arg("entry").none() = nb::none(), "(name, dtype, sizes) of each.")
      .def(
          "outputs",
          [](const Package &p, const std::optional<std::string> &name) {
            return described(p.entry(name ? name->c_str() : nullptr), false);
          },
          nb::arg("entry").none() = nb::none(), "(name, dtype, sizes) of each.")
      .def(
          "verify",
          [](const Package &p) { check(tensorc_rt_module_verify(p.raw)); },
          "Compares all constants with their hashes.")
      .def("__call__", callPackage, nb::arg("arguments"), nb::kw_only(),
           nb::arg("entry").none() = nb::none());
  m.def(
      "load_package",
      [](const std::string &path, const std::optional<std::string> &device,
         bool verify) {
        auto package = std::make_unique<Package>();
        tensorc_rt_device *on = nullptr;
        if (device)
          check(tensorc_find_device(device->c_str(), &on));
        else
          check(tensorc_runtime_device(&on));
        tensorc_status *status;
        {
          nb::gil_scoped_release release;
          tensorc_rt_load_options options{sizeof options, nullptr,
                                          /*is_trusted=*/0, verify};
          status =
              tensorc_rt_load_with(on, path.c_str(), &options, &package->raw);
        }
        if (status && tensorc_status_code(status) == TENSORC_NOT_FOUND) {
          std::string text = tensorc_status_message(status);
          tensorc_status_free(status);
          raise(PyExc_FileNotFoundError, text);
        }
        check(status);
        return package;
      },
      nb::arg("path"), nb::arg("device").none() = nb::none(),
      nb::arg("verify") = false);
}

} // namespace

void addFiles(nb::module_ &m) {
  addTensorFiles(m);
  addPackages(m);
}

} // namespace tcpy
