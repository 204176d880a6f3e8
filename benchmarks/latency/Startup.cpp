//===- Startup.cpp - Time from process start to the first result ----------===//

#include "benchmarks/harness/Harness.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace bench;

namespace {

/// Runs a program until it exits.
bool runProgram(const char *path) {
  char *const arguments[] = {const_cast<char *>(path), nullptr};
  pid_t child = 0;
  int status = 0;
  return posix_spawn(&child, path, nullptr, nullptr, arguments, environ) == 0 &&
         waitpid(child, &status, 0) == child && status == 0;
}

void addProgram(const char *name, const char *path) {
  add(std::string("startup/") + name, 41, [=](benchmark::State &state) {
    for (auto _ : state)
      if (!runProgram(path))
        state.SkipWithError("the program failed");
  })->Iterations(1);
}

void registerAll() {
  addProgram("first_result", TENSORC_FIRST_RESULT);
  // Baseline: the cost of starting any process.
  addProgram("nothing", "/bin/true");
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
