//===- Harness.cpp - Functions shared by the benchmark programs -----------===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/runtime.h"

#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace bench {

static bool tiny = false;
static int threads = 2;
static bool byProcessor = false;

bool isTiny() { return tiny; }
int threadCount() { return threads; }

benchmark::internal::Benchmark *
add(const std::string &name, int repetitions,
    std::function<void(benchmark::State &)> body) {
  auto *added = benchmark::RegisterBenchmark(name.c_str(), std::move(body))
                    ->Unit(benchmark::kMicrosecond)
                    ->Repetitions(tiny ? 1 : repetitions)
                    ->ReportAggregatesOnly(!tiny && repetitions > 1);
  if (byProcessor)
    added->MeasureProcessCPUTime();
  else
    added->UseRealTime();
  return tiny ? added->Iterations(1) : added;
}

int run(int argc, char **argv, void (*registerAll)()) {
  static char interleave[] = "--benchmark_enable_random_interleaving=true";
  std::vector<char *> flags;
  for (int i = 0; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--tiny"))
      tiny = true;
    else if (!std::strncmp(argv[i], "--threads=", 10))
      threads = std::atoi(argv[i] + 10);
    else if (!std::strcmp(argv[i], "--processor"))
      byProcessor = true;
    else
      flags.push_back(argv[i]);
    if (i == 0)
      flags.push_back(interleave);
  }
  int count = static_cast<int>(flags.size());
  flags.push_back(nullptr);
  benchmark::Initialize(&count, flags.data());
  if (benchmark::ReportUnrecognizedArguments(count, flags.data()))
    return 2;
  tensorc_rt_set_num_threads(threads);
  registerAll();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

} // namespace bench
