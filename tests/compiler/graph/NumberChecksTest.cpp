//===- NumberChecksTest.cpp - Where NaNs and infinities arise -------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/control.hpp"
#include "tensorc/grad.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

using namespace tensorc;

// Before the library asks for it.
static const int isOn = setenv("TENSORC_CHECK", "nan", 1);

static constexpr float infinity = std::numeric_limits<float>::infinity();

namespace {
std::string place(int line) {
  return std::string("  at ") + __FILE__ + ":" + std::to_string(line);
}

/// Returns the line of a check in a loop. It is named on a device whose errors
/// show where a value is read.
std::string called(int line) {
  const char *device = std::getenv("TENSORC_DEVICE");
  bool isLate = device && std::string(device).rfind("sim", 0) == 0;
  return isLate
             ? std::string(" (") + __FILE__ + ":" + std::to_string(line) + ")"
             : "";
}
} // namespace

TEST(NumberChecks, NameTheOpAndTheLine) {
  Tensor x = tensor({{1.0f, 0.0f, -1.0f}, {2.0f, 3.0f, 4.0f}});
  Tensor scaled = x * 2;
  Tensor logs = log(scaled);
  const int line = __LINE__ - 1;
  Tensor y = sum(exp(logs) + 1);
  EXPECT_EQ(errorOf([&] { y.eval(); }),
            "log: 1 NaN and 1 infinity of 6 elements, the first at [0, 1], of "
            "finite operands" +
                place(line));
  EXPECT_FALSE(y.is_evaluated());
  // Again, until the program computes something else.
  EXPECT_NE(errorOf([&] { y.eval(); }), "no error");
}

TEST(NumberChecks, WhatAnOperandHasDoesNotArise) {
  Tensor x = tensor({1.0f, infinity, std::nanf("")});
  (x * 2 + 1).eval();
  Tensor masked = where(tensor({true, false, true}), x, -infinity);
  max(masked).eval();
  // A NaN of infinities does.
  Tensor y = tensor({1.0f, infinity});
  Tensor z = y - y;
  const int line = __LINE__ - 1;
  EXPECT_EQ(errorOf([&] { z.eval(); }),
            "sub: 1 NaN of 2 elements, the first at [1], of operands with "
            "infinities" +
                place(line));
}

TEST(NumberChecks, LookAtWhatWasRebound) {
  Tensor w = ones({2}).eval(), other = tensor({infinity, 1.0f});
  auto f = jit([=](const Tensor &x) { return x * w; });
  f(ones({2}));
  f.rebind(w, other);
  EXPECT_EQ(f(ones({2})).to_vector<float>(), (std::vector<float>{infinity, 1}));
}

TEST(NumberChecks, EveryFloatDtype) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    Tensor zero = zeros({3}, dtype) + 0;
    EXPECT_NE(errorOf([&] {
                (1 / zero).eval();
              }).find("div: 3 infinities of 3 elements, the first at [0]"),
              std::string::npos)
        << name(dtype);
  }
  (tensor({1, 2}) / tensor({0, 1})).eval(); // integers have none
}

TEST(NumberChecks, CompositesAreOneOp) {
  Tensor x = tensor({infinity, infinity});
  Tensor y = softmax(x);
  const int line = __LINE__ - 1;
  EXPECT_EQ(errorOf([&] { y.eval(); }),
            "softmax: 2 NaNs of 2 elements, the first at [0], of operands with "
            "infinities" +
                place(line));
}

TEST(NumberChecks, InCompiledFunctions) {
  int line = 0;
  auto f = jit([&](const Tensor &x) {
    Tensor roots = sqrt(x);
    line = __LINE__ - 1;
    return sum(roots * 2);
  });
  EXPECT_EQ(f(tensor({1.0f, 4.0f})).item<float>(), 6);
  EXPECT_EQ(errorOf([&] { f(tensor({1.0f, -4.0f})); }),
            "sqrt: 1 NaN of 2 elements, the first at [1], of finite operands" +
                place(line));
  EXPECT_EQ(f(tensor({1.0f, 9.0f})).item<float>(), 8);
}

TEST(NumberChecks, LargeExpressions) {
  Tensor x = tensor({4.0f});
  Tensor y = x;
  for (int i = 0; i < 3000; ++i)
    y = y * 0.5f + 1;
  EXPECT_NEAR(y.item<float>(), 2, 1e-5);
}

// The place is that of the loop.
TEST(NumberChecks, InLoops) {
  Tensor y = fori_loop(
      0, 3,
      [](const Tensor &, const Tensor &s) {
        Tensor t = s - 1;
        return log(t);
      },
      ones({2}), Location::current());
  const int line = __LINE__ - 1;
  EXPECT_EQ(errorOf([&] { y.eval(); }),
            "log: 2 infinities of 2 elements, the first at [0], of finite "
            "operands" +
                called(line) + place(line));
  auto step = [](const Tensor &h, const Tensor &x) {
    Tensor q = h / x;
    return std::pair(q, where(x == 0, q, 1));
  };
  EXPECT_ERROR_WITH(
      "div: 1 infinity of 1 elements, the first at [], of finite operands",
      scan(step, scalar(1.0f), tensor({1.0f, 0.0f})).second.eval());
  // What goes around may have one.
  auto least = [](const Tensor &, const Tensor &s) {
    return minimum(s, 3) * 2;
  };
  EXPECT_EQ(fori_loop(0, 2, least, scalar(infinity)).item<float>(), 6);
}

// It has no end at which to look.
TEST(NumberChecks, EndLoops) {
  Tensor y = while_loop([](const Tensor &s) { return any(s >= 0); },
                        [](const Tensor &s) { return 1 / (s - 1) + sum(s); },
                        ones({3}));
  EXPECT_ERROR_WITH("div: 3 infinities of 3 elements, the first at [0], of "
                    "finite operands",
                    y.eval());
}

TEST(NumberChecks, InBranchesAndNestedLoops) {
  auto logs = [](const Tensor &x) { return log(x - 1); };
  auto same = [](const Tensor &x) { return x; };
  Tensor x = ones({2});
  EXPECT_ERROR_WITH("log: 2 infinities", cond(x[0] > 0, logs, same, x).eval());
  cond(x[0] < 0, logs, same, x).eval();
  auto inner = [&](const Tensor &, const Tensor &s) {
    return fori_loop(
        0, 2, [&](const Tensor &, const Tensor &t) { return logs(t); }, s);
  };
  auto f = jit([&](const Tensor &x) { return fori_loop(0, 2, inner, x); });
  EXPECT_ERROR_WITH("log: 2 infinities", f(x));
  EXPECT_ERROR_WITH("log: 1 NaN of 2", f(tensor({40.0f, 0.5f})));
}

TEST(NumberChecks, InGradientsOfLoops) {
  auto f = [](const Tensor &x) {
    return fori_loop(
        0, 2, [](const Tensor &, const Tensor &s) { return sqrt(s); }, x);
  };
  EXPECT_NEAR(grad(f)(scalar(16.0f)).item<float>(), 1 / 32.0, 1e-6);
  EXPECT_ERROR_WITH("1 infinity of 1 elements, the first at [], of finite "
                    "operands",
                    grad(f)(scalar(0.0f)).eval());
}
