//===- VmapTest.cpp - tensorc/vmap.hpp ------------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/derivatives.hpp"
#include "tensorc/random.hpp"
#include "tensorc/vmap.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace tensorc;

namespace {

struct Point {
  Tensor x;
  std::vector<Tensor> more;
  float scale = 1;
};
TENSORC_STRUCT(Point, x, more, scale)

Tensor numbers(const Shape &shape, int seed = 1) {
  return randn(random_key(seed), shape, f64);
}

void expectSame(const Tensor &x, const Tensor &expected,
                double tolerance = 1e-12) {
  ASSERT_EQ(x.shape(), expected.shape());
  auto got = astype(x, f64).to_vector<double>(),
       wanted = astype(expected, f64).to_vector<double>();
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], tolerance) << "element " << i;
}

TEST(Vmap, OfARowAndASharedMatrix) {
  Tensor xs = numbers({5, 3}), w = numbers({3, 4}, 2);
  auto f = vmap([](const Tensor &x, const Tensor &w) { return matmul(x, w); },
                {0, std::nullopt});
  expectSame(f(xs, w), matmul(xs, w));
  EXPECT_EQ(f.traces(), 1u);
  expectSame(f(xs + 1, w), matmul(xs + 1, w));
  EXPECT_EQ(f.traces(), 1u);
}

TEST(Vmap, Axes) {
  Tensor x = numbers({3, 5, 2}), y = numbers({2, 5}, 2);
  auto f =
      vmap([](const Tensor &x,
              const Tensor &y) { return std::tuple(x * y, sum(x), y * 0 + 1); },
           {1, -1}, {-1, 0, 1});
  auto [product, total, ones] = f(x, y);
  expectSame(product, transpose(x * transpose(y), {0, 2, 1}));
  expectSame(total, sum(x, {0, 2}));
  expectSame(ones, full({2, 5}, 1.0, f64));
}

TEST(Vmap, WhatAllShare) {
  Tensor shared = numbers({3});
  auto f =
      vmap([&](const Tensor &x) { return std::pair(x + shared, exp(shared)); },
           0, {0, std::nullopt});
  auto [each, same] = f(numbers({4, 3}, 2));
  expectSame(each, numbers({4, 3}, 2) + shared);
  expectSame(same, exp(shared));
}

TEST(Vmap, Structs) {
  Point p{numbers({4, 3}), {numbers({4}, 2), numbers({4, 2}, 3)}, 2};
  auto f = vmap([](const Point &p) {
    return Point{p.x * p.scale, {p.more[0], sum(p.more[1])}, p.scale};
  });
  Point q = f(p);
  expectSame(q.x, p.x * 2);
  expectSame(q.more[0], p.more[0]);
  expectSame(q.more[1], sum(p.more[1], {1}));
}

TEST(Vmap, GradientsOfEachExample) {
  Tensor w = numbers({3}), xs = numbers({5, 3}, 2), ys = numbers({5}, 3);
  auto loss = [](const Tensor &w, const Tensor &x, const Tensor &y) {
    Tensor distance = sum(w * x) - y;
    return distance * distance;
  };
  Tensor each = vmap(grad(loss), {std::nullopt, 0, 0})(w, xs, ys);
  Tensor distance = matmul(xs, w) - ys;
  expectSame(each, xs * expand_dims(distance, 1) * 2);
  // The other way around, and both.
  auto all = [&](const Tensor &w) {
    return sum(vmap(loss, {std::nullopt, 0, 0})(w, xs, ys));
  };
  expectSame(grad(all)(w), sum(each, {0}));
  auto hessians = vmap([&](const Tensor &x, const Tensor &y) {
    return hessian([&](const Tensor &w) { return loss(w, x, y); }, w);
  });
  expectSame(hessians(xs, ys), expand_dims(xs, 1) * expand_dims(xs, 2) * 2);
}

TEST(Vmap, Nested) {
  Tensor x = numbers({3, 2}), y = numbers({4, 2}, 2);
  auto dot = [](const Tensor &a, const Tensor &b) { return sum(a * b); };
  auto all = vmap(vmap(dot, {std::nullopt, 0}), {0, std::nullopt});
  expectSame(all(x, y), matmul(x, transpose(y)));
  auto compiled =
      jit([&](const Tensor &a, const Tensor &b) { return all(a, b); });
  expectSame(compiled(x, y), matmul(x, transpose(y)));
}

TEST(Vmap, Branches) {
  auto f = [](const Tensor &x, const Tensor &p) {
    return cond(
        gt(p, 0.0), [](const Tensor &x) { return std::pair(x * 2, sum(x)); },
        [](const Tensor &x) { return std::pair(-x, x[0]); }, x);
  };
  Tensor x = numbers({4, 3}), p = tensor(std::vector<double>{1, -1, 0, 3});
  auto [a, b] = vmap(f)(x, p);
  Tensor yes = gt(p, 0.0);
  expectSame(a, where(expand_dims(yes, 1), x * 2, -x));
  expectSame(b, where(yes, sum(x, {1}),
                      sum(x * tensor(std::vector<double>{1, 0, 0}), {1})));
  // A predicate that all share chooses.
  auto [c, d] = vmap(f, {0, std::nullopt})(x, scalar(-1.0));
  expectSame(c, -x);
}

TEST(Vmap, Loops) {
  // Each until it is above its limit.
  auto grow = [](const Tensor &x, const Tensor &limit) {
    return while_loop(
               [](const std::pair<Tensor, Tensor> &s) {
                 return lt(s.first, s.second);
               },
               [](const std::pair<Tensor, Tensor> &s) {
                 return std::pair(s.first * 2, s.second);
               },
               std::pair(x, limit))
        .first;
  };
  expectSame(vmap(grow)(tensor(std::vector<double>{1, 3, 100}),
                        tensor(std::vector<double>{10, 5, 50})),
             tensor(std::vector<double>{16, 6, 100}));
  // A number of iterations that all share.
  auto count = [](const Tensor &x) {
    return while_loop(
               [](const std::pair<Tensor, Tensor> &s) {
                 return lt(s.second, 3);
               },
               [](const std::pair<Tensor, Tensor> &s) {
                 return std::pair(s.first * 2, s.second + 1);
               },
               std::pair(x, scalar(0)))
        .first;
  };
  expectSame(vmap(count)(tensor(std::vector<double>{1, 3})),
             tensor(std::vector<double>{8, 24}));
  // The state gets the batch from what is scanned.
  auto sums = [](const Tensor &xs) {
    return scan(
        [](const Tensor &s, const Tensor &x) {
          Tensor next = s + x;
          return std::pair(next, next);
        },
        scalar(0.0), xs);
  };
  Tensor xs = numbers({4, 6});
  auto [last, all] = vmap(sums)(xs);
  expectSame(last, sum(xs, {1}));
  expectSame(all, cumsum(xs, 1));
  auto gradient = [&](const Tensor &x) {
    return grad([&](const Tensor &x) { return sum(sums(x).second); })(x);
  };
  expectSame(
      vmap(gradient)(xs),
      broadcast_to(tensor(std::vector<double>{6, 5, 4, 3, 2, 1}), {4, 6}));
}

TEST(Vmap, KeysOfRandomNumbers) {
  std::vector<RandomKey> keys = split(random_key(7), 3);
  std::vector<Tensor> words, expected;
  for (const RandomKey &key : keys) {
    words.push_back(key.tensor());
    expected.push_back(randn(key, {5}));
  }
  auto f = vmap([](const RandomKey &key) { return randn(key, {5}); });
  expectSame(f(RandomKey(stack(words, 0))), stack(expected, 0), 0);
}

TEST(Vmap, ItsOwnGradient) {
  auto clipped = custom_vjp(
      [](const Tensor &x) { return std::pair(x * 1, x); },
      [](const Tensor &x, const Tensor &g) { return clip(g * x, -1.0, 1.0); });
  Tensor x = tensor(std::vector<double>{0.5, 3, -7});
  Tensor expected = tensor(std::vector<double>{0.5, 1, -1});
  expectSame(vmap(grad([&](const Tensor &x) { return clipped(x); }))(x),
             expected);
  expectSame(grad([&](const Tensor &x) { return sum(vmap(clipped)(x)); })(x),
             expected);
}

TEST(Vmap, OfNothing) {
  auto f = vmap([](const Tensor &x) { return sum(x * 2); });
  EXPECT_EQ(f(zeros({0, 3})).shape(), (Shape{0}));
}

TEST(Vmap, Refused) {
  auto add = [](const Tensor &x, const Tensor &y) { return x + y; };
  Tensor x = zeros({3, 2}), y = zeros({4, 2});
  EXPECT_NE(errorOf([&] {
              vmap(add)(x, y);
            }).find("vmap: argument 1, f32[4,2], has 4 examples, others 3"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              vmap(add, {0, 2})(x, y);
            }).find("argument 1, of rank 2, has no axis 2"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              vmap(add, {0})(x, x);
            }).find("there are 2 arguments, but 1 axes"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              vmap(add, {std::nullopt, std::nullopt})(x, x);
            }).find("no argument has an axis of examples"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              vmap(add, 0, 2)(x, x);
            }).find("result 0, of one example f32[2], has no axis 2"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              vmap(add, 0, {std::nullopt})(x, x);
            }).find("differs between examples"),
            std::string::npos);
}

} // namespace
