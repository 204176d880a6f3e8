//===- Node.cpp - A recorded op or a computed value -----------------------===//

#include "compiler/graph/Node.h"

#include "compiler/graph/NodeHooks.h"
#include "ir/library/Attributes.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <new>
#include <vector>

namespace tensorc::graph {

const OpTraits detail::opTraits[] = {
#define TENSORC_UNPACK(...) {__VA_ARGS__}
#define TENSORC_OP(kind, name, apiName, category, operands, masks, dtype,      \
                   owns, cost, _)                                              \
  {name, apiName, Category::category, operands, TENSORC_UNPACK masks, dtype,   \
   owns, cost},
#include "compiler/graph/OpKinds.inc"
#undef TENSORC_OP
#undef TENSORC_UNPACK
    {"data", "data", Category::Other, 0, {}, DType::None, false, 0},
    {"placeholder",
     "placeholder",
     Category::Other,
     0,
     {},
     DType::None,
     false,
     0},
    {"full", "full", Category::Other, 0, {}, DType::None, true, 0},
    {"custom_call",
     "custom_call",
     Category::Other,
     0,
     {},
     DType::None,
     false,
     0},
    {"custom_result",
     "custom_result",
     Category::Other,
     0,
     {},
     DType::None,
     false,
     0},
    {"to", "to", Category::Other, 1, {}, DType::None, false, 0},
};

void addAttributes(OpKind kind, llvm::ArrayRef<int64_t> words,
                   mlir::OperationState &state) {
  switch (kind) {
#define TENSORC_OP(kind, name, apiName, category, operands, masks, dtype,      \
                   owns, cost, Attributes)                                     \
  case OpKind::kind:                                                           \
    return tx::Attributes::read(words).addTo(state);
#include "compiler/graph/OpKinds.inc"
#undef TENSORC_OP
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// Recycles the memory of nodes that this thread destroyed, by the number of
/// words that follow the node. malloc caches only seven blocks of a size per
/// thread, while a training step destroys a hundred nodes at once and then
/// makes them again.
class NodeMemory {
public:
  void *take(size_t words) {
    if (words < numSizes && lists[words].first) {
      Block *block = lists[words].first;
      lists[words].first = block->next;
      --lists[words].count;
      return block;
    }
    void *memory = std::malloc(sizeof(Node) + words * sizeof(int64_t));
    if (!memory)
      std::abort();
    return memory;
  }
  void give(void *memory, size_t words) {
    if (words >= numSizes || lists[words].count >= most || !isKept())
      return std::free(memory);
    lists[words].first = new (memory) Block{lists[words].first};
    ++lists[words].count;
  }

private:
  struct Block {
    Block *next;
  };
  struct List {
    Block *first = nullptr;
    uint32_t count = 0;
  };
  /// Frees the recycled blocks when the thread ends. Nodes that are destroyed
  /// later are freed at once.
  struct ThreadEnd {
    ~ThreadEnd();
  };
  static constexpr size_t numSizes = 16;
  static constexpr uint32_t most = 128;

  bool isKept() {
    // With recycling, sanitizers would not detect uses of destroyed nodes.
    if (isEnding || LLVM_ADDRESS_SANITIZER_BUILD || LLVM_THREAD_SANITIZER_BUILD)
      return false;
    static thread_local ThreadEnd end;
    (void)end;
    return true;
  }

  List lists[numSizes];
  bool isEnding = false;
};
} // namespace

/// This type has no destructor, because destructors of other thread_local
/// objects may destroy nodes later.
static constinit thread_local NodeMemory nodeMemory;

NodeMemory::ThreadEnd::~ThreadEnd() {
  nodeMemory.isEnding = true;
  for (List &list : nodeMemory.lists)
    while (Block *block = list.first) {
      list = {block->next, list.count - 1};
      std::free(block);
    }
}

constinit thread_local NodeObserver *detail::nodeObserver = nullptr;
constinit std::atomic<ForgetNode> detail::forgetNode = nullptr;

std::mutex &graphMutex() {
  static std::mutex mutex;
  return mutex;
}

std::atomic<uint16_t> recordingClock{0};

Node *Node::allocate(OpKind op, DType dtype, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<Node *> inputs, size_t numWords,
                     SourceLocation location,
                     llvm::MutableArrayRef<NodeRef> adopted) {
  size_t words = inputs.size() + shape.size() + numWords;
  void *memory = nodeMemory.take(words);
  Node *node = new (memory) Node;
  node->kind = op;
  node->elementType = dtype;
  node->where = location;
  node->birth = recordingClock.load(std::memory_order_relaxed);
  node->numDims = shape.size();
  node->numInputs = node->inputCapacity = inputs.size();
  node->numWords = numWords;
  // Accumulates in locals, because the compiler must assume that `node` may
  // alias an input.
  uint8_t marks = op == OpKind::Placeholder ? Traced : 0;
  tensorc_rt_device *place = nullptr;
  // Takes the maximum over paths. A sum would count a shared value once per
  // path to it.
  Pending longest;
  uint64_t stored = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Node *input = inputs[i];
    node->inputsBegin()[i] = input;
    if (i >= adopted.size() || !adopted[i].leak())
      input->retain();
    uint8_t taken = input->marks;
    Pending before = input->pending();
    if (input->isEvaluated()) {
      stored += input->byteSize();
      taken &= ~Transfers;
    }
    // An operand without a device is computed on the device of the others.
    if (input->place && place != input->place) {
      taken |= place ? Mixed : 0;
      place = place ? place : input->place;
    }
    marks |= taken;
    longest.ops = std::max(longest.ops, before.ops + 1);
    longest.bytes = std::max(longest.bytes, before.bytes);
  }
  node->marks = marks;
  node->place = place;
  node->pendingOps.store(longest.ops, std::memory_order_relaxed);
  node->pendingBytes.store(longest.bytes + stored, std::memory_order_relaxed);
  llvm::copy(shape, node->dimsBegin());
  if (!inputs.empty())
    if (NodeObserver *observer = detail::nodeObserver)
      observer->note(node);
  return node;
}

Node *Node::createLike(const Node &like, llvm::ArrayRef<Node *> inputs,
                       llvm::MutableArrayRef<NodeRef> adopted) {
  Node *node = allocate(like.op(), like.dtype(), like.shape(), inputs,
                        like.numWords, like.where, adopted);
  llvm::copy(like.words(), node->wordsBegin());
  return node;
}

Node *Node::createData(DType dtype, llvm::ArrayRef<int64_t> shape,
                       tensorc_rt_buffer *buffer, SourceLocation location) {
  Node *node = create(OpKind::Data, dtype, shape, {}, {}, location);
  node->value.store(buffer, std::memory_order_release);
  node->place = tensorc_rt_buffer_device(buffer);
  if (location.file)
    tensorc_rt_buffer_set_origin(buffer, location.file, location.line);
  return node;
}

Node *Node::createTransfer(Node *input, tensorc_rt_device *device,
                           SourceLocation location) {
  Node *node = create(OpKind::Transfer, input->dtype(), input->shape(), input,
                      {}, location);
  node->place = device;
  if (!device)
    node->marks |= Automatic;
  node->marks |= Transfers;
  return node;
}

int64_t Node::numElements() const {
  int64_t count = 1;
  for (int64_t dim : shape())
    count *= dim;
  return count;
}

void Node::release() {
  if (drop(1))
    destroy(this);
}

void Node::releaseHandle() {
  if (drop(handle + 1))
    destroy(this);
}

/// Iterative, because a chain may have a million nodes. Nobody else accesses
/// the inputs of a dead node, so the mutex is not needed.
void Node::destroy(Node *node) {
  llvm::SmallVector<Node *, 16> dead{node};
  while (!dead.empty()) {
    Node *next = dead.pop_back_val();
    for (Node *input : next->inputs())
      if (input->drop(1))
        dead.push_back(input);
    llvm::SmallVector<Node *, 2> kept;
    if (ForgetNode forget = detail::forgetNode.load(std::memory_order_relaxed))
      forget(*next, kept);
    for (Node *packed : kept)
      if (packed->drop(1))
        dead.push_back(packed);
    if (tensorc_rt_buffer *buffer = next->buffer())
      tensorc_rt_buffer_release(buffer);
    for (Copy *copy = next->copies; copy;) {
      tensorc_rt_buffer_release(copy->buffer);
      delete std::exchange(copy, copy->next);
    }
    size_t words = next->inputCapacity + next->numDims + next->numWords;
    next->~Node();
    nodeMemory.give(next, words);
  }
}

void Node::publish(tensorc_rt_buffer *buffer, const Split *split,
                   llvm::SmallVectorImpl<Node *> &dropped) {
  if (isEvaluated()) {
    tensorc_rt_buffer_release(buffer);
    return;
  }
  llvm::append_range(dropped, inputs());
  numInputs = 0;
  forgetPending();
  parts = split;
  value.store(buffer, std::memory_order_release);
}

tensorc_rt_buffer *Node::bufferOn(const tensorc_rt_device *device) const {
  tensorc_rt_buffer *found = nullptr;
  forEachBuffer([&](tensorc_rt_buffer *buffer) {
    if (tensorc_rt_buffer_device(buffer) == device)
      found = buffer;
  });
  return found;
}

void Node::addCopy(tensorc_rt_buffer *buffer) {
  if (bufferOn(tensorc_rt_buffer_device(buffer))) {
    tensorc_rt_buffer_release(buffer);
    return;
  }
  copies.store(new Copy{buffer, copies.load(std::memory_order_relaxed)},
               std::memory_order_release);
}

std::string shapeString(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, dim] : llvm::enumerate(shape)) {
    if (i)
      text += ',';
    text += std::to_string(dim);
  }
  return text + "]";
}

} // namespace tensorc::graph
