//===- Donation.h - Values that an evaluation may overwrite ---------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_DONATION_H
#define TENSORC_COMPILER_SESSION_JIT_DONATION_H

#include "compiler/graph/Trace.h"

#include <mutex>

namespace tensorc::jit {

/// The arguments of a trace that the evaluation may overwrite. Nothing reads
/// such an argument after the run: no handle holds it, and every value computed
/// from it is either computed by the run or released with it. For example, `x
/// += 1` updates x in place.
class Donation {
public:
  Donation() = default;
  Donation(const Donation &) = delete;
  /// Ends the donation after the run.
  ~Donation();

  /// Finds the values that an evaluation of the trace may overwrite. The trace
  /// was just recorded. Requires graphMutex(). `held` are the evaluation's own
  /// references.
  void find(const graph::Trace &trace, llvm::ArrayRef<graph::NodeRef> held);
  /// Takes those of the found values that may still be overwritten. Other
  /// threads that read them wait until the run is over. Returns a flag per
  /// argument that tells whether it was taken, or an empty list if none was.
  llvm::ArrayRef<uint8_t> take(const graph::Trace &trace);

  /// If another thread is overwriting values that the trace needs, waits for
  /// that thread and returns true. The trace must then be recorded again.
  /// Requires graphMutex().
  static bool waitFor(const graph::Trace &trace,
                      std::unique_lock<std::mutex> &lock);

  /// Waits until no run overwrites anything. Requires graphMutex(). Called
  /// before a fork, because in the child the overwritten values would never be
  /// completed.
  static void waitForAll(std::unique_lock<std::mutex> &lock);

private:
  struct Candidate {
    unsigned argument;
    // Expected number of references if no other object holds the value.
    uint32_t references;
  };
  llvm::SmallVector<Candidate, 4> candidates;
  llvm::SmallVector<uint8_t, 16> taken;
  llvm::SmallVector<graph::NodeRef, 4> nodes;
};

/// True if the value's memory may be reused for a result: its buffer has no
/// other references and is on the value's device.
bool hasMemoryOfItsOwn(const graph::Node &value);

/// Returns how many functions of the user, and exchanges with other ranks, runs
/// on the device have called. A run that called none may be repeated. If it
/// overwrites arguments, `overwrites` is true, and launches and copies count too.
uint64_t countCalls(tensorc_rt_device *device, bool overwrites = false);

/// Returns the number of device bytes that a run may need, with its arguments:
/// the free bytes plus those of the arguments that are on the device.
uint64_t bytesLeftFor(llvm::ArrayRef<graph::Node *> arguments,
                      tensorc_rt_device *device);

/// True if the calling thread's runs are those of one of several ranks. The
/// runtime makes the collectives of the other ranks fail when such a run fails.
bool isOneOfRanks();

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_DONATION_H
