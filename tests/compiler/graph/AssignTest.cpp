//===- AssignTest.cpp - x += y, x[i] = y: what gives a handle a new value -===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace tensorc;

static std::string textOf(const Tensor &x) { return x.to_string(); }
static Tensor table() { return arange(12, i32).reshape({3, 4}); }

TEST(Assign, Arithmetic) {
  Tensor x = tensor({7, 8, 9}), kept = x;
  x += 1;
  x *= x;
  x -= tensor({4, 1, 0});
  EXPECT_EQ(textOf(x), "tensor([60, 80, 100], dtype=i32)");
  x %= 7;
  EXPECT_EQ(textOf(x), "tensor([4, 3, 2], dtype=i32)");
  x |= 8;
  x ^= 1;
  x &= 13;
  EXPECT_EQ(textOf(x), "tensor([13, 8, 9], dtype=i32)");
  x /= 2;
  EXPECT_EQ(textOf(x), "tensor([6, 4, 4], dtype=i32)");
  EXPECT_EQ(textOf(kept), "tensor([7, 8, 9], dtype=i32)");
  EXPECT_EQ(textOf(-tensor({5, -5}) % 3), "tensor([1, 2], dtype=i32)");
}

TEST(Assign, FailsWithoutAChange) {
  Tensor x = ones({3});
  EXPECT_ERROR("add: shapes cannot be broadcast: [3] x [2]", x += ones({2}));
  EXPECT_ERROR("at: a value of [2] does not fit into []", x[0] = ones({2}));
  EXPECT_ERROR("index: index 3 is outside dimension 0 of [3]", x[3] = 1);
  EXPECT_EQ(textOf(x), "tensor([1.0, 1.0, 1.0], dtype=f32)");
}

TEST(Assign, Reads) {
  Tensor x = table();
  EXPECT_EQ(textOf(x[1]), "tensor([4, 5, 6, 7], dtype=i32)");
  EXPECT_EQ(textOf(x[-1][0]), "tensor(8, dtype=i32)");
  EXPECT_EQ(textOf(x(1, -1)), "tensor(7, dtype=i32)");
  EXPECT_EQ(textOf(x("...", Slice(None, None, 3))),
            "tensor([[0, 3], [4, 7], [8, 11]], dtype=i32)");
  EXPECT_EQ(textOf(x(tensor({2, 0}), 1)), "tensor([9, 1], dtype=i32)");
  const Tensor fixed = x;
  EXPECT_EQ(textOf(fixed[0] + fixed(1, None)),
            "tensor([[4, 6, 8, 10]], dtype=i32)");
  EXPECT_EQ((x * 2)[0].sum().item<int>(), 12);
}

/// Of C++23, as which this file is compiled.
TEST(Assign, SeveralIndices) {
  Tensor x = table();
  EXPECT_EQ(textOf(x[1, 2]), "tensor(6, dtype=i32)");
  EXPECT_EQ(textOf(x[Slice(1), -1]), "tensor([7, 11], dtype=i32)");
  x[0, 1] = 9;
  x[Ellipsis, 0] += 1;
  EXPECT_EQ(textOf(x), "tensor([[1, 9, 2, 3], [5, 5, 6, 7], [9, 9, 10, 11]], "
                       "dtype=i32)");
}

TEST(Assign, Parts) {
  Tensor x = table(), kept = x;
  x[0] = 9;
  x(1, Slice(2)) = tensor({-1, -2});
  x[2][3] = x[1][0];
  EXPECT_EQ(textOf(x), "tensor([[9, 9, 9, 9], [4, 5, -1, -2], [8, 9, 10, 4]], "
                       "dtype=i32)");
  x[0] += tensor({0, 1, 2, 3});
  x(Ellipsis, 0) *= 2;
  x[1][Slice(0, 2)] -= 1;
  EXPECT_EQ(textOf(x), "tensor([[18, 10, 11, 12], [7, 4, -1, -2], "
                       "[16, 9, 10, 4]], dtype=i32)");
  x[x < 0] = 0;
  x[x > 10] %= 10;
  x[tensor({true, false, false})] += tensor({1, 0, 0, 0});
  EXPECT_EQ(textOf(x), "tensor([[9, 10, 1, 2], [7, 4, 0, 0], [6, 9, 10, 4]], "
                       "dtype=i32)");
  // As in NumPy, a place that is named twice is updated once.
  Tensor counts = zeros({3}, i32);
  counts[tensor({0, 2, 2})] += 1;
  EXPECT_EQ(textOf(counts), "tensor([1, 0, 1], dtype=i32)");
  EXPECT_EQ(textOf(kept), textOf(table()));
}

TEST(Assign, APartIsATensorOfItsOwn) {
  Tensor x = table();
  auto row = x[0];
  row += 1;
  row[3] = 0;
  EXPECT_EQ(textOf(row), "tensor([1, 2, 3, 0], dtype=i32)");
  row = x[1];
  EXPECT_EQ(textOf(row), "tensor([4, 5, 6, 7], dtype=i32)");
  EXPECT_EQ(textOf(x), textOf(table()));
}

TEST(Assign, Masks) {
  Tensor x = table();
  EXPECT_EQ(textOf(x[x > 9]), "tensor([10, 11], dtype=i32)");
  EXPECT_EQ(textOf(x[x > 9][0]), "tensor(10, dtype=i32)");
  EXPECT_ERROR("at: a value of f32 is not of the kind of i32", x[x > 0] *= 0.5);
  EXPECT_ERROR("at: beside other indices a mask can be assigned to, or used by "
               "x.at({...}).add(y)",
               x(tensor({true, false, true}), 0) += 1);
  // Through what a mask selects.
  x[x > 9][1] = 77;
  EXPECT_EQ(textOf(x[x > 9]), "tensor([10, 77], dtype=i32)");
  // In a trace only who reads is refused.
  auto f = jit([](Tensor x) {
    x[x > 9] = 0;
    x[x > 7] += 1;
    return x[2];
  });
  EXPECT_EQ(textOf(f(x)), "tensor([9, 10, 0, 0], dtype=i32)");
  EXPECT_ERROR("index: how many elements a mask selects is not known while jit "
               "traces a function; give masked_select or nonzero a size, or "
               "choose with where",
               jit([](Tensor x) { return x[x > 9] + 1; })(x));
}

TEST(Assign, InTraces) {
  auto f = jit([](Tensor x, const Tensor &i) {
    x[0] = 5;
    x(i) += 1;
    return x[Slice(0, 3)];
  });
  Tensor x = zeros({4});
  EXPECT_EQ(textOf(f(x, scalar(2))), "tensor([5.0, 0.0, 1.0], dtype=f32)");
  EXPECT_EQ(textOf(x), "tensor([0.0, 0.0, 0.0, 0.0], dtype=f32)");
}

TEST(Assign, ChangingPlacesDoNotRecompile) {
  Tensor x = Tensor(zeros({64})).eval();
  auto set = [&](int i, float value) {
    x[i] = value;
    x.eval();
  };
  set(3, 1.5f);
  reset_compile_stats();
  for (int i = 4; i < 20; ++i)
    set(i, 0.5f + static_cast<float>(i));
  EXPECT_EQ(compile_stats().compilations, 0u);
  EXPECT_EQ(x.sum().item<float>(), 1.5f + 16 * 0.5f + 184);
}
