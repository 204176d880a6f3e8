//===- RulesTest.cpp - The shape rules of ops -----------------------------===//

#include "ir/shape/Rules.h"

#include "gtest/gtest.h"

using namespace tensorc::shape;

namespace {

using Ints = llvm::SmallVector<int64_t, 4>;
using Sizes = llvm::SmallVector<Dim, 4>;

class RulesTest : public ::testing::Test {
protected:
  DimContext context;
  Dim m = context.symbol("m"), n = context.symbol("n");
};

/// Numbers are known to fit or not to, names leave it to a run.
TEST_F(RulesTest, WindowsOfNumbersAndOfNames) {
  Ints dims{1}, sizes{3}, strides{2}, dilations{1};
  WindowNumbers numbers{dims, sizes, strides, dilations};
  InferredShape known = inferWindows(dimsOf({2, 7}), numbers);
  EXPECT_EQ(known.refusal, "");
  EXPECT_EQ(known.dims, (llvm::SmallVector<Dim, 6>{2, 3, 3}));
  EXPECT_TRUE(known.conditions.empty());
  EXPECT_EQ(inferWindows(dimsOf({2, 2}), numbers).refusal,
            "a window of 3 does not fit into dimension 1 of [2,2]");
  InferredShape named = inferWindows(Sizes{2, n}, numbers);
  EXPECT_EQ(toString(named.dims), "[2, (n - 3) floordiv 2 + 1, 3]");
  ASSERT_EQ(named.conditions.size(), 1u);
  EXPECT_EQ(named.conditions[0].relation, Condition::AtMost);
  EXPECT_EQ(named.conditions[0].a, Dim(3));
  EXPECT_EQ(named.conditions[0].b, n);
  EXPECT_EQ(named.conditions[0].text,
            "a window of 3 does not fit into dimension 1 of [2,n]");
  EXPECT_TRUE(inferWindows(Sizes{2, n + 3}, numbers).conditions.empty());
}

TEST_F(RulesTest, WindowsRefuseAmountsFrom2To31On) {
  Ints dims{0}, one{1}, most{INT32_MAX}, more{int64_t(1) << 31};
  int64_t large = int64_t(1) << 62;
  EXPECT_EQ(inferWindows(dimsOf({large}), {dims, most, most, most}).refusal,
            "");
  for (WindowNumbers numbers : {WindowNumbers{dims, more, one, one},
                                WindowNumbers{dims, one, more, one},
                                WindowNumbers{dims, one, one, more}})
    EXPECT_EQ(inferWindows(dimsOf({large}), numbers).refusal,
              "size, stride and dilation of dimension 0 must be positive and "
              "below 2^31, not 2147483648");
}

TEST_F(RulesTest, ContractionsEquateNames) {
  Ints none, inner{1}, outer{0};
  InferredShape rule =
      inferDot(Sizes{4, n}, Sizes{m, 5}, {none, none, inner, outer});
  EXPECT_EQ(toString(rule.dims), "[4, 5]");
  ASSERT_EQ(rule.conditions.size(), 1u);
  EXPECT_EQ(rule.conditions[0].relation, Condition::Equal);
  EXPECT_EQ(rule.conditions[0].text, "inner dimensions differ: [4,n] x [m,5]");
  EXPECT_TRUE(inferDot(Sizes{4, n}, Sizes{n, 5}, {none, none, inner, outer})
                  .conditions.empty());
  // Never equal, whatever n is.
  EXPECT_EQ(inferDot(Sizes{4, n}, Sizes{n + 1, 5}, {none, none, inner, outer})
                .refusal,
            "inner dimensions differ: [4,n] x [n + 1,5]");
  Ints twice{1, 1}, both{0, 1};
  EXPECT_EQ(inferDot(dimsOf({2, 3}), dimsOf({3, 2}), {none, none, twice, both})
                .refusal,
            "x dimension 1 is listed twice");
}

TEST_F(RulesTest, PadsMayRemoveElements) {
  Ints low{-3}, zero{0}, one{1};
  EXPECT_EQ(inferPad(dimsOf({2}), {low, zero, zero}).refusal,
            "padding by -3 and 0 removes more than all of dimension 0 of "
            "[2]");
  InferredShape named = inferPad(Sizes{n}, {low, zero, one});
  EXPECT_EQ(toString(named.dims), "[n * 2 - 4]");
  EXPECT_EQ(named.conditions.size(), 1u);
  EXPECT_EQ(inferPad(dimsOf({0}), {zero, one, one}).dims[0], Dim(1));
}

TEST_F(RulesTest, ConcatenatesAddUp) {
  Sizes a{n, 3}, b{m, 3}, c{2, 4};
  EXPECT_EQ(toString(inferConcatenate({Dims(a), Dims(b)}, 0).dims),
            "[m + n, 3]");
  EXPECT_EQ(inferConcatenate({Dims(a), Dims(c)}, 0).refusal,
            "shapes differ outside dimension 0: [n,3] x [2,4]");
  EXPECT_EQ(inferConcatenate({Dims(a)}, 2).refusal,
            "dimension 2 is outside [n,3]");
  EXPECT_EQ(inferConcatenate({}, 0).refusal, "needs at least one operand");
}

TEST_F(RulesTest, ReductionsThatChooseNeedElements) {
  Ints dims{0};
  EXPECT_EQ(inferReduction(dimsOf({0, 2}), dims, true).refusal,
            "has no elements to choose from: [0,2]");
  EXPECT_EQ(inferReduction(dimsOf({0, 2}), dims, false).refusal, "");
  EXPECT_EQ(inferReduction(Sizes{n, 2}, dims, true).conditions.size(), 1u);
}

TEST_F(RulesTest, SlicesFit) {
  Ints sizes{2, -1}, more{9, 1};
  InferredShape rule = inferDynamicSlice(Sizes{n, m}, sizes);
  EXPECT_EQ(toString(rule.dims), "[2, m]");
  ASSERT_EQ(rule.conditions.size(), 1u);
  EXPECT_EQ(rule.conditions[0].text,
            "a slice of 2 does not fit into dimension 0 of [n,m]");
  EXPECT_EQ(inferDynamicSlice(dimsOf({4, 8}), more).refusal,
            "a slice of 9 does not fit into dimension 0 of [4,8]");
  EXPECT_EQ(inferDynamicUpdateSlice(dimsOf({4, 8}), dimsOf({4})).refusal,
            "update has rank 1, the operand 2");
}

} // namespace
