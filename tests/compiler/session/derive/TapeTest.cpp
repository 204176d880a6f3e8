//===- TapeTest.cpp - tensorc/tape.hpp ------------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/compile.hpp"
#include "tensorc/control.hpp"
#include "tensorc/tape.hpp"
#include "tensorc/vmap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

using namespace tensorc;

namespace {

struct Layer {
  Tensor w, b, steps; // f32, f32, i32
};
TENSORC_STRUCT(Layer, w, b, steps)

void expectNear(const Tensor &x, const std::vector<float> &expected) {
  std::vector<float> values = x.to_vector<float>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i],
                1e-5f * std::max(1.0f, std::abs(expected[i])))
        << "element " << i;
}

/// By an error that has the text, and names a line of this file.
template <typename Fn> void expectRefused(Fn fn, const std::string &text) {
  std::string error = errorOf(fn);
  EXPECT_NE(error.find(text), std::string::npos) << error;
  EXPECT_NE(error.find("TapeTest.cpp:"), std::string::npos) << error;
}

uint64_t compilations() { return compile_stats().compilations; }

TEST(Tape, GradientOfWhatWasNotRead) {
  Tensor x = tensor({1.0f, -2.0f, 3.0f});
  Tape tape;
  tape.watch(x);
  Tensor loss = sum(square(x) * x);
  EXPECT_FALSE(loss.is_evaluated());
  expectNear(tape.gradient(loss, x), {3, 12, 27});
}

TEST(Tape, HostCodeReadsAndBranches) {
  auto step = [](float start) {
    Tensor x = tensor({start, 2.0f});
    Tape tape;
    tape.watch(x);
    Tensor y = sum(x * x);
    int doublings = 0;
    while (y.item<float>() < 100) {
      y = y * 2 + sum(x);
      ++doublings;
    }
    return std::pair(tape.gradient(y, x), doublings);
  };
  // y = 2^n (x . x) + (2^n - 1) sum(x)
  for (float start : {1.0f, 5.0f, 20.0f}) {
    auto [gradient, n] = step(start);
    auto scale = static_cast<float>(1 << n);
    expectNear(gradient,
               {2 * scale * start + scale - 1, 4 * scale + scale - 1});
  }
}

TEST(Tape, ValuesThatWereReadAreNotComputedAgain) {
  Tensor w = ones({8, 8}) / 8, x = ones({8, 8});
  eval(w, x);
  Tape tape;
  tape.watch(w);
  Tensor hidden = matmul(x, w);
  // What the gradient needs is stored though no variable has it.
  Tensor loss = sum(square(matmul(exp(hidden), w)));
  loss.item<float>();
  EXPECT_TRUE(hidden.is_evaluated());
  Tensor gradient = tape.gradient(loss, w);
  std::string text = gradient.to_mlir();
  // Of the two products of the gradient's own, none is x w or exp(x w) w.
  size_t products = 0;
  for (size_t at = text.find("tx.dot_general"); at != std::string::npos;
       at = text.find("tx.dot_general", at + 1))
    ++products;
  EXPECT_EQ(products, 3u) << text;
  auto same = grad([&](const Tensor &w) {
    return sum(square(matmul(exp(matmul(x, w)), w)));
  });
  expectNear(gradient, same(w).to_vector<float>());
}

TEST(Tape, TheSameStructureIsNotCompiledAgain) {
  Tensor w = full({4, 4}, 0.1f), x = ones({4, 4});
  uint64_t before = 0;
  for (int i = 0; i < 6; ++i) {
    Tape tape;
    tape.watch(w);
    Tensor loss = mean(square(tanh(matmul(x, w)) - 0.5f));
    if (loss.item<float>() > 1e9f)
      loss = loss * 2;
    w = w - tape.gradient(loss, w) * (0.1f / static_cast<float>(i + 1));
    eval(w);
    if (i == 1)
      before = compilations();
  }
  EXPECT_EQ(compilations(), before);
}

TEST(Tape, ConstantsAreNotPartOfTheStructure) {
  Tensor x = tensor({3.0f});
  for (float scale : {2.0f, 5.0f}) {
    for (int power : {2, 3}) {
      Tape tape;
      tape.watch(x);
      Tensor y = sum(pow(x, power) * scale);
      expectNear(tape.gradient(y, x),
                 {scale * static_cast<float>(power) *
                  std::pow(3.0f, static_cast<float>(power - 1))});
    }
  }
}

TEST(Tape, StructsAndSeveralSources) {
  Layer layer{tensor({{1.0f, 2.0f}}), tensor({0.5f, 0.5f}), tensor({7})};
  Tensor x = tensor({{3.0f}}), unused = ones({2});
  Tape tape;
  tape.watch(layer);
  tape.watch(unused);
  tape.watch(x);
  Tensor loss = sum(matmul(x, layer.w) * 2 + layer.b);
  Layer gradient = tape.gradient(loss, layer);
  expectNear(gradient.w, {6, 6});
  expectNear(gradient.b, {1, 1});
  EXPECT_FALSE(gradient.steps.defined());
  auto [byX, byUnused] = tape.gradient(loss, std::tie(x, unused));
  expectNear(byX, {6});
  expectNear(byUnused, {0, 0});
  expectNear(tape.gradient(sum(x), x), {1});
}

TEST(Tape, BySomethingMadeOnTheWay) {
  Tensor x = tensor({2.0f});
  Tape tape;
  tape.watch(x);
  Tensor y = x * x, loss = sum(y * y);
  expectNear(tape.gradient(loss, y), {8});
  y.item<float>();
  expectNear(tape.gradient(loss, y), {8});
  expectRefused(
      [&] { tape.gradient(loss, std::tie(x, y)); },
      "gradient: source 1 is made of another source: ask for the two in "
      "calls of their own");
}

TEST(Tape, SecondDerivatives) {
  Tensor x = tensor({2.0f, 3.0f});
  Tape outer;
  outer.watch(x);
  Tensor slope;
  {
    Tape inner;
    inner.watch(x);
    Tensor y = sum(x * x * x);
    y.item<float>();
    slope = inner.gradient(y, x);
  }
  Tensor total = sum(slope * x);
  EXPECT_GT(total.item<float>(), 0);
  // d/dx (3 x^3) = 9 x^2
  expectNear(outer.gradient(total, x), {36, 81});
}

TEST(Tape, FunctionsOfJitAndLoopsAreSeenThrough) {
  Tensor x = tensor({1.0f, 2.0f}), w = tensor({3.0f});
  auto scaled = jit([&](const Tensor &x) { return x * w; });
  eval(scaled(x));
  Tape tape;
  tape.watch(w);
  tape.watch(x);
  Tensor y = fori_loop(
      0, 3, [&](const Tensor &, const Tensor &y) { return scaled(y); }, x);
  Tensor loss = sum(y);
  EXPECT_FLOAT_EQ(loss.item<float>(), 81);
  expectNear(tape.gradient(loss, x), {27, 27});
  expectNear(tape.gradient(loss, w), {81});
}

TEST(Tape, WithinJit) {
  auto f = jit([](const Tensor &x) {
    Tape tape;
    tape.watch(x);
    return tape.gradient(sum(sin(x)), x);
  });
  Tensor x = tensor({0.0f, 1.0f});
  expectNear(f(x), {1, std::cos(1.0f)});
  expectNear(f(x + 1), {std::cos(1.0f), std::cos(2.0f)});
  EXPECT_EQ(f.traces(), 1u);
}

TEST(Tape, LetsGoOfWhatItKept) {
  Tensor x = ones({1 << 16});
  eval(x);
  uint64_t before = memory_stats().allocated;
  {
    Tape tape;
    tape.watch(x);
    Tensor y = x;
    for (int i = 0; i < 4; ++i) {
      y = cumsum(y, 0) * 0.5f;
      eval(y);
    }
    y = Tensor();
    EXPECT_GE(memory_stats().allocated, before + 4 * (4u << 16));
  }
  EXPECT_EQ(memory_stats().allocated, before);
}

/// A number that is watched is not part of a body that captures it.
TEST(Tape, NumbersThatBodiesCapture) {
  Tensor x = tensor({1.0f, 2.0f, 3.0f});
  auto by = [](auto f) {
    Tensor w = scalar(2.0f);
    Tape tape;
    tape.watch(w);
    float made = tape.gradient(sum(f(w)), w).template item<float>(),
          expected =
              grad([&](const Tensor &w) { return sum(f(w)); })(scalar(2.0f))
                  .template item<float>();
    EXPECT_FLOAT_EQ(made, expected);
    return made;
  };
  auto loop = [&](const Tensor &w, const Tensor &first) {
    return fori_loop(
        0, 3, [&](const Tensor &, const Tensor &s) { return s * w; }, first);
  };
  EXPECT_FLOAT_EQ(by([&](const Tensor &w) { return loop(w, w); }), 32);
  EXPECT_FLOAT_EQ(by([&](const Tensor &w) { return loop(w, scalar(3.0f)); }),
                  36);
  by([&](const Tensor &w) {
    auto step = [&](const Tensor &s, const Tensor &e) {
      return std::pair(s * w, s * e * w);
    };
    return scan(step, w, x).second;
  });
  by([&](const Tensor &w) {
    return while_loop([](const Tensor &s) { return s < 100.0f; },
                      [&](const Tensor &s) { return s * w; }, w, {9});
  });
  by([&](const Tensor &w) {
    return vmap([&](const Tensor &e) { return e * w; })(x);
  });
  by([&](const Tensor &w) {
    return map([&](const Tensor &e) { return e * w; }, x);
  });
  by([&](const Tensor &w) {
    return cond(
        sum(x) > 0.0f, [&](const Tensor &e) { return e * w; },
        [&](const Tensor &e) { return e + w; }, x);
  });
  by([&](const Tensor &w) {
    return checkpoint([&](const Tensor &e) { return e * w; })(x);
  });
  by([&](const Tensor &w) { return pow(w, w); });
  by([&](const Tensor &w) {
    return grad([&](const Tensor &e) { return sum(pow(e, w)); })(x);
  });
}

/// Also where it reads no value, and again for a device that it was not for.
TEST(Tape, GradientsAreWhereTheirSourcesAre) {
  for (const char *device : {"cpu:0", "sim:0"}) {
    Tensor x = tensor({2.0f, 1.0f}).to(device), y = scalar(1.0f).to(device);
    Tape tape;
    tape.watch(x);
    tape.watch(y);
    auto [byX, byY] = tape.gradient(sum(x + 1), std::tie(x, y));
    EXPECT_EQ(byX.device(), x.device());
    EXPECT_EQ(byY.device(), x.device());
    EXPECT_EQ(byX.to_vector<float>(), (std::vector<float>{1, 1}));
  }
}

TEST(Tape, ThreadsHaveTheirOwn) {
  Tensor x = tensor({2.0f});
  Tape tape;
  tape.watch(x);
  Tensor y = x * x;
  std::thread([&] {
    expectRefused([&] { tape.gradient(y, x); },
                  "gradient: the tape is of another thread");
    Tape own;
    own.watch(x);
    expectNear(own.gradient(sum(x * 5), x), {5});
  }).join();
  expectNear(tape.gradient(sum(y), x), {4});
}

TEST(Tape, WhatItRefuses) {
  Tensor x = tensor({2.0f, 1.0f}), w = tensor({1.0f, 1.0f}),
         number = tensor({1, 2});
  Tensor before = x * 2;
  Tape tape;
  tape.watch(x);
  expectRefused([&] { tape.watch(number); },
                "watch: the tensor is i32[2]; a gradient is by floats");
  expectRefused([&] { tape.watch(Tensor()); },
                "watch: the tensor is undefined");
  Tensor loss = sum(x * w);
  expectRefused([&] { tape.gradient(loss, w); },
                "gradient: source 0 is not watched: watch() it before");
  expectRefused([&] { tape.gradient(sum(before), x); },
                "gradient: the target was not recorded");
  expectRefused(
      [&] { tape.gradient(x * w, x); },
      "the function's result is f32[2], not one float; it is made at");
  expectRefused([&] { tape.gradient(loss, std::tie(x, x)); },
                "source 1 is source 0 again");
  // Not what was watched.
  Tensor watched = x;
  x = w * 3;
  expectRefused([&] { tape.gradient(loss, x); }, "source 0 is not watched");
  auto compiled = jit([](const Tensor &x) { return x * 2; }, Input(f32, {"n"}));
  expectRefused([&] { compiled(watched); },
                "argument 0 is recorded by a tape, which cannot see into");
  tape.release();
  expectRefused([&] { tape.gradient(loss, watched); },
                "gradient: the tape is NULL, or was released");
  expectRefused([&] { tape.watch(watched); },
                "watch: the tape is NULL, or was released");
}

TEST(Tape, AnOpWithoutAGradientIsNamed) {
  Tensor x = tensor({2.0f});
  Tape tape;
  tape.watch(x);
  Tensor y = while_loop([](const Tensor &y) { return sum(y) < 100.0f; },
                        [](const Tensor &y) { return y * 2; }, x);
  EXPECT_FLOAT_EQ(y.item<float>(), 128);
  std::string error = errorOf([&] { tape.gradient(sum(y), x); });
  EXPECT_NE(error.find("while"), std::string::npos) << error;
}

} // namespace
