//===- Deferred.h - Tensors whose shape depends on a mask's values --------===//
//
// The size of x[mask] is the number of true elements of the mask. Recording it
// does not evaluate the mask. Its handle points to a Deferred instead of a
// node, and the lowest bit of the handle is set. The first use that needs a
// node counts the elements and makes the node. Dtype, rank and device are known
// without the node.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_API_DEFERRED_H
#define TENSORC_COMPILER_API_DEFERRED_H

#include "compiler/graph/Recorder.h"
#include "compiler/include/tensorc/tensorc.h"
#include "compiler/session/jit/Executable.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace tensorc::api {

/// The true elements of a mask, which several tensors may share.
class Selection {
public:
  explicit Selection(graph::NodeRef mask) : mask(std::move(mask)) {}

  /// Returns the positions of the true elements in the flattened mask.
  /// Evaluates the mask to determine their number. Returns null after an error.
  graph::NodeRef places(graph::Recorder &r, jit::Status &status);

private:
  graph::NodeRef mask;
  std::mutex mutex;
  // Positions, padded to the number of elements of the mask.
  graph::NodeRef found;
  std::atomic<int64_t> count{-1};
};

/// Reports an error if the mask's values are unknown because it belongs to a
/// trace.
bool checkCountable(graph::Recorder &r, const graph::NodeRef &mask);

class Deferred {
public:
  /// Makes the node from the positions of the true elements.
  using Make = std::function<graph::NodeRef(graph::Recorder &,
                                            const graph::NodeRef &places)>;

  Deferred(const char *called, graph::SourceLocation location,
           graph::DType dtype, unsigned rank,
           std::shared_ptr<Selection> selection, Make make)
      : called(called), location(location), dtype(dtype), rank(rank),
        selection(std::move(selection)), make(std::move(make)) {}
  ~Deferred();

  /// Returns the Deferred of a handle, or null if the handle is a node.
  static Deferred *from(const tensorc_tensor *handle) {
    auto bits = reinterpret_cast<uintptr_t>(handle);
    return bits & 1 ? reinterpret_cast<Deferred *>(bits - 1) : nullptr;
  }
  tensorc_tensor *handle() {
    return reinterpret_cast<tensorc_tensor *>(
        reinterpret_cast<uintptr_t>(this) + 1);
  }
  void retain() { count.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (count.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  /// Makes the node if it has not been made yet.
  jit::Status settle();
  /// Returns the node. Makes it if necessary. After an error, returns a node
  /// whose evaluation fails with this error.
  graph::Node *node();
  /// Returns the node, or null if it has not been made yet.
  graph::Node *known() const { return made.load(std::memory_order_acquire); }

  const char *const called;
  const graph::SourceLocation location;
  const graph::DType dtype;
  const unsigned rank;

private:
  std::shared_ptr<Selection> selection;
  Make make;
  std::atomic<uint32_t> count{1};
  std::atomic<graph::Node *> made{nullptr};
  std::mutex mutex;
  graph::NodeRef failed; // the node of the last error
};

} // namespace tensorc::api

#endif // TENSORC_COMPILER_API_DEFERRED_H
