//===- Fiber.h - a stack to switch to ---------------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_FIBER_H
#define TENSORC_RUNTIME_DRIVERS_SIM_FIBER_H

#include <cstddef>

namespace tensorc::rt::sim {

/// Whether there is a context switch for this processor; without it there are
/// no simulated devices.
#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool hasFibers = true;
#else
constexpr bool hasFibers = false;
#endif

/// A flow of control of its own: a default-made one stands for the thread that
/// switches away from it. Never unwound: what it was doing is forgotten when it
/// is begun anew.
class Fiber {
public:
  Fiber() = default;
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Prepares entry(argument), which must never return. False when there is no
  /// memory for a stack of that size; a larger one is kept.
  bool begin(size_t stackBytes, void (*entry)(void *), void *argument);

  /// Leaves this fiber, which runs, for `other`; returns when someone switches
  /// back.
  void switchTo(Fiber &other);

private:
  static void enter(void *fiber);
  /// What a fiber does first after each switch to it.
  static void arrived(void *fakeStack);

  void *top = nullptr; // the stack pointer while it does not run
  char *stack = nullptr;
  size_t size = 0;
  void (*entry)(void *) = nullptr;
  void *argument = nullptr;
  void *sanitizer = nullptr; // ASan's fake stack or TSan's fiber
  bool owned = false;
};

} // namespace tensorc::rt::sim

#endif
