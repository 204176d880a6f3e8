//===- FuseOps.cpp - Groups ops into fusions ------------------------------===//
//
//   %0 = tx.mul %x, %y ; %1 = tx.exp %0 ; return %1
// becomes
//   %0 = tx.fusion "loop" "mul_exp" (%x, %y) { tx.mul; tx.exp; tx.yield }
//
// Composites that a kind has claimed arrive whole and are expanded first: the
// ops of their expansions determine what joins a kernel, and at which indices.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/Planner.h"
#include "compiler/transforms/passes/ExpandComposites.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/library/Library.h"
#include "ir/tx/Control.h"

#include <unordered_map>

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_FUSEOPSPASS
#include "compiler/transforms/passes/Passes.h.inc"

/// Minimum number of operands of a concatenation for sharing its result with a
/// longer one that begins with the same operands. This limits the number of
/// branches per kernel.
static constexpr size_t minPartsToShare = 8;

/// In a DenseNet block each layer concatenates the results of all previous
/// layers. If all were fused, n layers would have n²/2 branches. Therefore one
/// of every few layers stores its concatenation, and the following layers read
/// the stored value.
static void shareConcatenates(Block &block) {
  // Concatenations by dim and operands. Rolling hashes of all prefixes make the
  // search linear in the length of the program.
  std::unordered_map<uint64_t, std::pair<tx::ConcatenateOp, SmallVector<Value>>>
      known;
  for (auto op : block.getOps<tx::ConcatenateOp>()) {
    SmallVector<Value> parts(op.getInputs());
    SmallVector<uint64_t> hashes;
    uint64_t hash = op.getDim();
    for (Value part : parts)
      hashes.push_back(hash =
                           llvm::hash_combine(hash, part.getAsOpaquePointer()));
    size_t rest = parts.size();
    for (size_t count = parts.size(); count-- > minPartsToShare;) {
      auto it = known.find(hashes[count - 1]);
      if (it == known.end())
        continue;
      auto &[begin, itsParts] = it->second;
      if (begin.getDim() != op.getDim() || isLate(begin) != isLate(op) ||
          ArrayRef(itsParts) != ArrayRef(parts).take_front(count))
        continue;
      SmallVector<Value> shared{begin.getResult()};
      shared.append(std::next(parts.begin(), count), parts.end());
      op.getInputsMutable().assign(shared);
      rest = shared.size();
      break;
    }
    if (rest >= minPartsToShare)
      known.try_emplace(hash, op, std::move(parts));
  }
}

/// Splits a concatenation of more than maxBranches operands into several, whose
/// results are then concatenated.
static void splitConcatenates(func::FuncOp function) {
  function.walk([](tx::ConcatenateOp op) {
    OpBuilder b(op);
    SmallVector<Value> parts(op.getInputs());
    auto join = [&](ArrayRef<Value> some) -> Value {
      auto first = cast<RankedTensorType>(some.front().getType());
      SmallVector<shape::Dim> dims(tx::dimsOf(first)), along;
      for (Value part : some)
        along.push_back(
            tx::dimsOf(cast<RankedTensorType>(part.getType()))[op.getDim()]);
      dims[op.getDim()] = shape::sum(along);
      return tx::ConcatenateOp::create(
          b, op.getLoc(), tx::tensorType(dims, first.getElementType()), some,
          op.getDim());
    };
    while (parts.size() > maxBranches) {
      size_t count = llvm::divideCeil(parts.size(), maxBranches);
      SmallVector<Value> joined;
      for (size_t i = 0, begin = 0; i < count; ++i) {
        size_t end = parts.size() * (i + 1) / count;
        joined.push_back(join(ArrayRef(parts).slice(begin, end - begin)));
        begin = end;
      }
      parts = std::move(joined);
    }
    op.getInputsMutable().assign(parts);
  });
}

/// Expands the composites that were kept whole, and numbers their ops.
static Claims openComposites(func::FuncOp function) {
  Claims claims;
  unsigned count = 0;
  auto open = [&](OpBuilder &b, Operation *composite) {
    Block *block = composite->getBlock();
    Operation *before = composite->getPrevNode();
    Value result = cast<tx::CompositeOpInterface>(composite).expand(b);
    auto from = before ? std::next(Block::iterator(before)) : block->begin();
    ++count;
    for (Operation &op : llvm::make_range(from, Block::iterator(composite)))
      claims[&op] = count;
    return result;
  };
  expandComposites(function, [](Operation *) { return true; }, open);
  return claims;
}

namespace {
struct FuseOps : impl::FuseOpsPassBase<FuseOps> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    if (failed(verifyTensorProgram(getOperation())))
      return signalPassFailure();
    std::optional<codegen::TargetInfo> known = targetOf(getOperation());
    const codegen::TargetInfo *target = known ? &*known : nullptr;
    Claims claims = openComposites(getOperation());
    // Visits branches and loops before the blocks that contain them.
    SmallVector<Block *> blocks;
    getOperation().walk([&](Operation *op) {
      if (tx::isBranch(op) || isa<tx::WhileOp, tx::ScanOp>(op))
        for (Region &body : op->getRegions())
          blocks.push_back(&body.front());
    });
    blocks.push_back(&getOperation().getBody().front());
    for (Block *block : blocks)
      shareConcatenates(*block);
    splitConcatenates(getOperation());
    KernelNames taken;
    for (Block *block : blocks) {
      Planner planner(*block, target, claims, taken);
      planner.plan();
      planner.rewrite();
    }
    getOperation().walk([](Operation *op) { op->removeAttr(lateAttr); });
  }
};
} // namespace

} // namespace tensorc::compiler
