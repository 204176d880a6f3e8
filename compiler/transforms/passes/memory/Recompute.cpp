//===- Recompute.cpp - Rematerializes values instead of keeping them ------===//
//
// The backward half of a training step reads values of the forward half.
// Element-wise values are recomputed from values that are kept anyway:
//   %0 = tx.dot_general ... ; %1 = tx.tanh %0 ; ... ; use %0, %1
// becomes
//   %0 = tx.dot_general ... ; %1 = tx.tanh %0 ; ... ; %2 = tx.tanh %0
//   use %0, %2
// The kept values are a minimum cut of those that are live at the peak of
// memory use. Recomputed elements have the same bits.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/Group.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/memory/MinimumCut.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Size.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_RECOMPUTEPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {

/// Minimum peak memory, in bytes, for which rematerialization is attempted.
constexpr int64_t minPeakBytes = 1 << 20;
/// The memory saved must be at least the peak divided by this number.
constexpr int64_t maxPeakToSaved = 16;
/// Maximum number of element-wise ops between a kept value and one recomputed
/// from it. An expensive op counts as `costlyOps`.
constexpr unsigned maxOps = 16, costlyOps = 4;
/// The size that is assumed for a dynamic dim.
constexpr int64_t typicalSize = 64;

int64_t bytesOf(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  if (!type)
    return 0;
  int64_t bytes =
      tx::staticBytes(RankedTensorType::get({1}, type.getElementType()))
          .value_or(1);
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(
            bytes, ShapedType::isDynamic(size) ? typicalSize : size, bytes))
      return MinimumCut::never;
  return bytes;
}

/// True for ops whose results have no buffer, or need none because the kernel
/// that reads them computes them.
bool isView(Operation *op) {
  return isa<tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp, tx::SliceOp>(op);
}

bool isMade(Operation *op) { return isa<tx::IotaOp, tx::SizeOp>(op); }

bool isSplat(Operation *op) {
  auto constant = dyn_cast<tx::ConstantOp>(op);
  return constant && isa<SplatElementsAttr>(constant.getValue());
}

bool isRepeatable(Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         (op->hasTrait<tx::Elementwise>() || isView(op) || isMade(op) ||
          isSplat(op));
}

/// Returns the value at the start of a chain of views.
Value shownBy(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!isView(op))
      break;
    v = op->getOperand(0);
  }
  return v;
}

/// True for ops that end a kernel: ops that are neither element-wise nor
/// reductions, which are fused with their elements.
bool endsKernel(Operation *op) {
  return !isRepeatable(op) && !op->hasTrait<tx::Reduction>();
}

class Recomputation {
public:
  explicit Recomputation(Block &block);

  /// Finds the peak of memory use; returns false if it is too small.
  bool findPeak();
  /// Chooses the values that are kept across the peak; returns false if that
  /// saves too little.
  bool choose();
  void rewrite();

private:
  /// Returns the position of the op in the block, or that of its ancestor in
  /// the block.
  unsigned positionOf(Operation *op) const {
    return positions.lookup(block.findAncestorOpInBlock(*op));
  }
  bool isBefore(Value v) const {
    Operation *op = v.getDefiningOp();
    return op && op->getBlock() == &block && positionOf(op) <= peak;
  }
  bool isReadByLaterProduct(Value v) const;
  unsigned nodeOf(Value v);
  Value again(Value v, OpBuilder &b);

  Block &block;
  std::vector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> positions;
  /// Position of the op after which most bytes are live.
  unsigned peak = 0;
  int64_t peakBytes = 0;

  /// Number of ops that recompute a value from the closest kept ones.
  llvm::DenseMap<Value, unsigned> costs;
  llvm::DenseSet<Value> hasCostly;
  MinimumCut cut;
  llvm::DenseMap<Value, unsigned> nodes;
  SmallVector<Value> unvisited;
  IRMapping mapping;
};

Recomputation::Recomputation(Block &block) : block(block) {
  for (Operation &op : block) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
}

bool Recomputation::findPeak() {
  std::vector<unsigned> ends{0}; // number of kernel ends before each op
  for (Operation *op : ops)
    ends.push_back(ends.back() + endsKernel(op));
  std::vector<int64_t> changes(ops.size() + 1);
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (isView(op) || isMade(op) || isa<tx::ConstantOp>(op))
      continue;
    for (Value result : op->getResults()) {
      // Follows views, as they read the same buffer.
      unsigned last = i;
      SmallVector<Value> shown{result};
      while (!shown.empty())
        for (Operation *user : shown.pop_back_val().getUsers()) {
          last = std::max(last, positionOf(user));
          if (isView(user) && user->getBlock() == &block)
            shown.push_back(user->getResult(0));
        }
      // A value that is read only by its own kernel needs no buffer.
      if (!endsKernel(op) && ends[last] == ends[i])
        continue;
      int64_t bytes = bytesOf(result);
      changes[i] += bytes;
      changes[last] -= bytes;
    }
  }
  int64_t alive = 0;
  for (unsigned i = 0; i < ops.size(); ++i) {
    alive += changes[i];
    if (alive > peakBytes && endsKernel(ops[i])) {
      peakBytes = alive;
      peak = i;
    }
  }
  return peakBytes >= minPeakBytes;
}

/// True if an op after the peak that ends a kernel, such as a contraction,
/// reads the value. Contractions read their operands from memory, so a separate
/// kernel would have to recompute them.
bool Recomputation::isReadByLaterProduct(Value v) const {
  SmallVector<Value> shown{v};
  while (!shown.empty())
    for (Operation *user : shown.pop_back_val().getUsers()) {
      if (user->getBlock() == &block && isView(user))
        shown.push_back(user->getResult(0));
      else if (endsKernel(user) && positionOf(user) > peak)
        return true;
    }
  return false;
}

unsigned Recomputation::nodeOf(Value v) {
  auto [it, isNew] = nodes.try_emplace(v, 0);
  if (!isNew)
    return it->second;
  Operation *op = v.getDefiningOp();
  // Keeping arguments costs nothing, because they live as long as the program.
  int64_t cost = isBefore(v) ? bytesOf(v) : 0;
  if (op && isMade(op))
    cost = 0;
  if (op && isView(op) && bytesOf(v) >= bytesOf(op->getOperand(0)))
    cost = MinimumCut::never;
  unsigned node = cut.addNode(cost);
  nodes[v] = node;
  unvisited.push_back(v);
  return node;
}

bool Recomputation::choose() {
  for (unsigned i = 0; i <= peak; ++i) {
    Operation *op = ops[i];
    if (!isRepeatable(op))
      continue;
    unsigned cost = isFree(op) ? 0 : isExpensive(op) ? costlyOps : 1;
    bool costly = cost == costlyOps;
    Value result = op->getResult(0);
    for (Value operand : op->getOperands()) {
      cost += costs.lookup(operand);
      costly |= hasCostly.contains(operand) &&
                bytesOf(operand) * 8 >= bytesOf(result);
    }
    // If the cost exceeds the limit, the value is kept, and later values are
    // recomputed from it.
    costs[result] = cost > maxOps ? 0 : cost;
    if (costly)
      hasCostly.insert(result);
  }
  int64_t now = 0;
  DenseSet<Value> wanted, shown;
  for (unsigned i = peak + 1; i < ops.size(); ++i)
    ops[i]->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        if (!isBefore(operand) || !wanted.insert(operand).second)
          continue;
        cut.addSink(nodeOf(operand));
        Value source = shownBy(operand);
        if (isBefore(source) && !isMade(source.getDefiningOp()) &&
            !isa<tx::ConstantOp>(source.getDefiningOp()) &&
            shown.insert(source).second)
          now += bytesOf(source);
      }
    });
  while (!unvisited.empty()) {
    Value v = unvisited.pop_back_val();
    Operation *op = v.getDefiningOp();
    bool startsHere =
        !isBefore(v) || !isRepeatable(op) || op->getNumOperands() == 0 ||
        (!isView(op) && !isFree(op) && costs.lookup(v) == 0) ||
        (hasCostly.contains(v) && !isView(op) && isReadByLaterProduct(v));
    if (startsHere) {
      cut.addSource(nodes[v]);
      continue;
    }
    for (Value operand : op->getOperands())
      cut.addEdge(nodeOf(operand), nodes[v]);
  }
  int64_t kept = cut.solve();
  return kept < MinimumCut::never && (now - kept) > peakBytes / maxPeakToSaved;
}

/// Copies are inserted before their first use. They read other copies or kept
/// values.
Value Recomputation::again(Value v, OpBuilder &b) {
  if (Value copy = mapping.lookupOrNull(v))
    return copy;
  auto it = nodes.find(v);
  if (it == nodes.end() || !cut.isAfterCut(it->second))
    return v;
  SmallVector<Value> stack{v};
  while (!stack.empty()) {
    Value current = stack.back();
    Operation *op = current.getDefiningOp();
    size_t before = stack.size();
    for (Value operand : op->getOperands())
      if (auto it = nodes.find(operand); it != nodes.end() &&
                                         cut.isAfterCut(it->second) &&
                                         !mapping.contains(operand))
        stack.push_back(operand);
    if (stack.size() > before)
      continue;
    stack.pop_back();
    if (!mapping.contains(current))
      b.clone(*op, mapping)->setAttr(lateAttr, b.getUnitAttr());
  }
  return mapping.lookup(v);
}

void Recomputation::rewrite() {
  for (unsigned i = peak + 1; i < ops.size(); ++i) {
    OpBuilder b(ops[i]);
    ops[i]->setAttr(lateAttr, b.getUnitAttr());
    ops[i]->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        if (isBefore(operand.get()))
          operand.set(again(operand.get(), b));
    });
  }
}

struct Recompute : impl::RecomputePassBase<Recompute> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Recomputation recomputation(getOperation().getBody().front());
    if (recomputation.findPeak() && recomputation.choose())
      recomputation.rewrite();
  }
};

} // namespace

} // namespace tensorc::compiler
