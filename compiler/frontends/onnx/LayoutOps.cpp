//===- LayoutOps.cpp - ONNX ops that rearrange elements -------------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include "llvm/ADT/Sequence.h"

#include <cmath>
#include <numbers>

namespace tensorc::onnx {

static void tile(NodeImport &n) {
  Value x = n.in(0);
  SmallVector<Dim> repeats = n.sizes(n.in(1), "the repeats");
  if (n.isRefused())
    return;
  SmallVector<Dim> dims(dimsOf(x));
  // Until opset 5 the inputs were a single number and an axis.
  if (n.opset < 6) {
    auto axis = n.numbers(n.in(2), "the axis");
    SmallVector<Dim> all(dims.size(), Dim(1));
    if (repeats.size() == 1 && axis.size() == 1)
      all[n.axis(axis[0], rankOf(x))] = repeats[0];
    repeats = all;
  }
  if (repeats.size() != dims.size()) {
    n.refuse("there are " + llvm::Twine(repeats.size()) + " repeats for rank " +
             llvm::Twine(dims.size()));
    return;
  }
  // Inserts a dim for the repetitions before each dim.
  SmallVector<Dim> split, whole, flat;
  for (auto [dim, count] : llvm::zip(dims, repeats)) {
    split.append({Dim(1), dim});
    whole.append({count, dim});
    flat.push_back(count * dim);
  }
  Value y = n.reshape(x, split);
  auto places = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(whole.size())));
  if (n.isRefused())
    return;
  for (Dim count : repeats)
    if (shape::isLess(count, 0) == true)
      n.refuse("a number of repeats is negative");
  n.set(n.reshape(n.broadcast(y, whole), flat));
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Returns the index in x for each element along a padded dim.
static Value placesOf(NodeImport &n, StringRef mode, Dim size, int64_t low,
                      Dim whole) {
  Value at = n.sub(n.iota(DType::I64, {whole}, 0), low);
  if (n.isRefused())
    return Value();
  Value last = n.scalar(size - 1, DType::I64);
  if (mode == "edge")
    return n.max(n.min(at, last), 0);
  if (mode == "wrap")
    return n.map<tx::ModOp>({at, n.scalar(size, DType::I64)});
  // Reflects at both ends, several times if necessary.
  Value period = n.max(n.mul(last, 2), 1);
  Value place = n.map<tx::ModOp>({at, period});
  return n.min(place, n.sub(period, place));
}

static void pad(NodeImport &n) {
  Value x = n.in(0);
  std::vector<int64_t> pads;
  bool isOld = n.opset < 11;
  if (isOld)
    pads = n.integers(n.opset < 2 ? "paddings" : "pads")
               .value_or(std::vector<int64_t>());
  else
    pads = n.numbers(n.in(1), "the padding");
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (!isOld && n.has(3)) {
    axes.clear();
    for (int64_t axis : n.numbers(n.in(3), "the axes"))
      axes.push_back(n.axis(axis, rank));
  }
  if (n.isRefused() || pads.size() != 2 * axes.size()) {
    n.refuse("there are " + llvm::Twine(pads.size()) +
             " numbers of padding for " + llvm::Twine(axes.size()) + " axes");
    return;
  }
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  for (auto [i, axis] : llvm::enumerate(axes)) {
    low[axis] = pads[i];
    high[axis] = pads[axes.size() + i];
  }
  StringRef mode = n.text("mode", "constant");
  if (mode == "constant") {
    Value value = isOld      ? n.full(n.real("value", 0), dtypeOf(x))
                  : n.has(2) ? n.reshape(n.in(2), {})
                             : n.full(0, dtypeOf(x));
    n.set(n.pad(x, low, high, value));
    return;
  }
  if (mode != "edge" && mode != "reflect" && mode != "wrap") {
    n.refuse("the mode " + mode + " is unknown");
    return;
  }
  for (int64_t d = 0; d < rank && !n.isRefused(); ++d)
    if (low[d] || high[d]) {
      Dim size = dimsOf(x)[d], whole = size + low[d] + high[d];
      x = n.take(x, placesOf(n, mode, size, low[d], whole), d);
    }
  n.set(x);
}

/// Crops x to its center, or pads it with zeros on both sides.
static void centerCropPad(NodeImport &n) {
  Value x = n.in(0);
  auto wanted = n.numbers(n.in(1), "the shape");
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (auto given = n.integers("axes")) {
    axes.clear();
    for (int64_t axis : *given)
      axes.push_back(n.axis(axis, rank));
  }
  if (n.isRefused() || axes.size() != wanted.size()) {
    n.refuse("there are other numbers of sizes and axes");
    return;
  }
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  for (auto [axis, size] : llvm::zip(axes, wanted)) {
    int64_t more = size - n.numberOf(dimsOf(x)[axis], "a dim that is cropped");
    // Rounds toward zero, also if elements are removed.
    low[axis] = more >= 0 ? more / 2 : -((-more) / 2);
    high[axis] = more - low[axis];
  }
  n.set(
      n.pad(x, low, high, n.full(0, n.isRefused() ? DType::F32 : dtypeOf(x))));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static std::optional<int64_t> blockSize(NodeImport &n, Value x) {
  int64_t size = n.integer("blocksize", 0);
  if (!n.isRefused() && (rankOf(x) != 4 || size < 1))
    n.refuse("takes images of rank 4 and a blocksize");
  return n.isRefused() ? std::nullopt : std::optional(size);
}

static void depthToSpace(NodeImport &n) {
  Value x = n.in(0);
  auto size = blockSize(n, x);
  if (!size)
    return;
  SmallVector<Dim> dims(dimsOf(x));
  Dim s = *size, depth = shape::floorDiv(dims[1], s * s);
  bool isCrd = n.text("mode", "DCR") == "CRD";
  SmallVector<Dim> split{dims[0],           isCrd ? depth : s, s,
                         isCrd ? s : depth, dims[2],           dims[3]};
  SmallVector<int64_t> order = isCrd ? SmallVector<int64_t>{0, 1, 4, 2, 5, 3}
                                     : SmallVector<int64_t>{0, 3, 4, 1, 5, 2};
  Value y = n.transpose(n.reshape(x, split), order);
  SmallVector<Dim> result{dims[0], depth, dims[2] * s, dims[3] * s};
  n.set(n.reshape(y, result));
}

static void spaceToDepth(NodeImport &n) {
  Value x = n.in(0);
  auto size = blockSize(n, x);
  if (!size)
    return;
  SmallVector<Dim> dims(dimsOf(x));
  Dim s = *size, height = shape::floorDiv(dims[2], s),
      width = shape::floorDiv(dims[3], s);
  SmallVector<Dim> split{dims[0], dims[1], height, s, width, s};
  bool isCrd = n.text("mode", "DCR") == "CRD";
  SmallVector<int64_t> order = isCrd ? SmallVector<int64_t>{0, 1, 3, 5, 2, 4}
                                     : SmallVector<int64_t>{0, 3, 5, 1, 2, 4};
  Value y = n.transpose(n.reshape(x, split), order);
  SmallVector<Dim> result{dims[0], dims[1] * s * s, height, width};
  n.set(n.reshape(y, result));
}

/// Sums blocks, which are columns of x, at their positions in the image.
static void col2Im(NodeImport &n) {
  Value x = n.in(0);
  auto image = n.numbers(n.in(1), "the image's shape"),
       block = n.numbers(n.in(2), "the block's shape");
  if (n.isRefused())
    return;
  auto rank = static_cast<int64_t>(image.size());
  auto listOr = [&](StringRef name, int64_t count, int64_t otherwise) {
    auto list = n.integers(name).value_or(
        std::vector<int64_t>(static_cast<size_t>(count), otherwise));
    if (static_cast<int64_t>(list.size()) != count)
      n.refuse(name + " has a wrong length");
    list.resize(count, otherwise);
    return list;
  };
  auto strides = listOr("strides", rank, 1),
       dilations = listOr("dilations", rank, 1),
       pads = listOr("pads", 2 * rank, 0);
  if (n.isRefused() || rankOf(x) != 3 ||
      static_cast<int64_t>(block.size()) != rank || rank < 1) {
    n.refuse("the columns or the block have a wrong rank");
    return;
  }
  int64_t blockCount = 1, places = 1;
  SmallVector<Dim> split{dimsOf(x)[0], Dim(1)};
  SmallVector<int64_t> counts;
  for (int64_t i = 0; i < rank; ++i) {
    blockCount *= block[i];
    int64_t reach = dilations[i] * (block[i] - 1) + 1;
    if (strides[i] < 1 || block[i] < 1)
      n.refuse("a stride or a size is not positive");
    counts.push_back(
        n.isRefused()
            ? 1
            : (image[i] + pads[i] + pads[rank + i] - reach) / strides[i] + 1);
    places *= counts.back();
  }
  if (n.isRefused() || places < 1)
    return;
  split[1] = shape::floorDiv(dimsOf(x)[1], blockCount);
  for (int64_t size : block)
    split.push_back(size);
  for (int64_t count : counts)
    split.push_back(count);
  Value updates = n.reshape(x, split);
  // Computes the position of each element (block, window) in the padded image.
  SmallVector<Dim> target{split[0], split[1]};
  SmallVector<Dim> own(split.begin() + 2, split.end()), one(own);
  one.push_back(1);
  SmallVector<Value> components;
  SmallVector<int64_t> low(2 + rank, 0), high(2 + rank, 0), mapped,
      window{0, 1};
  for (int64_t i = 0; i < rank; ++i) {
    target.push_back(image[i] + pads[i] + pads[rank + i]);
    Value at = n.add(n.mul(n.iota(DType::I64, own, i), dilations[i]),
                     n.mul(n.iota(DType::I64, own, rank + i), strides[i]));
    components.push_back(n.reshape(at, one));
    mapped.push_back(2 + i);
    low[2 + i] = -pads[i], high[2 + i] = -pads[rank + i];
  }
  Value indices = n.concatenate(components, 2 * rank);
  if (n.isRefused())
    return;
  Value zeros = n.full(0, dtypeOf(x), target);
  Value sum = n.make<tx::ScatterOp>(dtypeOf(x), zeros, indices, updates,
                                    tx::UpdateKind::Add, window, mapped, mapped,
                                    2 * rank);
  n.set(n.pad(sum, low, high,
              n.full(0, n.isRefused() ? DType::F32 : dtypeOf(x))));
}

//===----------------------------------------------------------------------===//
// Windows of signals
//===----------------------------------------------------------------------===//

/// Returns a window that is a sum of cosines with these coefficients.
static void cosineWindow(NodeImport &n, double a, double b, double c) {
  auto count = n.numbers(n.in(0), "the size");
  auto dtype = dtypeFrom(n.integer("output_datatype", 1));
  if (!dtype || count.size() != 1 || (!count.empty() && count[0] < 0))
    n.refuse("the size is not a number, or tensorc does not have the dtype");
  if (n.isRefused())
    return;
  int64_t length = n.integer("periodic", 1) ? count[0] : count[0] - 1;
  Value angle = n.mul(n.iota(DType::F64, {Dim(count[0])}, 0),
                      2 * std::numbers::pi / static_cast<double>(length));
  Value y = n.add(n.mul(n.map<tx::CosOp>({angle}), -b), a);
  if (c != 0)
    y = n.add(y, n.mul(n.map<tx::CosOp>({n.mul(angle, 2)}), c));
  n.set(n.convert(y, *dtype));
}

static void hann(NodeImport &n) { cosineWindow(n, 0.5, 0.5, 0); }
static void hamming(NodeImport &n) {
  cosineWindow(n, 25.0 / 46.0, 1 - 25.0 / 46.0, 0);
}
static void blackman(NodeImport &n) { cosineWindow(n, 0.42, 0.5, 0.08); }

ArrayRef<OpVersion> layoutOps() {
  static constexpr OpVersion ops[] = {
      {"BlackmanWindow", 17, blackman},
      {"CenterCropPad", 18, centerCropPad},
      {"Col2Im", 18, col2Im},
      {"DepthToSpace", 1, depthToSpace},
      {"HammingWindow", 17, hamming},
      {"HannWindow", 17, hann},
      {"Pad", 1, pad},
      {"SpaceToDepth", 1, spaceToDepth},
      {"Tile", 1, tile},
  };
  return ops;
}

} // namespace tensorc::onnx
