//===- OptimTest.cpp - tensorc/optim.hpp and tensorc/losses.hpp -----------===//
//
// Numbers are PyTorch's.
//
//===----------------------------------------------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/lbfgs.hpp"
#include "tensorc/precision.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

using namespace tensorc;

namespace {

struct Params {
  Tensor w;
  std::vector<Tensor> more;
  Tensor count; // i32
};
TENSORC_STRUCT(Params, w, more, count)

void expectNear(const Tensor &x, const std::vector<double> &expected) {
  std::vector<double> values = astype(x, f64).to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i],
                2e-6 * std::max(1.0, std::abs(expected[i])))
        << "element " << i;
}

/// w after steps whose gradients are w^2, and the others in its wake.
template <typename Optimizer>
Tensor train(const Optimizer &optimizer, int steps) {
  Params p{tensor({1.0f, -2.0f}), {scalar(3.0f)}, tensor({7})};
  auto state = optimizer.init(p);
  auto step = jit([&](const Params &p, const decltype(state) &state) {
    return optimizer.update(p, Params{p.w * p.w, {p.more[0]}, Tensor()}, state);
  });
  for (int i = 0; i < steps; ++i)
    std::tie(p, state) = step(p, state);
  EXPECT_EQ(step.traces(), 1u);
  EXPECT_EQ(p.count.item<int32_t>(), 7);
  EXPECT_EQ(state.step.template item<int32_t>(), steps);
  return p.w;
}

/// The formulas of torch.optim, in f64.
struct Reference {
  double w, m = 0, v = 0;
  int t = 0;
  void sgd(double rate, double momentum, bool nesterov, double decay) {
    double g = w * w + decay * w;
    m = t++ == 0 ? g : momentum * m + g;
    w -= rate * (nesterov ? g + momentum * m : m);
  }
  void adam(double rate, double decay, bool decoupled) {
    double g = w * w + (decoupled ? 0 : decay * w);
    if (decoupled)
      w -= rate * decay * w;
    ++t;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    w -= rate * (m / (1 - std::pow(0.9, t))) /
         (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
};
template <typename Step> std::vector<double> reference(int steps, Step step) {
  std::vector<double> result;
  for (double w : {1.0, -2.0}) {
    Reference r{w};
    for (int i = 0; i < steps; ++i)
      step(r);
    result.push_back(r.w);
  }
  return result;
}

TEST(Optim, Sgd) {
  expectNear(train(Sgd(0.01), 3),
             reference(3, [](Reference &r) { r.sgd(0.01, 0, false, 0); }));
  SgdOptions momentum{0.9, 0, 0.1};
  expectNear(train(Sgd(0.01, momentum), 4),
             reference(4, [](Reference &r) { r.sgd(0.01, 0.9, false, 0.1); }));
  momentum.nesterov = true;
  expectNear(train(Sgd(0.01, momentum), 4),
             reference(4, [](Reference &r) { r.sgd(0.01, 0.9, true, 0.1); }));
}

TEST(Optim, Adam) {
  expectNear(train(Adam(0.05), 5),
             reference(5, [](Reference &r) { r.adam(0.05, 0, false); }));
  expectNear(train(Adam(0.05, {0.9, 0.999, 1e-8, 0.1}), 5),
             reference(5, [](Reference &r) { r.adam(0.05, 0.1, false); }));
  expectNear(train(AdamW(0.05), 5),
             reference(5, [](Reference &r) { r.adam(0.05, 0.01, true); }));
}

/// The bits of w after four steps.
template <typename Optimizer>
std::vector<uint32_t> bitsAfter(const Optimizer &optimizer) {
  Tensor w = tensor({{1.0f, -2.0f}, {0.3f, 0.7f}});
  auto state = optimizer.init(w);
  for (int i = 0; i < 4; ++i)
    std::tie(w, state) = optimizer.update(w, w * w + 0.25, state);
  std::vector<uint32_t> bits;
  for (float value : w.to_vector<float>())
    bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

// tests/python/test_optimizers.py has the same bits.
TEST(Optim, BitsThatPythonHas) {
  using Bits = std::vector<uint32_t>;
  EXPECT_EQ(bitsAfter(Sgd(0.1, {0.9, 0.25, 0.01, true})),
            (Bits{1033019418u, 3250307542u, 3171392168u, 1035012084u}));
  EXPECT_EQ(bitsAfter(Adam(0.1, {0.9, 0.999, 1e-8, 0.01})),
            (Bits{1058756202u, 3222908011u, 3183715755u, 1050529045u}));
  EXPECT_EQ(bitsAfter(AdamW(cosine_schedule(0.1, 10, 2))),
            (Bits{1059572987u, 3222650867u, 3174158742u, 1052181612u}));
  EXPECT_EQ(bitsAfter(Lion(linear_schedule(0.1, 0.01, 4))),
            (Bits{1060907254u, 3222336963u, 1024416814u, 1054783569u}));
  EXPECT_EQ(bitsAfter(Adafactor(0.1, {.weight_decay = 0.01})),
            (Bits{1059367601u, 3222980640u, 3201098732u, 1052367161u}));
}

TEST(Optim, GradientsOfOtherDtypesAndShapes) {
  Sgd sgd(0.5);
  Tensor w = astype(ones({2}), f16);
  EXPECT_EQ(sgd.update(w, ones({2}), sgd.init(w)).first.dtype(), f16);
  EXPECT_NE(errorOf([&] {
              sgd.update(w, ones({3}), sgd.init(w));
            }).find("sgd: a gradient has the shape [3], its parameter [2]"),
            std::string::npos);
}

TEST(Optim, Lion) { expectNear(train(Lion(0.5), 1), {0.5, -2.5}); }

struct Matrix {
  Tensor w, b;
};
TENSORC_STRUCT(Matrix, w, b)

TEST(Optim, Adafactor) {
  Adafactor optimizer(0.1, {.weight_decay = 0.01});
  Matrix p{tensor({{1.0f, -2.0f}, {3.0f, 0.5f}}), tensor({3.0f, -1.0f})};
  auto state = optimizer.init(p);
  EXPECT_EQ(state.rows.w.shape(), (Shape{2, 1}));
  EXPECT_EQ(state.columns.w.shape(), (Shape{1, 2}));
  EXPECT_EQ(state.rows.b.shape(), (Shape{2}));
  EXPECT_FALSE(state.columns.b.defined());
  auto step = jit([&](const Matrix &p, const decltype(state) &state) {
    return optimizer.update(p, Matrix{p.w * p.w + 0.25, p.b}, state);
  });
  for (int i = 0; i < 4; ++i)
    std::tie(p, state) = step(p, state);
  expectNear(p.w, {0.838114619, -3.339594364, 2.247059107, 0.429747254});
  expectNear(p.b, {2.237770319, -0.336422741});
}

/// w towards 3, whose loss is computed in the narrower dtype.
template <typename F>
std::pair<float, LossScale> trainMixed(DType dtype, LossScaler scaler,
                                       int steps, F gradientOf) {
  Sgd sgd(0.25);
  Tensor w = tensor({1.0f, 5.0f});
  auto state = sgd.init(w);
  LossScale scaling = scaler.init();
  auto step = jit([&](const Tensor &w, const decltype(state) &state,
                      const LossScale &scaling) {
    Tensor g = grad([&](const Tensor &w) {
      return scaler.scale(gradientOf(cast(w, dtype)), scaling);
    })(w);
    EXPECT_EQ(g.dtype(), f32);
    return scaler.update(sgd, w, g, state, scaling);
  });
  for (int i = 0; i < steps; ++i)
    std::tie(w, state, scaling) = step(w, state, scaling);
  EXPECT_LE(state.step.template item<int32_t>(), steps);
  return {max(abs(w - 3.0f)).template item<float>(), scaling};
}

TEST(Precision, LossesOfNarrowFloats) {
  auto loss = [](const Tensor &w) { return sum(square(w - 3)); };
  for (DType dtype : {f16, bf16}) {
    auto [error, scaling] =
        trainMixed(dtype, LossScaler({1024, 2, 0.5, 4}), 8, loss);
    EXPECT_LT(error, 0.02);
    // It grew after each four steps.
    EXPECT_EQ(scaling.scale.item<float>(), 4096);
  }
  EXPECT_EQ(trainMixed(bf16, LossScaler::fixed(64), 8, loss)
                .second.scale.item<float>(),
            64);
}

TEST(Precision, SmallGradientsNeedAScale) {
  // A slope of 2^-26 is 0 in f16.
  auto loss = [](const Tensor &w) {
    return sum(w * full({}, 0x1p-13, f16) * full({}, 0x1p-13, f16));
  };
  auto slope = [&](const LossScaler &scaler) {
    LossScale state = scaler.init();
    return max(scaler.unscale(grad([&](const Tensor &w) {
                                return scaler.scale(loss(cast(w, f16)), state);
                              })(ones({1})),
                              state))
        .item<float>();
  };
  EXPECT_EQ(slope(LossScaler::fixed(1)), 0);
  EXPECT_EQ(slope(LossScaler()), 0x1p-26f);
}

TEST(Precision, AStepThatOverflowsIsLeftOut) {
  Sgd sgd(0.25, {0.9});
  LossScaler scaler({1024, 2, 0.5, 1000});
  Params p{tensor({1.0f}), {scalar(3.0f)}, tensor({7})};
  auto state = sgd.init(p);
  LossScale scaling = scaler.init();
  Params bad{tensor({INFINITY}), {scalar(1.0f)}, Tensor()};
  auto [same, sameState, lower] = scaler.update(sgd, p, bad, state, scaling);
  expectNear(same.w, {1});
  expectNear(same.more[0], {3});
  EXPECT_EQ(same.count.item<int32_t>(), 7);
  EXPECT_EQ(sameState.step.item<int32_t>(), 0);
  expectNear(sameState.velocity.w, {0});
  EXPECT_EQ(lower.scale.item<float>(), 512);
  EXPECT_EQ(lower.good.item<int32_t>(), 0);
  Params fine{tensor({512.0f}), {scalar(0.0f)}, Tensor()};
  auto [next, nextState, after] = scaler.update(sgd, p, fine, state, lower);
  expectNear(next.w, {0.75});
  EXPECT_EQ(after.good.item<int32_t>(), 1);
  EXPECT_NE(errorOf([&] { cast(p, i32); }).find("cast: to a dtype"),
            std::string::npos);
}

TEST(Lbfgs, Rosenbrock) {
  Matrix start{tensor({-1.2}), tensor({{1.0}, {-1.0}})};
  auto result = lbfgs(
      [](const Matrix &p) {
        Tensor x = concatenate({p.w, reshape(p.b, {-1})});
        Tensor a = slice(x, {{0, 2}}), b = slice(x, {{1, 3}});
        return sum(100 * square(b - square(a)) + square(1 - a));
      },
      start);
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.iterations, 60);
  EXPECT_LT(result.loss, 1e-8);
  for (const Tensor &x : {result.parameters.w, result.parameters.b})
    for (double value : astype(x, f64).to_vector<double>())
      EXPECT_NEAR(value, 1, 1e-3);
}

TEST(Lbfgs, WhereItEnds) {
  auto bowl = [](const Tensor &x) { return sum(square(x)); };
  auto there = lbfgs(bowl, zeros({2}));
  EXPECT_TRUE(there.converged);
  EXPECT_EQ(there.iterations, 0);
  EXPECT_EQ(there.evaluations, 1);
  EXPECT_FALSE(lbfgs([](const Tensor &x) { return sum(x); }, zeros({2}),
                     {.most_iterations = 5})
                   .converged);
  // A loss without a value beyond a bound.
  auto bounded =
      lbfgs([](const Tensor &x) { return sum(x - log(x)); }, tensor({20.0f}));
  EXPECT_TRUE(bounded.converged);
  EXPECT_NEAR(bounded.parameters.item<float>(), 1, 1e-2);
  EXPECT_NE(errorOf([&] {
              lbfgs(bowl, zeros({2}), {.history = 0});
            }).find("lbfgs: a history of 0 steps"),
            std::string::npos);
}

TEST(Optim, Schedules) {
  auto at = [](const Schedule &schedule, int step) {
    return schedule.at(scalar(step)).item<float>();
  };
  EXPECT_NEAR(at(0.5, 3), 0.5, 1e-7);
  EXPECT_NEAR(at(step_schedule(1, 10, 0.5), 25), 0.25, 1e-6);
  EXPECT_NEAR(at(exponential_schedule(1, 0.9), 2), 0.81, 1e-6);
  EXPECT_NEAR(at(linear_schedule(1, 0, 4), 1), 0.75, 1e-6);
  EXPECT_NEAR(at(linear_schedule(1, 0, 4), 9), 0, 1e-6);
  EXPECT_NEAR(at(cosine_schedule(2, 10), 5), 1, 1e-6);
  EXPECT_NEAR(at(cosine_schedule(2, 12, 2), 0), 1, 1e-6);
  EXPECT_NEAR(at(cosine_schedule(2, 12, 2), 12), 0, 1e-6);
}

TEST(Optim, Clipping) {
  Params g{tensor({3.0f, 4.0f}), {scalar(12.0f)}, tensor({1})};
  EXPECT_NEAR(global_norm(g).item<float>(), 13, 1e-5);
  Params clipped = clip_by_norm(g, 6.5);
  expectNear(clipped.w, {1.4999999, 1.9999998});
  expectNear(clip_by_norm(g, 100).more[0], {12});
  expectNear(clip_by_value(g, 3.5).w, {3, 3.5});
}

TEST(Losses, Distances) {
  Tensor x = tensor({0.5f, -3.0f, 1.0f}), y = tensor({1.0f, 0.0f, 1.0f});
  expectNear(mse_loss(x, y), {9.25 / 3});
  expectNear(l1_loss(x, y, LossReduction::sum), {3.5});
  expectNear(huber_loss(x, y, 2, LossReduction::none), {0.125, 4, 0});
  expectNear(smooth_l1_loss(x, y, 2, LossReduction::none), {0.0625, 2, 0});
  expectNear(smooth_l1_loss(x, y, 0), {3.5 / 3});
  expectNear(grad([&](const Tensor &x) {
               return huber_loss(x, y, 2, LossReduction::sum);
             })(x),
             {-0.5, -2, 0});
  EXPECT_ERROR("huber_loss: delta is 0.000000", huber_loss(x, y, 0));
}

TEST(Losses, ProbabilitiesOfClasses) {
  Tensor x = log(tensor({{1.0f, 3.0f}, {1.0f, 1.0f}})),
         p = tensor({{0.5f, 0.5f}, {1.0f, 0.0f}});
  double first = -(0.5 * std::log(0.25) + 0.5 * std::log(0.75)),
         second = std::log(2.0);
  expectNear(soft_cross_entropy(x, p), {(first + second) / 2});
  expectNear(
      soft_cross_entropy(x, p, LossReduction::none, tensor({2.0f, 1.0f}), 0.5),
      {-(std::log(0.25) + 0.5 * std::log(0.75)), 1.5 * second + 0.25 * second});
  EXPECT_ERROR("cross_entropy: probabilities need one number for each of the "
               "logits",
               soft_cross_entropy(x, ones({2})));
}

TEST(Losses, Probabilities) {
  Tensor p = tensor({{0.2f, 0.8f}, {1.0f, 0.0f}}),
         q = log(tensor({{0.5f, 0.5f}, {0.25f, 0.75f}}));
  double first = 0.2 * std::log(0.4) + 0.8 * std::log(1.6),
         second = std::log(4.0);
  expectNear(kl_div(q, p), {(first + second) / 2});
  expectNear(kl_div(q, p, KlReduction::mean), {(first + second) / 4});
  expectNear(kl_div(q, log(tensor({{0.5f, 0.5f}, {0.5f, 0.5f}})),
                    KlReduction::sum, true),
             {0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3)});
  // A target of 0 has a finite gradient.
  expectNear(
      grad([&](const Tensor &q) { return kl_div(q, p, KlReduction::sum); })(q),
      {-0.2, -0.8, -1, 0});
  expectNear(nll_loss(q, tensor({1, 0})),
             {(std::log(2.0) + std::log(4.0)) / 2});
  expectNear(nll_loss(q, tensor({-100, 0})), {std::log(4.0)});
}

TEST(Losses, Binary) {
  Tensor x = tensor({2.0f, -200.0f, 200.0f, 0.0f}),
         y = tensor({1.0f, 0.0f, 0.5f, 0.25f});
  expectNear(binary_cross_entropy_with_logits(x, y, LossReduction::none),
             {std::log1p(std::exp(-2.0)), 0, 100, std::log(2.0)});
  expectNear(grad([&](const Tensor &x) {
               return binary_cross_entropy_with_logits(x, y,
                                                       LossReduction::sum);
             })(x),
             {1 / (1 + std::exp(-2.0)) - 1, 0, 0.5, 0.25});
  expectNear(binary_cross_entropy(tensor({0.0f, 0.5f}), tensor({1.0f, 0.0f}),
                                  LossReduction::none),
             {100, std::log(2.0)});
}

TEST(Losses, Vectors) {
  Tensor x = tensor({{1.0f, 0.0f}, {3.0f, 4.0f}}),
         y = tensor({{0.0f, 2.0f}, {6.0f, 8.0f}});
  expectNear(cosine_similarity(x, y), {0, 1});
  expectNear(
      cosine_embedding_loss(x, y, tensor({-1, 1}), 0.5, LossReduction::none),
      {0, 0});
  EXPECT_NEAR(triplet_margin_loss(x, x, y, 10).item<float>(),
              10 - (std::sqrt(5.0) + 5) / 2, 1e-4);
  // Vectors of 0 have a gradient.
  Tensor zero = grad([&](const Tensor &x) {
    return sum(cosine_similarity(x, y));
  })(zeros({2, 2}));
  EXPECT_TRUE(all(is_finite(zero)).item<bool>());
}

} // namespace

TEST(Optim, ParametersOfAnotherDevice) {
  Device other("sim:0");
  Params p{
      tensor({1.0f, -2.0f}).to(other), {scalar(3.0f).to(other)}, tensor({7})};
  Adam adam(1e-2);
  auto [updated, state] = adam.update(p, clip_by_norm(p, 1.0), adam.init(p));
  EXPECT_EQ(updated.w.device().name, "sim:0");
  EXPECT_EQ(state.step.item<int32_t>(), 1);
  expectNear(updated.w, {0.99, -1.99});
}

//===----------------------------------------------------------------------===//
// Errors name the line that called, not the header's
//===----------------------------------------------------------------------===//

TEST(CallersPlace, OfOptimizers) {
  Params p{ones({2}), {ones({2})}, tensor({7})};
  Params g{ones({3}), {ones({2})}, Tensor()};
  auto step = [&](const auto &optimizer, const auto &state, Location at) {
    return optimizer.update(p, g, state, at);
  };
  Location here{"user.cpp", 7};
  for (double decay : {0.0, 0.1}) {
    Sgd sgd(0.1, {.momentum = 0.9, .weight_decay = decay});
    Adam adam(0.1, {.weight_decay = decay});
    Lion lion(0.1, {.weight_decay = decay});
    for (const std::string &message :
         {errorOf([&] { step(sgd, sgd.init(p), here); }),
          errorOf([&] { step(adam, adam.init(p), here); }),
          errorOf([&] { step(lion, lion.init(p), here); })})
      EXPECT_TRUE(namesOnly(message, "user.cpp", 7)) << message;
  }
  Sgd sgd(0.1);
  EXPECT_PLACE(sgd.update(p, g, sgd.init(p)));
  Adafactor adafactor;
  EXPECT_PLACE(adafactor.update(p, g, adafactor.init(p)));
  EXPECT_PLACE(LossScaler().scale(Tensor(), LossScaler().init()));
  EXPECT_PLACE(Schedule(cosine_schedule(1, 10)).at(Tensor()));
  // A schedule of the user is at a line of its own.
  Params same{ones({2}), {ones({2})}, Tensor()};
  unsigned line = __LINE__ + 1;
  auto ofUser = [](const Tensor &at) { return at + ones({2}) + ones({3}); };
  Sgd wrong{Schedule(ofUser)};
  std::string message = errorOf([&] { wrong.update(p, same, wrong.init(p)); });
  EXPECT_TRUE(namesOnly(message, __FILE__, line)) << message;
}

TEST(CallersPlace, OfLosses) {
  Tensor x = ones({2, 3}), y = ones({2, 4}), i = zeros({2}, i32);
  EXPECT_PLACE(mse_loss(x, y));
  EXPECT_PLACE(l1_loss(x, y));
  EXPECT_PLACE(huber_loss(x, y));
  EXPECT_PLACE(smooth_l1_loss(x, y));
  EXPECT_PLACE(smooth_l1_loss(x, y, 0));
  EXPECT_PLACE(kl_div(x, y));
  EXPECT_PLACE(kl_div(x, y, KlReduction::sum, true));
  EXPECT_PLACE(soft_cross_entropy(x, y));
  EXPECT_PLACE(nll_loss(x, y));
  EXPECT_PLACE(nll_loss(Tensor(), i));
  EXPECT_PLACE(binary_cross_entropy(x, y));
  EXPECT_PLACE(binary_cross_entropy_with_logits(x, y));
  EXPECT_PLACE(cosine_similarity(x, y));
  EXPECT_PLACE(cosine_embedding_loss(x, y, i));
  EXPECT_PLACE(triplet_margin_loss(x, x, y));
  EXPECT_PLACE(lbfgs([&](const Tensor &p) { return sum(p); }, i));
}
