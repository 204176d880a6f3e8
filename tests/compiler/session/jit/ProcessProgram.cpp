//===- ProcessProgram.cpp - Processes of processes_test.py ----------------===//
//
//   ProcessProgram MODE: prints what it did; see the functions below.
//
//===----------------------------------------------------------------------===//

#include "tensorc/tensorc.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tensorc;

/// An expression whose structure the number chooses, large enough for threads.
static float compute(int structure, int64_t size = 1 << 20) {
  Tensor x = full({size}, 0.5f) + 0;
  for (int bits = structure + 1; bits; bits >>= 1)
    x = bits & 1 ? x * 0.5f + 1 : x - 0.25f;
  return max(x).item<float>();
}

/// Compiles for seconds: many kernels, none like another.
static Tensor longCompilation(int length = 150) {
  Tensor x = full({64, 64}, 0.5f) + 0;
  for (int i = 0; i < length; ++i) {
    x = tanh(matmul(x, x.transpose()) * 0.01f) + static_cast<float>(i);
    x = i % 2 ? softmax(x, i % 3 ? 0 : 1) : x / (sum(abs(x)) + 1);
    x = pow(x, x) + log(x + 2) + erf(x);
  }
  return x;
}

/// Runs fn in a child; true if it came back with 0 within ten minutes.
template <typename Fn> static bool inChild(Fn fn) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(600);
    bool good = false;
    try {
      good = fn();
    } catch (const std::exception &error) {
      std::printf("child: %s\n", error.what());
      std::fflush(stdout);
    }
    _exit(good ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (status)
    std::printf("child ended with status %d\n", status);
  return status == 0;
}

static bool forkBeforeUse() {
  return inChild([] { return compute(1) > 0; }) && compute(1) > 0;
}

/// The child uses what the parent compiled, compiles anew, uses threads.
static bool forkAfterUse() {
  float first = compute(1), second = compute(2);
  Tensor recorded = full({1 << 20}, 2.0f) * 3;
  bool child = inChild([&] {
    return compute(1) == first && compute(2) == second && compute(3) > 0 &&
           recorded.to_vector<float>()[5] == 6;
  });
  return child && compute(4) > 0 && recorded.to_vector<float>()[7] == 6;
}

/// While other threads record, compile and run.
static bool forkDuringUse() {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; !stop; ++i)
        compute(100 * t + i % 60, 1000);
    });
  bool good = true;
  for (int i = 0; i < 12 && good; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(7));
    good = inChild([&] { return compute(1000 + i) > 0; });
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  return good;
}

/// What the process's signals do, as text.
static std::string signalState() {
  std::string state;
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0)
      state +=
          std::to_string(number) + ":" +
          std::to_string(reinterpret_cast<uintptr_t>(action.sa_sigaction)) +
          " ";
  }
  stack_t stack{};
  sigaltstack(nullptr, &stack);
  sigset_t mask;
  sigprocmask(SIG_SETMASK, nullptr, &mask);
  for (int number = 1; number < NSIG; ++number)
    state += sigismember(&mask, number) == 1 ? "m" : ".";
  return state + std::to_string(reinterpret_cast<uintptr_t>(stack.ss_sp));
}

static bool leavesSignalsAlone() {
  std::string before = signalState();
  compute(1);
  softmax(matmul(ones({32, 32}), ones({32, 32}))).eval();
  try {
    matmul(ones({2, 3}), ones({4, 5}));
  } catch (const Error &) {
  }
  return signalState() == before;
}

static void onInterrupt(int) {
  static const char text[] = "handled\n";
  (void)!write(1, text, sizeof text - 1);
  _exit(7);
}

/// Says "compiling" and does so until the test interrupts it.
static bool interrupted(bool handler) {
  // Shells start background jobs with SIGINT ignored.
  std::signal(SIGINT, handler ? onInterrupt : SIG_DFL);
  std::puts("compiling");
  std::fflush(stdout);
  for (int length = 100;; ++length)
    longCompilation(length).eval();
}

/// Several sessions' worth of threads, the same and different structures.
static bool stress() {
  std::atomic<int> wrong{0};
  std::map<int, float> expected;
  for (int i = 0; i < 12; ++i)
    expected[i] = compute(i, 50);
  reset_compile_stats(/*forget_kernels=*/true);
  Tensor shared = full({50}, 0.5f) + 1, w = shared * 2;
  auto f = jit([](const Tensor &x) { return x * 3 + 1; });
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {
        int structure = (i + 5 * (t % 3)) % 12;
        wrong += compute(structure, 50) != expected[structure];
        wrong += (w + static_cast<float>(t)).to_vector<float>()[3] != 3.0f + t;
        wrong += f(shared + static_cast<float>(i)).to_vector<float>()[0] !=
                 (1.5f + i) * 3 + 1;
        if (i % 10 == t)
          reset_compile_stats(/*forget_kernels=*/true);
        Tensor copy = shared;
        eval(copy, w);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  return wrong == 0;
}

int main(int argc, char **argv) {
  const std::map<std::string, bool (*)()> modes = {
      {"fork-before-use", forkBeforeUse},
      {"fork-after-use", forkAfterUse},
      {"fork-during-use", forkDuringUse},
      {"signals", leavesSignalsAlone},
      {"stress", stress},
      {"long", [] { return longCompilation().to_vector<float>().size() > 0; }},
      {"interrupted", [] { return interrupted(false); }},
      {"interrupted-handler", [] { return interrupted(true); }}};
  auto mode = modes.find(argc > 1 ? argv[1] : "");
  bool good = mode != modes.end() && mode->second();
  std::puts(good ? "good" : "bad");
  return good ? 0 : 1;
}
