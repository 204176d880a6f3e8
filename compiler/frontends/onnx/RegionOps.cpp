//===- RegionOps.cpp - ONNX's sampling of images and regions --------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include <cmath>

using namespace mlir;

namespace tensorc::onnx {

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// Converts a position in [-1, 1] to pixels.
static Value pixelOf(NodeImport &n, Value x, Dim size, bool corners) {
  if (n.isRefused())
    return Value();
  Value length = n.scalar(size, dtypeOf(x));
  if (corners)
    return n.mul(n.div(n.add(x, 1), 2), n.sub(length, 1));
  return n.div(n.sub(n.mul(n.add(x, 1), length), 1), 2);
}

/// Reflects positions at the borders until they are between them.
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

/// Gathers elements of [N, C, spatial] at positions [M, out]. Returns [M, C,
/// out]. `batch` selects the image of each row; if it is null, row i reads
/// image i.
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
    // The distance between the position and tap - 1.
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
  // Clamping and reflection apply to the position itself if it is interpolated.
  if (!isCubic && padding != "zeros")
    for (auto [i, place] : llvm::enumerate(places)) {
      Dim size = dimsOf(image)[2 + i];
      if (padding == "reflection")
        place = reflected(n, place, size, corners);
      place = n.max(n.min(place, n.sub(n.scalar(size, dtypeOf(grid)), 1)), 0);
    }
  n.set(sampleBetween(n, image, Value(), places, {padding, corners, isCubic}));
}

/// Computes the positions of the pixels, transformed by matrices.
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
  // Multiplies theta [N, rank, rank + 1] by the grid [spatial, rank + 1].
  Value y = n.dot(theta, grid, {{}, {}, int64_t(2), rank});
  if (n.isRefused())
    return;
  SmallVector<int64_t> order{0};
  for (int64_t i = 0; i < rank; ++i)
    order.push_back(2 + i);
  order.push_back(1);
  n.set(n.transpose(y, order));
}

/// Returns a column of a matrix: [rows, 1, 1].
static Value column(NodeImport &n, Value x, int64_t at) {
  if (n.isRefused())
    return Value();
  SmallVector<Dim> dims{dimsOf(x)[0], Dim(1), Dim(1)};
  return n.reshape(n.part(x, 1, at, 1), dims);
}

//===----------------------------------------------------------------------===//
// Pooling of regions of interest (RoI)
//===----------------------------------------------------------------------===//

/// Checks the ranks of an image [batch, channels, height, width] and regions
/// [regions, columns].
static bool areRegions(NodeImport &n, Value image, Value regions,
                       int64_t columns) {
  if (n.isRefused())
    return false;
  if (rankOf(image) == 4 && rankOf(regions) == 2 &&
      dimsOf(regions)[1] == columns && tx::isFloat(dtypeOf(image)))
    return true;
  return n.refuse("the inputs are not images and regions"), false;
}

namespace {
/// The sampling points of regions along one dim.
struct Points {
  /// Positions [regions, parts * each], and a mask of the positions within the
  /// image.
  Value place, inside;
};
} // namespace

/// Divides the interval from begin to end into parts, and returns `each` points
/// in each part.
static Points pointsOf(NodeImport &n, Value begin, Value end, int64_t parts,
                       int64_t each, Dim size, bool isHalfPixel) {
  if (n.isRefused())
    return {};
  DType dtype = dtypeOf(begin);
  Value length = n.sub(end, begin);
  if (!isHalfPixel) // A region is at least one pixel wide and high.
    length = n.max(length, 1);
  Value part = n.div(length, static_cast<double>(parts));
  SmallVector<Dim> dims{Dim(1), Dim(parts), Dim(each)};
  Value y = n.add(begin, n.mul(n.iota(dtype, dims, 1), part));
  Value within = n.add(n.iota(dtype, dims, 2), 0.5);
  y = n.add(y, n.div(n.mul(within, part), static_cast<double>(each)));
  if (n.isRefused())
    return {};
  SmallVector<Dim> flat{dimsOf(y)[0], Dim(parts * each)};
  y = n.reshape(y, flat);
  Value last = n.scalar(size, dtype);
  Value inside = n.logicalAnd(n.greaterOrEqual(y, -1), n.lessOrEqual(y, last));
  return {n.max(n.min(y, n.sub(last, 1)), 0), inside};
}

static void roiAlign(NodeImport &n) {
  Value image = n.in(0), regions = n.in(1), batch = n.in(2);
  int64_t height = n.integer("output_height", 1),
          width = n.integer("output_width", 1),
          each = n.integer("sampling_ratio", 0);
  StringRef mode = n.text("mode", "avg"),
            coordinates =
                n.text("coordinate_transformation_mode",
                       n.opset < 16 ? "output_half_pixel" : "half_pixel");
  if (!areRegions(n, image, regions, 4))
    return;
  if (each < 1)
    return void(n.refuse("how many points of a region are read depends on its "
                         "size (sampling_ratio = 0); export with a number"));
  // Maximum number of points along a dim that one region reads: the size of an
  // image.
  static constexpr int64_t maxPoints = 1 << 16;
  if (height < 1 || width < 1 || height > maxPoints || width > maxPoints ||
      each > maxPoints)
    return void(n.refuse("the sizes are not those of a region"));
  bool isHalfPixel = coordinates == "half_pixel";
  DType dtype = dtypeOf(image) == DType::F64 ? DType::F64 : DType::F32;
  double scale = n.real("spatial_scale", 1);
  auto edge = [&](int64_t at) {
    Value x = n.mul(n.convert(column(n, regions, at), dtype), scale);
    return isHalfPixel ? n.sub(x, 0.5) : x;
  };
  Points y = pointsOf(n, edge(1), edge(3), height, each, dimsOf(image)[2],
                      isHalfPixel),
         x = pointsOf(n, edge(0), edge(2), width, each, dimsOf(image)[3],
                      isHalfPixel);
  if (n.isRefused())
    return;
  Dim count = dimsOf(regions)[0];
  SmallVector<Dim> rows{count, Dim(height * each), Dim(1)},
      columns{count, Dim(1), Dim(width * each)},
      plane{count, rows[1], columns[2]}, one{count, Dim(1), Dim(1)};
  auto overPlane = [&](Value value, Dims dims) {
    return n.broadcast(n.reshape(value, dims), plane);
  };
  bool isLargest = mode == "max";
  Sampling how{"border"};
  how.largest = isLargest;
  Value sampled = sampleBetween(
      n, image, overPlane(n.convert(batch, DType::I64), one),
      {overPlane(y.place, rows), overPlane(x.place, columns)}, how);
  Value inside =
      n.logicalAnd(overPlane(y.inside, rows), overPlane(x.inside, columns));
  sampled =
      n.select(n.unsqueeze(inside, {1}), sampled, n.full(0, dtypeOf(image)));
  if (n.isRefused())
    return;
  SmallVector<Dim> points{count,     dimsOf(image)[1], Dim(height),
                          Dim(each), Dim(width),       Dim(each)};
  sampled = n.reshape(sampled, points);
  n.set(isLargest ? n.reduce<tx::ReduceMaxOp>(sampled, {3, 5})
                  : n.mean(sampled, {3, 5}, false));
}

/// Returns for each region the maximum over the rows or columns of each of its
/// parts, which consist of whole pixels. x has the shape [regions, channels,
/// ..., size, ...].
static Value largestOfParts(NodeImport &n, Value x, Value begin, Value end,
                            int64_t parts, int64_t dim) {
  if (n.isRefused())
    return Value();
  DType dtype = dtypeOf(begin);
  Dim size = dimsOf(x)[dim];
  Value length =
      n.div(n.max(n.add(n.sub(end, begin), 1), 1), static_cast<double>(parts));
  SmallVector<Dim> perPart{Dim(1), Dim(parts), Dim(1)},
      perPixel{Dim(1), Dim(1), size};
  Value part = n.iota(dtype, perPart, 1), pixel = n.iota(dtype, perPixel, 2);
  Value first = n.add(begin, n.floor(n.mul(part, length)));
  // Rounds up.
  Value last = n.sub(begin, n.floor(n.neg(n.mul(n.add(part, 1), length))));
  Value lies =
      n.logicalAnd(n.greaterOrEqual(pixel, first), n.less(pixel, last));
  if (n.isRefused())
    return Value();
  // Reshapes the mask [regions, parts, size] so that it broadcasts to x, in
  // which the dim of the parts comes before the pooled dim.
  SmallVector<Dim> own(dimsOf(x)), mask(own.size() + 1, Dim(1));
  own.insert(own.begin() + dim, Dim(1));
  mask[0] = own[0], mask[dim] = parts, mask[dim + 1] = size;
  Value y = n.select(n.reshape(lies, mask), n.reshape(x, own),
                     n.full(-INFINITY, dtypeOf(x)));
  return n.reduce<tx::ReduceMaxOp>(y, {dim + 1});
}

static void maxRoiPool(NodeImport &n) {
  Value image = n.in(0), regions = n.in(1);
  auto shape = n.integers("pooled_shape");
  if (!areRegions(n, image, regions, 5))
    return;
  if (!shape || shape->size() != 2 || (*shape)[0] < 1 || (*shape)[1] < 1)
    return void(n.refuse("pooled_shape is not the size of a region"));
  double scale = n.real("spatial_scale", 1);
  // Rounds to the nearest pixel; halves are rounded up.
  auto edge = [&](int64_t at) {
    return n.floor(n.add(n.mul(column(n, regions, at), scale), 0.5));
  };
  SmallVector<Dim> list{dimsOf(regions)[0]};
  Value batch =
      n.convert(n.reshape(n.part(regions, 1, 0, 1), list), DType::I64);
  Value y = n.take(image, batch, 0);
  y = largestOfParts(n, y, edge(2), edge(4), (*shape)[0], 2);
  y = largestOfParts(n, y, edge(1), edge(3), (*shape)[1], 3);
  // A part that contains no pixel is 0.
  n.set(n.select(n.equal(y, -INFINITY),
                 n.full(0, n.isRefused() ? DType::F32 : dtypeOf(image)), y));
}

//===----------------------------------------------------------------------===//
// Deformable convolution
//===----------------------------------------------------------------------===//

static void deformConv(NodeImport &n) {
  Value image = n.in(0), kernel = n.in(1), offset = n.in(2),
        bias = n.optional(3), mask = n.optional(4);
  int64_t groups = n.integer("group", 1), fields = n.integer("offset_group", 1);
  if (n.isRefused())
    return;
  if (rankOf(image) != 4 || rankOf(kernel) != 4 || rankOf(offset) != 4)
    return void(n.refuse("is supported for images of two dims"));
  SmallVector<int64_t> sizes = n.numbersOf(dimsOf(kernel), "a kernel's size");
  int64_t channels = n.numberOf(dimsOf(image)[1], "the number of channels");
  if (n.isRefused())
    return;
  int64_t elements = sizes[2] * sizes[3];
  Dim batch = dimsOf(image)[0], height = dimsOf(offset)[2],
      width = dimsOf(offset)[3];
  if (groups < 1 || fields < 1 || channels % fields || sizes[0] % groups ||
      sizes[1] * groups != channels ||
      dimsOf(offset)[1] != fields * elements * 2 || dimsOf(offset)[0] != batch)
    return void(n.refuse("the kernel or the offsets do not fit the channels"));
  auto listOf = [&](StringRef name, size_t count, int64_t otherwise) {
    auto given = n.integers(name);
    auto list = given.value_or(std::vector<int64_t>(count, otherwise));
    if (list.size() != count)
      n.refuse(name + " has another number of elements");
    list.resize(count);
    return list;
  };
  auto strides = listOf("strides", 2, 1), dilations = listOf("dilations", 2, 1),
       pads = listOf("pads", 4, 0);
  DType dtype = dtypeOf(image) == DType::F64 ? DType::F64 : DType::F32;
  SmallVector<Dim> fieldDims{batch * Dim(fields), Dim(elements), Dim(2), height,
                             width};
  Value moved = n.convert(n.reshape(offset, fieldDims), dtype);
  SmallVector<Dim> pixels{Dim(1), Dim(1), height, width},
      taps{Dim(sizes[2]), Dim(sizes[3])},
      perTap{Dim(1), Dim(elements), Dim(1), Dim(1)};
  SmallVector<Value> places;
  for (int64_t i = 0; i < 2; ++i) {
    Value at = n.sub(
        n.mul(n.iota(dtype, pixels, 2 + i), static_cast<double>(strides[i])),
        static_cast<double>(pads[i]));
    Value tap = n.mul(n.reshape(n.iota(dtype, taps, i), perTap),
                      static_cast<double>(dilations[i]));
    places.push_back(
        n.add(n.add(at, tap), n.squeeze(n.part(moved, 2, i, 1), {2})));
  }
  SmallVector<Dim> imageDims{fieldDims[0], Dim(channels / fields),
                             dimsOf(image)[2], dimsOf(image)[3]};
  Value y = sampleBetween(n, n.reshape(image, imageDims), Value(), places,
                          {"zeros", true});
  if (mask) {
    SmallVector<Dim> perPlace{fieldDims[0], Dim(1), Dim(elements), height,
                              width};
    y = n.mul(y, n.reshape(mask, perPlace));
  }
  SmallVector<Dim> columns{batch, Dim(groups), Dim(sizes[1] * elements),
                           height * width},
      rows{Dim(groups), Dim(sizes[0] / groups), Dim(sizes[1] * elements)},
      result{batch, Dim(sizes[0]), height, width};
  y = n.dot(n.reshape(kernel, rows), n.reshape(y, columns),
            {int64_t(0), int64_t(1), int64_t(2), int64_t(2)});
  y = n.reshape(n.isRefused() ? Value() : n.transpose(y, {2, 0, 1, 3}), result);
  n.set(bias ? n.add(y, n.alongDim(bias, 1, 4)) : y);
}

ArrayRef<OpVersion> regionOps() {
  static constexpr OpVersion ops[] = {
      {"AffineGrid", 20, affineGrid}, {"DeformConv", 19, deformConv},
      {"MaxRoiPool", 1, maxRoiPool},  {"RoiAlign", 10, roiAlign},
      {"GridSample", 16, gridSample},
  };
  return ops;
}

} // namespace tensorc::onnx
