//===- WindowOps.cpp - ONNX's convolutions and pools ----------------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include "llvm/ADT/Sequence.h"

namespace tensorc::onnx {

namespace {
/// The spatial attributes of a node, one number for each spatial dim.
struct Window {
  int64_t rank = 0;
  SmallVector<int64_t> sizes, strides, dilations, low, high;
  bool ceils = false;
};
} // namespace

static SmallVector<int64_t> listOr(NodeImport &n, StringRef name, int64_t count,
                                   int64_t otherwise) {
  auto list = n.integers(name);
  if (!list)
    return SmallVector<int64_t>(count, otherwise);
  if (static_cast<int64_t>(list->size()) != count)
    n.refuse(name + " has " + llvm::Twine(list->size()) +
             " numbers, and there are " + llvm::Twine(count) + " spatial dims");
  SmallVector<int64_t> result(list->begin(), list->end());
  result.resize(count, otherwise);
  return result;
}

/// Computes the padding for which there are ceil(size / stride) windows.
static void padSame(NodeImport &n, Window &window, Dims dims, bool isUpper) {
  for (int64_t i = 0; i < window.rank; ++i) {
    int64_t reach = (window.sizes[i] - 1) * window.dilations[i] + 1;
    int64_t total;
    if (window.strides[i] == 1) {
      total = reach - 1; // independent of the size
    } else {
      int64_t size = n.numberOf(dims[2 + i], "a dim that auto_pad pads");
      int64_t stride = window.strides[i];
      int64_t count = stride > 0 ? (size + stride - 1) / stride : 0;
      total = std::max<int64_t>(0, (count - 1) * stride + reach - size);
    }
    window.low[i] = isUpper ? total / 2 : total - total / 2;
    window.high[i] = total - window.low[i];
  }
}

static std::optional<Window> windowOf(NodeImport &n, Value x,
                                      ArrayRef<int64_t> sizes) {
  if (n.isRefused())
    return std::nullopt;
  Window window;
  window.rank = rankOf(x) - 2;
  if (window.rank < 1) {
    n.refuse(
        "an image has a batch, channels and spatial dims, and the rank is " +
        llvm::Twine(rankOf(x)));
    return std::nullopt;
  }
  window.sizes = sizes.empty() ? listOr(n, "kernel_shape", window.rank, 1)
                               : SmallVector<int64_t>(sizes);
  if (static_cast<int64_t>(window.sizes.size()) != window.rank)
    n.refuse("the kernel has another rank than the image");
  window.strides = listOr(n, "strides", window.rank, 1);
  window.dilations = listOr(n, "dilations", window.rank, 1);
  SmallVector<int64_t> pads = listOr(n, "pads", 2 * window.rank, 0);
  window.low.assign(pads.begin(), pads.begin() + window.rank);
  window.high.assign(pads.begin() + window.rank, pads.end());
  window.ceils = n.flag("ceil_mode");
  for (int64_t stride : window.strides)
    if (stride < 1)
      n.refuse("a stride is not positive");
  if (n.isRefused())
    return std::nullopt;
  StringRef same = n.text("auto_pad", "NOTSET");
  if (same == "SAME_UPPER" || same == "SAME_LOWER")
    padSame(n, window, dimsOf(x), same == "SAME_UPPER");
  else if (same == "VALID")
    window.low.assign(window.rank, 0), window.high.assign(window.rank, 0);
  else if (same != "NOTSET")
    n.refuse("auto_pad has the unknown value " + same);
  return n.isRefused() ? std::nullopt : std::optional(window);
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> kernelSizes(NodeImport &n, Value kernel) {
  if (n.isRefused() || rankOf(kernel) < 3) {
    n.refuse("the kernel has no spatial dims");
    return {};
  }
  return n.numbersOf(dimsOf(kernel).drop_front(2), "a size of the kernel");
}

Value convolution(NodeImport &n, Value x, Value kernel, Value bias) {
  SmallVector<int64_t> sizes = kernelSizes(n, kernel);
  auto window = windowOf(n, x, sizes);
  if (!window)
    return Value();
  SmallVector<int64_t> ones(window->rank, 1);
  return n.make<tx::ConvOp>(dtypeOf(x), x, kernel, bias,
                            /*channels_last=*/false, n.integer("group", 1),
                            window->sizes, window->strides, window->dilations,
                            window->low, window->high, ones);
}

static void conv(NodeImport &n) {
  Value x = n.in(0), kernel = n.in(1), bias = n.optional(2);
  if (!n.isRefused())
    n.set(convolution(n, x, kernel, bias));
}

/// Imports the gradient of a convolution. Padding is cropped from the result.
static void convTranspose(NodeImport &n) {
  Value x = n.in(0), kernel = n.in(1), bias = n.optional(2);
  if (n.isRefused())
    return;
  SmallVector<int64_t> sizes = kernelSizes(n, kernel);
  Window window;
  window.rank = rankOf(x) - 2;
  if (n.isRefused() || static_cast<int64_t>(sizes.size()) != window.rank) {
    n.refuse("the kernel has another rank than the image");
    return;
  }
  window.strides = listOr(n, "strides", window.rank, 1);
  window.dilations = listOr(n, "dilations", window.rank, 1);
  SmallVector<int64_t> pads = listOr(n, "pads", 2 * window.rank, 0);
  SmallVector<int64_t> extra = listOr(n, "output_padding", window.rank, 0);
  StringRef same = n.text("auto_pad", "NOTSET");
  bool isSame = same == "SAME_UPPER" || same == "SAME_LOWER";
  auto shape = n.integers("output_shape");
  if (shape && static_cast<int64_t>(shape->size()) != window.rank) {
    n.refuse("output_shape has another rank than the image");
    return;
  }
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < window.rank && !n.isRefused(); ++i) {
    int64_t reach = (sizes[i] - 1) * window.dilations[i];
    int64_t before = pads[i], after = pads[window.rank + i];
    if (shape || isSame) {
      int64_t size =
          n.numberOf(dimsOf(x)[2 + i], "a dim of an image with a given result");
      int64_t wanted = shape ? (*shape)[i] : size * window.strides[i];
      // If the total is negative, the result is larger than the part that the
      // kernels cover.
      int64_t total =
          (size - 1) * window.strides[i] + extra[i] + reach + 1 - wanted;
      int64_t half = total >> 1; // rounded down, also if negative
      before = same == "SAME_UPPER" ? half : total - half;
      after = total - before;
    }
    low.push_back(reach - before);
    high.push_back(reach - after + extra[i]);
  }
  SmallVector<int64_t> ones(window.rank, 1);
  n.set(n.make<tx::ConvTransposeOp>(
      n.isRefused() ? DType::F32 : dtypeOf(x), x, kernel, bias,
      /*channels_last=*/false, n.integer("group", 1), sizes, ones,
      window.dilations, low, high, window.strides));
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> spatialDims(int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(2, 2 + rank));
}

/// With `ceil_mode` the last window may extend beyond the padding, but must
/// begin in the image or in the padding before it. Increases the padding at the
/// end accordingly, and returns the padding that was requested.
static SmallVector<int64_t> padToCeiling(NodeImport &n, Window &window,
                                         Value x) {
  SmallVector<int64_t> asked = window.high;
  if (!window.ceils)
    return asked;
  for (int64_t i = 0; i < window.rank; ++i) {
    int64_t size = n.numberOf(dimsOf(x)[2 + i], "a dim pooled with ceil_mode");
    int64_t reach = (window.sizes[i] - 1) * window.dilations[i] + 1;
    int64_t padded = size + window.low[i] + window.high[i];
    int64_t stride = window.strides[i];
    if (padded < reach)
      continue;
    int64_t count = (padded - reach + stride - 1) / stride + 1;
    if ((count - 1) * stride >= size + window.low[i])
      --count;
    window.high[i] +=
        std::max<int64_t>(0, (count - 1) * stride + reach - padded);
  }
  return asked;
}

static void averagePool(NodeImport &n) {
  Value x = n.in(0);
  auto window = windowOf(n, x, {});
  if (!window)
    return;
  SmallVector<int64_t> counted = padToCeiling(n, *window, x);
  bool counts = n.flag("count_include_pad");
  n.set(n.make<tx::AvgPoolOp>(
      n.isRefused() ? DType::F32 : dtypeOf(x), x, spatialDims(window->rank),
      window->sizes, window->strides, window->dilations, window->low,
      window->high, counted, /*exclude_padding=*/!counts));
}

/// Returns the flat index in x of the largest element of each window.
static Value placesOfLargest(NodeImport &n, const Window &window, Value x) {
  int64_t rank = rankOf(x);
  SmallVector<int64_t> low{0, 0}, high{0, 0}, dims = spatialDims(window.rank);
  llvm::append_range(low, window.low);
  llvm::append_range(high, window.high);
  SmallVector<Dim> own(dimsOf(x));
  // Flat indices are row-major, or column-major in the spatial dims if
  // `storage_order` is set.
  Value place = n.full(0, DType::I64, own);
  Dim step = 1;
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  if (n.flag("storage_order"))
    std::reverse(order.begin(), order.end() - 2);
  for (int64_t d : order) {
    place = n.add(
        place, n.mul(n.iota(DType::I64, own, d), n.scalar(step, DType::I64)));
    step = step * own[d];
  }
  DType dtype = dtypeOf(x);
  int64_t lowest =
      tx::isUnsigned(dtype) ? 0 : INT64_MIN >> (64 - tx::bitWidth(dtype));
  Value least = tx::isFloat(dtype)
                    ? n.full(-std::numeric_limits<double>::infinity(), dtype)
                    : n.full(lowest, dtype);
  auto windows = [&](Value value, Value edge) {
    Value padded = n.pad(value, low, high, edge);
    if (n.isRefused())
      return Value();
    Value all =
        n.make<tx::WindowsOp>(dtypeOf(value), padded, dims, window.sizes,
                              window.strides, window.dilations);
    if (n.isRefused())
      return Value();
    // Merges the dims of a window into one dim.
    SmallVector<Dim> flat(dimsOf(all).take_front(rank));
    flat.push_back(shape::product(dimsOf(all).drop_front(rank)));
    return n.reshape(all, flat);
  };
  Value values = windows(x, least),
        places = windows(place, n.full(0, DType::I64));
  if (n.isRefused())
    return Value();
  Value chosen =
      n.make<tx::ArgmaxOp>(DType::I64, values, ArrayRef<int64_t>(rank));
  Value at = n.equal(n.iota(DType::I64, SmallVector<Dim>(dimsOf(places)), rank),
                     n.unsqueeze(chosen, {rank}));
  return n.sum(n.select(at, places, n.full(0, DType::I64)), {rank});
}

/// Writes elements to the positions from which a pooling took them, with 0
/// elsewhere.
static void maxUnpool(NodeImport &n) {
  Value x = n.in(0), places = n.in(1);
  auto window = windowOf(n, x, {});
  if (!window)
    return;
  SmallVector<Dim> dims(dimsOf(x).take_front(2));
  for (int64_t i = 0; i < window->rank; ++i)
    dims.push_back((dimsOf(x)[2 + i] - 1) * window->strides[i] +
                   window->sizes[i] - window->low[i] - window->high[i]);
  SmallVector<Dim> whole = dims;
  if (n.has(2)) {
    whole = n.sizes(n.in(2), "the output's shape");
    if (whole.size() != dims.size())
      n.refuse("the output's shape has another rank");
  }
  if (n.isRefused())
    return;
  // Positions are indices into the pooled image, which may be smaller than the
  // requested one; zeros are appended.
  Dim count = shape::product(dimsOf(x));
  Value flat = n.full(0, dtypeOf(x), {shape::product(dims)});
  SmallVector<Dim> column{count, Dim(1)}, row{count};
  Value result =
      n.isRefused()
          ? Value()
          : n.make<tx::ScatterOp>(dtypeOf(x), flat, n.reshape(places, column),
                                  n.reshape(x, row), tx::UpdateKind::Set,
                                  ArrayRef<int64_t>(), ArrayRef<int64_t>{0},
                                  ArrayRef<int64_t>{0}, 1);
  result = n.reshape(result, dims);
  SmallVector<int64_t> low(dims.size(), 0), high;
  for (auto [from, to] : llvm::zip(dims, whole))
    high.push_back(n.numberOf(to - from, "the padding after an image"));
  n.set(n.isRefused() ? Value()
                      : n.pad(result, low, high, n.full(0, dtypeOf(x))));
}

/// Computes the p-norm of each window.
static void lpPool(NodeImport &n) {
  Value x = n.in(0);
  auto window = windowOf(n, x, {});
  if (!window)
    return;
  padToCeiling(n, *window, x);
  double p =
      n.opset < 2 ? n.real("p", 2) : static_cast<double>(n.integer("p", 2));
  Value powers = n.pow(n.abs(x), n.full(p, dtypeOf(x)));
  if (n.isRefused())
    return;
  Value total = n.make<tx::ReduceWindowOp>(
      dtypeOf(x), powers, tx::WindowReduction::Sum, spatialDims(window->rank),
      window->sizes, window->strides, window->dilations, window->low,
      window->high);
  n.set(n.pow(total, n.full(1 / p, dtypeOf(x))));
}

static void globalLpPool(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  double p =
      n.opset < 2 ? n.real("p", 2) : static_cast<double>(n.integer("p", 2));
  SmallVector<int64_t> dims = spatialDims(std::max<int64_t>(0, rankOf(x) - 2));
  Value powers = n.pow(n.abs(x), n.full(p, dtypeOf(x)));
  n.set(n.isRefused()
            ? Value()
            : n.pow(n.sum(powers, dims, true), n.full(1 / p, dtypeOf(x))));
}

static void maxPool(NodeImport &n) {
  Value x = n.in(0);
  auto window = windowOf(n, x, {});
  if (!window)
    return;
  padToCeiling(n, *window, x);
  if (n.isRefused())
    return;
  if (n.wants(1))
    n.set(1, placesOfLargest(n, *window, x));
  n.set(n.make<tx::MaxPoolOp>(n.isRefused() ? DType::F32 : dtypeOf(x), x,
                              spatialDims(window->rank), window->sizes,
                              window->strides, window->dilations, window->low,
                              window->high));
}

template <typename Op> static void globalPool(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  if (rankOf(x) < 3) {
    n.refuse("an image has spatial dims");
    return;
  }
  SmallVector<int64_t> dims = spatialDims(rankOf(x) - 2);
  if constexpr (std::is_same_v<Op, tx::MeanOp>)
    n.set(n.mean(x, dims, /*keepDims=*/true));
  else
    n.set(n.reduce<Op>(x, dims, /*keepDims=*/true));
}

/// Imports a causal depthwise convolution, whose last inputs are also returned
/// as the state for the next call.
static void causalConv(NodeImport &n) {
  Value x = n.in(0), kernel = n.in(1), bias = n.optional(2),
        past = n.optional(3);
  if (n.isRefused())
    return;
  if (rankOf(x) != 3 || rankOf(kernel) != 3) {
    n.refuse("the input or the kernel has a rank other than 3");
    return;
  }
  int64_t size = n.numberOf(dimsOf(kernel)[2], "the kernel's size"),
          channels = n.numberOf(dimsOf(x)[1], "the number of channels");
  if (n.isRefused())
    return;
  SmallVector<int64_t> low{0, 0, size - 1}, none{0, 0, 0}, one{1}, zero{0},
      sizes{size};
  Value padded = past ? n.concatenate({past, x}, 2)
                      : n.pad(x, low, none, n.full(0, dtypeOf(x)));
  Value y = n.make<tx::ConvOp>(dtypeOf(x), padded, kernel, bias,
                               /*channels_last=*/false, channels, sizes, one,
                               one, zero, zero, one);
  StringRef activation = n.text("activation", "none");
  if ((activation == "silu" || activation == "swish") && !n.isRefused())
    y = n.make<tx::SiluOp>(dtypeOf(y), y);
  n.set(0, y);
  if (!n.wants(1) || n.isRefused())
    return;
  SmallVector<Dim> dims(dimsOf(padded));
  SmallVector<int64_t> offsets{0, 0, 0}, strides{1, 1, 1};
  offsets[2] = n.numberOf(dims[2], "the length") - (size - 1);
  dims[2] = size - 1;
  n.set(1, n.slice(padded, offsets, strides, dims));
}

ArrayRef<OpVersion> windowOps() {
  static constexpr OpVersion ops[] = {
      {"AveragePool", 1, averagePool},
      {"CausalConvWithState", 27, causalConv},
      {"Conv", 1, conv},
      {"ConvTranspose", 1, convTranspose},
      {"GlobalAveragePool", 1, globalPool<tx::MeanOp>},
      {"GlobalLpPool", 1, globalLpPool},
      {"GlobalMaxPool", 1, globalPool<tx::ReduceMaxOp>},
      {"LpPool", 1, lpPool},
      {"MaxPool", 1, maxPool},
      {"MaxUnpool", 9, maxUnpool},
  };
  return ops;
}

} // namespace tensorc::onnx
