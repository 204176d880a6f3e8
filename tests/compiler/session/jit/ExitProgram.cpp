//===- ExitProgram.cpp - Values that are needed while the process exits ---===//
//
//   ExitProgram MODE [known]: main evaluates, and what MODE names evaluates
//   after it, something new unless `known` forbids it. Each prints a line;
//   exit_test.py knows which.
//
//===----------------------------------------------------------------------===//

#include "tensorc/tensorc.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

using namespace tensorc;

/// An expression whose structure the number chooses.
static float compute(int structure) {
  Tensor x = full({1 << 12}, 0.5f) + 0;
  for (int bits = structure + 1; bits; bits >>= 1)
    x = bits & 1 ? x * 0.5f + 1 : x - 0.25f;
  return max(x).item<float>();
}

static bool onlyKnown = false;

/// What was compiled before, what was not, a function, a stream.
static void computeLate(const char *who) {
  std::string text;
  try {
    auto f = jit([](const Tensor &x) { return exp(x) + 1; });
    bool good = compute(1) == 1.125f;
    if (!onlyKnown)
      good = good && compute(20) > 0 &&
             f(zeros({3}) + 0).to_vector<float>()[2] == 2;
    StreamGuard guard{Stream()};
    good = good && compute(1) == 1.125f;
    text = good ? "computed" : "wrong numbers";
  } catch (const std::exception &error) {
    text = error.what();
  }
  std::printf("%s: %s\n", who, text.c_str());
  std::fflush(stdout);
}

static std::string mode;

namespace {
struct Late {
  const char *who;
  /// Recorded before main ended, like a cache of weights.
  Tensor kept;
  explicit Late(const char *who) : who(who) {}
  void keep() {
    kept = zeros({1}) + 5;
    if (onlyKnown)
      kept.eval();
  }
  ~Late() {
    if (mode != who)
      return;
    computeLate(who);
    std::printf("kept: %g\n", kept.item<float>());
    std::fflush(stdout);
  }
};
} // namespace

static Late late("static");

static void atExit() {
  if (mode == "atexit")
    computeLate("atexit");
}

/// Constructed before the library's own of the thread.
static void inThread() {
  thread_local Late late("thread-local");
  late.keep();
  compute(1);
}

/// Compiles until the process is gone.
static void computeForEver() {
  for (int i = 0;; ++i)
    compute(onlyKnown ? 1 : i % 4000);
}

int main(int argc, char **argv) {
  mode = argc > 1 ? argv[1] : "";
  onlyKnown = argc > 2;
  std::atexit(atExit);
  inThread();
  std::thread(inThread).join();
  late.keep();
  if (mode == "threads" || mode == "exit-in-thread") {
    for (int i = 0; i < 3; ++i)
      std::thread(computeForEver).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  if (mode == "exit-in-thread") {
    std::thread([] { std::exit(0); }).detach();
    computeForEver();
  }
  return 0;
}
