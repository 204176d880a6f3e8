//===- OutputDims.cpp - sizes of an entry from its named dims -------------===//
#include "compiler/package/OutputDims.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

EntryDims::EntryDims(txp::FuncOp func) : space(func.getContext()) {
  ArrayAttr names = func.getInputNamesAttr();
  for (auto [i, type] :
       llvm::enumerate(func.getInputs()->getAsValueRange<TypeAttr>())) {
    auto input = static_cast<uint32_t>(i);
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      for (auto [k, expr] : llvm::enumerate(space.dims(tensor)))
        if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
          bindings.try_emplace(
              space.names()[symbol.getPosition()].getValue(),
              Binding{func.getArgument(input), static_cast<uint32_t>(k)});
    } else if (type.isIndex()) {
      auto symbol = func.getArgAttrOfType<StringAttr>(input, "tx.symbol");
      if (!symbol && names)
        symbol = cast<StringAttr>(names[input]);
      if (symbol)
        bindings.try_emplace(symbol.getValue(),
                             Binding{func.getArgument(input), std::nullopt});
    }
  }
}

FailureOr<uint32_t> EntryDims::evaluate(AffineExpr expr, Location loc,
                                        Emit emit, Use use) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    auto bits = static_cast<uint64_t>(constant.getValue());
    return emit(rt::Op::Const, {static_cast<uint32_t>(bits),
                                static_cast<uint32_t>(bits >> 32)});
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    StringRef name = space.names()[symbol.getPosition()].getValue();
    auto found = bindings.find(name);
    if (found == bindings.end())
      return emitError(loc) << "no input gives the size '" << name
                            << "' of an output; txp.return needs 'dims'";
    const Binding &binding = found->second;
    if (!binding.dim)
      return use(binding.value);
    return emit(rt::Op::Dim, {binding.value.getArgNumber(), *binding.dim});
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return emitError(loc, "a size that cannot be computed: ") << name(expr);
  FailureOr<uint32_t> a = evaluate(binary.getLHS(), loc, emit, use);
  FailureOr<uint32_t> b = evaluate(binary.getRHS(), loc, emit, use);
  if (failed(a) || failed(b))
    return failure();
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return emit(rt::Op::Add, {*a, *b});
  case AffineExprKind::Mul:
    return emit(rt::Op::Mul, {*a, *b});
  case AffineExprKind::Mod:
    return emit(rt::Op::Mod, {*a, *b});
  case AffineExprKind::FloorDiv:
    return emit(rt::Op::FloorDiv, {*a, *b});
  default:
    return emit(rt::Op::CeilDiv, {*a, *b});
  }
}
