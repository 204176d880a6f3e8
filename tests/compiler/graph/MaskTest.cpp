//===- MaskTest.cpp - x[mask], nonzero(x): counted when asked for ---------===//

#include "tests/compiler/graph/Counted.h"
#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/custom.hpp"
#include "tensorc/grad.hpp"
#include "tensorc/tape.hpp"
#include "tensorc/vmap.hpp"

#include <gtest/gtest.h>

using namespace tensorc;

TEST(Mask, ReadsAsManyAsThereAre) {
  Tensor x = count({3, 4});
  EXPECT_EQ(ints(x.index({x > 6})), (std::vector<int>{7, 8, 9, 10, 11}));
  EXPECT_EQ(ints(masked_select(x, mod(x, 5) == 0)),
            (std::vector<int>{0, 5, 10}));
  Tensor rows = tensor({true, false, true}),
         columns = tensor({true, false, false, true});
  EXPECT_EQ(x.index({rows}).shape(), (Shape{2, 4}));
  EXPECT_EQ(ints(x.index({Slice(), columns})),
            (std::vector<int>{0, 3, 4, 7, 8, 11}));
  EXPECT_EQ(ints(x.index({rows, 1})), (std::vector<int>{1, 9}));
  EXPECT_EQ(x.index({None, rows, Slice(1, 3)}).shape(), (Shape{1, 2, 2}));
  // A mask counts as an index tensor beside others.
  EXPECT_EQ(ints(x.index({rows, tensor({3, 0})})), (std::vector<int>{3, 8}));
  Tensor cube = count({2, 3, 4});
  EXPECT_EQ(cube.index({Slice(), x > 9}).shape(), (Shape{2, 2}));
  EXPECT_EQ(ints(cube.index({"...", columns, None})).size(), 12u);
  // None, all, and of nothing.
  EXPECT_EQ(x.index({x > 99}).shape(), Shape{0});
  EXPECT_EQ(x.index({x >= 0}).shape(), Shape{12});
  EXPECT_EQ(zeros({0, 4}).index({zeros({0}, i1)}).shape(), (Shape{0, 4}));
  EXPECT_EQ(zeros({2, 0}).index({tensor({true, false})}).shape(),
            (Shape{1, 0}));
  Tensor many = arange(70001, i64);
  EXPECT_EQ(sum(masked_select(many, mod(many, 7) == 3)).item<int64_t>(),
            int64_t(10000) * 3 + 7 * int64_t(9999) * 10000 / 2);
}

TEST(Mask, NonzeroOfAll) {
  Tensor x = tensor({{0, 3, 0}, {4, 0, 5}});
  std::vector<Tensor> at = nonzero(x);
  ASSERT_EQ(at.size(), 2u);
  EXPECT_EQ(at[1].to_vector<int64_t>(), (std::vector<int64_t>{1, 0, 2}));
  EXPECT_EQ(at[0].to_vector<int64_t>(), (std::vector<int64_t>{0, 1, 1}));
  EXPECT_EQ(nonzero(zeros({0, 2}))[1].shape(), Shape{0});
  EXPECT_EQ(ints(x.index({at[0], at[1]})), (std::vector<int>{3, 4, 5}));
  EXPECT_ERROR("nonzero: a scalar has no dimension that indices are along; "
               "reshape it to [1]",
               nonzero(scalar(1)));
  EXPECT_ERROR("nonzero: the operand is an undefined tensor",
               nonzero(Tensor()));
}

/// What asks for neither a size nor a value runs nothing.
TEST(Mask, IsCountedWhenAskedFor) {
  Tensor x = (count({5}) + 1).eval(), mask = x > 2;
  reset_compile_stats();
  Tensor some = x.index({mask}), copy = some;
  EXPECT_EQ(some.dtype(), DType::i32);
  EXPECT_EQ(some.rank(), 1);
  EXPECT_FALSE(some.is_evaluated());
  EXPECT_FALSE(mask.is_evaluated());
  EXPECT_EQ(compile_stats().compilations, 0u);
  EXPECT_EQ(some.shape(), Shape{3});
  EXPECT_FALSE(copy.is_evaluated());
  EXPECT_EQ(ints(copy), (std::vector<int>{3, 4, 5}));
  EXPECT_TRUE(some.is_evaluated());
  // It is that of what the variables were.
  Tensor later = x[x > 2];
  x[x > 3] = 0;
  EXPECT_EQ(ints(later), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(ints(x[x > 0]), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(ints(x[x > 0] * 2), (std::vector<int>{2, 4, 6}));
}

/// A trace does not know a count, but of a mask from outside.
TEST(Mask, InTraces) {
  Tensor x = tensor({1.0f, -2.0f, 3.0f}), mask = x > 0;
  EXPECT_ERROR("index: how many elements a mask selects is not known while jit "
               "traces a function; give masked_select or nonzero a size, or "
               "choose with where",
               jit([](const Tensor &x) { return sum(x[x > 0]); })(x));
  EXPECT_ERROR(
      "nonzero: how many elements a mask selects is not known while "
      "grad traces a function; give masked_select or nonzero a size, "
      "or choose with where",
      grad([](const Tensor &x) { return sum(nonzero(x)[0] * x[0]); })(x));
  auto f = [&](const Tensor &x) { return sum(square(x.index({mask}))); };
  EXPECT_EQ(jit(f)(x).item<float>(), 10);
  EXPECT_EQ(grad(f)(x).to_vector<float>(), (std::vector<float>{2, 0, 6}));
  // An argument of a function is as large as it is.
  auto total = jit([](const Tensor &x) { return sum(x); });
  EXPECT_EQ(total(x[x > 0]).item<float>(), 4);
  EXPECT_EQ(total(x[x < 0]).item<float>(), -2);
}

/// With a size there is a gradient and a batch of everything.
TEST(Mask, SelectHasAGradientAndABatch) {
  auto f = [](const Tensor &x) {
    return sum(square(masked_select(x, x > 0, 2)));
  };
  Tensor x = tensor({{1.0f, -2.0f, 3.0f}, {-1.0f, 4.0f, -5.0f}});
  EXPECT_EQ(vmap(f)(x).to_vector<float>(), (std::vector<float>{10, 16}));
  EXPECT_EQ(vmap(grad(f))(x).to_vector<float>(),
            (std::vector<float>{2, 0, 6, 0, 8, 0}));
  auto at = vmap([](const Tensor &x) { return nonzero(x > 0, 2, 9)[0]; })(x);
  EXPECT_EQ(at.to_vector<int64_t>(), (std::vector<int64_t>{0, 2, 1, 9}));
}

/// A tape sees the elements that host code picks.
TEST(Mask, OnATape) {
  Tensor x = tensor({1.0f, -2.0f, 3.0f});
  Tape tape;
  tape.watch(x);
  Tensor some = x.index({x > 0});
  Tensor loss = sum(square(some)) * static_cast<float>(some.size(0));
  EXPECT_EQ(tape.gradient(loss, x).to_vector<float>(),
            (std::vector<float>{4, 0, 12}));
}

/// The error of what the mask is made of.
TEST(Mask, FailsAsItsMaskDoes) {
  Tensor x = tensor({1.0f, -1.0f}), bad = check_numerics(log(x), "the logs");
  Tensor some = x.index({bad > 0});
  EXPECT_NE(errorOf([&] { some.shape(); }).find("the logs"), std::string::npos);
  EXPECT_NE(errorOf([&] { some.eval(); }).find("the logs"), std::string::npos);
  // A device that works asynchronously tells it whoever waits for a value.
  EXPECT_NE(errorOf([&] { (some + 1).to_vector<float>(); }).find("the logs"),
            std::string::npos);
}

TEST(Mask, CountsDoNotCompileAgain) {
  auto some = [](int64_t n) {
    Tensor x = Tensor(arange(200, f32)).eval();
    return sum(square(masked_select(x, x < float(n)))).item<float>();
  };
  some(3);
  reset_compile_stats();
  for (int64_t n = 4; n < 104; ++n)
    EXPECT_NEAR(some(n), (n - 1) * n * (2 * n - 1) / 6.0, n);
  EXPECT_LE(compile_stats().compilations, 2u);
}

/// x[mask] = values: in order, a value for each true element.
TEST(Mask, TakesAValueForEachPlace) {
  Tensor x = count({3, 4});
  x[x > 6] = tensor({-1, -2, -3, -4, -5});
  EXPECT_EQ(ints(x),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5}));
  Tensor rows = tensor({true, false, true}),
         columns = tensor({true, false, false, true});
  x = count({3, 4});
  EXPECT_EQ(ints(x.at({rows}).set(-count({2, 4}))),
            (std::vector<int>{0, -1, -2, -3, 4, 5, 6, 7, -4, -5, -6, -7}));
  EXPECT_EQ(ints(x.at({Slice(), columns}).set(tensor({-1, -2}))),
            (std::vector<int>{-1, 1, 2, -2, -1, 5, 6, -2, -1, 9, 10, -2}));
  EXPECT_EQ(
      ints(
          x.at({Slice(), columns}).add(tensor({{10, 20}, {30, 40}, {50, 60}}))),
      (std::vector<int>{10, 1, 2, 23, 34, 5, 6, 47, 58, 9, 10, 71}));
  EXPECT_EQ(ints(x.at({rows, 1}).set(tensor({-1, -2}))),
            (std::vector<int>{0, -1, 2, 3, 4, 5, 6, 7, 8, -2, 10, 11}));
  // A mask of two dims behind one, and NumPy's axis in front.
  Tensor cube = count({2, 2, 2}), two = tensor({{true, false}, {false, true}});
  EXPECT_EQ(ints(cube.at({Slice(), two}).set(tensor({{-1, -2}, {-3, -4}}))),
            (std::vector<int>{-1, 1, 2, -2, -3, 5, 6, -4}));
  EXPECT_EQ(ints(cube.at({0, Slice(), tensor({true, true})})
                     .set(tensor({{-1, -2}, {-3, -4}}))),
            (std::vector<int>{-1, -3, -2, -4, 4, 5, 6, 7}));
  // Of one value for all, of none, and from another dtype.
  EXPECT_EQ(ints(x.at({rows}).set(tensor({{-1}, {-2}}))),
            (std::vector<int>{-1, -1, -1, -1, 4, 5, 6, 7, -2, -2, -2, -2}));
  EXPECT_EQ(ints(x.at({x > 99}).set(zeros({0}, i32))), ints(x));
  EXPECT_EQ(zeros({0}).at({zeros({0}, i1)}).set(zeros({0})).shape(), Shape{0});
  Tensor y = tensor({1.5f, 2.5f, 3.5f});
  y[y > 2] = tensor({7, 8});
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{1.5f, 7, 8}));
  Tensor many = arange(70001, i64), sevens = mod(many, 7) == 3;
  many[sevens] = arange(10000, i64);
  EXPECT_EQ(many[10 * 7 + 3].item<int64_t>(), 10);
  EXPECT_EQ(sum(many[sevens]).item<int64_t>(), int64_t(9999) * 5000);
}

/// One value suits a mask without elements, too.
TEST(Mask, TakesOneValueForNoPlace) {
  Tensor none = zeros({0}, i1), x = ones({2, 0, 3});
  EXPECT_EQ(x.at({Slice(), none}).set(scalar(2.0f)).shape(), (Shape{2, 0, 3}));
  EXPECT_EQ(x.at({Slice(), none}).mul(ones({1, 3})).shape(), (Shape{2, 0, 3}));
}

/// What is too many or too few is told when the result is read.
TEST(Mask, CountsTheValuesWhenRead) {
  Tensor x = count({4}), y = x.at({x > 1}).set(tensor({7, 8, 9}));
  EXPECT_EQ(y.shape(), Shape{4});
  EXPECT_NE(errorOf([&] { y.to_vector<int>(); })
                .find("x[mask] = values: 3 values for the 2 true elements of "
                      "the mask"),
            std::string::npos);
  y = x.at({x > 9}).set(tensor({7, 8}));
  EXPECT_NE(errorOf([&] { y.to_vector<int>(); }).find("2 values for the 0 "),
            std::string::npos);
  y = x.at({x > 0}).set(zeros({0}, i32));
  EXPECT_NE(errorOf([&] { y.to_vector<int>(); }).find("0 values for the 3 "),
            std::string::npos);
}

/// The count of a trace is that of its run; gradients flow to both.
TEST(Mask, TakesValuesInTraces) {
  auto f = [](const Tensor &x, const Tensor &v) {
    Tensor y = x;
    y[x > 0] = v * 2;
    return y;
  };
  Tensor x = tensor({1.0f, -2.0f, 3.0f}), v = tensor({5.0f, 7.0f});
  auto g = jit(f);
  EXPECT_EQ(g(x, v).to_vector<float>(), (std::vector<float>{10, -2, 14}));
  EXPECT_EQ(g(-x, v.index({Slice(0, 1)})).to_vector<float>(),
            (std::vector<float>{-1, 10, -3}));
  EXPECT_NE(errorOf([&] {
              g(-x, v).to_vector<float>();
            }).find("2 values for the 1 true elements"),
            std::string::npos);
  auto [ofX, ofV] = grad(
      [&](const Tensor &x, const Tensor &v) { return sum(square(f(x, v))); },
      argnums<0, 1>)(x, v);
  EXPECT_EQ(ofX.to_vector<float>(), (std::vector<float>{0, -4, 0}));
  EXPECT_EQ(ofV.to_vector<float>(), (std::vector<float>{40, 56}));
}

TEST(Mask, ReadErrors) {
  Tensor x = count({2, 3});
  EXPECT_ERROR("index: a mask of [3] does not fit to dimension 0 of [2,3]",
               x.index({tensor({true, false, true})}));
  EXPECT_ERROR("index: a mask of rank 0 has no dimension to select from",
               x.index({scalar(true)}));
  EXPECT_ERROR("index: index 3 is outside dimension 1 of [2,3]",
               x.index({tensor({true, false}), 3}));
  EXPECT_ERROR("index: one mask at most can be an index; use nonzero",
               x.index({tensor({true, false}), tensor({true, false, true})}));
  EXPECT_ERROR("masked_select: the mask is i32, not i1", masked_select(x, x));
  EXPECT_ERROR("masked_select: the operand is an undefined tensor",
               masked_select(Tensor(), x > 1));
}
