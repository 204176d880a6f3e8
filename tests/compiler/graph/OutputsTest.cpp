//===- OutputsTest.cpp - Several results that share what they read --------===//

#include <gtest/gtest.h>
#include <tensorc/tensorc.hpp>

using namespace tensorc;

namespace {
/// Whatever an evaluation writes past an output's end lies in neighbours.
std::vector<float> ofAll(const Tensor &x, float value) {
  return std::vector<float>(static_cast<size_t>(x.numel()), value);
}
} // namespace

TEST(Outputs, APartOfAConcatenation) {
  Tensor x = full({5, 32}, 1.0f), w = full({3, 5, 64}, 1.0f) * 1.0f;
  w.eval();
  Tensor a = x + x;
  Tensor y = concatenate({a, x}, 1) * sum(w, {0});
  eval({y, a});
  EXPECT_EQ(a.to_vector<float>(), ofAll(a, 2));
  std::vector<float> wanted;
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 64; ++column)
      wanted.push_back(column < 32 ? 6 : 3);
  EXPECT_EQ(y.to_vector<float>(), wanted);
}

TEST(Outputs, MoreThanASlice) {
  Tensor x = full({10, 64}, 1.0f), w = full({3, 5, 64}, 1.0f) * 1.0f;
  w.eval();
  Tensor a = x + x;
  Tensor y = slice(a, {{0, 5}}) * sum(w, {0});
  eval({y, a});
  EXPECT_EQ(a.to_vector<float>(), ofAll(a, 2));
  EXPECT_EQ(y.to_vector<float>(), ofAll(y, 6));
}
