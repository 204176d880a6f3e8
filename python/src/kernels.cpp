//===- kernels.cpp - User-defined kernels ---------------------------------===//
#include "core.h"

#include "tensorc/kernel.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

namespace tcpy {
namespace {

/// A kernel. Kernels are never freed.
struct Kernel {
  const tensorc_kernel *raw = nullptr;
  size_t inputs = 0, outputs = 0;

  nb::list call(const Arrays &arguments) const {
    if (arguments.raw.size() != inputs)
      raise(PyExc_TypeError, "the kernel takes " + std::to_string(inputs) +
                                 " arrays, not " +
                                 std::to_string(arguments.raw.size()));
    std::vector<tensorc_tensor *> out(outputs);
    check(tensorc_kernel_call(raw, arguments.data(), arguments.count(), here(),
                              out.data()));
    return toList(out);
  }
};

/// A dtype and the text of its dims, for each input or output.
using Values = std::vector<std::pair<DTypeLike, std::string>>;

std::vector<tensorc_kernel_value> rawOf(const Values &values) {
  std::vector<tensorc_kernel_value> result;
  for (const auto &[dtype, dims] : values)
    result.push_back({dtype.value, dims.c_str()});
  return result;
}

Kernel makeKernel(bool isCuda, const std::string &text, const std::string &name,
                  const Values &inputs, const Values &outputs,
                  const std::string &grid, const std::vector<int32_t> &block,
                  const std::optional<std::string> &shared,
                  const std::optional<std::string> &scalars, bool zeroed,
                  const std::vector<std::string> &flags) {
  std::vector<tensorc_kernel_value> in = rawOf(inputs), out = rawOf(outputs);
  std::vector<const char *> words;
  for (const std::string &flag : flags)
    words.push_back(flag.c_str());
  tensorc_kernel_options options{};
  options.struct_size = sizeof(options);
  options.inputs = in.data();
  options.input_count = static_cast<int32_t>(in.size());
  options.outputs = out.data();
  options.output_count = static_cast<int32_t>(out.size());
  options.grid = grid.c_str();
  if (block.size() > 3)
    raise(PyExc_ValueError, "a block has up to three sizes");
  std::copy(block.begin(), block.end(), options.block);
  options.shared = shared ? shared->c_str() : nullptr;
  options.scalars = scalars ? scalars->c_str() : nullptr;
  options.zeroed = zeroed;
  options.flags = words.data();
  options.flag_count = static_cast<int32_t>(words.size());
  tensorc_kernel *raw = nullptr;
  check((isCuda ? tensorc_cuda_kernel : tensorc_gpu_kernel)(
      text.c_str(), name.c_str(), &options, here(), &raw));
  return {raw, in.size(), out.size()};
}
} // namespace

void addKernels(nb::module_ &m) {
  nb::class_<Kernel>(m, "Kernel").def("__call__", &Kernel::call);
  m.def("make_kernel", makeKernel, nb::arg("cuda"), nb::arg("text"),
        nb::arg("name"), nb::arg("inputs"), nb::arg("outputs"), nb::arg("grid"),
        nb::arg("block"), nb::arg("shared").none(), nb::arg("scalars").none(),
        nb::arg("zeroed"), nb::arg("flags"));
}

} // namespace tcpy
