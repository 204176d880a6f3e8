//===- TxControl.cpp - Branches and loops ---------------------------------===//

#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"
#include "ir/tx/IsolatedBody.h"
#include "ir/tx/Tx.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tensorc::tx {

void registerControlOps(TxDialect &dialect) {
  RegisteredOperationName::insert<IfOp>(dialect);
  RegisteredOperationName::insert<SwitchOp>(dialect);
  RegisteredOperationName::insert<WhileOp>(dialect);
  RegisteredOperationName::insert<ScanOp>(dialect);
  RegisteredOperationName::insert<StopGradientOp>(dialect);
  RegisteredOperationName::insert<CustomVjpOp>(dialect);
  RegisteredOperationName::insert<ReturnOp>(dialect);
}

bool isByValue(Value v) {
  auto argument = dyn_cast<BlockArgument>(v);
  if (!argument)
    return false;
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned i = argument.getArgNumber();
  if (isBranch(parent))
    return isByValue(parent->getOperand(1 + i));
  // Only the iteration number of a scan is passed by value; the other arguments
  // of loops are buffers.
  if (isa<ScanOp>(parent))
    return i == 0;
  auto function = dyn_cast<FunctionOpInterface>(parent);
  return function &&
         (v.getType().isIndex() || function.getArgAttr(i, scalarAttr));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

Operation *createBranch(OpBuilder &b, Operation *like, TypeRange results,
                        ValueRange operands) {
  OperationState state(like->getLoc(), like->getName(), operands, results,
                       /*attributes=*/{});
  for (unsigned i = 0; i < like->getNumRegions(); ++i)
    state.addRegion();
  return b.create(state);
}

/// Reports a mismatch between a value and the type that the op requires. Notes
/// show both locations.
static LogicalResult refuse(Operation *op, const Twine &what, Type given,
                            Type expected, Location givenAt,
                            Location expectedAt) {
  auto from = dyn_cast<RankedTensorType>(given);
  auto to = dyn_cast<RankedTensorType>(expected);
  bool sameElements =
      from && to && from.getElementType() == to.getElementType();
  InFlightDiagnostic error = op->emitOpError(what)
                             << " is " << given << ", not " << expected << ": "
                             << (sameElements ? "tx.broadcast" : "tx.convert")
                             << " makes them alike";
  error.attachNote(givenAt) << given << " is made here";
  error.attachNote(expectedAt) << expected << " is made here";
  return error;
}

/// Checks that the arguments of a block have the types of the values that the
/// op passes to it.
static LogicalResult checkArguments(Operation *op, Block &block,
                                    TypeRange expected, unsigned firstOperand) {
  if (block.getNumArguments() != expected.size())
    return op->emitOpError("a block has ")
           << block.getNumArguments() << " arguments, not the "
           << expected.size() << " inputs";
  for (auto [i, argument] : llvm::enumerate(block.getArguments()))
    if (argument.getType() != expected[i])
      return refuse(op, "argument " + Twine(i) + " of a block",
                    argument.getType(), expected[i], argument.getLoc(),
                    op->getOperand(firstOperand + i).getLoc());
  return success();
}

/// Checks that all blocks return values of the types of the op's results.
static LogicalResult checkResults(Operation *op) {
  Operation *first = op->getRegion(0).front().getTerminator();
  for (auto [number, body] : llvm::enumerate(op->getRegions())) {
    auto exit = dyn_cast<ReturnOp>(body.front().getTerminator());
    if (!exit)
      return op->emitOpError("a block ends with tx.return");
    if (exit.getNumOperands() != op->getNumResults()) {
      InFlightDiagnostic error =
          op->emitOpError("block ")
          << number << " returns " << exit.getNumOperands() << " values, not "
          << op->getNumResults() << ": all blocks return the op's results";
      error.attachNote(exit.getLoc()) << "they are returned here";
      return error;
    }
    for (auto [i, value] : llvm::enumerate(exit.getOperands())) {
      Type expected = op->getResultTypes()[i];
      if (value.getType() == expected)
        continue;
      // If the value differs from the one that the first block returns, the
      // note shows that value.
      bool hasFirst = number > 0 && i < first->getNumOperands();
      return refuse(op, "result " + Twine(i) + " of block " + Twine(number),
                    value.getType(), expected, value.getLoc(),
                    hasFirst ? first->getOperand(i).getLoc() : op->getLoc());
    }
  }
  return success();
}

LogicalResult verifyBranches(Operation *op) {
  TypeRange inputs = TypeRange(op->getOperandTypes()).drop_front();
  for (Region &body : op->getRegions())
    if (failed(checkArguments(op, body.front(), inputs, 1)))
      return failure();
  return checkResults(op);
}

static LogicalResult checkOneElement(Operation *op, const char *what,
                                     TypedValue<RankedTensorType> value,
                                     const char *remedy) {
  RankedTensorType type = value.getType();
  if (type.hasStaticShape() && type.getNumElements() == 1)
    return success();
  InFlightDiagnostic error = op->emitOpError("the ")
                             << what << " has shape " << shapeString(type)
                             << ", not one element: " << remedy;
  error.attachNote(value.getLoc()) << "it is made here";
  return error;
}

static constexpr const char oneBool[] = "tx.any or tx.all makes one "
                                        "of several";

LogicalResult IfOp::verify() {
  return checkOneElement(*this, "predicate", getPredicate(), oneBool);
}

LogicalResult SwitchOp::verify() {
  if (getBranches().empty())
    return emitOpError("has no blocks");
  return checkOneElement(*this, "index", getIndex(),
                         "tx.slice takes one of several");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Reports an error for a value whose type is not the expected one.
static LogicalResult checkType(Operation *op, const Twine &what, Type expected,
                               Type given) {
  if (expected == given)
    return success();
  return op->emitOpError(what) << " is " << given << ", not " << expected;
}

static FailureOr<ReturnOp> exitOf(Operation *op, Region &body,
                                  size_t numResults) {
  auto exit = dyn_cast<ReturnOp>(body.front().getTerminator());
  if (!exit)
    return op->emitOpError("a block ends with tx.return"), failure();
  if (exit.getNumOperands() != numResults)
    return op->emitOpError("the block returns ")
               << exit.getNumOperands() << " values, not " << numResults,
           failure();
  return exit;
}

LogicalResult WhileOp::verify() {
  size_t carried = getNumResults();
  if (getMost().value_or(1) < 1)
    return emitOpError("at most ") << *getMost() << " iterations are none";
  if (getInputs().size() < carried)
    return emitOpError("has ") << carried << " results, but only "
                               << getInputs().size() << " inputs";
  for (size_t i = 0; i < carried; ++i)
    if (failed(checkType(*this, "result " + Twine(i), getInputs()[i].getType(),
                         getResult(i).getType())))
      return failure();
  for (Region *body : {&getCondition(), &getBody()})
    if (failed(checkArguments(*this, body->front(), getInputs().getTypes(), 0)))
      return failure();
  FailureOr<ReturnOp> goesOn = exitOf(*this, getCondition(), 1);
  if (failed(goesOn))
    return failure();
  auto predicate = cast<RankedTensorType>(goesOn->getOperand(0).getType());
  if (!predicate.getElementType().isInteger(1) || !predicate.hasStaticShape() ||
      predicate.getNumElements() != 1) {
    bool isBool = predicate.getElementType().isInteger(1);
    InFlightDiagnostic error = emitOpError("the condition is ")
                               << predicate << ", not one element of i1: "
                               << (isBool ? oneBool : "a comparison gives i1");
    error.attachNote(goesOn->getOperand(0).getLoc()) << "it is made here";
    return error;
  }
  FailureOr<ReturnOp> next = exitOf(*this, getBody(), carried);
  if (failed(next))
    return failure();
  for (size_t i = 0; i < carried; ++i)
    if (next->getOperand(i).getType() != getResult(i).getType())
      return refuse(*this, "carried value " + Twine(i) + " after an iteration",
                    next->getOperand(i).getType(), getResult(i).getType(),
                    next->getOperand(i).getLoc(), getInputs()[i].getLoc());
  return success();
}

/// Returns the type of a slice of a scanned or stacked value; null if the value
/// does not have `length` slices.
static Type partOf(Type type, shape::Dim length) {
  auto whole = cast<RankedTensorType>(type);
  if (whole.getRank() == 0 || dimsOf(whole)[0] != length)
    return {};
  return tensorType(dimsOf(whole).drop_front(), whole.getElementType());
}

LogicalResult ScanOp::verify() {
  if (getLength().getDims().size() != 1 || lengthDim().isNone() ||
      lengthDim().number().value_or(0) < 0)
    return emitOpError("needs one length");
  auto carried = static_cast<size_t>(getCarried());
  auto scanned = static_cast<size_t>(getScanned());
  if (getCarried() < 0 || getScanned() < 0 || carried > getInputs().size() ||
      scanned > getInputs().size() - carried)
    return emitOpError("has ") << getInputs().size() << " inputs, not "
                               << getCarried() << " and " << getScanned();
  if (getNumResults() < carried)
    return emitOpError("carries ")
           << carried << " values, but has " << getNumResults() << " results";
  SmallVector<Type> arguments{
      RankedTensorType::get({}, IntegerType::get(getContext(), 64))};
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    Type type = input.getType();
    if (i >= carried && i < carried + scanned) {
      type = partOf(type, lengthDim());
      if (!type)
        return emitOpError("input ")
               << i << " is " << input.getType() << ", whose first size is not "
               << toString(lengthDim());
    }
    arguments.push_back(type);
  }
  Block &block = getBody().front();
  if (TypeRange(block.getArgumentTypes()) != TypeRange(arguments))
    return emitOpError("the block's arguments are not the number of the "
                       "iteration, what is carried, parts of what is scanned, "
                       "and the other inputs");
  FailureOr<ReturnOp> exit = exitOf(*this, getBody(), getNumResults());
  if (failed(exit))
    return failure();
  for (auto [i, result] : llvm::enumerate(getResults())) {
    Type type = result.getType();
    if (i < carried && failed(checkType(*this, "result " + Twine(i),
                                        getInputs()[i].getType(), type)))
      return failure();
    if (i >= carried && !(type = partOf(type, lengthDim())))
      return emitOpError("result ")
             << i << " is " << result.getType() << ", whose first size is not "
             << toString(lengthDim());
    Value part = exit->getOperand(i);
    if (i < carried && part.getType() != type)
      return refuse(*this, "carried value " + Twine(i) + " after an iteration",
                    part.getType(), type, part.getLoc(),
                    getInputs()[i].getLoc());
    if (failed(checkType(*this, "part of result " + Twine(i), type,
                         part.getType())))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

LogicalResult CustomVjpOp::verify() {
  auto arguments = static_cast<size_t>(getArguments());
  auto returned = static_cast<size_t>(getReturned());
  if (getArguments() < 0 || arguments > getInputs().size())
    return emitOpError("has ")
           << getInputs().size() << " inputs, not " << getArguments();
  if (getReturned() < 0 || returned > getNumResults())
    return emitOpError("has ")
           << getNumResults() << " results, not " << getReturned();
  Block &forward = getForward().front(), &backward = getBackward().front();
  if (TypeRange(forward.getArgumentTypes()) != getInputs().getTypes())
    return emitOpError("the first block's arguments differ from the inputs");
  FailureOr<ReturnOp> value = exitOf(*this, getForward(), getNumResults());
  if (failed(value))
    return failure();
  if (value->getOperandTypes() != getResultTypes())
    return emitOpError("the first block must return the results' types");
  SmallVector<Type> types(getResults().drop_front(returned).getTypes());
  llvm::append_range(types, getResults().take_front(returned).getTypes());
  llvm::append_range(types, getInputs().drop_front(arguments).getTypes());
  if (TypeRange(backward.getArgumentTypes()) != TypeRange(types))
    return emitOpError("the second block's arguments are not what the first "
                       "one kept, cotangents, and the other inputs");
  FailureOr<ReturnOp> gradients = exitOf(*this, getBackward(), arguments);
  if (failed(gradients))
    return failure();
  for (size_t i = 0; i < arguments; ++i)
    if (failed(checkType(*this, "gradient " + Twine(i),
                         getInputs()[i].getType(),
                         gradients->getOperand(i).getType())))
      return failure();
  return success();
}

} // namespace tensorc::tx

using namespace tensorc::tx;
#define GET_OP_CLASSES
#include "ir/tx/TxControl.cpp.inc"
