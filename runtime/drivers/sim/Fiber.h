//===- Fiber.h - a user-level thread with its own stack ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_FIBER_H
#define TENSORC_RUNTIME_DRIVERS_SIM_FIBER_H

#include <cstddef>

namespace tensorc::rt::sim {

/// True if a context switch exists for this processor. Without it there are no
/// simulated devices.
#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool hasFibers = true;
#else
constexpr bool hasFibers = false;
#endif

/// A flow of control with its own stack. A default-constructed fiber represents
/// the calling thread. Fibers are never unwound: `begin` discards what the
/// fiber was doing.
class Fiber {
public:
  Fiber() = default;
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Makes the fiber start with entry(argument), which must never return.
  /// Returns false if there is no memory for a stack of this size. An existing
  /// stack that is large enough is reused.
  bool begin(size_t stackBytes, void (*entry)(void *), void *argument);

  /// Switches from this running fiber to `other`. Returns when another fiber
  /// switches back.
  void switchTo(Fiber &other);

private:
  static void enter(void *fiber);
  /// Must be called first by a fiber after each switch to it.
  static void arrived(void *fakeStack);

  void *top = nullptr; // stack pointer while the fiber does not run
  char *stack = nullptr;
  size_t size = 0;
  void (*entry)(void *) = nullptr;
  void *argument = nullptr;
  void *sanitizer = nullptr; // ASan's fake stack or TSan's fiber
  bool owned = false;
};

} // namespace tensorc::rt::sim

#endif
