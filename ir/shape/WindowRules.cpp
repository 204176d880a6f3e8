//===- WindowRules.cpp - Shape rules of attention, windows and images -----===//

#include "ir/shape/LibraryRules.h"
#include "ir/shape/Numbers.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tensorc::shape {

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Checks the dims of a mask, which must be 1 or those of the scores.
static bool requireMask(InferredShape &result, Dims scores, Dims mask) {
  auto text = [&] {
    return "the mask " + shapeText(mask) +
           " does not broadcast to the scores " + shapeText(scores);
  };
  if (mask.size() > scores.size())
    return result.refuse(text());
  return all_of(zip(mask, scores.take_back(mask.size())), [&](auto pair) {
    auto [given, wanted] = pair;
    return given == 1 || result.requireEqual(given, wanted, text);
  });
}

InferredShape inferAttention(Dims q, Dims k, Dims v, OptionalDims mask,
                             int64_t groups) {
  InferredShape result;
  auto all = [&] {
    return shapeText(q) + " x " + shapeText(k) + " x " + shapeText(v);
  };
  size_t rank = q.size();
  if (rank < 2 || k.size() != rank || v.size() != rank) {
    result.refuse("needs queries, keys and values of one rank of at least 2: " +
                  all());
    return result;
  }
  auto text = [&] {
    return "sizes of queries, keys and values do not fit: " + all();
  };
  if (groups < 1 || (groups > 1 && rank < 3)) {
    result.refuse(text());
    return result;
  }
  if (!result.requireEqual(q[rank - 1], k[rank - 1], text) ||
      !result.requireEqual(k[rank - 2], v[rank - 2], text))
    return result;
  for (size_t i = 0; i + 2 < rank; ++i) {
    Dim keys = i + 3 == rank ? k[i] * groups : k[i];
    if (!result.requireEqual(v[i], k[i], text) ||
        !result.requireEqual(q[i], keys, text))
      return result;
  }
  SmallVector<Dim> scores(q);
  scores.back() = k[rank - 2];
  if (mask && !requireMask(result, scores, *mask))
    return result;
  append_range(result.dims, q);
  result.dims.back() = v.back();
  return result;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Checks that there is one number for each dim, each at least `least`.
static bool requireList(InferredShape &result, Numbers list, size_t dims,
                        int64_t least, StringRef what) {
  if (list.size() != dims)
    return result.refuse("needs " + Twine(dims) + " numbers as " + what +
                         ", not " + numbersText(list));
  for (int64_t value : list)
    if (value < least || value > INT32_MAX)
      return result.refuse(what + " must be " +
                           (least == 1   ? "positive and "
                            : least == 0 ? "at least 0 and "
                                         : "") +
                           "below 2^31, not " + numbersText(list));
  return true;
}

static bool requireLists(InferredShape &result, const ConvolutionNumbers &n) {
  size_t dims = n.sizes.size();
  if (dims < 1 || dims > 3)
    return result.refuse("needs 1 to 3 spatial dimensions, not " + Twine(dims));
  if (n.groups < 1)
    return result.refuse("groups must be positive, not " + Twine(n.groups));
  return requireList(result, n.sizes, dims, 1, "the kernel's size") &&
         requireList(result, n.strides, dims, 1, "stride") &&
         requireList(result, n.dilations, dims, 1, "dilation") &&
         requireList(result, n.inputDilations, dims, 1, "input dilation") &&
         requireList(result, n.low, dims, -INT32_MAX, "padding") &&
         requireList(result, n.high, dims, -INT32_MAX, "padding");
}

static bool requireChannels(InferredShape &result, Dims x, Dims kernel,
                            OptionalDims bias, Dim outChannels,
                            const ConvolutionNumbers &n,
                            const ConvolutionPlaces &places) {
  auto both = [&] { return shapeText(x) + " x " + shapeText(kernel); };
  Dim channels = x[places.channel()];
  Dim expected = kernel[places.in()] * (n.transposed ? 1 : n.groups);
  auto differ = [&] {
    return toString(channels) + " channels, but the kernels are for " +
           toString(expected) + ": " + both();
  };
  Dim grouped = kernel[places.grouped()];
  auto divide = [&] {
    return (Twine(n.groups) + " groups do not divide the " + toString(grouped) +
            " channels of the kernels: " + both())
        .str();
  };
  auto ofBias = [&] {
    return "the bias must be of shape " + shapeText(outChannels) + ", not " +
           shapeText(*bias);
  };
  return result.requireEqual(channels, expected, differ) &&
         result.requireAtMost(mod(grouped, n.groups), 0, divide) &&
         (!bias || result.requireAllEqual(*bias, outChannels, ofBias));
}

InferredShape inferConvolution(Dims x, Dims kernel, OptionalDims bias,
                               const ConvolutionNumbers &n) {
  InferredShape result;
  if (!requireLists(result, n))
    return result;
  int64_t dims = n.sizes.size();
  ConvolutionPlaces places{dims, n.channelsLast, n.transposed};
  if (static_cast<int64_t>(x.size()) != dims + 2 ||
      static_cast<int64_t>(kernel.size()) != dims + 2) {
    result.refuse("needs images and kernels with " + Twine(dims) +
                  " spatial dimensions and channels: " + shapeText(x) + " x " +
                  shapeText(kernel));
    return result;
  }
  Dim outChannels = kernel[places.out()] * (n.transposed ? n.groups : 1);
  if (!requireChannels(result, x, kernel, bias, outChannels, n, places))
    return result;
  append_range(result.dims, x);
  result.dims[places.channel()] = outChannels;
  Dims spatial = x.slice(places.spatial(0), dims);
  auto text = [&] {
    if (n.transposed)
      return "the result of " + shapeText(spatial) + " with a kernel of " +
             numbersText(n.sizes) + " has no elements";
    return "a kernel of " + numbersText(n.sizes) + ", dilated by " +
           numbersText(n.dilations) + ", does not fit into " +
           shapeText(spatial) + " with padding " + numbersText(n.low) +
           " and " + numbersText(n.high);
  };
  // This is an error for any padding, as in PyTorch.
  auto empty = [&] {
    return "the images have no elements along a spatial dimension: " +
           shapeText(spatial);
  };
  for (int64_t i = 0; i < dims; ++i) {
    auto differ = [&] {
      return "the kernel " + shapeText(kernel) + " is not of size " +
             numbersText(n.sizes);
    };
    Dim size = spatial[i];
    int64_t extent = (n.sizes[i] - 1) * n.dilations[i] + 1;
    Dim total =
        size + (size - 1) * (n.inputDilations[i] - 1) + n.low[i] + n.high[i];
    if (!result.requireEqual(kernel[places.ofKernel(i)], n.sizes[i], differ) ||
        !result.requireAtMost(1, size, empty) ||
        !result.requireAtMost(extent, total, text))
      return result;
    result.dims[places.spatial(i)] = floorDiv(total - extent, n.strides[i]) + 1;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Pooling and interpolation
//===----------------------------------------------------------------------===//

/// Checks that dims are distinct and within the tensor's rank.
static bool requireDims(InferredShape &result, Dims x, Numbers dims) {
  for (auto [i, dim] : enumerate(dims))
    if (dim < 0 || dim >= static_cast<int64_t>(x.size()) ||
        is_contained(dims.take_front(i), dim))
      return result.refuse("dims must differ and lie inside rank " +
                           Twine(x.size()));
  return true;
}

InferredShape checkPooling(const PooledWindows &n) {
  InferredShape result;
  size_t count = n.dims.size();
  (void)(requireList(result, n.sizes, count, 1, "window") &&
         requireList(result, n.strides, count, 1, "stride") &&
         requireList(result, n.dilations, count, 1, "dilation") &&
         requireList(result, n.low, count, 0, "padding") &&
         requireList(result, n.high, count, 0, "padding"));
  return result;
}

InferredShape inferPooling(Dims x, const PooledWindows &n) {
  InferredShape result = checkPooling(n);
  if (result.isRefused() || !requireDims(result, x, n.dims))
    return result;
  append_range(result.dims, x);
  for (auto [i, dim] : enumerate(n.dims)) {
    int64_t extent = (n.sizes[i] - 1) * n.dilations[i] + 1;
    Dim padded = x[dim] + n.low[i] + n.high[i];
    auto text = [&, i = i, dim = dim] {
      std::string dilated;
      if (extent != n.sizes[i])
        dilated = ", dilated to " + std::to_string(extent) + ",";
      return ("a window of " + numbersText(n.sizes) + dilated +
              " does not fit into axis " + Twine(dim) + " of " + shapeText(x) +
              " with padding " + Twine(n.low[i]) + " and " + Twine(n.high[i]))
          .str();
    };
    if (!result.requireAtMost(extent, padded, text))
      return result;
    result.dims[dim] = floorDiv(padded - extent, n.strides[i]) + 1;
  }
  return result;
}

InferredShape inferInterpolation(Dims x, Numbers dims, Dims result) {
  InferredShape rule;
  rule.dims.assign(result.begin(), result.end());
  if (!requireDims(rule, x, dims))
    return rule;
  if (result.size() != x.size()) {
    rule.refuse("the result has rank " + Twine(result.size()) +
                ", and x has rank " + Twine(x.size()));
    return rule;
  }
  auto text = [&] {
    return "sizes must be positive, and those of other dims are kept: " +
           shapeText(x) + " to " + shapeText(result);
  };
  for (auto [dim, sizes] : enumerate(zip(x, result))) {
    auto [from, to] = sizes;
    if (is_contained(dims, static_cast<int64_t>(dim))
            ? !rule.requireAtMost(1, from, text) ||
                  !rule.requireAtMost(1, to, text)
            : !rule.requireEqual(from, to, text))
      return rule;
  }
  return rule;
}

} // namespace tensorc::shape
