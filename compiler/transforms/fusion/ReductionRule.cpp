//===- ReductionRule.cpp - Reductions fused with the ops around them ------===//

#include "codegen/emitters/plans/Orders.h"
#include "compiler/transforms/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
struct Shape {
  SmallVector<AffineExpr> whole, kept;
  SmallVector<bool> reduced;
};

/// The reductions of one kernel. All of them reduce the same dims of its space.
class ReductionKind : public FusionKind {
public:
  using FusionKind::FusionKind;

  Refusal checkRoom(const Group &group, Operation *op) const override {
    return isAbout(op) ? Refusal() : FusionKind::checkRoom(group, op);
  }
  Refusal check(const Group &group, Operation *op,
                RuleContext &context) const override;
  bool join(Group &group, Operation *op, RuleContext &context) const override;
  /// Returns true for values that are computed once per element or once per
  /// row.
  bool computesOnce(const Group &group, const Index &index) const override;
  Refusal checkAround(const Group &group, Operation *op,
                      RuleContext &context) const override;
  bool mayStore(const Group &group, Value result, const Index &index,
                tx::DimSpace &names) const override;
  /// Ops over the whole shape may join if each element reads only the results
  /// of its own row.
  bool mayGoOn(const Group &group, const Group &reader,
               RuleContext &context) const override;
};
} // namespace

/// Maximum number of ops that are recomputed for each window that contains an
/// element.
static constexpr size_t maxOpsOfWindow = 2;

const FusionKind &rowKind() {
  static const ReductionKind kind(tx::kinds::row);
  return kind;
}

const FusionKind &columnKind() {
  static const ReductionKind kind(tx::kinds::column);
  return kind;
}

static Shape shapeOf(Operation *op, RuleContext &context) {
  Shape shape;
  shape.whole =
      context.names.dims(cast<RankedTensorType>(op->getOperand(0).getType()));
  shape.reduced.assign(shape.whole.size(), false);
  for (int64_t d : cast<DenseI64ArrayAttr>(op->getAttr("dims")).asArrayRef())
    shape.reduced[d] = true;
  for (auto [size, reduced] : llvm::zip(shape.whole, shape.reduced))
    if (!reduced)
      shape.kept.push_back(size);
  return shape;
}

/// True if the vector lanes run along a reduced dim. They run along the last dim
/// whose size is not 1: lanes along the kept dim of 100000x1 would be empty but
/// for one.
static bool runsAlongReduced(const Shape &shape) {
  for (size_t d = shape.whole.size(); d-- > 0;) {
    auto size = dyn_cast<AffineConstantExpr>(shape.whole[d]);
    if (!size || size.getValue() != 1)
      return shape.reduced[d];
  }
  return true;
}

/// True if there are so few rows, and rows are so long, that several threads
/// share each row. This is possible only in a kernel that stores nothing but
/// row results.
static bool isFewAndLong(Operation *op, const Shape &shape,
                         RuleContext &context) {
  SmallVector<AffineExpr> reduced;
  for (auto [size, isReduced] : llvm::zip(shape.whole, shape.reduced))
    if (isReduced)
      reduced.push_back(size);
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  codegen::ReductionSizes sizes{runsAlongReduced(shape), type.getElementType(),
                                shape.kept, context.names.product(reduced)};
  static const codegen::TargetInfo anyTarget{codegen::TargetFacts()};
  return codegen::isFewAndLong(sizes, context.names,
                               context.target ? *context.target : anyTarget);
}

/// True if the group reads `v` only at `index`. Along a dim of size 1, all
/// indices are the same: a broadcast reads such a dim at 0.
static bool readOnlyAt(const Group &group, Value v, const Index &index,
                       RuleContext &context) {
  auto it = group.reads.find(v);
  SmallVector<AffineExpr> sizes =
      context.names.dims(cast<RankedTensorType>(v.getType()));
  AffineExpr one = context.names.constant(1);
  return it != group.reads.end() &&
         llvm::all_of(it->second, [&](const Index &read) {
           return read.size() == index.size() &&
                  llvm::all_of(llvm::seq<size_t>(0, index.size()),
                               [&](size_t d) {
                                 return read[d] == index[d] || sizes[d] == one;
                               });
         });
}

/// Returns the index that selects the kept dims in a group that iterates over
/// the whole shape.
static Index keptIndex(const Shape &shape, RuleContext &context) {
  Group probe;
  probe.shape = shape.whole;
  probe.reduced = shape.reduced;
  return probe.keptIndex(context.names);
}

/// True if elements of the whole shape read the op's reduced result.
static bool isReadByElements(const Group &group, Operation *op,
                             const Shape &shape) {
  auto isOfElements = [&](const Index &index) {
    return llvm::any_of(
        llvm::seq<unsigned>(0, shape.whole.size()),
        [&](unsigned d) { return shape.reduced[d] && dependsOn(index, d); });
  };
  llvm::SetVector<Operation *> users;
  users.insert(op);
  for (size_t i = 0; i < users.size(); ++i)
    for (Operation *user : users[i]->getUsers()) {
      if (!group.contains(user) || user->hasTrait<tx::Reduction>())
        continue;
      if (llvm::any_of(group.reads.lookup(user->getResult(0)), isOfElements))
        return true;
      users.insert(user);
    }
  return false;
}

/// True if the group also reads a value from which the op's operand is
/// computed. If they were two kernels, one of them would have to store that
/// value.
static bool sharesOperand(const Group &group, Operation *op) {
  SmallVector<Value> worklist{op->getOperand(0)};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value v = worklist.pop_back_val();
    Operation *producer = v.getDefiningOp();
    if (!producer || !seen.insert(v).second ||
        !analysis::isElementMapped(producer))
      continue;
    if (!isFree(producer) && group.reads.contains(v))
      return true;
    llvm::append_range(worklist, producer->getOperands());
  }
  return false;
}

/// True if several threads could share the rows provided that the group and the
/// op were two kernels.
static bool isWorthTwo(const Group &group, Operation *op, const Shape &shape,
                       RuleContext &context) {
  auto isOfElements = [&](Value root) {
    return context.names.dims(cast<RankedTensorType>(root.getType())) ==
           shape.whole;
  };
  auto hasStaticSize =
      cast<RankedTensorType>(op->getOperand(0).getType()).hasStaticShape();
  return hasStaticSize && isFewAndLong(op, shape, context) &&
         isReadByElements(group, op, shape) && !sharesOperand(group, op) &&
         (group.reduced.empty() || llvm::none_of(group.roots, isOfElements));
}

Refusal ReductionKind::check(const Group &group, Operation *op,
                             RuleContext &context) const {
  Shape shape = shapeOf(op, context);
  Value result = op->getResult(0);
  if (group.shape == shape.whole && isWorthTwo(group, op, shape, context))
    return "its rows are few and long: threads share them in a kernel of its "
           "own";
  if (!group.reduced.empty()) {
    if (group.shape != shape.whole || group.reduced != shape.reduced)
      return "this kernel reduces other dims";
    return readOnlyAt(group, result, keptIndex(shape, context), context)
               ? Refusal()
               : "it is not read along the reduced dims";
  }
  // The readers are either elements of the whole shape, which use the result of
  // their row, ...
  if (group.shape == shape.whole && !group.shape.empty())
    return readOnlyAt(group, result, keptIndex(shape, context), context)
               ? Refusal()
               : "it is not read along the reduced dims";
  // ... or ops on results only.
  if (group.shape == shape.kept)
    return readOnlyAt(group, result, group.space(context.names).identity(),
                      context)
               ? Refusal()
               : "it is not read element by element";
  return "this kernel has another shape";
}

/// Rewrites reads over the kept dims as reads over the whole shape.
static void widenSpace(Group &group, const Shape &shape, RuleContext &context) {
  group.shape = shape.whole;
  group.reduced = shape.reduced;
  Index kept = group.keptIndex(context.names);
  for (auto &[value, indices] : group.reads)
    for (Index &index : indices)
      for (AffineExpr &e : index)
        e = e.replaceDims(kept);
}

bool ReductionKind::join(Group &group, Operation *op,
                         RuleContext &context) const {
  Shape shape = shapeOf(op, context);
  if (group.reduced.empty()) {
    if (group.shape == shape.whole &&
        readOnlyAt(group, op->getResult(0), keptIndex(shape, context), context))
      group.reduced = shape.reduced;
    else
      widenSpace(group, shape, context);
    group.kind = runsAlongReduced(shape) ? &rowKind() : &columnKind();
  }
  group.addRead(op->getOperand(0), group.space(context.names).identity());
  return true;
}

bool ReductionKind::computesOnce(const Group &group, const Index &index) const {
  auto isUsed = [&](unsigned d) {
    return group.reduced[d] || group.usesDims(index, d, d + 1);
  };
  return FusionKind::computesOnce(group, index) ||
         llvm::all_of(llvm::seq<unsigned>(0, group.shape.size()), isUsed);
}

/// True if several iterations read the same element, as with overlapping
/// windows.
static bool overlaps(const Group &group, const Index &index,
                     RuleContext &context) {
  analysis::IterationSpace space = group.space(context.names);
  return llvm::any_of(index, [&](AffineExpr e) {
    // The extent of a window (`reach`) and the distance between windows
    // (`apart`).
    int64_t reach = 0, apart = std::numeric_limits<int64_t>::max();
    for (unsigned d = 0; d < group.shape.size(); ++d) {
      if (!e.isFunctionOfDim(d))
        continue;
      auto linear = analysis::linearIn(e, d, space);
      auto step = dyn_cast_or_null<AffineConstantExpr>(
          linear ? linear->coefficient : AffineExpr());
      auto size = dyn_cast<AffineConstantExpr>(group.shape[d]);
      if (!step || (group.reduced[d] && !size))
        return false;
      if (group.reduced[d])
        reach += std::abs(step.getValue()) * (size.getValue() - 1);
      else
        apart = std::min(apart, std::abs(step.getValue()));
    }
    return reach >= apart;
  });
}

Refusal ReductionKind::checkAround(const Group &group, Operation *op,
                                   RuleContext &context) const {
  auto isInWindows = [&](Operation *op) {
    return op->hasTrait<tx::Elementwise>() && !isFree(op) &&
           llvm::any_of(group.reads.lookup(op->getResult(0)),
                        [&](const Index &index) {
                          return overlaps(group, index, context);
                        });
  };
  if (group.reduced.empty() || !isInWindows(op))
    return {};
  if (isEpilogue(op))
    return "it is the epilogue of a contraction, and windows overlap";
  return llvm::count_if(group.ops, isInWindows) >=
                 static_cast<ptrdiff_t>(maxOpsOfWindow)
             ? "windows overlap, and their elements are computed by " +
                   std::to_string(maxOpsOfWindow) + " ops already"
             : Refusal();
}

bool ReductionKind::mayStore(const Group &group, Value result,
                             const Index &index, tx::DimSpace &names) const {
  if (FusionKind::mayStore(group, result, index, names))
    return true;
  return names.dims(cast<RankedTensorType>(result.getType())) ==
             group.keptShape() &&
         index == group.keptIndex(names);
}

bool ReductionKind::mayGoOn(const Group &group, const Group &reader,
                            RuleContext &context) const {
  tx::DimSpace &names = context.names;
  bool isAlike = reader.kind == &loopKind() ||
                 (reader.kind == group.kind && reader.reduced == group.reduced);
  Operation *reduction =
      *llvm::find_if(group.ops, [&](Operation *op) { return isAbout(op); });
  if (!isAlike || reader.shape != group.shape ||
      group.work() + reader.work() > maxWork ||
      isFewAndLong(reduction, shapeOf(reduction, context), context))
    return false;
  return llvm::all_of(group.roots, [&](Value root) {
    bool isWhole =
        names.dims(cast<RankedTensorType>(root.getType())) == group.shape;
    Index index =
        isWhole ? group.space(names).identity() : group.keptIndex(names);
    return !reader.readAnywhere.contains(root) &&
           (!reader.reads.contains(root) ||
            readOnlyAt(reader, root, index, context));
  });
}

} // namespace tensorc::compiler
