//===- Dispatch.cpp - Expressions that are known --------------------------===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/tensorc.hpp"

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 15;
constexpr int64_t elements = 1000;

Tensor expression(const Tensor &x, const Tensor &y) {
  return tensorc::maximum((x * y + 1.25f) * x - y, 0.125f);
}

struct Inputs {
  Tensor x = tensorc::full({elements}, 0.5f) + 0;
  Tensor y = tensorc::full({elements}, 1.5f) + 0;
  Inputs() { tensorc::eval(x, y); }
};

/// Records five ops, evaluates, lets go.
void lazy(benchmark::State &state) {
  Inputs in;
  expression(in.x, in.y).eval();
  for (auto _ : state) {
    Tensor z = expression(in.x, in.y);
    z.eval();
    benchmark::DoNotOptimize(z);
  }
}

void jit(benchmark::State &state) {
  Inputs in;
  auto function = tensorc::jit(expression);
  function(in.x, in.y);
  for (auto _ : state) {
    Tensor z = function(in.x, in.y);
    benchmark::DoNotOptimize(z);
  }
}

/// Recording alone, for comparison.
void record(benchmark::State &state) {
  Inputs in;
  for (auto _ : state) {
    Tensor z = expression(in.x, in.y);
    benchmark::DoNotOptimize(z);
  }
}

/// What the kernel itself costs: the same, written by hand.
void loop(benchmark::State &state) {
  std::vector<float> x(elements, 0.5f), y(elements, 1.5f), z(elements);
  for (auto _ : state) {
    benchmark::DoNotOptimize(x.data());
    for (int64_t i = 0; i < elements; ++i) {
      float v = (x[i] * y[i] + 1.25f) * x[i] - y[i];
      z[i] = v > 0.125f ? v : 0.125f;
    }
    benchmark::DoNotOptimize(z.data());
    benchmark::ClobberMemory();
  }
}

void registerAll() {
  add("dispatch/lazy", repetitions, lazy);
  add("dispatch/jit", repetitions, jit);
  add("dispatch/record", repetitions, record);
  add("dispatch/loop", repetitions, loop);
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
