//===- SafeArithTest.cpp - Results where arith has none -------------------===//

#include "codegen/lowering/math/SafeArith.h"
#include "tests/codegen/KernelRunner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace tensorc;
using namespace tensorc::test;
using mlir::Location;
using mlir::OpBuilder;
using mlir::Value;

namespace {

template <typename T> std::string typeName() {
  return (std::is_floating_point_v<T> ? "f" : "i") +
         std::to_string(8 * sizeof(T));
}

/// A kernel z[i] = build(x[i], y[i]).
template <typename In, typename Out> class Elementwise {
public:
  using Build =
      std::function<Value(OpBuilder &, Location, Value, Value, mlir::Type)>;

  explicit Elementwise(Build build) {
    std::string out = typeName<Out>();
    runner.edit = [build](mlir::ModuleOp module) {
      module.walk([&](mlir::ub::PoisonOp hole) {
        OpBuilder b(hole);
        auto loads = hole->getBlock()->getOps<mlir::vector::LoadOp>();
        Value x = *loads.begin(), y = *std::next(loads.begin());
        hole.replaceAllUsesWith(build(b, hole.getLoc(), x, y, hole.getType()));
        hole.erase();
      });
    };
    image =
        runner.compile(getLoopKernel(typeName<In>(), out,
                                     "%r = ub.poison : vector<16x" + out + ">"),
                       {"cpu", 2});
  }

  std::vector<Out> run(std::vector<In> x, std::vector<In> y) {
    size_t n = x.size(), padded = (n + 15) / 16 * 16;
    x.resize(padded);
    y.resize(padded);
    std::vector<Out> z(padded);
    Words words;
    words.buffer(x.data()).buffer(y.data()).buffer(z.data());
    image->find("k")(words.data(), 0, padded, nullptr);
    z.resize(n);
    return z;
  }

private:
  KernelRunner runner;
  std::unique_ptr<Image> image;
};

template <typename T> void crossProduct(std::vector<T> &x, std::vector<T> &y) {
  using L = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           1,
                           2,
                           3,
                           7,
                           100,
                           T(-1),
                           T(-2),
                           T(-7),
                           L::min(),
                           T(L::min() + 1),
                           L::max(),
                           T(L::max() - 1),
                           T(L::max() / 3)};
  for (T a : values)
    for (T b : values) {
      x.push_back(a);
      y.push_back(b);
    }
}

template <typename T, typename Build, typename Expect>
void check(Build build, Expect expect) {
  std::vector<T> x, y;
  crossProduct(x, y);
  Elementwise<T, T> kernel([&](OpBuilder &b, Location loc, Value x, Value y,
                               mlir::Type) { return build(b, loc, x, y); });
  std::vector<T> z = kernel.run(x, y);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(z[i], expect(x[i], y[i])) << +x[i] << ", " << +y[i];
}

template <typename T> T divide(T x, T y) {
  if (y == 0)
    return 0;
  if (std::is_signed_v<T> && y == T(-1))
    return T(0 - std::make_unsigned_t<T>(x));
  return x / y;
}

template <typename T> struct SafeArith : testing::Test {};
using Integers = testing::Types<int8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(SafeArith, Integers);

TYPED_TEST(SafeArith, Division) {
  using S = TypeParam;
  using U = std::make_unsigned_t<S>;
  check<S>(codegen::safeDivSigned, divide<S>);
  check<U>(codegen::safeDivUnsigned, divide<U>);
  check<S>(codegen::safeRemSigned, [](S x, S y) {
    return S(uint64_t(x) - uint64_t(divide(x, y)) * uint64_t(y));
  });
  check<U>(codegen::safeRemUnsigned,
           [](U x, U y) { return U(x - divide(x, y) * y); });
}

TYPED_TEST(SafeArith, Shifts) {
  using S = TypeParam;
  using U = std::make_unsigned_t<S>;
  constexpr U width = 8 * sizeof(S);
  check<U>(codegen::safeShiftLeft,
           [](U x, U y) { return y < width ? U(x << y) : U(0); });
  check<U>(codegen::safeShiftRightUnsigned,
           [](U x, U y) { return y < width ? U(x >> y) : U(0); });
  check<S>(codegen::safeShiftRightSigned, [](S x, S y) {
    return S(x >> (U(y) < width ? int(y) : int(width - 1)));
  });
}

template <typename F, typename T> void checkConversion() {
  using L = std::numeric_limits<T>;
  bool isSigned = std::is_signed_v<T>;
  Elementwise<F, T> kernel(
      [&](OpBuilder &b, Location loc, Value x, Value, mlir::Type type) {
        return isSigned ? codegen::saturatingFloatToSigned(b, loc, x, type)
                        : codegen::saturatingFloatToUnsigned(b, loc, x, type);
      });
  std::vector<F> x = {0,
                      -0.0,
                      0.5,
                      -0.5,
                      0.99,
                      -0.99,
                      1,
                      -1,
                      1.5,
                      -1.5,
                      126.9,
                      127.5,
                      128,
                      -128.9,
                      -129,
                      255.9,
                      256,
                      65535.5,
                      -32769,
                      1e9,
                      -1e9,
                      2147483520.0,
                      2147483648.0,
                      -2147483648.0,
                      4294967040.0,
                      4294967296.0,
                      1e18,
                      -1e18,
                      9.2e18,
                      0x1p63,
                      -0x1p63,
                      0x1p64,
                      1.8e19,
                      1e30,
                      -1e30,
                      INFINITY,
                      -INFINITY,
                      NAN};
  std::vector<T> z = kernel.run(x, x);
  for (size_t i = 0; i < x.size(); ++i) {
    long double whole = std::trunc((long double)x[i]);
    T expected = std::isnan(x[i])                 ? T(0)
                 : whole <= (long double)L::min() ? L::min()
                 : whole >= (long double)L::max() ? L::max()
                                                  : T(whole);
    EXPECT_EQ(z[i], expected) << x[i];
  }
}

TYPED_TEST(SafeArith, FloatToInteger) {
  using S = TypeParam;
  using U = std::make_unsigned_t<S>;
  checkConversion<float, S>();
  checkConversion<float, U>();
  checkConversion<double, S>();
  checkConversion<double, U>();
}

} // namespace
