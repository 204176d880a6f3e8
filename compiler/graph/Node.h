//===- Node.h - A recorded op or a computed value -------------------------===//
//
// Tensor handles point to nodes. Nodes are small, reference-counted and
// immutable with one exception: an evaluation publishes a buffer and drops the
// inputs. Publishing a buffer and reading the inputs require graphMutex(). Op,
// dtype and shape can be read without it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_NODE_H
#define TENSORC_COMPILER_GRAPH_NODE_H

#include "compiler/graph/DType.h"
#include "compiler/graph/Split.h"
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
  /// A value that the user provided instead of recording it; always has a
  /// buffer.
  Data,
  /// An argument of a function being traced; never has a buffer.
  Placeholder,
  /// A scalar that is broadcast to the node's shape.
  Full,
  /// A call of a function of the embedder (CustomCalls.h). It has no value; its
  /// users are CustomResult nodes.
  CustomCall,
  /// One result of its input, a CustomCall.
  CustomResult,
  /// A copy of its input, which is on another device.
  Transfer
};

enum class Category : uint8_t {
  Elementwise,
  Reduction,
  Scan,
  Contraction,
  Shape,
  Random,
  /// A composite op that expands to other ops (ir/library).
  Composite,
  Other
};

/// Static facts from an op's definition.
struct OpTraits {
  const char *name;
  /// The op's name in the API. Error messages begin with it.
  const char *apiName;
  Category category;
  uint8_t numOperands;
  DTypeMask operandMasks[3];
  /// Dtype of the result; None if the result has the operands' dtype.
  DType resultDType;
  /// True if the operands do not determine the result's shape, as in a reshape.
  bool ownsShape;
  /// Number of element-wise ops that the op counts as; 0 if the op is not
  /// element-wise.
  uint8_t elementwiseOps;
};
namespace detail {
extern const OpTraits opTraits[];
} // namespace detail
inline const OpTraits &traits(OpKind kind) {
  return detail::opTraits[static_cast<unsigned>(kind)];
}

/// Converts a node's attribute words to attributes of the op that is created.
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

/// Attributes of CustomResult: the index of the result.
struct CustomResultAttributes {
  unsigned index;

  static CustomResultAttributes read(llvm::ArrayRef<int64_t> words) {
    return {static_cast<unsigned>(words[0])};
  }
  size_t numWords() const { return 1; }
  void write(int64_t *words) const { *words = index; }
};

/// The line of the user's program that recorded an op. `file` lives as long as
/// the process.
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
  /// Creates a node with one reference. The caller has checked the size for
  /// overflow. Takes ownership of the references in `adopted`: entry i is a
  /// reference to input i, or null.
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
  /// Creates a value and takes ownership of the reference to the buffer.
  static Node *createData(DType dtype, llvm::ArrayRef<int64_t> shape,
                          tensorc_rt_buffer *buffer, SourceLocation location);
  /// Creates a transfer of the input to the device. If the device is null, the
  /// cost model chooses one.
  static Node *createTransfer(Node *input, tensorc_rt_device *device,
                              SourceLocation location);
  /// Creates the same op as `like` on other inputs of the same types.
  static Node *createLike(const Node &like, llvm::ArrayRef<Node *> inputs,
                          llvm::MutableArrayRef<NodeRef> adopted = {});

  OpKind op() const { return kind; }
  DType dtype() const { return elementType; }
  unsigned rank() const { return numDims; }
  llvm::ArrayRef<int64_t> shape() const { return {dimsBegin(), numDims}; }
  /// True if dtype and shape are equal. Uses a loop, because calls of memcmp
  /// took a tenth of the recording time.
  bool isLike(const Node &other) const {
    if (elementType != other.elementType || numDims != other.numDims)
      return false;
    const int64_t *dims = dimsBegin(), *others = other.dimsBegin();
    for (unsigned i = 0; i < numDims; ++i)
      if (dims[i] != others[i])
        return false;
    return true;
  }
  /// Returns the op's attributes as a struct, whose lists are views into the
  /// node.
  template <typename Attributes> Attributes attributes() const {
    return Attributes::read(words());
  }
  /// Returns the attributes as the words that cache keys compare.
  llvm::ArrayRef<int64_t> words() const { return {wordsBegin(), numWords}; }
  SourceLocation location() const { return where; }
  /// True if the value depends on a placeholder, so it is known only in calls
  /// of the traced function.
  bool isTraced() const { return marks & Traced; }
  /// Returns the device that has the value or will compute it. Returns null if
  /// no operand and no handle determines the device, as for a number, or if the
  /// cost model chooses it.
  tensorc_rt_device *device() const { return place; }
  /// True if the cost model chooses the device. The value may then be on any
  /// device, or on several. It is copied to the device of each operation that
  /// reads it.
  bool isAuto() const { return (marks & Automatic) && !place; }
  /// Set the device, or leave it to the cost model. Call one of them before
  /// other threads can reach the node.
  void bind(tensorc_rt_device *device) { place = device; }
  void makeAuto() {
    place = nullptr;
    marks |= Automatic;
  }
  /// True if direct or indirect inputs are on different devices.
  bool isMixed() const { return marks & Mixed; }
  /// Whether the node was a transfer, or depended on one that had no value yet,
  /// when it was recorded.
  bool needsTransfers() const { return marks & Transfers; }
  /// The number of ops recorded on the longest path to the node since the last
  /// value, and the bytes of the values that these ops keep alive.
  struct Pending {
    uint32_t ops = 0;
    uint64_t bytes = 0;
  };
  Pending pending() const {
    return {pendingOps.load(std::memory_order_relaxed),
            pendingBytes.load(std::memory_order_relaxed)};
  }
  /// Resets the counts of pending() to 0.
  void forgetPending() {
    pendingOps.store(0, std::memory_order_relaxed);
    pendingBytes.store(0, std::memory_order_relaxed);
  }
  int64_t numElements() const;
  int64_t byteSize() const { return tx::bytesOf(elementType, numElements()); }

  /// True if the node has a buffer with its value.
  bool isEvaluated() const {
    return value.load(std::memory_order_acquire) != nullptr;
  }
  tensorc_rt_buffer *buffer() const {
    return value.load(std::memory_order_acquire);
  }

  /// If the value is split, returns how; the buffer then has this rank's part.
  /// Returns null for a node without a value, except for an argument of a
  /// traced function that will be a part.
  const Split *split() const { return parts; }
  /// Marks a node as a value of which each rank has a part. Must be called
  /// before other threads can reach the node.
  void becomeSplit(const Split *split) { parts = split; }

  /// Calls fn with each of the value's buffers. A device has at most one.
  template <typename Fn> void forEachBuffer(Fn fn) const {
    if (tensorc_rt_buffer *first = buffer())
      fn(first);
    for (const Copy *c = copies.load(std::memory_order_acquire); c; c = c->next)
      fn(c->buffer);
  }
  /// True if the value has buffers on several devices.
  bool hasCopies() const {
    return copies.load(std::memory_order_acquire) != nullptr;
  }
  /// Returns the value's buffer on the device, or null if there is none.
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
    // No other thread can reach a node with one reference, so no atomic
    // instruction is needed.
    if (counts.load(std::memory_order_relaxed) == 1)
      counts.store(handle + 1, std::memory_order_relaxed);
    else
      counts.fetch_add(handle, std::memory_order_relaxed);
  }
  bool hasHandle() const {
    return counts.load(std::memory_order_relaxed) >= handle;
  }
  /// Returns the number of references, including handles.
  uint32_t references() const {
    return static_cast<uint32_t>(counts.load(std::memory_order_acquire));
  }
  /// True if the only reference is a handle.
  bool isHeldOnce() const {
    return counts.load(std::memory_order_acquire) == handle + 1;
  }

  //===--- Under graphMutex() -------------------------------------------===//

  llvm::ArrayRef<Node *> inputs() const { return {inputsBegin(), numInputs}; }
  /// Publishes the value and moves the inputs to `dropped`, whose references
  /// the caller releases after unlocking the mutex. Takes ownership of the
  /// reference to the buffer, and releases it if another thread has published a
  /// value before. `split` is not null if the buffer has only a rank's part.
  void publish(tensorc_rt_buffer *buffer, const Split *split,
               llvm::SmallVectorImpl<Node *> &dropped);

  /// True if an evaluation has read the value, stored it, or left it unstored
  /// although later ops needed it (LiveHandles.h).
  bool wasReached() const { return isReached; }
  void noteReached() { isReached = true; }

  /// Adds the value's buffer on one more device. Takes ownership of the
  /// reference to the buffer, and releases it if that device has one already.
  void addCopy(tensorc_rt_buffer *buffer);

  /// Scratch data of the graph traversal that holds the mutex.
  uint64_t epoch = 0;
  uint32_t ordinal = 0;
  bool isOutput = false;

  /// True while an evaluation may overwrite the value's buffer; see
  /// jit/Donation.h.
  bool isTaken = false;

  /// True if a gradient that reads the value may be requested (Tapes.h).
  /// Evaluations then store it as if the user had a handle.
  bool isOnTape = false;

  /// The value of `recordingClock` when the node was recorded.
  uint16_t birth = 0;

private:
  static constexpr uint64_t handle = 1ull << 32;
  /// Properties that a node inherits from its inputs.
  enum Mark : uint8_t { Traced = 1, Mixed = 2, Automatic = 4, Transfers = 8 };
  /// A buffer on another device. It lives as long as the node, because other
  /// threads may be using it.
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
  /// Subtracts `amount` from the counts, and returns true if this removed the
  /// last reference.
  bool drop(uint64_t amount) {
    // If this is the only owner, no atomic subtraction is needed.
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
  const Split *parts = nullptr;
  uint32_t inputCapacity = 0;
  uint32_t numWords = 0;
  OpKind kind = OpKind::Data;
  DType elementType = DType::None;
  /// Bits of Mark. They do not change after other threads can reach the node.
  uint8_t marks = 0;
  bool isReached = false;
  uint8_t numDims = 0;
  // Followed in memory by the inputs, the dims and the attribute words.
};

/// Returns the mutex that guards the inputs of all nodes.
std::mutex &graphMutex();

/// A counted reference to a node, not a handle.
class NodeRef {
public:
  NodeRef() = default;
  /// Takes ownership of a reference.
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
  /// Releases ownership of the reference to the caller.
  Node *leak() { return std::exchange(node, nullptr); }

private:
  Node *node = nullptr;
};

/// Returns the dims of the data in a value's buffer: those of the value, or of
/// the rank's part.
inline const int64_t *storedDims(const Node &value) {
  return value.split() ? value.split()->part.data() : value.shape().data();
}

/// `[64,32]` for messages.
std::string shapeString(llvm::ArrayRef<int64_t> shape);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_NODE_H
