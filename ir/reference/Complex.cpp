//===- Complex.cpp - Complex arithmetic of the interpreter ----------------===//
//
// Uses the functions of the C library, which implement the special values of
// annex G.
//
//===----------------------------------------------------------------------===//

#include "ir/reference/Complex.h"

#include "ir/reference/Elementwise.h"

#include <cmath>
#include <numbers>

using namespace llvm;

namespace tensorc::reference {

/// Returns the same array viewed as real numbers.
static Array asParts(const Array &array) {
  return {tx::planeOf(array.dtype), {2 * array.size()}, array.bytes};
}

std::vector<Complex> readComplex(const Array &array) {
  std::vector<Complex> values;
  if (!tx::isComplex(array.dtype)) {
    // Real operands get an imaginary part of 0. All parts are converted to
    // double.
    Array real = *Array::create(DType::F64, array.shape);
    convert(array, real);
    for (double x : read<double>(real))
      values.emplace_back(x, 0);
    return values;
  }
  std::vector<double> parts = read<double>(asParts(array));
  for (size_t i = 0; i < parts.size(); i += 2)
    values.emplace_back(parts[i], parts[i + 1]);
  return values;
}

void writeComplex(Array &array, ArrayRef<Complex> values) {
  std::vector<double> parts;
  for (Complex z : values)
    parts.insert(parts.end(), {z.real(), z.imag()});
  Array real = asParts(array);
  write<double>(real, parts);
  array.bytes = std::move(real.bytes);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Complex productOf(Complex x, Complex y) {
  double a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  return {a * c - b * d, a * d + b * c};
}

Complex quotientOf(Complex x, Complex y) {
  double a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  if (std::fabs(c) >= std::fabs(d)) {
    if (c == 0 && d == 0)
      return {a / std::fabs(c), b / std::fabs(c)};
    double ratio = d / c, below = c + d * ratio;
    return {(a + b * ratio) / below, (b - a * ratio) / below};
  }
  double ratio = c / d, below = d + c * ratio;
  return {(a * ratio + b) / below, (b * ratio - a) / below};
}

static Complex expm1(Complex z) {
  Complex w = std::exp(z);
  if (z.imag() == 0)
    return {std::expm1(z.real()), z.imag()};
  if (!std::isfinite(z.imag()) || !std::isfinite(z.real()))
    return w - 1.0;
  double half = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half,
          w.imag()};
}

static Complex log1p(Complex z) {
  Complex w = std::log(Complex(1 + z.real(), z.imag()));
  double x = z.real(), y = z.imag();
  if (std::fabs(x) < 0.5 && std::fabs(y) < 0.5)
    return {std::log1p(x * (x + 2) + y * y) / 2, w.imag()};
  return w;
}

/// Handles the exponent 0 and the base 0 itself, because the C library computes
/// these from the logarithm.
static Complex pow(Complex x, Complex y) {
  if (y == 0.0)
    return 1;
  if (x == 0.0) {
    double nan = std::nan("");
    return y.real() > 0 ? Complex(0) : Complex(nan, nan);
  }
  constexpr double most = 16;
  if (y.imag() == 0 && y.real() == std::trunc(y.real()) && y.real() >= 1 &&
      y.real() <= most) {
    Complex product = x;
    for (int i = 1; i < static_cast<int>(y.real()); ++i)
      product = productOf(product, x);
    return product;
  }
  return std::exp(productOf(y, std::log(x)));
}

/// If exactly one part is infinite, the result is the sign of that part.
static Complex sign(Complex z) {
  if (std::isinf(z.real()) != std::isinf(z.imag())) {
    auto bounded = [](double x) {
      return std::isinf(x) ? std::copysign(1, x) : std::isnan(x) ? x : 0;
    };
    z = {bounded(z.real()), bounded(z.imag())};
  }
  double length = std::hypot(z.real(), z.imag());
  return length == 0 ? z : Complex(z.real() / length, z.imag() / length);
}

using Function = Complex (*)(Complex);
using Function2 = Complex (*)(Complex, Complex);

static const StringMap<Function> &functions() {
  static const StringMap<Function> table = {
      // clang-format off
      {"tx.neg", [](Complex z) { return -z; }},
      {"tx.sign", sign},
      {"tx.exp", [](Complex z) { return std::exp(z); }},
      {"tx.expm1", expm1},
      {"tx.log", [](Complex z) { return std::log(z); }},
      {"tx.log2", [](Complex z) { Complex w = std::log(z); return Complex(w.real() * std::numbers::log2e, w.imag() * std::numbers::log2e); }},
      {"tx.log10", [](Complex z) { Complex w = std::log(z); return Complex(w.real() * std::numbers::log10e, w.imag() * std::numbers::log10e); }},
      {"tx.log1p", log1p},
      {"tx.sqrt", [](Complex z) { return std::sqrt(z); }},
      {"tx.rsqrt", [](Complex z) { return quotientOf(1, std::sqrt(z)); }},
      {"tx.sin", [](Complex z) { return std::sin(z); }},
      {"tx.cos", [](Complex z) { return std::cos(z); }},
      {"tx.tan", [](Complex z) { return std::tan(z); }},
      {"tx.sinh", [](Complex z) { return std::sinh(z); }},
      {"tx.cosh", [](Complex z) { return std::cosh(z); }},
      {"tx.tanh", [](Complex z) { return std::tanh(z); }},
      {"tx.asin", [](Complex z) { return std::asin(z); }},
      {"tx.acos", [](Complex z) { return std::acos(z); }},
      {"tx.atan", [](Complex z) { return std::atan(z); }},
      {"tx.asinh", [](Complex z) { return std::asinh(z); }},
      {"tx.acosh", [](Complex z) { return std::acosh(z); }},
      {"tx.atanh", [](Complex z) { return std::atanh(z); }},
      // clang-format on
  };
  return table;
}

static const StringMap<Function2> &functionsOfTwo() {
  static const StringMap<Function2> table = {
      {"tx.add", [](Complex x, Complex y) { return x + y; }},
      {"tx.sub", [](Complex x, Complex y) { return x - y; }},
      {"tx.mul", productOf},
      {"tx.div", quotientOf},
      {"tx.pow", pow},
  };
  return table;
}

using Test = bool (*)(Complex, Complex);

static const StringMap<Test> &tests() {
  static const StringMap<Test> table = {
      // clang-format off
      {"tx.eq", [](Complex x, Complex y) { return x == y; }},
      {"tx.ne", [](Complex x, Complex y) { return x != y; }},
      {"tx.is_nan", [](Complex x, Complex) { return std::isnan(x.real()) || std::isnan(x.imag()); }},
      {"tx.is_inf", [](Complex x, Complex) { return std::isinf(x.real()) || std::isinf(x.imag()); }},
      {"tx.is_finite", [](Complex x, Complex) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }},
      // clang-format on
  };
  return table;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// tx.complex, tx.real and tx.imag copy bytes, so that the payloads of NaNs
/// survive.
static bool moveParts(StringRef op, Operands operands, Array &result) {
  bool makes = op == "tx.complex", isImag = op == "tx.imag";
  if (!makes && !isImag && op != "tx.real")
    return false;
  int64_t width = byteWidth(makes ? operands[0]->dtype : result.dtype);
  for (int64_t i = 0; i < result.size(); ++i) {
    if (makes) {
      std::copy_n(operands[0]->at(i), width, result.at(i));
      std::copy_n(operands[1]->at(i), width, result.at(i) + width);
    } else {
      std::copy_n(operands[0]->at(i) + (isImag ? width : 0), width,
                  result.at(i));
    }
  }
  return true;
}

bool evaluateComplex(StringRef op, Operands operands, Array &result) {
  if (moveParts(op, operands, result))
    return true;
  if (!tests().contains(op) && !functions().contains(op) &&
      !functionsOfTwo().contains(op))
    return false;
  std::vector<Complex> x = readComplex(*operands.front()),
                       y = readComplex(*operands.back());
  if (auto test = tests().find(op); test != tests().end()) {
    std::vector<uint64_t> out;
    for (auto [a, b] : zip(x, y))
      out.push_back(test->second(a, b));
    return write<uint64_t>(result, out), true;
  }
  if (!tx::isComplex(result.dtype))
    return false;
  std::vector<Complex> out;
  if (auto two = functionsOfTwo().find(op); two != functionsOfTwo().end())
    for (auto [a, b] : zip(x, y))
      out.push_back(two->second(a, b));
  else if (auto one = functions().find(op); one != functions().end())
    for (Complex z : x)
      out.push_back(one->second(z));
  else
    return false;
  return writeComplex(result, out), true;
}

} // namespace tensorc::reference
