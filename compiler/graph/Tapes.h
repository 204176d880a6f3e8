//===- Tapes.h - The tapes of a thread ------------------------------------===//
//
// Nodes drop their inputs when they are evaluated. While a tape records, it
// keeps the inputs of each node that its thread makes from watched values. So
// host code may read values, branch on them, and request gradients afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_TAPES_H
#define TENSORC_COMPILER_GRAPH_TAPES_H

#include "compiler/graph/Node.h"
#include "compiler/graph/NodeHooks.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace tensorc::graph {

/// A tape belongs to the thread that made it. Another thread may release it;
/// its entries are then freed when the first thread makes its next tape, or
/// ends.
class Tape {
public:
  /// Begins to record.
  static std::shared_ptr<Tape> create();
  void watch(const NodeRef &node);
  void release();
  /// True if the calling thread made the tape.
  bool isOfThisThread() const;

private:
  friend class Tapes;
  std::vector<NodeRef> watched;
  class Tapes *of = nullptr;
  std::atomic<bool> isReleased{false};
};

/// The entries recorded by the tapes of one thread. All tapes share one list,
/// because an outer tape records the gradients that an inner one makes.
class Tapes final : public NodeObserver {
public:
  /// A node that an entry reads. `entry` shows whether the node has an entry of
  /// its own, is watched (the result depends on it), or is a constant.
  struct Operand {
    Node *node;
    uint32_t entry; // index of its entry, or one of these constants:
  };
  static constexpr uint32_t constant = UINT32_MAX, watched = UINT32_MAX - 1;
  struct Entry {
    NodeRef node;
    uint32_t firstOperand;
  };

  /// Returns the tapes of the calling thread, or null if none is recording.
  static Tapes *current();
  /// Returns the index of a node's entry, `watched`, or `constant` for nodes
  /// that no tape has recorded.
  uint32_t find(const Node *node) const;
  /// Returns all entries, operands before users.
  llvm::ArrayRef<Entry> list() const { return entries; }
  llvm::ArrayRef<Operand> operandsOf(uint32_t entry) const;
  /// Records a node that was just made; its operands are its inputs.
  void note(Node *node) override;
  ~Tapes();

private:
  friend class Tape;
  friend class TapePause;
  static Tapes &ofThread();
  void add(Node *node, llvm::ArrayRef<Operand> operands);
  /// Removes the tapes that were released, and the entries that only these
  /// tapes need.
  void purge();
  void clear(std::vector<Entry> &gone, std::vector<Operand> &operands);

  std::vector<std::shared_ptr<Tape>> active;
  std::vector<Entry> entries;
  // Operands of all entries; each owns a reference.
  std::vector<Operand> operands;
  llvm::DenseMap<const Node *, uint32_t> numbers;
};

/// While a tape records, the thread's observer is its Tapes object.
inline Tapes *Tapes::current() {
  return static_cast<Tapes *>(detail::nodeObserver);
}

/// True if the node is a number that its users may treat as a constant. False
/// if a tape of this thread watches it.
inline bool isNumber(const Node &node) {
  const Tapes *tapes = Tapes::current();
  return node.op() == OpKind::Full &&
         (!tapes || tapes->find(&node) == Tapes::constant);
}

/// Stops a tape from recording while it makes a gradient. Other tapes continue
/// to record.
class TapePause {
public:
  TapePause() : paused(Tapes::current()) {
    if (paused && paused->active.size() == 1)
      detail::nodeObserver = nullptr;
  }
  TapePause(const TapePause &) = delete;
  ~TapePause() { detail::nodeObserver = paused; }

private:
  Tapes *paused;
};

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_TAPES_H
