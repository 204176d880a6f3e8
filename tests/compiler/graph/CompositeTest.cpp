//===- CompositeTest.cpp - Composites, NumPy's and PyTorch's functions ----===//
//
// NumPy and PyTorch judge the numbers at scale (tests/conformance); here are
// edges, errors, what is compiled again, and what the compiler is told.
//
//===----------------------------------------------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tensorc;

namespace {
using Floats = std::vector<float>;
using Ints = std::vector<int>;
constexpr float inf = std::numeric_limits<float>::infinity();
Tensor counted(Shape shape, DType dtype = f32) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return arange(0, static_cast<double>(count), 1, dtype).reshape(shape);
}
} // namespace

TEST(Composites, AreNamedForTheCompiler) {
  Tensor x = counted({2, 4, 6}), q = counted({1, 2, 4, 8});
  auto names = [](const Tensor &y, const char *name) {
    return y.to_mlir().find("tx." + std::string(name) + ' ') !=
           std::string::npos;
  };
  EXPECT_TRUE(names(logsumexp(x), "logsumexp"));
  EXPECT_TRUE(names(rms_norm(x), "rms_norm"));
  EXPECT_TRUE(names(group_norm(x, 2), "group_norm"));
  EXPECT_TRUE(names(attention(q, q, q), "attention"));
  EXPECT_TRUE(names(softplus(x), "softplus"));
  EXPECT_TRUE(names(max_pool1d(x, 2), "max_pool"));
  EXPECT_TRUE(names(conv1d(x, ones({1, 4, 3})), "conv"));
  EXPECT_TRUE(names(cross_entropy(ones({2, 3}), arange(2)), "cross_entropy"));
}

TEST(Composites, AreStableAtTheEnds) {
  Tensor wide = tensor({-1000.0f, 0.0f, 1000.0f});
  EXPECT_EQ(softplus(wide).to_vector<float>(),
            (Floats{0, std::log(2.0f), 1000}));
  EXPECT_EQ(mish(wide).to_vector<float>()[2], 1000);
  EXPECT_EQ(elu(wide).to_vector<float>(), (Floats{-1, 0, 1000}));
  EXPECT_EQ(hardswish(wide).to_vector<float>(), (Floats{0, 0, 1000}));
  EXPECT_EQ(logsumexp(tensor({1000.0f, 1000.0f})).item<float>(),
            1000 + std::log(2.0f));
  EXPECT_EQ(logsumexp(tensor({-inf, -inf})).item<float>(), -inf);
  EXPECT_EQ(logsumexp(tensor({inf, 0.0f})).item<float>(), inf);
  EXPECT_EQ(norm(tensor({3.0f, -4.0f})).item<float>(), 5);
  EXPECT_EQ(norm(tensor({3.0f, -4.0f}), inf).item<float>(), 4);
  // Far from 0: a one-pass variance would be lost.
  EXPECT_NEAR(stddev(tensor({10000.0f, 10001.0f, 10002.0f})).item<float>(),
              0.8164966f, 1e-6);
  // 300^2 is beyond f16; halves are computed in f32.
  EXPECT_EQ(norm(zeros({0}), inf).item<float>(), 0);
  EXPECT_TRUE(std::isnan(norm(tensor({NAN, 1.0f}), inf).item<float>()));
  // Divided by no less than 0.
  EXPECT_EQ(var(tensor({1.0f, 2.0f}), {}, 3).item<float>(), inf);
  EXPECT_TRUE(std::isnan(var(tensor({5.0f}), {}, 2).item<float>()));
  EXPECT_EQ(norm(full({4}, 300, f16)).item<float>(), 600);
  EXPECT_EQ(max(rms_norm(full({4}, 300, f16))).item<float>(), 1);
}

TEST(Composites, CrossEntropy) {
  Tensor logits = log(tensor({{0.5f, 0.25f, 0.25f}, {0.125f, 0.5f, 0.375f}}));
  Tensor labels = tensor({1, 0});
  EXPECT_NEAR(cross_entropy(logits, labels).item<float>(),
              (std::log(4.0f) + std::log(8.0f)) / 2, 1e-6);
  EXPECT_NEAR(cross_entropy(logits, tensor({1, -100})).item<float>(),
              std::log(4.0f), 1e-6);
  EXPECT_EQ(
      cross_entropy(logits, tensor({1, 3}), {.reduction = LossReduction::none})
              .to_string()
              .find("nan") == std::string::npos,
      false);
  EXPECT_ERROR("cross_entropy: labels for [2,3] must be of shape [2], not [3]",
               cross_entropy(logits, tensor({0, 1, 2})));
  EXPECT_ERROR("cross_entropy: labels must be integers, not f32",
               cross_entropy(logits, tensor({0.0f, 1.0f})));
  EXPECT_ERROR("cross_entropy: weights must be floats of shape [3], not f32[2]",
               cross_entropy(logits, labels, {.weight = ones({2})}));
  EXPECT_ERROR(
      "cross_entropy: dtype must be a float, not i32; convert with astype",
      cross_entropy(labels, labels));
}

TEST(Composites, Attention) {
  Tensor q = zeros({2, 3, 4}), k = zeros({2, 5, 4}), v = counted({2, 5, 1});
  Floats all = attention(q, k, v).to_vector<float>();
  Floats before = attention(q, k, v, {.causal = true}).to_vector<float>();
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(all[i], i < 3 ? 2 : 7, 1e-5);
    EXPECT_NEAR(before[i], i < 3 ? i / 2.0 : 5 + (i - 3) / 2.0, 1e-5);
  }
  // A NaN as scale is a NaN, not the default.
  for (float x : attention(q, k, v, {.scale = std::nan("")}).to_vector<float>())
    EXPECT_TRUE(std::isnan(x));
  // A query that sees nothing gives 0.
  EXPECT_EQ(attention(q, k, v, {.mask = zeros({5}, i1)}).to_vector<float>(),
            Floats(6));
  EXPECT_ERROR("attention: sizes of queries, keys and values do not fit: "
               "[2,3,4] x [2,5,5] x [2,5,1]",
               attention(q, zeros({2, 5, 5}), v));
  EXPECT_ERROR("attention: sizes of queries, keys and values do not fit: "
               "[2,3,4] x [3,5,4] x [3,5,1]",
               attention(q, zeros({3, 5, 4}), zeros({3, 5, 1})));
  EXPECT_ERROR("attention: the mask [3,4] does not broadcast to the scores "
               "[2,3,5]",
               attention(q, k, v, {.mask = zeros({3, 4})}));
}

TEST(Composites, Interpolate) {
  Tensor x = tensor({0.0f, 1.0f, 4.0f}).reshape({1, 1, 3});
  EXPECT_EQ(interpolate(x, {6}).to_vector<float>(), (Floats{0, 0, 1, 1, 4, 4}));
  EXPECT_EQ(interpolate(x, {2}).to_vector<float>(), (Floats{0, 1}));
  EXPECT_EQ(interpolate(x, {5}, Interpolation::linear, true).to_vector<float>(),
            (Floats{0, 0.5, 1, 2.5, 4}));
  EXPECT_EQ(interpolate(x, {6}, Interpolation::linear).to_vector<float>(),
            (Floats{0, 0.25, 0.75, 1.75, 3.25, 4}));
  EXPECT_EQ(
      interpolate(counted({1, 1, 2, 2}), {3, 3}, Interpolation::linear, true)
          .to_vector<float>(),
      (Floats{0, 0.5, 1, 1, 1.5, 2, 2, 2.5, 3}));
  EXPECT_ERROR("interpolate: needs images, channels and 1 to 3 spatial "
               "dimensions, and a size of each: [1,1,3] to [2,2]",
               interpolate(x, {2, 2}));
  EXPECT_ERROR("interpolate: sizes must be positive: [1,1,3] to [0]",
               interpolate(x, {0}));
  EXPECT_ERROR("interpolate: only linear interpolation aligns corners",
               interpolate(x, {2}, Interpolation::nearest, true));
}

TEST(Composites, NormErrors) {
  Tensor x = zeros({2, 6, 4});
  EXPECT_ERROR("group_norm: 4 groups do not divide the 6 channels of [2,6,4]",
               group_norm(x, 4));
  EXPECT_ERROR("group_norm: needs one number per channel of [2,6,4], of shape "
               "[6], not [4]",
               group_norm(x, 2, zeros({4})));
  EXPECT_ERROR("batch_norm: needs one number per channel of [2,6,4], of shape "
               "[6], not [2]",
               batch_norm(x, zeros({2}), zeros({2})));
  EXPECT_ERROR("rms_norm: dtype must be a float, not i64; convert with astype",
               rms_norm(arange(3)));
  EXPECT_ERROR("norm: axis 3 is outside [2,6,4]", norm(x, 2, 3));
  EXPECT_ERROR("mish: dtype must be a float, not i64; convert with astype",
               mish(arange(3)));
  EXPECT_ERROR("std: dtype must be a float, not i64; convert with astype",
               stddev(arange(3)));
}

TEST(Einsum, ContractsInTheRightOrder) {
  Tensor a = counted({2, 3}), b = counted({3, 4});
  EXPECT_EQ(einsum("ij,jk", {a, b}).to_vector<float>(),
            matmul(a, b).to_vector<float>());
  EXPECT_EQ(einsum("ii->i", {counted({3, 3})}).to_vector<float>(),
            (Floats{0, 4, 8}));
  EXPECT_EQ(einsum("ii", {counted({3, 3}, i32)}).item<int>(), 12);
  // (1000 x 2)(2 x 1000)(1000 x 2): from the right, nothing large appears.
  Tensor l = ones({1000, 2}), m = ones({2, 1000}), r = ones({1000, 2});
  Tensor chain = einsum("ij,jk,kl->il", {l, m, r});
  EXPECT_EQ(chain.to_mlir().find("1000x1000"), std::string::npos);
  EXPECT_EQ(chain.to_vector<float>()[0], 2000);
}

TEST(Einsum, Errors) {
  Tensor a = zeros({2, 3});
  EXPECT_ERROR("einsum: \"ij,jk\": names 2 operands, not 1",
               einsum("ij,jk", {a}));
  EXPECT_ERROR("einsum: \"ij,jk\": sizes 3 and 2 differ for 'j'",
               einsum("ij,jk", {a, a}));
  EXPECT_ERROR("einsum: \"ijk\": \"ijk\" does not fit the rank of [2,3]",
               einsum("ijk", {a}));
  EXPECT_ERROR("einsum: \"ij->k\": 'k' of the output is in no operand",
               einsum("ij->k", {a}));
  EXPECT_ERROR("einsum: \"ij->ii\": 'i' is in the output twice",
               einsum("ij->ii", {a}));
  EXPECT_ERROR("einsum: \"i2\": '2' is not a label", einsum("i2", {a}));
  EXPECT_ERROR("einsum: \"...i->i\": the output lacks the ellipsis",
               einsum("...i->i", {a}));
  EXPECT_ERROR("einsum: \"ij\": dtype must be a number, not i1",
               einsum("ij", {a > 0}));
}

TEST(Arrays, BuildFromOtherOps) {
  Tensor x = tensor({{1, 2, 3}, {4, 5, 6}}), v = tensor({1, 2});
  EXPECT_EQ(outer(v, v).to_vector<int>(), (Ints{1, 2, 2, 4}));
  EXPECT_EQ(tensordot(x, x, {0, 1}, {0, 1}).item<int>(), 91);
  EXPECT_EQ(tensordot(v, v, 0).shape(), (Shape{2, 2}));
  EXPECT_EQ(kron(v, v).to_vector<int>(), (Ints{1, 2, 2, 4}));
  EXPECT_EQ(tril(x).to_vector<int>(), (Ints{1, 0, 0, 4, 5, 0}));
  EXPECT_EQ(triu(x, 1).to_vector<int>(), (Ints{0, 2, 3, 0, 0, 6}));
  EXPECT_EQ(diag(x).to_vector<int>(), (Ints{1, 5}));
  EXPECT_EQ(diag(v, -1).to_vector<int>(), (Ints{0, 0, 0, 1, 0, 0, 0, 2, 0}));
  EXPECT_EQ(roll(x, 1).to_vector<int>(), (Ints{6, 1, 2, 3, 4, 5}));
  EXPECT_EQ(roll(x, {1, -1}, {0, 1}).to_vector<int>(),
            (Ints{5, 6, 4, 2, 3, 1}));
  EXPECT_EQ(tile(v, {2, 1}).shape(), (Shape{2, 2}));
  EXPECT_EQ(repeat(v, 2).to_vector<int>(), (Ints{1, 1, 2, 2}));
  EXPECT_EQ(repeat(x, 2, 0).shape(), (Shape{4, 3}));
  std::vector<Tensor> parts = split(x, 3, 1);
  EXPECT_EQ(parts[2].to_vector<int>(), (Ints{3, 6}));
  EXPECT_EQ(split(v, std::vector<int64_t>{0, -1})[2].to_vector<int>(),
            (Ints{2}));
  EXPECT_EQ(meshgrid({v, tensor({5, 6, 7})})[1].to_vector<int>(),
            (Ints{5, 5, 6, 6, 7, 7}));
  EXPECT_EQ(pad(v, {3}, {2}, PadMode::reflect).to_vector<int>(),
            (Ints{2, 1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(pad(v, {3}, {2}, PadMode::wrap).to_vector<int>(),
            (Ints{2, 1, 2, 1, 2, 1, 2}));
  // numpy.pad([1, 2], (3, 5), mode="symmetric")
  EXPECT_EQ(pad(v, {3}, {5}, PadMode::symmetric).to_vector<int>(),
            (Ints{2, 2, 1, 1, 2, 2, 1, 1, 2, 2}));
  EXPECT_EQ(pad(v, {1}, {2}, PadMode::edge).to_vector<int>(),
            (Ints{1, 1, 2, 2, 2}));
  EXPECT_EQ(clip(x, 2, 5).to_vector<int>(), (Ints{2, 2, 3, 4, 5, 5}));
  EXPECT_EQ(clip(x, Tensor(), 5).to_vector<int>(), (Ints{1, 2, 3, 4, 5, 5}));
}

TEST(Arrays, Errors) {
  Tensor x = zeros({2, 3});
  EXPECT_ERROR("stack: shapes differ: [2,3] x [3]", stack({x, zeros({3})}));
  EXPECT_ERROR("diag: needs a vector or a matrix, not [2,3,1]",
               diag(zeros({2, 3, 1})));
  EXPECT_ERROR("repeat: a count is negative: [1,-1]", repeat(x, -1, 1));
  EXPECT_ERROR("roll: 2 shifts for 3 axes", roll(x, {1, 2}, {0, 1, 0}));
  EXPECT_ERROR("roll: axis 2 is outside [2,3]", roll(x, 1, 2));
  EXPECT_ERROR("split: 2 parts of axis 1 of size 3 are not equal",
               split(x, 2, 1));
  EXPECT_ERROR("pad: axis 0 of [0] has nothing to repeat",
               pad(zeros({0}), {1}, {0}, PadMode::edge));
  EXPECT_ERROR("pad: needs 2 paddings, one per axis, not 1 low, 2 high",
               pad(x, {1}, {1, 1}, PadMode::wrap));
  EXPECT_ERROR("tensordot: inner dimensions differ: [2,3] x [2,3]",
               tensordot(x, x, 1));
  EXPECT_ERROR("kron: an operand is an undefined tensor", kron(x, Tensor()));
  EXPECT_ERROR("meshgrid: needs vectors, not [2,3]", meshgrid({x}));
  EXPECT_ERROR("clip: shapes cannot be broadcast: [2] x [2,3]",
               clip(x, zeros({2}), 1));
}

/// The second size compiles for all of them, and they are right.
TEST(Composites, ShareKernelsBetweenSizes) {
  auto check = [](auto build, const char *what) {
    reset_compile_stats(true);
    for (int n : {3, 5, 9, 7}) {
      std::string shared = build(n).to_string();
      CompileStats stats = compile_stats();
      EXPECT_EQ(stats.symbolic_failed + stats.sizes_not_expressible, 0u)
          << what;
      EXPECT_LE(stats.compilations, 2u) << what << ' ' << n;
      if (n != 7)
        continue;
      reset_compile_stats(true);
      EXPECT_EQ(build(n).to_string(), shared) << what;
    }
  };
  auto x = [](int n) {
    std::vector<float> values(8 * n);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i % 13) / 7;
    return from_data(values.data(), {2, n, 4});
  };
  check([&](int n) { return logsumexp(x(n), 1); }, "logsumexp");
  check([&](int n) { return rms_norm(x(n)); }, "rms_norm");
  check([&](int n) { return norm(x(n), 3, 1); }, "norm");
  check([&](int n) { return attention(x(n), x(n), x(n)); }, "attention");
  check(
      [&](int n) { return avg_pool1d(x(n), 2, {.count_include_pad = false}); },
      "avg_pool1d");
  check([&](int n) { return reduce_window(x(n), Reduction::sum, {1, 2, 1}); },
        "reduce_window");
  check([&](int n) { return einsum("bik,bjk->bij", {x(n), x(n)}); }, "einsum");
  check([&](int n) { return roll(x(n), 1, 1); }, "roll");
  check([&](int n) { return tril(x(n)); }, "tril");
}

static float farthest(const Tensor &a, const Tensor &b) {
  return max(abs(a - b)).item<float>();
}

/// By their definitions.
TEST(Composites, NormsOfSeveralAxesAndOfBatches) {
  Tensor x = sin(arange(0, 2 * 3 * 4 * 5, 1, f32) * 0.7).reshape({2, 3, 4, 5});
  Tensor s = cos(arange(0, 20, 1, f32)).reshape({4, 5}), b = s * 2 + 1;
  auto normal = [&](const Axes &axes) {
    return (x - mean(x, axes, true)) / sqrt(var(x, axes, 0, true) + 1e-5);
  };
  EXPECT_LT(farthest(layer_norm(x, {4, 5}, s, b), normal({2, 3}) * s + b),
            1e-5);
  EXPECT_LT(farthest(layer_norm(x, {3, 4, 5}), normal({1, 2, 3})), 1e-5);
  EXPECT_LT(farthest(layer_norm_over(x, 1), layer_norm(x)), 1e-6);
  EXPECT_ERROR("layer_norm: the last sizes of [2,3,4,5] are not [3,5]",
               layer_norm(x, {3, 5}));
  EXPECT_ERROR("layer_norm: the last sizes of [5] are not [4,5]",
               layer_norm(s[0], {4, 5}));
  EXPECT_ERROR("layer_norm: scale and bias must be [4,5], not [5]",
               layer_norm(x, {4, 5}, s[0]));
  EXPECT_ERROR("layer_norm: over the last 5 axes of [2,3,4,5]",
               layer_norm_over(x, 5));
  Tensor c = tensor({1.0f, 2.0f, 3.0f}), wide = c.reshape({3, 1, 1});
  EXPECT_LT(farthest(instance_norm(x, c, c), normal({2, 3}) * wide + wide),
            1e-5);
  EXPECT_ERROR("instance_norm: needs images, channels and spatial dimensions, "
               "not [2,3]",
               instance_norm(ones({2, 3})));
  BatchNorm out = batch_norm_training(x, zeros({3}), ones({3}), c, c, 0.25);
  EXPECT_LT(farthest(out.y, normal({0, 2, 3}) * wide + wide), 1e-5);
  EXPECT_LT(farthest(out.running_mean, mean(x, {0, 2, 3}) * 0.25), 1e-6);
  EXPECT_LT(farthest(out.running_var,
                     0.75 + var(x, {0, 2, 3}, /*correction=*/1) * 0.25),
            1e-6);
  EXPECT_ERROR("batch_norm_training: needs more than one element per channel",
               batch_norm_training(ones({1, 3}), zeros({3}), ones({3})));
}
