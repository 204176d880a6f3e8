//===- IndexingTest.cpp - x.index({...}), x.at({...}), take and the like --===//

#include "tests/compiler/graph/Counted.h"
#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace tensorc;

TEST(Index, NumbersAndSlices) {
  Tensor x = count({3, 4});
  EXPECT_EQ(ints(x.index({1})), (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(ints(x.index({-1, -2})), (std::vector<int>{10}));
  EXPECT_TRUE(x.index({-1, -2}).shape().empty());
  EXPECT_EQ(ints(x.index({Slice(1, None), 0})), (std::vector<int>{4, 8}));
  EXPECT_EQ(ints(x.index({Slice(None, None, -2), Slice(-1, None)})),
            (std::vector<int>{11, 3}));
  EXPECT_EQ(x.index({Slice(5, 9)}).shape(), (Shape{0, 4}));
  // Bounds beyond every size, the number that C takes for none among them.
  EXPECT_EQ(x.index({Slice(INT64_MIN, 1)}).shape(), (Shape{1, 4}));
  EXPECT_EQ(x.index({Slice(None, INT64_MIN)}).shape(), (Shape{0, 4}));
  EXPECT_EQ(x.index({Slice(None, UINT64_MAX)}).shape(), (Shape{3, 4}));
  EXPECT_EQ(ints(x.index({Slice(None, None, INT64_MIN), 0})),
            (std::vector<int>{8}));
}

TEST(Index, EllipsisAndNewAxes) {
  Tensor x = count({2, 3, 4});
  EXPECT_EQ(x.index({"...", 1}).shape(), (Shape{2, 3}));
  EXPECT_EQ(x.index({Ellipsis, None}).shape(), (Shape{2, 3, 4, 1}));
  EXPECT_EQ(x.index({None, 0, Ellipsis, None, 2}).shape(), (Shape{1, 3, 1}));
  EXPECT_EQ(ints(x.index({1, "...", 3})), (std::vector<int>{15, 19, 23}));
  EXPECT_EQ(ints(x.index({})), ints(x));
}

TEST(Index, Tensors) {
  Tensor x = count({3, 4}), i = tensor({2, -1, 0});
  EXPECT_EQ(ints(x.index({i, 1})), (std::vector<int>{9, 9, 1}));
  EXPECT_EQ(ints(x.index({i, tensor({0, 1, 2})})), (std::vector<int>{8, 9, 2}));
  // Broadcast against each other.
  EXPECT_EQ(ints(x.index({i.reshape({3, 1}), tensor({0, 3})})),
            (std::vector<int>{8, 11, 8, 11, 0, 3}));
  EXPECT_EQ(x.index({Slice(), i}).shape(), (Shape{3, 3}));
  EXPECT_EQ(x.index({scalar(1)}).shape(), (Shape{4}));
}

TEST(Index, PlacesOfIndexTensors) {
  Tensor x = count({5, 6, 7, 8}), i = tensor({0, 1, 1});
  EXPECT_EQ(x.index({Slice(), i, i}).shape(), (Shape{5, 3, 8}));
  EXPECT_EQ(x.index({Slice(), i, Slice(), i}).shape(), (Shape{3, 5, 7}));
  EXPECT_EQ(x.index({Slice(), i, None, i}).shape(), (Shape{3, 5, 1, 8}));
  EXPECT_EQ(x.index({0, Slice(), i}).shape(), (Shape{3, 6, 8}));
  EXPECT_EQ(x.index({Slice(), 0, i}).shape(), (Shape{5, 3, 8}));
  // An ellipsis separates even if it stands for nothing.
  EXPECT_EQ(x.index({Slice(), Slice(), i, "...", i}).shape(), (Shape{3, 5, 6}));
}

TEST(Index, OutOfRangeReadsTheNearest) {
  Tensor x = tensor({10, 20, 30});
  EXPECT_EQ(ints(x.index({tensor({3, 100, -4, -100, -3})})),
            (std::vector<int>{30, 30, 10, 10, 10}));
  std::vector<uint64_t> far{1, ~uint64_t(0)};
  EXPECT_EQ(ints(x.index({tensor(far)})), (std::vector<int>{20, 30}));
  std::vector<int8_t> bytes{-1, -128, 127};
  EXPECT_EQ(ints(x.index({tensor(bytes)})), (std::vector<int>{30, 10, 30}));
}

TEST(Index, Errors) {
  Tensor x = count({3, 4});
  EXPECT_ERROR("index: index 3 is outside dimension 0 of [3,4]", x.index({3}));
  EXPECT_ERROR("index: index -5 is outside dimension 1 of [3,4]",
               x.index({Slice(), -5}));
  EXPECT_ERROR("index: 3 indices for [3,4]", x.index({0, 0, 0}));
  EXPECT_ERROR("index: an index has one ellipsis at most",
               x.index({"...", "..."}));
  EXPECT_ERROR("index: the step of axis 0 is 0", x.index({Slice(0, 1, 0)}));
  EXPECT_ERROR("index: an index must be of integers, not f32",
               x.index({tensor({1.0f})}));
  EXPECT_ERROR("index: shapes cannot be broadcast: [2] x [3]",
               x.index({tensor({0, 1}), tensor({0, 1, 2})}));
  EXPECT_ERROR("index: dimension 0 of [0,4] has no element to index",
               zeros({0, 4}).index({tensor({0})}));
  EXPECT_EQ(zeros({0, 4}).index({zeros({0}, i64)}).shape(), (Shape{0, 4}));
  EXPECT_ERROR("index: the operand is an undefined tensor",
               Tensor().index({0}));
  EXPECT_ERROR("index: an index is an undefined tensor", x.index({Tensor()}));
  EXPECT_ERROR("index: a text can only be \"...\", not \"..\"",
               x.index({".."}));
}

TEST(At, Slices) {
  Tensor x = zeros({3, 4}, i32);
  EXPECT_EQ(ints(x.at({1}).set(7)),
            (std::vector<int>{0, 0, 0, 0, 7, 7, 7, 7, 0, 0, 0, 0}));
  EXPECT_EQ(
      ints(x.at({Slice(1, None), Slice(None, None, -3)}).set(tensor({1, 2}))),
      (std::vector<int>{0, 0, 0, 0, 2, 0, 0, 1, 2, 0, 0, 1}));
  EXPECT_EQ(ints(x.at({"...", -1}).add(tensor({1, 2, 3}))),
            (std::vector<int>{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}));
  EXPECT_EQ(ints(count({4}).at({Slice(1, 3)}).mul(10)),
            (std::vector<int>{0, 10, 20, 3}));
  EXPECT_EQ(ints(count({4}).at({}).max(2)), (std::vector<int>{2, 2, 2, 3}));
  EXPECT_EQ(ints(count({4}).at({Slice(4, 4)}).set(9)),
            (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(ints(scalar(3).at({}).set(4)), (std::vector<int>{4}));
  // x is as it was.
  EXPECT_EQ(ints(x), std::vector<int>(12, 0));
}

TEST(At, Tensors) {
  Tensor x = zeros({3}, i32), i = tensor({2, 0, 2, -1, 3, -4});
  Tensor v = tensor({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(ints(x.at({i}).set(v)), (std::vector<int>{2, 0, 4}));
  EXPECT_EQ(ints(x.at({i}).add(v)), (std::vector<int>{2, 0, 8}));
  EXPECT_EQ(ints((x + 1).at({i}).mul(v)), (std::vector<int>{2, 1, 12}));
  EXPECT_EQ(ints((x + 2).at({i}).min(v)), (std::vector<int>{2, 2, 1}));
  EXPECT_EQ(ints((x + 3).at({i}).max(v)), (std::vector<int>{3, 3, 4}));
  EXPECT_EQ(ints(zeros({2, 3}, i32)
                     .at({Slice(None, None, -1), tensor({0, 2})})
                     .set(tensor({{1, 2}, {3, 4}}))),
            (std::vector<int>{3, 0, 4, 1, 0, 2}));
  EXPECT_EQ(
      ints(zeros({4, 2}, i32).at({Slice(1, 3), None, tensor({1})}).add(5)),
      (std::vector<int>{0, 0, 0, 5, 0, 5, 0, 0}));
}

TEST(At, Errors) {
  Tensor x = zeros({3}, i32);
  EXPECT_ERROR("at: values of dtype f32 cannot be put into i32; convert with "
               "astype",
               x.at({0}).set(zeros({})));
  EXPECT_ERROR("at: the number 2.5 cannot be put into i32", x.at({0}).add(2.5));
  EXPECT_ERROR("at: a value of [2] does not fit into [3]",
               x.at({}).set(tensor({1, 2})));
  EXPECT_ERROR("at: index 3 is outside dimension 0 of [3]", x.at({3}).set(1));
  EXPECT_ERROR("at: dimension 0 of [0] has no element to index",
               zeros({0}).at({tensor({0})}).add(1));
  EXPECT_ERROR("at: i1 can be set, and take a minimum or maximum",
               (x > 0).at({0}).add(true));
}

TEST(At, ChangingIndicesDoNotRecompile) {
  Tensor x = count({7, 5});
  x.at({1, Slice(0, 2)}).set(3).eval();
  reset_compile_stats();
  for (int i = 2; i < 6; ++i)
    x.at({i, Slice(i - 2, i)}).set(i).eval();
  EXPECT_EQ(compile_stats().compilations, 0u);
}

TEST(Take, AlongAxes) {
  Tensor x = count({2, 3});
  EXPECT_EQ(ints(take(x, tensor({5, -6, 2}))), (std::vector<int>{5, 0, 2}));
  EXPECT_EQ(ints(take(x, tensor({2, -1}), 1)), (std::vector<int>{2, 2, 5, 5}));
  EXPECT_EQ(ints(take(x, scalar(1), -2)), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(ints(take_along_axis(x, tensor({{1, -1}, {0, 2}}), 1)),
            (std::vector<int>{1, 2, 3, 5}));
  EXPECT_EQ(ints(take_along_axis(x, tensor({{1}, {0}}), 1)),
            (std::vector<int>{1, 3}));
  EXPECT_EQ(ints(take_along_axis(x, tensor({{1, 0, 1}}), 0)),
            (std::vector<int>{3, 1, 5}));
  EXPECT_ERROR("take: axis 2 is outside [2,3]", take(x, tensor({0}), 2));
  EXPECT_ERROR("take_along_axis: indices [1] have another rank than [2,3]",
               take_along_axis(x, tensor({0}), 0));
  EXPECT_EQ(take(zeros({2, 0, 0, 3}), tensor({int64_t(5)}), -2).shape(),
            (Shape{2, 0, 1, 3}));
  EXPECT_ERROR("take: dimension 0 of [0] has no element to index",
               take(zeros({0}), tensor({int64_t(0)}), 0));
}

TEST(OneHot, CountsFromTheEnd) {
  EXPECT_EQ(one_hot(tensor({1, -1, 3, -4}), 3).to_vector<float>(),
            (std::vector<float>{0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(one_hot(scalar(0), 2, i1).to_vector<bool>(),
            (std::vector<bool>{true, false}));
  EXPECT_ERROR("one_hot: indices must be integers, not f32",
               one_hot(zeros({2}), 3));
}

TEST(Flip, ReversesAxes) {
  Tensor x = count({2, 3});
  EXPECT_EQ(ints(flip(x)), (std::vector<int>{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(ints(flip(x, -1)), (std::vector<int>{2, 1, 0, 5, 4, 3}));
  EXPECT_ERROR("flip: axis 2 is outside [2,3]", flip(x, 2));
}

TEST(Gather, TakesDimensionNumbers) {
  Tensor x = count({4, 5}), i = tensor({{2, 3}, {9, -9}});
  GatherNumbers points{{}, {0, 1}, {0, 1}, 1};
  EXPECT_EQ(ints(gather(x, i, points, {1, 1})), (std::vector<int>{13, 15}));
  GatherNumbers windows{{1, 2}, {}, {0, 1}, 1};
  EXPECT_EQ(ints(gather(x, i, windows, {1, 2})),
            (std::vector<int>{13, 14, 15, 16}));
  EXPECT_EQ(ints(scatter(zeros({2, 3}, i32), tensor({{1, 2}, {1, 2}, {2, 0}}),
                         tensor({1, 2, 4}), TENSORC_UPDATE_ADD, points)),
            (std::vector<int>{0, 0, 0, 0, 0, 3}));
  EXPECT_ERROR("gather: index vectors have 2 components for 1 dimensions",
               gather(x, i, {{1}, {0}, {0}, 1}, {1, 5}));
  EXPECT_ERROR("gather: a slice of 6 does not fit into dimension 1 of [4,5]",
               gather(x, i, windows, {1, 6}));
  EXPECT_ERROR("scatter: updates [2] do not fit to indices [2,2] into [4,5]",
               scatter(x, i, tensor({1, 2}), TENSORC_UPDATE_SET, windows));
}

TEST(Mask, Updates) {
  Tensor x = count({2, 3});
  EXPECT_EQ(ints(x.at({x > 3}).set(-1)),
            (std::vector<int>{0, 1, 2, 3, -1, -1}));
  EXPECT_EQ(ints(x.at({eq(mod(x, 2), 0)}).add(10)),
            (std::vector<int>{10, 1, 12, 3, 14, 5}));
  Tensor rows = tensor({false, true}), columns = tensor({true, false, true});
  EXPECT_EQ(ints(x.at({rows}).mul(tensor({1, 0, 2}))),
            (std::vector<int>{0, 1, 2, 3, 0, 10}));
  EXPECT_EQ(ints(x.at({Slice(), columns}).set(tensor({{7}, {8}}))),
            (std::vector<int>{7, 1, 7, 8, 4, 8}));
  EXPECT_EQ(ints(x.at({1, columns}).min(0)),
            (std::vector<int>{0, 1, 2, 0, 4, 0}));
  EXPECT_EQ(ints(x.at({"...", columns, None}).max(4)),
            (std::vector<int>{4, 1, 4, 4, 4, 5}));
  // An integer apart from the mask brings the mask's axis to the front.
  EXPECT_EQ(ints(count({1, 2, 2})
                     .at({0, Slice(), tensor({true, false})})
                     .set(tensor({{8, 9}}))),
            (std::vector<int>{8, 1, 9, 3}));
  // One of rank 0 is about all or nothing.
  EXPECT_EQ(ints(x.at({sum(x) > 3}).set(1)), (std::vector<int>(6, 1)));
  EXPECT_EQ(ints(x.at({sum(x) > 99}).set(1)), ints(x));
  EXPECT_EQ(zeros({0, 3}).at({zeros({0}, i1)}).set(1).shape(), (Shape{0, 3}));
}

TEST(Mask, Nonzero) {
  Tensor x = tensor({{0, 3, 0}, {5, 0, -6}});
  std::vector<Tensor> at = nonzero(x, 5, 9);
  EXPECT_EQ(at[0].to_vector<int64_t>(), (std::vector<int64_t>{0, 1, 1, 9, 9}));
  EXPECT_EQ(at[1].to_vector<int64_t>(), (std::vector<int64_t>{1, 0, 2, 9, 9}));
  EXPECT_EQ(nonzero(x, 2)[1].to_vector<int64_t>(),
            (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(ints(x.index({at[0], at[1]})).at(1), 5);
  EXPECT_EQ(nonzero(zeros({0, 2}), 2, -1)[1].to_vector<int64_t>(),
            (std::vector<int64_t>{-1, -1}));
  EXPECT_EQ(nonzero(x, 0)[0].shape(), Shape{0});
}

TEST(Mask, Select) {
  Tensor x = count({3, 2});
  EXPECT_EQ(ints(masked_select(x, x > 2, 4, -1)),
            (std::vector<int>{3, 4, 5, -1}));
  EXPECT_EQ(ints(masked_select(x, tensor({true, false, true}), 2)),
            (std::vector<int>{0, 1, 4, 5}));
  EXPECT_EQ(
      ints(masked_select(x, tensor({false, false, true}), 2, tensor({7, 8}))),
      (std::vector<int>{4, 5, 7, 8}));
  EXPECT_EQ(ints(masked_select(x, x > 0, 2)), (std::vector<int>{1, 2}));
  EXPECT_EQ(ints(masked_select(zeros({0, 2}, i32), zeros({0}, i1), 1, 3)),
            (std::vector<int>{3, 3}));
}

TEST(Mask, Errors) {
  Tensor x = count({2, 3}), mask = x > 3;
  EXPECT_ERROR("at: a mask of [3] does not fit to dimension 0 of [2,3]",
               x.at({tensor({true, true, true})}).set(0));
  EXPECT_ERROR("at: a value of [2,2] does not fit into [n], n for the true "
               "elements of the mask",
               x.at({mask}).set(tensor({{1, 2}, {3, 4}})));
  EXPECT_ERROR("at: a value of [2,2] does not fit into [n,3], n for the true "
               "elements of the mask",
               x.at({tensor({true, false})}).set(tensor({{1, 2}, {3, 4}})));
  // More than a mask can have is known at once.
  EXPECT_ERROR("at: a value of [7] does not fit into [n], n for the true "
               "elements of the mask",
               x.at({mask}).set(count({7})));
  EXPECT_ERROR("at: a boolean mask beside another index tensor; use nonzero",
               x.at({tensor({true, false}), tensor({0})}).set(0));
  EXPECT_ERROR("at: the number 1.5 cannot be put into i32",
               x.at({mask}).set(1.5));
  EXPECT_ERROR("at: i1 can be set, and take a minimum or maximum",
               mask.at({mask}).add(true));
  EXPECT_ERROR("nonzero: negative size -1", nonzero(x, -1));
  EXPECT_ERROR("nonzero: a scalar has no dimension that indices are along; "
               "reshape it to [1]",
               nonzero(scalar(1), 1));
  EXPECT_ERROR("nonzero: the operand is an undefined tensor",
               nonzero(Tensor(), 1));
  EXPECT_ERROR("masked_select: the mask is i32, not i1",
               masked_select(x, x, 1));
  EXPECT_ERROR("masked_select: a mask of [3] does not fit to the first "
               "dimensions of [2,3]",
               masked_select(x, tensor({true, true, true}), 1));
}

TEST(DynamicSlice, ReadsAndWrites) {
  Tensor x = count({3, 4}), i = scalar(1);
  EXPECT_EQ(ints(dynamic_slice(x, {i, i + 1}, {1, 2})),
            (std::vector<int>{6, 7}));
  EXPECT_EQ(ints(dynamic_slice(x, {9, -9}, {1, 2})), (std::vector<int>{8, 9}));
  EXPECT_EQ(ints(dynamic_slice(x, {i, 0}, {3, 1})),
            (std::vector<int>{0, 4, 8}));
  EXPECT_EQ(ints(dynamic_update_slice(x, tensor({{-1, -2}}), {i, 7})),
            (std::vector<int>{0, 1, 2, 3, 4, 5, -1, -2, 8, 9, 10, 11}));
  EXPECT_EQ(dynamic_slice(scalar(4), {}, {}).item<int>(), 4);
  EXPECT_ERROR(
      "dynamic_slice: a slice of 4 does not fit into dimension 0 of [3,4]",
      dynamic_slice(x, {0, 0}, {4, 1}));
  EXPECT_ERROR("dynamic_slice: 1 starts for [3,4]", dynamic_slice(x, {0}, {1}));
  EXPECT_ERROR("dynamic_slice: 1 starts for 2 sizes",
               dynamic_slice(x, {0}, {1, 1}));
  EXPECT_ERROR("dynamic_slice: a start is f32[], not one integer",
               dynamic_slice(x, {0, 0.5}, {1, 1}));
  EXPECT_ERROR("dynamic_slice: a start is i32[3], not one integer",
               dynamic_slice(x, {0, tensor({0, 1, 2})}, {1, 1}));
  EXPECT_ERROR("dynamic_update_slice: update has rank 1, the operand 2",
               dynamic_update_slice(x, count({5}), {0, 0}));
  EXPECT_ERROR("dynamic_update_slice: the update is f32, the operand i32",
               dynamic_update_slice(x, zeros({1, 1}), {0, 0}));
}

TEST(Mask, OneCompilationForManySizes) {
  auto used = [](int64_t n, int64_t k) {
    Tensor x = arange(n, i32), y = x.at({x > 3}).set(0);
    Tensor z = dynamic_slice(x, {k}, {2});
    return ints(concatenate({masked_select(x, eq(mod(x, 2), 1), k), y, z}, 0));
  };
  EXPECT_EQ(used(5, 3), (std::vector<int>{1, 3, 0, 0, 1, 2, 3, 0, 3, 4}));
  used(6, 9);
  reset_compile_stats();
  used(11, 7);
  used(8, 3);
  EXPECT_EQ(compile_stats().compilations, 0u);
}

TEST(Index, OneCompilationForManySizes) {
  auto gathered = [](int64_t n, int64_t k) {
    Tensor x = arange(n * 3, i32).reshape({n, 3});
    Tensor i = arange(k, i64) - 2;
    Tensor y = x.index({i});
    return ints(x.at({i}).add(y));
  };
  std::vector<int> first = gathered(5, 4);
  EXPECT_EQ(first[3 * 3], 18); // row -2 is 3, once
  gathered(6, 9);
  reset_compile_stats();
  gathered(11, 7);
  gathered(8, 3);
  EXPECT_EQ(compile_stats().compilations, 0u);
}
