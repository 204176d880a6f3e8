//===- GradTest.cpp - tensorc/grad.hpp ------------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/grad.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace tensorc;

namespace {

struct Layer {
  Tensor w, b;
};
TENSORC_STRUCT(Layer, w, b)

struct Model {
  std::vector<Layer> layers;
  Tensor steps; // i32
  float scale = 1;
};
TENSORC_STRUCT(Model, layers, steps, scale)

std::vector<float> floats(const Tensor &x) { return x.to_vector<float>(); }

void expectNear(const Tensor &x, const std::vector<float> &expected,
                float tolerance = 1e-5f) {
  std::vector<float> values = floats(x);
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i],
                tolerance * std::max(1.0f, std::abs(expected[i])))
        << "element " << i;
}

TEST(Grad, OfASum) {
  auto f = grad([](const Tensor &x) { return sum(square(x)); });
  Tensor x = tensor({1.0f, -2.0f, 3.0f});
  expectNear(f(x), {2, -4, 6});
  EXPECT_EQ(f.traces(), 1u);
  expectNear(f(x + 1), {4, -2, 8});
  EXPECT_EQ(f.traces(), 1u);
}

TEST(Grad, ValueAndGradient) {
  auto f = value_and_grad([](const Tensor &x) { return mean(exp(x)); });
  auto [value, gradient] = f(tensor({0.0f, 1.0f}));
  EXPECT_NEAR(value.item<float>(), (1 + std::exp(1.0f)) / 2, 1e-6);
  expectNear(gradient, {0.5f, std::exp(1.0f) / 2});
}

TEST(Grad, OfAComposite) {
  Tensor logits = tensor({{1.0f, 2.0f, 3.0f}, {0.0f, 0.0f, 0.0f}});
  Tensor labels = tensor({2, 0});
  auto f =
      value_and_grad([&](const Tensor &x) { return cross_entropy(x, labels); });
  auto [value, gradient] = f(logits);
  std::vector<float> p = floats(softmax(logits));
  p[2] -= 1;
  p[3] -= 1;
  for (float &each : p)
    each /= 2;
  expectNear(gradient, p);
  EXPECT_NEAR(value.item<float>(), cross_entropy(logits, labels).item<float>(),
              1e-6);
}

/// Where expansions have kinks that the functions have not, or other ones.
TEST(Grad, OfCompositesAtZero) {
  Tensor zero = tensor({0.0f});
  auto first = [&](auto f) {
    return grad([=](const Tensor &x) { return sum(f(x)); });
  };
  auto second = [&](auto f) {
    return grad([=](const Tensor &x) {
      return sum(grad([=](const Tensor &x) { return sum(f(x)); })(x));
    });
  };
  expectNear(first([](const Tensor &x) { return relu(x); })(zero), {0});
  expectNear(second([](const Tensor &x) { return softplus(x); })(zero),
             {0.25f});
  expectNear(second([](const Tensor &x) { return logsigmoid(x); })(zero),
             {-0.25f});
}

TEST(Grad, ByOtherArguments) {
  auto f = [](const Tensor &x, const Tensor &y, float k) {
    return sum(x * y * y) * k;
  };
  Tensor x = tensor({1.0f, 2.0f}), y = tensor({3.0f, 4.0f});
  expectNear(grad(f, argnums<1>)(x, y, 2.0f), {12, 32});
  auto [dx, dy] = grad(f, argnums<0, 1>)(x, y, 0.5f);
  expectNear(dx, {4.5f, 8});
  expectNear(dy, {3, 8});
}

TEST(Grad, OfStructs) {
  Model model;
  model.layers = {{ones({2, 2}), zeros({2})}, {full({2, 1}, 2.0f), zeros({1})}};
  model.steps = tensor({3});
  model.scale = 2;
  auto loss = [](const Model &m, const Tensor &x) {
    Tensor h = x;
    for (const Layer &layer : m.layers)
      h = matmul(h, layer.w) + layer.b;
    return std::tuple(sum(h) * m.scale, h, m.steps + 1);
  };
  auto [out, gradient] = value_and_grad(loss)(model, tensor({{1.0f, 2.0f}}));
  auto [value, aux, steps] = out;
  EXPECT_EQ(value.item<float>(), 24);
  EXPECT_EQ(aux.item<float>(), 12);
  EXPECT_EQ(steps.item<int32_t>(), 4);
  expectNear(gradient.layers[0].w, {4, 4, 8, 8});
  expectNear(gradient.layers[0].b, {4, 4});
  expectNear(gradient.layers[1].w, {6, 6});
  expectNear(gradient.layers[1].b, {2});
  EXPECT_FALSE(gradient.steps.defined());
  EXPECT_EQ(gradient.scale, 2);
}

TEST(Grad, Nests) {
  auto f = [](const Tensor &x) { return sum(x * x * x); };
  auto second = grad([&](const Tensor &x) { return sum(grad(f)(x)); });
  auto third = grad([&](const Tensor &x) { return sum(second(x)); });
  Tensor x = tensor({2.0f, -1.0f});
  expectNear(second(x), {12, -6});
  expectNear(third(x), {6, 6});
}

/// What is made of the argument outside of the function is a constant in it.
TEST(Grad, PerturbationsDoNotMix) {
  auto outer = grad([](const Tensor &x) {
    Tensor y = x * x;
    return sum(grad([&](const Tensor &a) { return sum(a * y); })(x));
  });
  // d/dx of x^2.
  expectNear(outer(tensor({3.0f})), {6});
  // By a number that has nothing to do with x.
  auto inner = grad([](const Tensor &x) {
    return sum(
        grad([&](const Tensor &a) { return sum(a * a * x); })(tensor({5.0f})));
  });
  expectNear(inner(tensor({1.0f})), {10});
}

TEST(Grad, InsideJit) {
  auto loss = [](const Layer &l, const Tensor &x) {
    Tensor y = matmul(x, l.w) + l.b;
    return mean(y * y);
  };
  auto step = jit([&](const Layer &l, const Tensor &x, const Tensor &rate) {
    Layer g = grad(loss)(l, x);
    return Layer{l.w - rate * g.w, l.b - rate * g.b};
  });
  Layer layer{ones({3, 2}), zeros({2})};
  Tensor x = full({4, 3}, 1.0f);
  float before = loss(layer, x).item<float>();
  for (int i = 0; i < 5; ++i)
    layer = step(layer, x, scalar(0.1f));
  EXPECT_LT(loss(layer, x).item<float>(), before / 10);
  EXPECT_EQ(step.traces(), 1u);
}

TEST(Grad, JitInside) {
  auto f = jit([](const Tensor &x) { return sin(x); });
  expectNear(
      grad([&](const Tensor &x) { return sum(f(x) * 2); })(tensor({0.0f})),
      {2});
}

TEST(Grad, Saved) {
  auto loss = [](const Tensor &w, const Tensor &x) {
    return mean(softmax(matmul(x, w)) * x);
  };
  Program program =
      compile(value_and_grad(loss), Input(f32, {3, 3}), Input(f32, {"n", 3}));
  EXPECT_NE(program.to_mlir().find("tensor<3x3xf32>"), std::string::npos);
}

/// Sizes that a gradient was not compiled for share its kernels.
TEST(Grad, OtherSizes) {
  auto f = grad([](const Tensor &x) { return sum(softmax(x * 2, 0) * x); });
  for (int n : {5, 7, 11, 13, 17})
    f(ones({n, 3})).eval();
  reset_compile_stats();
  f(ones({29, 3})).eval();
  EXPECT_EQ(compile_stats().compilations, 0u);
}

TEST(Grad, Vjp) {
  Tensor x = tensor({1.0f, 2.0f}), y = tensor({3.0f, 4.0f});
  auto [value, pull] = vjp(
      [](const Tensor &x, const Tensor &y) { return std::pair(x * y, sum(x)); },
      x, y);
  expectNear(value.first, {3, 8});
  EXPECT_EQ(value.second.item<float>(), 3);
  auto [dx, dy] = pull({tensor({1.0f, 10.0f}), scalar(100.0f)});
  expectNear(dx, {103, 140});
  expectNear(dy, {1, 20});
  auto [dx0, dy0] = pull({Tensor(), scalar(1.0f)});
  expectNear(dx0, {1, 1});
  expectNear(dy0, {0, 0});
}

TEST(Grad, OtherDTypes) {
  auto f = grad([](const Tensor &x) { return sum(x * x); });
  for (DType dtype : {f16, bf16, f64}) {
    Tensor g = f(astype(tensor({3.0f}), dtype));
    EXPECT_EQ(g.dtype(), dtype);
    EXPECT_EQ(astype(g, f32).item<float>(), 6);
  }
}

TEST(Grad, EdgeSizes) {
  auto f = grad([](const Tensor &x) { return sum(x * x); });
  EXPECT_EQ(f(zeros({0, 3})).shape(), (std::vector<int64_t>{0, 3}));
  expectNear(f(scalar(2.0f)), {4});
  expectNear(f(ones({1, 1})), {2});
  // Nothing of the argument in the result.
  expectNear(grad([](const Tensor &) { return scalar(1.0f); })(ones({2})),
             {0, 0});
}

TEST(Grad, OnDevices) {
  auto f = value_and_grad([](const Layer &l, const Tensor &x) {
    return mean(tanh(matmul(x, l.w) + l.b));
  });
  Layer layer{ones({3, 2}), zeros({2})};
  Tensor x = ones({4, 3}) * 0.1f;
  auto expected = f(layer, x).second;
  for (const char *name : {"sim:0", "sim:gfx942"}) {
    Layer there{layer.w.to(name), layer.b.to(name)};
    auto [value, gradient] = f(there, x.to(name));
    EXPECT_EQ(gradient.w.device(), there.w.device());
    expectNear(gradient.w, floats(expected.w));
    expectNear(gradient.b, floats(expected.b));
    // What reads no value, and by an argument that is not used.
    auto constant = grad([](const Layer &l) { return sum(l.w + 1); })(there);
    EXPECT_EQ(constant.w.device(), there.w.device());
    EXPECT_EQ(constant.b.device(), there.b.device());
    expectNear(constant.b, {0, 0});
  }
}

TEST(Grad, Errors) {
  Tensor x = ones({3});
  unsigned line = __LINE__ + 1;
  auto twice = [](const Tensor &x) { return x * 2; };
  std::string place =
      ", not one float; it is made at " __FILE__ ":" + std::to_string(line);
  EXPECT_ERROR("grad: the function's result is f32[3]" + place +
                   ": its sum is one, and jacobian has the derivatives of "
                   "each element",
               grad(twice)(x));
  EXPECT_ERROR("grad: the function's result is c64[3]" + place +
                   ": the sum of its real or abs is one",
               grad(twice)(complex(x, x)));
  auto total = [](const Tensor &x) { return sum(astype(x, f32)); };
  EXPECT_ERROR("grad: argument 0 is i32[2]; a gradient is by floats",
               grad(total)(tensor({1, 2})));
}

/// y = x^2 in f32, and its derivative.
void square(const CustomCall &call) {
  const float *x = call.input<float>();
  float *y = call.output<float>();
  for (int64_t i = 0; i < call.numel(); ++i)
    y[i] = x[i] * x[i];
}
void squareGradient(const CustomCall &call) {
  const float *x = call.input<float>(0), *g = call.input<float>(2);
  float *y = call.output<float>();
  for (int64_t i = 0; i < call.numel(); ++i)
    y[i] = 2 * x[i] * g[i];
}

TEST(Grad, ThroughFunctionsOfTheProgram) {
  CustomOp gradient("grad_test.square_gradient", squareGradient,
                    CustomOp::like_first_input);
  CustomOp op("grad_test.square", square, CustomOp::like_first_input,
              "grad_test.square_gradient");
  auto f = grad([&](const Tensor &x) { return sum(op({x * 3})); });
  expectNear(f(tensor({1.0f, -2.0f})), {18, -36});
}

/// They name the op that has no gradient and its line.
TEST(Grad, ErrorsOfOps) {
  unsigned line = 0;
  CustomOp op("grad_test.plain", square, CustomOp::like_first_input);
  auto plain = [&](const Tensor &x) {
    line = __LINE__ + 1;
    return sum(op({x * 3}));
  };
  unsigned call = __LINE__ + 1;
  std::string error = errorOf([&] { grad(plain)(ones({3})); });
  EXPECT_EQ(error,
            "grad: custom_call grad_test.plain names no derivative, so it has "
            "no gradient: name one, or give the call a gradient by custom_vjp"
            "; grad is called at " __FILE__ ":" +
                std::to_string(call) + "  at " __FILE__ ":" +
                std::to_string(line));
  // In the stage before a transfer, too.
  auto moved = [&](const Tensor &x) {
    Tensor y = op({x * 3});
    return sum(y.to("sim:0"));
  };
  Tensor x = ones({3});
  error = errorOf([&] { vjp(moved, x).second(scalar(1.0f)); });
  EXPECT_NE(error.find("names no derivative"), std::string::npos) << error;
  error = errorOf([&] { grad(moved)(x); });
  EXPECT_NE(error.find("names no derivative"), std::string::npos) << error;
}

} // namespace
