//===- Planner.cpp - Groups ops into kernels ------------------------------===//

#include "compiler/transforms/fusion/Planner.h"
#include "ir/tx/Control.h"
#include "ir/tx/Kernel.h"

using namespace mlir;

namespace tensorc::compiler {

Planner::Planner(Block &block, const codegen::TargetInfo *target,
                 const Claims &claims, KernelNames &taken)
    : block(block), target(target), claims(claims), taken(taken),
      names(block.getParentOp()->getContext()), periods(block) {}

AffineExpr Planner::symbolOf(Value v) {
  AffineExpr &expr = indexSymbols[v];
  if (!expr)
    expr = names.symbol("$" + std::to_string(indexSymbols.size()));
  return expr;
}

static bool isSplat(tx::ConstantOp constant) {
  return isa<SplatElementsAttr>(constant.getValue());
}

/// True for ops that are never part of a kernel: calls of functions and of user
/// kernels, views, and branches and loops, whose blocks have their own kernels.
/// On GPUs, ops on small matrices become kernels instead of calls, and complex
/// matrices are pairs of real numbers.
bool Planner::isApart(Operation *op) const {
  if (isa<tx::CustomCallOp>(op))
    return !(target && target->isSimt() && tx::isOfSmallMatrices(op)) ||
           isa<ComplexType>(getElementTypeOrSelf(op->getOperand(0)));
  return tx::isBranch(op) ||
         isa<tx::KernelCallOp, tx::WhileOp, tx::ScanOp, tx::ReinterpretOp>(op);
}

/// Maximum size of a constant with equal elements that is stored in the package
/// for a loop. It takes no more than a cache line, and filling a buffer would
/// take a kernel at every run.
static constexpr int64_t maxStoredSplat = 64;

/// True for a small constant with equal elements that a loop reads from memory
/// before its first iteration.
static bool isStoredSplat(tx::ConstantOp constant, Block &block,
                          function_ref<bool(Operation *)> staysOutside) {
  RankedTensorType type = constant.getType();
  if (!isSplat(constant) || !isa<func::FuncOp>(block.getParentOp()) ||
      tx::bytesOf(type).number().value_or(INT64_MAX) > maxStoredSplat)
    return false;
  bool isRead = false;
  for (Operation *user : constant->getUsers()) {
    bool isLoop = isa<tx::WhileOp, tx::ScanOp>(user);
    if (!isLoop && (user == block.getTerminator() || staysOutside(user)))
      return false;
    isRead |= isLoop;
  }
  return isRead;
}

/// True for ops that need no kernel. These include constants in memory and
/// reshapes of values in memory.
bool Planner::staysOutside(Operation *op) const {
  if (isApart(op) || views.contains(op))
    return true;
  if (auto constant = dyn_cast<tx::ConstantOp>(op))
    return !isSplat(constant) ||
           isStoredSplat(constant, block, [this](Operation *user) {
             return staysOutside(user);
           });
  auto it = groupsOf.find(op);
  return isa<tx::ReshapeOp>(op) && (it == groupsOf.end() || it->second.empty());
}

/// True for a reshape that only adds or removes dims of size one.
static bool changesUnitDims(Operation *op, tx::DimSpace &names) {
  auto dimsOf = [&](Value v) {
    SmallVector<AffineExpr> dims =
        names.dims(cast<RankedTensorType>(v.getType()));
    llvm::erase(dims, names.constant(1));
    return dims;
  };
  return isa<tx::ReshapeOp>(op) &&
         dimsOf(op->getOperand(0)) == dimsOf(op->getResult(0));
}

/// True if the result is used by an op that is not part of a kernel.
bool Planner::escapes(Operation *op) const {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return user == block.getTerminator() || staysOutside(user);
  });
}

llvm::SetVector<Group *> Planner::readers(Operation *op) const {
  llvm::SetVector<Group *> result;
  for (Operation *user : op->getUsers()) {
    auto it = groupsOf.find(user);
    if (it != groupsOf.end())
      result.insert(it->second.begin(), it->second.end());
  }
  return result;
}

void Planner::noteJoined(Group &group, size_t before) {
  for (Operation *op : group.ops.getArrayRef().drop_front(before))
    groupsOf[op].push_back(&group);
}

void Planner::add(Group &group, Operation *op, RuleContext &context) {
  size_t before = group.ops.size();
  join(group, op, context);
  noteJoined(group, before);
}

void Planner::start(Operation *op, RuleContext &context) {
  Group &group = groups.emplace_back();
  compiler::start(group, op, context);
  noteJoined(group, 0);
}

namespace {
/// Tests whether `to` reads one of the values `from`, outputs of `maker`,
/// through other kernels or views. Direct reads by `to` or `maker` do not
/// count. The search alternates between following users from the values and
/// following operands from `to`, because in most programs one of the two
/// searches is short.
class Reach {
public:
  Reach(ArrayRef<Value> from, Group *to, Group *maker,
        const DenseMap<Operation *, SmallVector<Group *, 2>> &groupsOf,
        const DenseSet<Operation *> &views,
        function_ref<bool(Operation *)> staysOutside)
      : from(from), to(to), groupsOf(groupsOf), views(views),
        staysOutside(staysOutside), below(from), seenBelow{to, maker},
        seenAbove{to, maker} {}

  bool search() {
    for (Operation *op : to->ops)
      for (Value operand : op->getOperands())
        if (!isFrom(operand))
          above.push_back({operand, true});
    while (!below.empty() && !above.empty())
      if (goDown(below.pop_back_val()) || goUp(above.pop_back_val()))
        return true;
    return false;
  }

private:
  struct Read {
    Value value;
    bool byKernel;
  };

  bool isFrom(Value v) const { return llvm::is_contained(from, v); }
  /// Kernels read the view's operand directly.
  bool isSkipped(Operation *op) const { return op && views.contains(op); }

  bool goDown(Value v) {
    bool isDirect = isFrom(v);
    for (Operation *user : v.getUsers()) {
      if (staysOutside(user))
        llvm::append_range(below, user->getResults());
      auto it = groupsOf.find(user);
      if (it == groupsOf.end() || isSkipped(v.getDefiningOp()))
        continue;
      for (Group *group : it->second) {
        if (group == to && !isDirect)
          return true;
        if (seenBelow.insert(group).second)
          below.append(group->roots.begin(), group->roots.end());
      }
    }
    return false;
  }

  bool goUp(Read read) {
    Operation *op = read.value.getDefiningOp();
    if (!op || (read.byKernel && isSkipped(op)))
      return false;
    if (staysOutside(op))
      for (Value operand : op->getOperands()) {
        if (isFrom(operand))
          return true;
        above.push_back({operand, false});
      }
    auto it = groupsOf.find(op);
    if (it == groupsOf.end())
      return false;
    for (Group *group : it->second)
      if (group->roots.contains(read.value) && seenAbove.insert(group).second)
        for (Operation *inner : group->ops)
          for (Value operand : inner->getOperands()) {
            if (isFrom(operand) && !isSkipped(operand.getDefiningOp()))
              return true;
            above.push_back({operand, true});
          }
    return false;
  }

  ArrayRef<Value> from;
  Group *to;
  const DenseMap<Operation *, SmallVector<Group *, 2>> &groupsOf;
  const DenseSet<Operation *> &views;
  function_ref<bool(Operation *)> staysOutside;
  SmallVector<Value> below;
  SmallVector<Read> above;
  DenseSet<Group *> seenBelow, seenAbove;
};
} // namespace

bool Planner::reaches(ArrayRef<Value> from, Group *to, Group *maker) const {
  auto outside = [this](Operation *op) { return staysOutside(op); };
  return Reach(from, to, maker, groupsOf, views, outside).search();
}

//===----------------------------------------------------------------------===//
// Grouping
//===----------------------------------------------------------------------===//

/// True if a large group should end before this op, because it contains whole
/// steps of an unrolled loop and has no room for another step. The next groups
/// are then identical to it and are compiled once. Otherwise each group would
/// end at a different op of the step.
bool Planner::endsStep(Operation *op, Group &reader) const {
  if (reader.kind != &loopKind() || 2 * reader.work() <= maxWork)
    return false;
  unsigned steps = periods.stepsBetween(op, reader.ops.front());
  return steps != 0 && reader.work() * (steps + 1) > maxWork * steps;
}

/// Adds the op to all groups that read it. Each group computes the op
/// separately.
bool Planner::joinReaders(Operation *op, ArrayRef<Group *> readers,
                          RuleContext &context) {
  if (readers.size() > 1 && (!isFree(op) || isExpensive(op)))
    return false;
  for (Group *group : readers) {
    Refusal refusal = checkJoin(*group, op, context);
    if (refusal.empty())
      continue;
    group->notes.insert(
        StringAttr::get(op->getContext(), op->getName().stripDialect() +
                                              " stays outside: " + refusal));
    return false;
  }
  for (Group *group : readers)
    add(*group, op, context);
  return true;
}

/// Merges all readers of the op that reduce the same elements of it. Otherwise
/// one of them would store the op's result for the others, and mergeSiblings,
/// which runs at the end, would merge them too late to avoid that.
bool Planner::mergeReductions(Operation *op, ArrayRef<Group *> readers) {
  Value result = op->getResult(0);
  auto needs = [&](Group &reader, Group &maker) {
    return llvm::any_of(maker.roots,
                        [&](Value v) { return reader.reads.contains(v); }) ||
           reaches(llvm::to_vector(maker.roots), &reader, &maker);
  };
  auto merges = [&](Group &first, Group &other) {
    return mayMerge(first, other) && !needs(first, other) &&
           !needs(other, first);
  };
  if (readers.size() < 2 || readers.front()->reduced.empty())
    return false;
  Group &first = *readers.front();
  ArrayRef<Group *> others = readers.drop_front();
  ArrayRef<Index> reads = first.reads[result];
  if (reads.size() != 1 || !llvm::all_of(others, [&](Group *other) {
        return ArrayRef<Index>(other->reads[result]) == reads &&
               merges(first, *other);
      }))
    return false;
  for (Group *other : others) {
    if (!merges(first, *other))
      continue; // the group has grown in the meantime
    merge(first, *other);
    groups.remove_if([&](const Group &group) { return &group == other; });
  }
  return true;
}

/// Adds the op to one reader that computes each of its elements once, and makes
/// it an output there for the other readers. The sizes must also be equal,
/// because a part of a larger value may be read at the same indices as a whole
/// value of the kernel's shape.
bool Planner::joinAsOutput(Operation *op, ArrayRef<Group *> readers,
                           RuleContext &context) {
  Value result = op->getResult(0);
  for (Group *group : readers) {
    ArrayRef<Index> reads = group->reads[result];
    if (reads.size() != 1 || isLate(op) != isLate(*group) ||
        !group->kind->mayStore(*group, result, reads[0], names))
      continue;
    bool cycle = reaches(result, group, group);
    if (cycle || !checkJoin(*group, op, context).empty())
      continue;
    group->roots.insert(result);
    add(*group, op, context);
    return true;
  }
  return false;
}

/// Merges a kernel into the reader of its results if the reader also reads the
/// rows from which the results are computed.
void Planner::joinReader(Group &group, RuleContext &context) {
  SmallVector<Value> made(group.roots.begin(), group.roots.end());
  for (Group *reader : consumersOf(group)) {
    if (isLate(group) != isLate(*reader) ||
        !group.kind->mayGoOn(group, *reader, context) ||
        inputsOf(group).size() + inputsOf(*reader).size() > maxInputs ||
        reaches(made, reader, &group))
      continue;
    reader->kind = group.kind;
    reader->reduced = group.reduced;
    merge(*reader, group);
    reader->roots.remove_if([&](Value root) {
      Operation *op = root.getDefiningOp();
      auto isReader = [&](Group *other) { return other == reader; };
      return !escapes(op) && llvm::all_of(readers(op), isReader);
    });
    groups.remove_if([&](const Group &other) { return &other == &group; });
    return;
  }
}

void Planner::place(Operation *op, RuleContext &context) {
  if (isApart(op))
    return;
  if (auto it = groupsOf.find(op); it != groupsOf.end() && !it->second.empty())
    return; // The op was joined together with the attention's last op.
  bool outside = escapes(op);
  if (auto constant = dyn_cast<tx::ConstantOp>(op))
    if (!outside || staysOutside(constant))
      return; // splats are cloned into each op that reads them
  SmallVector<Group *> readers(this->readers(op).takeVector());
  if (!outside && readers.size() == 1 && endsStep(op, *readers.front())) {
    readers.front()->notes.insert(StringAttr::get(
        op->getContext(), op->getName().stripDialect() +
                              " stays outside: this kernel has whole steps "
                              "of a loop, and no room for one more"));
    return start(op, context);
  }
  // A kernel reads a view's operand directly if that needs no additional index
  // arithmetic. The kernel may then compute the operand, too.
  bool joins = (!outside || changesUnitDims(op, names)) && !readers.empty() &&
               joinReaders(op, readers, context);
  if (outside && joins)
    views.insert(op);
  if (joins || isa<tx::ReshapeOp>(op))
    return; // the op is a view of its operand's buffer
  if (!outside && mergeReductions(op, readers)) {
    readers = this->readers(op).takeVector();
    if (joinReaders(op, readers, context))
      return;
  }
  if (!joinAsOutput(op, readers, context))
    start(op, context);
}

void Planner::plan() {
  auto symbol = [this](Value v) { return symbolOf(v); };
  RuleContext context{names, claims, symbol, target};
  // Registers the names of all sizes first, so that all expressions use the
  // same symbols.
  block.walk([&](Operation *op) {
    for (Type type : op->getOperandTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        names.dims(tensor);
    for (Value operand : op->getOperands())
      if (operand.getType().isIndex())
        symbolOf(operand);
  });
  std::vector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    if (op->use_empty()) {
      op->erase();
      continue;
    }
    place(op, context);
    if (&kindFor(op) != &loopKind())
      for (Group *group : SmallVector<Group *>(groupsOf.lookup(op)))
        joinReader(*group, context);
  }
  mergeSiblings();
}

} // namespace tensorc::compiler
