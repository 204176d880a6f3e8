//===- Elementwise.cpp - Reference functions of element-wise ops ----------===//
//
// To add an element-wise op, add a line to the table below.
//
//===----------------------------------------------------------------------===//

#include "ir/reference/Elementwise.h"
#include "ir/reference/Complex.h"
#include "ir/reference/Special.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace llvm;

namespace tensorc::reference {

double maximum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

double minimum(double x, double y) { return -maximum(-x, -y); }

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
using Operands = ArrayRef<const Array *>;

/// The functions of an op for one kind of element: one on arrays, and one on
/// two elements, which exists only if the result has the same kind. A function
/// is empty if the op does not support the kind.
template <typename Wide> struct Loop {
  std::function<void(Operands, Array &)> arrays;
  std::function<Wide(Wide, Wide)> two;

  Loop(std::nullptr_t) {}
  template <typename Fn> Loop(Fn arrays) : arrays(arrays) {}
};

/// The functions of an op for each kind of element.
struct Rule {
  Loop<double> real;
  Loop<int64_t> signedInt;
  Loop<uint64_t> unsignedInt, boolean;
};
} // namespace

template <typename Wide, typename Fn> static Loop<Wide> loop(Fn fn) {
  Loop<Wide> result = [fn](Operands operands, Array &result) {
    std::vector<std::vector<Wide>> x;
    for (const Array *operand : operands)
      x.push_back(read<Wide>(*operand));
    auto call = [&](size_t i) {
      if constexpr (std::is_invocable_v<Fn, Wide>)
        return fn(x[0][i]);
      else if constexpr (std::is_invocable_v<Fn, Wide, Wide>)
        return fn(x[0][i], x[1][i]);
      else
        return fn(x[0][i], x[1][i], x[2][i]);
    };
    // Predicates return bool, which is i1 for all dtypes.
    using Value = decltype(call(0));
    using Out = std::conditional_t<std::is_same_v<Value, bool>, uint64_t, Wide>;
    std::vector<Out> out(x[0].size());
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = call(i);
    write<Out>(result, out);
  };
  if constexpr (std::is_invocable_r_v<Wide, Fn, Wide, Wide>)
    result.two = fn;
  return result;
}

/// Makes a rule for floats only.
template <typename Fn> static Rule real(Fn fn) {
  return {loop<double>(fn), nullptr, nullptr, nullptr};
}

/// Computes on signed integers as on unsigned integers, which wrap around.
template <typename Fn> static Loop<int64_t> wrapping(Fn fn) {
  Loop<uint64_t> bits = loop<uint64_t>(fn);
  Loop<int64_t> result = bits.arrays;
  if (bits.two)
    result.two = [two = bits.two](int64_t x, int64_t y) {
      return static_cast<int64_t>(
          two(static_cast<uint64_t>(x), static_cast<uint64_t>(y)));
    };
  return result;
}

/// Makes a rule for floats, and for integers that wrap around, for which signed
/// and unsigned results have the same bits.
template <typename FloatFn, typename IntFn>
static Rule number(FloatFn floatFn, IntFn intFn) {
  return {loop<double>(floatFn), wrapping(intFn), loop<uint64_t>(intFn),
          nullptr};
}

template <typename Fn> static Rule number(Fn fn) { return number(fn, fn); }

/// Makes a rule for integers and i1.
template <typename Fn> static Rule bits(Fn fn) {
  return {nullptr, wrapping(fn), loop<uint64_t>(fn), loop<uint64_t>(fn)};
}

/// Makes a rule for all dtypes; the integer function is instantiated for signed
/// and for unsigned elements.
template <typename FloatFn, typename IntFn>
static Rule ordered(FloatFn floatFn, IntFn intFn) {
  return {loop<double>(floatFn), loop<int64_t>(intFn), loop<uint64_t>(intFn),
          loop<uint64_t>(intFn)};
}

template <typename Fn> static Rule ordered(Fn fn) { return ordered(fn, fn); }

/// Makes a rule for a predicate that is constant for integers and i1.
template <typename FloatFn, typename IntFn>
static Rule test(FloatFn floatFn, IntFn intFn) {
  return {loop<double>(floatFn), wrapping(intFn), loop<uint64_t>(intFn),
          loop<uint64_t>(intFn)};
}

static int64_t divide(int64_t x, int64_t y) {
  if (y == 0)
    return 0;
  // The lowest integer divided by -1 wraps to itself.
  return y == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x / y;
}

static uint64_t divideUnsigned(uint64_t x, uint64_t y) {
  return y == 0 ? 0 : x / y;
}

static int64_t absolute(int64_t x) {
  return x < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x;
}

static uint64_t identity(uint64_t x) { return x; }

static uint64_t leastMultiple(uint64_t x, uint64_t y) {
  uint64_t divisor = std::gcd(x, y);
  return divisor == 0 ? 0 : x / divisor * y;
}

/// An op that is computed from the magnitudes of signed integers. The magnitude
/// of the lowest integer has the highest bit set, and a result with this bit
/// set wraps.
template <uint64_t function(uint64_t, uint64_t)>
static int64_t ofMagnitudes(int64_t x, int64_t y) {
  return static_cast<int64_t>(function(static_cast<uint64_t>(absolute(x)),
                                       static_cast<uint64_t>(absolute(y))));
}

static double signOfReal(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static int64_t signOfInt(int64_t x) { return (x > 0) - (x < 0); }

static int64_t remainder(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) -
                              static_cast<uint64_t>(divide(x, y)) *
                                  static_cast<uint64_t>(y));
}
static uint64_t remainderUnsigned(uint64_t x, uint64_t y) {
  return y == 0 ? x : x % y;
}

static int64_t floorDivideInt(int64_t x, int64_t y) {
  bool above = y != 0 && remainder(x, y) != 0 && (x < 0) != (y < 0);
  return divide(x, y) - above;
}
static int64_t modInt(int64_t x, int64_t y) {
  int64_t rem = remainder(x, y);
  return rem != 0 && (rem < 0) != (y < 0) ? rem + y : rem;
}

static double mod(double x, double y) {
  double rem = std::fmod(x, y);
  if (rem == 0)
    return std::copysign(0, y);
  return (rem < 0) != (y < 0) ? rem + y : rem;
}
/// NumPy's algorithm: subtracts the remainder from x and divides the difference
/// by y.
static double floorDivide(double x, double y) {
  if (y == 0)
    return x / y;
  double rem = std::fmod(x, y);
  double whole = (x - rem) / y - (mod(x, y) != rem);
  return whole == 0 ? std::copysign(0, x / y) : std::floor(whole + 0.5);
}

static double logAddExp(double x, double y) {
  if (x == y)
    return x + std::log(2);
  return maximum(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
}

static double sigmoid(double x) {
  double e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

static double clampReal(double low, double x, double high) {
  return minimum(maximum(x, low), high);
}
/// Like std::clamp, but low > high is allowed.
template <typename T> static T clampInt(T low, T x, T high) {
  return std::min(std::max(x, low), high);
}

/// f32 is computed in f32 and not in double, so that it is rounded only once.
static void fusedMultiplyAdd(Operands operands, Array &result) {
  auto x = read<double>(*operands[0]), y = read<double>(*operands[1]),
       z = read<double>(*operands[2]);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = result.dtype == DType::F64
               ? std::fma(x[i], y[i], z[i])
               : std::fma(float(x[i]), float(y[i]), float(z[i]));
  write<double>(result, x);
}

/// The neighbours are numbers of the result's dtype.
static void nextAfter(Operands operands, Array &result) {
  auto x = read<double>(*operands[0]), y = read<double>(*operands[1]);
  for (size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] < y[i] || x[i] > y[i])) {
      x[i] = x[i] == y[i] ? y[i] : std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    APFloat value(x[i]);
    bool exact;
    value.convert(semanticsOf(result.dtype), APFloat::rmNearestTiesToEven,
                  &exact);
    value.next(/*nextDown=*/y[i] < x[i]);
    x[i] = value.convertToDouble();
  }
  write<double>(result, x);
}

static unsigned bitWidth(const Array &x) { return byteWidth(x.dtype) * 8; }

/// Makes a rule for an op on the bits of elements, in the width of the dtype:
/// `fn(x, y)` on APInts.
template <typename Fn> static Rule onBits(Fn fn) {
  auto loop = [fn](Operands operands, Array &result) {
    unsigned width = bitWidth(result);
    std::vector<uint64_t> x = read<uint64_t>(*operands[0]);
    std::vector<uint64_t> y = read<uint64_t>(*operands.back());
    for (size_t i = 0; i < x.size(); ++i)
      x[i] =
          fn(APInt(width, x[i], false, true), APInt(width, y[i], false, true))
              .getZExtValue();
    write<uint64_t>(result, x);
  };
  return {nullptr, loop, loop, nullptr};
}

template <bool value> static uint64_t constantly(uint64_t) { return value; }

static const StringMap<Rule> &rules() {
  static const StringMap<Rule> table = {
      // clang-format off
      {"tx.add", number([](auto x, auto y) { return x + y; })},
      {"tx.sub", number([](auto x, auto y) { return x - y; })},
      {"tx.mul", number([](auto x, auto y) { return x * y; })},
      {"tx.div", {loop<double>([](double x, double y) { return x / y; }), loop<int64_t>(divide), loop<uint64_t>(divideUnsigned), nullptr}},
      {"tx.neg", number([](auto x) { return -x; })},
      {"tx.abs", {loop<double>([](double x) { return std::fabs(x); }), loop<int64_t>(absolute), loop<uint64_t>(identity), nullptr}},
      {"tx.floor", real([](double x) { return std::floor(x); })},
      {"tx.ceil", real([](double x) { return std::ceil(x); })},
      {"tx.trunc", real([](double x) { return std::trunc(x); })},
      {"tx.round_even", real([](double x) { return std::nearbyint(x); })},
      {"tx.sign", {loop<double>(signOfReal), loop<int64_t>(signOfInt), loop<uint64_t>([](uint64_t x) { return uint64_t(x != 0); }), nullptr}},
      {"tx.floor_div", {loop<double>(floorDivide), loop<int64_t>(floorDivideInt), loop<uint64_t>(divideUnsigned), nullptr}},
      {"tx.rem", {loop<double>([](double x, double y) { return std::fmod(x, y); }), loop<int64_t>(remainder), loop<uint64_t>(remainderUnsigned), nullptr}},
      {"tx.mod", {loop<double>(mod), loop<int64_t>(modInt), loop<uint64_t>(remainderUnsigned), nullptr}},
      {"tx.gcd", {nullptr, loop<int64_t>(ofMagnitudes<std::gcd<uint64_t, uint64_t>>), loop<uint64_t>(std::gcd<uint64_t, uint64_t>), nullptr}},
      {"tx.lcm", {nullptr, loop<int64_t>(ofMagnitudes<leastMultiple>), loop<uint64_t>(leastMultiple), nullptr}},
      {"tx.copysign", real([](double x, double y) { return std::copysign(x, y); })},
      {"tx.nextafter", {nextAfter, nullptr, nullptr, nullptr}},
      {"tx.clamp", {loop<double>(clampReal), loop<int64_t>(clampInt<int64_t>), loop<uint64_t>(clampInt<uint64_t>), nullptr}},
      {"tx.fma", {fusedMultiplyAdd, nullptr, nullptr, nullptr}},
      {"tx.max", ordered(maximum, [](auto x, auto y) { return std::max(x, y); })},
      {"tx.min", ordered(minimum, [](auto x, auto y) { return std::min(x, y); })},
      {"tx.exp", real([](double x) { return std::exp(x); })},
      {"tx.exp2", real([](double x) { return std::exp2(x); })},
      {"tx.expm1", real([](double x) { return std::expm1(x); })},
      {"tx.log", real([](double x) { return std::log(x); })},
      {"tx.log2", real([](double x) { return std::log2(x); })},
      {"tx.log10", real([](double x) { return std::log10(x); })},
      {"tx.log1p", real([](double x) { return std::log1p(x); })},
      {"tx.cbrt", real([](double x) { return std::cbrt(x); })},
      {"tx.hypot", real([](double x, double y) { return std::hypot(x, y); })},
      {"tx.logaddexp", real(logAddExp)},
      {"tx.sin", real([](double x) { return std::sin(x); })},
      {"tx.cos", real([](double x) { return std::cos(x); })},
      {"tx.tan", real([](double x) { return std::tan(x); })},
      {"tx.asin", real([](double x) { return std::asin(x); })},
      {"tx.acos", real([](double x) { return std::acos(x); })},
      {"tx.atan", real([](double x) { return std::atan(x); })},
      {"tx.atan2", real([](double y, double x) { return std::atan2(y, x); })},
      {"tx.sinh", real([](double x) { return std::sinh(x); })},
      {"tx.cosh", real([](double x) { return std::cosh(x); })},
      {"tx.asinh", real([](double x) { return std::asinh(x); })},
      {"tx.acosh", real([](double x) { return std::acosh(x); })},
      {"tx.atanh", real([](double x) { return std::atanh(x); })},
      {"tx.tanh", real([](double x) { return std::tanh(x); })},
      {"tx.sqrt", real([](double x) { return std::sqrt(x); })},
      {"tx.rsqrt", real([](double x) { return 1 / std::sqrt(x); })},
      {"tx.sigmoid", real(sigmoid)},
      {"tx.erf", real([](double x) { return std::erf(x); })},
      {"tx.erfc", real([](double x) { return std::erfc(x); })},
      {"tx.erfcx", real(erfcx)},
      {"tx.erfinv", real(erfinv)},
      {"tx.ndtr", real(ndtr)},
      {"tx.log_ndtr", real(logNdtr)},
      {"tx.ndtri", real(ndtri)},
      {"tx.lgamma", real(reference::lgamma)},
      {"tx.digamma", real(digamma)},
      {"tx.polygamma", real(polygamma)},
      {"tx.zeta", real(zeta)},
      {"tx.gammainc", real(gammainc)},
      {"tx.gammaincc", real(gammaincc)},
      {"tx.betainc", real(betainc)},
      {"tx.bessel_i0", real([](double x) { return bessel(0, x, false); })},
      {"tx.bessel_i0e", real([](double x) { return bessel(0, x, true); })},
      {"tx.bessel_i1", real([](double x) { return bessel(1, x, false); })},
      {"tx.bessel_i1e", real([](double x) { return bessel(1, x, true); })},
      {"tx.sinc", real(sinc)},
      {"tx.xlogy", real(xlogy)},
      {"tx.xlog1py", real(xlog1py)},
      {"tx.log1mexp", real(log1mexp)},
      {"tx.logit", real(logit)},
      {"tx.entr", real(entr)},
      {"tx.pow", real([](double x, double y) { return std::pow(x, y); })},
      {"tx.eq", ordered([](auto x, auto y) { return x == y; })},
      {"tx.ne", ordered([](auto x, auto y) { return x != y; })},
      {"tx.lt", ordered([](auto x, auto y) { return x < y; })},
      {"tx.le", ordered([](auto x, auto y) { return x <= y; })},
      {"tx.gt", ordered([](auto x, auto y) { return x > y; })},
      {"tx.ge", ordered([](auto x, auto y) { return x >= y; })},
      {"tx.and", bits([](auto x, auto y) { return x & y; })},
      {"tx.or", bits([](auto x, auto y) { return x | y; })},
      {"tx.not", bits([](auto x) { return ~x; })},
      {"tx.xor", bits([](auto x, auto y) { return x ^ y; })},
      {"tx.shl", onBits([](APInt x, APInt y) { return x.shl(y); })},
      {"tx.shr_arith", onBits([](APInt x, APInt y) { return x.ashr(y); })},
      {"tx.shr_logical", onBits([](APInt x, APInt y) { return x.lshr(y); })},
      {"tx.popcount", onBits([](APInt x, APInt) { return APInt(64, x.popcount()); })},
      {"tx.clz", onBits([](APInt x, APInt) { return APInt(64, x.countl_zero()); })},
      {"tx.is_nan", test([](double x) { return std::isnan(x); }, constantly<false>)},
      {"tx.is_inf", test([](double x) { return std::isinf(x); }, constantly<false>)},
      {"tx.is_finite", test([](double x) { return std::isfinite(x); }, constantly<true>)},
      // clang-format on
  };
  return table;
}

//===----------------------------------------------------------------------===//
// Ops that are not arithmetic on one dtype
//===----------------------------------------------------------------------===//

/// Copies bytes, so that the payloads of NaNs survive.
static void select(Operands operands, Array &result) {
  int64_t width = byteWidth(result.dtype);
  for (int64_t i = 0; i < result.size(); ++i) {
    const Array *chosen = operands[*operands[0]->at(i) ? 1 : 2];
    std::copy_n(chosen->at(i), width, result.at(i));
  }
}

/// Truncates. Numbers out of range become the closest integer, and NaN becomes
/// 0.
static void floatToInt(const Array &from, Array &to) {
  unsigned bits = tx::bitWidth(to.dtype);
  std::vector<uint64_t> out;
  for (double x : read<double>(from)) {
    APSInt value(bits, isUnsigned(to.dtype));
    bool exact;
    APFloat(x).convertToInteger(value, APFloat::rmTowardZero, &exact);
    out.push_back(std::isnan(x) ? 0 : value.getZExtValue());
  }
  write<uint64_t>(to, out);
}

/// Rounds only once: an i64 is not converted to double before it is converted
/// to f32.
static void intToFloat(const Array &from, Array &to) {
  const fltSemantics &semantics = semanticsOf(to.dtype);
  std::vector<double> out;
  for (uint64_t bits : read<uint64_t>(from)) {
    APFloat value(semantics);
    value.convertFromAPInt(APInt(64, bits), !isUnsigned(from.dtype),
                           APFloat::rmNearestTiesToEven);
    bool exact;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
    out.push_back(value.convertToDouble());
  }
  write<double>(to, out);
}

template <typename Wide> static void testNonZero(const Array &from, Array &to) {
  std::vector<uint64_t> out;
  for (Wide x : read<Wide>(from))
    out.push_back(x != 0);
  write<uint64_t>(to, out);
}

void convert(const Array &from, Array &to) {
  if (tx::isComplex(to.dtype))
    return writeComplex(to, readComplex(from));
  if (tx::isComplex(from.dtype)) {
    std::vector<uint64_t> out;
    for (Complex z : readComplex(from))
      out.push_back(z != 0.0);
    return write<uint64_t>(to, out);
  }
  bool fromFloat = isFloat(from.dtype), toFloat = isFloat(to.dtype);
  if (to.dtype == DType::I1)
    return fromFloat ? testNonZero<double>(from, to)
                     : testNonZero<uint64_t>(from, to);
  if (fromFloat && toFloat)
    return write<double>(to, read<double>(from));
  if (fromFloat)
    return floatToInt(from, to);
  if (toFloat)
    return intToFloat(from, to);
  write<uint64_t>(to, read<uint64_t>(from));
}

/// Returns `member` of the rule's functions for the kind of element that the
/// dtype has.
template <typename Member>
static const auto &ofKind(const Rule &r, DType dtype, Member member) {
  if (isFloat(dtype))
    return member(r.real);
  if (dtype == DType::I1)
    return member(r.boolean);
  return isUnsigned(dtype) ? member(r.unsignedInt) : member(r.signedInt);
}

bool evaluateElementwise(StringRef op, Operands operands, Array &result) {
  if (op == "tx.convert")
    return convert(*operands[0], result), true;
  if (op == "tx.bitcast" && tx::isPacked(result.dtype))
    return convert(*operands[0], result), true;
  if (op == "tx.bitcast")
    return result.bytes = operands[0]->bytes, true;
  if (op == "tx.reinterpret")
    return unpack(result, pack(*operands[0]).data()), true;
  if (op == "tx.select")
    return select(operands, result), true;
  auto isComplexArray = [](const Array *x) { return tx::isComplex(x->dtype); };
  if (tx::isComplex(result.dtype) || any_of(operands, isComplexArray))
    return !operands.empty() && evaluateComplex(op, operands, result);
  auto rule = rules().find(op);
  if (rule == rules().end())
    return false;
  const std::function<void(Operands, Array &)> &chosen =
      ofKind(rule->second, operands[0]->dtype,
             [](const auto &loop) -> const auto & { return loop.arrays; });
  if (!chosen)
    return false;
  chosen(operands, result);
  return true;
}

template <> std::function<double(double, double)> functionOf(StringRef op) {
  return rules().find(op)->second.real.two;
}
template <> std::function<int64_t(int64_t, int64_t)> functionOf(StringRef op) {
  return rules().find(op)->second.signedInt.two;
}
template <>
std::function<uint64_t(uint64_t, uint64_t)> functionOf(StringRef op) {
  const Rule &rule = rules().find(op)->second;
  return rule.unsignedInt.two ? rule.unsignedInt.two : rule.boolean.two;
}

} // namespace tensorc::reference
