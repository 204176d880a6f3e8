//===- RunControl.cpp - cancellation and time limits of runs --------------===//
#include "runtime/program/RunControl.h"

#include "runtime/core/Api.h"
#include "runtime/core/streams/Event.h"

#include <algorithm>
#include <cstring>

using namespace tensorc::rt;

static Cancellation *unwrap(tensorc_rt_cancellation *cancellation) {
  return static_cast<Cancellation *>(cancellation);
}

Status tensorc::rt::checkRunOptions(const tensorc_rt_run_options *options) {
  return needs(!options || options->struct_size >= sizeof(size_t),
               "options of a run without their struct_size");
}

RunControl::RunControl(const tensorc_rt_run_options *given) {
  if (!given)
    return;
  // A caller that was built with an older header passes a struct with fewer
  // members.
  tensorc_rt_run_options options = {};
  std::memcpy(&options, given, std::min(given->struct_size, sizeof(options)));
  cancellation = unwrap(options.cancellation);
  if (cancellation)
    cancellation->retain();
  deadline = options.deadline_ns;
  communicator = unwrap(options.communicator);
  if (communicator)
    communicator->retain();
  if (options.max_instructions)
    maxInstructions = options.max_instructions;
}

RunControl::RunControl(const RunControl &other)
    : maxInstructions(other.maxInstructions), communicator(other.communicator),
      cancellation(other.cancellation), deadline(other.deadline) {
  if (cancellation)
    cancellation->retain();
  if (communicator)
    communicator->retain();
}

RunControl &RunControl::operator=(RunControl other) {
  maxInstructions = other.maxInstructions;
  deadline = other.deadline;
  std::swap(cancellation, other.cancellation);
  std::swap(communicator, other.communicator);
  return *this;
}

RunControl &RunControl::ofThread() {
  static thread_local RunControl control;
  return control;
}

Status RunControl::check() const {
  if (cancellation && cancellation->isCancelled.load(std::memory_order_relaxed))
    return error(TENSORC_RT_CANCELLED, "the run was cancelled");
  if (deadline && now() >= deadline)
    return error(TENSORC_RT_DEADLINE_EXCEEDED, "the run's deadline has passed");
  return Interrupt::ofThread().check();
}

//===----------------------------------------------------------------------===//
// C interface
//===----------------------------------------------------------------------===//

tensorc_rt_status *
tensorc_rt_cancellation_create(tensorc_rt_cancellation **out) {
  return guardOut(out, [&] {
    *out = new Cancellation;
    return Status();
  });
}

void tensorc_rt_cancellation_retain(tensorc_rt_cancellation *cancellation) {
  if (cancellation)
    unwrap(cancellation)->retain();
}

void tensorc_rt_cancellation_release(tensorc_rt_cancellation *cancellation) {
  if (cancellation)
    unwrap(cancellation)->release();
}

void tensorc_rt_cancel(tensorc_rt_cancellation *cancellation) {
  if (cancellation)
    unwrap(cancellation)->isCancelled.store(true, std::memory_order_relaxed);
}

tensorc_rt_status *
tensorc_rt_set_run_options(const tensorc_rt_run_options *options) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(checkRunOptions(options));
    RunControl::ofThread() = RunControl(options);
    return Status();
  });
}
