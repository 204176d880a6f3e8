//===- PromotionTest.cpp - dtypes and shapes of mixed operands ------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

using namespace tensorc;

TEST(Promotion, ArrayApiTable) {
  struct {
    DType a, b, common;
  } table[] = {
      {i8, i16, i16},    {i32, i64, i64},  {ui8, ui32, ui32}, {i8, ui8, i16},
      {i16, ui8, i16},   {i8, ui16, i32},  {i32, ui32, i64},  {i64, ui32, i64},
      {f32, f64, f64},   {f16, f32, f32},  {bf16, f32, f32},  {f16, bf16, f32},
      {i1, i1, i1},      {i1, i8, i8},     {i1, f16, f16},    {i32, f32, f32},
      {i64, bf16, bf16}, {ui64, f32, f32}, {f64, i8, f64},
  };
  for (auto [a, b, common] : table) {
    EXPECT_EQ(promote(a, b), common) << name(a) << " " << name(b);
    EXPECT_EQ(promote(b, a), common) << name(b) << " " << name(a);
    EXPECT_EQ(where(zeros({2}, i1), zeros({2}, a), zeros({2}, b)).dtype(),
              common);
  }
  EXPECT_NE(errorOf([] { promote(ui64, i8); }), "no error");
}

TEST(Promotion, NumbersTakeTheTensorsDType) {
  EXPECT_EQ((zeros({2}, bf16) * 2.5).dtype(), bf16);
  EXPECT_EQ((zeros({2}, i8) + 1).dtype(), i8);
  EXPECT_EQ((1 + zeros({2}, f64)).dtype(), f64);
  EXPECT_EQ((zeros({2}, i8) + true).dtype(), i8);
  // A number of a higher kind decides.
  EXPECT_EQ((zeros({2}, i64) * 2.5).dtype(), f32);
  EXPECT_EQ((zeros({2}, i1) + 1).dtype(), i32);
  EXPECT_EQ((zeros({2}, f32) < 1).dtype(), i1);
  // All operands count before numbers do.
  EXPECT_EQ(where(zeros({2}, i1), 1, zeros({2}, f16)).dtype(), f16);
}

TEST(Promotion, Broadcasts) {
  EXPECT_EQ((zeros({3, 1}) + zeros({4})).shape(), (Shape{3, 4}));
  EXPECT_EQ((zeros({5, 1, 4}) + zeros({3, 1})).shape(), (Shape{5, 3, 4}));
  EXPECT_EQ((zeros({}) + zeros({2})).shape(), (Shape{2}));
  EXPECT_EQ((zeros({0, 3}) + zeros({1, 3})).shape(), (Shape{0, 3}));
  Tensor x = tensor({{1}, {2}}) + tensor({10, 20});
  EXPECT_EQ(x.to_vector<int>(), (std::vector<int>{11, 21, 12, 22}));
  Tensor p = tensor({{true}, {false}});
  EXPECT_EQ(where(p, tensor({1, 2}), 0.5).to_vector<float>(),
            (std::vector<float>{1, 2, 0.5, 0.5}));
}
