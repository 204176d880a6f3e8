//===- FourierOps.cpp - Reference Fourier transforms ----------------------===//

#include "ir/fourier/Plan.h"
#include "ir/library/Fourier.h"
#include "ir/reference/Complex.h"
#include "ir/reference/Ops.h"
#include "ir/tx/Dft.h"

using namespace mlir;

namespace tensorc::reference {

/// Splits the transform by the smallest factor of its length. A transform of
/// prime length is computed by definition.
static std::vector<Complex> transform(const std::vector<Complex> &x,
                                      const std::vector<Complex> &roots) {
  auto n = static_cast<int64_t>(x.size());
  auto all = static_cast<int64_t>(roots.size());
  int64_t step = n == 0 ? 1 : all / n, factor = 2;
  while (factor * factor <= n && n % factor != 0)
    ++factor;
  std::vector<Complex> out(n);
  if (n <= 1)
    return x;
  if (n % factor != 0 || factor == n) {
    for (int64_t k = 0; k < n; ++k)
      for (int64_t j = 0; j < n; ++j)
        out[k] += x[j] * roots[j * k % n * step];
    return out;
  }
  int64_t m = n / factor;
  for (int64_t first = 0; first < factor; ++first) {
    std::vector<Complex> part(m);
    for (int64_t j = 0; j < m; ++j)
      part[j] = x[first + j * factor];
    part = transform(part, roots);
    for (int64_t k = 0; k < n; ++k)
      out[k] += part[k % m] * roots[first * k % n * step];
  }
  return out;
}

static void transformRows(const Array &x, bool inverse, Array &result) {
  std::vector<double> values = read<double>(x), out(values.size());
  int64_t length = x.shape.back();
  auto half = static_cast<int64_t>(values.size() / 2);
  std::vector<Complex> roots(length), row(length);
  for (int64_t k = 0; k < length; ++k) {
    Complex w = fourier::root(k, length);
    roots[k] = inverse ? std::conj(w) : w;
  }
  for (int64_t begin = 0; begin < half; begin += length) {
    for (int64_t k = 0; k < length; ++k)
      row[k] = {values[begin + k], values[half + begin + k]};
    std::vector<Complex> to = transform(row, roots);
    for (int64_t k = 0; k < length; ++k) {
      out[begin + k] = to[k].real();
      out[half + begin + k] = to[k].imag();
    }
  }
  write<double>(result, out);
}

/// Transforms along one dim, without scaling.
static void transformDim(std::vector<Complex> &values, ArrayRef<int64_t> shape,
                         int64_t dim, bool inverse) {
  int64_t length = shape[dim], stride = stridesOf(shape)[dim];
  std::vector<Complex> roots(length), row(length);
  for (int64_t k = 0; k < length; ++k) {
    Complex w = fourier::root(k, length);
    roots[k] = inverse ? std::conj(w) : w;
  }
  auto size = static_cast<int64_t>(values.size());
  for (int64_t begin = 0; begin < size; ++begin) {
    if (begin / stride % length != 0)
      continue;
    for (int64_t k = 0; k < length; ++k)
      row[k] = values[begin + k * stride];
    std::vector<Complex> to = transform(row, roots);
    for (int64_t k = 0; k < length; ++k)
      values[begin + k * stride] = to[k];
  }
}

/// Returns the elements along the dim at the indices that `place` returns. A
/// negative index stands for the conjugate of the element at its absolute
/// value.
template <typename Place>
static std::vector<Complex> takeAlong(const std::vector<Complex> &values,
                                      SmallVector<int64_t> &shape, int64_t dim,
                                      int64_t length, Place place) {
  std::vector<Complex> result;
  SmallVector<int64_t> strides = stridesOf(shape);
  shape[dim] = length;
  forEachIndex(shape, [&](int64_t, ArrayRef<int64_t> index) {
    int64_t k = place(index[dim]), from = std::abs(k) * strides[dim];
    for (auto [d, i] : llvm::enumerate(index))
      from += static_cast<int64_t>(d) == dim ? 0 : i * strides[d];
    result.push_back(k < 0 ? std::conj(values[from]) : values[from]);
  });
  return result;
}

static void runFourier(tx::FourierOp op, const Array &x, Array &result) {
  std::vector<Complex> values = readComplex(x);
  SmallVector<int64_t> shape(x.shape);
  ArrayRef<int64_t> dims = op.getDims(), lengths = op.getLengths();
  int64_t last = dims.back(), length = lengths.back();
  double count = 1;
  if (op.getKind() == tx::FourierKind::Hermitian) {
    // Transforms the other dims first, because the omitted half is the mirror
    // image in every dim.
    for (int64_t dim : dims.drop_back())
      transformDim(values, shape, dim, op.getInverse());
    values = takeAlong(values, shape, last, length, [&](int64_t k) {
      return k <= length / 2 ? k : k - length;
    });
    auto [stride, size] = std::pair(stridesOf(shape)[last], values.size());
    for (size_t i = 0; i < size; ++i) {
      int64_t k = static_cast<int64_t>(i) / stride % length;
      if (k == 0 || 2 * k == length)
        values[i] = values[i].real();
    }
    dims = dims.take_back();
  }
  for (int64_t dim : dims)
    transformDim(values, shape, dim, op.getInverse());
  if (op.getKind() == tx::FourierKind::Real)
    values = takeAlong(values, shape, last, length / 2 + 1,
                       [](int64_t k) { return k; });
  for (int64_t length : lengths)
    count *= static_cast<double>(length);
  double scale =
      op.getNorm() == tx::FourierNorm::Ortho ? 1 / std::sqrt(count)
      : (op.getNorm() == tx::FourierNorm::Backward) == op.getInverse()
          ? 1 / count
          : 1;
  for (Complex &value : values)
    value *= scale;
  if (op.getKind() != tx::FourierKind::Hermitian)
    return writeComplex(result, values);
  std::vector<double> real;
  for (Complex value : values)
    real.push_back(value.real());
  write<double>(result, real);
}

void addFourierOps(OpTable &table) {
  table.add<tx::FftOp>([](tx::FftOp op, Operands x, Array &result) {
    transformRows(*x[0], op.getInverse(), result);
  });
  table.add<tx::FourierOp>([](tx::FourierOp op, Operands x, Array &result) {
    runFourier(op, *x[0], result);
  });
  table.add<tx::DftOp>([](tx::DftOp op, Operands x, Array &result) {
    transformRows(*x[0], op.getInverse(), result);
  });
}

} // namespace tensorc::reference
