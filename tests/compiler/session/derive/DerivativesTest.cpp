//===- DerivativesTest.cpp - tensorc/derivatives.hpp ----------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/derivatives.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace tensorc;

namespace {

void expectNear(const Tensor &x, const std::vector<double> &expected) {
  std::vector<double> values = astype(x, f64).to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i],
                1e-5 * std::max(1.0, std::abs(expected[i])))
        << "element " << i;
}

TEST(Derivatives, Jvp) {
  auto f = [](const std::pair<Tensor, Tensor> &p) {
    return std::tuple(sin(p.first) * p.second, sum(p.second),
                      argmax(p.first, 0));
  };
  Tensor x = tensor({0.0f, 1.0f}), y = tensor({2.0f, 3.0f});
  auto [value, change] =
      jvp(f, std::pair(x, y),
          std::pair(tensor({1.0f, 0.5f}), tensor({10.0f, -1.0f})));
  expectNear(std::get<0>(value), {0, 3 * std::sin(1.0)});
  expectNear(std::get<0>(change), {2, 1.5 * std::cos(1.0) - std::sin(1.0)});
  expectNear(std::get<1>(change), {9});
  EXPECT_FALSE(std::get<2>(change).defined());
}

/// Along random directions both modes agree.
TEST(Derivatives, ForwardIsReverse) {
  auto f = [](const Tensor &x) {
    return cumsum(softmax(x * 2, 1) * tanh(x), 0);
  };
  Tensor x = astype(randn(random_key(1), {3, 4}), f64);
  Tensor t = astype(randn(random_key(2), {3, 4}), f64);
  Tensor c = astype(randn(random_key(3), {3, 4}), f64);
  auto [value, pull] = vjp(f, x);
  expectNear(sum(jvp(f, x, t).second * c), {sum(pull(c) * t).item<double>()});
}

TEST(Derivatives, HvpAndHessian) {
  auto f = [](const Tensor &x) { return x[0] * x[0] * x[1] + sin(x[1]); };
  Tensor x = tensor({2.0f, 1.0f}), v = tensor({1.0f, -1.0f});
  double s = -std::sin(1.0);
  expectNear(hessian(f, x), {2, 4, 4, s});
  expectNear(hvp(f, x, v), {2 - 4, 4 - s});
  expectNear(
      jit([&](const Tensor &x, const Tensor &v) { return hvp(f, x, v); })(x, v),
      {2 - 4, 4 - s});
}

TEST(Derivatives, Jacobian) {
  Tensor w = tensor({{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}});
  auto f = [&](const Tensor &x) { return matmul(w, x) * 2; };
  Tensor j = jacobian(f, ones({3}));
  EXPECT_EQ(j.shape(), (Shape{2, 3}));
  expectNear(j, {2, 4, 6, 8, 10, 12});
  expectNear(jacobian([](const Tensor &x) { return x * x; }, scalar(3.0f)),
             {6});
}

TEST(Derivatives, OnDevices) {
  Tensor x = tensor({1.0f, 2.0f}).to("sim:0");
  auto total = [](const Tensor &x) { return sum(x + 1); };
  auto squares = [](const Tensor &x) { return x * x; };
  for (const auto &[made, expected] :
       {std::pair(jacobian(squares, x), std::vector<double>{2, 0, 0, 4}),
        std::pair(hessian(total, x), std::vector<double>(4)),
        std::pair(hvp(total, x, x), std::vector<double>(2)),
        std::pair(jvp(squares, x, x).second, std::vector<double>{2, 8})}) {
    EXPECT_EQ(made.device(), x.device());
    expectNear(made, expected);
  }
}

TEST(Derivatives, Errors) {
  auto f = [](const Tensor &x) { return x; };
  EXPECT_ERROR("jvp: tangent 0 is f32[2], the argument f32[3]; full_like and "
               "zeros_like make one alike",
               jvp(f, ones({3}), ones({2})));
  EXPECT_ERROR("jvp: tangent 0 is f64[], the argument f32[]; full_like and "
               "zeros_like make one alike",
               jvp(f, scalar(1.0f), scalar(1.0)));
  // Whoever asked is named, though all of them are gradients.
  EXPECT_ERROR("vjp: the cotangent of result 0 is f32[2], the result f32[3]",
               vjp(f, ones({3})).second(ones({2})));
}

} // namespace
