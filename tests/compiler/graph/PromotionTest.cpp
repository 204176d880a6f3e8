//===- PromotionTest.cpp - dtypes and shapes of mixed operands ------------===//

#include "tensorc/precision.hpp"
#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

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

TEST(Promotion, MatmulPrecision) {
  // A step of f32, of tf32 and of bf16 above 1.
  Tensor x = tensor({1 + 0x1p-23f, 1 + 0x1p-10f, 1 + 0x1p-7f});
  Tensor y =
      tensor({{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}});
  auto product =
      jit([](const Tensor &x, const Tensor &y) { return matmul(x, y); });
  struct {
    const char *name;
    std::vector<float> values;
  } expected[] = {{"highest", {1 + 0x1p-23f, 1 + 0x1p-10f, 1 + 0x1p-7f}},
                  {"tf32", {1, 1 + 0x1p-10f, 1 + 0x1p-7f}},
                  {"bf16", {1, 1, 1 + 0x1p-7f}}};
  for (auto &[name, values] : expected) {
    MatmulPrecision scope(name);
    EXPECT_EQ(matmul(x, y).to_vector<float>(), values) << name;
    // What was traced in another precision is traced again.
    EXPECT_EQ(product(x, y).to_vector<float>(), values) << name;
    EXPECT_EQ(matmul(x, y).dtype(), f32);
    // Other dtypes stay.
    EXPECT_EQ(matmul(astype(x, f64), astype(y, f64)).to_vector<double>()[0],
              1 + 0x1p-23);
    std::thread([&] {
      EXPECT_STREQ(tensorc_matmul_precision(), "highest");
    }).join();
  }
  EXPECT_STREQ(tensorc_matmul_precision(), "highest");
  std::string error = errorOf([] { MatmulPrecision scope("f8"); });
  EXPECT_NE(error.find("\"f8\" is not \"highest\", \"tf32\" or \"bf16\""),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("PromotionTest.cpp:"), std::string::npos) << error;
}

TEST(Promotion, RoundsToTF32AsToEven) {
  float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  // Halfway: to even, down and up. Past the largest number. Subnormal. NaN with
  // all bits set.
  float all;
  uint32_t ones = 0x7FFFFFFF;
  std::memcpy(&all, &ones, sizeof all);
  Tensor x = tensor({1 + 0x1p-11f, 1 + 0x3p-11f, 0x1.fffffep127f, -inf,
                     0x1.8p-137f, nan, all, -0.0f});
  MatmulPrecision scope("tf32");
  std::vector<float> y =
      matmul(reshape(x, {8, 1}), ones_like(zeros({1, 1}))).to_vector<float>();
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 1 + 0x1p-9f);
  EXPECT_EQ(y[2], inf);
  EXPECT_EQ(y[3], -inf);
  EXPECT_EQ(y[4], 0x1p-136f);
  EXPECT_TRUE(std::isnan(y[5]));
  EXPECT_TRUE(std::isnan(y[6]));
  EXPECT_EQ(y[7], 0);
}

TEST(Promotion, DefaultDType) {
  EXPECT_EQ(default_dtype(), f32);
  auto half = jit([](const Tensor &x) { return x * 0.5; });
  Tensor x = arange(3);
  EXPECT_EQ(half(x).dtype(), f32);
  {
    DefaultDType scope(f64);
    EXPECT_EQ(zeros({2}).dtype(), f64);
    EXPECT_EQ(full({2}, 0.5, TensorOptions()).dtype(), f64);
    EXPECT_EQ(linspace(0, 1, 3).dtype(), f64);
    EXPECT_EQ(eye(2).dtype(), f64);
    EXPECT_EQ(arange(2.5).dtype(), f64);
    EXPECT_EQ(randn(random_key(0), {2}).dtype(), f64);
    EXPECT_EQ((x * 0.1).to_vector<double>()[1], 0.1);
    EXPECT_EQ((x * std::complex<double>(0, 1)).dtype(), c128);
    EXPECT_EQ((zeros({2}, f32) * 0.1).dtype(), f32);
    EXPECT_EQ(angle(x).dtype(), f64);
    EXPECT_EQ(rfft(x).dtype(), c128);
    // What was traced under another default is traced again.
    EXPECT_EQ(half(x).dtype(), f64);
    {
      DefaultDType inner(f32);
      EXPECT_EQ(zeros({2}).dtype(), f32);
    }
    std::thread([] { EXPECT_EQ(zeros({2}).dtype(), f32); }).join();
  }
  EXPECT_EQ(half(x).dtype(), f32);
  set_default_dtype(f64);
  std::thread([] { EXPECT_EQ(zeros({2}).dtype(), f64); }).join();
  set_default_dtype(f32);
  std::string error = errorOf([] { set_default_dtype(bf16); });
  EXPECT_NE(error.find("the default dtype is f32 or f64, not bf16"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("PromotionTest.cpp:"), std::string::npos) << error;
}

TEST(Promotion, GradientsOfMatmulPrecision) {
  Tensor x = tensor({{1 + 0x1p-9f, 2.0f}}), y = tensor({{1 + 0x1p-9f}, {3.0f}});
  MatmulPrecision scope("bf16");
  auto loss = [&](const Tensor &x) { return sum(matmul(x, y)); };
  EXPECT_EQ(loss(x).item<float>(), 7);
  EXPECT_EQ(grad(loss)(x).to_vector<float>(), (std::vector<float>{1, 3}));
  EXPECT_EQ(grad(loss)(x).dtype(), f32);
  MatmulPrecision inner("tf32");
  EXPECT_EQ(grad(loss)(x).to_vector<float>(),
            (std::vector<float>{1 + 0x1p-9f, 3}));
  // x y is 7: 6 x y of the sum of y, times y.
  Tensor two = tensor({{1.0f, 2.0f}});
  auto cube = [&](const Tensor &x) { return sum(pow(matmul(x, y), 3.0f)); };
  auto slope = [&](const Tensor &x) { return sum(grad(cube)(x)); };
  MatmulPrecision outer("highest");
  std::vector<float> expected = grad(slope)(two).to_vector<float>();
  MatmulPrecision again("tf32");
  EXPECT_EQ(grad(slope)(two).to_vector<float>(), expected);
}
