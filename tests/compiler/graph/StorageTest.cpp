//===- StorageTest.cpp - f8 and 4-bit integers in the C++ interface -------===//

#include "tests/compiler/graph/ErrorOf.h"
#include "tests/compiler/graph/Printed.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tensorc;
using Bytes = std::vector<uint8_t>;

namespace {
template <typename T> Bytes bitsOf(const std::vector<T> &values) {
  Bytes bits;
  for (T value : values)
    bits.push_back(value.bits);
  return bits;
}
} // namespace

TEST(Storage, F8) {
  Tensor x = tensor({1.0f, -0.5f, 464.0f, 465.0f, NAN, 0.001f});
  Tensor a = x.astype(f8e4m3fn), b = x.astype(f8e5m2);
  EXPECT_EQ(bitsOf(a.to_vector<float8_e4m3fn>()),
            (Bytes{0x38, 0xb0, 0x7e, 0x7f, 0x7f, 0x01}));
  EXPECT_EQ(printed(a), "tensor([1.0, -0.5, 448.0, nan, nan, 0.00195312], "
                        "dtype=f8E4M3FN)");
  EXPECT_EQ(bitsOf(b.to_vector<float8_e5m2>()),
            (Bytes{0x3c, 0xb8, 0x5f, 0x5f, 0x7e, 0x14}));
  EXPECT_EQ(transpose(reshape(a, {2, 3})).to_bytes(),
            (Bytes{0x38, 0x7f, 0xb0, 0x7f, 0x7e, 0x01}));
  EXPECT_EQ(bitcast(a, ui8).to_vector<uint8_t>()[1], 0xb0);
  EXPECT_EQ(bitcast(bitcast(b, i16), f8e5m2).to_bytes(), b.to_bytes());
  EXPECT_EQ(full({3}, 2, f8e5m2).to_bytes(), (Bytes{0x40, 0x40, 0x40}));
  EXPECT_EQ(from_data(a.to_vector<float8_e4m3fn>().data(), {6}).to_bytes(),
            a.to_bytes());
}

TEST(Storage, Nibbles) {
  Tensor x = tensor({-8, 7, -1, 8, 3}).astype(i4);
  EXPECT_EQ(x.dtype(), i4);
  EXPECT_EQ(printed(x), "tensor([-8, 7, -1, -8, 3], dtype=i4)");
  EXPECT_EQ(x.to_bytes(), (Bytes{0x78, 0x8f, 0x03}));
  Tensor u = tensor({1.5f, -2.0f, 99.0f}).astype(ui4);
  EXPECT_EQ(printed(u), "tensor([1, 0, 15], dtype=ui4)");
  // The nibble behind an odd number is not looked at.
  Tensor y = from_bytes(i4, {3}, Bytes{0x21, 0xf7}.data());
  EXPECT_EQ(y.astype(i32).to_vector<int>(), (std::vector<int>{1, 2, 7}));
  EXPECT_EQ(y.to_bytes(), (Bytes{0x21, 0xf7}));
  EXPECT_EQ(concatenate({x, y}).to_bytes(), (Bytes{0x78, 0x8f, 0x13, 0x72}));
  EXPECT_EQ(bitcast(x, ui4).astype(ui8).to_vector<uint8_t>(),
            (Bytes{8, 7, 15, 8, 3}));
  EXPECT_EQ(full({3}, -2, i4).to_bytes(), (Bytes{0xee, 0x0e}));
  EXPECT_EQ(zeros({0, 3}, ui4).to_bytes(), Bytes());
  EXPECT_EQ(slice(x, {{4, 5, 1}}).item<int>(), 3);
}

TEST(Storage, StridedNibbles) {
  Bytes data{0x10, 0x32, 0x54};
  int64_t dims[] = {2, 3}, strides[] = {1, 2};
  tensorc_tensor *out = nullptr;
  ASSERT_EQ(tensorc_from_data(TENSORC_UI4, 2, dims, data.data(), strides,
                              {nullptr, 0}, &out),
            nullptr);
  Tensor x = Tensor::take(out);
  EXPECT_EQ(x.astype(ui8).to_vector<uint8_t>(), (Bytes{0, 2, 4, 1, 3, 5}));
}

// The weights of a product, unpacked as they are read.
TEST(Storage, QuantizedProduct) {
  Tensor x = arange(6, i32).astype(f32).reshape({2, 3});
  Tensor w = (arange(12, i32).reshape({3, 4}) - 6).astype(i4);
  w.eval();
  Tensor scale = tensor({0.5f, 1.0f, 2.0f, 0.25f});
  EXPECT_EQ(matmul(x, w.astype(f32) * scale).to_vector<float>(),
            matmul(x, (arange(12, i32).reshape({3, 4}) - 6).astype(f32) * scale)
                .to_vector<float>());
}

TEST(Storage, ProductsOfF8AreF32) {
  Tensor x = tensor({1.0f, -2.0f, 0.5f, 448.0f, 0.0625f, 3.0f}).reshape({2, 3});
  Tensor a = x.astype(f8e4m3fn), b = x.astype(f8e5m2);
  Tensor product = matmul(a, b.transpose());
  EXPECT_EQ(product.dtype(), f32);
  EXPECT_EQ(
      product.to_vector<float>(),
      matmul(a.astype(f32), b.astype(f32).transpose()).to_vector<float>());
  EXPECT_NE(errorOf([&] {
              matmul(a, x.transpose());
            }).find("no common number dtype of f8E4M3FN and f32"),
            std::string::npos);
}

TEST(Storage, IsNotComputedWith) {
  Tensor a = zeros({4}, f8e5m2), n = zeros({4}, i4);
  auto refused = [](auto fn) { return errorOf(fn); };
  EXPECT_NE(refused([&] { a + a; })
                .find("add: dtype must be a number, not "
                      "f8E5M2; convert with astype"),
            std::string::npos);
  EXPECT_NE(refused([&] {
              a + zeros({4});
            }).find("no common dtype of f8E5M2 and f32; convert with astype"),
            std::string::npos);
  EXPECT_NE(
      refused([&] { sum(n); }).find("sum: i4 is storage; convert with astype"),
      std::string::npos);
  EXPECT_NE(refused([&] { sort(a); }).find("sort: f8E5M2 is storage"),
            std::string::npos);
  EXPECT_NE(refused([&] {
              bitcast(n, i8);
            }).find("elements of i4 are not whole bytes"),
            std::string::npos);
  EXPECT_NE(refused([&] { full({2}, 9, i4); }).find("value 9 is outside i4"),
            std::string::npos);
}
