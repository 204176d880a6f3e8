//===- Node.h - A recorded op, or a value ---------------------------------===//
//
// Nodes are what Tensor handles point to: small, reference-counted, immutable
// except for one thing: evaluation publishes a buffer and lets go of the
// inputs. That, and reading the inputs, happens under graphMutex(); op, dtype
// and shape are read freely.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_NODE_H
#define TENSORC_COMPILER_GRAPH_NODE_H

#include "compiler/graph/DType.h"
#include "ir/tx/OpAttributes.h"
#include "runtime/include/tensorc/runtime.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <mutex>
#include <string>

namespace tensorc::graph {

class NodeRef;

enum class OpKind : uint8_t {
#define TENSORC_OP(kind, ...) kind,
#include "compiler/graph/OpKinds.inc"
#undef TENSORC_OP
  /// A value from outside; has a buffer.
  Data,
  /// An argument of a function being traced; never has a buffer.
  Placeholder,
  /// One scalar, repeated.
  Full,
  /// A function of the embedder (CustomCalls.h): has no value of its own, its
  /// users are its results.
  CustomCall,
  /// One of its input's results.
  CustomResult,
  /// Its input, which is on another device.
  Transfer
};

enum class Category : uint8_t {
  Elementwise,
  Reduction,
  Scan,
  Contraction,
  Shape,
  Random,
  /// Made of other ops (ir/library).
  Composite,
  Other
};

/// What is known of an op from its definition.
struct OpTraits {
  const char *name;
  /// What the API calls it; errors begin with this.
  const char *apiName;
  Category category;
  uint8_t numOperands;
  DTypeMask operandMasks[3];
  /// Dtype of the result; None if it is that of the operands.
  DType resultDType;
  /// Whether the operands leave the result's shape open.
  bool ownsShape;
  /// How many element-wise ops it is; 0: it does something else.
  uint8_t elementwiseOps;
};
namespace detail {
extern const OpTraits opTraits[];
} // namespace detail
inline const OpTraits &traits(OpKind kind) {
  return detail::opTraits[static_cast<unsigned>(kind)];
}

/// Adds the attributes that the words of a node say to the op that is made.
void addAttributes(OpKind kind, llvm::ArrayRef<int64_t> words,
                   mlir::OperationState &state);

/// Attributes of Full.
struct FullAttributes {
  uint64_t bits;

  static FullAttributes read(llvm::ArrayRef<int64_t> words) {
    return {static_cast<uint64_t>(words[0])};
  }
  size_t numWords() const { return 1; }
  void write(int64_t *words) const { *words = static_cast<int64_t>(bits); }
};

/// Attributes of CustomResult: the number of the result.
struct CustomResultAttributes {
  unsigned index;

  static CustomResultAttributes read(llvm::ArrayRef<int64_t> words) {
    return {static_cast<unsigned>(words[0])};
  }
  size_t numWords() const { return 1; }
  void write(int64_t *words) const { *words = index; }
};

/// The line of the user's program that recorded an op. `file` lives as long as
/// the program.
struct SourceLocation {
  const char *file = nullptr;
  uint32_t line = 0;
};

constexpr unsigned maxRank = TENSORC_RT_MAX_RANK;

/// Counts expressions for which no compiled code was found, modulo 2^16 (see
/// jit::Growth).
extern std::atomic<uint16_t> recordingClock;

class Node {
public:
  /// A new node with one reference. Size and overflow were checked. What
  /// `adopted` holds of the inputs is taken over: entry i is input i or null.
  template <typename Attributes = tx::NoAttributes>
  static Node *create(OpKind op, DType dtype, llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<Node *> inputs,
                      const Attributes &attributes, SourceLocation location,
                      llvm::MutableArrayRef<NodeRef> adopted = {}) {
    Node *node = allocate(op, dtype, shape, inputs, attributes.numWords(),
                          location, adopted);
    attributes.write(node->wordsBegin());
    return node;
  }
  /// A value; takes over the reference to the buffer.
  static Node *createData(DType dtype, llvm::ArrayRef<int64_t> shape,
                          tensorc_rt_buffer *buffer, SourceLocation location);
  /// The input, to be moved to the device; null: left to the cost model.
  static Node *createTransfer(Node *input, tensorc_rt_device *device,
                              SourceLocation location);
  /// The same op of other inputs, which are of the same types.
  static Node *createLike(const Node &like, llvm::ArrayRef<Node *> inputs,
                          llvm::MutableArrayRef<NodeRef> adopted = {});

  OpKind op() const { return kind; }
  DType dtype() const { return elementType; }
  unsigned rank() const { return numDims; }
  llvm::ArrayRef<int64_t> shape() const { return {dimsBegin(), numDims}; }
  /// Whether dtype and shape are the same. A loop: calls of memcmp were a tenth
  /// of recording.
  bool isLike(const Node &other) const {
    if (elementType != other.elementType || numDims != other.numDims)
      return false;
    const int64_t *dims = dimsBegin(), *others = other.dimsBegin();
    for (unsigned i = 0; i < numDims; ++i)
      if (dims[i] != others[i])
        return false;
    return true;
  }
  /// The struct of the op's attributes, whose lists are views of the node.
  template <typename Attributes> Attributes attributes() const {
    return Attributes::read(words());
  }
  /// The same as a key compares them.
  llvm::ArrayRef<int64_t> words() const { return {wordsBegin(), numWords}; }
  SourceLocation location() const { return where; }
  /// Whether the value depends on a placeholder, so that only a traced
  /// function's calls will know it.
  bool isTraced() const { return marks & Traced; }
  /// The device on which the value is, or will be computed. Null if no operand
  /// and no handle binds it, as for a number, or if the cost model chooses it.
  tensorc_rt_device *device() const { return place; }
  /// Whether the cost model chooses the device: the value may be anywhere, even
  /// on several devices, and goes where an operation with it takes place.
  bool isAuto() const { return (marks & Automatic) && !place; }
  /// One of the two, before anybody else can reach the node.
  void bind(tensorc_rt_device *device) { place = device; }
  void makeAuto() {
    place = nullptr;
    marks |= Automatic;
  }
  /// Whether inputs, or inputs of inputs, are on different devices.
  bool isMixed() const { return marks & Mixed; }
  /// Whether the node was a transfer, or depended on one that had no value yet,
  /// when it was recorded.
  bool needsTransfers() const { return marks & Transfers; }
  /// The ops recorded on the longest path to the node since the last value, and
  /// the bytes of the values that they keep alive.
  struct Pending {
    uint32_t ops = 0;
    uint64_t bytes = 0;
  };
  Pending pending() const {
    return {pendingOps.load(std::memory_order_relaxed),
            pendingBytes.load(std::memory_order_relaxed)};
  }
  /// Counts from 0 again.
  void forgetPending() {
    pendingOps.store(0, std::memory_order_relaxed);
    pendingBytes.store(0, std::memory_order_relaxed);
  }
  int64_t numElements() const;
  int64_t byteSize() const { return tx::bytesOf(elementType, numElements()); }

  /// Whether there is a buffer.
  bool isEvaluated() const {
    return value.load(std::memory_order_acquire) != nullptr;
  }
  tensorc_rt_buffer *buffer() const {
    return value.load(std::memory_order_acquire);
  }

  /// Calls fn with the value's buffers: on each device at most one.
  template <typename Fn> void forEachBuffer(Fn fn) const {
    if (tensorc_rt_buffer *first = buffer())
      fn(first);
    for (const Copy *c = copies.load(std::memory_order_acquire); c; c = c->next)
      fn(c->buffer);
  }
  /// Whether there are more than one.
  bool hasCopies() const {
    return copies.load(std::memory_order_acquire) != nullptr;
  }
  /// The one on the device; null: none.
  tensorc_rt_buffer *bufferOn(const tensorc_rt_device *device) const;

  /// Handles are references that the user holds.
  void retain() { counts.fetch_add(1, std::memory_order_relaxed); }
  void release();
  /// Adds references to a node that no other thread can reach.
  void retainNew(uint32_t more) {
    counts.store(counts.load(std::memory_order_relaxed) + more,
                 std::memory_order_relaxed);
  }
  void retainHandle() {
    counts.fetch_add(handle + 1, std::memory_order_relaxed);
  }
  void releaseHandle();
  /// Turns the caller's reference into a handle.
  void becomeHandle() {
    // Nobody else can reach a node with one reference: no locked instruction.
    if (counts.load(std::memory_order_relaxed) == 1)
      counts.store(handle + 1, std::memory_order_relaxed);
    else
      counts.fetch_add(handle, std::memory_order_relaxed);
  }
  bool hasHandle() const {
    return counts.load(std::memory_order_relaxed) >= handle;
  }
  /// All of them, handles included.
  uint32_t references() const {
    return static_cast<uint32_t>(counts.load(std::memory_order_acquire));
  }
  /// Whether the only reference is one handle.
  bool isHeldOnce() const {
    return counts.load(std::memory_order_acquire) == handle + 1;
  }

  //===--- Under graphMutex() -------------------------------------------===//

  llvm::ArrayRef<Node *> inputs() const { return {inputsBegin(), numInputs}; }
  /// Publishes the value and moves the inputs to `dropped`, whose references
  /// the caller releases once the mutex is free. Takes over the reference to
  /// the buffer; frees it when another thread was faster.
  void publish(tensorc_rt_buffer *buffer,
               llvm::SmallVectorImpl<Node *> &dropped);

  /// Whether an evaluation has read the value, stored it, or left it unstored
  /// though it was needed later (LiveHandles.h).
  bool wasReached() const { return isReached; }
  void noteReached() { isReached = true; }

  /// The value on one more device; takes over the reference to the buffer,
  /// which is freed where there is one already.
  void addCopy(tensorc_rt_buffer *buffer);

  /// Scratch of the walk that holds the mutex.
  uint64_t epoch = 0;
  uint32_t ordinal = 0;
  bool isOutput = false;

  /// Whether an evaluation is overwriting the value; see jit/Donation.h.
  bool isTaken = false;

  /// Whether a gradient may be asked for that reads the value (tape/Tapes.h):
  /// an evaluation stores it as if the user held it.
  bool isOnTape = false;

  /// When the node was recorded, by `recordingClock`.
  uint16_t birth = 0;

private:
  static constexpr uint64_t handle = 1ull << 32;
  /// What a node takes over from its inputs.
  enum Mark : uint8_t { Traced = 1, Mixed = 2, Automatic = 4, Transfers = 8 };
  /// Lives as long as the node: others may be using the buffer.
  struct Copy {
    tensorc_rt_buffer *buffer;
    Copy *next;
  };

  Node() = default;
  ~Node() = default;
  static Node *allocate(OpKind op, DType dtype, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<Node *> inputs, size_t numWords,
                        SourceLocation location,
                        llvm::MutableArrayRef<NodeRef> adopted);
  static void destroy(Node *node);
  /// Gives up a reference worth `amount`; true if it was the last.
  bool drop(uint64_t amount) {
    // The only owner needs no locked instruction.
    if (counts.load(std::memory_order_acquire) == amount)
      return true;
    return static_cast<uint32_t>(
               counts.fetch_sub(amount, std::memory_order_acq_rel)) == 1;
  }
  Node **inputsBegin() const {
    return reinterpret_cast<Node **>(const_cast<Node *>(this) + 1);
  }
  int64_t *dimsBegin() const {
    return reinterpret_cast<int64_t *>(inputsBegin() + inputCapacity);
  }
  int64_t *wordsBegin() const { return dimsBegin() + numDims; }

  uint32_t numInputs = 0;
  std::atomic<uint32_t> pendingOps{0};
  std::atomic<uint64_t> pendingBytes{0};
  std::atomic<uint64_t> counts{1};
  std::atomic<tensorc_rt_buffer *> value{nullptr};
  std::atomic<Copy *> copies{nullptr};
  SourceLocation where;
  tensorc_rt_device *place = nullptr;
  uint32_t inputCapacity = 0;
  uint32_t numWords = 0;
  OpKind kind = OpKind::Data;
  DType elementType = DType::None;
  /// Bits of Mark, which do not change once others can reach the node.
  uint8_t marks = 0;
  bool isReached = false;
  uint8_t numDims = 0;
  // The inputs, dims and words of attributes follow.
};

/// Guards the inputs of all nodes.
std::mutex &graphMutex();

/// A counted reference to a node, not a handle.
class NodeRef {
public:
  NodeRef() = default;
  /// Takes over a reference.
  static NodeRef take(Node *node) {
    NodeRef ref;
    ref.node = node;
    return ref;
  }
  /// Adds a reference.
  NodeRef(Node *node) : node(node) {
    if (node)
      node->retain();
  }
  NodeRef(const NodeRef &other) : NodeRef(other.node) {}
  NodeRef(NodeRef &&other) noexcept
      : node(std::exchange(other.node, nullptr)) {}
  NodeRef &operator=(NodeRef other) noexcept {
    std::swap(node, other.node);
    return *this;
  }
  ~NodeRef() {
    if (node)
      node->release();
  }

  Node *get() const { return node; }
  Node *operator->() const { return node; }
  explicit operator bool() const { return node != nullptr; }
  /// Gives the reference to the caller.
  Node *leak() { return std::exchange(node, nullptr); }

private:
  Node *node = nullptr;
};

/// `[64,32]` for messages.
std::string shapeString(llvm::ArrayRef<int64_t> shape);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_NODE_H
