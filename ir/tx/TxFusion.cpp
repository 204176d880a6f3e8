//===- TxFusion.cpp - Verifier of fusions ---------------------------------===//
//
// A fusion becomes a kernel over one iteration space, which stores each output
// at the index where it iterates. An output of another shape would be written
// past its end, or left in part as it was. So each kind's outputs are compared
// with the shapes that the ops of the body give its loops.
//
//===----------------------------------------------------------------------===//

#include "ir/tx/TxFusion.h"
#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::tx {

namespace {
class OutputVerifier {
public:
  explicit OutputVerifier(FusionOp fusion)
      : fusion(fusion),
        outputs(fusion.getBody().front().getTerminator()->getOperands()) {}

  LogicalResult verify();

private:
  FusionOp fusion;
  ValueRange outputs;

  /// Ops of the body. Those that are wrong themselves, which nobody has
  /// verified yet, are left to their own verifiers.
  SmallVector<Operation *> find(function_ref<bool(Operation *)> wanted);
  LogicalResult missing(StringRef what) {
    return fusion.emitOpError("\"") << fusion.getName() << "\" of kind \""
                                    << fusion.getKind() << "\" has no " << what;
  }
  /// Whether all outputs have one of the shapes.
  LogicalResult expectShapes(ArrayRef<Type> types);

  LogicalResult verifyReductions();
  LogicalResult verifyWalk();
  LogicalResult verifyContraction(bool isAttention);
  LogicalResult verifyScatter();
};
} // namespace

static bool isTensors(ValueRange values) {
  return !values.empty() &&
         llvm::all_of(values.getTypes(), llvm::IsaPred<RankedTensorType>);
}

SmallVector<Operation *>
OutputVerifier::find(function_ref<bool(Operation *)> wanted) {
  SmallVector<Operation *> found;
  for (Operation &op : fusion.getBody().front().without_terminator())
    if (wanted(&op) && isTensors(op.getOperands()) &&
        isTensors(op.getResults()))
      found.push_back(&op);
  return found;
}

LogicalResult OutputVerifier::expectShapes(ArrayRef<Type> types) {
  for (auto [i, output] : llvm::enumerate(outputs)) {
    auto isLike = [&](Type type) { return sameShape(output.getType(), type); };
    if (llvm::any_of(types, isLike))
      continue;
    std::string wanted;
    for (Type type : types)
      wanted += (wanted.empty() ? "" : " or ") + shapeString(type);
    // Where the value comes from says more than the place of the fusion.
    return emitError(output.getLoc(), "output #")
           << i << " of fusion \"" << fusion.getName() << "\" has shape "
           << shapeString(output.getType()) << ", but a kernel of kind \""
           << fusion.getKind() << "\" stores " << wanted << " here";
  }
  return success();
}

LogicalResult OutputVerifier::verifyReductions() {
  auto isReduction = [](Operation *op) { return op->hasTrait<Reduction>(); };
  SmallVector<Operation *> reductions = find(isReduction);
  if (reductions.empty())
    return missing("reduction");
  Operation *first = reductions.front();
  Type whole = first->getOperand(0).getType();
  for (Operation *op : reductions)
    if (!sameShape(op->getOperand(0).getType(), whole) ||
        op->getAttr("dims") != first->getAttr("dims"))
      return op->emitError("reduces other dims than its fusion");
  return expectShapes({whole, first->getResult(0).getType()});
}

LogicalResult OutputVerifier::verifyWalk() {
  SmallVector<Operation *> walks = find([](Operation *op) {
    return op->hasTrait<Scan>() || op->hasTrait<Sort>();
  });
  if (walks.empty())
    return missing("scan and no sort");
  return expectShapes(walks.front()->getOperand(0).getType());
}

/// Where the target stores a contraction's tiles in any order, outputs have its
/// dims in any order, but all of them the same.
LogicalResult OutputVerifier::verifyContraction(bool isAttention) {
  auto isDot = [](Operation *op) { return isa<DotGeneralOp>(op); };
  SmallVector<Operation *> dots = find(isDot);
  if (dots.empty())
    return missing("contraction");
  if (dots.size() > 1 && !isAttention)
    return dots[1]->emitError("a fusion holds one contraction");
  Type result = dots.back()->getResult(0).getType();
  Type stored = outputs.front().getType();
  DimSpace names(fusion.getContext());
  auto sorted = [&](Type type) {
    SmallVector<AffineExpr> dims = names.dims(cast<RankedTensorType>(type));
    llvm::sort(dims, [](AffineExpr a, AffineExpr b) {
      return a.getAsOpaquePointer() < b.getAsOpaquePointer();
    });
    return dims;
  };
  if (sorted(result) != sorted(stored))
    return expectShapes(result);
  return expectShapes(stored);
}

LogicalResult OutputVerifier::verifyScatter() {
  auto isScatter = [](Operation *op) { return isa<ScatterOp>(op); };
  SmallVector<Operation *> scatters = find(isScatter);
  if (scatters.empty())
    return missing("scatter");
  if (outputs.size() != 1 || outputs.front() != scatters.back()->getResult(0))
    return fusion.emitOpError("\"")
           << fusion.getName()
           << "\" of kind \"scatter\" must yield its scatter's result alone";
  return success();
}

LogicalResult OutputVerifier::verify() {
  if (outputs.empty())
    return fusion.emitOpError("\"") << fusion.getName() << "\" has no output";
  StringRef kind = fusion.getKind();
  if (kind == "loop")
    return expectShapes(outputs.front().getType());
  if (kind == "row" || kind == "column")
    return verifyReductions();
  if (kind == "scan" || kind == "sort")
    return verifyWalk();
  if (kind == "contraction" || kind == "attention")
    return verifyContraction(kind == "attention");
  if (kind == "scatter")
    return verifyScatter();
  return success(); // a kind that only its target's emitter knows
}

LogicalResult verifyFusionOutputs(FusionOp fusion) {
  return OutputVerifier(fusion).verify();
}

} // namespace tensorc::tx
