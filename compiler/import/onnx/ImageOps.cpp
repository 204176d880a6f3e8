//===- ImageOps.cpp - ONNX's images of other sizes ------------------------===//

#include "compiler/import/onnx/NodeImport.h"

#include <cmath>

using namespace mlir;

namespace tensorc::onnx {

//===----------------------------------------------------------------------===//
// Resize
//===----------------------------------------------------------------------===//

namespace {
/// Along one dim an element of the result is a sum of elements of x, with
/// factors: all of it follows from the sizes. A row for each element.
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
    // The length that the scale asks for, which may be no integer.
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
    // The exact length may be no integer; the result lies in its middle.
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

/// The elements around x, and their factors.
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
      // What lies outside of a crop has the place behind the last one.
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

static void resizeAll(NodeImport &n, Value x, const Resizing &r,
                      ArrayRef<int64_t> axes, std::vector<double> scales,
                      std::vector<int64_t> sizes, ArrayRef<double> region) {
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
      sizes.push_back(static_cast<int64_t>(
          std::floor(static_cast<double>(from[i]) * part * scale)));
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
  std::vector<int64_t> sizes;
  size_t scaleInput = isOld ? 1 : 2;
  if (!isOld && n.has(1) && r.coordinates == "tf_crop_and_resize")
    region = n.realNumbers(n.in(1), "the region");
  if (n.has(scaleInput))
    scales = n.realNumbers(n.in(scaleInput), "the scales");
  if (n.has(3) && scales.empty()) {
    SmallVector<Dim> dims = n.sizes(n.in(3), "the sizes");
    // Of dims that stay the size may be a name.
    SmallVector<int64_t> changed;
    for (auto [axis, dim] : llvm::zip(axes, dims))
      if (dim != dimsOf(x)[axis]) {
        changed.push_back(axis);
        sizes.push_back(n.numberOf(dim, "a size"));
      }
    if (axes.size() != dims.size())
      n.refuse("there are other numbers of sizes and axes");
    if (n.text("keep_aspect_ratio_policy", "stretch") == "stretch" &&
        region.empty())
      axes = changed;
    else {
      sizes.clear();
      for (Dim dim : dims)
        sizes.push_back(n.numberOf(dim, "a size"));
    }
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

/// As a Resize of opset 10; scales were an attribute.
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

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// A place from -1 to 1 as one of pixels.
static Value pixelOf(NodeImport &n, Value x, Dim size, bool corners) {
  if (n.isRefused())
    return Value();
  Value length = n.scalar(size, dtypeOf(x));
  if (corners)
    return n.mul(n.div(n.add(x, 1), 2), n.sub(length, 1));
  return n.div(n.sub(n.mul(n.add(x, 1), length), 1), 2);
}

/// Mirrored at the borders, until it lies between them.
static Value reflected(NodeImport &n, Value x, Dim size, bool corners) {
  if (n.isRefused())
    return Value();
  DType dtype = dtypeOf(x);
  Value low = n.full(corners ? 0.0 : -0.5, dtype);
  Value length = n.scalar(corners ? size - 1 : size, dtype);
  Value distance = n.abs(n.sub(x, low));
  Value safe = n.select(n.equal(length, 0), n.full(1, dtype), length);
  Value times = n.floor(n.div(distance, safe));
  Value rest = n.sub(distance, n.mul(times, safe));
  if (n.isRefused())
    return Value();
  Value isEven = n.equal(n.map<tx::RemOp>({times, 2.0}), 0);
  return n.add(n.select(isEven, rest, n.sub(safe, rest)), low);
}

/// Elements of [N, C, spatial] at places of [M, out]: [M, C, out]. `batch`: the
/// image of each, as its places; null: its own number.
static Value sampleAt(NodeImport &n, Value image, Value batch,
                      ArrayRef<Value> places, StringRef padding, bool corners) {
  if (n.isRefused())
    return Value();
  int64_t rank = static_cast<int64_t>(places.size());
  SmallVector<Dim> dims(dimsOf(image)), out(dimsOf(places[0]));
  SmallVector<Dim> one(out);
  one.push_back(1);
  auto outRank = static_cast<int64_t>(out.size());
  SmallVector<Value> components{
      n.reshape(batch ? batch : n.iota(DType::I64, out, 0), one)};
  Value inside;
  for (int64_t i = 0; i < rank; ++i) {
    Value at = places[i];
    Dim size = dims[2 + i];
    if (padding == "reflection")
      at = reflected(n, at, size, corners);
    Value last =
        n.sub(n.scalar(size, n.isRefused() ? DType::F32 : dtypeOf(at)), 1);
    if (padding == "zeros") {
      Value fits =
          n.logicalAnd(n.greaterOrEqual(at, 0), n.lessOrEqual(at, last));
      inside = inside ? n.logicalAnd(inside, fits) : fits;
    }
    at = n.max(n.min(at, last), 0);
    components.push_back(n.reshape(n.convert(at, DType::I64), one));
  }
  Value indices = n.concatenate(components, outRank);
  SmallVector<int64_t> mapped{0}, sizes(2 + rank, 1), offsets{1};
  for (int64_t i = 0; i < rank; ++i)
    mapped.push_back(2 + i);
  sizes[1] = -1;
  Value taken = n.isRefused() ? Value()
                              : n.make<tx::GatherOp>(dtypeOf(image), image,
                                                     indices, offsets, mapped,
                                                     mapped, outRank, sizes);
  if (inside)
    taken = n.isRefused() ? Value()
                          : n.select(n.unsqueeze(inside, {1}), taken,
                                     n.full(0, dtypeOf(image)));
  return taken;
}

Value sampleBetween(NodeImport &n, Value image, Value batch,
                    ArrayRef<Value> places, const Sampling &how) {
  if (n.isRefused())
    return Value();
  auto rank = static_cast<int64_t>(places.size());
  int64_t taps = how.isCubic ? 4 : 2;
  SmallVector<Value> floors, parts;
  for (Value place : places) {
    floors.push_back(n.floor(place));
    parts.push_back(n.sub(place, floors.back()));
  }
  auto factor = [&](Value part, int64_t tap) {
    if (!how.isCubic)
      return tap ? part : n.sub(1, part);
    double a = -0.75;
    // The distance from tap - 1.
    Value x = tap == 0   ? n.add(part, 1)
              : tap == 1 ? part
              : tap == 2 ? n.sub(1, part)
                         : n.sub(2, part);
    if (tap == 1 || tap == 2)
      return n.add(n.mul(n.mul(n.sub(n.mul(x, a + 2), a + 3), x), x), 1);
    return n.sub(n.mul(n.add(n.mul(n.sub(n.mul(x, a), 5 * a), x), 8 * a), x),
                 4 * a);
  };
  int64_t count = 1;
  for (int64_t i = 0; i < rank; ++i)
    count *= taps;
  Value total;
  for (int64_t c = 0; c < count && !n.isRefused(); ++c) {
    SmallVector<Value> at;
    Value weight;
    int64_t rest = c;
    for (int64_t i = 0; i < rank; ++i, rest /= taps) {
      int64_t tap = rest % taps;
      at.push_back(
          n.add(floors[i], static_cast<double>(how.isCubic ? tap - 1 : tap)));
      Value each = factor(parts[i], tap);
      weight = weight ? n.mul(weight, each) : each;
    }
    Value sample = sampleAt(n, image, batch, at, how.padding, how.corners);
    Value term = n.mul(sample, n.convertLike(n.unsqueeze(weight, {1}), sample));
    total =
        total ? how.largest ? n.max(total, term) : n.add(total, term) : term;
  }
  return total;
}

static void gridSample(NodeImport &n) {
  Value image = n.in(0), grid = n.in(1);
  if (n.isRefused())
    return;
  StringRef mode = n.text("mode", n.opset < 20 ? "bilinear" : "linear"),
            padding = n.text("padding_mode", "zeros");
  bool corners = n.flag("align_corners");
  int64_t rank = rankOf(image) - 2;
  if (rank < 1 || rankOf(grid) != rank + 2 ||
      !dimsOf(grid).back().isNumber(rank)) {
    n.refuse("the grid has no coordinates for the image's dims");
    return;
  }
  SmallVector<Value> places; // the last coordinate is that of the first dim
  for (int64_t i = 0; i < rank; ++i) {
    Value x = n.squeeze(n.part(grid, rank + 1, rank - 1 - i, 1), {rank + 1});
    places.push_back(pixelOf(n, x, dimsOf(image)[2 + i], corners));
  }
  if (n.isRefused())
    return;
  if (mode == "nearest") {
    for (Value &place : places)
      place = n.map<tx::RoundEvenOp>({place});
    n.set(sampleAt(n, image, Value(), places, padding, corners));
    return;
  }
  bool isCubic = mode == "cubic" || mode == "bicubic";
  // Borders and mirrors apply to the place itself where it is between two.
  if (!isCubic && padding != "zeros")
    for (auto [i, place] : llvm::enumerate(places)) {
      Dim size = dimsOf(image)[2 + i];
      if (padding == "reflection")
        place = reflected(n, place, size, corners);
      place = n.max(n.min(place, n.sub(n.scalar(size, dtypeOf(grid)), 1)), 0);
    }
  n.set(sampleBetween(n, image, Value(), places, {padding, corners, isCubic}));
}

/// Places of pixels, transformed by matrices.
static void affineGrid(NodeImport &n) {
  Value theta = n.in(0);
  SmallVector<Dim> size = n.sizes(n.in(1), "the size");
  bool corners = n.flag("align_corners");
  if (n.isRefused())
    return;
  if ((size.size() != 4 && size.size() != 5) || rankOf(theta) != 3) {
    n.refuse("the size is that of no image");
    return;
  }
  DType dtype = dtypeOf(theta);
  SmallVector<Dim> spatial(size.begin() + 2, size.end()), one(spatial);
  one.push_back(1);
  auto rank = static_cast<int64_t>(spatial.size());
  SmallVector<Value> coordinates;
  for (int64_t i = rank - 1; i >= 0; --i) {
    Value at = n.iota(dtype, spatial, i), length = n.scalar(spatial[i], dtype);
    Value x =
        corners ? n.sub(n.mul(at, n.div(n.full(2, dtype), n.sub(length, 1))), 1)
                : n.sub(n.div(n.add(n.mul(at, 2), 1), length), 1);
    coordinates.push_back(n.reshape(x, one));
  }
  coordinates.push_back(n.full(1, dtype, one));
  Value grid = n.concatenate(coordinates, rank);
  // theta [N, rank, rank + 1] by [spatial, rank + 1].
  Value y = n.dot(theta, grid, {{}, {}, int64_t(2), rank});
  if (n.isRefused())
    return;
  SmallVector<int64_t> order{0};
  for (int64_t i = 0; i < rank; ++i)
    order.push_back(2 + i);
  order.push_back(1);
  n.set(n.transpose(y, order));
}

ArrayRef<OpVersion> imageOps() {
  static constexpr OpVersion ops[] = {
      {"AffineGrid", 20, affineGrid},
      {"GridSample", 16, gridSample},
      {"Resize", 10, resize},
      {"Upsample", 7, upsample},
  };
  return ops;
}

} // namespace tensorc::onnx
