//===- ImageOps.cpp - ONNX's resizing of images ---------------------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include <cmath>

using namespace mlir;

namespace tensorc::onnx {

//===----------------------------------------------------------------------===//
// Resize
//===----------------------------------------------------------------------===//

namespace {
/// Resampling along one dim: each element of the result is a weighted sum of
/// `width` elements of x. Positions and weights have one row per element of the
/// result; they follow from the sizes.
struct Taps {
  int64_t width = 0;
  std::vector<int64_t> places;
  std::vector<float> factors;
};

struct Resizing {
  StringRef mode, coordinates, nearest;
  double cubic = -0.75, outside = 0;
  bool excludesOutside = false, antialias = false;
};
} // namespace

static double originalPlace(const Resizing &r, int64_t at, double scale,
                            int64_t from, int64_t to, double begin,
                            double end) {
  auto x = static_cast<double>(at);
  double length = static_cast<double>(to);
  if (r.coordinates == "align_corners") {
    // The length that the scale implies may not be an integer.
    double exact = scale * static_cast<double>(from);
    return exact == 1 ? 0 : x * (static_cast<double>(from) - 1) / (exact - 1);
  }
  if (r.coordinates == "asymmetric")
    return x / scale;
  if (r.coordinates == "pytorch_half_pixel")
    return length > 1 ? (x + 0.5) / scale - 0.5 : 0;
  if (r.coordinates == "tf_half_pixel_for_nn")
    return (x + 0.5) / scale;
  if (r.coordinates == "half_pixel_symmetric") {
    // The exact length may not be an integer; the result is centered in it.
    double exact = scale * static_cast<double>(from);
    double adjustment = length / exact;
    double center = static_cast<double>(from) / 2;
    double offset = center * (1 - adjustment);
    return offset + (x + 0.5) / scale - 0.5;
  }
  if (r.coordinates == "tf_crop_and_resize") {
    auto size = static_cast<double>(from) - 1;
    return length > 1 ? begin * size + x * (end - begin) * size / (length - 1)
                      : 0.5 * (begin + end) * size;
  }
  return (x + 0.5) / scale - 0.5; // half_pixel
}

static int64_t nearestPlace(const Resizing &r, double x) {
  double below = std::floor(x);
  if (x == below)
    return static_cast<int64_t>(x);
  if (r.nearest == "floor")
    return static_cast<int64_t>(below);
  if (r.nearest == "ceil")
    return static_cast<int64_t>(std::ceil(x));
  bool isHalf = x - below == 0.5;
  if (isHalf)
    return static_cast<int64_t>(r.nearest == "round_prefer_ceil" ? below + 1
                                                                 : below);
  return static_cast<int64_t>(std::round(x));
}

static double cubicFactor(double a, double x) {
  x = std::abs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2)
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

/// Computes the positions of the elements around position x, and their weights.
static void tapsAt(const Resizing &r, double x, double scale,
                   SmallVector<std::pair<int64_t, double>> &taps) {
  if (r.mode == "nearest") {
    taps.push_back({nearestPlace(r, x), 1});
    return;
  }
  bool isCubic = r.mode == "cubic";
  double reach = isCubic ? 2 : 1, shrink = 1;
  if (r.antialias && scale < 1)
    shrink = scale, reach /= scale;
  auto first = static_cast<int64_t>(std::floor(x - reach)),
       last = static_cast<int64_t>(std::ceil(x + reach));
  double total = 0;
  for (int64_t at = first; at <= last; ++at) {
    double distance = (static_cast<double>(at) - x) * shrink;
    double factor = isCubic ? cubicFactor(r.cubic, distance)
                            : std::max(0.0, 1 - std::abs(distance));
    if (factor != 0) {
      taps.push_back({at, factor});
      total += factor;
    }
  }
  if (shrink != 1)
    for (auto &[at, factor] : taps)
      factor /= total;
}

static Taps tapsOf(const Resizing &r, int64_t from, int64_t to, double scale,
                   double begin, double end) {
  std::vector<SmallVector<std::pair<int64_t, double>>> rows(to);
  Taps taps;
  std::vector<bool> isOutside(to, false);
  for (int64_t i = 0; i < to; ++i) {
    double x = originalPlace(r, i, scale, from, to, begin, end);
    if (r.coordinates == "tf_crop_and_resize" &&
        (x < 0 || x > static_cast<double>(from - 1))) {
      rows[i].push_back({-1, 1});
      continue;
    }
    tapsAt(r, x, scale, rows[i]);
    double kept = 0;
    for (auto &[at, factor] : rows[i]) {
      bool lies = at >= 0 && at < from;
      if (!lies && r.excludesOutside)
        factor = 0;
      kept += factor;
      at = std::clamp<int64_t>(at, 0, from - 1);
    }
    if (r.excludesOutside)
      for (auto &[at, factor] : rows[i])
        factor /= kept;
    taps.width = std::max(taps.width, static_cast<int64_t>(rows[i].size()));
  }
  taps.width = std::max<int64_t>(taps.width, 1);
  for (auto &row : rows) {
    row.resize(taps.width, {0, 0});
    for (auto [at, factor] : row) {
      // An element outside of a crop gets the position after the last element.
      taps.places.push_back(at < 0 ? from : at);
      taps.factors.push_back(static_cast<float>(factor));
    }
  }
  return taps;
}

static Value applyTaps(NodeImport &n, const Resizing &r, Value x, int64_t dim,
                       int64_t from, int64_t to, double scale, double begin,
                       double end) {
  if (from < 1 || to < 0 || to > (1 << 24))
    return n.refuse("an image of no elements has no other size");
  Taps taps = tapsOf(r, from, to, scale, begin, end);
  bool hasOutside = llvm::is_contained(taps.places, from);
  int64_t rank = rankOf(x);
  if (hasOutside) {
    SmallVector<int64_t> low(rank, 0), high(rank, 0);
    high[dim] = 1;
    x = n.pad(x, low, high, n.full(r.outside, dtypeOf(x)));
  }
  auto places = RankedTensorType::get({to, taps.width}, n.b.getI64Type());
  Value indices = tx::ConstantOp::create(
      n.b, n.loc, places,
      DenseElementsAttr::get(places, ArrayRef(taps.places)));
  bool isChoice = taps.width == 1 && r.mode == "nearest";
  Value taken =
      n.take(x, isChoice ? n.reshape(indices, {Dim(to)}) : indices, dim);
  if (isChoice || n.isRefused())
    return taken;
  auto type = RankedTensorType::get({to, taps.width}, n.b.getF32Type());
  Value factors = tx::ConstantOp::create(
      n.b, n.loc, type, DenseElementsAttr::get(type, ArrayRef(taps.factors)));
  SmallVector<Dim> along(rank + 1, Dim(1));
  along[dim] = to, along[dim + 1] = taps.width;
  Value y = n.e.widen(taken);
  y = n.mul(y, n.convertLike(n.reshape(factors, along), y));
  return n.sum(y, {dim + 1});
}

/// Returns the fractional positions in x along a dim of dynamic size, as
/// originalPlace does for constant sizes. Returns null after refusing the node.
static Value placesAlong(NodeImport &n, const Resizing &r, Dim from, Dim to,
                         std::optional<double> scale) {
  auto real = [&](Dim dim) {
    return n.convert(n.scalar(dim, DType::I64), DType::F64);
  };
  Value at = n.convert(n.iota(DType::I64, to, 0), DType::F64);
  Value factor =
      scale ? n.full(*scale, DType::F64) : n.div(real(to), real(from));
  Value half = n.sub(n.div(n.add(at, 0.5), factor), 0.5);
  if (r.coordinates == "half_pixel")
    return half;
  if (r.coordinates == "asymmetric")
    return n.div(at, factor);
  Value first = n.full(0.0, DType::F64);
  if (r.coordinates == "pytorch_half_pixel")
    return n.select(n.greater(real(to), 1.0), half, first);
  if (r.coordinates == "align_corners") {
    Value length = scale ? n.mul(real(from), factor) : real(to);
    Value steps = n.sub(length, 1.0);
    Value place = n.div(n.mul(at, n.sub(real(from), 1.0)), steps);
    return n.select(n.equal(steps, 0.0), first, place);
  }
  return n.refuse("resizes a dim of the named size " + toString(from) + " by " +
                  r.coordinates + "; fix it by --shape");
}

/// Resizes along a dim of symbolic size: reads the nearest element, or
/// interpolates linearly between two elements.
static Value resizeNamed(NodeImport &n, const Resizing &r, Value x, int64_t dim,
                         Dim to, std::optional<double> scale) {
  Dim from = dimsOf(x)[dim];
  if (r.mode == "cubic" || r.excludesOutside ||
      (r.antialias && scale.value_or(0) < 1))
    return n.refuse("resizes a dim of the named size " + toString(from) +
                    " to cubes, or without what is outside; fix it by --shape");
  Value place = placesAlong(n, r, from, to, scale);
  if (n.isRefused())
    return Value();
  Value last = n.scalar(from - 1, DType::I64);
  auto elements = [&](Value at) {
    Value index = n.max(n.min(n.convert(at, DType::I64), last), 0);
    return n.isRefused() ? Value() : n.e.take(x, index, dim);
  };
  Value below = n.floor(place);
  if (r.mode == "nearest") {
    if (r.nearest == "floor")
      return elements(below);
    Value above = n.map<tx::CeilOp>({place});
    return elements(r.nearest == "ceil" ? above
                    : r.nearest == "round_prefer_ceil"
                        ? n.floor(n.add(place, 0.5))
                        : n.map<tx::CeilOp>({n.sub(place, 0.5)}));
  }
  Value low = elements(below), high = elements(n.add(below, 1.0));
  if (n.isRefused())
    return Value();
  low = n.e.widen(low), high = n.e.widen(high);
  Value part =
      n.alongDim(n.convertLike(n.sub(place, below), low), dim, rankOf(x));
  return n.add(n.mul(low, n.sub(1.0, part)), n.mul(high, part));
}

/// Returns floor(size * scale) if the scale is the float nearest to a fraction
/// with small numerator and denominator; otherwise Dim::none().
static Dim scaled(Dim size, double scale) {
  constexpr int64_t maxDivisor = 1000;
  for (int64_t divisor = 1; divisor <= maxDivisor; ++divisor) {
    double factor = std::round(scale * static_cast<double>(divisor));
    if (factor < 1 || factor > static_cast<double>(maxDivisor * maxDivisor))
      continue;
    if (static_cast<float>(factor / static_cast<double>(divisor)) ==
        static_cast<float>(scale))
      return shape::floorDiv(size * static_cast<int64_t>(factor), divisor);
  }
  return Dim::none();
}

static bool isKnown(ArrayRef<Dim> dims) {
  return llvm::all_of(dims, [](Dim dim) { return dim.isNumber(); });
}

static void resizeAllNamed(NodeImport &n, Value x, const Resizing &r,
                           ArrayRef<int64_t> axes, ArrayRef<double> scales,
                           ArrayRef<Dim> sizes) {
  Value y = x;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    Dim from = dimsOf(x)[axis];
    std::optional<double> scale;
    if (!scales.empty())
      scale = scales[i];
    Dim to = scale ? scaled(from, *scale) : sizes[i];
    if (to.isNone())
      n.refuse("the scale gives no size of " + toString(from) +
               "; fix it by --shape");
    if (n.isRefused())
      return;
    if (from.isNumber() && to.isNumber())
      y = applyTaps(n, r, y, axis, *from.number(), *to.number(),
                    scale ? *scale
                          : static_cast<double>(*to.number()) /
                                static_cast<double>(*from.number()),
                    0, 1);
    else
      y = resizeNamed(n, r, y, axis, to, scale);
  }
  n.set(n.isRefused() ? Value() : n.convertLike(y, x));
}

static void resizeAll(NodeImport &n, Value x, const Resizing &r,
                      ArrayRef<int64_t> axes, std::vector<double> scales,
                      ArrayRef<Dim> asked, ArrayRef<double> region) {
  SmallVector<Dim> involved(asked);
  for (int64_t axis : axes)
    involved.push_back(dimsOf(x)[axis]);
  if (!isKnown(involved) && region.empty() &&
      n.text("keep_aspect_ratio_policy", "stretch") == "stretch")
    return resizeAllNamed(n, x, r, axes, scales, asked);
  SmallVector<int64_t> sizes = n.numbersOf(asked, "a size");
  StringRef policy = n.text("keep_aspect_ratio_policy", "stretch");
  SmallVector<int64_t> from;
  for (int64_t axis : axes)
    from.push_back(n.numberOf(dimsOf(x)[axis], "a dim that is resized"));
  if (n.isRefused())
    return;
  bool hasSizes = scales.empty();
  if (hasSizes) {
    for (auto [to, size] : llvm::zip(sizes, from))
      scales.push_back(static_cast<double>(to) / static_cast<double>(size));
    if (policy != "stretch" && !scales.empty()) {
      double one = policy == "not_larger"
                       ? *std::min_element(scales.begin(), scales.end())
                       : *std::max_element(scales.begin(), scales.end());
      for (auto [scale, to, size] : llvm::zip(scales, sizes, from)) {
        scale = one;
        to = static_cast<int64_t>(
            std::floor(one * static_cast<double>(size) + 0.5));
      }
    }
  } else {
    for (auto [i, scale] : llvm::enumerate(scales)) {
      bool crops = r.coordinates == "tf_crop_and_resize" &&
                   region.size() == 2 * axes.size();
      double part = crops ? region[axes.size() + i] - region[i] : 1;
      // Computed in f32, as in ONNX Runtime: there 0.7 times 10 is 7.
      sizes.push_back(static_cast<int64_t>(std::floor(
          static_cast<float>(from[i]) * static_cast<float>(part * scale))));
    }
  }
  Value y = x;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    bool hasRegion = region.size() == 2 * axes.size();
    bool stays = from[i] == sizes[i] && scales[i] == 1 &&
                 r.coordinates != "tf_crop_and_resize";
    if (!stays && !n.isRefused())
      y = applyTaps(n, r, y, axis, from[i], sizes[i], scales[i],
                    hasRegion ? region[i] : 0,
                    hasRegion ? region[axes.size() + i] : 1);
  }
  n.set(n.convertLike(y, x));
}

static void resize(NodeImport &n) {
  Value x = n.in(0);
  bool isOld = n.opset < 11;
  if (n.isRefused())
    return;
  Resizing r;
  r.mode = n.text("mode", "nearest");
  r.coordinates = n.text("coordinate_transformation_mode",
                         isOld ? "asymmetric" : "half_pixel");
  r.nearest = n.text("nearest_mode", isOld ? "floor" : "round_prefer_floor");
  r.cubic = n.real("cubic_coeff_a", -0.75);
  r.outside = n.real("extrapolation_value", 0);
  r.excludesOutside = n.flag("exclude_outside");
  r.antialias = n.flag("antialias");
  if (r.mode == "bilinear")
    r.mode = "linear";
  if (r.mode != "nearest" && r.mode != "linear" && r.mode != "cubic")
    n.refuse("the mode " + r.mode + " is unknown");
  int64_t rank = rankOf(x);
  SmallVector<int64_t> axes;
  if (auto given = n.integers("axes")) {
    for (int64_t axis : *given)
      axes.push_back(n.axis(axis, rank));
  } else {
    for (int64_t d = 0; d < rank; ++d)
      axes.push_back(d);
  }
  std::vector<double> scales, region;
  SmallVector<Dim> sizes;
  size_t scaleInput = isOld ? 1 : 2;
  if (!isOld && n.has(1) && r.coordinates == "tf_crop_and_resize")
    region = n.realNumbers(n.in(1), "the region");
  if (n.has(scaleInput))
    scales = n.realNumbers(n.in(scaleInput), "the scales");
  if (n.has(3) && scales.empty()) {
    SmallVector<Dim> dims = n.sizes(n.in(3), "the sizes");
    // Unchanged dims may have symbolic sizes.
    SmallVector<int64_t> changed;
    for (auto [axis, dim] : llvm::zip(axes, dims))
      if (dim != dimsOf(x)[axis]) {
        changed.push_back(axis);
        sizes.push_back(dim);
      }
    if (axes.size() != dims.size())
      n.refuse("there are other numbers of sizes and axes");
    if (n.text("keep_aspect_ratio_policy", "stretch") == "stretch" &&
        region.empty())
      axes = changed;
    else
      sizes = dims;
  } else if (!scales.empty()) {
    if (scales.size() != axes.size())
      n.refuse("there are other numbers of scales and axes");
    if (region.empty() && !n.isRefused()) {
      SmallVector<int64_t> changed;
      std::vector<double> kept;
      for (auto [axis, scale] : llvm::zip(axes, scales))
        if (scale != 1) {
          changed.push_back(axis);
          kept.push_back(scale);
        }
      axes = changed, scales = kept;
    }
  } else {
    n.refuse("there are neither scales nor sizes");
  }
  if (n.isRefused())
    return;
  if (axes.empty()) {
    n.set(x);
    return;
  }
  resizeAll(n, x, r, axes, scales, sizes, region);
}

/// Imported as Resize of opset 10; until opset 8 the scales were an attribute.
static void upsample(NodeImport &n) {
  if (n.opset >= 9)
    return resize(n);
  Value x = n.in(0);
  auto given = n.reals("scales");
  if (!given)
    n.refuse("the scales are missing");
  if (n.isRefused())
    return;
  if (static_cast<int64_t>(given->size()) != rankOf(x)) {
    n.refuse("there are other numbers of scales and dims");
    return;
  }
  Resizing r;
  r.mode = n.text("mode", "nearest");
  if (r.mode == "bilinear")
    r.mode = "linear";
  r.coordinates = "asymmetric", r.nearest = "floor";
  SmallVector<int64_t> axes;
  std::vector<double> scales;
  for (auto [d, scale] : llvm::enumerate(*given))
    if (scale != 1) {
      axes.push_back(static_cast<int64_t>(d));
      scales.push_back(scale);
    }
  if (axes.empty())
    n.set(x);
  else
    resizeAll(n, x, r, axes, scales, {}, {});
}

ArrayRef<OpVersion> imageOps() {
  static constexpr OpVersion ops[] = {
      {"Resize", 10, resize},
      {"Upsample", 7, upsample},
  };
  return ops;
}

} // namespace tensorc::onnx
