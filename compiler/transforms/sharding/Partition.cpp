//===- Partition.cpp - Creates the program that each rank runs ------------===//
//
//   %0 = tx.shard %x mesh = [2] dims = [0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
//   %1 = tx.sum %0 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
// becomes
//   %rank = tx.partition_id ranks = 2 : () -> tensor<i64>
//   ...
//   %0 = tx.dynamic_slice %x[%start, %zero] slice_sizes = [2, -1] : ... -> tensor<2x8xf32>
//   %1 = tx.sum %0 dims = [0] : tensor<2x8xf32> -> tensor<8xf32>
//   %2 = tx.all_reduce %1 sum ranks = 2 {inserted = "...", ...} : ...
//
// All ranks run this program; only tx.partition_id differs.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/sharding/NamedSizes.h"
#include "compiler/transforms/sharding/OpLoops.h"
#include "compiler/transforms/sharding/Passes.h"
#include "compiler/transforms/sharding/RankLocal.h"
#include "compiler/transforms/sharding/Reshard.h"
#include "compiler/transforms/sharding/TiedValues.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_PARTITIONPASS
#include "compiler/transforms/sharding/Passes.h.inc"

using namespace sharding;
using tx::isWhole;
using tx::shardingOf;

namespace {
/// The part of a value that a rank has.
struct Part {
  Sharding sharding;
  Value value;
};

class Partitioner {
public:
  Partitioner(const Mesh &mesh, func::FuncOp function)
      : mesh(mesh), block(function.getBody().front()), rankLocal(block),
        resharder(mesh) {
    for (Value argument : block.getArguments())
      parts[argument].push_back({mesh.whole(), argument});
  }

  void run() {
    partition(block, [&](OpOperand &result) {
      result.set(take(result.getOwner(), result.get(), mesh.whole(), [&] {
        return Reason{"result " + std::to_string(result.getOperandNumber()) +
                          " is whole on each rank",
                      "none: reduce it, or return less"};
      }));
    });
    if (wholeOps) {
      Operation *function = block.getParentOp();
      function->setAttr(wholeOpsAttr,
                        Builder(function).getI64IntegerAttr(wholeOps));
    }
  }

private:
  const Mesh &mesh;
  Block &block;
  RankLocal rankLocal;
  Resharder resharder;
  /// The parts that a rank has of each value. The first one has the annotated
  /// sharding.
  DenseMap<Value, SmallVector<Part, 1>> parts;
  // Ops with split operands that each rank computes completely.
  int64_t wholeOps = 0;
  /// The whole types of block arguments, whose types become those of parts.
  DenseMap<Value, RankedTensorType> typesOfArguments;

  const Sharding &shardingOfValue(Value value) {
    return parts[value].front().sharding;
  }

  std::string text(const Sharding &sharding, Value value) const {
    return mesh.text(sharding,
                     cast<RankedTensorType>(value.getType()).getRank());
  }

  /// Returns a rank's part of a value in the form that a user needs.
  Value take(Operation *user, Value value, const Sharding &sharding,
             function_ref<Reason()> reason) {
    SmallVector<Part, 1> &available = parts[value];
    Part *source = &available.front();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (auto known = typesOfArguments.find(value);
        known != typesOfArguments.end())
      type = known->second;
    for (Part &part : available) {
      if (part.sharding == sharding)
        return part.value;
      if (type && resharder.isFiner(sharding, part.sharding, type.getRank()))
        source = &part;
    }
    OpBuilder b(user);
    Value made = resharder.reshard(b, source->value, type, source->sharding,
                                   sharding, reason());
    available.push_back({sharding, made});
    return made;
  }

  /// Replaces the ops of a block. `end` replaces an operand of the terminator.
  void partition(Block &all, function_ref<void(OpOperand &)> end) {
    SmallVector<Operation *> ops;
    for (Operation &op : all.without_terminator())
      ops.push_back(&op);
    for (Operation *op : ops)
      partition(op);
    for (OpOperand &operand : all.getTerminator()->getOpOperands())
      end(operand);
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

  void partition(Operation *op) {
    if (auto shard = dyn_cast<tx::ShardOp>(op))
      return partitionShard(shard);
    if (auto join = dyn_cast<tx::JoinPartsOp>(op)) {
      Value part = takeOperand(op, 0, mesh.whole());
      parts[join.getResult()].push_back({shardingOf(join), part});
      return;
    }
    if (auto local = dyn_cast<tx::LocalPartOp>(op)) {
      Value part = takeOperand(op, 0, shardingOf(local));
      parts[local.getResult()].push_back({mesh.whole(), part});
      return;
    }
    SmallVector<TiedValues> tied;
    if (op->getNumRegions() && !rankLocal.computes(op))
      tied = tiedValuesOf(op);
    if (tied.empty())
      partitionOp(op);
    else
      partitionBlocks(op, tied);
  }

  /// Partitions a loop or a branch. All ranks run the same number of iterations
  /// and the same branches, because the values that decide this are not
  /// sharded.
  void partitionBlocks(Operation *op, ArrayRef<TiedValues> tied) {
    DenseMap<OpOperand *, Sharding> ofOperand;
    DenseMap<Value, Sharding> ofDefined;
    for (const TiedValues &values : tied) {
      const TiedValues::Defined &first = values.defined.front();
      Sharding common = unstacked(wantedSharding(first.value), first.shift);
      // The ops of a body take whole arguments unless there is a tx.shard
      // between them.
      if (!llvm::all_of(values.defined, [&](const TiedValues::Defined &of) {
            return !isa<BlockArgument>(of.value) || of.value.use_empty() ||
                   wantedSharding(of.value) == stacked(common, of.shift);
          }))
        common = mesh.whole();
      for (auto [use, shift] : values.operands)
        ofOperand[use] = stacked(common, shift);
      for (auto [value, shift] : values.defined)
        ofDefined[value] = stacked(common, shift);
    }
    auto takeUse = [&](OpOperand &use) {
      auto wanted = ofOperand.find(&use);
      return takeOperand(use.getOwner(), use.getOperandNumber(),
                         wanted == ofOperand.end() ? mesh.whole()
                                                   : wanted->second);
    };
    SmallVector<Value> inputs;
    for (OpOperand &use : op->getOpOperands())
      inputs.push_back(takeUse(use));
    IRMapping none;
    Operation *local =
        op->clone(none, Operation::CloneOptions().cloneRegions(false));
    OpBuilder(op).insert(local);
    local->setOperands(inputs);
    auto define = [&](Value whole, Value part) {
      auto known = ofDefined.find(whole);
      Sharding sharding =
          known == ofDefined.end() ? mesh.whole() : known->second;
      parts[whole].push_back({sharding, part});
      if (isWhole(sharding))
        return;
      auto type = cast<RankedTensorType>(part.getType());
      if (whole == part)
        typesOfArguments[whole] = type;
      part.setType(mesh.localType(type, sharding));
    };
    for (auto [result, part] :
         llvm::zip_equal(op->getResults(), local->getResults()))
      define(result, part);
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), local->getRegions())) {
      to.takeBody(from);
      for (Value argument : to.getArguments())
        define(argument, argument);
      partition(to.front(), [&](OpOperand &use) { use.set(takeUse(use)); });
    }
  }

  void partitionShard(tx::ShardOp op) {
    Sharding sharding = shardingOf(op);
    Value x = op.getX();
    Value part = take(op, x, sharding, [&] {
      bool isOfProgram = !op->hasAttr(propagatedAttr);
      return Reason{
          "a value is split as " + text(shardingOfValue(x), x) + ", and " +
              (isOfProgram ? "annotated" : "used") + " as " + text(sharding, x),
          isOfProgram ? "annotate it as " + text(shardingOfValue(x), x)
                      : "annotate what it is made of as " + text(sharding, x)};
    });
    SmallVector<Part, 1> all = {{sharding, part}};
    for (const Part &other : parts[x])
      if (other.sharding != sharding)
        all.push_back(other);
    parts[op.getResult()] = all;
  }

  void partitionOp(Operation *op) {
    ShardingRule rule = shardingRuleOf(op);
    SmallVector<Sharding> operands, results;
    for (Value operand : op->getOperands())
      operands.push_back(shardingOfValue(operand));
    for (Value result : op->getResults())
      results.push_back(wantedSharding(result));
    bool isLocal = rankLocal.computes(op);
    OpLoops loops = isLocal
                        ? OpLoops::whole(mesh)
                        : OpLoops::choose(mesh, op, rule, operands, results);
    wholeOps += !isLocal && loops.isWhole() &&
                !llvm::all_of(operands, [](auto &of) { return isWhole(of); });
    SmallVector<Value> inputs;
    for (auto [i, dims] : llvm::enumerate(rule.operands))
      inputs.push_back(takeOperand(op, i, loops.shardingOf(dims)));
    OpBuilder b(op);
    Operation *local = b.clone(*op);
    local->setOperands(inputs);
    local->walk([](tx::ShardOp nested) {
      nested.getResult().replaceAllUsesWith(nested.getX());
      nested.erase();
    });
    if (!loops.isWhole()) {
      for (auto [result, dims] : llvm::zip(local->getResults(), rule.results))
        if (auto type = dyn_cast<RankedTensorType>(result.getType()))
          result.setType(mesh.localType(type, loops.shardingOf(dims)));
      setLocalSizes(local);
    }
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      parts[result].push_back(
          combine(op, rule, loops,
                  {loops.shardingOf(rule.results[i]), local->getResult(i)},
                  results[i]));
  }

  Value takeOperand(Operation *op, unsigned i, const Sharding &sharding) {
    Value operand = op->getOperand(i);
    return take(op, operand, sharding, [&] {
      std::string name = op->getName().getStringRef().str();
      return Reason{"operand " + std::to_string(i) + " of " + name +
                        " is split as " +
                        text(shardingOfValue(operand), operand) +
                        ", and needed as " + text(sharding, operand),
                    "annotate it as " + text(sharding, operand)};
    });
  }

  /// Returns the sharding with which an op's result is annotated.
  Sharding wantedSharding(Value result) const {
    if (result.hasOneUse())
      if (auto shard = dyn_cast<tx::ShardOp>(*result.user_begin()))
        return shardingOf(shard);
    return mesh.whole();
  }

  /// Combines a result over the axes that split a loop which the result does
  /// not have.
  Part combine(Operation *op, const ShardingRule &rule, const OpLoops &loops,
               Part part, const Sharding &wanted) {
    SmallVector<int64_t> axes;
    std::optional<tx::Combiner> combiner;
    for (size_t axis = 0; axis < mesh.sizes.size(); ++axis)
      if (loops[axis] >= 0 && rule.loops[loops[axis]].combiner) {
        combiner = rule.loops[loops[axis]].combiner;
        axes.push_back(axis);
      }
    if (axes.empty())
      return part;
    std::string name = op->getName().getStringRef().str();
    Reason reason = {name + " reduces a dimension that " + mesh.text(axes) +
                         " splits",
                     "leave that dimension of its operands whole"};
    OpBuilder b(op);
    if (axes.size() == 1 && wanted[axes[0]] >= 0) {
      Sharding scattered = part.sharding;
      int64_t axis = axes[0], dim = wanted[axis];
      scattered[axis] = dim;
      auto type = cast<RankedTensorType>(part.value.getType());
      if (mesh.axesOf(scattered, dim).back() == axis &&
          knownDivisor(tx::dimsOf(type)[dim]) % mesh.sizes[axis] == 0)
        return {scattered, resharder.reduceScatter(b, part.value, axis, dim,
                                                   *combiner, reason)};
    }
    return {part.sharding,
            resharder.reduce(b, part.value, axes, *combiner, reason)};
  }
};

struct Partition : impl::PartitionPassBase<Partition> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    FailureOr<std::optional<Mesh>> mesh = meshOf(function);
    if (failed(mesh))
      return signalPassFailure();
    if (*mesh)
      Partitioner(**mesh, function).run();
  }
};
} // namespace

} // namespace tensorc::compiler
