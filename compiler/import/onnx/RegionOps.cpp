//===- RegionOps.cpp - ONNX's images read where other inputs say ----------===//

#include "compiler/import/onnx/NodeImport.h"

#include <cmath>

using namespace mlir;

namespace tensorc::onnx {

/// A column of a matrix: [rows, 1, 1].
static Value column(NodeImport &n, Value x, int64_t at) {
  if (n.isRefused())
    return Value();
  SmallVector<Dim> dims{dimsOf(x)[0], Dim(1), Dim(1)};
  return n.reshape(n.part(x, 1, at, 1), dims);
}

//===----------------------------------------------------------------------===//
// Regions of a number of pixels
//===----------------------------------------------------------------------===//

/// [batch, channels, height, width] at [regions, columns].
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
/// Where the points of regions lie along one dim.
struct Points {
  /// [regions, parts * each], and where it lies in the image.
  Value place, inside;
};
} // namespace

/// `each` points in each of the parts of the way from begin to end.
static Points pointsOf(NodeImport &n, Value begin, Value end, int64_t parts,
                       int64_t each, Dim size, bool isHalfPixel) {
  if (n.isRefused())
    return {};
  DType dtype = dtypeOf(begin);
  Value length = n.sub(end, begin);
  if (!isHalfPixel) // no region is smaller than a pixel
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
  // What one region reads: as much as an image may have.
  static constexpr int64_t most = 1 << 16;
  if (height < 1 || width < 1 || height > most || width > most || each > most)
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

/// The largest of the rows or columns in each part of each region, which are
/// whole pixels: x is [regions, channels, ..., size, ...].
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
  // Rounded up.
  Value last = n.sub(begin, n.floor(n.neg(n.mul(n.add(part, 1), length))));
  Value lies =
      n.logicalAnd(n.greaterOrEqual(pixel, first), n.less(pixel, last));
  if (n.isRefused())
    return Value();
  // [regions, parts, size] beside x, whose parts come before the dim.
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
  // Half a pixel is rounded away from 0; these are not negative.
  auto edge = [&](int64_t at) {
    return n.floor(n.add(n.mul(column(n, regions, at), scale), 0.5));
  };
  SmallVector<Dim> list{dimsOf(regions)[0]};
  Value batch =
      n.convert(n.reshape(n.part(regions, 1, 0, 1), list), DType::I64);
  Value y = n.take(image, batch, 0);
  y = largestOfParts(n, y, edge(2), edge(4), (*shape)[0], 2);
  y = largestOfParts(n, y, edge(1), edge(3), (*shape)[1], 3);
  // A part without a pixel.
  n.set(n.select(n.equal(y, -INFINITY),
                 n.full(0, n.isRefused() ? DType::F32 : dtypeOf(image)), y));
}

//===----------------------------------------------------------------------===//
// Kernels whose elements lie elsewhere for each pixel
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
      {"DeformConv", 19, deformConv},
      {"MaxRoiPool", 1, maxRoiPool},
      {"RoiAlign", 10, roiAlign},
  };
  return ops;
}

} // namespace tensorc::onnx
