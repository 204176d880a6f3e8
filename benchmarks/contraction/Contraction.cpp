//===- Contraction.cpp - f32 contractions against FMA and memory peaks ----===//
//
// contraction/... multiplies two 1024 x 1024 matrices, and is compared with the
// peak rate of FMA. linear/... multiplies a few rows by 4096 x 4096 weights,
// which are read once, and is compared with the read bandwidth of memory. The
// weights are stored transposed, as in a linear layer (turned), or not (plain).
//

#include "benchmarks/harness/Harness.h"
#include "benchmarks/rivals/Copies.h"
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

void addRead(const std::string &group, int64_t n) {
  add(group + "/read", repetitions, [=](benchmark::State &state) {
    Memory from(4 * n * n), to(4 * n * n);
    for (auto _ : state)
      copyOnThreads(readByLoop, to, from, threadCount());
    state.SetBytesProcessed(state.iterations() * 4 * n * n);
  });
}

void addLinear(const std::string &group, int64_t m, int64_t n, bool turned) {
  add(group + (turned ? "/turned" : "/plain"), repetitions,
      [=](benchmark::State &state) {
        Tensor x = tensorc::full({m, n}, 0.5f) + 0;
        Tensor w = tensorc::full({n, n}, 0.25f) + 0;
        tensorc::eval(x, w);
        auto run = [&] {
          Tensor z = tensorc::matmul(x, turned ? tensorc::transpose(w) : w);
          z.eval();
        };
        run();
        for (auto _ : state)
          run();
        state.SetBytesProcessed(state.iterations() * 4 * n * n);
      });
}

void registerAll() {
  int64_t n = size(1024, 48);
  for (int threads = 1; threads <= threadCount(); ++threads) {
    std::string group = "contraction/threads:" + std::to_string(threads);
    addPeak(group, threads);
    addContraction(group, n, threads);
  }
  int64_t side = size(4096, 48);
  for (int64_t m : {1, 8, 32}) {
    std::string group = "linear/m:" + std::to_string(m);
    addRead(group, side);
    addLinear(group, m, side, /*turned=*/true);
    addLinear(group, m, side, /*turned=*/false);
  }
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
