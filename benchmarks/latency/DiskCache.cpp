//===- DiskCache.cpp - Time to load kernels from the disk cache -----------===//
//
// Loads 100 kernels that an earlier process compiled: first those of 100
// expressions, each of which has a separate file and image, then those of one
// expression, which has a single file.
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/tensorc.hpp"

#include <cstdlib>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int numKernels = 100;
std::filesystem::path folder;

/// The bits of `index` choose the ops.
Tensor expression(int index, const Tensor &x) {
  Tensor y = x;
  for (int bits = index + 1; bits; bits >>= 1)
    y = bits & 1 ? y * 0.5f : y - x;
  return y;
}

/// Evaluates `count` expressions one by one.
void evaluateEach(int count, const Tensor &x) {
  for (int i = 0; i < count; ++i)
    expression(i, x).eval();
}

/// Evaluates the same number of kernels in one expression, in which each kernel
/// ends with a sum.
void evaluateTogether(int count, const Tensor &x) {
  std::vector<Tensor> results;
  for (int i = 0; i < count; ++i)
    results.push_back(tensorc::sum(expression(i, x)));
  tensorc::eval(results);
}

void addCase(const char *name, void (*evaluate)(int, const Tensor &)) {
  add(std::string("disk_cache/") + name, 41, [=](benchmark::State &state) {
    tensorc::set_disk_cache({folder});
    Tensor x = tensorc::full({16}, 0.5f) + 0;
    x.eval();
    int count = static_cast<int>(size(numKernels, 3));
    // Clears the cache in memory, because cases run in any order and kernels
    // that are found in memory are not stored on disk.
    tensorc::reset_compile_stats(/*forget_kernels=*/true);
    evaluate(count, x); // fills the folder
    tensorc::reset_compile_stats(/*forget_kernels=*/true);
    for (auto _ : state)
      evaluate(count, x);
    tensorc::CompileStats stats = tensorc::compile_stats();
    if (stats.compilations || !stats.disk_hits)
      state.SkipWithError("something was compiled");
    state.counters["files"] = static_cast<double>(stats.disk_hits);
  })->Iterations(1);
}

/// Records and runs the same expressions with their kernels in the in-memory
/// cache.
void addKnown() {
  add("disk_cache/in_memory", 41, [=](benchmark::State &state) {
    Tensor x = tensorc::full({16}, 0.5f) + 0;
    x.eval();
    int count = static_cast<int>(size(numKernels, 3));
    evaluateEach(count, x);
    for (auto _ : state)
      evaluateEach(count, x);
  })->Iterations(1);
}

void addProcess(const char *name, bool cached) {
  add(std::string("disk_cache/") + name, 41, [=](benchmark::State &state) {
    setenv("TENSORC_CACHE_DIR", cached ? folder.c_str() : "off", 1);
    char *const arguments[] = {const_cast<char *>(TENSORC_FIRST_RESULT),
                               nullptr};
    auto runProgram = [&] {
      pid_t child = 0;
      int status = 0;
      return posix_spawn(&child, TENSORC_FIRST_RESULT, nullptr, nullptr,
                         arguments, environ) == 0 &&
             waitpid(child, &status, 0) == child && status == 0;
    };
    runProgram(); // fills the folder
    for (auto _ : state)
      if (!runProgram())
        state.SkipWithError("the program failed");
  })->Iterations(1);
}

void registerAll() {
  addCase("100_files", evaluateEach);
  addCase("one_file", evaluateTogether);
  addKnown();
  addProcess("process_warm", true);
  addProcess("process_cold", false);
}

} // namespace

int main(int argc, char **argv) {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "tensorc-bench-XXXXXX")
          .string();
  if (!mkdtemp(pattern.data()))
    return 1;
  folder = pattern;
  int result = run(argc, argv, registerAll);
  std::filesystem::remove_all(folder);
  return result;
}
