//===- MethodsTest.cpp - Members of Tensor --------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

using namespace tensorc;

static std::string textOf(const Tensor &x) { return x.to_string(); }
static Tensor table() { return arange(6, f32).reshape({2, 3}); }

TEST(Methods, PowersOfIntegersAreIntegers) {
  Tensor x = tensor({-3, -1, 0, 1, 5});
  EXPECT_EQ(pow(x, 3).to_vector<int>(), (std::vector<int>{-27, -1, 0, 1, 125}));
  EXPECT_EQ(pow(x, tensor({2, -3, -1, -7, -1})).to_vector<int>(),
            (std::vector<int>{9, -1, 0, 1, 0}));
  // 3^81 as products that wrap around have it.
  EXPECT_EQ(pow(tensor({3}).astype(ui8), 81).to_vector<uint8_t>(),
            (std::vector<uint8_t>{195}));
  EXPECT_EQ(pow(2, arange(4, i64)).dtype(), i64);
  EXPECT_EQ(pow(tensor({2}), 2.0).dtype(), f32);
  EXPECT_ERROR_WITH("pow: an integer to a negative power, -1; convert with",
                    pow(x, -1));
  EXPECT_ERROR_WITH("pow: dtype must be a float or complex, not i1",
                    pow(zeros({2}, i1), true));
}

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

// Numbers are PyTorch's.
TEST(Names, Parts) {
  Tensor x = table(), wide = arange(7, f32);
  EXPECT_EQ(x.dim(), 2);
  EXPECT_EQ(x.sizes(), (Shape{2, 3}));
  EXPECT_EQ(textOf(x.narrow(1, 1, 2)),
            "tensor([[1.0, 2.0], [4.0, 5.0]], dtype=f32)");
  EXPECT_EQ(x.narrow(1, -2, 2).shape(), (Shape{2, 2}));
  EXPECT_EQ(x.narrow(0, 2, 0).shape(), (Shape{0, 3}));
  EXPECT_ERROR("narrow: 2 elements from 2 on are not in axis 1 of [2,3]",
               x.narrow(1, 2, 2));
  EXPECT_ERROR("narrow: -1 elements from 0 on are not in axis 0 of [2,3]",
               narrow(x, 0, 0, -1));
  std::vector<int64_t> sizes;
  for (const Tensor &part : wide.chunk(3))
    sizes.push_back(part.size(0));
  for (const Tensor &part : chunk(arange(4), 3))
    sizes.push_back(part.size(0));
  EXPECT_EQ(sizes, (std::vector<int64_t>{3, 3, 1, 2, 2}));
  EXPECT_EQ(chunk(zeros({0, 2}), 2)[1].shape(), (Shape{0, 2}));
  EXPECT_ERROR("chunk: needs at least 1 part, not 0", x.chunk(0));
  std::vector<Tensor> parts = x.split_with_sizes({1, 0, 2}, -1);
  EXPECT_EQ(parts.size(), 3u);
  EXPECT_EQ(textOf(parts[2]), "tensor([[1.0, 2.0], [4.0, 5.0]], dtype=f32)");
  EXPECT_ERROR("split_with_sizes: the sizes add up to 4, axis 1 has 3",
               split_with_sizes(x, {2, 2}, 1));
  EXPECT_ERROR("narrow: -1 elements from 0 on are not in axis 1 of [2,3]",
               split_with_sizes(x, {-1, 4}, 1));
  EXPECT_EQ(textOf(x.unbind(1)[2]), "tensor([2.0, 5.0], dtype=f32)");
  EXPECT_EQ(x.unbind().size(), 2u);
  EXPECT_EQ(x[0].expand({4, -1}).shape(), (Shape{4, 3}));
  EXPECT_EQ(ones({1, 3}).expand({2, -1}).shape(), (Shape{2, 3}));
  EXPECT_ERROR("expand: axis 0 is new and has no size", x[0].expand({-1, 3}));
  EXPECT_ERROR("expand: 1 sizes for a rank of 2", x.expand({-1}));
}

TEST(Names, Comparing) {
  const double inf = INFINITY, nan = NAN;
  Tensor x = tensor({1.0, 1e10, 1e-7, inf, -inf, nan, 0.0});
  Tensor y = tensor({1.00001, 1.00001e10, 1e-8, inf, inf, nan, 0.0});
  EXPECT_EQ(textOf(isclose(x, y)),
            "tensor([true, true, false, true, false, false, true], dtype=i1)");
  EXPECT_EQ(textOf(x.isclose(y, 0, 1e-7, true)),
            "tensor([false, false, true, true, false, true, true], dtype=i1)");
  EXPECT_EQ(textOf(isclose(tensor({2.0, inf}), inf)),
            "tensor([false, true], dtype=i1)");
  EXPECT_TRUE(allclose(x[0], y[0]));
  EXPECT_FALSE(allclose(x, y));
  EXPECT_TRUE(x[0].allclose(y[0]) && !x.allclose(y));
  EXPECT_TRUE(x.allclose(x, 0, 0, true) && !x.allclose(x, 0, 0));
  EXPECT_TRUE(allclose(zeros({0}), zeros({0})));
  // A number takes the dtype of the tensor.
  EXPECT_TRUE(allclose(full({2}, 0.1f, f32), 0.1, 0, 0));
  EXPECT_TRUE(allclose(full({2}, 0.1, f64), 0.1, 0, 0));
  EXPECT_FALSE(allclose(full({2}, 0.1, f64), double(0.1f), 0, 0));
  // 1 / 64 is the distance of neighbours in f16.
  EXPECT_TRUE(allclose(full({1}, 16, f16), full({1}, 16.016, f16), 1e-3));
  EXPECT_FALSE(allclose(full({1}, 16, f16), full({1}, 16.016, f16), 9e-4));
  int64_t large = int64_t(1) << 40;
  EXPECT_TRUE(allclose(full({1}, large, i64), large + 1));
  EXPECT_FALSE(allclose(full({1}, large, i64), large + 1, 0, 0));
  EXPECT_TRUE(allclose(full({1}, 250, ui8), 251, 0, 1));
  EXPECT_FALSE(allclose(tensor({true}), tensor({false})));
  EXPECT_FALSE(allclose(complex(x[0], 1), complex(x[0], 1.1)));
  EXPECT_TRUE(allclose(complex(x[0], 1), complex(x[0], 1.1), 0.1));
  EXPECT_ERROR("isclose: shapes cannot be broadcast: [2] x [3]",
               allclose(ones({2}), ones({3})));
  EXPECT_EQ(textOf(logical_and(tensor({0, 2, -1}), tensor({1.5f, 0.5f, 0.0f}))),
            "tensor([false, true, false], dtype=i1)");
  EXPECT_EQ(textOf(tensor({0, 2}).logical_or(tensor({false, false}))),
            "tensor([false, true], dtype=i1)");
  EXPECT_EQ(textOf(tensor({0.0, nan}).logical_xor(1)),
            "tensor([true, false], dtype=i1)");
  EXPECT_EQ(textOf(tensor({0.0, -0.0, nan, 2.0}).logical_not()),
            "tensor([true, true, false, false], dtype=i1)");
}

TEST(Names, Places) {
  Tensor x = table(), i = tensor({{2, 0}, {1, 1}});
  EXPECT_EQ(textOf(x.masked_fill(x > 3, -1)),
            "tensor([[0.0, 1.0, 2.0], [3.0, -1.0, -1.0]], dtype=f32)");
  EXPECT_EQ(textOf(masked_fill(arange(3), tensor({true, false, true}), 9)),
            "tensor([9, 1, 9], dtype=i64)");
  EXPECT_ERROR("masked_fill: the mask is f32, not i1", x.masked_fill(x, 1));
  EXPECT_ERROR_WITH("masked_fill", arange(3).masked_fill(arange(3) > 1, 0.5));
  EXPECT_EQ(textOf(x.index_select(1, tensor({2, 0}))),
            "tensor([[2.0, 0.0], [5.0, 3.0]], dtype=f32)");
  EXPECT_EQ(textOf(x.gather(1, i)),
            "tensor([[2.0, 0.0], [4.0, 4.0]], dtype=f32)");
  EXPECT_EQ(textOf(gather(x, 0, tensor({{1, 0}}))),
            "tensor([[3.0, 1.0]], dtype=f32)");
  EXPECT_ERROR("gather: indices [3,1] do not fit into [2,3]",
               x.gather(1, zeros({3, 1}, i64)));
  EXPECT_EQ(
      textOf(x.scatter(1, i, tensor({{7.0f, 8.0f, 0.0f}, {9.0f, 9.0f, 0.0f}}))),
      "tensor([[8.0, 1.0, 7.0], [3.0, 9.0, 5.0]], dtype=f32)");
  EXPECT_EQ(textOf(x.scatter(1, i, 0)),
            "tensor([[0.0, 1.0, 0.0], [3.0, 0.0, 5.0]], dtype=f32)");
  EXPECT_EQ(textOf(x.scatter_add(1, i, ones({2, 2}))),
            "tensor([[1.0, 1.0, 3.0], [3.0, 6.0, 5.0]], dtype=f32)");
  EXPECT_ERROR("scatter: values [1,2] for indices [2,2]",
               x.scatter(1, i, ones({1, 2})));
  EXPECT_EQ(textOf(x.index_add(1, tensor({0, 0}), ones({2, 2}))),
            "tensor([[2.0, 1.0, 2.0], [5.0, 4.0, 5.0]], dtype=f32)");
  EXPECT_ERROR("index_add: a value of [2] does not fit into [2,1]",
               x.index_add(1, tensor({0}), ones({2})));
  auto [only, place] = topk(scalar(3.0f), 1);
  EXPECT_EQ(textOf(only) + textOf(place),
            "tensor(3.0, dtype=f32)tensor(0, dtype=i64)");
  auto [values, indices] = topk(x, 2);
  EXPECT_EQ(textOf(values), "tensor([[2.0, 1.0], [5.0, 4.0]], dtype=f32)");
  EXPECT_EQ(textOf(indices), "tensor([[2, 1], [2, 1]], dtype=i64)");
  EXPECT_EQ(textOf(where(x > 3, 1, 0)),
            "tensor([[0, 0, 0], [0, 1, 1]], dtype=i32)");
}

TEST(Names, Numbers) {
  Tensor x = table(), square = x.matmul(x.t());
  EXPECT_EQ(textOf(x.mm(x.t())), textOf(square));
  EXPECT_EQ(bmm(x[None], x.t()[None]).shape(), (Shape{1, 2, 2}));
  EXPECT_EQ(textOf(addmm(ones({2}), x, x.t(), 10, 0.5)),
            "tensor([[12.5, 17.0], [17.0, 35.0]], dtype=f32)");
  EXPECT_EQ(textOf(full({2}, NAN).addmm(x, x.t(), 0)), textOf(square));
  EXPECT_EQ(
      textOf(ones({1}, i64).addmm(eye(1, 1, 0, i64), eye(1, 1, 0, i64), 2, 3)),
      "tensor([[5]], dtype=i64)");
  EXPECT_ERROR("addmm: needs matrices, not [1,2,3] and [3,2]",
               addmm(x, x[None], x.t()));
  EXPECT_EQ(textOf(x.clamp(4)), textOf(maximum(x, 4)));
  EXPECT_EQ(textOf(x.clamp_max(1)), textOf(minimum(x, 1)));
  EXPECT_EQ(textOf(x.clamp_min(1)), textOf(maximum(x, 1)));
  EXPECT_EQ(textOf(clamp(x, 1, 2)), textOf(x.clamp(1, 2)));
  EXPECT_EQ(textOf(clamp_max(clamp_min(x, 1), 2)), textOf(x.clamp(1, 2)));
  EXPECT_EQ(textOf(x[1].square()), "tensor([9.0, 16.0, 25.0], dtype=f32)");
  EXPECT_EQ(x.type_as(arange(1)).dtype(), i64);
  EXPECT_EQ(textOf(x.clone()), textOf(x));
}

/// Each beside what it stands for, as a function and as a method.
TEST(Names, OfReadersOfPyTorch) {
  Tensor x = table(), y = x + 0.5f, v = arange(3, f32);
  Tensor odd = tensor({1.5f, NAN, -INFINITY, -2.5f});
  auto same = [](const Tensor &a, const Tensor &b, const Tensor &expected) {
    EXPECT_EQ(textOf(a), textOf(expected));
    EXPECT_EQ(textOf(b), textOf(expected));
  };
  same(isnan(odd), odd.isnan(), is_nan(odd));
  same(isinf(odd), odd.isinf(), is_inf(odd));
  same(isfinite(odd), odd.isfinite(), is_finite(odd));
  same(round(odd), odd.round(), tensor({2.0f, NAN, -INFINITY, -2.0f}));
  same(reciprocal(y), y.reciprocal(), 1 / y);
  same(remainder(-x, 2), (-x).remainder(2), -x % 2);
  same(floor_divide(-x, 2), (-x).floor_divide(2), floor(-x / 2));
  same(amax(x, 1), x.amax(1), x.max(1));
  same(amin(x, 0, true), x.amin(0, true), x.min(0, true));
  same(x.std(1), x.std({1}, 0), x.stddev(1));
  same(dot(v, v), v.dot(v), sum(v * v));
  same(mv(x, v), x.mv(v), matmul(x, v));
  same(lerp(x, y, 0.5f), x.lerp(y, 0.5f), x + 0.25f);
  same(swapaxes(x, 0, -1), x.swapaxes(0, 1), x.t());
  Tensor cube = arange(24, f32).reshape({2, 3, 4});
  same(movedim(cube, 0, -1), moveaxis(cube, 0, 2), cube.permute({1, 2, 0}));
  same(cube.movedim(2, 0), cube.movedim(-1, 0), cube.permute({2, 0, 1}));
  same(ravel(x), x.ravel(), x.flatten());
  same(select(cube, 1, -1), cube.select(1, 2), cube(Slice(), 2));
  same(cube.slice(2, 1, 4, 2), cube.slice(-1, 1, Range::none, 2),
       cube(Ellipsis, Slice(1, 4, 2)));
  same(x.where(x > 2, 0), x.where(x > 2, zeros_like(x)), where(x > 2, x, 0));
  same(v.view_as(ones({3, 1})), v.reshape_as(ones({3, 1})), v.view({3, 1}));
  same(v.expand_as(x), v.expand({2, 3}), broadcast_to(v, {2, 3}));
  same(x.detach(), x.contiguous(), x);
  same(concat({x, y}, 1), hstack({x, y}), concatenate({x, y}, 1));
  same(hstack({v, v}), concat({v, v}), concatenate({v, v}, 0));
  same(vstack({v, v}), vstack({v, v.view({1, 3})}), stack({v, v}));
  same(vstack({x, y}), concat({x, y}), concatenate({x, y}, 0));
  Tensor i = tensor({{2, 0}});
  same(embedding(i, x.t()), take(x.t(), i, 0), x.t()[i]);
  same(hardtanh(odd), hardtanh(odd, -1, 1), clip(odd, -1, 1));
  same(relu6(x * 4), hardtanh(x * 4, 0, 6), clip(x * 4, 0, 6));
  EXPECT_TRUE(normalize(x).allclose(x / x.norm(2, 1, true)));
  EXPECT_TRUE(normalize(x, 1, 0).allclose(x / x.sum(0, true)));
  EXPECT_EQ(textOf(normalize(zeros({1, 2}))), textOf(zeros({1, 2})));
  Tensor q = ones({1, 2, 4, 8});
  same(scaled_dot_product_attention(q, q, q),
       scaled_dot_product_attention(q, q, q, {}, true), attention(q, q, q));
  EXPECT_TRUE(equal(x, table()) && x.equal(table()));
  EXPECT_FALSE(equal(x, y) || x.equal(v) || odd.equal(odd));
  EXPECT_ERROR("dot: the second operand has a rank of 2, not 1", dot(v, x));
  EXPECT_ERROR("mv: the first operand has a rank of 1, not 2", v.mv(v));
  EXPECT_ERROR("select: axis 2 is outside rank 2", x.select(2, 0));
  EXPECT_ERROR("movedim: axis 3 is outside rank 3", cube.movedim(0, 3));
}

TEST(Names, WhatATensorIsLike) {
  Tensor x = ones({2}, {.dtype = f16, .device = "sim:0"});
  EXPECT_EQ(x.scalar_type(), f16);
  EXPECT_EQ(empty({2}, f16).dtype(), f16);
  EXPECT_TRUE(x.is_floating_point() && !arange(2).is_floating_point());
  EXPECT_TRUE(ones({1}, c64).is_complex() && !x.is_complex());
  EXPECT_FALSE(x.is_cuda());
  Device cpu("cpu");
  for (const Tensor &y :
       {x.new_zeros({3, 1}), x.new_ones({3, 1}), x.new_full({3, 1}, 2),
        ones({3, 1}, i32).to(x), ones({3, 1}).to("sim:0", f16),
        zeros({3, 1}, x.options())}) {
    EXPECT_EQ(y.dtype(), f16);
    EXPECT_EQ(y.device(), Device("sim:0"));
    EXPECT_EQ(y.shape(), (Shape{3, 1}));
  }
  EXPECT_EQ(x.new_full({1}, 2).to(cpu, f32).item<float>(), 2);
}

TEST(Names, IndexPut) {
  Tensor x = table(), kept = x;
  x.index_put_({Slice(), 0}, 9);
  x.index_put_({1, Slice(1, None)}, tensor({7.5f, 8.5f}));
  EXPECT_EQ(textOf(x), "tensor([[9.0, 1.0, 2.0], [9.0, 7.5, 8.5]], dtype=f32)");
  EXPECT_EQ(textOf(kept), textOf(table()));
  EXPECT_ERROR("index_put_: a value of [2] does not fit into []",
               x.index_put_({0, 0}, ones({2})));
}

TEST(Names, OtherValuesOfAHandle) {
  Tensor x = ones({2}, {.dtype = f16, .device = "sim:0"}), y = x;
  auto numbers = [](const Tensor &of) {
    EXPECT_EQ(of.dtype(), f16);
    EXPECT_EQ(of.device(), Device("sim:0"));
    return of.astype(f32).to_vector<float>();
  };
  EXPECT_EQ(numbers(x.fill_(2.5)), (std::vector<float>{2.5, 2.5}));
  EXPECT_EQ(numbers(y), (std::vector<float>{1, 1}));
  EXPECT_EQ(numbers(x.zero_()), (std::vector<float>{0, 0}));
  Tensor none;
  EXPECT_ERROR("fill_: the tensor is undefined", none.zero_());
  Tensor i = arange(2);
  EXPECT_ERROR("fill_: value 2.5 is outside i64", i.fill_(2.5));
}

template <typename T, typename = void> constexpr bool hasZero = false;
template <typename T>
constexpr bool hasZero<T, std::void_t<decltype(std::declval<T>().zero_())>> =
    true;
template <typename T, typename = void> constexpr bool hasFill = false;
template <typename T>
constexpr bool hasFill<T, std::void_t<decltype(std::declval<T>().fill_(1))>> =
    true;
template <typename T, typename = void> constexpr bool hasCopy = false;
template <typename T>
constexpr bool
    hasCopy<T, std::void_t<decltype(std::declval<T>().copy_(Tensor()))>> = true;
static_assert(hasZero<Tensor &> && hasFill<Tensor &> && hasCopy<Tensor &>);
static_assert(!hasZero<Tensor> && !hasFill<Tensor> && !hasCopy<Tensor>);
static_assert(!hasZero<const Tensor &> && !hasCopy<const Tensor &>);
static_assert(hasZero<Element> && hasFill<Element> && hasCopy<Element>);

TEST(Names, OtherValuesOfAPart) {
  Tensor x = table(), kept = x;
  x[0].fill_(9);
  x(1, Slice(1)).copy_(tensor({7.5, 8.5}));
  x[1][0].zero_();
  EXPECT_EQ(textOf(x), "tensor([[9.0, 9.0, 9.0], [0.0, 7.5, 8.5]], dtype=f32)");
  x[x > 8].zero_();
  EXPECT_EQ(textOf(x), "tensor([[0.0, 0.0, 0.0], [0.0, 7.5, 0.0]], dtype=f32)");
  EXPECT_EQ(textOf(kept), textOf(table()));
  // A part that has a name is a tensor of its own.
  auto row = x[1];
  row.fill_(1);
  EXPECT_EQ(textOf(row), "tensor([1.0, 1.0, 1.0], dtype=f32)");
  EXPECT_EQ(x[1][0].item<float>(), 0);
  Tensor i = arange(3);
  i[0].copy_(scalar(2.5));
  EXPECT_EQ(textOf(i), "tensor([2, 1, 2], dtype=i64)");
  EXPECT_ERROR("fill_: the number 2.5 cannot be put into i64", i[0].fill_(2.5));
  EXPECT_ERROR("fill_: needs a number, not a tensor", i[0].fill_(i[1]));
  EXPECT_ERROR("copy_: a value of [2,2] does not fit into [3]",
               i.copy_(ones({2, 2})));
  EXPECT_ERROR("copy_: a value of [2] does not fit into []",
               i[0].copy_(ones({2})));
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
  EXPECT_ERROR("exp: an operand is an undefined tensor", none.exp());
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

TEST(Creation, ArangeOfIntegersIsOfIntegers) {
  EXPECT_EQ(textOf(arange(2, 5)), "tensor([2, 3, 4], dtype=i64)");
  EXPECT_EQ(textOf(arange(5, 0, -2)), "tensor([5, 3, 1], dtype=i64)");
  EXPECT_EQ(textOf(arange(0, 2, 1, f32)), "tensor([0.0, 1.0], dtype=f32)");
  EXPECT_EQ(textOf(arange(0, 1.5)), "tensor([0.0, 1.0], dtype=f32)");
  EXPECT_EQ(textOf(arange(0, 1, 0.5)), "tensor([0.0, 0.5], dtype=f32)");
  EXPECT_EQ(arange(0, 2, 1, {.device = "sim:0"}).dtype(), i64);
  EXPECT_EQ(textOf(arange(2.5)), "tensor([0.0, 1.0, 2.0], dtype=f32)");
  EXPECT_EQ(textOf(arange(2.0f, f64)), "tensor([0.0, 1.0], dtype=f64)");
  EXPECT_EQ(arange(1.5, {.dtype = f16}).dtype(), f16);
  EXPECT_EQ(textOf(arange(1, 3, i32)), "tensor([1, 2], dtype=i32)");
  EXPECT_EQ(textOf(arange(0.5, 2, f64)), "tensor([0.5, 1.5], dtype=f64)");
  EXPECT_EQ(textOf(tensor(2.5f)), "tensor(2.5, dtype=f32)");
  EXPECT_EQ(textOf(tensor(true, {.dtype = i32})), "tensor(1, dtype=i32)");
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
  EXPECT_EQ(tensor({-3.0f16}, {.dtype = i8}).item<int>(), -3);
  EXPECT_ERROR("tensor: value -inf is outside i64",
               tensor({-HUGE_VALF16}, {.dtype = i64}));
#endif
#ifdef __STDCPP_BFLOAT16_T__
  EXPECT_EQ(dtype_of<std::bfloat16_t>(), bf16);
#endif
  EXPECT_EQ(dtype_of<float16>(), f16);
  // What the bounds of 64 bits are in f16, is not taken for one.
  for (float value : {INFINITY, -INFINITY, NAN})
    for (DType dtype : {i8, i64, ui64}) {
      SCOPED_TRACE(value);
      EXPECT_ERROR_WITH(std::string(" is outside ") + name(dtype),
                        tensor({value}, {.dtype = dtype}));
    }
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
