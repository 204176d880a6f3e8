//===- Fourier.cpp - Fourier transforms in other ops ----------------------===//
//
// Of lengths without large prime factors: a tx.dft, where the target has a
// kernel for it, or Stockham's steps, each of which is a contraction with the
// matrix of a short transform. Of other lengths by a convolution (Bluestein).
//
//===----------------------------------------------------------------------===//

#include "ir/library/Fourier.h"

#include "ir/builder/TensorBuilder.h"
#include "ir/fourier/Plan.h"
#include "ir/tx/Dft.h"

using namespace mlir;

namespace tensorc::tx {

using builder::Dim;
using builder::Dims;
using builder::dimsOf;
using builder::TensorBuilder;

namespace {

using Roots = std::vector<std::complex<double>>;

/// Real and imaginary parts, of one shape.
struct Planes {
  Value re, im;
};

class Fourier {
public:
  Fourier(OpBuilder &builder, FftOp op) : b(builder, op), op(op) {}

  Value steps(Value x);
  Value bluestein(Value x);

private:
  TensorBuilder b;
  FftOp op;

  Value constant(ArrayRef<double> values, ArrayRef<int64_t> dims, Value like);
  /// One per element of the last dim, or of `dim`.
  Planes roots(const Roots &roots, Value like, int64_t dim);
  Planes split(Value x);
  Value join(Planes x);
  Planes multiply(Planes x, Planes y);
  Planes swapped(Planes x) { return {x.im, x.re}; }
  Value resized(Value x, int64_t length);
  Value step(Value x, int64_t radix, int64_t left, int64_t done);
};

} // namespace

/// Of x's dtype, f32 or f64.
static Value makeConstant(OpBuilder &b, Location loc, ArrayRef<double> values,
                          ArrayRef<int64_t> dims, Type element) {
  auto type = RankedTensorType::get(dims, element);
  DenseElementsAttr attribute;
  if (element.isF64())
    attribute = DenseElementsAttr::get(type, values);
  else
    attribute = DenseElementsAttr::get(
        type, ArrayRef(std::vector<float>(values.begin(), values.end())));
  return ConstantOp::create(b, loc, type, attribute);
}

Value Fourier::constant(ArrayRef<double> values, ArrayRef<int64_t> dims,
                        Value like) {
  return makeConstant(b.b, b.loc, values, dims,
                      builder::typeOf(like).getElementType());
}

Planes Fourier::roots(const Roots &roots, Value like, int64_t dim) {
  std::vector<double> re, im;
  for (std::complex<double> w : roots) {
    re.push_back(w.real());
    im.push_back(w.imag());
  }
  auto count = static_cast<int64_t>(roots.size());
  int64_t rank = builder::rankOf(like);
  return {b.alongDim(constant(re, count, like), dim, rank),
          b.alongDim(constant(im, count, like), dim, rank)};
}

Planes Fourier::split(Value x) {
  Dims plane = dimsOf(x).drop_front();
  auto part = [&](int64_t i) {
    return b.reshape(b.sliceAlong(x, 0, i, Dim(1)), plane);
  };
  Value re = part(0);
  return {re, part(1)};
}

Value Fourier::join(Planes x) {
  SmallVector<Dim> dims{Dim(1)};
  llvm::append_range(dims, dimsOf(x.re));
  Value re = b.reshape(x.re, dims);
  return b.concatenate({re, b.reshape(x.im, dims)}, 0);
}

Planes Fourier::multiply(Planes x, Planes y) {
  return {b.sub(b.mul(x.re, y.re), b.mul(x.im, y.im)),
          b.add(b.mul(x.re, y.im), b.mul(x.im, y.re))};
}

//===----------------------------------------------------------------------===//
// Stockham's steps
//===----------------------------------------------------------------------===//

/// Of x as [2, ..., radix, left, done] to [2, ..., left, radix, done], which
/// has been multiplied with the next step's roots.
Value Fourier::step(Value x, int64_t radix, int64_t left, int64_t done) {
  SmallVector<Dim> dims(dimsOf(x).drop_back());
  dims.append({Dim(radix), Dim(left), Dim(done)});
  Value split = b.reshape(x, dims);
  // The matrix of a short transform on real and imaginary parts.
  double sign = op.getInverse() ? -1 : 1;
  std::vector<double> matrix;
  for (int64_t toIm : {0, 1})
    for (int64_t j = 0; j < radix; ++j)
      for (int64_t fromIm : {0, 1})
        for (int64_t k = 0; k < radix; ++k) {
          std::complex<double> w = fourier::root(j * k % radix, radix);
          double im = sign * w.imag();
          matrix.push_back(toIm == fromIm ? w.real() : toIm ? im : -im);
        }
  Value short_ = constant(matrix, {2, radix, 2, radix}, x);
  auto rank = static_cast<int64_t>(dims.size());
  int64_t xContracting[] = {2, 3}, yContracting[] = {0, rank - 3};
  Value made = b.dot(short_, split, {{}, {}, xContracting, yContracting});
  // [2, radix, ..., left, done]
  SmallVector<int64_t> order{0};
  for (int64_t d = 2; d < rank - 1; ++d)
    order.push_back(d);
  order.append({1, rank - 1});
  made = b.transpose(made, order);
  if (left > 1) {
    std::vector<double> re, im;
    for (int64_t p = 0; p < left; ++p)
      for (int64_t j = 0; j < radix; ++j) {
        std::complex<double> w = fourier::root(p * j, radix * left);
        re.push_back(w.real());
        im.push_back(sign * w.imag());
      }
    int64_t shape[] = {left, radix, 1};
    made = join(multiply(this->split(made),
                         {constant(re, shape, x), constant(im, shape, x)}));
  }
  return b.reshape(made, dimsOf(x));
}

Value Fourier::steps(Value x) {
  int64_t left = op.getLength(), done = 1;
  for (int64_t radix : fourier::radicesOf(op.getLength())) {
    left /= radix;
    x = step(x, radix, left, done);
    done *= radix;
  }
  return x;
}

//===----------------------------------------------------------------------===//
// Bluestein's convolution
//===----------------------------------------------------------------------===//

/// The first elements, or zeros behind.
Value Fourier::resized(Value x, int64_t length) {
  int64_t last = builder::rankOf(x) - 1, has = dimsOf(x).back().constant();
  if (length < has)
    return b.sliceAlong(x, last, 0, Dim(length));
  SmallVector<int64_t> none(last + 1, 0), behind(last + 1, 0);
  behind.back() = length - has;
  return b.pad(x, none, behind, none, 0.0);
}

/// j k = (j^2 + k^2 - (k - j)^2) / 2.
Value Fourier::bluestein(Value x) {
  int64_t n = op.getLength(), m = fourier::nextFastLength(2 * n - 1);
  Roots chirp(n), filter(m);
  for (int64_t k = 0; k < n; ++k) {
    chirp[k] = fourier::root(k * k % (2 * n), 2 * n);
    filter[k] = filter[(m - k) % m] =
        std::conj(chirp[k]) / static_cast<double>(m);
  }
  filter = fourier::transform(filter);
  auto along = [&](Value like) { return builder::rankOf(like) - 1; };
  auto transform = [&](Planes z, bool inverse) {
    Value joined = join(z);
    return split(
        FftOp::create(b.b, b.loc, joined.getType(), joined, m, inverse));
  };
  Planes z = split(x);
  if (op.getInverse())
    z = swapped(z);
  Planes turn = roots(chirp, z.re, along(z.re));
  z = multiply(z, turn);
  z = transform({resized(z.re, m), resized(z.im, m)}, false);
  z = transform(multiply(z, roots(filter, z.re, along(z.re))), true);
  z = multiply({resized(z.re, n), resized(z.im, n)}, turn);
  return join(op.getInverse() ? swapped(z) : z);
}

Value FftOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value wide = b.widen(getX());
  if (wide != getX())
    return b.convertLike(FftOp::create(builder, getLoc(), wide.getType(), wide,
                                       getLength(), getInverse()),
                         getX());
  if (getLength() == 1)
    return wide;
  Fourier fourier(builder, *this);
  return fourier::isSmooth(getLength()) ? fourier.steps(wide)
                                        : fourier.bluestein(wide);
}

bool isDft(FftOp op) {
  Type element = op.getType().getElementType();
  auto length = static_cast<int64_t>(op.getLength());
  return (element.isF32() || element.isF64()) && length > 1 &&
         fourier::isSmooth(length);
}

Value makeDft(OpBuilder &builder, FftOp op) {
  std::vector<double> values =
      fourier::tableOf(fourier::Plan(static_cast<int64_t>(op.getLength())));
  Value table = makeConstant(builder, op.getLoc(), values,
                             static_cast<int64_t>(values.size()),
                             op.getType().getElementType());
  return DftOp::create(builder, op.getLoc(), op.getType(), op.getX(), table,
                       op.getInverse());
}

} // namespace tensorc::tx
