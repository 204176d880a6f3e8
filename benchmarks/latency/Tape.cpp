//===- Tape.cpp - A training step that host code controls -----------------===//
//
// A step of gradient descent for a perceptron with three layers. Its tensors
// are so small that a kernel takes less time than its launch. The step is
// recorded on a tape each time, or is one compiled function.
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/losses.hpp"
#include "tensorc/tape.hpp"

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 15;
constexpr double rate = 0.01;

struct Model {
  std::vector<Tensor> w, b;
};
TENSORC_STRUCT(Model, w, b)

Model makeModel() {
  Model model;
  for (int64_t size : {8, 8, 8}) {
    model.w.push_back(tensorc::full({size, size}, 0.1f) + 0);
    model.b.push_back(tensorc::full({size}, 0.0f) + 0);
  }
  tensorc::eval(model);
  return model;
}

Tensor lossOf(const Model &model, const Tensor &x, const Tensor &y) {
  Tensor h = x;
  for (size_t i = 0; i < 3; ++i) {
    h = tensorc::matmul(h, model.w[i]) + model.b[i];
    if (i < 2)
      h = tensorc::relu(h);
  }
  return tensorc::mse_loss(h, y);
}

Model moved(Model model, const Model &gradient) {
  for (size_t i = 0; i < 3; ++i) {
    model.w[i] = model.w[i] - gradient.w[i] * rate;
    model.b[i] = model.b[i] - gradient.b[i] * rate;
  }
  return model;
}

struct Data {
  Tensor x = tensorc::full({4, 8}, 0.5f) + 0,
         y = tensorc::full({4, 8}, 1.0f) + 0;
  Data() { tensorc::eval(x, y); }
};

/// Records, differentiates, updates and evaluates. With `reads`, host code
/// reads the loss before it requests the gradient.
template <bool reads> void taped(benchmark::State &state) {
  Data data;
  Model model = makeModel();
  auto step = [&] {
    tensorc::Tape tape;
    tape.watch(model);
    Tensor loss = lossOf(model, data.x, data.y);
    if (reads)
      benchmark::DoNotOptimize(loss.item<float>());
    Model gradient = tape.gradient(loss, model);
    tape.release();
    model = moved(model, gradient);
    tensorc::eval(model, loss);
  };
  for (int i = 0; i < 3; ++i)
    step();
  for (auto _ : state)
    step();
}

/// Measures the training step as one compiled program.
void compiled(benchmark::State &state) {
  Data data;
  Model model = makeModel();
  auto step =
      tensorc::jit([](const Model &model, const Tensor &x, const Tensor &y) {
        auto [loss, gradient] = tensorc::value_and_grad(lossOf)(model, x, y);
        return std::pair(moved(model, gradient), loss);
      });
  Tensor loss;
  std::tie(model, loss) = step(model, data.x, data.y);
  for (auto _ : state)
    std::tie(model, loss) = step(model, data.x, data.y);
}

void registerAll() {
  add("tape/unread", repetitions, taped<false>);
  add("tape/read", repetitions, taped<true>);
  add("tape/compiled", repetitions, compiled);
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
