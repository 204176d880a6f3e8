//===- TxDialect.cpp - The tx dialect -------------------------------------===//

#include "ir/tx/Tx.h"
#include "ir/tx/ops/ProductPrecision.h"
#include "ir/tx/ops/Rounding.h"
#include "ir/tx/structure/MemoryKinds.h"

#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "ir/tx/TxDialect.cpp.inc"
#include "ir/tx/TxEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/tx/TxAttributes.cpp.inc"

namespace tensorc::tx {

#include "ir/tx/OpAttributes.cpp.inc"

void registerComplexOps(TxDialect &dialect);
void registerControlOps(TxDialect &dialect);
void registerKernelOps(TxDialect &dialect);
void registerDftOp(TxDialect &dialect);
void registerSizeOp(TxDialect &dialect);
void registerStructureOps(TxDialect &dialect);
/// These functions are defined in ir/library.
void registerLibraryOps(TxDialect &dialect);

void TxDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/tx/TxAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/tx/TxOps.cpp.inc"
      >();
  registerComplexOps(*this);
  registerControlOps(*this);
  registerKernelOps(*this);
  registerDftOp(*this);
  registerSizeOp(*this);
  registerStructureOps(*this);
  registerLibraryOps(*this);
}

Operation *TxDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

LogicalResult verifyInOrderedBlock(Operation *op) {
  if (!op->getParentOp() || mayHaveSSADominance(*op->getParentRegion()))
    return success();
  return op->emitOpError("must be in a function");
}

LogicalResult TxDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attribute) {
  if (attribute.getName() == symbolsAttr) {
    auto list = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!list || !llvm::all_of(list, llvm::IsaPred<SymbolAttr>))
      return op->emitError("tx.symbols must be a list of #tx.symbol");
    for (auto symbol : list.getAsRange<SymbolAttr>())
      if (symbol.getMin() < 0 || symbol.getMax() < symbol.getMin() ||
          symbol.getDivisor() < 1)
        return op->emitError("tx.symbols: impossible bounds of ")
               << symbol.getName();
    return success();
  }
  if (attribute.getName() == targetAttr || attribute.getName() == nameAttr ||
      attribute.getName() == fromAttr)
    return isa<StringAttr>(attribute.getValue())
               ? success()
               : op->emitError() << attribute.getName() << " must be a string";
  if (attribute.getName() == tf32Attr ||
      attribute.getName() == roundsToTF32Attr) {
    auto dot = dyn_cast<DotGeneralOp>(op);
    return dot && isa<UnitAttr>(attribute.getValue()) &&
                   dot.getX().getType().getElementType().isF32() &&
                   dot.getY().getType().getElementType().isF32()
               ? success()
               : op->emitError() << attribute.getName().getValue()
                                 << " is for a dot_general of f32";
  }
  return op->emitError("unknown attribute '")
         << attribute.getName().getValue() << "'";
}

LogicalResult TxDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                  unsigned argIndex,
                                                  NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError("tx attributes belong on a function's arguments");
  Type type = function.getArgument(argIndex).getType();
  if (attribute.getName() == scalarAttr) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() != 0)
      return op->emitError("tx.scalar belongs on a tensor of rank 0, not on ")
             << type;
    if (isa<ComplexType>(tensor.getElementType()))
      return op->emitError("tx.scalar: a value of ")
             << tensor.getElementType()
             << " is not passed alone; pass its parts and tx.complex them";
    if (tensor.getElementTypeBitWidth() == 4)
      return op->emitError("tx.scalar: a value of ")
             << tensor.getElementType() << " is not passed alone; pass "
             << (tensor.getElementType().isUnsignedInteger() ? "ui8" : "i8")
             << " and tx.convert it";
    return success();
  }
  if (attribute.getName() == donatedAttr) {
    // Functions of the program dialect have buffers instead of tensors.
    bool isWord =
        type.isIntOrIndex() || function.getArgAttr(argIndex, scalarAttr);
    if (isWord || !isa<UnitAttr>(attribute.getValue()))
      return op->emitError("tx.donated belongs on a tensor that is not passed "
                           "by value, and has no value");
    return success();
  }
  if (attribute.getName() == symbolAttr) {
    if (!type.isIndex() || !isa<StringAttr>(attribute.getValue()))
      return op->emitError("tx.symbol is a name for an argument of type index");
    return success();
  }
  if ((attribute.getName() == nameAttr || attribute.getName() == memoryAttr ||
       attribute.getName() == shardingAttr) &&
      isa<StringAttr>(attribute.getValue()))
    return success();
  return op->emitError("unknown argument attribute '")
         << attribute.getName().getValue() << "'";
}

} // namespace tensorc::tx
