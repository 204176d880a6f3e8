//===- Rewrite.cpp - Rewrites planned groups as tx.fusion ops -------------===//

#include "compiler/transforms/fusion/Planner.h"
#include "ir/tx/Control.h"
#include "ir/tx/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tensorc::compiler {

static bool isInlined(Value v) {
  auto constant = v.getDefiningOp<tx::ConstantOp>();
  return constant && isa<SplatElementsAttr>(constant.getValue());
}

SmallVector<Value> Planner::inputsOf(const Group &group) const {
  llvm::SetVector<Value> inputs;
  // Ops joined in reverse program order.
  for (Operation *op : llvm::reverse(group.ops))
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      bool inside = producer && group.contains(producer);
      if (!inside && !isInlined(operand))
        inputs.insert(operand);
    }
  return SmallVector<Value>(inputs.takeVector());
}

static SmallVector<Operation *> inOrder(const Group &group) {
  SmallVector<Operation *> ops(group.ops.begin(), group.ops.end());
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

/// Returns the kernel's name: the name of its composite, or the names of its
/// computing ops.
std::string Planner::nameOf(const Group &group) const {
  if (StringRef name = group.kind->kernelName(); !name.empty())
    return name.str();
  SmallVector<StringRef> parts;
  llvm::SetVector<StringRef> composites;
  bool allFrom = true;
  for (Operation *op : inOrder(group)) {
    auto from = op->getAttrOfType<StringAttr>(tx::fromAttr);
    if (from)
      composites.insert(from.getValue());
    if (isFree(op))
      continue;
    allFrom &= !!from;
    StringRef part = op->getName().stripDialect();
    if (parts.empty() || parts.back() != part)
      parts.push_back(part);
  }
  if (allFrom && composites.size() == 1)
    return composites[0].str();
  if (parts.empty() && !group.ops.empty())
    parts.push_back(group.ops.front()->getName().stripDialect());
  if (parts.empty())
    return "copy";
  static constexpr size_t maxParts = 4;
  size_t more = parts.size() > maxParts ? parts.size() - maxParts : 0;
  std::string name = llvm::join(ArrayRef(parts).take_back(maxParts), "_");
  return more ? name + "_" + std::to_string(more) + "more" : name;
}

/// Appends a number to make the name unique. Continues from the last number, as
/// an unrolled loop has hundreds of kernels of one name.
static std::string unique(std::string name, KernelNames &taken) {
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  auto [known, isNew] = taken.try_emplace(name, 0);
  if (isNew)
    return name;
  unsigned &last = known->second; // the reference stays valid
  while (true) {
    std::string candidate = name + "_" + std::to_string(++last);
    if (taken.try_emplace(candidate, 0).second)
      return candidate;
  }
}

void Planner::build(OpBuilder &b, Group &group,
                    DenseMap<Value, Value> &replacement) {
  SmallVector<Value> inputs = inputsOf(group), outer;
  for (Value v : inputs)
    outer.push_back(replacement.lookup(v) ? replacement[v] : v);
  SmallVector<Type> results;
  SmallVector<Location> locations;
  for (Value root : group.roots) {
    results.push_back(root.getType());
    locations.push_back(root.getLoc());
  }
  Location loc = b.getFusedLoc(locations);
  SmallVector<Attribute> notes(group.notes.begin(), group.notes.end());
  auto fusion = tx::FusionOp::create(
      b, loc, results, group.kind->name(), unique(nameOf(group), taken), outer,
      notes.empty() ? ArrayAttr() : b.getArrayAttr(notes), tx::OrderAttr(),
      tx::ScheduleAttr());
  Block &body = fusion.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value v : inputs)
    mapping.map(v, body.addArgument(v.getType(), v.getLoc()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&body);
  for (Operation *op : inOrder(group)) {
    for (Value operand : op->getOperands())
      if (isInlined(operand) && !mapping.contains(operand))
        mapping.map(operand, b.clone(*operand.getDefiningOp())->getResult(0));
    b.clone(*op, mapping)->removeAttr(tx::fromAttr);
  }
  SmallVector<Value> yielded;
  for (Value root : group.roots)
    yielded.push_back(mapping.lookup(root));
  tx::YieldOp::create(b, loc, yielded);
  for (auto [root, result] : llvm::zip(group.roots, fusion.getResults()))
    replacement[root] = result;
}

namespace {
/// Sorts groups, and the ops outside of groups, topologically. Among several
/// that a kernel reads, the one that is earlier in the program comes first.
class Order {
public:
  Order(function_ref<SmallVector<Value>(void *)> readsOf,
        DenseMap<Value, void *> &producer,
        const DenseMap<void *, unsigned> &positions)
      : readsOf(readsOf), producer(producer), positions(positions) {}

  std::vector<void *> units;

  void visit(void *unit) {
    // The traversal is iterative, because chains of kernels may be long.
    SmallVector<std::pair<void *, bool>> stack{{unit, false}};
    while (!stack.empty()) {
      auto [current, ready] = stack.pop_back_val();
      if (ready) {
        units.push_back(current);
        continue;
      }
      if (!seen.insert(current).second)
        continue;
      stack.push_back({current, true});
      size_t before = stack.size();
      for (Value v : readsOf(current))
        if (void *from = producer.lookup(v))
          if (!seen.contains(from))
            stack.push_back({from, false});
      llvm::sort(llvm::drop_begin(stack, before), [&](auto &a, auto &b) {
        return positions.lookup(a.first) > positions.lookup(b.first);
      });
    }
  }

private:
  function_ref<SmallVector<Value>(void *)> readsOf;
  DenseMap<Value, void *> &producer;
  const DenseMap<void *, unsigned> &positions;
  DenseSet<void *> seen;
};
} // namespace

/// Copies by-value scalars that the op reads into tensors, because by-value
/// scalars have no buffer to return or to pass on.
static void storeScalars(Operation *reader) {
  for (OpOperand &operand : reader->getOpOperands()) {
    Value argument = operand.get();
    if (argument.getType().isIndex() || !tx::isByValue(argument))
      continue;
    OpBuilder b = OpBuilder::atBlockBegin(reader->getBlock());
    auto copy = tx::FusionOp::create(
        b, reader->getLoc(), argument.getType(), loopKind().name(), "copy",
        argument, ArrayAttr(), tx::OrderAttr(), tx::ScheduleAttr());
    Block &body = copy.getBody().emplaceBlock();
    Value inner = body.addArgument(argument.getType(), reader->getLoc());
    b.setInsertionPointToStart(&body);
    tx::YieldOp::create(b, reader->getLoc(), inner);
    operand.set(copy.getResult(0));
  }
}

void Planner::rewrite() {
  Operation *terminator = block.getTerminator();
  for (Operation &op : llvm::make_early_inc_range(block))
    if (isa<tx::CustomCallOp, tx::KernelCallOp, tx::WhileOp, tx::ScanOp>(op) ||
        &op == terminator || (isa<tx::ReshapeOp>(op) && staysOutside(&op)))
      storeScalars(&op);
  DenseMap<Value, void *> producer;
  DenseSet<void *> isGroup;
  // A group has the position of its last op.
  DenseMap<void *, unsigned> positions;
  for (Group &group : groups) {
    isGroup.insert(&group);
    for (Value root : group.roots)
      producer[root] = &group;
  }
  std::vector<Operation *> outside, inside;
  for (auto [i, op] : llvm::enumerate(block.without_terminator())) {
    positions[&op] = i;
    for (Group *group : groupsOf.lookup(&op))
      positions[group] = i;
  }
  for (Operation &op : block.without_terminator()) {
    if (isa<tx::FusionOp>(op))
      continue;
    bool keep = staysOutside(&op);
    (keep ? outside : inside).push_back(&op);
    for (Value result : op.getResults())
      if (keep)
        producer[result] = &op;
  }
  auto readsOf = [&](void *unit) {
    if (isGroup.contains(unit))
      return inputsOf(*static_cast<Group *>(unit));
    return SmallVector<Value>(static_cast<Operation *>(unit)->getOperands());
  };
  Order order(readsOf, producer, positions);
  for (Operation *op : outside)
    order.visit(op);
  for (Group &group : groups)
    order.visit(&group);

  OpBuilder b(terminator);
  DenseMap<Value, Value> replacement;
  for (void *unit : order.units) {
    if (isGroup.contains(unit)) {
      build(b, *static_cast<Group *>(unit), replacement);
      continue;
    }
    auto *op = static_cast<Operation *>(unit);
    IRMapping mapping;
    for (auto [from, to] : replacement)
      mapping.map(from, to);
    Operation *clone = b.clone(*op, mapping);
    for (auto [from, to] : llvm::zip(op->getResults(), clone->getResults()))
      replacement[from] = to;
  }
  for (OpOperand &operand : terminator->getOpOperands())
    if (Value v = replacement.lookup(operand.get()))
      operand.set(v);
  for (auto *list : {&outside, &inside})
    for (Operation *op : *list)
      op->dropAllUses();
  for (auto *list : {&outside, &inside})
    for (Operation *op : *list)
      op->erase();
}

} // namespace tensorc::compiler
