//===- Donation.h - Values that an evaluation may overwrite ---------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_DONATION_H
#define TENSORC_COMPILER_SESSION_JIT_DONATION_H

#include "compiler/graph/Trace.h"

#include <mutex>

namespace tensorc::jit {

/// Arguments of a trace that may be overwritten, because nobody reads them
/// after the run: no handle holds them, and all values computed from them are
/// computed by it, or are released with it. So `x += 1` updates x in place.
class Donation {
public:
  Donation() = default;
  Donation(const Donation &) = delete;
  /// Ends the donation; the run is over.
  ~Donation();

  /// Finds values that the trace just recorded may overwrite. Requires
  /// graphMutex(). `held` are the evaluation's own references.
  void find(const graph::Trace &trace, llvm::ArrayRef<graph::NodeRef> held);
  /// Takes the values for which this is still true. Until the run is over,
  /// threads that use them wait. Returns per argument whether it was taken, or
  /// an empty list.
  llvm::ArrayRef<uint8_t> take(const graph::Trace &trace);

  /// Returns true if another thread overwrites values that the trace needs. It
  /// has waited for that thread then, and the trace must be recorded again.
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
    uint32_t references; // its number of references if nobody else holds any
  };
  llvm::SmallVector<Candidate, 4> candidates;
  llvm::SmallVector<uint8_t, 16> taken;
  llvm::SmallVector<graph::NodeRef, 4> nodes;
};

/// True if the value's memory may be reused for a result: a buffer without
/// other references, on the device that it belongs to.
bool hasMemoryOfItsOwn(const graph::Node &value);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_DONATION_H
