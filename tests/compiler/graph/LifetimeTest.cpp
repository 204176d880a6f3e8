//===- LifetimeTest.cpp - Handles, long chains, threads -------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace tensorc;

TEST(Lifetime, WhatIsCheapIsNot) {
  constexpr int64_t size = (1 << 18) + 1; // more than 1 MiB
  Tensor ones_ = ones({size});
  Tensor row = broadcast_to(tensor({{1.0f}}), {1, size});
  (row + ones_).eval();
  EXPECT_FALSE(ones_.is_evaluated());
  EXPECT_FALSE(row.is_evaluated());
}

TEST(Lifetime, SmallConstantsAreStoredBeforeACompilation) {
  // A loop may begin with them: the next iteration then has the same code.
  reset_compile_stats(true);
  Tensor a = zeros({}), b = full({}, 2.0f), x = tensor({1.0f});
  for (int i = 0; i < 4; ++i) {
    Tensor middle = (a + b) / 2;
    (x + middle).eval();
    (i % 2 ? a : b) = middle;
  }
  EXPECT_EQ(compile_stats().compilations, 1u);
  // An expression whose constants are new each time gets code of its own.
  for (int i = 0; i < 40; ++i) {
    Tensor rate = full({}, 0.5f + i);
    EXPECT_EQ((x * rate).item<float>(), 0.5f + i);
  }
  EXPECT_EQ(compile_stats().compilations, 3u);
  Tensor later = full({}, 3.0f);
  EXPECT_EQ((x * later).item<float>(), 3);
  EXPECT_FALSE(later.is_evaluated());
}

TEST(Lifetime, TemporariesAreNotOutputs) {
  Tensor x = tensor({1.0f, 2.0f});
  reset_compile_stats(true);
  Tensor y = x * 2;
  Tensor z = std::move(y) + 1; // the product has no handle any more
  z.eval();
  ((x * 2) + 1).eval();
  EXPECT_EQ(compile_stats().compilations, 1u);
  EXPECT_FALSE(y.defined());
}

TEST(Lifetime, SharedPartsAreComputedOnce) {
  Tensor x = tensor({1.0f, 2.0f});
  Tensor a = cumsum(x, 0) + 1, b = a * 2, c = a * 3;
  eval(b, c);
  EXPECT_TRUE(a.is_evaluated() && b.is_evaluated() && c.is_evaluated());
  EXPECT_EQ(c.to_vector<float>(), (std::vector<float>{6, 12}));
  eval(std::vector<Tensor>{a, b});
}

TEST(Lifetime, LongChains) {
  Tensor x = tensor({1.0f});
  Tensor y = x;
  for (int i = 0; i < 1000000; ++i)
    y = std::move(y) + 1;
  Tensor copy = y;
  y = Tensor();
  copy = Tensor(); // a million nodes go without recursion
  y = x;
  for (int i = 0; i < 1000000; ++i)
    y = std::move(y) + 1;
  reset_compile_stats(true);
  EXPECT_EQ(y.item<float>(), 1000001);
  EXPECT_LE(compile_stats().compilations, 4u);
  // Evaluated piecewise, a chain lets go of what it came from.
  y = x;
  for (int i = 0; i < 3000; ++i) {
    y = y + 1;
    if (i % 100 == 99)
      y.eval();
  }
  EXPECT_EQ(y.item<float>(), 3001);
}

TEST(Lifetime, ThreadsBuildAndEvaluate) {
  Tensor shared = tensor({1.0f, 2.0f, 3.0f}) * 2; // lazy, for all threads
  std::atomic<int> wrong{0};
  auto work = [&](int seed) {
    for (int i = 0; i < 200; ++i) {
      Tensor mine = shared + (seed + i);
      Tensor both = mine * shared;
      std::vector<float> values = both.to_vector<float>();
      float expected = (4.0f + static_cast<float>(seed + i)) * 4;
      wrong += values[1] != expected;
      wrong += mine.to_vector<float>()[0] != 2 + static_cast<float>(seed + i);
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back(work, t * 1000);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Lifetime, ThreadsEvaluateOneGraph) {
  for (int round = 0; round < 50; ++round) {
    Tensor a = tensor({1.0f, 2.0f}) + round;
    Tensor b = a * 2, c = b - a;
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (const Tensor &t : {a, b, c, b})
      threads.emplace_back([&wrong, t, &c, round] {
        t.eval();
        wrong += c.to_vector<float>()[0] != 1 + static_cast<float>(round);
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Lifetime, EvaluationsEndWithTheThreadsOptions) {
  if (default_device().name == "reference")
    GTEST_SKIP() << "the interpreter is not the runtime's";
  Tensor x = tensor({1.0f, 2.0f});
  RunOptions options;
  options.cancellation.emplace();
  options.cancellation->cancel();
  Tensor y = x * 2;
  {
    ScopedRunOptions scope(options);
    try {
      y.eval();
      ADD_FAILURE() << "was not cancelled";
    } catch (const Error &error) {
      EXPECT_EQ(error.code(), TENSORC_CANCELLED);
    }
  }
  // What was not computed can be later.
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{2, 4}));
}

TEST(Lifetime, ATextOfOneTensorHasOneResult) {
  Tensor x = ones({3}) + 0;
  Tensor a = matmul(x, x), b = exp(a), c = b * 2;
  std::string text = c.to_mlir();
  size_t at = text.find("return ");
  ASSERT_NE(at, text.npos);
  EXPECT_EQ(text.substr(at, text.find('\n', at) - at).find(','), text.npos)
      << text;
}
