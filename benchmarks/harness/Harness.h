//===- Harness.h - Functions shared by the benchmark programs -------------===//
//
// Every program takes Google Benchmark's flags, and
//   --tiny       sizes and repetitions that only show that it still runs
//   --threads=N  threads of tensorc and of its rivals (default 2)
//   --processor  the process' processor time, for a machine that is not quiet
// Rivals are measured in one run, interleaved: what is reported are ratios of
// medians.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_BENCHMARKS_HARNESS_HARNESS_H
#define TENSORC_BENCHMARKS_HARNESS_HARNESS_H

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>

namespace bench {

bool isTiny();
int threadCount();
/// Returns the second size under --tiny, otherwise the first.
inline int64_t size(int64_t full, int64_t tiny) {
  return isTiny() ? tiny : full;
}

/// Registers a benchmark of wall-clock or processor time with the given number
/// of repetitions.
benchmark::internal::Benchmark *
add(const std::string &name, int repetitions,
    std::function<void(benchmark::State &)> body);

/// Parses the flags, lets the program register its benchmarks, and runs them.
int run(int argc, char **argv, void (*registerAll)());

} // namespace bench

#endif // TENSORC_BENCHMARKS_HARNESS_HARNESS_H
