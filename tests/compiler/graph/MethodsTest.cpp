//===- MethodsTest.cpp - Members of Tensor, ways to make one, what << shows ===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace tensorc;

static std::string textOf(const Tensor &x) { return x.to_string(); }
static Tensor table() { return arange(6, f32).reshape({2, 3}); }

TEST(Methods, AreTheFunctions) {
  Tensor x = table();
  EXPECT_EQ(textOf(x.sum()), textOf(sum(x)));
  EXPECT_EQ(textOf(x.mean(0)), "tensor([1.5, 2.5, 3.5], dtype=f32)");
  EXPECT_EQ(textOf(x.max({0, 1}, true)), "tensor([[5.0]], dtype=f32)");
  EXPECT_EQ(textOf(x.argmax(1)), "tensor([2, 2], dtype=i64)");
  EXPECT_EQ(textOf(x.exp().log1p()), textOf(log1p(exp(x))));
  EXPECT_EQ(textOf(x.pow(2).add(1)), textOf(pow(x, 2) + 1));
  EXPECT_EQ(textOf(x.matmul(x.t())), textOf(matmul(x, transpose(x))));
  EXPECT_EQ(textOf(x.softmax()), textOf(softmax(x)));
  EXPECT_EQ(textOf(x.clamp(1, 4)),
            "tensor([[1.0, 1.0, 2.0], [3.0, 4.0, 4.0]], dtype=f32)");
  EXPECT_EQ(textOf(x.top_k(1).indices), "tensor([[2], [2]], dtype=i64)");
  EXPECT_EQ(x.to("sim:0").to(i32)[1].device(), Device("sim:0"));
}

TEST(Methods, Shapes) {
  Tensor x = ones({2, 3, 4});
  EXPECT_EQ(x.view({-1, 6}).shape(), (Shape{4, 6}));
  EXPECT_EQ(x.flatten().shape(), Shape{24});
  EXPECT_EQ(x.flatten(1).shape(), (Shape{2, 12}));
  EXPECT_EQ(x.flatten(0, -2).shape(), (Shape{6, 4}));
  EXPECT_EQ(ones({}).flatten().shape(), Shape{1});
  EXPECT_EQ(x.transpose(0, -1).shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(x.permute({1, 2, 0}).shape(), (Shape{3, 4, 2}));
  EXPECT_EQ(x[0].t().shape(), (Shape{4, 3}));
  EXPECT_EQ(x.unsqueeze(-1).shape(), (Shape{2, 3, 4, 1}));
  EXPECT_EQ(x.unsqueeze(0).squeeze(0).shape(), x.shape());
  EXPECT_EQ(x[0].expand({5, 3, 4}).shape(), (Shape{5, 3, 4}));
  EXPECT_EQ(cat({x, x}, 1).shape(), (Shape{2, 6, 4}));
}

TEST(Methods, NameTheLine) {
  Tensor x = table(), none;
  EXPECT_ERROR("sum: axis 2 is outside [2,3]", x.sum(2));
  EXPECT_ERROR("matmul: inner dimensions differ: [2,3] x [2,3]", x.matmul(x));
  EXPECT_ERROR("t: needs a rank of at most 2, not 3; name the axes with "
               "transpose or permute",
               ones({1, 1, 1}).t());
  EXPECT_ERROR("flatten: axis 1 is behind axis 0", x.flatten(1, 0));
  EXPECT_ERROR("transpose: axis 2 is outside rank 2", x.transpose(0, 2));
  EXPECT_ERROR("exp: an operand is an empty tensor", none.exp());
}

TEST(Methods, ATemporaryIsNotStored) {
  Tensor x = Tensor(ones({1000})).eval();
  reset_compile_stats(true);
  x.exp().tanh().cumsum(0).sqrt().sum().eval();
  std::vector<std::string> chained = last_kernels();
  sum(sqrt(cumsum(tanh(exp(x)), 0))).eval();
  EXPECT_EQ(chained, last_kernels());
  EXPECT_EQ(compile_stats().compilations, 1u);
}

TEST(Methods, AxesOfAnyInteger) {
  Tensor x = table();
  size_t axis = 1;
  EXPECT_EQ(textOf(sum(x, axis)), textOf(x.sum(static_cast<short>(-1))));
}

TEST(Creation, OptionsNameDtypeAndDevice) {
  Tensor x = zeros({2}, {.dtype = i32, .device = "sim:0"});
  EXPECT_EQ(x.dtype(), i32);
  EXPECT_EQ(x.device(), Device("sim:0"));
  EXPECT_EQ(ones({2}, {f64, "cpu"}).device(), Device("cpu"));
  EXPECT_EQ(full({1}, 7, {.device = "sim:0"}).dtype(), f32);
  EXPECT_EQ(arange(3, {.device = "sim:0"}).dtype(), i64);
  EXPECT_EQ(arange(0, 1, 0.5, {.device = "sim:0"}).device(), Device("sim:0"));
  EXPECT_EQ(eye(2, 2, 0, {.dtype = f64}).dtype(), f64);
  EXPECT_EQ(linspace(0, 1, 3, {.device = "cpu"}).device(), Device("cpu"));
  EXPECT_EQ(textOf(empty({2}, {.dtype = i64})), "tensor([0, 0], dtype=i64)");
  Tensor y = tensor({1, 2}, {.dtype = f64, .device = "sim:0"});
  EXPECT_EQ(y.dtype(), f64);
  EXPECT_EQ(y.device(), Device("sim:0"));
  // The thread's device is what it was.
  EXPECT_EQ(ones({1}).device(), ones({1}, f32).device());
}

TEST(Creation, Like) {
  Tensor x = ones({2, 3}, {.dtype = f64, .device = "sim:0"});
  for (const Tensor &y :
       {zeros_like(x), ones_like(x), full_like(x, 3), empty_like(x),
        rand_like(random_key(1), x), randn_like(random_key(1), x)}) {
    EXPECT_EQ(y.shape(), x.shape());
    EXPECT_EQ(y.dtype(), f64);
    EXPECT_EQ(y.device(), x.device());
  }
  EXPECT_EQ(full_like(x, 3, {.dtype = i32}).dtype(), i32);
  EXPECT_EQ(zeros_like(x, {.device = "cpu"}).device(), Device("cpu"));
  EXPECT_EQ(full_like(x, 2.5).sum().item<double>(), 15);
}

TEST(Creation, NestedLists) {
  EXPECT_EQ(tensor({{{1, 2}}, {{3, 4}}, {{5, 6}}}).shape(), (Shape{3, 1, 2}));
  Tensor x = tensor({{{{1.0f}, {2.0f}}, {{3.0f}, {4.0f}}}});
  EXPECT_EQ(x.shape(), (Shape{1, 2, 2, 1}));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(textOf(tensor({{true, false}})),
            "tensor([[true, false]], dtype=i1)");
  EXPECT_ERROR("tensor: lists differ in length", tensor({{{1, 2}, {3}}}));
  EXPECT_ERROR("tensor: rows differ in length", tensor({{1, 2}, {3}}));
}

TEST(Creation, Linear) {
  Tensor x = table(), w = ones({4, 3}), b = arange(4, f32);
  EXPECT_EQ(textOf(linear(x, w, b)), textOf(matmul(x, w.t()) + b));
  EXPECT_EQ(textOf(linear(x, w)), textOf(matmul(x, w.t())));
  EXPECT_ERROR("linear: inner dimensions differ: [2,3] x [2,4]",
               linear(x, ones({4, 2})));
}

TEST(Creation, HalvesOfTheStandard) {
#ifdef __STDCPP_FLOAT16_T__
  EXPECT_EQ(dtype_of<std::float16_t>(), f16);
  EXPECT_EQ(tensor({1.5f16}).item<std::float16_t>(), 1.5f16);
#endif
#ifdef __STDCPP_BFLOAT16_T__
  EXPECT_EQ(dtype_of<std::bfloat16_t>(), bf16);
#endif
  EXPECT_EQ(dtype_of<float16>(), f16);
}

TEST(Printing, ShapesDtypesDevices) {
  std::ostringstream os;
  os << Shape{2, 3} << Shape{} << f16 << Device("sim:0");
  EXPECT_EQ(os.str(), "[2,3][]f16sim:0");
}

TEST(Printing, TheDeviceWhereItIsNotTheCurrentOne) {
  Device other = current_device().type() == "sim" ? "cpu:0" : "sim:0";
  Tensor x = ones({2}, {.device = other});
  EXPECT_EQ(textOf(x),
            "tensor([1.0, 1.0], dtype=f32, device=" + other.name + ")");
  DeviceGuard guard(other);
  EXPECT_EQ(textOf(x), "tensor([1.0, 1.0], dtype=f32)");
}
