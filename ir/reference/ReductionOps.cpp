//===- ReductionOps.cpp - Reductions and contractions ---------------------===//

#include "ir/reference/Complex.h"
#include "ir/reference/Elementwise.h"
#include "ir/reference/Ops.h"
#include "ir/tx/Chains.h"
#include "ir/tx/Combining.h"
#include "ir/tx/Structure.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tensorc::reference {

/// Calls `fn(position in x, position in the result)` in row-major order of x.
template <typename Fn>
static void forEachReduced(const Array &x, ArrayRef<int64_t> dims,
                           const Array &result, Fn fn) {
  SmallVector<int64_t> strides = stridesOf(result.shape);
  SmallVector<int64_t> perDim(x.shape.size(), 0);
  for (size_t d = 0, kept = 0; d < x.shape.size(); ++d)
    if (!llvm::is_contained(dims, static_cast<int64_t>(d)))
      perDim[d] = strides[kept++];
  forEachIndex(x.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t target = 0;
    for (size_t d = 0; d < at.size(); ++d)
      target += at[d] * perDim[d];
    fn(position, target);
  });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename Wide>
static Wide neutralOf(tx::Neutral neutral, DType dtype) {
  if (neutral == tx::Neutral::Zero || neutral == tx::Neutral::One)
    return neutral == tx::Neutral::One;
  bool lowest = neutral == tx::Neutral::Lowest;
  if constexpr (std::is_floating_point_v<Wide>)
    return lowest ? -std::numeric_limits<Wide>::infinity()
                  : std::numeric_limits<Wide>::infinity();
  unsigned bits = dtype == DType::I1 ? 1 : byteWidth(dtype) * 8;
  if constexpr (std::is_signed_v<Wide>)
    return lowest ? llvm::minIntN(bits) : llvm::maxIntN(bits);
  else
    return lowest ? 0 : llvm::maxUIntN(bits);
}

template <typename Wide> Combine<Wide> combineOf(Operation *op, DType dtype) {
  tx::Combining combining = *tx::combiningOf(op);
  return {neutralOf<Wide>(combining.neutral, dtype),
          functionOf<Wide>(combining.by)};
}
template Combine<double> combineOf(Operation *op, DType dtype);
template Combine<int64_t> combineOf(Operation *op, DType dtype);
template Combine<uint64_t> combineOf(Operation *op, DType dtype);

template <typename Wide>
static void reduceAs(Operation *op, const Array &x, Array &result) {
  // Floats are accumulated in double, because they are compared with compiled
  // code only up to a tolerance.
  auto [neutral, combine] = combineOf<Wide>(op, x.dtype);
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  std::vector<Wide> values = read<Wide>(x);
  std::vector<Wide> out(result.size(), neutral);
  forEachReduced(x, dims, result, [&](int64_t from, int64_t to) {
    out[to] = combine(out[to], values[from]);
  });
  write<Wide>(result, out);
}

/// Computes a sum or a product of complex numbers.
static void reduceComplex(Operation *op, const Array &x, Array &result) {
  bool isSum = isa<tx::SumOp>(op);
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  std::vector<Complex> values = readComplex(x);
  std::vector<Complex> out(result.size(), isSum ? 0 : 1);
  forEachReduced(x, dims, result, [&](int64_t from, int64_t to) {
    out[to] = isSum ? out[to] + values[from] : productOf(out[to], values[from]);
  });
  writeComplex(result, out);
}

void reduce(Operation *op, const Array &x, Array &result) {
  if (tx::isComplex(x.dtype))
    return reduceComplex(op, x, result);
  if (isFloat(x.dtype))
    return reduceAs<double>(op, x, result);
  if (isUnsigned(x.dtype) || x.dtype == DType::I1)
    return reduceAs<uint64_t>(op, x, result);
  reduceAs<int64_t>(op, x, result);
}

//===----------------------------------------------------------------------===//
// argmax and argmin
//===----------------------------------------------------------------------===//

template <typename Wide>
static void argumentOf(const Array &x, ArrayRef<int64_t> dims, bool smallest,
                       Array &result) {
  std::vector<Wide> values = read<Wide>(x);
  // Positions are visited in row-major order. Therefore the number of elements
  // visited so far for a result is the element's index over the reduced dims.
  std::vector<int64_t> seen(result.size(), 0), best(result.size(), 0);
  std::vector<Wide> chosen(result.size());
  auto isNan = [](Wide v) { return v != v; };
  forEachReduced(x, dims, result, [&](int64_t from, int64_t to) {
    int64_t index = seen[to]++;
    Wide value = values[from];
    Wide than = chosen[to];
    bool beyond = smallest ? value < than : value > than;
    bool better = index == 0 || (!isNan(than) && (isNan(value) || beyond));
    if (!better)
      return;
    chosen[to] = value;
    best[to] = index;
  });
  write<int64_t>(result, best);
}

static void argument(ArrayRef<int64_t> dims, bool smallest, const Array &x,
                     Array &result) {
  if (isFloat(x.dtype))
    argumentOf<double>(x, dims, smallest, result);
  else if (isUnsigned(x.dtype))
    argumentOf<uint64_t>(x, dims, smallest, result);
  else
    argumentOf<int64_t>(x, dims, smallest, result);
}

//===----------------------------------------------------------------------===//
// dot_general
//===----------------------------------------------------------------------===//

namespace {
/// Offsets into one operand, for each batch index, free index and k. Each list
/// is in row-major order of its dims.
struct DotSide {
  std::vector<int64_t> batch, free, k;
};
} // namespace

static std::vector<int64_t> offsetsAlong(const Array &x,
                                         ArrayRef<int64_t> dims) {
  SmallVector<int64_t> strides = stridesOf(x.shape), sizes;
  for (int64_t dim : dims)
    sizes.push_back(x.shape[dim]);
  std::vector<int64_t> offsets;
  forEachIndex(sizes, [&](int64_t, ArrayRef<int64_t> at) {
    int64_t offset = 0;
    for (auto [i, dim] : llvm::enumerate(dims))
      offset += at[i] * strides[dim];
    offsets.push_back(offset);
  });
  return offsets;
}

static DotSide dotSide(const Array &x, ArrayRef<int64_t> batch,
                       ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> free;
  for (size_t d = 0; d < x.shape.size(); ++d)
    if (!llvm::is_contained(batch, static_cast<int64_t>(d)) &&
        !llvm::is_contained(contracting, static_cast<int64_t>(d)))
      free.push_back(d);
  return {offsetsAlong(x, batch), offsetsAlong(x, free),
          offsetsAlong(x, contracting)};
}

static void dotComplex(const DotSide &dx, const DotSide &dy, const Array &x,
                       const Array &y, Array &result) {
  std::vector<Complex> a = readComplex(x), b = readComplex(y), out;
  for (size_t batch = 0; batch < dx.batch.size(); ++batch)
    for (int64_t i : dx.free)
      for (int64_t j : dy.free) {
        int64_t ai = dx.batch[batch] + i, bj = dy.batch[batch] + j;
        Complex sum = 0;
        for (size_t k = 0; k < dx.k.size(); ++k)
          sum += productOf(a[ai + dx.k[k]], b[bj + dy.k[k]]);
        out.push_back(sum);
      }
  writeComplex(result, out);
}

template <typename Wide>
static void dot(const DotSide &dx, const DotSide &dy, const Array &x,
                const Array &y, Array &result) {
  std::vector<Wide> a = read<Wide>(x), b = read<Wide>(y), out;
  for (size_t batch = 0; batch < dx.batch.size(); ++batch)
    for (int64_t i : dx.free)
      for (int64_t j : dy.free) {
        int64_t ai = dx.batch[batch] + i, bj = dy.batch[batch] + j;
        Wide sum = 0;
        for (size_t k = 0; k < dx.k.size(); ++k)
          sum += a[ai + dx.k[k]] * b[bj + dy.k[k]];
        out.push_back(sum);
      }
  write<Wide>(result, out);
}

/// Computes one sum in f32, in an order of class `chains` (ir/tx/TxSchedule.td).
/// `product(k)` returns the factors of step k.
static float
sumInChains(tx::OrderAttr order, int64_t steps,
            llvm::function_ref<std::pair<float, float>(int64_t k)> product) {
  int64_t numLanes = order.getLanes().front(), chunk = order.getChunk();
  float sum = 0;
  std::vector<float> lanes(numLanes);
  for (int64_t begin = 0; begin < steps; begin += chunk) {
    llvm::fill(lanes, 0.0f);
    for (int64_t k = begin; k < std::min(begin + chunk, steps); ++k) {
      auto [a, b] = product(k);
      float &lane = lanes[(k - begin) % numLanes];
      lane = std::fma(a, b, lane);
    }
    for (int64_t half = numLanes / 2; half > 0; half /= 2)
      for (int64_t l = 0; l < half; ++l)
        lanes[l] += lanes[l + half];
    sum += lanes[0];
  }
  return sum;
}

static void dotInChains(tx::OrderAttr order, const DotSide &dx,
                        const DotSide &dy, const Array &x, const Array &y,
                        Array &result) {
  std::vector<double> a = read<double>(x), b = read<double>(y), out;
  for (size_t batch = 0; batch < dx.batch.size(); ++batch)
    for (int64_t i : dx.free)
      for (int64_t j : dy.free) {
        int64_t ai = dx.batch[batch] + i, bj = dy.batch[batch] + j;
        auto product = [&](int64_t k) {
          return std::pair(static_cast<float>(a[ai + dx.k[k]]),
                           static_cast<float>(b[bj + dy.k[k]]));
        };
        out.push_back(sumInChains(order, dx.k.size(), product));
      }
  write<double>(result, out);
}

/// Returns the order of a contraction's fusion if it is of class `chains`, and
/// null otherwise. The interpreter computes other orders in f64.
static tx::OrderAttr chainsOf(tx::DotGeneralOp op) {
  auto fusion = dyn_cast_or_null<tx::FusionOp>(op->getParentOp());
  tx::OrderAttr order = fusion ? fusion.getOrderAttr() : tx::OrderAttr();
  return order && tx::isChains(order) ? order : tx::OrderAttr();
}

static bool isNarrowFloat(DType dtype) {
  return dtype == DType::BF16 || dtype == DType::F16;
}

static void dotGeneral(tx::DotGeneralOp op, const Array &x, const Array &y,
                       Array &result) {
  DotSide dx = dotSide(x, op.getXBatch(), op.getXContracting());
  DotSide dy = dotSide(y, op.getYBatch(), op.getYContracting());
  if (tx::isComplex(x.dtype))
    return dotComplex(dx, dy, x, y, result);
  tx::OrderAttr order = chainsOf(op);
  if (order && isNarrowFloat(x.dtype) && isNarrowFloat(y.dtype))
    return dotInChains(order, dx, dy, x, y, result);
  // Wrapping arithmetic is the same for signed and unsigned integers.
  if (isFloat(x.dtype))
    dot<double>(dx, dy, x, y, result);
  else
    dot<uint64_t>(dx, dy, x, y, result);
}

static void countNonzero(tx::CountNonzeroOp op, Operands x, Array &result) {
  Array isOne = *Array::create(DType::I1, x[0]->shape);
  Array ones = *Array::create(DType::I64, x[0]->shape);
  convert(*x[0], isOne);
  convert(isOne, ones);
  reduceAs<int64_t>(op, ones, result);
}

void addReductionOps(OpTable &table) {
  table.add<tx::CountNonzeroOp>(countNonzero);
  table.add<tx::ArgmaxOp>([](tx::ArgmaxOp op, Operands x, Array &result) {
    argument(op.getDims(), /*smallest=*/false, *x[0], result);
  });
  table.add<tx::ArgminOp>([](tx::ArgminOp op, Operands x, Array &result) {
    argument(op.getDims(), /*smallest=*/true, *x[0], result);
  });
  table.add<tx::DotGeneralOp>(
      [](tx::DotGeneralOp op, Operands x, Array &result) {
        dotGeneral(op, *x[0], *x[1], result);
      });
}

} // namespace tensorc::reference
