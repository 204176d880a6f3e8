//===- Txp.cpp - Parsing and verification of the host program dialect -----===//
#include "ir/program/Txp.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tensorc::txp;

#include "ir/program/TxpDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/program/TxpTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/program/TxpAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "ir/program/TxpOps.cpp.inc"

namespace tensorc::txp {
void registerKernelOps(TxpDialect &dialect);
void registerHostCopyOps(TxpDialect &dialect);
} // namespace tensorc::txp

void TxpDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/program/TxpTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/program/TxpAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/program/TxpOps.cpp.inc"
      >();
  registerKernelOps(*this);
  registerHostCopyOps(*this);
}

//===----------------------------------------------------------------------===//
// func
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &b, OperationState &state, StringRef name,
                   FunctionType type, ArrayRef<NamedAttribute> attrs) {
  state.addAttribute(getSymNameAttrName(state.name), b.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.attributes.append(attrs.begin(), attrs.end());
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto type = [](Builder &b, ArrayRef<Type> args, ArrayRef<Type> results,
                 function_interface_impl::VariadicFlag,
                 std::string &) { return b.getFunctionType(args, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), type,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &p) {
  function_interface_impl::printFunctionOp(
      p, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

/// Checks value `what` i of an entry: it must be a buffer, described by a
/// tensor type, or a word that carries a scalar or a named dim.
static LogicalResult verifyDescribed(FuncOp func, StringRef what,
                                     ArrayAttr types, ArrayAttr names,
                                     TypeRange values) {
  if (types.size() != values.size())
    return func.emitOpError() << "describes " << types.size() << " " << what
                              << "s but has " << values.size();
  if (names && names.size() != values.size())
    return func.emitOpError() << "names " << names.size() << " " << what
                              << "s but has " << values.size();
  for (auto [i, attr, value] : llvm::enumerate(types, values)) {
    Type type = cast<TypeAttr>(attr).getValue();
    auto tensor = dyn_cast<RankedTensorType>(type);
    bool fits = isa<BufferType>(value) ? static_cast<bool>(tensor)
                                       : (tensor && tensor.getRank() == 0) ||
                                             type.isIntOrIndexOrFloat();
    if (!fits)
      return func.emitOpError() << what << " " << i << " of type " << value
                                << " cannot be a " << type;
  }
  return success();
}

LogicalResult FuncOp::verify() {
  for (Type type :
       llvm::concat<const Type>(getArgumentTypes(), getResultTypes()))
    if (!isa<BufferType>(type) && !type.isInteger(64))
      return emitOpError() << "passes only !txp.buffer and i64, not " << type;
  if (!isEntry()) {
    if (getOutputs() || getInputNames() || getOutputNames())
      return emitOpError(
          "describes its values but has no 'inputs', so it is not an entry");
    return success();
  }
  if (!getOutputs())
    return emitOpError("is an entry ('inputs') without 'outputs'");
  for (Type type : getResultTypes())
    if (!isa<BufferType>(type))
      return emitOpError() << "is an entry and returns only buffers, not "
                           << type;
  if (failed(verifyDescribed(*this, "input", *getInputs(), getInputNamesAttr(),
                             getArgumentTypes())))
    return failure();
  return verifyDescribed(*this, "output", *getOutputs(), getOutputNamesAttr(),
                         getResultTypes());
}

static bool isProgramType(Type type) {
  return isa<BufferType, EventType>(type) || type.isInteger(64) ||
         type.isInteger(1);
}

LogicalResult FuncOp::verifyRegions() {
  if (getBody().empty())
    return emitOpError("has no body");
  WalkResult result = getBody().walk([&](Operation *op) -> WalkResult {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect != "txp" && dialect != "arith" && dialect != "scf" &&
        dialect != "builtin" && dialect != "ub")
      return op->emitOpError(
          "does not belong in a txp.func: only txp, arith and scf do");
    for (Type type : op->getResultTypes())
      if (!isProgramType(type))
        return op->emitOpError()
               << "yields " << type
               << "; a txp.func computes with i64, i1 and !txp.buffer only";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// return
//===----------------------------------------------------------------------===//

ParseResult ReturnOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> results, dims;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(results))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("dims")) &&
      parser.parseOperandList(dims, OpAsmParser::Delimiter::Paren))
    return failure();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  Builder &b = parser.getBuilder();
  if (failed(parser.parseOptionalColon()))
    types.assign(results.size(), BufferType::get(b.getContext()));
  else if (parser.parseTypeList(types))
    return failure();
  if (parser.resolveOperands(results, types, loc, result.operands) ||
      parser.resolveOperands(dims, b.getI64Type(), result.operands))
    return failure();
  auto &props = result.getOrAddProperties<ReturnOp::Properties>();
  props.operandSegmentSizes = {static_cast<int32_t>(results.size()),
                               static_cast<int32_t>(dims.size())};
  return success();
}

void ReturnOp::print(OpAsmPrinter &p) {
  if (!getResults().empty())
    p << ' ' << getResults();
  if (!getDims().empty())
    p << " dims(" << getDims() << ")";
  p.printOptionalAttrDict((*this)->getAttrs(),
                          {getOperandSegmentSizesAttrName()});
  if (!llvm::all_of(getResults().getTypes(), llvm::IsaPred<BufferType>))
    p << " : " << getResults().getTypes();
}

LogicalResult ReturnOp::verify() {
  auto func = cast<FuncOp>((*this)->getParentOp());
  if (getResults().getTypes() != func.getResultTypes())
    return emitOpError() << "gives (" << getResults().getTypes()
                         << ") but the function returns ("
                         << TypeRange(func.getResultTypes()) << ")";
  if (getDims().empty())
    return success();
  if (!func.isEntry())
    return emitOpError(
        "has 'dims', but only an entry's outputs have dimensions");
  size_t dynamic = 0;
  for (Type type : func.getOutputs()->getAsValueRange<TypeAttr>())
    dynamic += cast<RankedTensorType>(type).getNumDynamicDims();
  if (dynamic != getDims().size())
    return emitOpError() << "gives " << getDims().size()
                         << " dims, but the outputs have " << dynamic
                         << " dynamic dimensions";
  return success();
}

//===----------------------------------------------------------------------===//
// The other ops
//===----------------------------------------------------------------------===//

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto callee = tables.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "calls " << getCalleeAttr()
                         << ", which is not a txp.func";
  if (callee.isEntry())
    return emitOpError()
           << "calls " << getCalleeAttr()
           << ", an entry: move its body to a txp.func without 'inputs'";
  if (TypeRange(callee.getArgumentTypes()) != getArgs().getTypes() ||
      TypeRange(callee.getResultTypes()) != getResultTypes())
    return emitOpError() << "does not fit " << getCalleeAttr() << " : "
                         << callee.getFunctionType();
  return success();
}

LogicalResult DimOp::verify() {
  auto arg = dyn_cast<BlockArgument>(getBuffer());
  auto func = arg ? dyn_cast<FuncOp>(arg.getOwner()->getParentOp()) : FuncOp();
  if (!func || !func.isEntry())
    return emitOpError(
        "reads a dimension of a buffer that is not an entry's argument; "
        "only those have dimensions");
  if (arg.getArgNumber() >= func.getInputs()->size())
    return success(); // the function's verifier reports it
  auto type = dyn_cast<RankedTensorType>(
      cast<TypeAttr>((*func.getInputs())[arg.getArgNumber()]).getValue());
  if (type && static_cast<int64_t>(getIndex()) >= type.getRank())
    return emitOpError() << "reads dimension " << getIndex() << " of " << type;
  return success();
}

LogicalResult FillOp::verify() {
  uint32_t width = getWidth();
  if (width != 1 && width != 2 && width != 4 && width != 8)
    return emitOpError() << "fills with a pattern of " << width
                         << " bytes; it can be 1, 2, 4 or 8";
  return success();
}

LogicalResult ReadScalarOp::verify() {
  Type type = getElement();
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return emitOpError() << "cannot read a " << type << " into a word";
  return success();
}

LogicalResult CustomCallOp::verify() {
  if (getCallee().empty())
    return emitOpError("has no name");
  return success();
}

LogicalResult
TensorMapAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      int32_t buffer, int32_t element, int32_t swizzle,
                      ArrayRef<int32_t> box) {
  constexpr size_t maxDims = 5;
  if (buffer < 0 || box.empty() || box.size() > maxDims ||
      llvm::any_of(box, [](int32_t side) { return side < 1 || side > 256; }))
    return emitError() << "an impossible tensor map";
  if (element != 1 && element != 2 && element != 4 && element != 8)
    return emitError() << "a tensor map of elements of " << element << " bytes";
  if (swizzle && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitError() << "a tensor map with a swizzle of " << swizzle
                       << " bytes";
  return success();
}

LogicalResult LaunchOp::verify() {
  size_t words = 0, buffers = getIns().size() + getOuts().size();
  for (TensorMapAttr map : getTensorMaps()) {
    if (static_cast<size_t>(map.getBuffer()) >= buffers)
      return emitOpError() << "has a tensor map of buffer " << map.getBuffer()
                           << ", and passes " << buffers;
    words += 2 * map.getBox().size() - 1;
  }
  if (words != getWindows().size())
    return emitOpError()
           << "has " << getWindows().size()
           << " sizes and strides for its tensor maps, which take " << words;
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &tables) {
  Operation *kernel = tables.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "launches " << getKernelAttr()
                         << ", which is not defined";
  // After the stage `emit`, a kernel has typed arguments that can be checked; a
  // lowered kernel has the arguments of its target's ABI.
  auto func = dyn_cast<FunctionOpInterface>(kernel);
  StringRef kind = kernel->getName().getStringRef();
  bool isSimt = kind == "gpu.func";
  if (!func || !kernel->hasAttr("txk.kernel") ||
      (!isSimt && kind != "func.func"))
    return success();
  if (isSimt && (getBlock() == 0 || getScratch()))
    return emitOpError() << "of " << getKernelAttr()
                         << ", code of one thread, needs a block and no "
                            "scratch memory";
  if (!isSimt && getBlock())
    return emitOpError() << "has a block, but " << getKernelAttr()
                         << " takes a range";
  auto known = kernel->getAttrOfType<DenseI32ArrayAttr>("known_block_size");
  if (known && known[0] != static_cast<int32_t>(getBlock()))
    return emitOpError() << "has blocks of " << getBlock() << " threads, "
                         << getKernelAttr() << " is for " << known[0];
  auto shared = kernel->getAttrOfType<IntegerAttr>("txk.dynamic_shared");
  int64_t wanted = shared ? shared.getInt() : 0;
  if (wanted != static_cast<int64_t>(getShared()))
    return emitOpError() << "asks for " << getShared()
                         << " bytes of dynamic shared memory, "
                         << getKernelAttr() << " needs " << wanted;
  int trailing = isSimt ? 0 : 3; // begin, end and scratch
  int maps = getTensorMaps().size();
  int given = getIns().size() + getOuts().size() + getScalars().size() + maps;
  int taken = static_cast<int>(func.getNumArguments()) - trailing;
  if (taken != given)
    return emitOpError() << "passes " << given << " arguments to "
                         << getKernelAttr() << ", which takes " << taken;
  return success();
}
