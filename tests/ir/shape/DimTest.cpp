//===- DimTest.cpp - The algebra of sizes ---------------------------------===//

#include "ir/shape/Dim.h"
#include "ir/shape/Evaluate.h"

#include "llvm/ADT/DenseSet.h"

#include "gtest/gtest.h"

#include <random>
#include <thread>

using namespace tensorc::shape;

namespace {

class DimTest : public ::testing::Test {
protected:
  DimContext context;
  Dim k = context.symbol("k"), m = context.symbol("m"), n = context.symbol("n");
};

TEST_F(DimTest, NumbersAreThemselves) {
  Dim five = 5;
  EXPECT_EQ(five.opaque(), 5);
  EXPECT_EQ((five + 2) * 3 - 1, Dim(20));
  EXPECT_EQ(dimsOf({2, 3})[1], Dim(3));
  EXPECT_TRUE(Dim(INT64_MAX).isNumber());
  EXPECT_TRUE(Dim(-1).isNumber());
  EXPECT_FALSE(Dim(INT64_MIN).isNumber()); // ShapedType::kDynamic
  EXPECT_TRUE(Dim(INT64_MIN).isNone());
}

TEST_F(DimTest, EqualExpressionsAreEqualBits) {
  EXPECT_EQ(n + m, m + n);
  EXPECT_EQ(n + 3 - n, Dim(3));
  EXPECT_EQ((n + 1) * (m + 2), m * n + m + n * 2 + 2);
  EXPECT_EQ(n * m * k, k * (m * n));
  EXPECT_EQ(floorDiv(n - 3, 2), floorDiv(Dim(-3) + n, 2));
  EXPECT_EQ(context.symbol("n"), n);
  EXPECT_NE(n * 2, n + 2);
  EXPECT_EQ(n * 0, Dim(0));
  EXPECT_EQ((n + m) * (n - m), n * n - m * m);
  EXPECT_EQ(sum({n, 1, m, n}), n * 2 + m + 1);
  EXPECT_EQ(sum({2, 3}), Dim(5));
}

TEST_F(DimTest, QuotientsThatAreKnown) {
  EXPECT_EQ(floorDiv(7, 2), Dim(3));
  EXPECT_EQ(floorDiv(-7, 2), Dim(-4));
  EXPECT_EQ(ceilDiv(-7, 2), Dim(-3));
  EXPECT_EQ(mod(-7, 2), Dim(1));
  EXPECT_EQ(floorDiv(n * 4 + 8, 4), n + 2);
  EXPECT_EQ(floorDiv(n * m, m), n);
  EXPECT_EQ(ceilDiv(n * m * 6, m * 2), n * 3);
  EXPECT_EQ(floorDiv(n + m, n + m), Dim(1));
  EXPECT_EQ(mod(n * 6, 3), Dim(0));
  EXPECT_EQ(toString(floorDiv(n * 4 + 2, 6)), "(n * 2 + 1) floordiv 3");
  EXPECT_EQ(floorDiv(n, 1), n);
}

TEST_F(DimTest, WhatHasNoValueIsNone) {
  EXPECT_TRUE((Dim(INT64_MAX) + 1).isNone());
  EXPECT_TRUE((Dim(INT64_MAX) * 2).isNone());
  EXPECT_TRUE((n * INT64_MAX * 2).isNone());
  EXPECT_TRUE((n * INT64_MAX + n).isNone());
  EXPECT_TRUE(floorDiv(n, 0).isNone());
  EXPECT_TRUE(floorDiv(6, -2).isNone());
  EXPECT_TRUE(mod(n, -1).isNone());
  EXPECT_TRUE((Dim::none() + n).isNone());
  EXPECT_TRUE((Dim::none() * 0).isNone());
  EXPECT_TRUE(min(Dim::none(), n).isNone());
  EXPECT_EQ(isEqual(Dim::none(), Dim::none()), std::nullopt);
  EXPECT_EQ(toString(Dim::none()), "?");
}

TEST_F(DimTest, MinimaAndMaxima) {
  EXPECT_EQ(min(n, 4), min(4, n));
  EXPECT_EQ(min(n, n), n);
  EXPECT_EQ(min(n, n + 1), n);
  EXPECT_EQ(max(n, -3), n); // Sizes are not negative.
  EXPECT_EQ(min(min(n, 4), 3), min(n, 3));
  EXPECT_EQ(min(n, min(m, k)), min(min(k, n), m));
  EXPECT_EQ(min(7, 4), Dim(4));
  EXPECT_EQ(toString(max(n * 2, m) * 3 + 1), "max(m, n * 2) * 3 + 1");
}

TEST_F(DimTest, Texts) {
  EXPECT_EQ(toString(n - 5), "n - 5");
  EXPECT_EQ(toString(n - m), "m * -1 + n");
  EXPECT_EQ(toString(m - n * 2 - 1), "m - n * 2 - 1");
  EXPECT_EQ(toString(floorDiv(n - 3, 2) + 1), "(n - 3) floordiv 2 + 1");
  EXPECT_EQ(toString(floorDiv(n, 2) * 4), "(n floordiv 2) * 4");
  EXPECT_EQ(toString(ceilDiv(n + 1, 4)), "(n + 1) ceildiv 4");
  EXPECT_EQ(toString(m * n * 256 + 4), "m * n * 256 + 4");
  EXPECT_EQ(toString({n, 64}), "[n, 64]");
}

TEST_F(DimTest, ComparisonsMayBeUnknown) {
  EXPECT_EQ(isEqual(n, n + 1), false);
  EXPECT_EQ(isEqual(n, 4), std::nullopt);
  EXPECT_EQ(isEqual(n, -1), false);
  EXPECT_EQ(isEqual(n * 2, m * 2 + 1), false);
  EXPECT_EQ(isEqual(n, n), true);
  EXPECT_EQ(isLess(n, n + 1), true);
  EXPECT_EQ(isLess(n, n), false);
  EXPECT_EQ(isLess(n, m), std::nullopt);
  EXPECT_EQ(isLess(n * m, 0), false);
  EXPECT_EQ(isLess(mod(n, 8), 8), true);
  EXPECT_EQ(isLess(min(n, 4), 5), true);
  EXPECT_EQ(isLess(floorDiv(n, 2), 0), false);
  Dim large = context.symbol("large", 100);
  EXPECT_EQ(isLess(large, 100), false);
  EXPECT_EQ(isLess(3, large), true);
  Dim any = context.symbol("any", anyNumber);
  EXPECT_EQ(isLess(any, 0), std::nullopt);
  EXPECT_EQ(divides(4, n * 8 + 4), true);
  EXPECT_EQ(divides(4, n * 8 + 3), false);
  EXPECT_EQ(divides(4, n), std::nullopt);
}

TEST_F(DimTest, LargeProductsStayProducts) {
  Dim wide = 1;
  for (int i = 0; i < 12; ++i)
    wide = wide + context.symbol("s" + std::to_string(i));
  Dim square = wide * wide;
  EXPECT_EQ(square.terms().size(), 1u);
  EXPECT_EQ(evaluate(square, [](llvm::StringRef) { return 1; }), 169);
}

TEST_F(DimTest, Substitutes) {
  auto give = [&](Dim symbol) { return symbol == n ? m * 2 : symbol; };
  EXPECT_EQ(substitute(floorDiv(n, 2) + k, give), m + k);
  DimContext other;
  Dim moved = substitute(
      n * m + 1, [&](Dim symbol) { return other.symbol(symbol.name()); });
  EXPECT_EQ(toString(moved), "m * n + 1");
  EXPECT_TRUE(substitute(n + m, [](Dim) { return Dim::none(); }).isNone());
}

/// Whatever is done to random expressions, their values agree.
TEST_F(DimTest, CanonicalFormsKeepTheirValues) {
  std::mt19937 random(7);
  auto any = [&](int64_t below) { return int64_t(random() % below); };
  std::vector<std::pair<Dim, int64_t>> all = {{n, 5}, {m, 3}, {k, 8}};
  auto sizeOf = [](llvm::StringRef name) -> std::optional<int64_t> {
    return name == "n" ? 5 : name == "m" ? 3 : 8;
  };
  for (int i = 0; i < 3000; ++i) {
    auto [a, x] = all[any(all.size())];
    auto [b, y] = any(2) ? all[any(all.size())]
                         : std::pair(Dim(i % 7 - 2), int64_t(i % 7 - 2));
    auto op = static_cast<DimOp>(any(7));
    std::optional<int64_t> value = evaluate(op, x, y);
    if (!value || std::abs(*value) > 10000)
      continue;
    Dim made = op == DimOp::Add        ? a + b
               : op == DimOp::Mul      ? a * b
               : op == DimOp::FloorDiv ? floorDiv(a, b)
               : op == DimOp::CeilDiv  ? ceilDiv(a, b)
               : op == DimOp::Mod      ? mod(a, b)
               : op == DimOp::Min      ? min(a, b)
                                       : max(a, b);
    if (made.isNone() || toString(made).size() > 200)
      continue;
    ASSERT_EQ(evaluate(made, sizeOf), value) << toString(made);
    if (auto equal = isEqual(a, b)) {
      ASSERT_EQ(*equal, x == y) << toString(a) << " and " << toString(b);
    }
    if (auto less = isLess(a, b)) {
      ASSERT_EQ(*less, x < y) << toString(a) << " and " << toString(b);
    }
    all.push_back({made, *value});
  }
  EXPECT_GT(all.size(), 100u);
}

TEST_F(DimTest, ThreadsGetTheSameExpressions) {
  std::vector<Dim> made[4];
  std::vector<std::thread> threads;
  for (auto &list : made)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i)
        list.push_back(
            floorDiv(context.symbol("t" + std::to_string(i)) * 3 + n, 4));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (auto &list : made)
    EXPECT_EQ(list, made[0]);
}

} // namespace
