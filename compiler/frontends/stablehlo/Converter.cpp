//===- Converter.cpp - Conversion of StableHLO to tx ----------------------===//

#include "compiler/frontends/stablehlo/StableHlo.h"
#include "compiler/frontends/stablehlo/Words.h"

#include "ir/tx/Control.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::stablehlo {

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool isTwoBits(Type element) { return element.isInteger(2); }

std::optional<DType> dtypeIn(Type element) {
  if (isTwoBits(element))
    return element.isUnsignedInteger() ? DType::UI4 : DType::I4;
  return tx::dtypeOf(element);
}

Value convertTo(TensorBuilder &b, Value x, Type element) {
  DType dtype = *dtypeIn(element);
  if (isTwoBits(element)) {
    x = b.convert(x, tx::isUnsigned(dtype) ? DType::UI8 : DType::I8);
    x = b.map<tx::ShlOp>({x, 6});
    x = tx::isUnsigned(dtype) ? b.map<tx::ShrLogicalOp>({x, 6})
                              : b.map<tx::ShrArithOp>({x, 6});
  }
  return b.convert(x, dtype);
}

std::optional<int64_t> Call::number(StringRef name) const {
  std::optional<int64_t> number = numberIn(attribute(name));
  if (!number)
    refuse() << "needs a number '" << name << "'";
  return number;
}

std::optional<NumberList> Call::numbers(StringRef name) const {
  std::optional<NumberList> list = numbersIn(attribute(name));
  if (!list)
    refuse() << "needs a list of numbers '" << name << "'";
  return list;
}

std::optional<NumberList>
Call::numbers(StringRef name, size_t count,
              std::optional<int64_t> otherwise) const {
  if (!attribute(name) && otherwise)
    return NumberList(count, *otherwise);
  std::optional<NumberList> list = numbers(name);
  if (list && list->size() != count) {
    refuse() << "needs " << count << " numbers in '" << name << "', has "
             << list->size();
    return std::nullopt;
  }
  return list;
}

RankedTensorType Call::declared(unsigned result) const {
  auto type = dyn_cast<RankedTensorType>(op->getResult(result).getType());
  std::optional<DType> dtype =
      type ? dtypeIn(type.getElementType()) : std::nullopt;
  return dtype ? type.clone(tx::elementType(type.getContext(), *dtype)) : type;
}

std::optional<DType> Call::declaredDType(unsigned result) const {
  auto type = dyn_cast<RankedTensorType>(op->getResult(result).getType());
  std::optional<DType> dtype =
      type ? dtypeIn(type.getElementType()) : std::nullopt;
  if (!dtype)
    refuse() << "has a result of type " << op->getResult(result).getType()
             << ", which tensors do not have here";
  return dtype;
}

bool Call::isStatic(size_t last) const {
  for (Value value : x) {
    Dims dims = dimsOf(value);
    for (Dim dim : last ? dims.take_back(last) : dims)
      if (!dim.isNumber())
        return refuse() << "is not available where the size "
                        << shape::toString(dim) << " is known only in a run",
               false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

Converter::Converter(ModuleOp source, Progress &progress)
    : distribution(source), source(source), b(source.getContext()),
      ops(source, progress) {
  addElementwiseOps(table);
  addMathOps(table);
  addShapeOps(table);
  addDynamicShapes(table);
  addContractions(table);
  addLinearAlgebra(table);
  addReductions(table);
  addWindows(table);
  addIndexingOps(table);
  addSortOps(table);
  addCollectives(table);
  addShardings(table);
  addControlOps(table);
  addNormalizations(table);
  addCustomCalls(table);
  addTokens(table);
  addRandomOps(table);
}

/// Reports an unknown op once, for all ops with this name.
void Converter::refuseUnknown(Operation &op) {
  failed = true;
  if (refused.insert(op.getName().getStringRef()).second)
    op.emitError() << op.getName() << " has no meaning in tensorc";
}

/// Refuses quantized types, whose scale and zero point are part of the type and
/// would have to become operands. Reports all such types in one diagnostic.
bool Converter::refuseQuantized(Operation &op) {
  auto isQuantized = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    auto opaque = dyn_cast<OpaqueType>(element);
    return opaque && opaque.getDialectNamespace() == "quant";
  };
  auto types = op.getResultTypes();
  auto found = llvm::find_if(types, isQuantized);
  if (found == types.end())
    return false;
  failed = true;
  if (refused.insert("!quant").second)
    op.emitOpError() << "has a result of the quantized type " << *found
                     << "; quantize and dequantize by ops of plain dtypes";
  return true;
}

static std::string typesOf(ArrayRef<Value> values) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(values, out,
                        [&](Value value) { out << value.getType(); });
  return text;
}

LogicalResult Converter::checkOperands(const Row &row, Operation &op,
                                       ArrayRef<Value> x) {
  if (x.size() < row.least || x.size() > row.most)
    return op.emitOpError() << "has " << x.size() << " operands";
  if (op.getNumRegions() != row.regions && row.regions != anyCount)
    return op.emitOpError() << "has " << op.getNumRegions() << " regions";
  for (Region &region : op.getRegions())
    if (!region.hasOneBlock())
      return op.emitOpError() << "has a region of several blocks";
  if (lifting && !row.isElementwise && !row.isLiftable)
    return op.emitOpError() << "is not available in the region of a reduction";
  if (!row.isElementwise || lifting)
    return success();
  if (op.getNumResults() != 1)
    return op.emitOpError() << "has " << op.getNumResults() << " results";
  for (Value value : x)
    // In select and clamp, a rank-0 operand applies to all elements.
    if (rankOf(value) != 0 && rankOf(x.back()) != 0 &&
        dimsOf(value) != dimsOf(x.back()))
      return op.emitOpError()
             << "has operands of several shapes: " << typesOf(x);
  return success();
}

/// True if the types agree. Dynamic dims in the declared type match any size.
static bool agrees(Type declared, Type found) {
  auto text = dyn_cast<RankedTensorType>(declared);
  auto type = cast<RankedTensorType>(found);
  if (!text ||
      dtypeIn(text.getElementType()) != tx::dtypeOf(type.getElementType()) ||
      text.getRank() != type.getRank())
    return false;
  for (auto [said, is] : llvm::zip(text.getShape(), type.getShape()))
    if (!ShapedType::isDynamic(said) && !ShapedType::isDynamic(is) &&
        said != is)
      return false;
  return true;
}

LogicalResult Converter::keep(Operation &op, ArrayRef<Value> results) {
  if (results.size() != op.getNumResults())
    return op.emitOpError() << "has " << op.getNumResults()
                            << " results instead of " << results.size();
  for (auto [result, value] : llvm::zip(op.getResults(), results)) {
    if (!lifting && !agrees(result.getType(), value.getType()))
      return op.emitOpError() << "gives " << value.getType()
                              << " where the text says " << result.getType();
    values[result] = value;
  }
  return success();
}

/// Returns the results of an op for these operands.
Results Converter::handle(const Row &row, Operation &op,
                          MutableArrayRef<Value> x) {
  TensorBuilder builder(b, &op);
  bool widens = row.isElementwise && row.widensStorage;
  for (Value &value : x)
    if (DType dtype = dtypeOf(value); widens && tx::isStorage(dtype))
      value = builder.convert(value, tx::isFloat(dtype)      ? DType::F32
                                     : tx::isUnsigned(dtype) ? DType::UI8
                                                             : DType::I8);
  Call call{*this, &op, x, builder, lifting > 0};
  Results results = row.handler(call);
  if (widens && succeeded(results))
    for (auto [result, value] : llvm::zip(op.getResults(), *results))
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        if (std::optional<DType> dtype = dtypeIn(type.getElementType());
            dtype && tx::isStorage(*dtype))
          value = convertTo(builder, value, type.getElementType());
  return results;
}

LogicalResult Converter::convertOp(Operation &op) {
  if (!ops.takeOp())
    return op.emitError("the program calls functions of more than a million "
                        "ops in all");
  if (refuseQuantized(op))
    return success();
  auto row = table.find(op.getName().getStringRef());
  if (row == table.end()) {
    refuseUnknown(op);
    return success();
  }
  Values x;
  for (Value operand : op.getOperands()) {
    Value value = valueOf(operand);
    if (!value)
      return success(); // the value belongs to an op that was refused
    x.push_back(value);
  }
  Results results = mlir::failed(checkOperands(row->second, op, x))
                        ? Results(failure())
                        : handle(row->second, op, x);
  if (mlir::failed(results) || mlir::failed(keep(op, *results)))
    failed = true;
  else if (row->second.isElementwise && !lifting)
    distribution.hintLike(x, results->front());
  return success();
}

Results Converter::convertBlock(Block &block) {
  Operation *end = block.empty() ? nullptr : &block.back();
  for (Operation &op : block) {
    if (&op == end)
      break;
    uint64_t before = ops.getNumDone();
    if (mlir::failed(convertOp(op)))
      return failure();
    ops.finish(&op, before);
  }
  if (!end || !end->getName().getStringRef().ends_with(".return"))
    return block.getParentOp()->emitOpError()
           << "has a block that does not end with a return";
  Values results;
  for (Value operand : end->getOperands()) {
    results.push_back(valueOf(operand));
    if (!results.back()) {
      failed = true;
      return failure();
    }
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Regions and functions
//===----------------------------------------------------------------------===//

Results Converter::call(Operation *op, StringRef callee, ArrayRef<Value> x) {
  auto function = source.lookupSymbol<func::FuncOp>(callee);
  if (!function || function.isExternal())
    return op->emitOpError() << "calls @" << callee << ", which has no body";
  if (llvm::is_contained(callees, callee))
    return op->emitOpError() << "calls @" << callee << " within itself";
  // Maximum depth of calls, because converting a call within a call uses the
  // stack.
  constexpr size_t deepest = 128;
  if (callees.size() >= deepest)
    return op->emitOpError() << "is a call within " << deepest << " others";
  Block &body = function.getBody().front();
  if (!function.getBody().hasOneBlock() || body.getNumArguments() != x.size())
    return op->emitOpError() << "does not fit @" << callee;
  for (auto [argument, value] : llvm::zip(body.getArguments(), x))
    if (!lifting && !agrees(argument.getType(), value.getType()))
      return op->emitOpError()
             << "gives " << value.getType() << " to @" << callee
             << ", which takes " << argument.getType();
  callees.push_back(callee);
  auto outside = std::exchange(values, llvm::DenseMap<Value, Value>());
  for (auto [argument, value] : llvm::zip(body.getArguments(), x))
    values[argument] = value;
  Results results = convertBlock(body);
  values = std::move(outside);
  callees.pop_back();
  return results;
}

Results Converter::lift(Region &region, ArrayRef<Value> elements,
                        const llvm::DenseMap<Value, Value> &captured) {
  Block &block = region.front();
  if (block.getNumArguments() != elements.size())
    return region.getParentOp()->emitOpError()
           << "has a region of " << block.getNumArguments()
           << " arguments instead of " << elements.size();
  for (auto [argument, value] : llvm::zip(block.getArguments(), elements)) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getElementType() != typeOf(value).getElementType())
      return region.getParentOp()->emitOpError()
             << "has a region that takes " << argument.getType()
             << " instead of an element of " << value.getType();
    values[argument] = value;
  }
  llvm::DenseMap<Value, Value> outside;
  for (auto [source, value] : captured)
    outside[source] = std::exchange(values[source], value);
  ++lifting;
  Results results = convertBlock(block);
  --lifting;
  for (auto [source, value] : outside)
    values[source] = value;
  if (mlir::failed(results))
    return failure();
  TensorBuilder words(b, region.getParentOp());
  for (Value &result : *results)
    result = words.broadcast(result, dimsOf(elements.front()));
  return results;
}

Results Converter::inlined(Region &region, ArrayRef<Value> x) {
  Block &block = region.front();
  if (block.getNumArguments() != x.size())
    return region.getParentOp()->emitOpError()
           << "has a region of " << block.getNumArguments()
           << " arguments instead of " << x.size();
  for (auto [argument, value] : llvm::zip(block.getArguments(), x)) {
    if (!agrees(argument.getType(), value.getType()))
      return region.getParentOp()->emitOpError()
             << "has a region that takes " << argument.getType()
             << " instead of " << value.getType();
    values[argument] = value;
  }
  return convertBlock(block);
}

/// Returns the op of a constant, which can be cloned into a region; else null.
static Operation *constantOf(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().getStringRef() == "stablehlo.constant" ? op
                                                                    : nullptr;
}

SmallVector<Value> Converter::capturedBy(MutableArrayRef<Region> regions) {
  llvm::SetVector<Value> found;
  getUsedValuesDefinedAbove(regions, found);
  return llvm::filter_to_vector(found.takeVector(), [&](Value value) {
    return !constantOf(value) && !isSize(value);
  });
}

bool Converter::isSize(Value source) {
  Value value = valueOf(source);
  const auto *sizes = value ? known.sizes(value) : nullptr;
  return sizes && llvm::none_of(*sizes, [](Dim dim) { return dim.isNone(); });
}

Region *Converter::calledComputation(Operation *op) {
  auto names =
      dyn_cast_if_present<ArrayAttr>(attributeOf(op, "called_computations"));
  auto name = names && names.size() == 1 ? dyn_cast<FlatSymbolRefAttr>(names[0])
                                         : FlatSymbolRefAttr();
  auto function = name ? source.lookupSymbol<func::FuncOp>(name.getValue())
                       : func::FuncOp();
  return function && function.getBody().hasOneBlock() ? &function.getBody()
                                                      : nullptr;
}

LogicalResult Converter::isolate(Region &region, ArrayRef<Value> captured,
                                 TypeRange arguments, Region &result) {
  OpBuilder::InsertionGuard guard(b);
  Operation *parent = region.getParentOp();
  Block *block = b.createBlock(&result);
  for (Type type : arguments)
    block->addArgument(type, parent->getLoc());
  auto outside = values;
  Distribution outsideDistribution = distribution;
  Value outsideEffect = std::exchange(effects.last, Value());
  Block &body = region.front();
  if (body.getNumArguments() + captured.size() > arguments.size())
    return parent->emitOpError()
           << "has a region of " << body.getNumArguments() << " arguments";
  llvm::SetVector<Value> found;
  getUsedValuesDefinedAbove(region, found);
  for (Value value : found) {
    if (Operation *constant = constantOf(value)) {
      if (mlir::failed(convertOp(*constant)))
        return failure();
    } else if (isSize(value)) {
      values[value] = known.copy(valueOf(value), b);
    }
  }
  for (auto [from, to] :
       llvm::zip(body.getArguments(), block->getArguments())) {
    if (!agrees(from.getType(), to.getType()))
      return parent->emitOpError()
             << "has a region that takes " << from.getType() << " instead of "
             << to.getType();
    values[from] = to;
  }
  for (auto [from, to] : llvm::zip(
           captured, block->getArguments().drop_front(body.getNumArguments())))
    values[from] = to;
  Results results = convertBlock(body);
  if (mlir::succeeded(results)) {
    if (results->empty() && !parent->getNumResults() &&
        parent->getName().getStringRef() != "stablehlo.while")
      results->push_back(TensorBuilder(b, parent).full(0, DType::I8));
    effects.endBlock(b, *results);
    tx::ReturnOp::create(b, parent->getLoc(), *results);
  }
  values = std::move(outside);
  distribution = std::move(outsideDistribution);
  effects.last = outsideEffect;
  return mlir::success(mlir::succeeded(results));
}

std::optional<Values> Converter::countLoop(tx::WhileOp loop) {
  TensorBuilder e(b, loop);
  auto results = countedLoop(e, loop, known);
  if (!results)
    return std::nullopt;
  b.setInsertionPointAfter(loop);
  loop.erase();
  // Drops the cached facts, because new values may have the addresses of erased
  // ones.
  known = {};
  return results;
}

} // namespace tensorc::stablehlo
