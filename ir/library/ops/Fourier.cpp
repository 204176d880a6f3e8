//===- Fourier.cpp - Expansions of Fourier transforms ---------------------===//
//
// A transform whose length has no large prime factors becomes a tx.dft if the
// target has a kernel for it. Otherwise it becomes Stockham's steps, each of
// which is a contraction with the matrix of a short transform. Transforms of
// other lengths become a convolution (Bluestein's algorithm).
//
//===----------------------------------------------------------------------===//

#include "ir/library/Fourier.h"

#include "ir/builder/TensorBuilder.h"
#include "ir/fourier/Plan.h"
#include "ir/tx/Complex.h"
#include "ir/tx/Dft.h"

#include <cmath>

using namespace mlir;

namespace tensorc::tx {

using builder::Dim;
using builder::Dims;
using builder::dimsOf;
using builder::TensorBuilder;

namespace {

using Roots = std::vector<std::complex<double>>;

/// Real and imaginary parts, which have the same shape.
struct Planes {
  Value re, im;
};

/// Building blocks of transforms, which compute with real and imaginary parts.
class Parts {
protected:
  template <typename Op>
  Parts(OpBuilder &builder, Op op) : b(builder, op.getOperation()) {}

  TensorBuilder b;

  Value constant(ArrayRef<double> values, ArrayRef<int64_t> dims, Value like);
  /// Returns constants with one root per element of the last dim.
  Planes roots(const Roots &roots, Value like);
  /// Splits [2, ...] into its real and imaginary parts; join() is the inverse.
  Planes split(Value x);
  Value join(Planes x);
  Planes multiply(Planes x, Planes y);
  static Planes swapped(Planes x) { return {x.im, x.re}; }
  /// Transforms along the last dim.
  Value transform(Value parts, bool inverse);
};

/// Expands a tx.fft into other ops.
class Fft : Parts {
public:
  Fft(OpBuilder &builder, FftOp op) : Parts(builder, op), op(op) {}

  Value steps(Value x);
  Value bluestein(Value x);

private:
  FftOp op;

  Value resized(Value x, int64_t length);
  Value step(Value x, int64_t radix, int64_t left, int64_t done);
};

/// Expands a tx.fourier into several tx.fft.
class Fourier : Parts {
public:
  Fourier(OpBuilder &builder, FourierOp op)
      : Parts(builder, op), op(op),
        order(llvm::to_vector(llvm::seq<int64_t>(
            0, cast<RankedTensorType>(op.getX().getType()).getRank()))) {}

  Value expand();

private:
  FourierOp op;
  /// For each position, the op's dim that is currently at this position.
  SmallVector<int64_t> order;

  Planes inOrder(Planes x, ArrayRef<int64_t> wanted);
  Planes withLast(Planes x, int64_t dim);
  Planes scaled(Planes x);
  Value lastElements(Value x, int64_t begin, int64_t end);
  Value reversed(Value x);
  Planes halfSpectrum(Value x, int64_t length);
  Value ofHalfSpectrum(Planes x, int64_t length);
};

} // namespace

/// Returns a constant of type f32 or f64.
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

Value Parts::constant(ArrayRef<double> values, ArrayRef<int64_t> dims,
                      Value like) {
  return makeConstant(b.b, b.loc, values, dims,
                      builder::typeOf(like).getElementType());
}

Planes Parts::roots(const Roots &roots, Value like) {
  std::vector<double> re, im;
  for (std::complex<double> w : roots) {
    re.push_back(w.real());
    im.push_back(w.imag());
  }
  auto count = static_cast<int64_t>(roots.size());
  int64_t rank = builder::rankOf(like);
  return {b.alongDim(constant(re, count, like), rank - 1, rank),
          b.alongDim(constant(im, count, like), rank - 1, rank)};
}

Planes Parts::split(Value x) {
  Dims plane = dimsOf(x).drop_front();
  auto part = [&](int64_t i) {
    return b.reshape(b.sliceAlong(x, 0, i, Dim(1)), plane);
  };
  Value re = part(0);
  return {re, part(1)};
}

Value Parts::join(Planes x) {
  SmallVector<Dim> dims{Dim(1)};
  llvm::append_range(dims, dimsOf(x.re));
  Value re = b.reshape(x.re, dims);
  return b.concatenate({re, b.reshape(x.im, dims)}, 0);
}

Planes Parts::multiply(Planes x, Planes y) {
  return {b.sub(b.mul(x.re, y.re), b.mul(x.im, y.im)),
          b.add(b.mul(x.re, y.im), b.mul(x.im, y.re))};
}

Value Parts::transform(Value parts, bool inverse) {
  int64_t length = *dimsOf(parts).back().number();
  return FftOp::create(b.b, b.loc, parts.getType(), parts, length, inverse);
}

//===----------------------------------------------------------------------===//
// Stockham's steps
//===----------------------------------------------------------------------===//

/// Maps x as [2, ..., radix, left, done], already multiplied with the step's
/// roots, to [2, ..., left, radix, done].
Value Fft::step(Value x, int64_t radix, int64_t left, int64_t done) {
  SmallVector<Dim> dims(dimsOf(x).drop_back());
  dims.append({Dim(radix), Dim(left), Dim(done)});
  Value split = b.reshape(x, dims);
  // The matrix that represents a short transform of real and imaginary parts.
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

Value Fft::steps(Value x) {
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

/// Truncates x to its first `length` elements, or pads it with zeros at the
/// end.
Value Fft::resized(Value x, int64_t length) {
  int64_t last = builder::rankOf(x) - 1, has = dimsOf(x).back().constant();
  if (length < has)
    return b.sliceAlong(x, last, 0, Dim(length));
  SmallVector<int64_t> none(last + 1, 0), after(last + 1, 0);
  after.back() = length - has;
  return b.pad(x, none, after, none, 0.0);
}

/// Bluestein's algorithm: a convolution, because j k = (j^2 + k^2 - (k - j)^2)
/// / 2.
Value Fft::bluestein(Value x) {
  int64_t n = op.getLength(), m = fourier::nextFastLength(2 * n - 1);
  Roots chirp(n), filter(m);
  for (int64_t k = 0; k < n; ++k) {
    chirp[k] = fourier::root(k * k % (2 * n), 2 * n);
    filter[k] = filter[(m - k) % m] =
        std::conj(chirp[k]) / static_cast<double>(m);
  }
  filter = fourier::transform(filter);
  Planes z = split(x);
  if (op.getInverse())
    z = swapped(z);
  Planes turn = roots(chirp, z.re);
  z = multiply(z, turn);
  z = split(transform(join({resized(z.re, m), resized(z.im, m)}), false));
  z = split(transform(join(multiply(z, roots(filter, z.re))), true));
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
  Fft fft(builder, *this);
  return fourier::isSmooth(getLength()) ? fft.steps(wide) : fft.bluestein(wide);
}

//===----------------------------------------------------------------------===//
// Transforms along several dims, of complex and of real numbers
//===----------------------------------------------------------------------===//

Planes Fourier::inOrder(Planes x, ArrayRef<int64_t> wanted) {
  SmallVector<int64_t> permutation;
  for (int64_t dim : wanted)
    permutation.push_back(llvm::find(order, dim) - order.begin());
  order.assign(wanted.begin(), wanted.end());
  if (llvm::is_sorted(permutation))
    return x;
  return {b.transpose(x.re, permutation),
          x.im ? b.transpose(x.im, permutation) : Value()};
}

Planes Fourier::withLast(Planes x, int64_t dim) {
  SmallVector<int64_t> wanted = order;
  wanted.erase(llvm::find(wanted, dim));
  wanted.push_back(dim);
  return inOrder(x, wanted);
}

Planes Fourier::scaled(Planes x) {
  FourierNorm unscaled =
      op.getInverse() ? FourierNorm::Forward : FourierNorm::Backward;
  double count = 1;
  for (int64_t length : op.getLengths())
    count *= static_cast<double>(length);
  if (op.getNorm() == unscaled || count == 1)
    return x;
  double scale =
      1 / (op.getNorm() == FourierNorm::Ortho ? std::sqrt(count) : count);
  return {x.re ? b.mul(x.re, scale) : Value(),
          x.im ? b.mul(x.im, scale) : Value()};
}

Value Fourier::lastElements(Value x, int64_t begin, int64_t end) {
  return b.sliceAlong(x, builder::rankOf(x) - 1, begin, Dim(end - begin));
}

Value Fourier::reversed(Value x) {
  return b.reverse(x, builder::rankOf(x) - 1);
}

/// Returns the first length / 2 + 1 elements of the transform of a real row.
/// For an even length they are computed from the transform of half as many
/// complex numbers, whose parts are the even and the odd elements, and from its
/// mirror image.
Planes Fourier::halfSpectrum(Value x, int64_t length) {
  int64_t half = length / 2, count = half + 1;
  if (length % 2 != 0 || !fourier::isSmooth(half)) {
    Value zeros = b.full(0.0, builder::dtypeOf(x), dimsOf(x));
    Planes y = split(transform(join({x, zeros}), false));
    return {lastElements(y.re, 0, count), lastElements(y.im, 0, count)};
  }
  SmallVector<Dim> rows(dimsOf(x)), pairs(rows), columns(rows), twice(rows);
  rows.back() = pairs.back() = Dim(half);
  pairs.push_back(Dim(2));
  columns.back() = Dim(1);
  Value x2 = b.reshape(x, pairs);
  auto last = builder::rankOf(x);
  auto every = [&](int64_t first) {
    return b.reshape(b.sliceAlong(x2, last, first, Dim(1)), rows);
  };
  Value even = every(0);
  Planes z = split(transform(join({even, every(1)}), false));
  // Element `half` equals element 0, because the spectrum is periodic.
  columns.push_back(Dim(half));
  SmallVector<Dim> two(columns);
  two[last - 1] = Dim(2);
  auto around = [&](Value v, int64_t first, int64_t step) {
    Value again = b.reshape(b.broadcast(b.reshape(v, columns), two), twice);
    return b.sliceAlong(again, last - 1, first, Dim(count), step);
  };
  Planes y{around(z.re, 0, 1), around(z.im, 0, 1)};
  Planes mirrored{around(z.re, half, -1), around(z.im, half, -1)};
  Roots turn;
  for (int64_t k = 0; k < count; ++k)
    turn.push_back(fourier::root(k, length) / 2.0);
  Planes odd = multiply({b.add(y.im, mirrored.im), b.sub(mirrored.re, y.re)},
                        roots(turn, y.re));
  return {b.add(b.mul(b.add(y.re, mirrored.re), 0.5), odd.re),
          b.add(b.mul(b.sub(y.im, mirrored.im), 0.5), odd.im)};
}

/// Computes the unscaled inverse transform, from half a spectrum to real
/// numbers. Ignores the imaginary part of the first element, and for an even
/// length also that of the last element.
Value Fourier::ofHalfSpectrum(Planes x, int64_t length) {
  int64_t half = length / 2, last = builder::rankOf(x.re) - 1;
  SmallVector<int64_t> none(last + 1, 0), one(last + 1, 0);
  one.back() = 1;
  if (length % 2 != 0) {
    if (half == 0)
      return x.re;
    Value im = lastElements(x.im, 1, half + 1);
    Value mirrored = reversed(lastElements(x.re, 1, half + 1));
    Planes whole{b.concatenate({x.re, mirrored}, last),
                 b.pad(b.concatenate({im, b.neg(reversed(im))}, last), one,
                       none, none, 0.0)};
    return split(transform(join(whole), true)).re;
  }
  auto body = [&](Value part) { return lastElements(part, 0, half); };
  auto mirror = [&](Value part) {
    return reversed(lastElements(part, 1, half + 1));
  };
  // Uses a select instead of padding with zeros, so that the kernel reads both
  // parts as pairs.
  SmallVector<Dim> rows(dimsOf(x.re));
  rows.back() = Dim(half);
  Value isFirst = b.equal(b.iota(DType::I32, rows, last), 0);
  auto unlessFirst = [&](Value part) { return b.select(isFirst, 0.0, part); };
  Planes front{body(x.re), unlessFirst(body(x.im))};
  Planes mirrored{mirror(x.re), unlessFirst(mirror(x.im))};
  Planes even{b.add(front.re, mirrored.re), b.sub(front.im, mirrored.im)};
  Planes odd{b.sub(front.re, mirrored.re), b.add(front.im, mirrored.im)};
  Roots turn;
  for (int64_t k = 0; k < half; ++k)
    turn.push_back(std::conj(fourier::root(k, length)));
  odd = multiply(odd, roots(turn, odd.re));
  Value z =
      transform(join({b.sub(even.re, odd.im), b.add(even.im, odd.re)}), true);
  // Transposes [2, ..., half] to [..., half, 2].
  SmallVector<int64_t> partsLast =
      llvm::to_vector(llvm::seq<int64_t>(1, last + 2));
  partsLast.push_back(0);
  SmallVector<Dim> dims(dimsOf(even.re));
  dims.back() = Dim(length);
  return b.reshape(b.transpose(z, partsLast), dims);
}

Value Fourier::expand() {
  ArrayRef<int64_t> dims = op.getDims(), lengths = op.getLengths();
  bool isReal = op.getKind() == FourierKind::Real;
  bool isHermitian = op.getKind() == FourierKind::Hermitian;
  SmallVector<int64_t> natural = order;
  Planes x{op.getX(), Value()};
  if (isReal) {
    x = halfSpectrum(withLast(x, dims.back()).re, lengths.back());
    // The inverse transform of real numbers is the conjugate of the forward
    // transform.
    if (op.getInverse())
      x.im = b.neg(x.im);
  } else {
    Type plane = withElementType(
        op.getX().getType(),
        cast<ComplexType>(getElementTypeOrSelf(op.getX())).getElementType());
    Value re = RealOp::create(b.b, b.loc, plane, op.getX());
    x = {re, ImagOp::create(b.b, b.loc, plane, op.getX())};
  }
  // Transforms the last dims first, as these need no transpose.
  bool hasHalf = isReal || isHermitian;
  for (int64_t dim : llvm::reverse(hasHalf ? dims.drop_back() : dims)) {
    x = withLast(x, dim);
    x = split(transform(join(x), op.getInverse()));
  }
  if (isHermitian) {
    x = withLast(x, dims.back());
    if (!op.getInverse())
      x.im = b.neg(x.im);
    x = {ofHalfSpectrum(x, lengths.back()), Value()};
  }
  x = inOrder(scaled(x), natural);
  return x.im ? Value(ComplexOp::create(b.b, b.loc, op.getType(), x.re, x.im))
              : x.re;
}

Value FourierOp::expand(OpBuilder &builder) {
  return Fourier(builder, *this).expand();
}

//===----------------------------------------------------------------------===//
// Expansion to a separate kernel
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Expansion to a call of a GPU vendor's library
//===----------------------------------------------------------------------===//

bool isFftCall(FftOp op) {
  Type element = op.getType().getElementType();
  auto length = static_cast<int64_t>(op.getLength());
  // Maximum number of steps of a transform for which the library is not called.
  // Two steps are three kernels. A library call needs three kernels as well:
  // one before it and one after it interleave and deinterleave complex numbers.
  constexpr size_t maxSteps = 2;
  return (element.isF32() || element.isF64()) && length > 1 &&
         (!fourier::isSmooth(length) ||
          fourier::radicesOf(length).size() > maxSteps);
}

Value makeFftCall(OpBuilder &builder, FftOp op) {
  TensorBuilder b(builder, op);
  int64_t rank = builder::rankOf(op.getX());
  SmallVector<int64_t> toPairs = llvm::to_vector(llvm::seq<int64_t>(1, rank));
  toPairs.push_back(0);
  SmallVector<int64_t> toParts{rank - 1};
  llvm::append_range(toParts, llvm::seq<int64_t>(0, rank - 1));
  Value pairs = b.transpose(op.getX(), toPairs);
  auto call = CustomCallOp::create(
      builder, op.getLoc(), pairs.getType(),
      builder.getStringAttr("fourier.fft"), pairs,
      op.getInverse() ? builder.getStringAttr("inverse") : StringAttr(),
      StringAttr());
  return b.transpose(call.getResult(0), toParts);
}

} // namespace tensorc::tx
