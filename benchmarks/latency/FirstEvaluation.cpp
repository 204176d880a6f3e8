//===- FirstEvaluation.cpp - Time of expressions that are not cached ------===//
//
// Each evaluation in a warm process has a new structure, so that no cache is
// effective. With TENSORC_TRACE=f.json the trace shows the time of each stage
// (benchmarks/report.py).
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/tensorc.hpp"

#include <algorithm>
#include <numeric>

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 61;
constexpr int64_t elements = 1000;
constexpr int numOps = 5;

Tensor arithmetic(int op, const Tensor &x, const Tensor &y) {
  switch (op) {
  case 0:
    return x + y;
  case 1:
    return x - y;
  case 2:
    return x * y;
  case 3:
    return x / y;
  default:
    return tensorc::maximum(x, y);
  }
}

/// The digits of `index` select the ops, so each index gives a different
/// expression.
Tensor arithmeticExpression(int index, const Tensor &x, const Tensor &y) {
  Tensor z = x;
  for (int i = 0; i < numOps; ++i, index /= 5)
    z = arithmetic(index % 5, z, i % 2 ? x : y);
  return z;
}

/// Applies exp, tanh, log, erf and sqrt in the order that `index` selects.
Tensor mathExpression(int index, const Tensor &x, const Tensor &) {
  int order[numOps];
  std::iota(order, order + numOps, 0);
  for (int i = 0; i < index; ++i)
    std::next_permutation(order, order + numOps);
  Tensor (*const functions[numOps])(tensorc::Arg) = {
      tensorc::exp, tensorc::tanh, tensorc::log, tensorc::erf, tensorc::sqrt};
  Tensor z = x;
  for (int op : order)
    z = functions[op](std::move(z));
  return z;
}

using Expression = Tensor (*)(int, const Tensor &, const Tensor &);

void addExpressions(const char *name, Expression expression) {
  // Shared by the repetitions, each of which uses new structures.
  auto next = std::make_shared<int>(0);
  add(std::string("first_evaluation/") + name, repetitions,
      [=](benchmark::State &state) {
        Tensor x = tensorc::full({elements}, 0.5f) + 0;
        Tensor y = tensorc::full({elements}, 1.5f) + 0;
        tensorc::eval(x, y);
        if (*next == 0) // excludes the first compilation of the process
          expression((*next)++, x, y).eval();
        uint64_t before = tensorc::compile_stats().compilations;
        for (auto _ : state)
          expression((*next)++, x, y).eval();
        if (tensorc::compile_stats().compilations - before !=
            static_cast<uint64_t>(state.iterations()))
          state.SkipWithError("not every structure was new");
      })
      ->Iterations(1);
}

/// An iteration of a host loop, which tracing unrolls: the number of its ops,
/// and its function of the state.
struct Step {
  int ops;
  Tensor (*body)(const Tensor &state, const Tensor &x, const Tensor &w);
};

Tensor arithmeticStep(const Tensor &h, const Tensor &x, const Tensor &) {
  return h + 0.01f * (x - h * h);
}
Tensor mathStep(const Tensor &h, const Tensor &x, const Tensor &) {
  return tensorc::tanh(h * x + x);
}
Tensor normalizeStep(const Tensor &h, const Tensor &x, const Tensor &) {
  return h / tensorc::sum(h) + x;
}
Tensor recurrentStep(const Tensor &h, const Tensor &x, const Tensor &w) {
  return tensorc::tanh(tensorc::matmul(w, h) + x);
}

/// Measures from the first recorded step to the result, without cached kernels.
void addUnrolled(const char *name, Step step) {
  int64_t steps = size(256, 4);
  add(std::string("unrolled/") + name, 9, [=](benchmark::State &state) {
    Tensor x = tensorc::full({64}, 0.5f) + 0;
    Tensor w = tensorc::full({64, 64}, 0.01f) + 0;
    tensorc::eval(x, w);
    for (auto _ : state) {
      tensorc::reset_compile_stats(/*forget_kernels=*/true);
      Tensor h = x;
      for (int64_t i = 0; i < steps; ++i)
        h = step.body(h, x, w);
      h.eval();
    }
    state.counters["ops"] = static_cast<double>(steps * step.ops);
  })->Iterations(1);
}

void registerAll() {
  addExpressions("arithmetic", arithmeticExpression);
  addExpressions("math", mathExpression);
  addUnrolled("arithmetic", {4, arithmeticStep});
  addUnrolled("math", {3, mathStep});
  addUnrolled("normalize", {3, normalizeStep});
  addUnrolled("recurrent", {3, recurrentStep});
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
