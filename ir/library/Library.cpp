//===- Library.cpp - Functions shared by all composites -------------------===//

#include "ir/library/Library.h"
#include "ir/library/OpShapes.h"
#include "ir/tx/ops/ShapeRules.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "ir/library/Composite.cpp.inc"
#include "ir/library/Enums.cpp.inc"

namespace tensorc::tx {

#include "ir/library/Attributes.cpp.inc"

shape::InferredShape inferComposite(Operation *op,
                                    ArrayRef<shape::Dims> operands,
                                    shape::Dims result) {
  using Rule = shape::InferredShape;
  return llvm::TypeSwitch<Operation *, Rule>(op)
#define CASE(Name, Attributes)                                                 \
  .Case([&](Name##Op op) {                                                     \
    return infer##Name(operands, attributesOf<Attributes>(op), result);        \
  })
      TENSORC_COMPOSITES(CASE)
#undef CASE
          .Default([](Operation *) -> Rule {
            llvm_unreachable("all composites are listed");
          });
}

static LogicalResult verifyComposite(Operation *op, bool sameDType) {
  SmallVector<shape::Dims> operands;
  for (Type type : op->getOperandTypes())
    operands.push_back(dimsOf(cast<RankedTensorType>(type)));
  auto type = cast<RankedTensorType>(op->getResultTypes()[0]);
  for (shape::Dims dims : operands)
    if (llvm::any_of(dims, [](Dim dim) { return dim.isNone(); }))
      return op->emitOpError("dynamic dimensions must be named: write "
                             "tensor<?xf32, #tx.dims<[n]>>");
  if (sameDType) {
    Type element = getElementTypeOrSelf(op->getOperandTypes()[0]);
    if (type.getElementType() != element)
      return op->emitOpError("result dtype ")
             << type.getElementType() << " differs from the operand's "
             << element;
  }
  return verifyInferred(op, inferComposite(op, operands, dimsOf(type)));
}

//===----------------------------------------------------------------------===//
// Parsers and verifiers of specific ops
//===----------------------------------------------------------------------===//

bool canCombine(Combiner combiner, DType dtype) {
  bool isOfBits = combiner == Combiner::And || combiner == Combiner::Or;
  bool isArithmetic =
      combiner == Combiner::Sum || combiner == Combiner::Product;
  if (isComplex(dtype))
    return isArithmetic;
  return dtype == DType::I1 ? !isArithmetic : !(isFloat(dtype) && isOfBits);
}

static LogicalResult verifyCombiner(Operation *op, Combiner combiner) {
  DType dtype = *dtypeOf(getElementTypeOrSelf(op->getOperand(0).getType()));
  if (canCombine(combiner, dtype))
    return success();
  return op->emitOpError("no ")
         << stringifyCombiner(combiner) << " of " << dtypeName(dtype);
}

/// Parses the groups of a collective, which are omitted if all ranks are one
/// group.
static ParseResult parseGroups(OpAsmParser &parser, DenseI64ArrayAttr &groups) {
  groups = parser.getBuilder().getDenseI64ArrayAttr({});
  if (failed(parser.parseOptionalKeyword("groups")))
    return success();
  if (parser.parseEqual())
    return failure();
  groups = dyn_cast_if_present<DenseI64ArrayAttr>(
      DenseI64ArrayAttr::parse(parser, Type()));
  return success(static_cast<bool>(groups));
}

static void printGroups(OpAsmPrinter &printer, Operation *,
                        DenseI64ArrayAttr groups) {
  if (groups.empty())
    return;
  printer << "groups = ";
  groups.print(printer);
}

static LogicalResult verifyNorm(NormOp op) {
  if ((op.getKind() == NormKind::Power) == static_cast<bool>(op.getOrder()))
    return success();
  return op.emitOpError("an order belongs to the kind `power`");
}

static LogicalResult verifyAvgPool(AvgPoolOp op) {
  if (op.getCountedHigh().size() == op.getDims().size())
    return success();
  return op.emitOpError("needs one number as counted_high for each dim");
}

static LogicalResult verifyReduceWindow(ReduceWindowOp op) {
  bool isFloat = isa<FloatType>(op.getType().getElementType());
  if (op.getKind() != WindowReduction::Mean || isFloat)
    return success();
  return op.emitOpError("a mean is of floats");
}

/// Checks that the operand or result that is not a spectrum has real numbers of
/// the same width.
static LogicalResult verifyFourier(FourierOp op) {
  Type x = getElementTypeOrSelf(op.getX()),
       y = getElementTypeOrSelf(op.getType());
  auto plane = [](Type type) {
    auto complex = dyn_cast<ComplexType>(type);
    return complex ? complex.getElementType() : type;
  };
  bool fits = isa<ComplexType>(x) == (op.getKind() != FourierKind::Real) &&
              isa<ComplexType>(y) == (op.getKind() != FourierKind::Hermitian) &&
              plane(x) == plane(y);
  if (fits && (plane(x).isF32() || plane(x).isF64()))
    return success();
  return op.emitOpError("does not make ")
         << y << " of " << x << ": `real` makes complex numbers of f32 or f64, "
         << "`hermitian` the reverse, `complex` what x is";
}

/// Checks that the result has complex numbers of the operand's width.
static LogicalResult verifyEig(EigOp op) {
  Type x = getElementTypeOrSelf(op.getX()),
       y = getElementTypeOrSelf(op.getType());
  Type plane = cast<ComplexType>(y).getElementType();
  if (x == y || x == plane)
    return success();
  return op.emitOpError("does not make ") << y << " of " << x;
}

static LogicalResult verifyAttention(AttentionOp op) {
  Type element = op.getType().getElementType();
  for (Value operand : {op.getK(), op.getV()})
    if (getElementTypeOrSelf(operand.getType()) != element)
      return op.emitOpError("queries, keys and values differ in dtype");
  Value mask = op.getMask();
  Type ofMask = mask ? getElementTypeOrSelf(mask.getType()) : element;
  if (isa<FloatType>(ofMask) || ofMask.isInteger(1))
    return success();
  return op.emitOpError("the mask must be i1 or a float");
}

static LogicalResult verifyConvolution(Operation *op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  for (Type type : op->getOperandTypes())
    if (getElementTypeOrSelf(type) != element)
      return op->emitOpError("operands differ in dtype");
  return success();
}

void registerLibraryOps(TxDialect &dialect) {
#define REGISTER(Name, Attributes)                                             \
  RegisteredOperationName::insert<Name##Op>(dialect);
  TENSORC_COMPOSITES(REGISTER)
#undef REGISTER
}

} // namespace tensorc::tx

#define GET_OP_CLASSES
#include "ir/library/Library.cpp.inc"
