//===- Symbols.cpp - Sizes of named dims while a function runs ------------===//

#include "ir/reference/Symbols.h"

#include "ir/tx/Dims.h"
#include "ir/tx/Names.h"

using namespace mlir;

namespace tensorc::reference {

static Location argumentLoc(func::FuncOp function, unsigned index) {
  return function.getArgument(index).getLoc();
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

FailureOr<int64_t> Symbols::evaluate(shape::Dim dim, Location loc) const {
  for (shape::Dim symbol : shape::symbolsOf(dim))
    if (!has(symbol.name()))
      return emitError(loc)
             << "no argument gives dimension " << symbol.name() << " a size";
  auto sizeOf = [&](StringRef name) { return std::optional(get(name)); };
  if (std::optional<int64_t> value = shape::evaluate(dim, sizeOf))
    return *value;
  return emitError(loc) << "the size " << toString(dim)
                        << " has no value for these arguments";
}

FailureOr<SmallVector<int64_t>> Symbols::shapeOf(RankedTensorType type,
                                                 Location loc) const {
  auto dims = dyn_cast_or_null<tx::DimsAttr>(type.getEncoding());
  if (!dims) {
    if (type.hasStaticShape())
      return llvm::to_vector(type.getShape());
    return emitError(loc) << "a dimension of " << type << " has no name";
  }
  SmallVector<int64_t> shape;
  for (shape::Dim dim : dims.getDims()) {
    FailureOr<int64_t> size = evaluate(dim, loc);
    if (failed(size))
      return failure();
    if (*size < 0)
      return emitError(loc)
             << "the size " << toString(dim) << " is negative: " << *size;
    shape.push_back(*size);
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

LogicalResult Symbols::bindName(StringRef name, int64_t size,
                                std::string source, Location loc) {
  auto [binding, isNew] = sizes.try_emplace(name, Binding{size, source});
  if (isNew || binding->second.size == size)
    return success();
  return emitError(loc) << "dimension " << name << " is "
                        << binding->second.size << " ("
                        << binding->second.source << ") and " << size << " ("
                        << source << ")";
}

LogicalResult Symbols::bindArgument(func::FuncOp function, unsigned index,
                                    const Array &argument) {
  Location loc = argumentLoc(function, index);
  std::string name = tx::argumentName(function, index);
  Type type = function.getArgumentTypes()[index];
  auto tensor = dyn_cast<RankedTensorType>(type);
  DType dtype = DType::I64;
  if (tensor) {
    std::optional<DType> element = dtypeOf(tensor.getElementType());
    if (!element)
      return emitError(loc)
             << "argument " << name << " has unsupported type " << type;
    dtype = *element;
  } else if (!type.isIndex()) {
    return emitError(loc) << "argument " << name << " has unsupported type "
                          << type;
  }
  size_t rank = tensor ? tensor.getRank() : 0;
  if (argument.dtype != dtype || argument.shape.size() != rank)
    return emitError(loc) << "argument " << name << " is "
                          << typeString(argument.dtype, argument.shape)
                          << ", not " << dtypeName(dtype)
                          << (tensor ? tx::shapeString(tensor) : "[]");
  if (!tensor) {
    auto symbol = function.getArgAttrOfType<StringAttr>(index, tx::symbolAttr);
    if (!symbol)
      return success();
    return bindName(symbol, read<int64_t>(argument)[0], "argument " + name,
                    loc);
  }
  for (auto [d, dim] : llvm::enumerate(tx::dimsOf(tensor)))
    if (dim.isSymbol() &&
        failed(bindName(dim.name(), argument.shape[d],
                        "dimension " + std::to_string(d) + " of " + name, loc)))
      return failure();
  return success();
}

/// Checks static dims, and dims that are expressions, once all names are bound.
LogicalResult Symbols::checkShape(func::FuncOp function, unsigned index,
                                  const Array &argument) const {
  auto tensor = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
  if (!tensor)
    return success();
  Location loc = argumentLoc(function, index);
  FailureOr<SmallVector<int64_t>> shape = shapeOf(tensor, loc);
  if (failed(shape))
    return failure();
  for (auto [d, expected, given] : llvm::enumerate(*shape, argument.shape))
    if (expected != given)
      return emitError(loc)
             << "dimension " << d << " of " << tx::argumentName(function, index)
             << " is " << given << ", not " << expected << ": given "
             << typeString(argument.dtype, argument.shape) << " for "
             << dtypeName(argument.dtype) << tx::shapeString(tensor);
  return success();
}

/// Checks the bounds and divisors in the function's tx.symbols.
LogicalResult Symbols::checkFacts(func::FuncOp function) const {
  auto facts = function->getAttrOfType<ArrayAttr>(tx::symbolsAttr);
  if (!facts)
    return success();
  for (auto fact : facts.getAsRange<tx::SymbolAttr>()) {
    auto binding = sizes.find(fact.getName().getValue());
    if (binding == sizes.end())
      continue;
    int64_t size = binding->second.size;
    InFlightDiagnostic error = function.emitError();
    error << "dimension " << fact.getName().getValue() << " is " << size << " ("
          << binding->second.source << "), ";
    if (size < fact.getMin())
      return error << "less than its minimum of " << fact.getMin();
    if (size > fact.getMax())
      return error << "more than its maximum of " << fact.getMax();
    if (size % fact.getDivisor())
      return error << "not a multiple of " << fact.getDivisor();
    error.abandon();
  }
  return success();
}

LogicalResult Symbols::bind(func::FuncOp function, ArrayRef<Array> arguments) {
  if (arguments.size() != function.getNumArguments())
    return function.emitError() << "takes " << function.getNumArguments()
                                << " arguments, not " << arguments.size();
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (failed(bindArgument(function, i, argument)))
      return failure();
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (failed(checkShape(function, i, argument)))
      return failure();
  return checkFacts(function);
}

} // namespace tensorc::reference
