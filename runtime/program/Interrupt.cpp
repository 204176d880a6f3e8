//===- Interrupt.cpp - a callback that may end long work ------------------===//
#include "runtime/program/Interrupt.h"

#include "runtime/core/Api.h"

#include <ctime>

using namespace tensorc::rt;

Status Interrupt::check() {
  if (!ask)
    return Status();
  // Called before each kernel, so it reads the coarse clock, which takes only a
  // few nanoseconds.
  timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  int64_t now = time.tv_sec * 1'000'000'000 + time.tv_nsec;
  if (now < next)
    return Status();
  next = now + nanosecondsBetween;
  return ask(user) ? error(TENSORC_RT_CANCELLED, "interrupted") : Status();
}

void tensorc_rt_set_interrupt(tensorc_rt_interrupt_fn interrupt, void *user) {
  Interrupt &own = Interrupt::ofThread();
  own.ask = interrupt;
  own.user = user;
}

tensorc_rt_status *tensorc_rt_check_interrupt(void) {
  return guard([] { return Interrupt::ofThread().check(); });
}
