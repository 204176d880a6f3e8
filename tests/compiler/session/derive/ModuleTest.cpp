//===- ModuleTest.cpp - tensorc/module.hpp --------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/derivatives.hpp"
#include "tensorc/linalg.hpp"
#include "tensorc/module.hpp"
#include "tensorc/optim.hpp"

#include <gtest/gtest.h>

#include <cstdio>

using namespace tensorc;

namespace {

struct Net {
  std::vector<Linear> layers;
  std::map<std::string, Tensor> more;
  std::optional<Embedding> table;
  Tensor all; // not defined
  int steps = 0;
};
TENSORC_STRUCT(Net, layers, more, table, all, steps)

Net makeNet(const RandomKey &key) {
  return {{Linear(fold_in(key, 0), 3, 4), Linear(fold_in(key, 1), 4, 1)},
          {{"scale", ones({2}, f64)}},
          Embedding(fold_in(key, 2), 5, 2),
          Tensor(),
          0};
}

TEST(Module, Names) {
  std::vector<std::string> names;
  for (const auto &[name, tensor] : state_dict(makeNet(random_key(1))))
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"layers.0.b", "layers.0.w",
                                             "layers.1.b", "layers.1.w",
                                             "more.scale", "table.table"}));
}

bool areEqual(const Tensor &x, const Tensor &y) {
  return all(eq(x, y)).item<bool>();
}

/// Training that was stopped, saved and loaded gives the bits of training that
/// was not.
TEST(Module, Resume) {
  std::vector<Linear> initial = makeNet(random_key(1)).layers;
  Adam adam(0.05);
  using State = std::tuple<std::vector<Linear>, AdamState<std::vector<Linear>>,
                           RandomKey>;
  auto loss = [](const std::vector<Linear> &layers, const RandomKey &key) {
    Tensor x = randn(key, {8, 3});
    Tensor hidden = dropout(tanh(layers[0](x)), fold_in(key, 1), 0.5);
    return mse_loss(layers[1](hidden), sum(x, {1}, true));
  };
  auto step = jit([&](const State &all) {
    auto &[layers, state, key] = all;
    auto gradient = grad(loss)(layers, key);
    auto [next, nextState] = adam.update(layers, gradient, state);
    return State(next, nextState, fold_in(key, 7));
  });
  State first(initial, adam.init(initial), random_key(3)), all = first;
  for (int i = 0; i < 6; ++i)
    all = step(all);
  State stopped = first;
  for (int i = 0; i < 3; ++i)
    stopped = step(stopped);
  for (const char *path : {"resume.safetensors", "resume.npz"}) {
    save_state(path, stopped);
    State resumed = load_state(path, first);
    std::remove(path);
    for (int i = 0; i < 3; ++i)
      resumed = step(resumed);
    auto expected = state_dict(all), made = state_dict(resumed);
    ASSERT_EQ(made.size(), expected.size());
    EXPECT_EQ(expected.count("1.first.0.w"), 1u);
    for (auto &[name, tensor] : expected)
      EXPECT_TRUE(areEqual(made[name], tensor)) << name;
  }
}

TEST(Module, RefusedFiles) {
  Net net = makeNet(random_key(1));
  auto all = state_dict(net);
  auto without = all;
  without.erase("layers.1.w");
  EXPECT_NE(errorOf([&] {
              load_state_dict(without, net);
            }).find("there is no tensor 'layers.1.w'"),
            std::string::npos);
  auto with = all;
  with["layers.2.w"] = ones({1});
  EXPECT_NE(errorOf([&] {
              load_state_dict(with, net);
            }).find("nothing is called 'layers.2.w'"),
            std::string::npos);
  all["more.scale"] = ones({3}, f64);
  EXPECT_NE(errorOf([&] {
              load_state_dict(all, net);
            }).find("'more.scale' has another dtype or shape"),
            std::string::npos);
}

double deviation(const Tensor &x) {
  return sqrt(mean(square(astype(x, f64)))).item<double>();
}

TEST(Module, InitialValues) {
  RandomKey key = random_key(5);
  Shape matrix{300, 500}, kernels{64, 32, 3, 3};
  EXPECT_NEAR(deviation(xavier_normal(key, matrix)), std::sqrt(2.0 / 800),
              2e-4);
  EXPECT_NEAR(deviation(xavier_uniform(key, matrix, 2)),
              2 * std::sqrt(2.0 / 800), 4e-4);
  EXPECT_NEAR(deviation(kaiming_normal(key, kernels)), std::sqrt(2.0 / 288),
              1e-3);
  EXPECT_NEAR(deviation(kaiming_uniform(key, matrix, 1)), std::sqrt(1.0 / 300),
              2e-4);
  EXPECT_NE(errorOf([&] { xavier_normal(key, {3}); }).find("at least two"),
            std::string::npos);
}

} // namespace

TEST(CallersPlace, OfLayersAndFactors) {
  RandomKey key = random_key(1);
  Tensor x = ones({2, 3}), vector = ones({3});
  Linear linear(key, 4, 5);
  Conv2d conv(key, 3, 4, 3);
  Embedding embedding(key, 10, 4);
  LayerNorm norm(4);
  EXPECT_PLACE(linear(x));
  EXPECT_PLACE(conv(x));
  EXPECT_PLACE(embedding(x));
  EXPECT_PLACE(norm(x));
  EXPECT_PLACE(Linear(key, -1, 5));
  EXPECT_PLACE(Conv2d(key, 3, 4, -3));
  EXPECT_PLACE(Embedding(key, -1, 4));
  EXPECT_PLACE(LayerNorm(-4));
  EXPECT_PLACE(jit(linear)(x));
  EXPECT_PLACE(jit([&](const Tensor &y) { return linear(y); })(x));
  EXPECT_PLACE(lu(vector));
  EXPECT_PLACE(qr(vector));
  EXPECT_PLACE(svd(vector));
  EXPECT_PLACE(eigh(vector));
  EXPECT_PLACE(eig(vector));
  EXPECT_PLACE(cholesky_ex(vector));
  EXPECT_PLACE(vjp([](const Tensor &y) { return y * 2; }, x).second(vector));
  EXPECT_PLACE(jacobian(linear, x));
  EXPECT_PLACE(vmap(embedding)(x));
  EXPECT_PLACE(cond(ones({}, i1), linear, linear, x));
  EXPECT_PLACE(while_loop(norm, linear, x));
  EXPECT_PLACE(fori_loop(
      0, 2, [&](const Tensor &, const Tensor &y) { return linear(y); }, x));
}
