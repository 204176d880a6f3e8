//===- Windows.cpp - Convolution and pooling of the C interface -----------===//

#include "compiler/graph/nn/Windows.h"
#include "compiler/api/Api.h"

#include "tensorc/windows.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::NodeRef;
using graph::Recorder;
using graph::Shape;

static Shape listOf(size_t count, const int64_t *values, int64_t otherwise) {
  return values ? Shape(values, values + count) : Shape(count, otherwise);
}

/// Returns the name of the op for this number of dims, for errors.
static const char *nameOf(const char *const (&names)[4], int64_t dims) {
  return names[dims >= 1 && dims <= 3 ? dims : 0];
}

template <typename Options>
static bool checkOptions(Recorder &r, const Options *given, const Options &o) {
  if (!given)
    r.fail("", "the options are NULL");
  else if (o.dims < 1 || o.dims > 3)
    r.fail("",
           "needs 1, 2 or 3 spatial dimensions, not " + llvm::Twine(o.dims));
  else if (o.layout != TENSORC_CHANNELS_FIRST &&
           o.layout != TENSORC_CHANNELS_LAST)
    r.fail("", "unknown layout");
  return r.error.empty();
}

static bool checkPadding(Recorder &r, tensorc_padding padding) {
  if (padding < TENSORC_PADDING_EXPLICIT || padding > TENSORC_PADDING_VALID)
    r.fail("", "unknown padding");
  return r.error.empty();
}

static graph::SlidingWindow windowOf(const tensorc_window_options &o,
                                     size_t dims, bool pooling) {
  graph::SlidingWindow window;
  window.size = listOf(dims, o.size, 0);
  window.stride =
      pooling && !o.stride ? window.size : listOf(dims, o.stride, 1);
  window.low = listOf(dims, o.padding_low, 0);
  window.high = o.padding_high ? listOf(dims, o.padding_high, 0) : window.low;
  window.dilation = listOf(dims, o.dilation, 1);
  return window;
}

static graph::Convolution convolutionOf(const tensorc_conv_options &o) {
  graph::Convolution result;
  result.dims = o.dims;
  result.channelsLast = o.layout == TENSORC_CHANNELS_LAST;
  result.groups = o.groups == 0 ? 1 : o.groups;
  result.padding = static_cast<graph::Convolution::Padding>(o.padding);
  result.window.stride = listOf(o.dims, o.stride, 1);
  result.window.low = listOf(o.dims, o.padding_low, 0);
  result.window.high =
      o.padding_high ? listOf(o.dims, o.padding_high, 0) : result.window.low;
  result.window.dilation = listOf(o.dims, o.dilation, 1);
  result.inputDilation = listOf(o.dims, o.input_dilation, 1);
  result.outputPadding = listOf(o.dims, o.output_padding, 0);
  return result;
}

tensorc_status *tensorc_conv(const tensorc_tensor *x,
                             const tensorc_tensor *kernel,
                             const tensorc_tensor *bias,
                             const tensorc_conv_options *options,
                             tensorc_location at, tensorc_tensor **out) {
  static constexpr const char *names[] = {"conv", "conv1d", "conv2d", "conv3d"};
  tensorc_conv_options o = readVersioned(options);
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!checkOptions(r, options, o) || !checkPadding(r, o.padding))
          return {};
        return graph::convolution(r, refOf(x), refOf(kernel), refOf(bias),
                                  convolutionOf(o));
      },
      nameOf(names, o.dims));
}

tensorc_status *tensorc_conv_transpose(const tensorc_tensor *x,
                                       const tensorc_tensor *kernel,
                                       const tensorc_tensor *bias,
                                       const tensorc_conv_options *options,
                                       tensorc_location at,
                                       tensorc_tensor **out) {
  static constexpr const char *names[] = {"conv_transpose", "conv_transpose1d",
                                          "conv_transpose2d",
                                          "conv_transpose3d"};
  tensorc_conv_options o = readVersioned(options);
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!checkOptions(r, options, o) || !checkPadding(r, o.padding))
          return {};
        return graph::transposedConvolution(r, refOf(x), refOf(kernel),
                                            refOf(bias), convolutionOf(o));
      },
      nameOf(names, o.dims));
}

tensorc_status *tensorc_pool(tensorc_reduction reduction,
                             const tensorc_tensor *x,
                             const tensorc_window_options *options,
                             tensorc_location at, tensorc_tensor **out) {
  static constexpr const char *max[] = {"max_pool", "max_pool1d", "max_pool2d",
                                        "max_pool3d"};
  static constexpr const char *mean[] = {"avg_pool", "avg_pool1d", "avg_pool2d",
                                         "avg_pool3d"};
  tensorc_window_options o = readVersioned(options);
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!checkOptions(r, options, o))
          return {};
        if (reduction != TENSORC_MAX && reduction != TENSORC_MEAN)
          return r.fail("", "a pooling is a maximum or a mean");
        graph::Pooling pooling;
        pooling.dims = o.dims;
        pooling.channelsLast = o.layout == TENSORC_CHANNELS_LAST;
        pooling.ceilMode = o.ceil_mode;
        pooling.excludePadding = o.exclude_padding;
        pooling.divisor = o.divisor;
        pooling.window = windowOf(o, o.dims, true);
        return reduction == TENSORC_MAX
                   ? graph::maxPool(r, refOf(x), pooling)
                   : graph::averagePool(r, refOf(x), pooling);
      },
      nameOf(reduction == TENSORC_MEAN ? mean : max, o.dims));
}

tensorc_status *tensorc_adaptive_pool(tensorc_reduction reduction,
                                      const tensorc_tensor *x, int32_t dims,
                                      tensorc_layout layout,
                                      const int64_t *size, tensorc_location at,
                                      tensorc_tensor **out) {
  static constexpr const char *max[] = {"adaptive_pool", "adaptive_max_pool1d",
                                        "adaptive_max_pool2d",
                                        "adaptive_max_pool3d"};
  static constexpr const char *mean[] = {"adaptive_pool", "adaptive_avg_pool1d",
                                         "adaptive_avg_pool2d",
                                         "adaptive_avg_pool3d"};
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (dims < 1 || dims > 3)
          return r.fail("", "has 1 to 3 spatial dimensions, not " +
                                llvm::Twine(dims));
        if (layout != TENSORC_CHANNELS_FIRST && layout != TENSORC_CHANNELS_LAST)
          return r.fail("", "unknown layout");
        if (reduction != TENSORC_MAX && reduction != TENSORC_MEAN)
          return r.fail("", "a pooling is a maximum or a mean");
        if (!size)
          return r.fail("", "the size is NULL");
        return graph::adaptivePool(
            r, refOf(x), dims, layout == TENSORC_CHANNELS_LAST,
            {size, static_cast<size_t>(dims)}, reduction == TENSORC_MAX);
      },
      nameOf(reduction == TENSORC_MEAN ? mean : max, dims));
}

tensorc_status *tensorc_unfold(const tensorc_tensor *x,
                               const tensorc_window_options *options,
                               tensorc_location at, tensorc_tensor **out) {
  tensorc_window_options o = readVersioned(options);
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!checkOptions(r, options, o))
          return {};
        return graph::unfold(r, refOf(x), windowOf(o, o.dims, false));
      },
      "unfold");
}

tensorc_status *tensorc_reduce_window(tensorc_reduction reduction,
                                      const tensorc_tensor *x,
                                      const tensorc_window_options *options,
                                      tensorc_location at,
                                      tensorc_tensor **out) {
  tensorc_window_options o = readVersioned(options);
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!x || !options)
          return r.fail("", x ? "the options are NULL"
                              : "the operand is an undefined tensor");
        if (o.dims != static_cast<int32_t>(nodeOf(x)->rank()))
          return r.fail("", "needs " + llvm::Twine(nodeOf(x)->rank()) +
                                " dimensions, not " + llvm::Twine(o.dims));
        graph::SlidingWindow window = windowOf(o, o.dims, false);
        auto reduce = [&](graph::WindowReduction kind) {
          return graph::reduceWindow(r, kind, refOf(x), window);
        };
        switch (reduction) {
        case TENSORC_SUM:
          return reduce(graph::WindowReduction::Sum);
        case TENSORC_PROD:
          return reduce(graph::WindowReduction::Prod);
        case TENSORC_MAX:
          return reduce(graph::WindowReduction::Max);
        case TENSORC_MIN:
          return reduce(graph::WindowReduction::Min);
        case TENSORC_MEAN:
          return reduce(graph::WindowReduction::Mean);
        default:
          return r.fail("", "a window has a sum, prod, max, min or mean");
        }
      },
      "reduce_window");
}
