//===- Specialize.cpp - --shape: fixed and renamed dims -------------------===//

#include "tools/tensorc/Module.h"

#include "ir/reference/Symbols.h"
#include "ir/tx/Dims.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tensorc::tool {

namespace {
/// New meanings of dim names: a size or another name.
using Renaming = llvm::StringMap<std::string>;
} // namespace

/// The dim as an expression of `space`: a number or a name.
static AffineExpr exprOf(StringRef dim, tx::DimSpace &space) {
  int64_t size;
  return dim.getAsInteger(10, size) ? space.symbol(dim) : space.constant(size);
}

static Type rename(RankedTensorType type, const Renaming &renaming) {
  auto dims = dyn_cast_or_null<tx::DimsAttr>(type.getEncoding());
  if (!dims)
    return type;
  tx::DimSpace space(type.getContext());
  SmallVector<AffineExpr> replacement, result;
  for (StringAttr name : dims.getNames()) {
    auto it = renaming.find(name.getValue());
    replacement.push_back(exprOf(
        it == renaming.end() ? name.getValue() : StringRef(it->second), space));
  }
  for (AffineExpr expr : dims.getDims().getResults())
    result.push_back(expr.replaceSymbols(replacement));
  return space.type(result, type.getElementType());
}

namespace {
/// Collects what the specifications say, then rewrites the function.
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
  LogicalResult solve(unsigned index, const ShapeSpec &spec, AffineExpr expr,
                      ArrayRef<StringAttr> names, StringRef dim);
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
  if (name.starts_with("?"))
    return error(index, spec) << "a dimension has no name to replace";
  auto [it, isNew] = renaming.try_emplace(name, dim);
  if (!isNew && it->second != dim)
    return error(index, spec) << "dimension " << name << " is both "
                              << it->second << " and " << dim;
  return success();
}

/// A size for `n * 2 + 1` is one for n.
LogicalResult Specializer::solve(unsigned index, const ShapeSpec &spec,
                                 AffineExpr expr, ArrayRef<StringAttr> names,
                                 StringRef dim) {
  std::string text = tx::toString(expr, names);
  int64_t size, factor = 1, rest = 0;
  if (dim == text)
    return success();
  if (dim.getAsInteger(10, size))
    return error(index, spec)
           << "a dimension is " << text << ", which cannot be called " << dim;
  auto constantOf = [](AffineExpr e) {
    return dyn_cast<AffineConstantExpr>(e);
  };
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add &&
      constantOf(binary.getRHS())) {
    rest = constantOf(binary.getRHS()).getValue();
    expr = binary.getLHS();
    binary = dyn_cast<AffineBinaryOpExpr>(expr);
  }
  if (binary && expr.getKind() == AffineExprKind::Mul &&
      constantOf(binary.getRHS())) {
    factor = constantOf(binary.getRHS()).getValue();
    expr = binary.getLHS();
  }
  auto symbol = dyn_cast<AffineSymbolExpr>(expr);
  if (!symbol)
    return success(); // check() sees whether it comes out right.
  bool fits =
      factor && (size - rest) % factor == 0 && (size - rest) / factor >= 0;
  if (!fits)
    return error(index, spec)
           << "a dimension is " << text << ", which is never " << dim;
  return set(index, spec, names[symbol.getPosition()],
             std::to_string((size - rest) / factor));
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
  tx::DimSpace space(function.getContext());
  for (auto [dim, expr] : llvm::zip(spec.dims, space.dims(type))) {
    LogicalResult result = success();
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      result = set(*index, spec, space.names()[symbol.getPosition()], dim);
    else if (!isa<AffineConstantExpr>(expr))
      result = solve(*index, spec, expr, space.names(), dim);
    else if (exprOf(dim, space) != expr)
      result = error(*index, spec)
               << "a dimension is " << tx::toString(expr, space.names())
               << ", not " << dim;
    if (failed(result))
      return failure();
  }
  return success();
}

/// After all names have their meanings: what follows from them is as given.
LogicalResult Specializer::check(const ShapeSpec &spec) {
  unsigned index = *find(spec);
  auto type = dyn_cast<RankedTensorType>(function.getArgument(index).getType());
  if (!type)
    return success();
  tx::DimSpace space(function.getContext());
  auto renamed = cast<RankedTensorType>(rename(type, renaming));
  for (auto [dim, before, after] :
       llvm::zip(spec.dims, space.dims(type), space.dims(renamed)))
    if (!isa<AffineSymbolExpr, AffineConstantExpr>(before) &&
        dim != tx::toString(before, space.names()) &&
        exprOf(dim, space) != after)
      return error(index, spec)
             << "a dimension is " << tx::toString(before, space.names())
             << " = " << tx::toString(after, space.names()) << ", not " << dim;
  return success();
}

/// tx.symbols and tx.symbol by the new names; a size must be allowed, and an
/// argument that gave it must have it.
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
