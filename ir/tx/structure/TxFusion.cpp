//===- TxFusion.cpp - Verifier of fusions ---------------------------------===//
//
// A fusion becomes a kernel over one iteration space, which stores each output
// at the current index. An output of another shape would be written out of
// bounds, or only in part. Therefore the verifier compares the outputs' shapes
// with the shapes of the ops that determine the loops of the fusion's kind.
//
//===----------------------------------------------------------------------===//

#include "ir/tx/structure/TxFusion.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tensorc::tx {

static bool isCalled(Operation *op, StringRef name) {
  return op->getName().getStringRef() == name;
}

static constexpr FusionKindInfo rows[] = {
#define TX_FUSION_KIND(NAME, IS_ABOUT, WHAT, HOLDS, STORES)                    \
  {#NAME, [](Operation *op) -> bool { return IS_ABOUT; }, WHAT, Holds::HOLDS,  \
   Stores::STORES},
#include "ir/tx/FusionKinds.def"
};

ArrayRef<FusionKindInfo> fusionKinds() { return rows; }

const FusionKindInfo *findFusionKind(StringRef name) {
  const auto *it =
      llvm::find_if(rows, [&](auto &kind) { return kind.name == name; });
  return it == std::end(rows) ? nullptr : it;
}

Operation *sortOf(Operation *op) {
  if (op->hasTrait<Sort>())
    return op;
  auto slice = dyn_cast<SliceOp>(op);
  Operation *sort = slice ? slice.getX().getDefiningOp() : nullptr;
  if (!sort || !sort->hasTrait<Sort>() || !sort->hasOneUse() ||
      !slice.getOffsets().empty() ||
      !llvm::all_of(slice.getStaticOffsets(),
                    [](int64_t o) { return o == 0; }) ||
      !llvm::all_of(slice.getStrides(), [](int64_t s) { return s == 1; }))
    return nullptr;
  // Returns null for a malformed op, as the op may not have been verified yet.
  auto dim = sort->getAttrOfType<IntegerAttr>("dim");
  auto all = dyn_cast<RankedTensorType>(slice.getX().getType());
  auto first = dyn_cast<RankedTensorType>(slice.getType());
  if (!dim || !all || !first || all.getRank() != first.getRank())
    return nullptr;
  for (auto [d, size] : llvm::enumerate(dimsOf(all)))
    if (static_cast<int64_t>(d) != dim.getInt() && size != dimsOf(first)[d])
      return nullptr;
  return sort;
}

/// Maximum number of rows. Such a matrix and its right-hand sides fit into the
/// shared memory of a block, which has one thread per row.
static constexpr int64_t maxRows = 32;

bool isOfSmallMatrices(Operation *op) {
  auto call = dyn_cast<CustomCallOp>(op);
  if (!call || call->getNumResults() != 1)
    return false;
  size_t operands = StringSwitch<size_t>(call.getName())
                        .Cases({"linalg.cholesky", "linalg.lu",
                                "linalg.determinant", "linalg.qr"},
                               1)
                        .Cases({"linalg.solve", "linalg.triangular_solve"}, 2)
                        .Default(0);
  SmallVector<StringRef> options;
  call.getConfig().value_or("").split(options, ' ');
  unsigned parts = llvm::is_contained(options, "pairs");
  auto isSmall = [&](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    Type element = tensor.getElementType();
    if (auto complex = dyn_cast<ComplexType>(element))
      element = complex.getElementType();
    if (tensor.getRank() < 2 + parts || !(element.isF32() || element.isF64()))
      return false;
    auto matrix = tensor.getShape().drop_back(parts).take_back(2);
    return matrix[0] > 0 && matrix[0] <= maxRows && matrix[1] > 0 &&
           matrix[1] <= maxRows + 1;
  };
  return operands != 0 && call->getNumOperands() == operands &&
         llvm::all_of(call->getOperandTypes(), isSmall);
}

namespace {
class OutputVerifier {
public:
  OutputVerifier(FusionOp fusion, const FusionKindInfo &kind)
      : fusion(fusion), kind(kind),
        outputs(fusion.getBody().front().getTerminator()->getOperands()) {}

  LogicalResult verify();

private:
  FusionOp fusion;
  const FusionKindInfo &kind;
  ValueRange outputs;

  /// Returns the ops of the body that the kind is built around. Malformed ops,
  /// which have not been verified yet, are reported by their own verifiers.
  SmallVector<Operation *> findOps();
  /// Checks that each output has one of these shapes.
  LogicalResult expectShapes(ArrayRef<Type> types);
  LogicalResult verifyReductions(ArrayRef<Operation *> ops);
  LogicalResult verifyFirst(ArrayRef<Operation *> ops);
  LogicalResult verifyInAnyOrder(Type result);
  LogicalResult verifyAlone(Value result);
};
} // namespace

static bool isTensors(ValueRange values) {
  return !values.empty() &&
         llvm::all_of(values.getTypes(), llvm::IsaPred<RankedTensorType>);
}

SmallVector<Operation *> OutputVerifier::findOps() {
  SmallVector<Operation *> found;
  for (Operation &op : fusion.getBody().front().without_terminator())
    if (kind.isAbout(&op) && isTensors(op.getOperands()) &&
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
    // Reports the location of the value, which is more precise than the
    // location of the fusion.
    return emitError(output.getLoc(), "output #")
           << i << " of fusion \"" << fusion.getName() << "\" has shape "
           << shapeString(output.getType()) << ", but a kernel of kind \""
           << fusion.getKind() << "\" stores " << wanted << " here";
  }
  return success();
}

/// Checks that all reductions reduce the same dims of equal shapes, because
/// they are computed in one pass.
LogicalResult OutputVerifier::verifyReductions(ArrayRef<Operation *> ops) {
  Operation *first = ops.front();
  Type whole = first->getOperand(0).getType();
  for (Operation *op : ops)
    if (!sameShape(op->getOperand(0).getType(), whole) ||
        op->getAttr("dims") != first->getAttr("dims"))
      return op->emitError("reduces other dims than its fusion");
  return expectShapes({whole, first->getResult(0).getType()});
}

/// Checks that each output has the shape of one of the results, some of which
/// may be slices.
LogicalResult OutputVerifier::verifyFirst(ArrayRef<Operation *> ops) {
  Type stored = outputs.front().getType();
  auto makesIt = [&](Operation *op) {
    return sameShape(op->getResult(0).getType(), stored);
  };
  return expectShapes(llvm::any_of(ops, makesIt)
                          ? stored
                          : ops.front()->getOperand(0).getType());
}

LogicalResult OutputVerifier::verifyInAnyOrder(Type result) {
  Type stored = outputs.front().getType();
  auto sorted = [&](Type type) {
    SmallVector<Dim> dims(dimsOf(cast<RankedTensorType>(type)));
    llvm::sort(dims, [](Dim a, Dim b) { return a.opaque() < b.opaque(); });
    return dims;
  };
  return expectShapes(sorted(result) == sorted(stored) ? stored : result);
}

LogicalResult OutputVerifier::verifyAlone(Value result) {
  if (outputs.size() == 1 && outputs.front() == result)
    return success();
  return fusion.emitOpError("\"")
         << fusion.getName() << "\" of kind \"" << kind.name
         << "\" must yield its " << kind.what << "'s result alone";
}

LogicalResult OutputVerifier::verify() {
  if (outputs.empty())
    return fusion.emitOpError("\"") << fusion.getName() << "\" has no output";
  if (kind.stores == Stores::Alike)
    return expectShapes(outputs.front().getType());
  SmallVector<Operation *> ops = findOps();
  if (ops.empty())
    return fusion.emitOpError("\"") << fusion.getName() << "\" of kind \""
                                    << kind.name << "\" has no " << kind.what;
  if (ops.size() > 1 && kind.holds == Holds::One)
    return ops[1]->emitError("a fusion holds one ") << kind.what;
  switch (kind.stores) {
  case Stores::Alike:
    break;
  case Stores::OperandOrResult:
    return verifyReductions(ops);
  case Stores::Operand:
    return expectShapes(ops.front()->getOperand(0).getType());
  case Stores::FirstOfOperand:
    return verifyFirst(ops);
  case Stores::ResultInAnyOrder:
    return verifyInAnyOrder(ops.back()->getResult(0).getType());
  case Stores::ResultAlone:
    return verifyAlone(ops.back()->getResult(0));
  }
  llvm_unreachable("all are listed");
}

LogicalResult verifyFusionOutputs(FusionOp fusion) {
  const FusionKindInfo *kind = findFusionKind(fusion.getKind());
  return success(!kind || succeeded(OutputVerifier(fusion, *kind).verify()));
}

} // namespace tensorc::tx
