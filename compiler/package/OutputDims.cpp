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

FailureOr<uint32_t>
EntryDims::evaluate(AffineExpr expr, Location loc, Emit emit,
                    llvm::DenseMap<AffineExpr, uint32_t> &known) {
  if (auto it = known.find(expr); it != known.end())
    return it->second;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    auto bits = static_cast<uint64_t>(constant.getValue());
    return known[expr] =
               emit(rt::Op::Const, {static_cast<uint32_t>(bits),
                                    static_cast<uint32_t>(bits >> 32)});
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return emitError(loc, "a size that cannot be computed");
  FailureOr<uint32_t> a = evaluate(binary.getLHS(), loc, emit, known);
  FailureOr<uint32_t> b = evaluate(binary.getRHS(), loc, emit, known);
  if (failed(a) || failed(b))
    return failure();
  auto op = [&] {
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      return rt::Op::Add;
    case AffineExprKind::Mul:
      return rt::Op::Mul;
    case AffineExprKind::Mod:
      return rt::Op::Mod;
    case AffineExprKind::FloorDiv:
      return rt::Op::FloorDiv;
    default:
      return rt::Op::CeilDiv;
    }
  };
  return known[expr] = emit(op(), {*a, *b});
}

/// The names of the expression become known first.
FailureOr<uint32_t> EntryDims::evaluate(AffineExpr expr, Location loc,
                                        Emit emit, Use use) const {
  llvm::DenseMap<AffineExpr, uint32_t> known;
  WalkResult found = expr.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    if (!symbol || known.contains(part))
      return WalkResult::advance();
    StringRef name = space.names()[symbol.getPosition()].getValue();
    auto it = bindings.find(name);
    if (it == bindings.end()) {
      emitError(loc) << "no input gives the size '" << name
                     << "' of an output; txp.return needs 'dims'";
      return WalkResult::interrupt();
    }
    const Binding &binding = it->second;
    known[part] =
        binding.dim
            ? emit(rt::Op::Dim, {binding.value.getArgNumber(), *binding.dim})
            : use(binding.value);
    return WalkResult::advance();
  });
  if (found.wasInterrupted())
    return failure();
  return evaluate(expr, loc, emit, known);
}
