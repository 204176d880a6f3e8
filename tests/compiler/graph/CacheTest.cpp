//===- CacheTest.cpp - What is compiled again, and why --------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <set>
#include <thread>

using namespace tensorc;

namespace {
/// Starts each test with an empty cache.
class Cache : public testing::Test {
protected:
  void SetUp() override { reset_compile_stats(/*forget_kernels=*/true); }
  static uint64_t compilations() { return compile_stats().compilations; }
};
} // namespace

TEST_F(Cache, ChangingNumbersDoNotRecompile) {
  Tensor w = ones({100}), g = ones({100});
  w.eval(), g.eval();
  uint64_t before = compilations();
  for (int step = 0; step < 1000; ++step) {
    float lr = 1.0f / (1 + step);
    w = w - lr * g;
    w.eval();
  }
  EXPECT_EQ(compilations() - before, 1u);
  EXPECT_NEAR(w.to_vector<float>()[99], 1 - 7.485471f, 1e-3);
}

TEST_F(Cache, ChangingSliceStartsDoNotRecompile) {
  Tensor x = arange(1001, f32);
  x.eval();
  uint64_t before = compilations();
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ((slice(x, {{i, i + 1}}) * 2).item<float>(), 2.0f * i);
  EXPECT_EQ(compilations() - before, 1u);
}

TEST_F(Cache, TellsWhatACompilationMade) {
  Tensor x = arange(64, f32).reshape({8, 8});
  Tensor y = softmax(matmul(x, x));
  y.eval();
  CompileStats first = compile_stats();
  EXPECT_EQ(first.kernels, last_kernels().size());
  bool compiles = default_device().name != "reference";
  EXPECT_EQ(first.code_bytes > 100, compiles);
  EXPECT_LT(first.code_bytes, 100000u);
  EXPECT_EQ(first.processor_seconds > 0, compiles);
  softmax(matmul(x, x)).eval();
  EXPECT_EQ(compile_stats().kernels, first.kernels);
  EXPECT_EQ(compile_stats().code_bytes, first.code_bytes);
  reset_compile_stats();
  EXPECT_EQ(compile_stats().code_bytes, 0u);
  EXPECT_EQ(compile_stats().processor_seconds, 0);
}

TEST_F(Cache, ASecondSizeCompilesForAll) {
  Tensor b = ones({4});
  b.eval();
  for (int n : {5, 6, 7, 5, 800}) {
    Tensor x = tensor(std::vector<float>(n * 4, 1.0f)).reshape({n, 4});
    x.eval();
    reset_compile_stats();
    Tensor y = exp(x - 1) * b + x;
    EXPECT_EQ(y.to_vector<float>(), std::vector<float>(n * 4, 2.0f));
    CompileStats stats = compile_stats();
    EXPECT_EQ(stats.new_structure, n == 5 && stats.compilations ? 1u : 0u);
    EXPECT_EQ(stats.second_size, n == 6 ? 1u : 0u) << n;
    EXPECT_EQ(stats.symbolic_failed + stats.sizes_not_expressible, 0u);
    EXPECT_EQ(stats.hits, n == 6 || stats.new_structure ? 0u : 1u);
  }
}

/// Slices that take the same part in each step have one size, so that the steps
/// share their kernels.
TEST_F(Cache, StepsOfAnUnrolledLoopShareKernels) {
  auto turned = [](const Tensor &x, int by) {
    return concatenate({x.index({Slice(by)}), x.index({Slice(0, by)})}) + 1;
  };
  auto steps = [&](Tensor x, const std::vector<int> &each) {
    for (int by : each)
      x = turned(x, by);
    return x;
  };
  auto check = [&](int n, const std::vector<int> &each) {
    Tensor x = arange(n).eval();
    std::vector<int64_t> y = steps(x, each).to_vector<int64_t>();
    int64_t by = 0, count = static_cast<int64_t>(each.size());
    for (int one : each)
      by += one;
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(y.at(static_cast<size_t>(i)), (i + by) % n + count) << n;
  };
  const std::vector<int> all(40, 3);
  check(7, all);
  check(11, all);
  std::vector<std::string> names = last_kernels();
  EXPECT_LE(std::set<std::string>(names.begin(), names.end()).size(), 6u);
  check(23, all);
  EXPECT_EQ(compile_stats().symbolic_failed, 0u);
  EXPECT_EQ(compile_stats().second_size, 2u); // of x, too
  // The same operations, which take other parts.
  std::vector<int> mixed;
  for (int i = 0; i < 40; ++i)
    mixed.push_back(2 + i % 5);
  for (int n : {23, 29, 31})
    check(n, mixed);
  EXPECT_EQ(compile_stats().symbolic_failed, 0u);
}

/// Runs an expression for several sizes; the results of the symbolic kernels
/// must be those of kernels for one size.
static void checkSizes(const std::function<Tensor(int)> &build,
                       uint64_t expressible = 1) {
  reset_compile_stats(true);
  for (int n : {3, 4, 9}) {
    Tensor all = build(n);
    std::string symbolic = all.to_string();
    EXPECT_EQ(compile_stats().symbolic_failed, 0u);
    EXPECT_EQ(compile_stats().second_size, n > 3 ? expressible : 0u);
    CompileStats before = compile_stats();
    reset_compile_stats(true);
    EXPECT_EQ(build(n).to_string(), symbolic);
    // Put the structure back as it was: one size, then all.
    reset_compile_stats(true);
    for (int m : {3, 4})
      build(m).eval();
    EXPECT_LE(before.compilations, 2u);
  }
}

static Tensor ramp(Shape shape);

/// The interpreter makes no kernels.
static uint64_t frequentSizes() {
  return default_device().name == "reference" ? 0 : 1;
}

TEST_F(Cache, SizesThatComeOftenGetKernelsOfTheirOwn) {
  reset_compile_stats(true);
  Tensor w = ramp({40, 40}), x = ramp({7, 40});
  auto f = [&] { return softmax(matmul(x, w) * 0.1); };
  eval(w, x);
  std::string alone = f().to_string();
  reset_compile_stats(true);
  matmul(ramp({9, 40}), w).eval();
  softmax(matmul(ramp({9, 40}).eval(), w) * 0.1).eval();
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(f().to_string(), alone) << i;
  EXPECT_EQ(compile_stats().frequent_sizes, frequentSizes());
  EXPECT_EQ(compile_stats().second_size, 1u);
  // Kernels of element-wise ops are as fast for all sizes.
  Tensor a = ramp({7}).eval(), b = ramp({9}).eval();
  (exp(b) + 1).eval();
  for (int i = 0; i < 100; ++i)
    (exp(a) + 1).eval();
  EXPECT_EQ(compile_stats().frequent_sizes, frequentSizes());
  // Those of what moves elements are not: borders are parts of a loop.
  pad(b, {1}, {2}).eval();
  for (int i = 0; i < 100; ++i)
    pad(a, {1}, {2}).eval();
  EXPECT_EQ(compile_stats().frequent_sizes, 2 * frequentSizes());
}

TEST_F(Cache, UsesThatTakeLongCountSeveralTimes) {
  if (default_device().name != "cpu" || std::thread::hardware_concurrency() > 4)
    GTEST_SKIP() << "for a few threads that compute themselves";
  Tensor w = ramp({1024, 1024}).eval(), x = ramp({1000, 1024}).eval();
  auto f = [&](const Tensor &x) { return softmax(matmul(x, w)); };
  reset_compile_stats(true);
  f(ramp({9, 1024}).eval()).eval();
  // A use is 2 GFLOP.
  for (int i = 0; i < 24 && !compile_stats().frequent_sizes; ++i)
    f(x).eval();
  EXPECT_EQ(compile_stats().frequent_sizes, 1u);
}

TEST_F(Cache, FunctionsGetKernelsOfTheirSizesToo) {
  Tensor w = ramp({40, 40}).eval();
  auto f = jit([&](const Tensor &x) { return softmax(matmul(x, w) * 0.1); });
  Tensor x = ramp({7, 40}).eval();
  reset_compile_stats(true);
  std::string alone = f(x).to_string();
  reset_compile_stats(true);
  auto g = jit([&](const Tensor &x) { return softmax(matmul(x, w) * 0.1); });
  g(ramp({9, 40}).eval()).eval();
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        right += g(x).to_string() == alone;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 150);
  EXPECT_EQ(g.traces(), 2u);
  EXPECT_EQ(compile_stats().frequent_sizes, frequentSizes());
  EXPECT_EQ(compile_stats().compilations, 2 + frequentSizes());
}

static Tensor ramp(Shape shape) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(i % 17) - 5;
  return from_data(values.data(), shape);
}

TEST_F(Cache, SymbolicShapes) {
  checkSizes([](int n) { return matmul(ramp({n, 5}), ramp({5, n + 1})) + 1; });
  checkSizes([](int n) { return sum(ramp({n, 6}), 0, true) * ramp({n, 6}); });
  checkSizes([](int n) {
    return concatenate({ramp({n, 2}), ramp({n + 2, 2})}) + ramp({2 * n + 2, 2});
  });
  checkSizes([](int n) { return ramp({n, 4}).reshape({2 * n, 2}) * 2; });
  checkSizes([](int n) { return ramp({n, 4}).reshape({-1}) * 2; });
  checkSizes([](int n) { return ramp({n, 4}).transpose() + ramp({4, 1}); });
  checkSizes([](int n) { return slice(ramp({n + 3}), {{1, n}}) * 2; });
  checkSizes([](int n) { return slice(ramp({n + 3}), {{n, 0, -2}}) * 2; });
  checkSizes([](int n) { return pad(ramp({n}), {1}, {2}) + ramp({n + 3}); });
  checkSizes([](int n) { return zeros({n, 3}) + ramp({3}); });
  checkSizes([](int n) { return arange(n, f32) * ramp({2, n}); });
  checkSizes([](int n) { return eye(n) + 1; });
  checkSizes([](int n) { return softmax(ramp({n, 5})); });
  checkSizes([](int n) { return softmax(ramp({5, n}), 0); });
  checkSizes(
      [](int n) { return layer_norm(ramp({2, n}), ramp({n}), ramp({n})); });
  checkSizes([](int n) { return mean(ramp({n, 5}), 0) + var(ramp({n, 5})); });
  checkSizes([](int n) { return gelu(relu(ramp({n}))); });
  checkSizes([](int n) { return argmax(ramp({n, 5}), 1) + 1; });
  checkSizes([](int n) { return cumsum(ramp({n, 5}), 0, true) + 1; });
  checkSizes([](int n) { return argsort(ramp({5, n}), 1, true) + 1; });
  for (auto mode : {Interpolation::nearest, Interpolation::linear})
    checkSizes([=](int n) {
      return interpolate(ramp({2, 3, n, 5}), {n + 2, 2 * n}, mode);
    });
  checkSizes([](int n) { return matmul(ramp({2, 1, n, 3}), ramp({4, 3, n})); });
}

/// The one window of a slice is one for every size of what is sliced. It is
/// broadcast, and never equated with the size that it meets.
TEST_F(Cache, OneWindowOfASliceIsBroadcast) {
  auto row = [](int n) { return ramp({n + 4}).reshape({1, 1, n + 4}); };
  auto head = [](const Tensor &x) { return slice(x, {{}, {}, {0, 3}}); };
  Tensor k = ones({1, 1, 3});
  auto pool = [](const Tensor &x) { return max_pool1d(x, 3); };
  auto window = [](const Tensor &x) {
    return reduce_window(x, Reduction::sum, {1, 1, 3});
  };
  auto convolve = [&](const Tensor &x) { return conv1d(x, k); };
  auto both = [&](auto apply) {
    checkSizes([&](int n) { return row(n) * apply(head(row(n))); });
    checkSizes([&](int n) {
      Tensor x = row(n);
      Tensor one = x * apply(head(x)), many = apply(x);
      return concatenate({one, many}, 2);
    });
  };
  both(pool);
  both(window);
  both(convolve);
}

TEST_F(Cache, SizesZeroAndOneAreStructures) {
  Tensor b = ones({4});
  for (int n : {2, 3, 4, 5})
    (zeros({n, 4}) + b + ramp({n, 4})).eval();
  EXPECT_EQ(compilations(), 2u);
  (zeros({1, 4}) + b + ramp({1, 4})).eval();
  (zeros({0, 4}) + b + ramp({0, 4})).eval();
  EXPECT_EQ(compilations(), 4u);
  // Padding down to one element is one of its own, too.
  for (int n : {5, 6, 3}) {
    Tensor x = pad(ramp({n}), {-1}, {-1}) * 2;
    EXPECT_EQ(x.to_vector<float>().size(), n - 2u);
  }
}

TEST_F(Cache, DTypesAndAttributesAreStructure) {
  Tensor x = ramp({3, 3});
  sum(x, 0).eval();
  sum(x, 1).eval();
  sum(x.astype(f64), 1).eval();
  sum(x * x, 1).eval();
  EXPECT_EQ(compilations(), 4u);
  Tensor y = ramp({3, 3});
  (x - y).eval();
  (y - x).eval();
  EXPECT_EQ(compilations(), 5u);
  (x - x).eval();
  EXPECT_EQ(compilations(), 6u);
}

TEST_F(Cache, ShowsTheModule) {
  Tensor x = ramp({3, 4}), w = ramp({4, 2});
  std::string text = (matmul(x, w) * 0.5).to_mlir(/*symbolic=*/true);
  EXPECT_NE(text.find("#tx.dims<[d0, d1]>"), std::string::npos) << text;
  EXPECT_NE(text.find("tx.scalar"), std::string::npos) << text;
  EXPECT_NE(text.find("min = 2"), std::string::npos) << text;
}

TEST_F(Cache, NamesKernels) {
  (ones({2}) + 1).eval();
  EXPECT_FALSE(last_kernels().empty());
}
