//===- Recompilations.cpp - Loops that must not compile repeatedly --------===//
//
// The counter `recompilations` is the number of compilations in all steps after
// the first one.
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/tensorc.hpp"

using namespace bench;
using tensorc::Tensor;

namespace {

void addLoop(const char *name, std::function<void(int64_t)> step) {
  add(std::string("recompilations/") + name, 1, [=](benchmark::State &state) {
    int64_t steps = size(1000, 20);
    for (auto _ : state) {
      step(0);
      uint64_t before = tensorc::compile_stats().compilations;
      for (int64_t i = 1; i < steps; ++i)
        step(i);
      state.counters["recompilations"] =
          static_cast<double>(tensorc::compile_stats().compilations - before);
    }
    state.counters["steps"] = static_cast<double>(steps);
  })->Iterations(1);
}

void registerAll() {
  auto w = std::make_shared<Tensor>(tensorc::full({256, 64}, 1.0f) + 0);
  auto g = std::make_shared<Tensor>(tensorc::full({256, 64}, 0.5f) + 0);
  auto x = std::make_shared<Tensor>(tensorc::arange(1024, tensorc::f32) + 0);
  tensorc::eval(*w, *g, *x);
  addLoop("learning_rate", [=](int64_t i) {
    float lr = 0.1f / static_cast<float>(i + 1);
    *w = *w - lr * *g;
    w->eval();
  });
  addLoop("slice", [=](int64_t i) { tensorc::slice(*x, {{i, i + 1}}).eval(); });
  addLoop("slice_sum", [=](int64_t i) {
    (tensorc::slice(*x, {{i, i + 1}}) * 2 + 1).eval();
  });
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
