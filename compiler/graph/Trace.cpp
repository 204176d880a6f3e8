//===- Trace.cpp - The key of an expression, and its values ---------------===//

#include "compiler/graph/Trace.h"

#include "compiler/graph/CustomCalls.h"
#include "compiler/graph/LiveHandles.h"
#include "compiler/graph/OpShapes.h"
#include "compiler/graph/Split.h"
#include "compiler/graph/TF32Factors.h"
#include "ir/library/Attributes.h"
#include "runtime/include/tensorc/communicator.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace tensorc::graph {

bool ownsShape(const Node &node) {
  return isArgument(node) || traits(node.op()).ownsShape;
}

Alignment alignmentOf(llvm::ArrayRef<int64_t> from,
                      llvm::ArrayRef<int64_t> to) {
  unsigned limit = std::min(from.size(), to.size()), prefix = 0, suffix = 0;
  while (prefix < limit && from[prefix] == to[prefix])
    ++prefix;
  while (prefix + suffix < limit &&
         from[from.size() - 1 - suffix] == to[to.size() - 1 - suffix])
    ++suffix;
  return {prefix, suffix};
}

bool isWholeDim(const Node &slice, unsigned i, int64_t size) {
  auto attributes = slice.attributes<tx::SliceAttributes>();
  return slice.shape()[i] == size && attributes.staticOffsets[i] == 0 &&
         attributes.strides[i] == 1;
}

bool hasFixedStart(const Node &slice, unsigned i, int64_t size) {
  if (isWholeDim(slice, i, size))
    return true;
  OpKind of = slice.inputs()[0]->op();
  auto attributes = slice.attributes<tx::SliceAttributes>();
  return (of == OpKind::Sort || of == OpKind::Argsort) &&
         attributes.staticOffsets[i] == 0 && attributes.strides[i] == 1;
}

void Trace::clear() {
  order.clear();
  key.clear();
  sizes.clear();
  words.clear();
  arguments.clear();
  outputs.clear();
  outputSplits.clear();
  early.clear();
  heldConstants.clear();
  leftUnstored.clear();
  customCalls.clear();
  continued.uses.clear();
}

static uint64_t currentEpoch = 0; // guarded by graphMutex()

/// Visits the nodes that the root needs, operands before users. `choose` returns
/// the operand that is visited as the i-th.
template <typename Choose> void Trace::walk(Node *root, Choose choose) {
  auto enter = [&](Node *node) {
    if (node->epoch == currentEpoch)
      return;
    node->epoch = currentEpoch;
    stack.push_back({node, 0});
  };
  enter(root);
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    auto operands = operandsOf(*node);
    if (next < operands.size()) {
      enter(choose(operands, next++));
      continue;
    }
    node->ordinal = order.size();
    order.push_back(node);
    continued.uses.push_back(0);
    for (const Node *operand : operands)
      ++continued.uses[operand->ordinal];
    stack.pop_back();
  }
}

std::optional<unsigned> joinedDim(const Node &node) {
  if (node.op() != OpKind::Data || node.words().empty())
    return std::nullopt;
  return node.attributes<JoinedAttributes>().dim;
}

/// Encodes each dim in two bits: 0, 1, 2 for all other sizes, 3 for any size of
/// a joined dim.
static uint64_t sizeClasses(llvm::ArrayRef<int64_t> shape,
                            std::optional<unsigned> joined = std::nullopt) {
  uint64_t classes = 0;
  for (auto [i, dim] : llvm::enumerate(shape))
    classes = classes << 2 | (i == joined ? 3 : std::min<int64_t>(dim, 2));
  return classes;
}

void appendSizeFacts(const Node &node, std::vector<uint64_t> &key) {
  switch (node.op()) {
  case OpKind::Reshape: {
    Alignment a = alignmentOf(node.inputs()[0]->shape(), node.shape());
    key.push_back(a.prefix << 8 | a.suffix);
    return;
  }
  case OpKind::Slice: {
    uint64_t whole = 0, fixed = 0;
    for (auto [i, size] : llvm::enumerate(node.inputs()[0]->shape())) {
      whole |= uint64_t(isWholeDim(node, i, size)) << i;
      fixed |= uint64_t(hasFixedStart(node, i, size)) << i;
    }
    key.push_back(whole);
    key.push_back(fixed);
    return;
  }
  case OpKind::Scatter:
  case OpKind::DynamicUpdateSlice:
    key.push_back(wholeWindows(node));
    return;
  case OpKind::Pad:
    // If padding makes a dim 0 or 1, its original size becomes part of the key.
    for (auto [from, to] : llvm::zip(node.inputs()[0]->shape(), node.shape()))
      key.push_back(to < 2 ? from : -1);
    return;
  default:
    // A dim with at most one window has a limited range of sizes, so its size
    // becomes part of the key. With more windows the size may vary.
    for (int64_t dim : windowDimsOf(node))
      key.push_back(node.shape()[dim] < 2 ? node.inputs()[0]->shape()[dim]
                                          : -1);
    return;
  }
}

void appendSizes(const Node &node, std::vector<int64_t> &sizes) {
  // Uses a loop, because inserting a short range is slower.
  auto append = [&](llvm::ArrayRef<int64_t> more) {
    for (int64_t size : more)
      sizes.push_back(size);
  };
  if (ownsShape(node))
    return append(node.shape());
  if (node.op() != OpKind::CustomCall)
    return;
  auto call = node.attributes<CustomCall>();
  if (call.region)
    return append(call.sizes);
  for (const CustomCall::Output &output : call.outputs)
    append(output.shape);
}

/// Appends the characters of the text instead of its address, because the key
/// may outlive the process (cache/DiskCache.h).
static void appendName(llvm::StringRef name, std::vector<uint64_t> &key) {
  size_t begin = key.size();
  key.resize(begin + 1 + (name.size() + 7) / 8, 0);
  key[begin] = name.size();
  std::memcpy(key.data() + begin + 1, name.data(), name.size());
}

void Trace::describeCustomCall(const Node &node) {
  auto call = node.attributes<CustomCall>();
  customCalls.push_back({call.name, node.location()});
  for (const char *text : {call.name, call.config, call.derivative})
    appendName(text, key);
  if (call.region)
    appendName(call.region->bytes, key);
  appendName(call.kernel ? call.kernel->key : "", key);
  for (const CustomCall::Output &output : call.outputs) {
    key.push_back(uint64_t(output.dtype) | output.shape.size() << 8);
    key.push_back(sizeClasses(output.shape));
  }
}

void Trace::describeSplit(const Split &split) {
  for (auto [size, dim] : llvm::zip_equal(split.mesh, split.dims)) {
    key.push_back(size);
    key.push_back(dim);
  }
}

void Trace::describe(Node &node) {
  bool argument = isArgument(node);
  auto operands = operandsOf(node);
  auto attributes = argument ? llvm::ArrayRef<int64_t>() : node.words();
  // The key represents inputs of the trace as Data, regardless of their op.
  OpKind op = argument ? OpKind::Data : node.op();
  const Split *split = argument ? partsOf(node.split())
                       : node.isOutput
                           ? partsOf(splitOfOutput(outputs.size() - 1))
                           : nullptr;
  if (argument)
    arguments.push_back(&node);
  if (op == OpKind::Full) {
    words.push_back(node.attributes<FullAttributes>().bits);
    attributes = {};
  } else if (op == OpKind::CustomCall) {
    attributes = {};
  } else if (op == OpKind::Slice) {
    auto slice = node.attributes<tx::SliceAttributes>();
    for (auto [i, size] : llvm::enumerate(operands[0]->shape()))
      if (!hasFixedStart(node, i, size))
        words.push_back(slice.staticOffsets[i]);
    attributes = slice.strides;
  }
  key.push_back(uint64_t(op) | uint64_t(node.dtype()) << 8 |
                uint64_t(node.rank()) << 16 | uint64_t(node.isOutput) << 24 |
                uint64_t(split ? split->mesh.size() : 0) << 25 |
                uint64_t(isTF32Product(node)) << 31 |
                uint64_t(attributes.size()) << 32 |
                uint64_t(operands.size()) << 48);
  if (ownsShape(node))
    key.push_back(sizeClasses(node.shape(), joinedDim(node)));
  appendSizes(node, sizes);
  // Element-wise ops, which are the most frequent ones, need no further size
  // facts.
  if (!argument && traits(op).elementwiseOps == 0)
    appendSizeFacts(node, key);
  if (op == OpKind::CustomCall)
    describeCustomCall(node);
  if (split)
    describeSplit(*split);
  for (Node *operand : operands)
    key.push_back(operand->ordinal);
  // Uses a loop, because inserting a short range is slower.
  for (int64_t attribute : attributes)
    key.push_back(attribute);
}

void Trace::collect(llvm::ArrayRef<Node *> roots) {
  clear();
  ++currentEpoch;
  for (Node *root : roots)
    walk(root, [](llvm::ArrayRef<Node *> operands, uint32_t i) {
      return operands[i];
    });
}

void Trace::collectBySteps(llvm::ArrayRef<Node *> roots) {
  clear();
  ++currentEpoch;
  // Operations of a loop's step have few operands. A long list, as that of a
  // concatenation, is in the order of the steps already.
  constexpr size_t maxSorted = 4;
  for (Node *root : roots)
    walk(root, [](llvm::ArrayRef<Node *> operands, uint32_t i) {
      if (operands.size() > maxSorted)
        return operands[i];
      llvm::SmallVector<std::pair<int64_t, uint32_t>, maxSorted> sorted;
      for (auto [j, operand] : llvm::enumerate(operands))
        sorted.push_back({-int64_t(operand->pending().ops), j});
      llvm::sort(sorted);
      return operands[sorted[i].second];
    });
}

std::optional<Trace::Period> Trace::findPeriod() const {
  constexpr size_t maxLength = 256;
  std::vector<uint64_t> kinds;
  for (const Node *node : order)
    kinds.push_back(isArgument(*node)
                        ? 0
                        : 1 + uint64_t(node->op()) +
                              (uint64_t(node->dtype()) << 8) +
                              (uint64_t(node->rank()) << 16) +
                              (uint64_t(node->inputs().size()) << 24));
  // A period must be repeated at least three times and cover half of the trace.
  for (size_t length = 1; length <= std::min(maxLength, order.size() / 3);
       ++length) {
    size_t alike = 0, enough = std::max(2 * length, order.size() / 2);
    for (size_t i = length; i <= order.size(); ++i) {
      if (i < order.size() && kinds[i] == kinds[i - length]) {
        ++alike;
        continue;
      }
      if (alike >= enough)
        return Period{i - alike - length, i, length};
      alike = 0;
    }
  }
  return std::nullopt;
}

std::vector<std::vector<NodeRef>> Trace::segments(unsigned size,
                                                  unsigned periodicSize) {
  std::optional<Period> period = findPeriod();
  auto endOfPiece = [&](size_t begin) -> size_t {
    if (!period || begin >= period->end)
      return begin + size;
    if (begin < period->begin)
      return std::min(begin + size, period->begin);
    size_t length = period->length,
           whole = std::max<size_t>(periodicSize / length, 1) * length;
    if (begin + whole <= period->end)
      return begin + whole;
    return size < whole ? begin + length : begin + size;
  };
  std::vector<size_t> ends;
  for (size_t end = endOfPiece(0); end < order.size(); end = endOfPiece(end))
    ends.push_back(end);
  return cutAt(ends);
}

std::vector<std::vector<NodeRef>> Trace::cutAt(llvm::ArrayRef<size_t> ends) {
  std::vector<uint32_t> pieceOf(order.size());
  uint32_t last = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (last < ends.size() && i == ends[last])
      ++last;
    pieceOf[i] = last;
  }
  std::vector<bool> crosses(order.size(), false);
  for (Node *node : order)
    for (Node *operand : operandsOf(*node))
      if (pieceOf[operand->ordinal] != pieceOf[node->ordinal])
        crosses[operand->ordinal] = true;
  std::vector<std::vector<NodeRef>> result(last + 1);
  for (Node *node : order) {
    if (crosses[node->ordinal] && node->byteSize() <= maxEarlyBytes &&
        isOfScalars(*node))
      early.push_back(node);
    // A custom call has no value, so later pieces call it again.
    if (crosses[node->ordinal] && !isTrivial(node) &&
        node->op() != OpKind::CustomCall)
      result[pieceOf[node->ordinal]].push_back(node);
  }
  return result;
}

bool Trace::isContinued(const Node &node) const {
  return !node.hasHandle() && node.references() > continued.uses[node.ordinal];
}

void Trace::findContinued(llvm::ArrayRef<Node *> roots) {
  /// Storing a value of at most this size costs less than a launch that
  /// recomputes the value. Larger values are stored only if the evaluation
  /// reads or returns a value of their size.
  constexpr int64_t alwaysCheapBytes = 1 << 20;
  continued.maxBytes = alwaysCheapBytes;
  for (const Node *root : roots)
    continued.maxBytes = std::max(continued.maxBytes, root->byteSize());
  continued.feedsCall.assign(order.size(), false);
  continued.beginsSum = false;
  for (const Node *node : order) {
    continued.beginsSum |= beginsSum(*node) && !isTrivial(node->inputs()[1]);
    if (isArgument(*node))
      continued.maxBytes = std::max(continued.maxBytes, node->byteSize());
    else if (node->op() == OpKind::CustomCall && isContinued(*node))
      // The call is repeated when its results outside of the trace are needed.
      // It then reads its operands again.
      for (const Node *operand : operandsOf(*node))
        continued.feedsCall[operand->ordinal] = true;
  }
}

/// Returns whether a live node that is not a root becomes an output.
bool Trace::stores(Node &node, Stored stored) {
  if (stored == Stored::Roots)
    return false;
  if (isTrivial(&node)) {
    if (node.op() == OpKind::Full && !node.wasReached() &&
        (node.hasHandle() || isContinued(node)))
      leftUnstored.push_back(&node);
    return false;
  }
  // Only the results of a custom call have values, not the call itself.
  if (stored == Stored::All)
    return node.op() != OpKind::CustomCall;
  if (node.op() == OpKind::CustomCall)
    return false;
  bool isContinuedCheaply =
      (isContinued(node) || continued.feedsCall[node.ordinal]) &&
      node.byteSize() <= continued.maxBytes;
  if (!node.hasHandle() && !node.isOnTape && !isContinuedCheaply)
    return false;
  auto isStored = [](const Node &operand) {
    return isArgument(operand) || operand.isOutput;
  };
  if (continued.beginsSum || !mayStayUnstored(node, isStored))
    return true;
  leftUnstored.push_back(&node);
  return false;
}

/// Adds the key that the node reads to `early`, or the node to `heldConstants`.
void Trace::findEarly(Node &node) {
  if (isArgument(node))
    return;
  if (node.op() == OpKind::Full && !node.isOutput && node.hasHandle() &&
      byteWidth(node.dtype()) >= 1 && node.byteSize() <= maxConstantBytes)
    heldConstants.push_back(&node);
  if (node.op() != OpKind::RandomBits)
    return;
  Node *key = node.inputs()[0];
  if (!key->isOutput && key->byteSize() <= maxEarlyBytes &&
      (isOfScalars(*key) || rowOf(*key)))
    early.push_back(key);
}

//===----------------------------------------------------------------------===//
// Values that are split over ranks
//===----------------------------------------------------------------------===//

static bool isCollective(OpKind op) {
  switch (op) {
  case OpKind::AllReduce:
  case OpKind::AllGather:
  case OpKind::ReduceScatter:
  case OpKind::AllToAll:
  case OpKind::CollectiveBroadcast:
  case OpKind::CollectivePermute:
  case OpKind::PartitionId:
  case OpKind::LocalPart:
    return true;
  default:
    return false;
  }
}

/// True if each rank has its own result of a collective. Without groups, all
/// ranks have the same result of a reduction, a gather or a broadcast.
static bool givesOwnValues(const Node &node) {
  switch (node.op()) {
  case OpKind::AllReduce:
    return !node.attributes<tx::AllReduceAttributes>().groups.empty();
  case OpKind::AllGather:
    return !node.attributes<tx::AllGatherAttributes>().groups.empty();
  case OpKind::CollectiveBroadcast:
    return !node.attributes<tx::CollectiveBroadcastAttributes>().groups.empty();
  default:
    return isCollective(node.op());
  }
}

/// True if an expression with such a node may have values that are split, or
/// that differ between ranks.
static bool mayBeSplit(const Node &node) {
  return node.split() ||
         (!isArgument(node) &&
          (node.op() == OpKind::Shard || node.op() == OpKind::JoinParts ||
           isCollective(node.op())));
}

template <typename Attributes>
static const Split *annotation(const Node &node) {
  auto attributes = node.attributes<Attributes>();
  return Split::get(attributes.mesh, attributes.dims, node.shape());
}

/// Determines how the nodes of an expression are split. Annotated nodes are
/// split, and so are element-wise ops of a split operand, unless another
/// operand differs between ranks. Null means whole. This is decided before the
/// expression is compiled, because the key of the compiled code depends on it.
/// Returns an empty list if all nodes are the same whole values on all ranks.
static std::vector<const Split *> findSplits(llvm::ArrayRef<Node *> order) {
  std::vector<const Split *> splits;
  // Nodes that the compiler does not split because they depend on a collective,
  // and those of which each rank has its own value.
  std::vector<bool> differs, isOwn;
  if (llvm::none_of(order, [](const Node *node) { return mayBeSplit(*node); }))
    return splits;
  for (const Node *node : order) {
    splits.push_back(partsOf(node->split()));
    isOwn.push_back(isOwnByRank(node->split()));
    differs.push_back(isOwn.back());
    if (isArgument(*node))
      continue;
    if (node->op() == OpKind::Shard) {
      splits.back() = annotation<tx::ShardAttributes>(*node);
      continue;
    }
    if (node->op() == OpKind::JoinParts) {
      splits.back() = annotation<tx::JoinPartsAttributes>(*node);
      continue;
    }
    differs.back() = isCollective(node->op());
    isOwn.back() = givesOwnValues(*node);
    bool makesEqual = differs.back() && !isOwn.back();
    const Split *ofOperand = nullptr;
    for (const Node *operand : operandsOf(*node)) {
      differs.back() = differs.back() || differs[operand->ordinal];
      isOwn.back() = isOwn.back() || (!makesEqual && isOwn[operand->ordinal]);
      if (!ofOperand && operand->shape() == node->shape())
        ofOperand = splits[operand->ordinal];
    }
    if (!differs.back() && !node->isAuto() &&
        traits(node->op()).elementwiseOps > 0)
      splits.back() = ofOperand;
  }
  for (const Node *node : order)
    if (isOwn[node->ordinal])
      splits[node->ordinal] = ownByRank(node->shape());
  return splits;
}

/// Appends the arguments of which each rank has its own value, twice, which
/// tells them from slices (alikeSlices). Only their use with values that are
/// split depends on it.
static void describeOwn(llvm::ArrayRef<Node *> order,
                        llvm::ArrayRef<Node *> arguments,
                        std::vector<uint64_t> &key) {
  auto isOwn = [](const Node *node) { return isOwnByRank(node->split()); };
  auto isSplit = [](const Node *node) {
    return partsOf(node->split()) ||
           (!isArgument(*node) &&
            (node->op() == OpKind::Shard || node->op() == OpKind::JoinParts));
  };
  if (llvm::none_of(arguments, isOwn) || llvm::none_of(order, isSplit))
    return;
  for (const Node *argument : arguments)
    if (isOwn(argument))
      key.insert(key.end(), 2, argument->ordinal);
}

const Split *splitOf(Node &node) {
  if (node.isEvaluated() || node.op() == OpKind::Placeholder)
    return node.split();
  if (!tensorc_rt_thread_communicator())
    return nullptr;
  std::scoped_lock lock(graphMutex());
  if (isArgument(node))
    return node.split();
  Trace trace;
  trace.collect(&node);
  std::vector<const Split *> splits = findSplits(trace.order);
  return splits.empty() ? nullptr : splits[node.ordinal];
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

bool Trace::record(llvm::ArrayRef<Node *> roots, Stored stored,
                   unsigned maxNodes, bool keepsParts) {
  collect(roots);
  if (order.size() > maxNodes)
    return false;
  if (stored == Stored::Held)
    findContinued(roots);
  std::vector<const Split *> splits;
  // The check for NaN (TENSORC_CHECK=nan) reads outputs as whole values.
  if (keepsParts && stored != Stored::All)
    splits = findSplits(order);
  for (Node *node : order) {
    node->isOutput = !isArgument(*node) &&
                     (llvm::is_contained(roots, node) || stores(*node, stored));
    if (node->isOutput) {
      outputs.push_back(node);
      if (!splits.empty())
        outputSplits.push_back(splits[node->ordinal]);
    }
    if (stored == Stored::Held)
      findEarly(*node);
    describe(*node);
  }
  for (auto [slice, first] : alikeSlices(order)) {
    key.push_back(slice->ordinal);
    key.push_back(first->ordinal);
  }
  describeOwn(order, arguments, key);
  hash = key.size();
  for (uint64_t word : key) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 32;
  }
  return true;
}

uint64_t wholeWindows(const Node &node) {
  uint64_t result = 0;
  const Node &x = *node.inputs()[0];
  if (node.op() == OpKind::DynamicUpdateSlice) {
    for (auto [d, size] : llvm::enumerate(node.inputs()[1]->shape()))
      result |= uint64_t(size == x.shape()[d]) << d;
    return result;
  }
  auto attributes = node.attributes<tx::ScatterAttributes>();
  const Node &updates = *node.inputs()[2];
  for (size_t d = 0, w = 0; d < x.rank(); ++d)
    if (!llvm::is_contained(attributes.insertedWindowDims, int64_t(d)))
      result |= uint64_t(updates.shape()[attributes.updateWindowDims[w++]] ==
                         x.shape()[d])
                << d;
  return result;
}

} // namespace tensorc::graph
