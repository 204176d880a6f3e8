//===- windows.hpp - convolution and pooling; included by tensorc.hpp -----===//
//
//   Tensor y = conv2d(x, kernels, bias, {.stride = 2, .padding = 1});
//   Tensor z = max_pool2d(relu(y), 3, {.stride = 2});
//
// Parameters and results are PyTorch's; see tensorc/windows.h for details.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_WINDOWS_HPP
#define TENSORC_WINDOWS_HPP

#include "tensorc/tensor.hpp"
#include "tensorc/windows.h"

#include <optional>

namespace tensorc {

/// One number per spatial dimension, or one for all of them.
struct Extents {
  std::vector<int64_t> list;
  /// Stands for the default of the option.
  Extents() = default;
  Extents(int64_t all) : list{all} {}
  Extents(std::initializer_list<int64_t> each) : list(each) {}
  Extents(std::vector<int64_t> each) : list(std::move(each)) {}
};

/// Padding around the input: the same on both sides, different on each side,
/// "same" (the result is as large as the input) or "valid" (none).
struct Padding {
  tensorc_padding mode = TENSORC_PADDING_EXPLICIT;
  Extents low = 0;
  std::optional<Extents> high;
  /// A name that is neither "same" nor "valid", for the error message.
  std::string unknown;

  Padding(int64_t all) : low(all) {}
  Padding(std::initializer_list<int64_t> each) : low(each) {}
  Padding(std::vector<int64_t> each) : low(std::move(each)) {}
  Padding(Extents before, Extents behind)
      : low(std::move(before)), high(std::move(behind)) {}
  /// A reference to an array, because a pointer would also accept the number 0.
  template <size_t N> Padding(const char (&name)[N]) {
    std::string text = name;
    if (text == "same")
      mode = TENSORC_PADDING_SAME;
    else if (text == "valid")
      mode = TENSORC_PADDING_VALID;
    else
      unknown = text;
  }
};

/// See tensorc_layout.
enum class Layout { channels_first, channels_last };

struct ConvOptions {
  Extents stride = 1;
  Padding padding = 0;
  Extents dilation = 1;
  int64_t groups = 1;
  /// Distance between the input's elements; zeros are inserted between them.
  Extents input_dilation = 1;
  Layout layout = Layout::channels_first;
};
struct ConvTransposeOptions {
  Extents stride = 1;
  Padding padding = 0;
  Extents output_padding = 0;
  int64_t groups = 1;
  Extents dilation = 1;
  Layout layout = Layout::channels_first;
};
struct MaxPoolOptions {
  Extents stride = Extents(); // the default is the window's size
  Padding padding = 0;
  Extents dilation = 1;
  bool ceil_mode = false;
  Layout layout = Layout::channels_first;
};
struct AvgPoolOptions {
  Extents stride = Extents(); // the default is the window's size
  Padding padding = 0;
  bool ceil_mode = false;
  bool count_include_pad = true;
  Layout layout = Layout::channels_first;
  /// Divisor of the sums; 0 means the number of elements of the window.
  double divisor_override = 0;
};
struct UnfoldOptions {
  Extents dilation = 1;
  Padding padding = 0;
  Extents stride = 1;
};
struct WindowOptions {
  Extents stride = 1;
  Padding padding = 0;
  Extents dilation = 1;
};
enum class Reduction {
  sum = TENSORC_SUM,
  prod = TENSORC_PROD,
  max = TENSORC_MAX,
  min = TENSORC_MIN,
  mean = TENSORC_MEAN
};

namespace detail {
inline std::vector<int64_t> spread(const char *op, const char *what,
                                   const Extents &extents, size_t dims,
                                   tensorc_location at) {
  if (extents.list.size() == dims)
    return extents.list;
  if (extents.list.size() != 1)
    fail(op,
         std::string(what) + " needs one number or " + std::to_string(dims) +
             ", not " + std::to_string(extents.list.size()),
         at);
  return std::vector<int64_t>(dims, extents.list[0]);
}

struct SpreadPadding {
  std::vector<int64_t> low, high;
  SpreadPadding(const char *op, const Padding &padding, size_t dims,
                tensorc_location at, bool named = false) {
    if (!padding.unknown.empty() ||
        (!named && padding.mode != TENSORC_PADDING_EXPLICIT))
      fail(op,
           padding.unknown.empty()
               ? "padding must be numbers"
               : "padding is numbers, \"same\" or \"valid\", not \"" +
                     padding.unknown + "\"",
           at);
    low = spread(op, "padding", padding.low, dims, at);
    high = spread(op, "padding", padding.high.value_or(padding.low), dims, at);
  }
};

inline Tensor conv(const char *op, size_t dims, Arg &x, const Tensor &kernel,
                   const Tensor &bias, const ConvOptions &o) {
  std::vector<int64_t> stride = spread(op, "stride", o.stride, dims, x.at()),
                       dilation =
                           spread(op, "dilation", o.dilation, dims, x.at()),
                       gaps = spread(op, "input_dilation", o.input_dilation,
                                     dims, x.at());
  SpreadPadding padding(op, o.padding, dims, x.at(), true);
  tensorc_conv_options raw{};
  raw.struct_size = sizeof raw;
  raw.dims = static_cast<int32_t>(dims);
  raw.layout = static_cast<tensorc_layout>(o.layout);
  raw.padding = o.padding.mode;
  // 0 would mean the default.
  raw.groups = o.groups == 0 ? -1 : o.groups;
  raw.stride = stride.data();
  raw.padding_low = padding.low.data();
  raw.padding_high = padding.high.data();
  raw.dilation = dilation.data();
  raw.input_dilation = gaps.data();
  return unary(op, x, tensorc_conv,
               static_cast<const tensorc_tensor *>(kernel.operand(op, x.at())),
               static_cast<const tensorc_tensor *>(bias.operand(op, x.at())),
               &raw);
}

inline Tensor convTranspose(const char *op, size_t dims, Arg &x,
                            const Tensor &kernel, const Tensor &bias,
                            const ConvTransposeOptions &o) {
  std::vector<int64_t> stride = spread(op, "stride", o.stride, dims, x.at()),
                       dilation =
                           spread(op, "dilation", o.dilation, dims, x.at()),
                       extra = spread(op, "output_padding", o.output_padding,
                                      dims, x.at());
  SpreadPadding padding(op, o.padding, dims, x.at());
  tensorc_conv_options raw{};
  raw.struct_size = sizeof raw;
  raw.dims = static_cast<int32_t>(dims);
  raw.layout = static_cast<tensorc_layout>(o.layout);
  raw.groups = o.groups == 0 ? -1 : o.groups;
  raw.stride = stride.data();
  raw.padding_low = padding.low.data();
  raw.padding_high = padding.high.data();
  raw.dilation = dilation.data();
  raw.output_padding = extra.data();
  return unary(op, x, tensorc_conv_transpose,
               static_cast<const tensorc_tensor *>(kernel.operand(op, x.at())),
               static_cast<const tensorc_tensor *>(bias.operand(op, x.at())),
               &raw);
}

/// The C options of poolings and reduce_window.
struct RawWindow {
  std::vector<int64_t> size, stride, dilation;
  SpreadPadding padding;
  tensorc_window_options raw{};
  RawWindow(const char *op, size_t dims, const Extents &sizes,
            const Extents &steps, const Padding &around, const Extents &gaps,
            tensorc_location at)
      : size(spread(op, "window", sizes, dims, at)),
        stride(spread(op, "stride", steps, dims, at)),
        dilation(spread(op, "dilation", gaps, dims, at)),
        padding(op, around, dims, at) {
    raw.struct_size = sizeof raw;
    raw.dims = static_cast<int32_t>(dims);
    raw.size = size.data();
    raw.stride = stride.data();
    raw.padding_low = padding.low.data();
    raw.padding_high = padding.high.data();
    raw.dilation = dilation.data();
  }
  RawWindow(const RawWindow &) = delete;
};

inline Tensor pool(const char *op, tensorc_reduction reduction, Arg &x,
                   const RawWindow &window) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_pool(reduction, x.tensor(op), &window.raw, x.at(), &out);
  x.drop();
  return take(status, out);
}
inline Tensor maxPool(const char *op, size_t dims, Arg &x, const Extents &size,
                      const MaxPoolOptions &o) {
  RawWindow window(op, dims, size, o.stride.list.empty() ? size : o.stride,
                   o.padding, o.dilation, x.at());
  window.raw.layout = static_cast<tensorc_layout>(o.layout);
  window.raw.ceil_mode = o.ceil_mode;
  return pool(op, TENSORC_MAX, x, window);
}
inline Tensor avgPool(const char *op, size_t dims, Arg &x, const Extents &size,
                      const AvgPoolOptions &o) {
  RawWindow window(op, dims, size, o.stride.list.empty() ? size : o.stride,
                   o.padding, 1, x.at());
  window.raw.layout = static_cast<tensorc_layout>(o.layout);
  window.raw.ceil_mode = o.ceil_mode;
  window.raw.exclude_padding = !o.count_include_pad;
  window.raw.divisor = o.divisor_override;
  return pool(op, TENSORC_MEAN, x, window);
}
inline Tensor adaptivePool(const char *op, tensorc_reduction reduction,
                           int32_t dims, Arg &x, const Extents &size,
                           Layout layout) {
  std::vector<int64_t> sizes =
      spread(op, "the size", size, static_cast<size_t>(dims), x.at());
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_adaptive_pool(
      reduction, x.tensor(op), dims, static_cast<tensorc_layout>(layout),
      sizes.data(), x.at(), &out);
  x.drop();
  return take(status, out);
}
} // namespace detail

/// Images [N, C, W] and kernels [O, C / groups, W].
inline Tensor conv1d(Arg x, const Tensor &kernel, const Tensor &bias = {},
                     const ConvOptions &options = {}) {
  return detail::conv("conv1d", 1, x, kernel, bias, options);
}
/// Images [N, C, H, W] and kernels [O, C / groups, H, W]; or, channels last,
/// [N, H, W, C] and [H, W, C / groups, O].
inline Tensor conv2d(Arg x, const Tensor &kernel, const Tensor &bias = {},
                     const ConvOptions &options = {}) {
  return detail::conv("conv2d", 2, x, kernel, bias, options);
}
inline Tensor conv3d(Arg x, const Tensor &kernel, const Tensor &bias = {},
                     const ConvOptions &options = {}) {
  return detail::conv("conv3d", 3, x, kernel, bias, options);
}
/// Images [N, C, W] and kernels [C, O / groups, W].
inline Tensor conv_transpose1d(Arg x, const Tensor &kernel,
                               const Tensor &bias = {},
                               const ConvTransposeOptions &options = {}) {
  return detail::convTranspose("conv_transpose1d", 1, x, kernel, bias, options);
}
inline Tensor conv_transpose2d(Arg x, const Tensor &kernel,
                               const Tensor &bias = {},
                               const ConvTransposeOptions &options = {}) {
  return detail::convTranspose("conv_transpose2d", 2, x, kernel, bias, options);
}
inline Tensor conv_transpose3d(Arg x, const Tensor &kernel,
                               const Tensor &bias = {},
                               const ConvTransposeOptions &options = {}) {
  return detail::convTranspose("conv_transpose3d", 3, x, kernel, bias, options);
}
inline Tensor max_pool1d(Arg x, const Extents &size,
                         const MaxPoolOptions &options = {}) {
  return detail::maxPool("max_pool1d", 1, x, size, options);
}
inline Tensor max_pool2d(Arg x, const Extents &size,
                         const MaxPoolOptions &options = {}) {
  return detail::maxPool("max_pool2d", 2, x, size, options);
}
inline Tensor max_pool3d(Arg x, const Extents &size,
                         const MaxPoolOptions &options = {}) {
  return detail::maxPool("max_pool3d", 3, x, size, options);
}
inline Tensor avg_pool1d(Arg x, const Extents &size,
                         const AvgPoolOptions &options = {}) {
  return detail::avgPool("avg_pool1d", 1, x, size, options);
}
inline Tensor avg_pool2d(Arg x, const Extents &size,
                         const AvgPoolOptions &options = {}) {
  return detail::avgPool("avg_pool2d", 2, x, size, options);
}
inline Tensor avg_pool3d(Arg x, const Extents &size,
                         const AvgPoolOptions &options = {}) {
  return detail::avgPool("avg_pool3d", 3, x, size, options);
}
inline Tensor adaptive_avg_pool1d(Arg x, const Extents &size,
                                  Layout layout = Layout::channels_first) {
  return detail::adaptivePool("adaptive_avg_pool1d", TENSORC_MEAN, 1, x, size,
                              layout);
}
inline Tensor adaptive_max_pool1d(Arg x, const Extents &size,
                                  Layout layout = Layout::channels_first) {
  return detail::adaptivePool("adaptive_max_pool1d", TENSORC_MAX, 1, x, size,
                              layout);
}
inline Tensor adaptive_avg_pool2d(Arg x, const Extents &size,
                                  Layout layout = Layout::channels_first) {
  return detail::adaptivePool("adaptive_avg_pool2d", TENSORC_MEAN, 2, x, size,
                              layout);
}
inline Tensor adaptive_max_pool2d(Arg x, const Extents &size,
                                  Layout layout = Layout::channels_first) {
  return detail::adaptivePool("adaptive_max_pool2d", TENSORC_MAX, 2, x, size,
                              layout);
}
inline Tensor adaptive_avg_pool3d(Arg x, const Extents &size,
                                  Layout layout = Layout::channels_first) {
  return detail::adaptivePool("adaptive_avg_pool3d", TENSORC_MEAN, 3, x, size,
                              layout);
}
inline Tensor adaptive_max_pool3d(Arg x, const Extents &size,
                                  Layout layout = Layout::channels_first) {
  return detail::adaptivePool("adaptive_max_pool3d", TENSORC_MAX, 3, x, size,
                              layout);
}
/// Returns the elements of each window as a column: images [N, C, spatial...]
/// become [N, C * elements of a window, windows]. A single size is used for two
/// spatial dimensions.
inline Tensor unfold(Arg x, const Extents &size,
                     const UnfoldOptions &options = {}) {
  size_t dims = size.list.size() == 1 ? 2 : size.list.size();
  detail::RawWindow window("unfold", dims, size, options.stride,
                           options.padding, options.dilation, x.at());
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_unfold(x.tensor("unfold"), &window.raw, x.at(), &out);
  x.drop();
  return detail::take(status, out);
}
/// Reduces windows that slide along all dimensions.
inline Tensor reduce_window(Arg x, Reduction reduction, const Extents &size,
                            const WindowOptions &options = {}) {
  size_t rank =
      static_cast<size_t>(tensorc_tensor_rank(x.tensor("reduce_window")));
  detail::RawWindow window("reduce_window", rank, size, options.stride,
                           options.padding, options.dilation, x.at());
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_reduce_window(
      static_cast<tensorc_reduction>(reduction), x.tensor("reduce_window"),
      &window.raw, x.at(), &out);
  x.drop();
  return detail::take(status, out);
}

} // namespace tensorc

#endif
