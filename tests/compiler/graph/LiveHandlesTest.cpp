//===- LiveHandlesTest.cpp - Which held tensors get values ----------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <malloc.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>
#endif

using namespace tensorc;

namespace {

/// A tensor that has a value and is not a constant.
Tensor storedConstant(std::vector<int64_t> shape, double value = 0.5) {
  Tensor x = full(shape, value, f32) + 0;
  x.eval();
  return x;
}

/// The bytes that this process has allocated, once its queued work is done.
/// What is resident says less: it also depends on how the allocator keeps free
/// blocks.
int64_t heldBytes() {
  current_stream().synchronize();
#if __has_feature(address_sanitizer)
  return __sanitizer_get_current_allocated_bytes();
#else
  struct mallinfo2 all = mallinfo2();
  return all.uordblks + all.hblkhd;
#endif
}

} // namespace

TEST(LiveHandles, NamedStepsAreOneKernel) {
  Tensor x = storedConstant({64, 32});
  Tensor a = x * 2;
  Tensor b = tanh(a);
  Tensor c = b + a;
  Tensor e = sum(c);
  e.eval();
  EXPECT_FALSE(a.is_evaluated() || b.is_evaluated() || c.is_evaluated());
  EXPECT_NEAR(e.item<float>(), 64 * 32 * (std::tanh(1.0) + 1), 0.01);
}

/// What an unstored tensor is computed from is not given away.
TEST(LiveHandles, LeavesThatAreGivenUp) {
  auto unstored = [](const Tensor &x) {
    Tensor a = x * 2;
    sum(a).eval();
    EXPECT_FALSE(a.is_evaluated());
    return a;
  };
  std::vector<float> six(1024, 6);
  // Moved into a call that may compute its result there.
  Tensor x = storedConstant({1024}, 3), a = unstored(x);
  auto step = jit([](const Tensor &y) { return y * 100; });
  x = step(std::move(x));
  EXPECT_EQ(x.to_vector<float>()[1023], 300);
  EXPECT_EQ(a.to_vector<float>(), six);
  // Updated in place, as a whole and in part.
  x = storedConstant({1024}, 3), a = unstored(x);
  x += 1;
  x.eval();
  EXPECT_EQ(a.to_vector<float>(), six);
  x = storedConstant({1024}, 3), a = unstored(x);
  x[0] = 7;
  x.eval();
  EXPECT_EQ(a.to_vector<float>(), six);
  EXPECT_EQ(x.to_vector<float>()[0], 7);
  // The leaf is gone, but for what is computed from it.
  a = unstored(storedConstant({1024}, 3));
  storedConstant({1024}, 9);
  EXPECT_EQ(a.to_vector<float>(), six);
}

TEST(LiveHandles, TheNextEvaluationStores) {
  Tensor x = storedConstant({8}, 3);
  Tensor a = x * 2;
  sum(a).eval();
  EXPECT_FALSE(a.is_evaluated());
  Tensor total = sum(a + 1);
  total.eval();
  EXPECT_TRUE(a.is_evaluated());
  EXPECT_EQ(total.item<float>(), 56);
  EXPECT_EQ(a.to_vector<float>(), std::vector<float>(8, 6));
}

TEST(LiveHandles, AValueIsReadWithoutOthers) {
  Tensor x = storedConstant({4}, 3);
  Tensor a = x * 2, b = a + 1;
  EXPECT_EQ(b.to_vector<float>(), std::vector<float>(4, 7));
  EXPECT_FALSE(a.is_evaluated());
  EXPECT_EQ(a.to_vector<float>(), std::vector<float>(4, 6));
}

TEST(LiveHandles, OtherOpsAreStored) {
  Tensor x = storedConstant({8, 8});
  Tensor reduced = sum(x, {1}), product = matmul(x, x);
  Tensor behind = reduced + 1;
  eval(product * 2, behind * 2);
  EXPECT_TRUE(reduced.is_evaluated() && product.is_evaluated());
  // What is behind a value that this evaluation stores is cheap again.
  EXPECT_FALSE(behind.is_evaluated());
}

TEST(LiveHandles, SixteenOpsAtMost) {
  Tensor x = storedConstant({8}), y = x;
  std::vector<Tensor> steps;
  for (int i = 0; i < 20; ++i)
    steps.push_back(y = sin(y));
  sum(y).eval();
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(steps[i].is_evaluated(), i == 16) << i;
}

TEST(LiveHandles, KeepsAtMostItsOwnBytes) {
  Tensor x = storedConstant({1024}), y = storedConstant({1024}),
         small = storedConstant({1});
  Tensor ofOne = x * 2, ofTwo = x * y, fewer = slice(x, {{0, 2}}) * 2,
         more = broadcast_to(small, {1024}) * 2;
  eval(sum(ofOne), sum(ofTwo), sum(fewer), sum(more));
  EXPECT_FALSE(ofOne.is_evaluated());
  EXPECT_TRUE(ofTwo.is_evaluated());
  EXPECT_TRUE(fewer.is_evaluated());
  EXPECT_FALSE(more.is_evaluated());
}

TEST(LiveHandles, CompositesCountTheirOps) {
  Tensor x = storedConstant({64, 32});
  Tensor cheap = silu(x), reduces = softmax(x, 1);
  eval(sum(cheap), sum(reduces));
  EXPECT_FALSE(cheap.is_evaluated());
  EXPECT_TRUE(reduces.is_evaluated());
}

TEST(LiveHandles, StoredWhereAskedFor) {
  set_store_intermediates(true);
  Tensor x = storedConstant({8});
  Tensor a = x * 2;
  sum(a).eval();
  EXPECT_TRUE(a.is_evaluated());
  set_store_intermediates(false);
  a = x * 3;
  sum(a).eval();
  EXPECT_FALSE(a.is_evaluated());
}

TEST(LiveHandles, UnreadUpdatesKeepMemoryFlat) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "with guards each scalar takes a page";
  auto run = [](int iterations) {
    Tensor average = storedConstant({});
    for (int i = 0; i < iterations; ++i) {
      Tensor loss = storedConstant({}, 1);
      average = 0.9f * average + loss;
    }
    return average;
  };
  run(20000);
  int64_t before = heldBytes();
  Tensor average = run(100000);
  EXPECT_LT(heldBytes() - before, 8 << 20);
  EXPECT_NEAR(average.item<float>(), 10, 1e-4);
}

TEST(LiveHandles, UnreadUpdatesOfLargeValuesToo) {
  if (default_device().name != "cpu")
    GTEST_SKIP() << "2 GiB of work";
  reset_peak();
  Tensor state = storedConstant({1 << 20});
  for (int i = 0; i < 2000; ++i)
    state = state * 0.5f + storedConstant({1 << 20}, 1);
  EXPECT_LT(memory_stats().peak, uint64_t(3) << 30);
  EXPECT_NEAR(slice(state, {{0, 1}}).item<float>(), 2, 1e-6);
}
