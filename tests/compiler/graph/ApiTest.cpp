//===- ApiTest.cpp - The C++ interface: values, operators, printing -------===//

#include "tests/compiler/graph/ErrorOf.h"
#include "tests/compiler/graph/Printed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

using namespace tensorc;

TEST(Api, AddsMultipliesExponentiates) {
  Tensor x = tensor({0.0f, 1.0f, 2.0f});
  Tensor y = exp(x * 2 + 1);
  EXPECT_FALSE(y.is_evaluated());
  std::vector<float> values = y.to_vector<float>();
  EXPECT_TRUE(y.is_evaluated());
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(values[i], std::exp(2.0f * i + 1), 1e-4 * values[i]);
}

TEST(Api, Operators) {
  Tensor x = tensor({6, 3}), y = tensor({2, 3});
  EXPECT_EQ((x + y).to_vector<int>(), (std::vector<int>{8, 6}));
  EXPECT_EQ((x - y).to_vector<int>(), (std::vector<int>{4, 0}));
  EXPECT_EQ((x * y).to_vector<int>(), (std::vector<int>{12, 9}));
  EXPECT_EQ((x / y).to_vector<int>(), (std::vector<int>{3, 1}));
  EXPECT_EQ((-x).to_vector<int>(), (std::vector<int>{-6, -3}));
  EXPECT_EQ((10 - x).to_vector<int>(), (std::vector<int>{4, 7}));
  EXPECT_EQ((x == y).to_vector<bool>(), (std::vector<bool>{false, true}));
  EXPECT_EQ((x != y).to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ((x > y).to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ((x <= 3).to_vector<bool>(), (std::vector<bool>{false, true}));
  EXPECT_EQ(((x > 1) & ~(y == 2)).to_vector<bool>(),
            (std::vector<bool>{false, true}));
  EXPECT_EQ(where(x > y, x, 0).to_vector<int>(), (std::vector<int>{6, 0}));
}

TEST(Api, Creates) {
  EXPECT_EQ(zeros({2}).to_vector<float>(), (std::vector<float>{0, 0}));
  EXPECT_EQ(ones({2}, i64).to_vector<int64_t>(), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(full({2}, 2.5).to_vector<float>(), (std::vector<float>{2.5, 2.5}));
  EXPECT_EQ(arange(3).to_vector<int64_t>(), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(arange(1, 2, 0.25).to_vector<float>(),
            (std::vector<float>{1, 1.25, 1.5, 1.75}));
  EXPECT_EQ(arange(5, 0, -2, i32).to_vector<int>(),
            (std::vector<int>{5, 3, 1}));
  EXPECT_EQ(arange(0).shape(), (Shape{0}));
  EXPECT_EQ(linspace(0, 1, 5).to_vector<float>(),
            (std::vector<float>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(linspace(0, 0.3, 4).to_vector<float>().back(), 0.3f);
  EXPECT_EQ(eye(2).to_vector<float>(), (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(eye(2, 3, 1, i32).to_vector<int>(),
            (std::vector<int>{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(scalar(3).item<int>(), 3);
}

TEST(Api, TakesStridedData) {
  std::vector<int> values(12);
  std::iota(values.begin(), values.end(), 0);
  // The transpose of a 3x4 array, and its rows in reverse.
  Tensor t = from_strided(values.data(), {4, 3}, {1, 4});
  EXPECT_EQ(t.to_vector<int>(),
            (std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  Tensor r = from_strided(values.data() + 8, {3, 4}, {-4, 1});
  EXPECT_EQ(r.to_vector<int>(),
            (std::vector<int>{8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3}));
}

TEST(Api, UsesMemoryInPlace) {
  auto *data = static_cast<float *>(std::aligned_alloc(64, 64));
  data[0] = 1, data[1] = 2;
  int deleted = 0;
  // A simulated GPU's memory is its own: there the data is copied.
  bool copies = default_device().name.starts_with("sim");
  {
    Tensor x = from_memory(data, {2}, [&](float *p) {
      ++deleted;
      std::free(p);
    });
    EXPECT_EQ(deleted, copies ? 1 : 0);
    EXPECT_EQ((x + x).to_vector<float>(), (std::vector<float>{2, 4}));
  }
  EXPECT_EQ(deleted, 1);
  // NumPy aligns to 16 bytes; kernels read whole elements anywhere.
  alignas(64) static float memory[3] = {0, 1, 2};
  Tensor y = from_memory(memory + 1, {2}, [&](float *) { ++deleted; });
  EXPECT_EQ(deleted, copies ? 2 : 1);
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_EQ((y * 2).to_vector<float>(), (std::vector<float>{2, 4}));
  y = Tensor();
  EXPECT_EQ(deleted, 2);
  // Within an element: copied, and let go of at once.
  auto *within =
      reinterpret_cast<float *>(reinterpret_cast<char *>(memory) + 2);
  Tensor z = from_memory(within, {2}, [&](float *) { ++deleted; });
  EXPECT_EQ(deleted, 3);
}

/// Bytes of the device that a tensor over the memory takes.
template <typename Make> static uint64_t allocatedBy(Make make) {
  tensorc_rt_device *device = nullptr;
  EXPECT_EQ(tensorc_runtime_device(&device), nullptr);
  tensorc_rt_memory_stats before, after;
  tensorc_rt_device_memory(device, &before);
  Tensor held = make();
  tensorc_rt_device_memory(device, &after);
  return after.allocations - before.allocations;
}

TEST(Api, UsesStridedMemoryInPlace) {
  bool copies = default_device().name.starts_with("sim");
  static int values[24 * 1024 * 32];
  for (int i = 0; i < 24 * 1024 * 32; ++i)
    values[i] = i;
  struct {
    int64_t first;
    Shape shape, strides;
    bool inPlace;
  } cases[] = {
      {0, {4, 6}, {6, 1}, true},               // dense
      {0, {6, 4}, {1, 6}, true},               // Fortran's order
      {0, {2, 3, 4}, {1, 2, 6}, true},         // a permutation
      {23, {4, 6}, {-6, -1}, true},            // backwards
      {5, {4, 6}, {6, -1}, true},              // rows backwards
      {3, {4, 5}, {0, 1}, true},               // repeated rows
      {0, {3, 1, 2}, {2, 77, 1}, true},        // the stride of one element
      {1, {4, 5}, {6, 1}, false},              // a part of a small matrix
      {0, {8}, {3}, false},                    // every third of a few
      {0, {5, 3}, {1, 1}, false},              // windows that overlap
      {0, {2, 2}, {5, 2}, false},              // 5 is not a multiple of 2
      {7, {24 * 1024 - 1, 17}, {32, 1}, true}, // a part of a large matrix
      {2, {24 * 1024, 10}, {32, 3}, false},    // and 32 of 3
      {31, {24 * 1024, 16}, {32, -2}, true},   // every second, backwards
  };
  for (auto &[first, shape, strides, inPlace] : cases) {
    int deleted = 0;
    int *data = values + first;
    auto make = [&] {
      return from_memory(data, shape, strides, [&](int *p) {
        EXPECT_EQ(p, data);
        ++deleted;
      });
    };
    EXPECT_EQ(allocatedBy(make), copies || !inPlace) << first;
    EXPECT_EQ(deleted, 1);
    Tensor x = make();
    EXPECT_EQ(deleted, copies || !inPlace ? 2 : 1);
    EXPECT_EQ(x.shape(), shape);
    EXPECT_EQ((x + 1).to_vector<int>(),
              (from_strided(data, shape, strides) + 1).to_vector<int>())
        << first;
    EXPECT_EQ(x.to_vector<int>(),
              from_strided(data, shape, strides).to_vector<int>());
    x = Tensor();
    EXPECT_EQ(deleted, 2);
  }
}

TEST(Api, Shapes) {
  Tensor x = arange(6, i32).reshape({2, 3});
  EXPECT_EQ(x.transpose().to_vector<int>(),
            (std::vector<int>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(x.reshape({3, -1}).shape(), (Shape{3, 2}));
  EXPECT_EQ(expand_dims(x, -1).shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(squeeze(expand_dims(x, 0)).shape(), (Shape{2, 3}));
  EXPECT_EQ(slice(x, {{}, {-2}}).to_vector<int>(),
            (std::vector<int>{1, 2, 4, 5}));
  EXPECT_EQ(slice(x, {{1, 2}, {Range::none, Range::none, -1}}).to_vector<int>(),
            (std::vector<int>{5, 4, 3}));
  EXPECT_EQ(slice(x, {{5, 9}}).shape(), (Shape{0, 3}));
  EXPECT_EQ(pad(tensor({1, 2}), {1}, {2}, 7).to_vector<int>(),
            (std::vector<int>{7, 1, 2, 7, 7}));
  EXPECT_EQ(pad(tensor({1, 2}), {0}, {0}, 9, {2}).to_vector<int>(),
            (std::vector<int>{1, 9, 9, 2}));
  EXPECT_EQ(concatenate({x, x}, 1).shape(), (Shape{2, 6}));
  EXPECT_EQ(stack({tensor({1}), tensor({2})}).to_vector<int>(),
            (std::vector<int>{1, 2}));
  EXPECT_EQ(broadcast_to(tensor({1, 2}), {2, 2}).to_vector<int>(),
            (std::vector<int>{1, 2, 1, 2}));
}

TEST(Api, Scans) {
  using Floats = std::vector<float>;
  Tensor x = tensor({{1.0f, 5.0f, 3.0f}, {4.0f, 2.0f, 6.0f}});
  EXPECT_EQ(cumsum(x, 1).to_vector<float>(), (Floats{1, 6, 9, 4, 6, 12}));
  EXPECT_EQ(cumsum(x, 0, true).to_vector<float>(), (Floats{5, 7, 9, 4, 2, 6}));
  EXPECT_EQ(cumsum(x, -1, false, true).to_vector<float>(),
            (Floats{0, 1, 6, 0, 4, 6}));
  EXPECT_EQ(cumprod(x, 1).to_vector<float>(), (Floats{1, 5, 15, 4, 8, 48}));
  EXPECT_EQ(cummax(x, 1).to_vector<float>(), (Floats{1, 5, 5, 4, 4, 6}));
  EXPECT_EQ(cummin(x, 1, true).to_vector<float>(), (Floats{1, 3, 3, 2, 2, 6}));
  EXPECT_EQ(cumsum(x > 2, 1).to_vector<int64_t>(),
            (std::vector<int64_t>{0, 1, 2, 1, 1, 2}));
}

TEST(Api, Sorts) {
  using Floats = std::vector<float>;
  using Ints = std::vector<int64_t>;
  Tensor x = tensor({{1.0f, 5.0f, 3.0f}, {2.0f, 6.0f, 2.0f}});
  EXPECT_EQ(sort(x).to_vector<float>(), (Floats{1, 3, 5, 2, 2, 6}));
  EXPECT_EQ(sort(x, 0, true).to_vector<float>(), (Floats{2, 6, 3, 1, 5, 2}));
  EXPECT_EQ(argsort(x).to_vector<int64_t>(), (Ints{0, 2, 1, 0, 2, 1}));
  EXPECT_EQ(argsort(x, -1, true).to_vector<int64_t>(),
            (Ints{1, 2, 0, 1, 0, 2}));
  TopK top = top_k(x, 2);
  EXPECT_EQ(top.values.to_vector<float>(), (Floats{5, 3, 6, 2}));
  EXPECT_EQ(top.indices.to_vector<int64_t>(), (Ints{1, 2, 1, 0}));
  top = top_k(x, 1, 0, false);
  EXPECT_EQ(top.values.shape(), (Shape{1, 3}));
  EXPECT_EQ(top.values.to_vector<float>(), (Floats{1, 5, 2}));
  EXPECT_EQ(top.indices.to_vector<int64_t>(), (Ints{0, 0, 1}));
  EXPECT_EQ(top_k(x, 0).values.shape(), (Shape{2, 0}));
}

TEST(Api, Reduces) {
  Tensor x = tensor({{1.0f, 5.0f, 3.0f}, {4.0f, 2.0f, 6.0f}});
  EXPECT_EQ(sum(x).item<float>(), 21);
  EXPECT_EQ(sum(x, 0).to_vector<float>(), (std::vector<float>{5, 7, 9}));
  EXPECT_EQ(sum(x, -1, true).shape(), (Shape{2, 1}));
  EXPECT_EQ(max(x, 1).to_vector<float>(), (std::vector<float>{5, 6}));
  EXPECT_EQ(min(x, {0, 1}).item<float>(), 1);
  EXPECT_EQ(prod(x, 1).to_vector<float>(), (std::vector<float>{15, 48}));
  EXPECT_EQ(argmax(x, 1).to_vector<int64_t>(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(argmin(x, 1).to_vector<int64_t>(), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(mean(x, 1).to_vector<float>(), (std::vector<float>{3, 4}));
  EXPECT_NEAR(var(x).item<float>(), 17.5f / 6, 1e-5);
  EXPECT_NEAR(var(x, {}, 1).item<float>(), 3.5f, 1e-5);
  EXPECT_TRUE(any(x > 5).item<bool>());
  EXPECT_FALSE(all(x > 5).item<bool>());
  EXPECT_EQ(sum(x > 2).item<int64_t>(), 4);
}

TEST(Api, Matmul) {
  Tensor x = arange(6, f32).reshape({2, 3}), v = ones({3});
  EXPECT_EQ(matmul(x, x.transpose()).to_vector<float>(),
            (std::vector<float>{5, 14, 14, 50}));
  EXPECT_EQ(matmul(x, v).to_vector<float>(), (std::vector<float>{3, 12}));
  EXPECT_EQ(matmul(v, x.transpose()).to_vector<float>(),
            (std::vector<float>{3, 12}));
  EXPECT_EQ(matmul(v, v).item<float>(), 3);
  EXPECT_EQ(matmul(ones({4, 1, 2, 3}), ones({5, 3, 2})).shape(),
            (Shape{4, 5, 2, 2}));
  EXPECT_EQ(matmul(ones({4, 2, 3}), ones({3, 5})).shape(), (Shape{4, 2, 5}));
  EXPECT_EQ(matmul(v, ones({5, 3, 2})).shape(), (Shape{5, 2}));
}

TEST(Api, Composites) {
  Tensor x = tensor({{0.0f, 1.0f, 2.0f}, {-1.0f, 0.0f, 5.0f}});
  std::vector<float> p = softmax(x).to_vector<float>();
  EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-6);
  EXPECT_NEAR(p[1] / p[0], std::exp(1.0f), 1e-5);
  EXPECT_NEAR(log_softmax(x).to_vector<float>()[2], std::log(p[2]), 1e-5);
  EXPECT_NEAR(sum(softmax(x, 0)).item<float>(), 3, 1e-5);
  EXPECT_EQ(relu(x).to_vector<float>(), (std::vector<float>{0, 1, 2, 0, 0, 5}));
  EXPECT_NEAR(gelu(x).to_vector<float>()[1], 0.8413447f, 1e-5);
  EXPECT_NEAR(gelu(x, true).to_vector<float>()[1], 0.841192f, 1e-5);
  EXPECT_NEAR(sigmoid(x).to_vector<float>()[0], 0.5f, 1e-6);
  EXPECT_NEAR(silu(x).to_vector<float>()[1], 0.7310586f, 1e-5);
  std::vector<float> n =
      layer_norm(x, full({3}, 2), ones({3})).to_vector<float>();
  EXPECT_NEAR(n[1], 1, 1e-5);
  EXPECT_NEAR(n[0], 1 - 2 * 1.2247f, 1e-3);
}

TEST(Api, Bitcasts) {
  Tensor x = tensor({1.0f, -2.0f});
  EXPECT_EQ(bitcast(x, ui32).to_vector<uint32_t>(),
            (std::vector<uint32_t>{0x3f800000, 0xc0000000}));
  EXPECT_EQ(bitcast(x, ui8).to_vector<uint8_t>(),
            (std::vector<uint8_t>{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}));
  EXPECT_EQ(bitcast(x, i64).to_vector<int64_t>()[0],
            static_cast<int64_t>(0xc00000003f800000));
  EXPECT_EQ(bitcast(bitcast(x, bf16), f32).to_vector<float>(),
            x.to_vector<float>());
  EXPECT_EQ(bitcast(zeros({3, 0}, ui8), f64).shape(), (Shape{3, 0}));
}

TEST(Api, Halves) {
  Tensor x = tensor({1.0f, 2.0f, 3.0f}).astype(bf16);
  EXPECT_EQ((x * 2).dtype(), bf16);
  EXPECT_EQ((x * 2).to_vector<bfloat16>()[1].bits, 0x4080);
  EXPECT_EQ(mean(x).item<float>(), 2);
  EXPECT_EQ(printed(softmax(x.astype(f16) * 0)),
            "tensor([0.333252, 0.333252, 0.333252], dtype=f16)");
}

TEST(Api, Prints) {
  EXPECT_EQ(printed(tensor({{1, 2}, {3, 4}})),
            "tensor([[1, 2], [3, 4]], dtype=i32)");
  EXPECT_EQ(printed(tensor({1.0f, 0.5f, NAN, -INFINITY, 1e20f})),
            "tensor([1.0, 0.5, nan, -inf, 1e+20], dtype=f32)");
  EXPECT_EQ(printed(tensor({true, false})), "tensor([true, false], dtype=i1)");
  EXPECT_EQ(printed(scalar(3)), "tensor(3, dtype=i32)");
  EXPECT_EQ(printed(zeros({0, 3})), "tensor([], shape=[0,3], dtype=f32)");
  EXPECT_EQ(printed(arange(2000, i32)),
            "tensor([0, 1, 2, ..., 1997, 1998, 1999], dtype=i32)");
  EXPECT_EQ(printed(Tensor()), "tensor()");
}

TEST(Api, ConvertsItems) {
  EXPECT_EQ(tensor({2.75f}).item<int>(), 2);
  EXPECT_EQ(scalar(7).item<double>(), 7.0);
  EXPECT_NE(errorOf([] { tensor({1, 2}).item<int>(); }).find("[2]"),
            std::string::npos);
  EXPECT_NE(errorOf([] {
              tensor({1, 2}).to_vector<float>();
            }).find("the tensor is i32, not f32"),
            std::string::npos);
}

TEST(Api, Jit) {
  auto f = jit([](const Tensor &x, const Tensor &y) { return exp(x) * y + 1; });
  Tensor x = tensor({0.0f, 0.0f}), y = tensor({1.0f, 2.0f});
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(f(x, y).to_vector<float>(), (std::vector<float>{2, 3}));
  EXPECT_EQ(f.traces(), 1u);
  EXPECT_EQ(f(zeros({3}), ones({3})).to_vector<float>(),
            (std::vector<float>{2, 2, 2}));
  EXPECT_EQ(f.traces(), 2u);
  // A function of a traced argument is part of the trace.
  auto g = jit([&](const Tensor &x) { return std::pair(f(x, x), x); });
  auto [a, b] = g(tensor({0.0f}));
  EXPECT_EQ(a.item<float>(), 1);
  // So is one of an expression over it.
  auto h = jit([&](const Tensor &x) { return f(x, x) + f(x + 1, x); });
  EXPECT_EQ(h(tensor({0.0f})).item<float>(), 2);
  EXPECT_EQ(b.item<float>(), 0);
  auto bad = jit([](const Tensor &x) { return x * x.item<float>(); });
  EXPECT_NE(errorOf([&] { bad(x.reshape({2, 1})); }), "no error");
}
