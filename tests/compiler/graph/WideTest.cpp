//===- WideTest.cpp - Expressions of very many tensors --------------------===//

#include "tensorc/tensorc.hpp"

#include <gtest/gtest.h>

using namespace tensorc;

namespace {

/// Values 0, 1, ... of this shape each.
std::vector<Tensor> many(int count, const Shape &shape, bool evaluated) {
  std::vector<Tensor> tensors;
  for (int i = 0; i < count; ++i) {
    tensors.push_back(full(shape, static_cast<float>(i)) + 0);
    if (evaluated)
      tensors.back().eval();
  }
  return tensors;
}

} // namespace

TEST(Wide, Concatenate) {
  reset_compile_stats(true);
  for (int64_t axis : {0, 1}) {
    std::vector<float> y =
        concatenate(many(1100, {2, 3}, true), axis).to_vector<float>();
    ASSERT_EQ(y.size(), 6600u);
    for (int64_t i = 0; i < 6600; ++i)
      ASSERT_EQ(y[i], axis == 0 ? i / 6 : i % 3300 / 3) << i;
  }
  // The second result is longer, but code for 2,200 named sizes takes minutes.
  EXPECT_EQ(compile_stats().second_size, 0u);
  // Different sizes, and one between two kernels.
  std::vector<Tensor> parts;
  for (int i = 0; i < 129; ++i)
    parts.push_back(full({i % 7}, static_cast<float>(i)) + 0);
  std::vector<float> y = concatenate(parts).to_vector<float>();
  size_t at = 0;
  for (int i = 0; i < 129; ++i)
    for (int j = 0; j < i % 7; ++j)
      ASSERT_EQ(y.at(at++), i);
  EXPECT_EQ(at, y.size());
}

TEST(Wide, ConcatenateOfAnySize) {
  reset_compile_stats(true);
  for (int64_t n : {2, 5, 4}) {
    std::vector<float> y = concatenate(many(66, {n}, true)).to_vector<float>();
    for (int64_t i = 0; i < 66 * n; ++i)
      ASSERT_EQ(y.at(i), i / n);
  }
  EXPECT_EQ(compile_stats().symbolic_failed, 0u);
}

TEST(Wide, Stack) {
  std::vector<float> y = stack(many(1100, {2}, true), 1).to_vector<float>();
  for (int64_t i = 0; i < 2200; ++i)
    ASSERT_EQ(y.at(i), i % 1100);
}

TEST(Wide, Sums) {
  for (bool evaluated : {false, true}) {
    std::vector<Tensor> xs = many(2000, {3}, evaluated);
    Tensor y = xs[0];
    for (size_t i = 1; i < xs.size(); ++i)
      y = std::move(y) + xs[i];
    EXPECT_EQ(y.to_vector<float>()[1], 1999000);
    auto f = jit([&](const Tensor &x) {
      Tensor y = x;
      for (const Tensor &one : xs)
        y = std::move(y) + one;
      return y;
    });
    EXPECT_EQ(f(ones({3}) + 0).to_vector<float>()[2], 1999001);
  }
}

TEST(Wide, ManyOutputs) {
  std::vector<Tensor> xs = many(1500, {3}, true), ys;
  for (Tensor &x : xs)
    ys.push_back(abs(x) * 2);
  eval(ys);
  for (size_t i = 0; i < ys.size(); i += 100)
    EXPECT_EQ(ys[i].to_vector<float>()[0], 2.0f * i);
}
