//===- ControlTest.cpp - tensorc/control.hpp ------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/control.hpp"
#include "tensorc/derivatives.hpp"
#include "tensorc/vmap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

using namespace tensorc;

namespace {

struct State {
  Tensor x;
  std::vector<Tensor> more;
  int fixed = 0;
};
TENSORC_STRUCT(State, x, more, fixed)

void expectNear(const Tensor &x, const std::vector<float> &expected) {
  std::vector<float> values = x.to_vector<float>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i],
                1e-5f * std::max(1.0f, std::abs(expected[i])))
        << "element " << i;
}

TEST(Control, Cond) {
  auto f = [](const Tensor &p, const Tensor &x) {
    return cond(
        p, [](const Tensor &x) { return std::pair(x * 2, sum(x)); },
        [](const Tensor &x) { return std::pair(-x, prod(x)); }, x);
  };
  Tensor x = tensor({1.0f, 2.0f, 4.0f});
  for (auto compiled : {false, true}) {
    auto call = [&](bool p) {
      return compiled ? jit(f)(scalar(p), x) : f(scalar(p), x);
    };
    auto [a, s] = call(true);
    expectNear(a, {2, 4, 8});
    expectNear(s, {7});
    auto [b, q] = call(false);
    expectNear(b, {-1, -2, -4});
    expectNear(q, {8});
  }
}

TEST(Control, While) {
  Tensor limit = scalar(100.0f);
  Tensor y =
      while_loop([&](const Tensor &x) { return sum(x) < limit; },
                 [](const Tensor &x) { return x * 2; }, tensor({1.0f, 3.0f}));
  expectNear(y, {32, 96});
}

TEST(Control, ForiWithStructs) {
  State state{tensor({1.0f, 2.0f}), {scalar(0.0f)}, 3};
  Tensor step = tensor({0.5f, 1.0f});
  auto last = fori_loop(
      2, 6,
      [&](const Tensor &i, const State &s) {
        State next = s;
        next.x = s.x + step;
        next.more[0] = s.more[0] + astype(i, f32);
        return next;
      },
      state);
  expectNear(last.x, {3, 6});
  expectNear(last.more[0], {2 + 3 + 4 + 5});
  EXPECT_EQ(last.fixed, 3);
  // No iteration.
  expectNear(fori_loop(
                 3, 1, [](const Tensor &, const Tensor &x) { return x + 1; },
                 scalar(5.0f)),
             {5});
}

TEST(Control, Scan) {
  Tensor xs = tensor({{1.0f, 2.0f}, {3.0f, 4.0f}, {5.0f, 6.0f}});
  auto body = [](const Tensor &c, const Tensor &x) {
    Tensor next = c + x;
    return std::pair(next, std::pair(next * 10, sum(x)));
  };
  auto [last, ys] = scan(body, zeros({2}), xs);
  expectNear(last, {9, 12});
  expectNear(ys.first, {10, 20, 40, 60, 90, 120});
  expectNear(ys.second, {3, 7, 11});
  auto [first, zs] = scan(body, zeros({2}), xs, {true});
  expectNear(first, {9, 12});
  expectNear(zs.first, {90, 120, 80, 100, 50, 60});
}

/// A session replaces its MLIR context after 64 uses. Loops that were recorded
/// with an earlier one, also those within others, run with the next.
TEST(Control, LoopsRecordedLongBeforeTheyRun) {
  Tensor n = scalar(7.5f), w = tensor({1.0f, 2.0f});
  auto loops = [&](const Tensor &x) {
    return fori_loop(
        0, 3,
        [&](const Tensor &, const Tensor &s) {
          return scan(
                     [&](const Tensor &c,
                         const Tensor &v) -> std::pair<Tensor, Tensor> {
                       return {c * 2 + v, c};
                     },
                     s, w)
                     .first +
                 n;
        },
        x);
  };
  Tensor early = loops(scalar(1.0f));
  for (int i = 0; i < 70; ++i)
    loops(scalar(1.0f));
  Tensor steps = scalar(1.0f);
  for (int i = 0; i < 3; ++i)
    steps = (steps * 2 + 1) * 2 + 2 + n;
  EXPECT_EQ(early.item<float>(), steps.item<float>());
}

TEST(Control, Map) {
  Tensor xs = tensor({{1.0f, 2.0f}, {3.0f, 4.0f}});
  Tensor w = tensor({10.0f, 1.0f});
  expectNear(tensorc::map([&](const Tensor &x) { return sum(x * w); }, xs),
             {12, 34});
}

TEST(Control, Nests) {
  // Sums of i * j for i < 3, j < i, by a branch for the odd ones.
  Tensor total = fori_loop(
      0, 3,
      [](const Tensor &, const Tensor &s) {
        return fori_loop(
            0, 2,
            [](const Tensor &j, const Tensor &t) {
              return cond(
                  j == 1, [](const Tensor &t) { return t * 2; },
                  [](const Tensor &t) { return t + 1; }, t);
            },
            s);
      },
      scalar(1.0f));
  expectNear(total, {22}); // 1 -> 4 -> 10 -> 22
}

TEST(Control, Gradients) {
  Tensor xs = tensor({0.5f, -1.0f, 2.0f}), w = scalar(0.7f);
  auto looped = [](const Tensor &w, const Tensor &xs) {
    auto [last, ys] = scan(
        [&](const Tensor &h, const Tensor &x) {
          Tensor next = tanh(h * w + x);
          return std::pair(next, next * next);
        },
        scalar(0.1f), xs);
    return last + sum(ys);
  };
  auto unrolled = [](const Tensor &w, const Tensor &xs) {
    Tensor h = scalar(0.1f), all = scalar(0.0f);
    for (int i = 0; i < 3; ++i) {
      h = tanh(h * w + xs[i]);
      all = all + h * h;
    }
    return h + all;
  };
  auto [value, gradients] = value_and_grad(looped, argnums<0, 1>)(w, xs);
  auto [expected, wanted] = value_and_grad(unrolled, argnums<0, 1>)(w, xs);
  expectNear(value, expected.to_vector<float>());
  expectNear(std::get<0>(gradients), std::get<0>(wanted).to_vector<float>());
  expectNear(std::get<1>(gradients), std::get<1>(wanted).to_vector<float>());
  // And of the gradient.
  auto second = [&](auto f) {
    return grad([=](const Tensor &w, const Tensor &xs) {
      return grad(f)(w, xs) * 1.0f;
    })(w, xs);
  };
  expectNear(second(looped), second(unrolled).template to_vector<float>());
}

TEST(Control, GradientOfCond) {
  auto f = [](const Tensor &x) {
    Tensor s = sum(x);
    return sum(cond(
        s > 0, [](const Tensor &x) { return x * x; },
        [](const Tensor &x) { return x * 3; }, x));
  };
  expectNear(grad(f)(tensor({1.0f, 2.0f})), {2, 4});
  expectNear(grad(f)(tensor({1.0f, -2.0f})), {3, 3});
}

TEST(Control, OnDevices) {
  for (const char *name : {"reference", "sim:0"}) {
    if (std::string(name) == "reference")
      continue; // has no buffers of its own
    Tensor x = tensor({1.0f, 2.0f}).to(name);
    Tensor y = fori_loop(
        0, 3, [](const Tensor &i, const Tensor &x) { return x * 2 + i; }, x);
    EXPECT_EQ(y.device(), x.device());
    expectNear(y, {12, 20});
  }
}

TEST(Control, Saved) {
  auto f = [](const Tensor &x) {
    return fori_loop(
        0, 3, [](const Tensor &, const Tensor &x) { return sin(x); }, x);
  };
  EXPECT_NE(compile(f, Input(f32, {3})).to_mlir().find("tx.scan <[3]>"),
            std::string::npos);
}

/// What comes before the places and the remedy.
#define EXPECT_DIFFER(MESSAGE, ...)                                            \
  EXPECT_EQ(errorOf([&] { (void)(__VA_ARGS__); }).find(MESSAGE "; they are"),  \
            0u)

/// The lines of both values, and what helps.
TEST(Control, NamesBothPlaces) {
  Tensor x = ones({3});
  unsigned first = 0, second = 0;
  auto one = [&](const Tensor &x) {
    first = __LINE__ + 1;
    return exp(x);
  };
  auto other = [&](const Tensor &x) {
    second = __LINE__ + 1;
    return sum(x);
  };
  std::string error = errorOf([&] { cond(sum(x) > 0, one, other, x); });
  auto at = [](unsigned line) {
    return std::string(__FILE__) + ":" + std::to_string(line);
  };
  EXPECT_NE(error.find("they are made at " + at(first) + " and " + at(second) +
                       ": broadcast_to makes them alike  at "),
            std::string::npos)
      << error;
}

TEST(Control, Errors) {
  Tensor x = ones({3});
  EXPECT_DIFFER("cond: result 0 is f32[3], of the second branch f32[]",
                cond(
                    Located(scalar(true)), [](const Tensor &x) { return x; },
                    [](const Tensor &x) { return sum(x); }, x));
  auto id = [](const Tensor &x) { return x; };
  auto refused = [&](const Tensor &p) {
    return errorOf([&] { cond(Located(p), id, id, x); });
  };
  EXPECT_NE(refused(x).find("cond: the predicate is f32[3], not one element of "
                            "i1; it is made at " __FILE__),
            std::string::npos)
      << refused(x);
  EXPECT_NE(refused(x).find(": a comparison gives i1  at "), std::string::npos);
  EXPECT_NE(refused(x > 0).find(": any or all makes one of several  at "),
            std::string::npos);
  auto total = [](const Tensor &x) { return sum(x); };
  EXPECT_DIFFER(
      "while_loop: carried tensor 0 is f32[3], after an iteration f32[]",
      while_loop([](const Tensor &x) { return sum(x) > 0; }, total, x));
  EXPECT_EQ(errorOf([&] {
              auto same = [](const Tensor &, const Tensor &y) { return y; };
              fori_loop(INT64_MIN, INT64_MAX, same, x);
            })
                .find("fori_loop: from -9223372036854775808 to "
                      "9223372036854775807 are more than 2^63 - 1 iterations"),
            0u);
  EXPECT_EQ(errorOf([&] { while_loop(total, id, x); })
                .find("while_loop: the condition is f32[], not one element of "
                      "i1; it is made at "),
            0u);
  auto changes = [](const Tensor &, const Tensor &x) { return astype(x, i32); };
  EXPECT_DIFFER(
      "fori_loop: carried tensor 0 is f32[3], after an iteration i32[3]",
      fori_loop(0, 2, changes, x));
  auto pair = [](const Tensor &a, const Tensor &b) { return std::pair(a, b); };
  EXPECT_ERROR("scan: a tensor of rank 0 has no parts",
               scan(pair, x, scalar(1.0f)));
}

TEST(Control, StopGradient) {
  auto f = [](const Tensor &x) { return sum(stop_gradient(x) * x); };
  Tensor x = tensor({2.0f, 3.0f});
  expectNear(stop_gradient(x), {2, 3});
  expectNear(grad(f)(x), {2, 3});
  // It stays so in the gradient.
  expectNear(grad([&](const Tensor &x) { return sum(grad(f)(x) * x); })(x),
             {2, 3});
}

TEST(Control, CustomVjp) {
  // The gradient is clipped on its way back.
  auto clipped =
      custom_vjp([](const Tensor &x,
                    const Tensor &limit) { return std::pair(x * 1, limit); },
                 [](const Tensor &limit, const Tensor &g) {
                   return std::tuple(clip(g, -limit, limit), zeros_like(limit));
                 });
  Tensor x = tensor({1.0f, 2.0f, -3.0f}), limit = scalar(2.0f);
  expectNear(clipped(x, limit), {1, 2, -3});
  auto f = [&](const Tensor &x) {
    return sum(clipped(x, limit) * tensor({1.0f, 5.0f, -9.0f}));
  };
  expectNear(grad(f)(x), {1, 2, -2});
  expectNear(jit([&](const Tensor &x) { return grad(f)(x); })(x), {1, 2, -2});
}

/// Of what the first function kept there are gradients as of anything.
TEST(Control, CustomVjpTwice) {
  auto cube = custom_vjp(
      [](const Tensor &x) { return std::pair(x * x * x, x * x); },
      [](const Tensor &squared, const Tensor &g) { return g * squared * 3; });
  auto f = [&](const Tensor &x) { return sum(cube(x)); };
  Tensor x = tensor({2.0f, -1.0f});
  expectNear(grad(f)(x), {12, 3});
  expectNear(grad([&](const Tensor &x) { return sum(grad(f)(x)); })(x),
             {12, -6});
  EXPECT_DIFFER(
      "custom_vjp: argument 0 is f32[2], its gradient f32[]",
      custom_vjp([](const Tensor &x) { return std::pair(x, x); },
                 [](const Tensor &, const Tensor &g) { return sum(g); })(x));
}

/// Names the loop.
TEST(Control, WhileHasNoGradient) {
  unsigned line = 0;
  auto f = [&](const Tensor &x) {
    line = __LINE__ + 1;
    return while_loop([](const Tensor &x) { return x < 9; },
                      [](const Tensor &x) { return x * 2; }, x);
  };
  unsigned call = __LINE__ + 1;
  std::string error = errorOf([&] { grad(f)(scalar(1.0f)); });
  EXPECT_EQ(error,
            "grad: while has no gradient, for its number of iterations is not "
            "known before: give it a bound, `most`, or use a scan; grad is "
            "called at " __FILE__ ":" +
                std::to_string(call) + "  at " __FILE__ ":" +
                std::to_string(line));
}

/// One text of a body serves all sizes: the second size compiles for all.
template <typename F> uint64_t compilationsOf100(F f) {
  reset_compile_stats();
  for (int64_t n = 3; n < 103; ++n)
    f(n);
  return compile_stats().compilations;
}

/// Numbers that differ.
Tensor like(const Shape &shape) {
  return sin(reshape(arange(shape[0] * shape[1] * shape[2], f32), shape));
}

TEST(Control, HundredSizes) {
  Tensor w = tensor({{0.5f, -1.0f}, {1.0f, 0.25f}});
  auto states = [&](const Tensor &h, const Tensor &xs) {
    return scan(
               [&](const Tensor &h, const Tensor &x) {
                 Tensor next = tanh(matmul(h, w) + x);
                 return std::pair(next, next);
               },
               h, xs)
        .second;
  };
  auto forward = jit(states);
  auto gradient = grad(
      [&](const Tensor &h, const Tensor &xs) { return sum(states(h, xs)); });
  auto chosen = jit([](const Tensor &x) {
    return cond(
        gt(sum(x), 1e6f), [](const Tensor &x) { return x * 2; },
        [](const Tensor &x) { return exp(x) + zeros(x.shape()); }, x);
  });
  auto grown = jit([](const Tensor &x) {
    return while_loop([](const Tensor &x) { return sum(x) < 100; },
                      [](const Tensor &x) { return x * 2; }, x);
  });
  std::map<int64_t, Tensor> inputs, firsts;
  for (int64_t n = 3; n < 103; ++n)
    firsts[n] = (inputs[n] = like({4, n, 2}).eval())[0].eval();
  EXPECT_LE(compilationsOf100(
                [&](int64_t n) { forward(firsts[n], inputs[n]).eval(); }),
            2u);
  EXPECT_LE(compilationsOf100(
                [&](int64_t n) { gradient(firsts[n], inputs[n]).eval(); }),
            2u);
  EXPECT_LE(compilationsOf100([&](int64_t n) { chosen(inputs[n]).eval(); }),
            2u);
  EXPECT_LE(compilationsOf100([&](int64_t n) { grown(inputs[n]).eval(); }), 2u);
  // The values are those of each size by itself.
  for (int64_t n : {3, 50, 102}) {
    Tensor h = inputs[n][0];
    std::vector<Tensor> expected;
    for (int64_t i = 0; i < 4; ++i)
      expected.push_back(h = tanh(matmul(h, w) + inputs[n][i]));
    expectNear(forward(inputs[n][0], inputs[n]),
               stack(expected, 0).to_vector<float>());
  }
}

TEST(Control, NamedSizes) {
  auto total = [](const Tensor &m) {
    auto [last, all] = scan(
        [](const Tensor &s, const Tensor &row) {
          Tensor next = s + row;
          return std::pair(next, next);
        },
        zeros({2}), m);
    return sum(last) + sum(all);
  };
  auto f = jit(total, Input(f32, {"n", 2}));
  for (int64_t n : {1, 3, 40})
    expectNear(f(ones({n, 2})), {static_cast<float>(2 * n + n * (n + 1))});
  auto g = jit(
      [&](const Tensor &m) {
        return grad([&](const Tensor &m) { return total(m); })(m);
      },
      Input(f32, {"n", 2}));
  expectNear(g(ones({3, 2})), {4, 4, 3, 3, 2, 2});
}

TEST(Control, WhileWithABound) {
  auto grow = [](const Tensor &x, int64_t most) {
    return while_loop(
        [](const std::pair<Tensor, Tensor> &s) { return sum(s.first) < 100; },
        [](const std::pair<Tensor, Tensor> &s) {
          return std::pair(s.first * s.first, s.second + 1);
        },
        std::pair(x, scalar(0)), WhileOptions{most});
  };
  Tensor x = tensor({2.0f, 3.0f});
  auto [value, count] = grow(x, 10);
  expectNear(value, {256, 6561});
  EXPECT_EQ(count.item<int32_t>(), 3);
  expectNear(grow(x, 2).first, {16, 81});
  auto gradient = grad([&](const Tensor &x) { return sum(grow(x, 10).first); });
  expectNear(gradient(x), {8 * 128, 8 * 2187});
  EXPECT_NE(errorOf([&] { grow(x, 0); }).find("at most 0 iterations"),
            std::string::npos);
}

/// Of any order, of a batch, and nested; iterations that are not made are none.
TEST(Control, WhileWithABoundIsDifferentiated) {
  auto power = [](const Tensor &x) {
    return while_loop([](const Tensor &y) { return y < 100; },
                      [](const Tensor &y) { return y * y; }, x,
                      WhileOptions{1 << 20});
  };
  EXPECT_EQ(power(scalar(3.0f)).item<float>(), 6561);
  auto few = [](const Tensor &x) {
    return while_loop([](const Tensor &y) { return y < 100; },
                      [](const Tensor &y) { return y * y; }, x,
                      WhileOptions{6});
  };
  expectNear(grad(grad(few))(scalar(3.0f)), {56 * 729});
  auto [value, change] = jvp(few, scalar(3.0f), scalar(2.0f));
  expectNear(change, {2 * 8 * 2187});
  // 3^8, 11^2, and 200 as it is.
  expectNear(vmap(grad(few))(tensor({3.0f, 11.0f, 200.0f})), {8 * 2187, 22, 1});
  // A bound of its own in each iteration of another.
  auto nested = [&](const Tensor &x) {
    return fori_loop(
        0, 2, [&](const Tensor &, const Tensor &y) { return few(y / 10); }, x);
  };
  float y = 20.0f / 10; // 2, 4, 16, 256; then 25.6, 655.36
  expectNear(nested(scalar(20.0f)), {655.36f});
  expectNear(grad(nested)(scalar(20.0f)),
             {2 * 25.6f / 10 * 8 * std::pow(y, 7.0f) / 10});
}

/// The same bits of the same ops, with less kept.
TEST(Control, ScanInSegments) {
  Tensor w = sin(reshape(arange(64 * 64, f32), {64, 64})) * 0.1f;
  auto states = [&](const Tensor &h, const Tensor &xs,
                    const ScanOptions &options) {
    auto [last, all] = scan(
        [&](const Tensor &h, const Tensor &x) {
          Tensor next = tanh(matmul(h, w) + x);
          return std::pair(next, std::pair(sum(next), x[0]));
        },
        h, xs, options);
    return std::pair(sum(last * last) + sum(all.first), all.second);
  };
  Tensor h = ones({64}), xs = cos(reshape(arange(100 * 64, f32), {100, 64}));
  for (bool reverse : {false, true}) {
    auto gradientIn = [&](int64_t segment) {
      return value_and_grad(
          [=](const Tensor &h, const Tensor &xs) {
            return states(h, xs, {reverse, segment});
          },
          argnums<0, 1>);
    };
    auto [expected, slopes] = gradientIn(0)(h, xs);
    for (int64_t segment : {1, 7, 10, 99, 100, 1000}) {
      auto [value, found] = gradientIn(segment)(h, xs);
      expectNear(value.first, expected.first.to_vector<float>());
      expectNear(value.second, expected.second.to_vector<float>());
      expectNear(std::get<0>(found), std::get<0>(slopes).to_vector<float>());
      expectNear(std::get<1>(found), std::get<1>(slopes).to_vector<float>());
    }
  }
  EXPECT_NE(errorOf([&] {
              states(h, xs, {false, -1});
            }).find("scan: a segment of -1 iterations"),
            std::string::npos);
}

TEST(Control, ForiLoopsInSegments) {
  auto loop = [](int64_t segment) {
    return [=](const Tensor &x) {
      auto body = [](const Tensor &i, const std::pair<Tensor, Tensor> &s) {
        return std::pair(sin(s.first) + astype(i, f32) * 0.1f,
                         s.second + s.first);
      };
      auto [last, all] =
          fori_loop(3, 26, body, std::pair(x, x * 0), LoopOptions{segment});
      return sum(last + all);
    };
  };
  Tensor x = tensor({0.3f, 2.0f});
  auto [expected, slope] = value_and_grad(loop(0))(x);
  for (int64_t segment : {1, 5, 22, 23, 24, 100}) {
    auto [value, found] = value_and_grad(loop(segment))(x);
    expectNear(value, expected.to_vector<float>());
    expectNear(found, slope.to_vector<float>());
  }
  EXPECT_NE(errorOf([&] {
              loop(-1)(x);
            }).find("fori_loop: a segment of -1 iterations"),
            std::string::npos);
  // As many iterations as an i64 counts are not too many to count segments of.
  Tensor none = fori_loop(
      INT64_MAX, INT64_MIN,
      [](const Tensor &, const Tensor &s) { return s * 2; }, x, LoopOptions{7});
  expectNear(none, {0.3f, 2.0f});
  auto memoryOf = [](int64_t segment) {
    auto f = [=](const Tensor &x) {
      return sum(fori_loop(
          0, 400, [](const Tensor &, const Tensor &s) { return s + sin(s); }, x,
          LoopOptions{segment}));
    };
    return grad(f).memory_required(ones({4096}));
  };
  EXPECT_LT(memoryOf(20), memoryOf(0) / 5);
}

/// Of states that take memory those before segments are kept, and of a sum's
/// none.
TEST(Control, ScansKeepWhatGradientsRead) {
  constexpr int64_t size = 1 << 12, steps = 256;
  auto memoryOf = [&](auto body, int64_t segment) {
    auto f = grad([=](const Tensor &x, const Tensor &xs) {
      return sum(scan(body, x, xs, {false, segment}).first);
    });
    return static_cast<int64_t>(f.memory_required(ones({size}), ones({steps})));
  };
  auto product = [](const Tensor &s, const Tensor &x) {
    return std::pair(sin(s) * x, std::tuple<>());
  };
  auto linear = [](const Tensor &s, const Tensor &x) {
    return std::pair(s * 0.5f + exp(x), std::tuple<>());
  };
  const int64_t all = size * steps * 4;
  EXPECT_GT(memoryOf(product, 0), all);
  EXPECT_LT(memoryOf(product, 16), all / 4);
  EXPECT_LT(memoryOf(linear, 0), all / 8);
}

TEST(Control, Checkpoint) {
  auto layer = [](const Tensor &x, const Tensor &w) {
    return std::pair(tanh(matmul(x, w)), argmax(x, 1));
  };
  Tensor x = reshape(like({4, 2, 1}), {4, 2}),
         w = tensor({{0.5f, -1.0f}, {1.0f, 0.25f}});
  auto plain = [&](const Tensor &x, const Tensor &w) {
    return sum(layer(layer(x, w).first, w).first);
  };
  auto saved = [&](const Tensor &x, const Tensor &w) {
    auto each = checkpoint(layer);
    return sum(each(each(x, w).first, w).first);
  };
  auto expected = grad(plain, argnums<0, 1>)(x, w);
  auto [dx, dw] = grad(saved, argnums<0, 1>)(x, w);
  expectNear(dx, std::get<0>(expected).to_vector<float>());
  expectNear(dw, std::get<1>(expected).to_vector<float>());
  auto second = [&](auto f) {
    return grad([=](const Tensor &x) { return sum(grad(f)(x, w)); })(x);
  };
  expectNear(second(saved), second(plain).to_vector<float>());
}

TEST(Control, CheckpointOfWhatItCaptures) {
  Tensor x = tensor({3.0f, 1.0f}), steps = tensor({2, 2});
  // Captured are an argument of the gradient, an expression of it, integers
  // and what depends on nothing.
  auto of = [&](auto wrap) {
    return [=](const Tensor &w) {
      Tensor u = w * 3, n = astype(w, i32);
      return sum(wrap([=](const Tensor &x) {
        return sin(x * w) * u * astype(n, f32) * astype(steps, f32);
      })(x));
    };
  };
  auto plain = of([](auto f) { return f; });
  auto saved = of([](auto f) { return checkpoint(f); });
  Tensor w = scalar(2.0f);
  expectNear(grad(saved)(w), grad(plain)(w).to_vector<float>());
  auto second = [&](auto f) {
    return grad([=](const Tensor &w) { return grad(f)(w); })(w);
  };
  expectNear(second(saved), second(plain).to_vector<float>());
  expectNear(grad([&](const Tensor &w) {
               return sum(checkpoint([&] { return w * w; })());
             })(w),
             {4});
}

/// Segments of four layers each keep what goes in, not what each layer makes.
TEST(Control, CheckpointSavesMemory) {
  auto segment = [](const Tensor &x, const Tensor &w) {
    Tensor y = x;
    for (int i = 0; i < 4; ++i)
      y = sin(matmul(y, w));
    return y;
  };
  Tensor x = ones({256, 256}), w = ones({256, 256});
  auto needed = [&](auto each) {
    auto gradient = grad([=](const Tensor &x, const Tensor &w) {
      Tensor y = x;
      for (int i = 0; i < 4; ++i)
        y = each(y, w);
      return sum(y * y);
    });
    gradient(x, w).eval();
    return gradient.memory_required(x, w);
  };
  uint64_t plain = needed(segment), saved = needed(checkpoint(segment));
  EXPECT_LT(saved, plain * 3 / 4) << plain;
}

using Branches = std::vector<std::function<Tensor(const Tensor &)>>;

Branches fiveBranches() {
  return {[](const Tensor &x) { return x + 1; },
          [](const Tensor &x) { return x * x; },
          [](const Tensor &x) { return -x; },
          [](const Tensor &x) { return exp(x); },
          [](const Tensor &x) { return x * 10; }};
}

TEST(Switch, ChoosesByAnInteger) {
  for (size_t count = 1; count <= 5; ++count) {
    Branches branches = fiveBranches();
    branches.resize(count);
    auto f = jit([&](const Tensor &i, const Tensor &x) {
      return switch_(i, branches, x);
    });
    for (int i = -1; i < 7; ++i) {
      float x = 0.5f, expected[] = {1.5f, 0.25f, -0.5f, std::exp(0.5f), 5};
      size_t chosen = std::min<size_t>(i < 0 ? 0 : i, count - 1);
      EXPECT_NEAR(f(scalar(i), scalar(x)).item<float>(), expected[chosen], 1e-6)
          << i << " of " << count;
    }
    EXPECT_EQ(f.traces(), 1u);
  }
}

/// Also where i64 has no such number, and of a narrow integer that is given by
/// value.
TEST(Switch, TakesAnyInteger) {
  Tensor x = scalar(0.5f);
  auto chosen = [&](const Tensor &i) {
    return switch_(i, fiveBranches(), x).item<float>();
  };
  EXPECT_EQ(chosen(full({}, UINT64_MAX, ui64)), 5);
  EXPECT_EQ(chosen(full({1}, 1, ui64)), 0.25f);
  EXPECT_EQ(chosen(full({1, 1}, -1, i8)), 1.5f);
  EXPECT_EQ(chosen(full({}, 2, i16)), -0.5f);
  EXPECT_EQ(chosen(full({}, INT64_MAX, i64)), 5);
  EXPECT_EQ(chosen(full({}, INT64_MIN, i64)), 1.5f);
  EXPECT_EQ(chosen(scalar(true)), 0.25f);
}

/// One op, not a choice between choices.
TEST(Switch, IsOneOp) {
  auto f = [](const Tensor &i, const Tensor &x) {
    return switch_(i, fiveBranches(), x);
  };
  std::string text = compile(f, Input(i32, {}), Input(f32, {3})).to_mlir();
  EXPECT_NE(text.find("tx.switch"), std::string::npos) << text;
  EXPECT_EQ(text.find("tx.if"), std::string::npos) << text;
}

TEST(Switch, HasAGradientAndABatch) {
  Branches branches = fiveBranches();
  auto f = [&](const Tensor &i, const Tensor &x) {
    return switch_(i, branches, x);
  };
  auto slopes = vmap(grad(f, argnums<1>));
  Tensor all = slopes(tensor({0, 1, 2, 3, 4}), full({5}, 0.5f));
  std::vector<float> expected{1, 1, -1, std::exp(0.5f), 10};
  for (size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(all.to_vector<float>()[i], expected[i], 1e-5);
}

TEST(Switch, WhatItRefuses) {
  Tensor x = scalar(0.5f);
  EXPECT_NE(errorOf([&] {
              switch_(x, fiveBranches(), x);
            }).find("switch: the index is f32[], not one integer"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              switch_(tensor({1, 2}), fiveBranches(), x);
            }).find("switch: the index is i32[2], not one integer"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              switch_(scalar(0), Branches(), x);
            }).find("switch: there is no branch"),
            std::string::npos);
  Branches differ{[](const Tensor &x) { return x; },
                  [](const Tensor &x) { return broadcast_to(x, {2}); }};
  EXPECT_NE(errorOf([&] { switch_(scalar(0), differ, x); })
                .find("switch: result 0 is f32[], of branch 1 f32[2]; they are "
                      "made at "),
            std::string::npos);
}

/// The innermost function that traces, and the line that asks.
TEST(Tracing, ErrorsNameWhatTheUserCalled) {
  Tensor x = tensor({1.0f, 2.0f});
  unsigned line = __LINE__ + 2;
  auto branch = [](const Tensor &part) {
    return sum(part) > 0 ? Tensor(part * part) : part;
  };
  auto more = [&](const Tensor &part) { return sum(branch(part)); };
  auto again = [&](const Tensor &, const Tensor &state) {
    return branch(state);
  };
  auto next = [&](const Tensor &state, const Tensor &part) {
    return std::pair(branch(state), part);
  };
  auto positive = [](const Tensor &state) { return sum(state) > 0; };
  std::pair<const char *, std::function<void()>> calls[] = {
      {"jit", [&] { jit(branch)(x); }},
      {"grad", [&] { grad(more)(x); }},
      {"grad", [&] { jit(value_and_grad(more))(x); }},
      {"vmap", [&] { vmap(branch)(x); }},
      {"vmap",
       [&] { grad([&](const Tensor &y) { return sum(vmap(branch)(y)); })(x); }},
      {"jit",
       [&] {
         jit([&](const Tensor &y) { return branch(vmap(positive)(y)); })(x);
       }},
      {"vjp", [&] { vjp(branch, x); }},
      {"jvp", [&] { jvp(branch, x, x); }},
      {"jacobian", [&] { jacobian(branch, x); }},
      {"scan", [&] { scan(next, x, x); }},
      {"map", [&] { map(branch, x); }},
      {"fori_loop", [&] { fori_loop(0, 2, again, x); }},
      {"while_loop", [&] { while_loop(positive, branch, x); }},
      {"while_loop", [&] { while_loop(positive, branch, x, {2}); }},
      {"cond", [&] { cond(scalar(true), branch, branch, x); }},
      {"switch_", [&] { switch_(scalar(0), std::vector{branch}, x); }},
      {"checkpoint", [&] { checkpoint(branch)(x); }},
      {"compile", [&] { compile(branch, x); }},
  };
  for (auto &[name, call] : calls)
    EXPECT_EQ(errorOf(call), "bool: the value is not known while " +
                                 std::string(name) +
                                 " traces a function; where() chooses between "
                                 "values  at " +
                                 __FILE__ + ":" + std::to_string(line));
  EXPECT_ERROR_WITH(
      "the value of an argument is not known while vmap traces a function",
      vmap([](const Tensor &part) { return part * part.item<float>(); })(x));
  Tensor leaked;
  jit([&](const Tensor &y) { return (leaked = y) * 2; })(x);
  EXPECT_ERROR_WITH("while jit traces a function, nor after that",
                    leaked.eval());
  EXPECT_STREQ(tensorc_tracer(), "jit");
}

/// The op that has no value, its line, the line that reads it, and what to do.
TEST(Control, WhoReadsWhatIsTraced) {
  Tensor x = ones({3});
  constexpr int made = __LINE__ + 2;
  auto f = [](const Tensor &x) {
    Tensor y = sum(x * 2);
    return y.item<float>() > 2 ? y : -y;
  };
  auto place = [](int line) {
    return std::string(__FILE__) + ":" + std::to_string(line);
  };
  auto text = [&](const std::string &value, const std::string &tracer,
                  int recorded) {
    return "the value of " + value + " is not known while " + tracer +
           " traces a function, nor after that; it was recorded at " +
           place(recorded) + ": choose by it with where, cond or while_loop";
  };
  const std::string orTape =
      ", or use a Tape, which differentiates what was done";
  const std::string read = "  at " + place(made + 1);
  EXPECT_EQ(errorOf([&] { grad(f)(x); }),
            "item: " + text("sum", "grad", made) + orTape + read);
  EXPECT_EQ(errorOf([&] { vjp(f, x); }),
            "item: " + text("sum", "vjp", made) + orTape + read);
  EXPECT_EQ(errorOf([&] { jit(f)(x); }),
            "item: " + text("sum", "jit", made) + read);
  constexpr int loop = __LINE__ + 5;
  auto g = [&](const Tensor &x) {
    auto step = [](const Tensor &s, const Tensor &p) {
      return std::pair(s + p, p);
    };
    Tensor last = scan(step, scalar(0.0f), x).first;
    last.to_string();
    return last;
  };
  EXPECT_EQ(errorOf([&] { grad(g)(x); }),
            "to_string: " + text("scan", "grad", loop) + orTape + "  at " +
                place(loop + 1));
}

} // namespace
