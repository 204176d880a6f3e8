//===- Specialize.cpp - Implements --shape: fixed and renamed dims --------===//

#include "tools/tensorc/Module.h"

#include "ir/reference/Symbols.h"
#include "ir/tx/Dims.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::tool {

namespace {
/// Maps names of dims to their replacements: a size or another name.
using Renaming = llvm::StringMap<std::string>;
} // namespace

/// Parses a number or a name.
static Dim parseDim(StringRef text, MLIRContext *context) {
  int64_t size;
  return text.getAsInteger(10, size) ? tx::dimContext(context).symbol(text)
                                     : Dim(size);
}

static SmallVector<Dim> rename(ArrayRef<Dim> dims, const Renaming &renaming,
                               MLIRContext *context) {
  auto replacement = [&](Dim symbol) {
    auto it = renaming.find(symbol.name());
    return it == renaming.end() ? symbol : parseDim(it->second, context);
  };
  SmallVector<Dim> renamed;
  for (Dim dim : dims)
    renamed.push_back(shape::substitute(dim, replacement));
  return renamed;
}

static Type rename(RankedTensorType type, const Renaming &renaming) {
  if (!type.getEncoding())
    return type;
  return tx::tensorType(rename(tx::dimsOf(type), renaming, type.getContext()),
                        type.getElementType());
}

namespace {
/// Collects the contents of all specifications and then rewrites the function.
class Specializer {
public:
  explicit Specializer(func::FuncOp function) : function(function) {}
  LogicalResult collect(const ShapeSpec &spec);
  LogicalResult check(const ShapeSpec &spec);
  LogicalResult rewrite();

private:
  FailureOr<unsigned> find(const ShapeSpec &spec);
  InFlightDiagnostic error(unsigned index, const ShapeSpec &spec) {
    BlockArgument argument = function.getArgument(index);
    return emitError(argument.getLoc())
           << "--shape of " << spec.argument << " does not fit its type "
           << argument.getType() << ": ";
  }
  LogicalResult set(unsigned index, const ShapeSpec &spec, StringRef name,
                    StringRef dim);
  LogicalResult solve(unsigned index, const ShapeSpec &spec, Dim expr,
                      StringRef dim);
  LogicalResult rewriteFacts();

  func::FuncOp function;
  Renaming renaming;
};
} // namespace

FailureOr<unsigned> Specializer::find(const ShapeSpec &spec) {
  if (std::optional<unsigned> index = findArgument(function, spec.argument))
    return *index;
  return function.emitError("has no argument ")
         << spec.argument << " for --shape";
}

LogicalResult Specializer::set(unsigned index, const ShapeSpec &spec,
                               StringRef name, StringRef dim) {
  auto [it, isNew] = renaming.try_emplace(name, dim);
  if (!isNew && it->second != dim)
    return error(index, spec) << "dimension " << name << " is both "
                              << it->second << " and " << dim;
  return success();
}

/// Derives the size of n from a size for `n * 2 + 1`.
LogicalResult Specializer::solve(unsigned index, const ShapeSpec &spec,
                                 Dim expr, StringRef dim) {
  std::string text = toString(expr);
  int64_t size;
  if (dim == text)
    return success();
  if (dim.getAsInteger(10, size))
    return error(index, spec)
           << "a dimension is " << text << ", which cannot be called " << dim;
  ArrayRef<shape::Term> terms = expr.terms();
  if (terms.size() != 1 || terms[0].factors.size() != 1 ||
      !terms[0].factors[0].isSymbol())
    return success(); // check() verifies the result
  int64_t factor = terms[0].coefficient, rest = size - expr.constant();
  if (rest % factor != 0 || rest / factor < 0)
    return error(index, spec)
           << "a dimension is " << text << ", which is never " << dim;
  return set(index, spec, terms[0].factors[0].name(),
             std::to_string(rest / factor));
}

LogicalResult Specializer::collect(const ShapeSpec &spec) {
  FailureOr<unsigned> index = find(spec);
  if (failed(index))
    return failure();
  Type argument = function.getArgument(*index).getType();
  if (auto symbol =
          function.getArgAttrOfType<StringAttr>(*index, tx::symbolAttr))
    if (spec.dims.size() == 1)
      return set(*index, spec, symbol, spec.dims[0]);
  auto type = dyn_cast<RankedTensorType>(argument);
  if (!type || type.getRank() != static_cast<int64_t>(spec.dims.size()))
    return error(*index, spec) << "ranks differ";
  for (auto [dim, expr] : llvm::zip(spec.dims, tx::dimsOf(type))) {
    LogicalResult result = success();
    if (expr.isNone())
      result = error(*index, spec) << "a dimension has no name to replace";
    else if (expr.isSymbol())
      result = set(*index, spec, expr.name(), dim);
    else if (!expr.isNumber())
      result = solve(*index, spec, expr, dim);
    else if (parseDim(dim, function.getContext()) != expr)
      result = error(*index, spec)
               << "a dimension is " << toString(expr) << ", not " << dim;
    if (failed(result))
      return failure();
  }
  return success();
}

/// Checks, after all names are solved, that dims with expressions have the
/// given sizes.
LogicalResult Specializer::check(const ShapeSpec &spec) {
  unsigned index = *find(spec);
  auto type = dyn_cast<RankedTensorType>(function.getArgument(index).getType());
  if (!type)
    return success();
  auto renamed = cast<RankedTensorType>(rename(type, renaming));
  for (auto [dim, before, after] :
       llvm::zip(spec.dims, tx::dimsOf(type), tx::dimsOf(renamed)))
    if (!before.isSymbol() && !before.isNumber() && dim != toString(before) &&
        parseDim(dim, function.getContext()) != after)
      return error(index, spec) << "a dimension is " << toString(before)
                                << " = " << toString(after) << ", not " << dim;
  return success();
}

/// Rewrites tx.symbols and tx.symbol with the new names. A size must satisfy
/// the constraints in tx.symbols and agree with a fixed argument.
LogicalResult Specializer::rewriteFacts() {
  MLIRContext *context = function.getContext();
  SmallVector<Attribute> facts;
  if (auto list = function->getAttrOfType<ArrayAttr>(tx::symbolsAttr))
    for (auto fact : list.getAsRange<tx::SymbolAttr>()) {
      auto it = renaming.find(fact.getName().getValue());
      int64_t size;
      if (it == renaming.end()) {
        facts.push_back(fact);
      } else if (StringRef(it->second).getAsInteger(10, size)) {
        facts.push_back(tx::SymbolAttr::get(
            context, StringAttr::get(context, it->second), fact.getMin(),
            fact.getMax(), fact.getDivisor()));
      } else if (size < fact.getMin() || size > fact.getMax() ||
                 size % fact.getDivisor()) {
        return function.emitError("--shape makes ")
               << fact.getName().getValue() << " " << size
               << ", which its tx.symbols do not allow";
      }
    }
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto symbol = function.getArgAttrOfType<StringAttr>(i, tx::symbolAttr);
    auto it = symbol ? renaming.find(symbol.getValue()) : renaming.end();
    int64_t size;
    if (it == renaming.end())
      continue;
    if (!StringRef(it->second).getAsInteger(10, size))
      facts.push_back(tx::SymbolAttr::get(context, symbol, size, size, 1));
    else
      function.setArgAttr(i, tx::symbolAttr,
                          StringAttr::get(context, it->second));
  }
  function->removeAttr(tx::symbolsAttr);
  if (!facts.empty())
    function->setAttr(tx::symbolsAttr, ArrayAttr::get(context, facts));
  return success();
}

LogicalResult Specializer::rewrite() {
  if (renaming.empty())
    return success();
  if (failed(rewriteFacts()))
    return failure();
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        return std::pair(rename(type, renaming), WalkResult::skip());
      });
  // Replaces sizes outside of types: those of tx.size, the lengths of scans,
  // and grids.
  replacer.addReplacement(
      [&](tx::DimsAttr dims)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        MLIRContext *context = dims.getContext();
        return std::pair(tx::DimsAttr::get(context, rename(dims.getDims(),
                                                           renaming, context)),
                         WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return verify(function);
}

LogicalResult specialize(func::FuncOp function, ArrayRef<ShapeSpec> shapes) {
  Specializer specializer(function);
  for (const ShapeSpec &spec : shapes)
    if (failed(specializer.collect(spec)))
      return failure();
  for (const ShapeSpec &spec : shapes)
    if (failed(specializer.check(spec)))
      return failure();
  return specializer.rewrite();
}

} // namespace tensorc::tool
