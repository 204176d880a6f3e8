//===- CacheProgram.cpp - A process of processes_test.py ------------------===//
//
//   CacheProgram COUNT [slow]: evaluates COUNT expressions, prints their sum
//   and what it took; `slow`: a line before each, for a test that kills it.
//
//===----------------------------------------------------------------------===//

#include "tensorc/tensorc.hpp"

#include <cstdio>
#include <cstdlib>

using namespace tensorc;

int main(int argc, char **argv) {
  int count = argc > 1 ? std::atoi(argv[1]) : 4;
  double total = 0;
  Tensor x = tensor({0.5f, 1.5f, 2.5f});
  for (int i = 0; i < count; ++i) {
    if (argc > 2) {
      std::printf("%d\n", i);
      std::fflush(stdout);
    }
    // The bits of i choose the ops, each of which occurs at most once: no
    // expression repeats the steps of another one.
    using Op = Tensor (*)(const Tensor &);
    static constexpr Op ops[] = {
        [](const Tensor &y) { return y * 0.5f; },
        [](const Tensor &y) { return exp(y); },
        [](const Tensor &y) { return sin(y); },
        [](const Tensor &y) { return tanh(y); },
        [](const Tensor &y) { return y - 0.25f; },
        [](const Tensor &y) { return cos(y); },
        [](const Tensor &y) { return abs(y); },
        [](const Tensor &y) { return y + 3.0f; },
    };
    Tensor y = x;
    int bits = i + 1;
    for (Op op : ops) {
      if (bits & 1)
        y = op(y);
      bits >>= 1;
    }
    total += sum(y).item<float>();
  }
  CompileStats stats = compile_stats();
  std::printf("%.9g %llu %llu %llu\n", total,
              static_cast<unsigned long long>(stats.compilations),
              static_cast<unsigned long long>(stats.disk_hits),
              static_cast<unsigned long long>(stats.disk_misses));
}
