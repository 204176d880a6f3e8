//===- MathAccuracy.cpp - Errors of the math expansions -------------------===//
//
// math_accuracy [--all | --stride=N] [--target=T] [--only=NAME]
// f32 is judged by glibc in f64, f64 by glibc in x87's 64-bit mantissa. Prints
// a Markdown table; exit status 1 if an error exceeds its bound.
//
//===----------------------------------------------------------------------===//

#include "tests/codegen/KernelRunner.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <climits>
#include <cmath>
#include <limits>

using namespace tensorc::test;

namespace {

struct Function {
  const char *name, *op;
  double (*inDouble)(double);
  long double (*inExtended)(long double);
  double bound32, bound64; // in ulp
};

double rsqrtDouble(double x) { return 1.0 / std::sqrt(x); }
long double rsqrtExtended(long double x) { return 1.0L / std::sqrt(x); }

#define LIBM(name, op, bound32, bound64)                                       \
  {#name, op, ::name, ::name##l, bound32, bound64}
const Function kFunctions[] = {
    LIBM(exp, "math.exp", 2, 2),
    LIBM(exp2, "math.exp2", 2, 2),
    LIBM(expm1, "math.expm1", 2, 2),
    LIBM(log, "math.log", 2, 2),
    LIBM(log2, "math.log2", 2, 2),
    LIBM(log10, "math.log10", 2, 2),
    LIBM(log1p, "math.log1p", 2, 2),
    LIBM(tanh, "math.tanh", 2, 2),
    LIBM(erf, "math.erf", 2, 2),
    LIBM(sin, "math.sin", 2, 2),
    LIBM(cos, "math.cos", 2, 2),
    LIBM(tan, "math.tan", 2, 3),
    LIBM(asin, "math.asin", 2, 2),
    LIBM(acos, "math.acos", 2, 2),
    LIBM(atan, "math.atan", 2, 2),
    LIBM(sinh, "math.sinh", 2, 2),
    LIBM(cosh, "math.cosh", 2, 2),
    LIBM(asinh, "math.asinh", 2, 4),
    LIBM(acosh, "math.acosh", 2, 4),
    LIBM(atanh, "math.atanh", 2, 4),
    LIBM(cbrt, "math.cbrt", 2, 2),
    LIBM(sqrt, "math.sqrt", 0.5, 0.51),
    {"rsqrt", "math.rsqrt", rsqrtDouble, rsqrtExtended, 2, 2},
    LIBM(round, "math.round", 0, 0),
};

/// Distance of `got` from the exact value in units of the last place of T.
template <typename T, typename Wide> double ulpError(T got, Wide exact) {
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) == std::isnan(got) ? 0 : INFINITY;
  constexpr int digits = std::numeric_limits<T>::digits;
  T nearest = static_cast<T>(exact);
  // The common case, quickly: correctly rounded, so at most half an ulp.
  if (got == nearest && got != 0)
    return Wide(got) == exact ? 0 : 0.5;
  if (std::isinf(nearest) || std::isinf(got)) {
    // Rounding to infinity and to the largest number are neighbours.
    if (got == nearest)
      return 0;
    bool close = std::abs(got) >= std::numeric_limits<T>::max() &&
                 std::abs(nearest) >= std::numeric_limits<T>::max() &&
                 std::signbit(got) == std::signbit(nearest);
    return close ? 1 : INFINITY;
  }
  if (got == 0 && nearest == 0)
    return std::signbit(got) == std::signbit(nearest) ? 0 : INFINITY;
  int exponent = exact == 0 ? INT_MIN : std::ilogb(exact);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent - 1);
  return std::abs(double(std::ldexp(Wide(got) - exact, digits - 1 - exponent)));
}

struct Worst {
  double error = 0;
  double x = 0, y = 0, got = 0;
  template <typename T> void see(double e, T a, T b, T r) {
    if (e > error)
      *this = {e, a, b, r};
  }
};

constexpr int kBlock = 1 << 14;

/// Runs the kernel over blocks that `fill` provides until it returns false.
template <typename T, typename Wide, typename Fill, typename Judge>
Worst sweep(KernelFunction kernel, Fill fill, Judge judge) {
  std::vector<T> x(kBlock), y(kBlock), z(kBlock);
  Words words;
  words.buffer(x.data()).buffer(y.data()).buffer(z.data());
  Worst worst;
  while (fill(x, y)) {
    kernel(words.data(), 0, kBlock, nullptr);
    for (int i = 0; i < kBlock; ++i)
      worst.see(ulpError<T, Wide>(z[i], judge(x[i], y[i])), x[i], y[i], z[i]);
  }
  return worst;
}

template <typename T, typename Bits> T fromBits(Bits bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

uint64_t nextRandom(uint64_t &state) { // splitmix64
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Half of the samples over all bit patterns, half in [-40, 40].
template <typename T, typename Bits> auto randomFill(int blocks) {
  return [blocks, state = uint64_t(1)](std::vector<T> &x,
                                       std::vector<T> &y) mutable {
    auto draw = [&](int i) {
      uint64_t r = nextRandom(state);
      if (i & 1)
        return fromBits<T>(Bits(r));
      return T((double(r >> 11) * 0x1p-53 - 0.5) * ((r & 7) ? 8 : 80));
    };
    for (int i = 0; i < kBlock; ++i) {
      x[i] = draw(i);
      y[i] = draw(i >> 1);
    }
    return blocks-- > 0;
  };
}

/// Every `stride`-th bit pattern.
auto strideFill(uint64_t stride) {
  return [stride, next = uint64_t(0)](std::vector<float> &x,
                                      std::vector<float> &) mutable {
    if (next >> 32)
      return false;
    for (int i = 0; i < kBlock; ++i, next += stride)
      x[i] = fromBits<float>(uint32_t(next));
    return true;
  };
}

class Accuracy {
public:
  Accuracy(tensorc::codegen::CodegenOptions options, bool all, unsigned stride)
      : options(options), all(all), stride(stride) {
    llvm::outs() << "| function | dtype | largest error (ulp) | at |\n"
                 << "|---|---|---|---|\n";
  }

  void unary(const Function &f) {
    auto single = compile(f.op, "f32", false);
    Worst w =
        sweep<float, double>(single->find("k"), strideFill(all ? 1 : stride),
                             [&](float x, float) { return f.inDouble(x); });
    report(f.name, "f32", w, f.bound32, false);
    auto twice = compile(f.op, "f64", false);
    w = sweep<double, long double>(
        twice->find("k"), randomFill<double, uint64_t>(all ? 2000 : 60),
        [&](double x, double) { return f.inExtended(x); });
    report(f.name, "f64", w, f.bound64, false);
  }

  void binary(const char *name, const char *op, double (*f)(double, double),
              long double (*g)(long double, long double), double bound64) {
    auto single = compile(op, "f32", true);
    Worst w = sweep<float, double>(
        single->find("k"), randomFill<float, uint32_t>(all ? 8000 : 60), f);
    report(name, "f32", w, bound64 ? 2 : 0, true);
    auto twice = compile(op, "f64", true);
    w = sweep<double, long double>(
        twice->find("k"), randomFill<double, uint64_t>(all ? 2000 : 60), g);
    report(name, "f64", w, bound64, true);
  }

  bool passed = true;

private:
  std::unique_ptr<Image> compile(const char *op, const char *type,
                                 bool binary) {
    std::string body = "%r = " + std::string(op) +
                       (binary ? " %a, %b" : " %a") + " : vector<16x" + type +
                       ">";
    return runner.compile(getLoopKernel(type, type, body), options);
  }

  void report(const char *name, const char *type, const Worst &w, double bound,
              bool binary) {
    auto &out = llvm::outs();
    out << "| " << name << " | " << type << " | "
        << llvm::format("%.3f", w.error) << " | " << llvm::format("%a", w.x);
    if (binary)
      out << ", " << llvm::format("%a", w.y);
    out << " |";
    if (w.error > bound) {
      out << "  <-- above " << bound << ", result "
          << llvm::format("%a", w.got);
      passed = false;
    }
    out << "\n";
    out.flush();
  }

  KernelRunner runner;
  tensorc::codegen::CodegenOptions options;
  bool all;
  unsigned stride;
};

} // namespace

int main(int argc, char **argv) {
  tensorc::codegen::CodegenOptions options;
  bool all = false;
  unsigned stride = 1009;
  llvm::StringRef only;
  for (llvm::StringRef arg : llvm::ArrayRef(argv, argc).drop_front()) {
    if (arg == "--all")
      all = true;
    else if (arg.consume_front("--stride="))
      arg.getAsInteger(10, stride);
    else if (arg.consume_front("--target="))
      options.target = arg.str();
    else if (arg.consume_front("--only="))
      only = arg;
  }
  Accuracy accuracy(options, all, stride);
  for (const Function &f : kFunctions)
    if (only.empty() || only == f.name)
      accuracy.unary(f);
  if (only.empty() || only == "pow")
    accuracy.binary("pow", "math.powf", ::pow, ::powl, 4);
  if (only.empty() || only == "atan2")
    accuracy.binary("atan2", "math.atan2", ::atan2, ::atan2l, 2);
  if (only.empty() || only == "fmod")
    accuracy.binary("fmod", "arith.remf", ::fmod, ::fmodl, 0);
  return accuracy.passed ? 0 : 1;
}
