//===- Bandwidth.cpp - Fused kernels against copies of the same bytes -----===//
//
// Each kernel reads one tensor and writes one, as a copy does.
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"
#include "benchmarks/rivals/Copies.h"

#include "tensorc/tensorc.hpp"

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 11;

void report(benchmark::State &state, int64_t elements) {
  int64_t bytes = elements * 2 * static_cast<int64_t>(sizeof(float));
  state.SetBytesProcessed(state.iterations() * bytes);
}

/// `group/copy/...`: the rivals for tensors of that many f32.
void addCopies(const std::string &group, int64_t elements) {
  struct Rival {
    const char *name;
    Copy copy;
  };
  for (Rival rival : {Rival{"memcpy", copyByMemcpy}, Rival{"loop", copyByLoop},
                      Rival{"nontemporal", copyNonTemporal}})
    add(group + "/copy/" + rival.name, repetitions,
        [=](benchmark::State &state) {
          Memory from(elements * sizeof(float)), to(from.size());
          for (auto _ : state) {
            copyOnThreads(rival.copy, to, from, threadCount());
            benchmark::ClobberMemory();
          }
          report(state, elements);
        });
}

/// `group/tensorc`: an expression of one tensor, as one kernel.
void addExpression(const std::string &group, tensorc::Shape shape,
                   Tensor (*expression)(const Tensor &)) {
  add(group + "/tensorc", repetitions, [=](benchmark::State &state) {
    Tensor x = tensorc::full(shape, 0.5f) + 1;
    x.eval();
    expression(x).eval();
    state.counters["kernels"] =
        static_cast<double>(tensorc::last_kernels().size());
    for (auto _ : state) {
      Tensor y = expression(x);
      y.eval();
    }
    report(state, x.numel());
  });
}

Tensor chain(const Tensor &x) {
  return tensorc::maximum((x * 2.5f + 1.25f) * x - 3.75f, 0.125f);
}
Tensor softmax(const Tensor &x) { return tensorc::softmax(x); }
Tensor layerNorm(const Tensor &x) {
  static Tensor scale = tensorc::full({x.size(-1)}, 1.5f) + 0;
  static Tensor bias = tensorc::full({x.size(-1)}, 0.25f) + 0;
  if (!scale.is_evaluated())
    tensorc::eval(scale, bias);
  return tensorc::layer_norm(x, scale, bias);
}

void registerAll() {
  int64_t many = size(int64_t(64) << 20, 1 << 16);
  addCopies("chain", many);
  addExpression("chain", {many}, chain);
  int64_t rows = size(8192, 32), columns = size(4096, 96);
  addCopies("rows", rows * columns);
  addExpression("rows/softmax", {rows, columns}, softmax);
  addExpression("rows/layer_norm", {rows, columns}, layerNorm);
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
