//===- PropagateShardings.cpp - Propagates annotated shardings ------------===//
//
//   %0 = tx.shard %x mesh = [2] dims = [0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
//   %1 = tx.exp %0 : tensor<4x8xf32>
// becomes
//   %0 = tx.shard %x mesh = [2] dims = [0] : ...
//   %1 = tx.exp %0 : tensor<4x8xf32>
//   %2 = tx.shard %1 mesh = [2] dims = [0] {propagated} : ...
//
// The program is visited forwards and backwards until nothing changes. Once a
// mesh axis splits a dim of a value, it is never moved to another dim, so the
// first op that assigns the axis determines the dim. Annotations of the program
// are kept. Values that differ between ranks are not split. Named sizes that are
// split become multiples of their number of parts first (NamedSizes.h).
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/ExpandComposites.h"
#include "compiler/transforms/sharding/NamedSizes.h"
#include "compiler/transforms/sharding/OpLoops.h"
#include "compiler/transforms/sharding/Passes.h"
#include "compiler/transforms/sharding/RankLocal.h"
#include "compiler/transforms/sharding/ResultShardings.h"
#include "compiler/transforms/sharding/TiedValues.h"
#include "ir/library/ShardingText.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_PROPAGATESHARDINGSPASS
#include "compiler/transforms/sharding/Passes.h.inc"

using namespace sharding;
using tx::isWhole;
using tx::shardingAttr;
using tx::shardingOf;

namespace {
class Propagation {
public:
  Propagation(const Mesh &mesh, Block &block)
      : mesh(mesh), block(block), rankLocal(block) {
    addBlock(block);
    for (auto op : block.getOps<tx::JoinPartsOp>())
      shardings[op.getResult()] = shardingOf(op);
    for (auto op : block.getOps<tx::LocalPartOp>())
      split(op.getX(), shardingOf(op));
  }

  void run() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (Block *each : blocks)
        for (Operation &op : each->without_terminator())
          changed |= visit(&op);
      for (Block *each : llvm::reverse(blocks))
        for (Operation &op : llvm::reverse(each->without_terminator()))
          changed |= visit(&op);
    }
  }

  void annotate() {
    SmallVector<Value> values;
    for (Block *each : blocks) {
      llvm::append_range(values, each->getArguments());
      for (Operation &op : each->without_terminator())
        if (!isa<tx::ShardOp, tx::JoinPartsOp>(op))
          llvm::append_range(values, op.getResults());
    }
    for (Value value : values)
      if (Sharding sharding = shardings.lookup(value);
          !sharding.empty() && !isWhole(sharding))
        annotate(value, sharding);
  }

private:
  const Mesh &mesh;
  Block &block;
  RankLocal rankLocal;
  /// The block, and the blocks of sharded loops and branches.
  SmallVector<Block *> blocks;
  DenseMap<Operation *, SmallVector<TiedValues>> tied;
  DenseMap<Value, Sharding> shardings;

  void addBlock(Block &added) {
    blocks.push_back(&added);
    for (Operation &op : added.without_terminator()) {
      if (auto shard = dyn_cast<tx::ShardOp>(op))
        shardings[shard.getResult()] = shardingOf(shard);
      if (op.getNumRegions() == 0 || rankLocal.computes(&op))
        continue;
      SmallVector<TiedValues> values = tiedValuesOf(&op);
      if (values.empty())
        continue;
      tied[&op] = std::move(values);
      for (Region &region : op.getRegions())
        addBlock(region.front());
    }
  }

  Sharding of(Value value) const {
    auto found = shardings.find(value);
    return found == shardings.end() ? mesh.whole() : found->second;
  }

  static bool isAnnotated(Value value) {
    return isa_and_present<tx::ShardOp, tx::JoinPartsOp>(value.getDefiningOp());
  }

  bool visit(Operation *op) {
    if (rankLocal.computes(op))
      return false;
    if (auto found = tied.find(op); found != tied.end()) {
      bool changed = false;
      for (const TiedValues &values : found->second)
        changed |= splitAlike(values);
      return changed;
    }
    ShardingRule rule = shardingRuleOf(op);
    if (rule.loops.empty())
      return false;
    auto all = [&](auto values) {
      return llvm::map_to_vector(values, [&](Value v) { return of(v); });
    };
    OpLoops loops = OpLoops::choose(mesh, op, rule, all(op->getOperands()),
                                    all(ValueRange(op->getResults())));
    bool changed = false;
    for (auto [value, dims] : llvm::zip(op->getOperands(), rule.operands))
      changed |= split(value, loops.shardingOf(dims));
    for (auto [value, dims] : llvm::zip(op->getResults(), rule.results))
      changed |= split(value, loops.shardingOf(dims));
    return changed;
  }

  bool splitAlike(const TiedValues &values) {
    Sharding common = mesh.whole();
    auto add = [&](Value value, int64_t shift) {
      for (auto [all, dim] :
           llvm::zip_equal(common, unstacked(of(value), shift)))
        all = all < 0 ? dim : all;
    };
    for (auto [value, shift] : values.defined)
      add(value, shift);
    for (auto [use, shift] : values.operands)
      add(use->get(), shift);
    bool changed = false;
    for (auto [value, shift] : values.defined)
      changed |= split(value, stacked(common, shift));
    for (auto [use, shift] : values.operands)
      changed |= split(use->get(), stacked(common, shift));
    return changed;
  }

  /// Adds axes to a value's sharding that it does not have yet.
  bool split(Value value, const Sharding &wanted) {
    if (isAnnotated(value) || rankLocal.contains(value))
      return false;
    Sharding sharding = of(value);
    bool changed = false;
    for (size_t axis = 0; axis < wanted.size(); ++axis) {
      int64_t dim = wanted[axis];
      if (dim < 0 || sharding[axis] >= 0)
        continue;
      auto type = cast<RankedTensorType>(value.getType());
      int64_t parts = mesh.size(mesh.axesOf(sharding, dim)) * mesh.sizes[axis];
      if (knownDivisor(tx::dimsOf(type)[dim]) % parts)
        continue;
      sharding[axis] = dim;
      changed = true;
    }
    if (changed)
      shardings[value] = sharding;
    return changed;
  }

  void annotate(Value value, const Sharding &sharding) {
    if (value.hasOneUse())
      if (auto user = dyn_cast<tx::ShardOp>(*value.user_begin());
          user && shardingOf(user) == sharding)
        return;
    OpBuilder b(block.getParentOp()->getContext());
    b.setInsertionPointAfterValue(value);
    auto shard = tx::ShardOp::create(b, value.getLoc(), value.getType(), value,
                                     mesh.sizes, sharding);
    shard->setAttr(propagatedAttr, b.getUnitAttr());
    value.replaceAllUsesExcept(shard.getResult(), shard);
  }
};
} // namespace

/// Removes annotations over a mesh of one rank, which have no effect.
static void removeTrivial(func::FuncOp function) {
  auto remove = [](auto op) {
    if (llvm::any_of(op.getMesh(), [](int64_t size) { return size != 1; }))
      return;
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  };
  function.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<tx::ShardOp, tx::LocalPartOp, tx::JoinPartsOp>(remove);
  });
}

/// Propagates the annotations, and returns the mesh if there are any.
static FailureOr<std::optional<Mesh>> propagate(func::FuncOp function) {
  removeTrivial(function);
  FailureOr<std::optional<Mesh>> mesh = meshOf(function);
  if (failed(mesh) || !*mesh)
    return mesh;
  if (failed(divideNamedSizes(function, **mesh)))
    return failure();
  expandComposites(function,
                   [](Operation *op) { return !hasShardingRule(op); });
  Propagation propagation(**mesh, function.getBody().front());
  propagation.run();
  propagation.annotate();
  return mesh;
}

/// Returns the sharding that an annotation gives the value.
static Sharding annotatedSharding(const Mesh &mesh, Value value) {
  if (!value.getDefiningOp())
    return mesh.whole();
  return llvm::TypeSwitch<Operation *, Sharding>(value.getDefiningOp())
      .Case<tx::ShardOp, tx::JoinPartsOp>(
          [](auto op) { return shardingOf(op); })
      .Default(mesh.whole());
}

LogicalResult chooseResultShardings(func::FuncOp function) {
  SmallVector<unsigned> open;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (auto text = function.getResultAttrOfType<StringAttr>(i, shardingAttr);
        text && text.empty())
      open.push_back(i);
  if (open.empty() || function.isExternal())
    return success();
  OwningOpRef<ModuleOp> copy = function->getParentOfType<ModuleOp>().clone();
  auto propagated = copy->lookupSymbol<func::FuncOp>(function.getName());
  FailureOr<std::optional<Mesh>> mesh = propagate(propagated);
  if (failed(mesh))
    return failure();
  Operation *end = function.getBody().front().getTerminator();
  ValueRange values =
      propagated.getBody().front().getTerminator()->getOperands();
  OpBuilder b(end);
  for (unsigned i : open) {
    std::string text = "{replicated}";
    if (*mesh) {
      Sharding sharding = annotatedSharding(**mesh, values[i]);
      Value whole = end->getOperand(i);
      auto type = dyn_cast<RankedTensorType>(whole.getType());
      if (!type)
        return function.emitError("result ")
               << i << " has a sharding, but is no tensor";
      text = tx::shardingText(**mesh, sharding, type.getRank());
      if (!isWhole(sharding))
        end->setOperand(
            i, tx::LocalPartOp::create(b, end->getLoc(),
                                       (*mesh)->localType(type, sharding),
                                       whole, (*mesh)->sizes, sharding));
    }
    function.setResultAttr(i, shardingAttr, b.getStringAttr(text));
  }
  function.setType(
      b.getFunctionType(function.getArgumentTypes(), end->getOperandTypes()));
  return success();
}

namespace {
struct PropagateShardings
    : impl::PropagateShardingsPassBase<PropagateShardings> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.isExternal() && failed(propagate(function)))
      signalPassFailure();
  }
};
} // namespace

} // namespace tensorc::compiler
