//===- StructureTest.cpp - Structs and containers through jit and eval ----===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

using namespace tensorc;

namespace {
enum class Mode { add, mul };
struct Layer {
  Tensor weight, bias;
};
struct State {
  std::map<std::string, Layer> layers;
  std::vector<Tensor> history;
  std::optional<Tensor> mask;
  std::tuple<Tensor, double> pair;
  Mode mode = Mode::add;
  int step = 0;
  std::string name;
  std::vector<bool> flags;
};
/// Members that are not public, or not all.
class Hidden {
public:
  explicit Hidden(Tensor x) : x(std::move(x)) {}
  const Tensor &get() const { return x; }

private:
  friend auto tensorc_members(Hidden &all) { return std::tie(all.x); }
  friend auto tensorc_members(const Hidden &all) { return std::tie(all.x); }
  Tensor x;
};
TENSORC_STRUCT(Layer, weight, bias)
TENSORC_STRUCT(State, layers, history, mask, pair, mode, step, name, flags)

State state() {
  State s;
  s.layers["a"] = {ones({2}), Tensor()};
  s.layers["b"] = {ones({2}) * 2, ones({2})};
  s.history = {zeros({2})};
  s.pair = {ones({}), 0.5};
  return s;
}
} // namespace

TEST(Structure, JitTakesAndReturnsStructs) {
  auto step = jit([](State s, const Tensor &x) {
    Tensor y = x;
    for (auto &[key, layer] : s.layers) {
      y = y * layer.weight * std::get<1>(s.pair);
      if (layer.bias.defined())
        y += layer.bias;
      layer.weight += 1;
    }
    if (s.mask)
      y *= *s.mask;
    s.history.push_back(y);
    ++s.step;
    return s;
  });
  State s = state();
  for (int i = 0; i < 3; ++i)
    s = step(s, ones({2}));
  EXPECT_EQ(s.step, 3);
  ASSERT_EQ(s.history.size(), 4u);
  EXPECT_EQ(s.history[3].to_vector<float>(), (std::vector<float>{4, 4}));
  EXPECT_EQ(s.layers["b"].weight.to_vector<float>()[0], 5);
  EXPECT_FALSE(s.layers["a"].bias.defined());
  EXPECT_FALSE(s.mask);
  EXPECT_EQ(step.traces(), 3u); // of each step and history
}

TEST(Structure, AnythingButTheTensorsTracesAgain) {
  auto f = jit([](const State &s) {
    Tensor x = s.history[0];
    return s.mode == Mode::add ? x + s.step : x * s.step;
  });
  State s = state();
  f(s), f(s);
  EXPECT_EQ(f.traces(), 1u);
  s.step = 7;
  s.mode = Mode::mul;
  s.history[0] = ones({2});
  EXPECT_EQ(f(s).to_vector<float>()[0], 7);
  s.name = "another";
  f(s);
  s.flags = {true};
  f(s);
  s.mask = ones({2});
  f(s);
  s.layers["c"];
  f(s);
  std::swap(s.layers["c"].weight, s.layers["c"].bias);
  f(s);
  s.layers["c"].bias = ones({2});
  f(s);
  EXPECT_EQ(f.traces(), 7u);
}

/// What an undefined tensor adds to a trace's key is no number beside it.
TEST(Structure, UndefinedTensorsAreNotNumbers) {
  using Terms = std::vector<std::pair<Tensor, int64_t>>;
  auto f = jit([](const Terms &terms) {
    Tensor result = zeros({1});
    for (auto &[x, n] : terms)
      result = x.defined() ? Tensor(result + x * n) : Tensor(result + 1000 * n);
    return result;
  });
  Tensor three = full({1}, 3);
  EXPECT_EQ(f(Terms{{Tensor(), -2}, {three, 7}}).item<float>(), -1979);
  EXPECT_EQ(f(Terms{{three, -1}, {Tensor(), 7}}).item<float>(), 6997);
  EXPECT_EQ(f(Terms{{three, -2}, {Tensor(), 7}}).item<float>(), 6994);
  EXPECT_EQ(f(Terms{{Tensor(), -1}, {three, 7}}).item<float>(), -979);
  EXPECT_EQ(f.traces(), 4u);
}

TEST(Structure, ChangedNumbersDoNotRecompile) {
  auto f = jit([](const Tensor &x, float rate, int64_t shift) {
    return std::pair{x * rate + shift, rate * 2};
  });
  Tensor x = Tensor(ones({4})).eval();
  f(x, 0.25f, 3).first.eval();
  reset_compile_stats();
  for (int i = 0; i < 10; ++i) {
    auto [y, twice] = f(x, 0.3f + static_cast<float>(i), 4 + i);
    EXPECT_FLOAT_EQ(twice, 0.6f + 2 * static_cast<float>(i));
    EXPECT_FLOAT_EQ(y.to_vector<float>()[2], 4.3f + 2 * static_cast<float>(i));
  }
  EXPECT_EQ(compile_stats().compilations, 0u);
  // A number takes the tensor's dtype, as it does outside of a trace.
  EXPECT_EQ(f(x.to(f16), 0.25f, 1).first.dtype(), f16);
}

TEST(Structure, WithoutTensorsTheCurrentDeviceCounts) {
  auto f = jit([](int64_t n) { return arange(n, f32) + 1; });
  for (const char *device : {"cpu", "sim:0", "cpu"}) {
    DeviceGuard guard(device);
    Tensor x = f(3);
    EXPECT_EQ(x.device(), Device(device));
    EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3}));
  }
  EXPECT_EQ(f.traces(), 2u);
}

TEST(Structure, TypesOfArgumentsAreKeptApart) {
  auto f = jit([](const auto &x) {
    if constexpr (std::is_same_v<std::decay_t<decltype(x)>, Tensor>)
      return x + 1;
    else
      return std::vector<Tensor>{x.weight * 5};
  });
  EXPECT_EQ(f(ones({2})).template to_vector<float>()[0], 2);
  EXPECT_EQ(f(Layer{ones({2}), {}})[0].template to_vector<float>()[0], 5);
  EXPECT_EQ(f(ones({2})).template to_vector<float>()[0], 2);
}

TEST(Structure, HiddenMembersAndKeys) {
  auto f = jit([](const Hidden &h, const RandomKey &key) {
    return std::tuple{Hidden(h.get() + uniform(key, {3})), fold_in(key, 1)};
  });
  auto [h, key] = f(Hidden(zeros({3})), random_key(5));
  EXPECT_EQ(h.get().to_vector<float>(),
            uniform(random_key(5), {3}).to_vector<float>());
  EXPECT_EQ(uniform(key, {2}).to_vector<float>(),
            uniform(fold_in(random_key(5), 1), {2}).to_vector<float>());
  f(h, key);
  EXPECT_EQ(f.traces(), 1u);
}

TEST(Structure, EvalComputesAllTensors) {
  State s = state();
  Tensor loss = s.layers["b"].weight + 1;
  eval(s, loss);
  EXPECT_TRUE(loss.is_evaluated());
  for_each_tensor(s, [](const Tensor &x) {
    if (x.defined())
      EXPECT_TRUE(x.is_evaluated());
  });
  Tensor a = ones({2}) * 3, b = a + 1;
  eval({a, b});
  EXPECT_TRUE(b.is_evaluated());
  EXPECT_NE(errorOf([] { eval(Tensor()); }), "no error");
}

TEST(Structure, NestedCallsAndManyTensors) {
  auto inner = jit([](const std::vector<Tensor> &xs) {
    Tensor sum = xs[0];
    for (size_t i = 1; i < xs.size(); ++i)
      sum += xs[i];
    return std::array<Tensor, 2>{sum, xs.back()};
  });
  auto outer =
      jit([&](const std::vector<Tensor> &xs) { return inner(xs)[0] * 2; });
  std::vector<Tensor> xs;
  for (int i = 0; i < 20; ++i)
    xs.push_back(full({2}, i));
  EXPECT_EQ(outer(xs).to_vector<float>()[1], 380);
  EXPECT_EQ(inner(xs)[1].to_vector<float>()[0], 19);
  xs.resize(8);
  EXPECT_EQ(inner(xs)[0].to_vector<float>()[0], 28);
  xs.resize(9, ones({2}));
  EXPECT_EQ(inner(xs)[0].to_vector<float>()[0], 29);
}
