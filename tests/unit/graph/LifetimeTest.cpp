//===- LifetimeTest.cpp - Handles, long chains, threads -------------------===//

#include "tests/unit/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace tensorc;

TEST(Lifetime, WhatIsHeldIsComputedToo) {
  Tensor x = tensor({1.0f, 2.0f});
  Tensor held = x * 3;
  Tensor y = exp(held) + 1;
  y.eval();
  EXPECT_TRUE(held.is_evaluated());
  EXPECT_EQ(held.to_vector<float>(), (std::vector<float>{3, 6}));
}

TEST(Lifetime, WhatIsCheapIsNot) {
  Tensor ones_ = ones({2});
  Tensor row = broadcast_to(tensor({{1.0f}}), {1, 2});
  (row + ones_).eval();
  EXPECT_FALSE(ones_.is_evaluated());
  EXPECT_FALSE(row.is_evaluated());
}

TEST(Lifetime, TemporariesAreNotOutputs) {
  Tensor x = tensor({1.0f, 2.0f});
  reset_compile_stats(true);
  Tensor y = x * 2;
  Tensor z = std::move(y) + 1; // the product has no handle any more
  z.eval();
  ((x * 2) + 1).eval();
  EXPECT_EQ(compile_stats().compilations, 1u);
  EXPECT_FALSE(y);
}

TEST(Lifetime, SharedPartsAreComputedOnce) {
  Tensor x = tensor({1.0f, 2.0f});
  Tensor a = x + 1, b = a * 2, c = a * 3;
  eval(b, c);
  EXPECT_TRUE(a.is_evaluated() && b.is_evaluated() && c.is_evaluated());
  EXPECT_EQ(c.to_vector<float>(), (std::vector<float>{6, 9}));
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
