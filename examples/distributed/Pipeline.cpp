//===- Pipeline.cpp - Stages of a network on several devices --------------===//
//
// Micro-batches flow through the stages, each on a stream of its device. The
// host only queues the passes: all forward, then all backward (GPipe). Gradients
// are accumulated. A backward pass computes its forward pass again.
//
//===----------------------------------------------------------------------===//

#include "examples/distributed/Examples.h"

#include "tensorc/devices.hpp"
#include "tensorc/grad.hpp"
#include "tensorc/jit.hpp"
#include "tensorc/streams.hpp"

#include <functional>

using namespace tensorc;

namespace stages {
constexpr int width = 64, batch = 64, layers = 2, micro = 8, steps = 5;
constexpr double rate = 0.5;
using Weights = std::vector<Tensor>;

Tensor random(int64_t i, const Shape &shape) {
  return randn(fold_in(random_key(0), i), shape);
}

Weights makeWeights(int64_t stage) {
  Weights weights;
  for (int i = 0; i < layers; ++i)
    weights.push_back(random(stage * layers + i, {width, width}) *
                      std::sqrt(2.0 / width));
  return weights;
}

Tensor forward(const Weights &weights, Tensor x) {
  for (const Tensor &w : weights)
    x = tanh(matmul(x, w));
  return x;
}

Tensor loss(const Weights &weights, const Tensor &x, const Tensor &target) {
  return mean(square(forward(weights, x) - target));
}

/// Its gradient is that of the stage whose output has this gradient.
Tensor product(const Weights &weights, const Tensor &x,
               const Tensor &gradient) {
  return sum(forward(weights, x) * gradient);
}

class Pipeline {
public:
  explicit Pipeline(const std::vector<Device> &devices)
      : devices(devices), last(devices.size() - 1) {
    for (size_t s = 0; s <= last; ++s) {
      streams.emplace_back(devices[s]);
      weights.push_back(makeWeights(static_cast<int64_t>(s)));
      for (Tensor &w : weights[s])
        w = w.to(devices[s]);
    }
  }

  /// Queues a step, and returns the loss.
  float step(const Tensor &x, const Tensor &target) {
    totals.assign(last + 1, Weights(layers));
    std::vector<Tensor> targets = split(target.to(devices[last]), micro);
    std::vector<std::vector<Tensor>> inputs; // by micro-batch and stage
    for (const Tensor &part : split(x.to(devices[0]), micro)) {
      inputs.push_back({part});
      for (size_t s = 0; s < last; ++s) {
        StreamGuard guard(streams[s]);
        Tensor y = outputOf(weights[s], inputs.back()[s]);
        inputs.back().push_back(y.to(devices[s + 1]));
      }
    }
    Tensor total;
    for (size_t m = 0; m < inputs.size(); ++m) {
      Tensor gradient = targets[m];
      for (size_t s = last + 1; s-- > 0;) {
        StreamGuard guard(streams[s]);
        auto &backward = s == last ? ofLoss : ofProduct;
        auto [value, both] = backward(weights[s], inputs[m][s], gradient);
        add(s, std::get<0>(both));
        if (s == last)
          total = total.defined() ? total + value : value;
        if (s)
          gradient = std::get<1>(both).to(devices[s - 1]);
      }
      inputs[m].clear();
    }
    update();
    return total.item<float>() / micro;
  }

private:
  void add(size_t stage, const Weights &gradient) {
    for (size_t i = 0; i < layers; ++i) {
      Tensor &total = totals[stage][i];
      total = total.defined() ? total + gradient[i] : gradient[i];
    }
    eval(totals[stage]);
  }

  void update() {
    for (size_t s = 0; s <= last; ++s) {
      StreamGuard guard(streams[s]);
      for (size_t i = 0; i < layers; ++i)
        weights[s][i] = weights[s][i] - rate / micro * totals[s][i];
      eval(weights[s]);
    }
  }

  using Backward = std::function<std::pair<Tensor, std::tuple<Weights, Tensor>>(
      const Weights &, const Tensor &, const Tensor &)>;
  std::vector<Device> devices;
  size_t last; // stage
  std::vector<Stream> streams;
  std::vector<Weights> weights, totals;
  std::function<Tensor(const Weights &, const Tensor &)> outputOf =
      jit(forward);
  Backward ofLoss = value_and_grad(loss, argnums<0, 1>),
           ofProduct = value_and_grad(product, argnums<0, 1>);
};
} // namespace stages

std::string pipeline(const std::vector<Device> &devices) {
  using namespace stages;
  Tensor x = random(100, {batch, width}),
         target = tanh(random(101, {batch, width}));
  Pipeline all(devices);
  Weights one;
  for (size_t s = 0; s < devices.size(); ++s)
    for (Tensor &w : makeWeights(static_cast<int64_t>(s)))
      one.push_back(w);
  auto both = value_and_grad(loss);
  double error = 0;
  for (int i = 0; i < steps; ++i) {
    auto [value, gradient] = both(one, x, target);
    for (size_t j = 0; j < one.size(); ++j)
      one[j] = one[j] - rate * gradient[j];
    double ratio = all.step(x, target) / value.item<float>();
    error = std::max(error, std::abs(ratio - 1));
  }
  return "pipeline: " + std::to_string(devices.size()) +
         " stages, as one device " + (error < 1e-6 ? "true" : "false");
}
