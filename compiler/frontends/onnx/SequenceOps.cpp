//===- SequenceOps.cpp - ONNX's lists of tensors --------------------------===//
//
// tensorc has no sequences. In exported models their lengths are the same in
// each run, so the importer represents them as lists, and the program does not
// contain them.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::onnx {

/// Maximum number of parts into which SplitToSequence splits a tensor. A model
/// with more of them is most likely wrong.
static constexpr int64_t maxParts = 1 << 12;

/// Returns a position in a sequence of `size` tensors. A negative position
/// counts from the end. If `allowsEnd` is set, the position after the last
/// tensor is valid, too.
static size_t positionOf(NodeImport &n, size_t input, size_t size,
                         bool allowsEnd = false) {
  auto given = n.numbers(n.in(input), "the position");
  if (n.isRefused())
    return 0;
  auto count = static_cast<int64_t>(size);
  if (given.size() != 1 || given[0] < -count || given[0] >= count + allowsEnd)
    return n.refuse("the position is outside of the sequence"), 0;
  return static_cast<size_t>(given[0] < 0 ? given[0] + count : given[0]);
}

static void construct(NodeImport &n) { n.sequence = n.all(); }
static void empty(NodeImport &n) { n.sequence = SmallVector<Value>(); }

static void at(NodeImport &n) {
  SmallVector<Value> values = n.sequenceIn(0);
  size_t position = positionOf(n, 1, values.size());
  if (!n.isRefused())
    n.set(values[position]);
}

static void insert(NodeImport &n) {
  SmallVector<Value> values = n.sequenceIn(0);
  Value value = n.in(1);
  size_t position =
      n.has(2) ? positionOf(n, 2, values.size(), true) : values.size();
  if (n.isRefused())
    return;
  values.insert(values.begin() + static_cast<ptrdiff_t>(position), value);
  n.sequence = values;
}

static void erase(NodeImport &n) {
  SmallVector<Value> values = n.sequenceIn(0);
  size_t position = n.has(1)         ? positionOf(n, 1, values.size())
                    : values.empty() ? 0
                                     : values.size() - 1;
  if (!n.isRefused() && values.empty())
    n.refuse("the sequence is empty");
  if (n.isRefused())
    return;
  values.erase(values.begin() + static_cast<ptrdiff_t>(position));
  n.sequence = values;
}

static void length(NodeImport &n) {
  auto count = static_cast<int64_t>(n.sequenceIn(0).size());
  if (!n.isRefused())
    n.set(n.scalar(count, DType::I64));
}

static void splitToSequence(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  int64_t axis = n.axis(n.integer("axis", 0), rankOf(x));
  if (n.isRefused())
    return;
  bool keeps = n.has(1) || n.integer("keepdims", 1) != 0;
  std::vector<int64_t> sizes;
  if (n.has(1))
    sizes = n.numbers(n.in(1), "the sizes of the parts");
  bool isOneSize = !n.has(1) || (!n.isRefused() && rankOf(n.in(1)) == 0);
  if (isOneSize && !n.isRefused()) {
    int64_t whole = n.numberOf(dimsOf(x)[axis], "a dim that is split"),
            each = n.has(1) ? sizes[0] : 1;
    sizes.clear();
    if (each < 1 || whole / each > maxParts)
      return void(n.refuse("the parts are too small or too many"));
    for (int64_t begin = 0; begin < whole && !n.isRefused(); begin += each)
      sizes.push_back(std::min(each, whole - begin));
  }
  SmallVector<Value> parts;
  int64_t begin = 0;
  for (int64_t size : sizes) {
    Value part = n.part(x, axis, begin, size);
    parts.push_back(keeps ? part : n.squeeze(part, {axis}));
    begin += size;
  }
  if (!n.isRefused() && dimsOf(x)[axis] != begin)
    return void(n.refuse("the parts are not as long as the dim"));
  n.sequence = parts;
}

static void concatenate(NodeImport &n) {
  SmallVector<Value> values = n.sequenceIn(0);
  int64_t axis = n.integer("axis", 0);
  bool isNew = n.integer("new_axis", 0) != 0;
  if (!n.isRefused() && values.empty())
    n.refuse("the sequence is empty");
  if (n.isRefused())
    return;
  axis = n.axis(axis, rankOf(values[0]) + isNew);
  if (isNew)
    for (Value &value : values)
      value = n.unsqueeze(value, {axis});
  n.set(n.concatenate(values, axis));
}

ArrayRef<OpVersion> sequenceOps() {
  static constexpr OpVersion ops[] = {
      {"ConcatFromSequence", 11, concatenate},
      {"SequenceAt", 11, at},
      {"SequenceConstruct", 11, construct},
      {"SequenceEmpty", 11, empty},
      {"SequenceErase", 11, erase},
      {"SequenceInsert", 11, insert},
      {"SequenceLength", 11, length},
      {"SplitToSequence", 11, splitToSequence},
  };
  return ops;
}

} // namespace tensorc::onnx
