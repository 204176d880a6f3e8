//===- windows.cpp - Convolution and pooling ------------------------------===//
#include "core.h"

#include "tensorc/windows.h"

namespace tcpy {
namespace {

/// Returns one number for each spatial dimension, or null for the default.
const int64_t *perDim(Ints &ints, int32_t dims) {
  if (ints.values.empty())
    return nullptr;
  if (ints.values.size() == 1)
    ints.values.assign(static_cast<size_t>(dims), ints.values[0]);
  if (ints.count() != dims)
    raise(PyExc_ValueError, "one number for each of " + std::to_string(dims) +
                                " dimensions is expected");
  return ints.data();
}

using Convolution = decltype(tensorc_conv);

template <Convolution *function>
Array convolve(const Tensor &x, const Tensor &kernel,
               const OptionalTensor &bias, int32_t dims, int layout,
               int padding, Ints low, Ints high, Ints stride, Ints dilation,
               Ints extra, int64_t groups) {
  tensorc_conv_options options{};
  options.struct_size = sizeof(options);
  options.dims = dims;
  options.layout = static_cast<tensorc_layout>(layout);
  options.padding = static_cast<tensorc_padding>(padding);
  options.groups = groups;
  options.stride = perDim(stride, dims);
  options.padding_low = perDim(low, dims);
  options.padding_high = perDim(high, dims);
  options.dilation = perDim(dilation, dims);
  (function == tensorc_conv ? options.input_dilation : options.output_padding) =
      perDim(extra, dims);
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      function(x.raw(), kernel.raw(), bias.raw(), &options, here(), &out);
  return taken(status, out);
}

using Windowed = decltype(tensorc_pool);
template <Windowed *function>
Array slide(int reduction, const Tensor &x, int32_t dims, int layout, Ints size,
            Ints stride, Ints low, Ints high, Ints dilation, bool ceil,
            bool exclude, double divisor) {
  tensorc_window_options options{};
  options.struct_size = sizeof(options);
  options.dims = dims;
  options.layout = static_cast<tensorc_layout>(layout);
  options.ceil_mode = ceil;
  options.exclude_padding = exclude;
  options.size = perDim(size, dims);
  options.stride = perDim(stride, dims);
  options.padding_low = perDim(low, dims);
  options.padding_high = perDim(high, dims);
  options.dilation = perDim(dilation, dims);
  options.divisor = divisor;
  tensorc_tensor *out = nullptr;
  tensorc_status *status = function(static_cast<tensorc_reduction>(reduction),
                                    x.raw(), &options, here(), &out);
  return taken(status, out);
}

} // namespace

void addWindows(nb::module_ &m) {
  m.def("conv", convolve<tensorc_conv>, nb::arg("x"), nb::arg("kernel"),
        nb::arg("bias").none(), nb::arg("dims"), nb::arg("layout"),
        nb::arg("padding"), nb::arg("low").none(), nb::arg("high").none(),
        nb::arg("stride").none(), nb::arg("dilation").none(),
        nb::arg("extra").none(), nb::arg("groups"));
  m.def("conv_transpose", convolve<tensorc_conv_transpose>, nb::arg("x"),
        nb::arg("kernel"), nb::arg("bias").none(), nb::arg("dims"),
        nb::arg("layout"), nb::arg("padding"), nb::arg("low").none(),
        nb::arg("high").none(), nb::arg("stride").none(),
        nb::arg("dilation").none(), nb::arg("extra").none(), nb::arg("groups"));
  m.def("pool", slide<tensorc_pool>, nb::arg("reduction"), nb::arg("x"),
        nb::arg("dims"), nb::arg("layout"), nb::arg("size").none(),
        nb::arg("stride").none(), nb::arg("low").none(), nb::arg("high").none(),
        nb::arg("dilation").none(), nb::arg("ceil"), nb::arg("exclude"),
        nb::arg("divisor"));
  m.def("reduce_window", slide<tensorc_reduce_window>, nb::arg("reduction"),
        nb::arg("x"), nb::arg("dims"), nb::arg("layout"),
        nb::arg("size").none(), nb::arg("stride").none(), nb::arg("low").none(),
        nb::arg("high").none(), nb::arg("dilation").none(), nb::arg("ceil"),
        nb::arg("exclude"), nb::arg("divisor"));
  m.def(
      "unfold",
      [](const Tensor &x, int32_t dims, Ints size, Ints stride, Ints low,
         Ints high, Ints dilation) {
        tensorc_window_options options{};
        options.struct_size = sizeof(options);
        options.dims = dims;
        options.size = perDim(size, dims);
        options.stride = perDim(stride, dims);
        options.padding_low = perDim(low, dims);
        options.padding_high = perDim(high, dims);
        options.dilation = perDim(dilation, dims);
        tensorc_tensor *out = nullptr;
        tensorc_status *status =
            tensorc_unfold(x.raw(), &options, here(), &out);
        return taken(status, out);
      },
      nb::arg("x"), nb::arg("dims"), nb::arg("size"), nb::arg("stride"),
      nb::arg("low").none(), nb::arg("high").none(), nb::arg("dilation"));
  m.def("adaptive_pool", [](int reduction, const Tensor &x, int32_t dims,
                            int layout, Ints size) {
    tensorc_tensor *out = nullptr;
    tensorc_status *status = tensorc_adaptive_pool(
        static_cast<tensorc_reduction>(reduction), x.raw(), dims,
        static_cast<tensorc_layout>(layout), perDim(size, dims), here(), &out);
    return taken(status, out);
  });
}

} // namespace tcpy
