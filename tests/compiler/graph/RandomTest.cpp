//===- RandomTest.cpp - Random numbers of the lazy interface --------------===//
//
// Seeds are fixed and bits are the same everywhere, so every statistic is one
// number: a test either always passes or never.
//
//===----------------------------------------------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace tensorc;

namespace {

std::vector<double> sorted(const Tensor &x) {
  std::vector<double> values = x.astype(f64).to_vector<double>();
  std::sort(values.begin(), values.end());
  return values;
}

/// sqrt(n) times the largest distance of the empirical distribution from
/// `cdf`: above 1.95 with a probability of 0.1 %.
template <typename Cdf> double kolmogorov(const Tensor &x, Cdf cdf) {
  std::vector<double> values = sorted(x);
  double largest = 0, n = static_cast<double>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    double at = cdf(values[i]);
    largest =
        std::max({largest, std::fabs(at - i / n), std::fabs(at - (i + 1) / n)});
  }
  return largest * std::sqrt(n);
}

double normalCdf(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

/// Mean of the given power.
double moment(const Tensor &x, int power) {
  double sum = 0;
  std::vector<double> values = sorted(x);
  for (double v : values)
    sum += std::pow(v, power);
  return sum / static_cast<double>(values.size());
}

constexpr int64_t many = 40000;

} // namespace

TEST(Random, KnownAnswers) {
  // Of Random123's kat_vectors, for a counter of 0.
  std::vector<uint32_t> bits =
      random_bits(random_key(0), {4}).to_vector<uint32_t>();
  EXPECT_EQ(bits, (std::vector<uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
                                         0x9b00dbd8}));
  bits = random_bits(random_key(0), {2}, ui32, RandomAlgorithm::threefry2x32)
             .to_vector<uint32_t>();
  EXPECT_EQ(bits, (std::vector<uint32_t>{0x6b200159, 0x99ba4efe}));
}

TEST(Random, Keys) {
  EXPECT_EQ(random_key(0x123456789abcdef0).tensor().to_vector<uint32_t>(),
            (std::vector<uint32_t>{0x9abcdef0, 0x12345678}));
  EXPECT_EQ(random_key(-1).tensor().to_vector<uint32_t>(),
            random_key(scalar(int8_t(-1))).tensor().to_vector<uint32_t>());
  EXPECT_EQ(random_key(~uint64_t(0)).tensor().to_vector<uint32_t>(),
            random_key(-1).tensor().to_vector<uint32_t>());
  RandomKey key = random_key(7);
  std::vector<RandomKey> keys = split(key, 5);
  std::set<std::vector<uint32_t>> different;
  for (size_t i = 0; i < keys.size(); ++i) {
    std::vector<uint32_t> words = keys[i].tensor().to_vector<uint32_t>();
    different.insert(words);
    EXPECT_EQ(words, fold_in(key, i).tensor().to_vector<uint32_t>());
  }
  different.insert(key.tensor().to_vector<uint32_t>());
  EXPECT_EQ(different.size(), 6u);
  EXPECT_EQ(
      fold_in(key, scalar(int64_t(1) << 40)).tensor().to_vector<uint32_t>(),
      fold_in(key, int64_t(1) << 40).tensor().to_vector<uint32_t>());
  EXPECT_TRUE(split(key, 0).empty());
}

TEST(Random, UniformOfEveryFloat) {
  std::map<DType, double> step{
      {f64, 0x1p-53}, {f32, 0x1p-24}, {f16, 0x1p-11}, {bf16, 0x1p-8}};
  for (auto [dtype, unit] : step) {
    Tensor x = uniform(random_key(3), {many}, 0, 1, dtype);
    EXPECT_EQ(x.dtype(), dtype);
    std::vector<double> values = sorted(x);
    EXPECT_GE(values.front(), 0);
    EXPECT_LT(values.back(), 1);
    for (double value : values)
      ASSERT_EQ(value / unit, std::floor(value / unit));
    // Multiples of 2^-p lie half a step too low.
    EXPECT_NEAR(moment(x, 1), 0.5 - unit / 2, 0.005);
    EXPECT_NEAR(moment(x, 2), (1 - unit) * (2 - unit) / 6, 0.005);
  }
  for (DType dtype : {f64, f32})
    EXPECT_LT(kolmogorov(uniform(random_key(4), {many}, 0, 1, dtype),
                         [](double x) { return x; }),
              1.95);
}

TEST(Random, UniformBetweenBounds) {
  Tensor x = uniform(random_key(5), {200, 200}, -3, 5);
  EXPECT_LT(kolmogorov(x, [](double x) { return (x + 3) / 8; }), 1.95);
  // Rounding never reaches the end.
  for (DType dtype : {f32, f16, bf16}) {
    std::vector<double> values =
        sorted(uniform(random_key(6), {many}, 1, 1.0 + 0x1p-7, dtype));
    EXPECT_GE(values.front(), 1);
    EXPECT_LT(values.back(), 1.0 + 0x1p-7);
  }
  EXPECT_EQ(sorted(uniform(random_key(6), {9}, 2.5, 2.5)).back(), 2.5);
  EXPECT_EQ(sorted(uniform(random_key(6), {9}, 2.5, 2.5)).front(), 2.5);
}

TEST(Random, Normal) {
  for (DType dtype : {f64, f32, f16, bf16}) {
    Tensor x = randn(random_key(8), {100, many / 100}, dtype);
    EXPECT_EQ(x.dtype(), dtype);
    EXPECT_NEAR(moment(x, 1), 0, 0.02);
    EXPECT_NEAR(moment(x, 2), 1, 0.03);
    EXPECT_NEAR(moment(x, 3), 0, 0.08);
    EXPECT_NEAR(moment(x, 4), 3, 0.2);
  }
  EXPECT_LT(kolmogorov(randn(random_key(9), {many}, f32), normalCdf), 1.95);
  EXPECT_LT(kolmogorov(randn(random_key(9), {many}, f64), normalCdf), 1.95);
}

/// The quantile that the bits stand for.
TEST(Random, NormalIsTheQuantileOfItsBits) {
  RandomKey key = random_key(10);
  std::vector<uint32_t> bits = random_bits(key, {many}).to_vector<uint32_t>();
  std::vector<float> single = randn(key, {many}).to_vector<float>();
  for (int64_t i = 0; i < many; ++i) {
    double p = ((bits[i] & 0x7fffffff) + 0.5) * 0x1p-32;
    ASSERT_NEAR(normalCdf(-std::fabs(single[i])), p, 2e-6 * p + 3e-8);
    ASSERT_EQ(std::signbit(single[i]), bits[i] >> 31 == 1);
  }
  std::vector<uint64_t> wide =
      random_bits(key, {many}, ui64).to_vector<uint64_t>();
  std::vector<double> exact = randn(key, {many}, f64).to_vector<double>();
  for (int64_t i = 0; i < many; ++i) {
    double p =
        (static_cast<double>(wide[i] & ~(uint64_t(1) << 63)) + 0.5) * 0x1p-64;
    ASSERT_NEAR(normalCdf(-std::fabs(exact[i])), p, 1e-13 * p);
  }
}

TEST(Random, Integers) {
  Tensor x = randint(random_key(11), {many}, -3, 7, i32);
  EXPECT_EQ(x.dtype(), i32);
  std::map<int32_t, int> counts;
  for (int32_t value : x.to_vector<int32_t>())
    ++counts[value];
  EXPECT_EQ(counts.size(), 10u);
  EXPECT_EQ(counts.begin()->first, -3);
  double chiSquare = 0;
  for (auto [value, count] : counts)
    chiSquare += (count - many / 10.0) * (count - many / 10.0) / (many / 10.0);
  EXPECT_LT(chiSquare, 27.9); // 9 degrees of freedom: 0.1 %
  EXPECT_EQ(randint(random_key(1), {99}, 0, 256, ui8).dtype(), ui8);
}

TEST(Random, IntegersOfWideRanges) {
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();
  Tensor x = randint(random_key(12), {many}, low, high);
  EXPECT_LT(kolmogorov(x, [](double x) { return x / 0x1p64 + 0.5; }), 1.95);
  Tensor y =
      randint(random_key(12), {many}, uint64_t(1) << 62, ~uint64_t(0), ui64);
  EXPECT_LT(
      kolmogorov(y, [](double y) { return (y - 0x1p62) / (0x1p64 - 0x1p62); }),
      1.95);
  // 2^32 + 1 values need more than 64 random bits; 2^32 do not.
  for (int64_t extra : {0, 1})
    EXPECT_LT(kolmogorov(randint(random_key(13), {many}, 0,
                                 (int64_t(1) << 32) + extra),
                         [](double x) { return x / 0x1p32; }),
              1.95);
  EXPECT_EQ(randint(random_key(1), {2}, 5, 6).to_vector<int64_t>(),
            (std::vector<int64_t>{5, 5}));
}

TEST(Random, BernoulliAndDropout) {
  RandomKey key = random_key(14);
  EXPECT_NEAR(moment(bernoulli(key, {many}, 0.3), 1), 0.3, 0.01);
  EXPECT_EQ(moment(bernoulli(key, {many}, 0), 1), 0);
  EXPECT_EQ(moment(bernoulli(key, {many}, 1), 1), 1);
  Tensor columns = bernoulli(key, {many, 2}, tensor({0.0f, 1.0f}));
  EXPECT_EQ(moment(columns, 1), 0.5);
  Tensor x = dropout(full({many}, 3.0f), key, 0.25);
  for (float value : x.to_vector<float>())
    ASSERT_TRUE(value == 0 || value == 4);
  EXPECT_NEAR(moment(x, 1), 3, 0.06);
  EXPECT_EQ(moment(dropout(ones({9}), key, 1), 1), 0);
  EXPECT_EQ(moment(dropout(ones({9}), key, 0), 1), 1);
}

TEST(Random, Permutation) {
  RandomKey key = random_key(16);
  auto order = permutation(key, 1000).to_vector<int64_t>();
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  auto all = order;
  std::sort(all.begin(), all.end());
  for (int64_t i = 0; i < 1000; ++i)
    ASSERT_EQ(all[i], i);
  EXPECT_EQ(permutation(key, 0).shape(), Shape{0});
  EXPECT_EQ(permutation(key, 1).to_vector<int64_t>(), std::vector<int64_t>{0});
  // The same order of rows and of columns.
  Tensor x = arange(12, i32).reshape({3, 4});
  Tensor rows = permutation(key, x),
         columns = permutation(key, x.transpose(), -1);
  EXPECT_EQ(rows.to_vector<int32_t>(),
            columns.transpose().to_vector<int32_t>());
  EXPECT_EQ(rows.to_vector<int32_t>(),
            take(x, permutation(key, 3), 0).to_vector<int32_t>());
}

/// Each of the six orders of three about as often as the others.
TEST(Random, PermutationsAreEven) {
  std::map<std::vector<int64_t>, int> seen;
  for (int i = 0; i < 600; ++i)
    ++seen[permutation(fold_in(random_key(17), i), 3).to_vector<int64_t>()];
  EXPECT_EQ(seen.size(), 6u);
  for (auto &[order, count] : seen)
    EXPECT_NEAR(count, 100, 45); // five standard deviations
}

/// The numbers are part of the interface: a change is one for users.
TEST(Random, SameBitsEverywhere) {
  RandomKey key = fold_in(random_key(15), 3);
  auto hash = [](const Tensor &x, DType bits) {
    uint64_t sum = 0;
    for (uint64_t word : bitcast(x, bits).astype(ui64).to_vector<uint64_t>())
      sum = (sum ^ word) * 0x9E3779B97F4A7C15ull;
    return sum;
  };
  Shape shape{7, 143};
  EXPECT_EQ(hash(uniform(key, shape, -2, 3, f32), ui32),
            12158343135967655554ull);
  EXPECT_EQ(hash(uniform(key, shape, -2, 3, f64), ui64), 6890073472163224ull);
  EXPECT_EQ(hash(uniform(key, shape, -2, 3, f16), ui16),
            1542254297530980406ull);
  EXPECT_EQ(hash(uniform(key, shape, -2, 3, bf16), ui16),
            8322683584353183767ull);
  EXPECT_EQ(hash(randn(key, shape, f32), ui32), 7093808330205813066ull);
  EXPECT_EQ(hash(randn(key, shape, f64), ui64), 13372675852858790954ull);
  EXPECT_EQ(hash(randn(key, shape, f16), ui16), 8394438203976493536ull);
  EXPECT_EQ(hash(randn(key, shape, bf16), ui16), 3976805528539453151ull);
  EXPECT_EQ(hash(randint(key, shape, -5, 1000), ui64), 631039656184768151ull);
}

TEST(Random, OneKernelForAllSeedsAndSizes) {
  auto draw = [](int seed, int64_t size) {
    uniform(random_key(seed), {size}, 0, seed + 2).eval();
  };
  draw(1, 100);
  draw(2, 101);
  uint64_t before = compile_stats().compilations;
  draw(3, 102);
  draw(4, 5000);
  EXPECT_EQ(compile_stats().compilations, before);
}

TEST(Random, ChoicesByProbabilities) {
  RandomKey key = random_key(3);
  using Places = std::vector<int64_t>;
  auto choices = [&](const Tensor &p, int64_t count, bool replace) {
    return random_choice(key, p.size(0), {count}, replace, p)
        .to_vector<int64_t>();
  };
  // What no choice can follow.
  for (const Tensor &p : {tensor({0.0f, 0.0f}), tensor({2.0f, -1.0f}),
                          tensor({NAN, 1.0f}), tensor({INFINITY, 1.0f})})
    for (bool replace : {true, false})
      EXPECT_EQ(choices(p, 2, replace), (Places{-1, -1})) << p << replace;
  // Fewer than are drawn.
  EXPECT_EQ(choices(tensor({0.0, 0.0, 4.0}), 3, false), (Places{2, -1, -1}));
  EXPECT_EQ(choices(tensor({0.0, 0.0, 4.0}), 3, true), (Places{2, 2, 2}));
  EXPECT_EQ(choices(zeros({0}), 0, true), Places());
}

TEST(Random, Refusals) {
  RandomKey key = random_key(1);
  auto has = [](const std::string &error, const char *text) {
    EXPECT_NE(error.find(text), std::string::npos) << error;
    EXPECT_NE(error.find("RandomTest.cpp"), std::string::npos) << error;
  };
  has(errorOf([&] { uniform(RandomKey(), {2}); }),
      "uniform: the key is undefined");
  has(errorOf([&] { uniform(RandomKey(zeros({2})), {2}); }),
      "uniform: a key is ui32[2], not f32[2]");
  has(errorOf([&] { uniform(key, {2}, 0, 1, i32); }),
      "uniform: dtype must be a float, not i32");
  has(errorOf([&] { uniform(key, {2}, 1, 0); }), "uniform: no f32 range");
  has(errorOf([&] { uniform(key, {2}, -3e38, 3e38); }),
      "uniform: no f32 range");
  has(errorOf([&] { uniform(key, {2}, NAN, 1); }), "uniform: no f32 range");
  has(errorOf([&] { randn(key, {-2}); }), "randn: negative size in [-2]");
  has(errorOf([&] { randint(key, {2}, 3, 3); }),
      "randint: no integers from 3 to below 3");
  has(errorOf([&] { randint(key, {2}, 0, 300, ui8); }),
      "randint: 299 is outside ui8");
  has(errorOf([&] { randint(key, {2}, 0, 3, f32); }),
      "randint: dtype must be an integer, not f32");
  has(errorOf([&] { bernoulli(key, {2}, 1.5); }),
      "bernoulli: p must be in [0, 1], not 1.5");
  has(errorOf([&] { dropout(ones({2}), key, NAN); }),
      "dropout: rate must be in [0, 1]");
  has(errorOf([&] { permutation(key, -1); }),
      "permutation: negative size in [-1]");
  has(errorOf([&] { permutation(key, ones({2}), 1); }),
      "permutation: axis 1 is outside rank 1");
  has(errorOf([&] { permutation(key, Tensor()); }),
      "permutation: the operand is an undefined tensor  at " __FILE__);
  has(errorOf([&] { random_bits(key, {2}, i32); }),
      "random_bits: dtype must be ui32 or ui64, not i32");
  has(errorOf([&] { random_key(1.5); }), "random_key: needs an integer");
  has(errorOf([&] { split(key, -1); }), "split: negative size");
}
