//===- Contraction.cpp - f32 contraction against the peak of FMA ----------===//

#include "benchmarks/harness/Harness.h"
#include "benchmarks/rivals/FmaPeak.h"

#include "tensorc/runtime.h"
#include "tensorc/tensorc.hpp"

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 11;

void report(benchmark::State &state, int64_t operations) {
  state.counters["flops"] =
      benchmark::Counter(static_cast<double>(operations),
                         benchmark::Counter::kIsIterationInvariantRate);
}

void addPeak(const std::string &group, int threads) {
  add(group + "/peak", repetitions, [=](benchmark::State &state) {
    int64_t rounds = size(1 << 20, 1 << 8);
    for (auto _ : state)
      runFma(rounds, threads);
    report(state, fmaOperations(rounds) * threads);
    state.SetLabel(fmaKind());
  });
}

void addContraction(const std::string &group, int64_t n, int threads) {
  add(group + "/tensorc", repetitions, [=](benchmark::State &state) {
    tensorc_rt_set_num_threads(threads);
    Tensor x = tensorc::full({n, n}, 0.5f) + 0, y = x + 1;
    tensorc::eval(x, y);
    tensorc::matmul(x, y).eval();
    for (auto _ : state) {
      Tensor z = tensorc::matmul(x, y);
      z.eval();
    }
    report(state, 2 * n * n * n);
    tensorc_rt_set_num_threads(threadCount());
  });
}

void registerAll() {
  int64_t n = size(1024, 48);
  for (int threads = 1; threads <= threadCount(); ++threads) {
    std::string group = "contraction/threads:" + std::to_string(threads);
    addPeak(group, threads);
    addContraction(group, n, threads);
  }
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
