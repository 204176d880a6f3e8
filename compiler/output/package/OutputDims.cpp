//===- OutputDims.cpp - encodes sizes of entries --------------------------===//
#include "compiler/output/package/OutputDims.h"

#include "ir/shape/Evaluate.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

//===----------------------------------------------------------------------===//
// SizeEncoder
//===----------------------------------------------------------------------===//

static rt::Op instructionOf(shape::DimOp op) {
  switch (op) {
  case shape::DimOp::Add:
    return rt::Op::Add;
  case shape::DimOp::Mul:
    return rt::Op::Mul;
  case shape::DimOp::FloorDiv:
    return rt::Op::FloorDiv;
  case shape::DimOp::CeilDiv:
    return rt::Op::CeilDiv;
  case shape::DimOp::Mod:
    return rt::Op::Mod;
  case shape::DimOp::Min:
    return rt::Op::MinSigned;
  case shape::DimOp::Max:
    return rt::Op::MaxSigned;
  }
  llvm_unreachable("an operation on sizes");
}

uint32_t SizeEncoder::instruction(rt::Op op, uint32_t a, uint32_t b) {
  auto [it, isNew] = known.try_emplace({op, a, b}, 0);
  if (isNew)
    it->second = emit(op, {a, b});
  return it->second;
}

std::optional<uint32_t> SizeEncoder::encode(shape::Dim dim) {
  auto read = [&](shape::Dim dim) -> std::optional<uint32_t> {
    if (!dim.isNumber())
      return leaf(dim);
    auto bits = static_cast<uint64_t>(dim.constant());
    return instruction(rt::Op::Const, static_cast<uint32_t>(bits),
                       static_cast<uint32_t>(bits >> 32));
  };
  auto combine = [&](shape::DimOp op, uint32_t a, uint32_t b) {
    return std::optional(instruction(instructionOf(op), a, b));
  };
  return shape::Evaluator<uint32_t>(read, combine)(dim);
}

//===----------------------------------------------------------------------===//
// EntryDims
//===----------------------------------------------------------------------===//

EntryDims::EntryDims(txp::FuncOp func) {
  ArrayAttr names = func.getInputNamesAttr();
  for (auto [i, type] :
       llvm::enumerate(func.getInputs()->getAsValueRange<TypeAttr>())) {
    auto input = static_cast<uint32_t>(i);
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      for (auto [k, dim] : llvm::enumerate(dims(tensor)))
        if (dim.isSymbol())
          bindings.try_emplace(
              dim, Binding{func.getArgument(input), static_cast<uint32_t>(k)});
    } else if (type.isIndex()) {
      auto symbol = func.getArgAttrOfType<StringAttr>(input, "tx.symbol");
      if (!symbol && names)
        symbol = cast<StringAttr>(names[input]);
      if (symbol)
        bindings.try_emplace(
            tx::dimContext(func.getContext()).symbol(symbol.getValue()),
            Binding{func.getArgument(input), std::nullopt});
    }
  }
}

FailureOr<uint32_t> EntryDims::evaluate(shape::Dim dim, Location loc,
                                        SizeEncoder::Emit emit, Use use) const {
  // Binds the symbols first, because sizes are computed from them.
  llvm::DenseMap<shape::Dim, uint32_t> registers;
  for (shape::Dim symbol : shape::symbolsOf(dim)) {
    auto it = bindings.find(symbol);
    if (it == bindings.end())
      return emitError(loc) << "no input gives the size '" << symbol.name()
                            << "' of an output; txp.return needs 'dims'";
    const Binding &binding = it->second;
    registers[symbol] =
        binding.dim
            ? emit(rt::Op::Dim, {binding.value.getArgNumber(), *binding.dim})
            : use(binding.value);
  }
  auto leaf = [&](shape::Dim symbol) {
    return std::optional(registers.lookup(symbol));
  };
  if (auto size = SizeEncoder(emit, leaf).encode(dim))
    return *size;
  return emitError(loc, "a size that cannot be computed");
}
