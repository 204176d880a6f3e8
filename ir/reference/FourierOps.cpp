//===- FourierOps.cpp - Fourier transforms by their definition ------------===//

#include "ir/fourier/Plan.h"
#include "ir/library/Fourier.h"
#include "ir/reference/Ops.h"
#include "ir/tx/Dft.h"

using namespace mlir;

namespace tensorc::reference {

using Complex = std::complex<double>;

/// Splits by the least factor, and adds up what is prime by its definition.
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

void addFourierOps(OpTable &table) {
  table.add<tx::FftOp>([](tx::FftOp op, Operands x, Array &result) {
    transformRows(*x[0], op.getInverse(), result);
  });
  table.add<tx::DftOp>([](tx::DftOp op, Operands x, Array &result) {
    transformRows(*x[0], op.getInverse(), result);
  });
}

} // namespace tensorc::reference
