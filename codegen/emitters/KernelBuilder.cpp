//===- KernelBuilder.cpp - One fusion's kernel under construction ---------===//

#include "codegen/emitters/KernelBuilder.h"
#include "codegen/emitters/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen {

Value emitIndex(ImplicitLocOpBuilder &b, AffineExpr expr,
                function_ref<Value(unsigned)> dims,
                function_ref<Value(unsigned)> symbols) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(b, c.getValue());
  if (auto d = dyn_cast<AffineDimExpr>(expr))
    return dims(d.getPosition());
  if (auto s = dyn_cast<AffineSymbolExpr>(expr))
    return symbols(s.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value x = emitIndex(b, binary.getLHS(), dims, symbols);
  Value y = emitIndex(b, binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return b.createOrFold<arith::AddIOp>(x, y);
  case AffineExprKind::Mul:
    return b.createOrFold<arith::MulIOp>(x, y);
  // Sizes and the indices that are read are not negative; what a guard keeps
  // from being read may be, and is not used.
  case AffineExprKind::CeilDiv: {
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value top =
        b.createOrFold<arith::AddIOp>(x, b.createOrFold<arith::SubIOp>(y, one));
    return b.createOrFold<arith::DivUIOp>(top, y);
  }
  case AffineExprKind::FloorDiv:
    return b.createOrFold<arith::DivUIOp>(x, y);
  default:
    return b.createOrFold<arith::RemUIOp>(x, y);
  }
}

KernelBuilder::KernelBuilder(OpBuilder &builder, tx::FusionOp fusion,
                             tx::DimSpace &names, ArrayRef<bool> byValue,
                             const TargetInfo &target)
    : fusion(fusion), names(names), target(target), b(fusion.getLoc(), builder),
      byValue(byValue) {
  addArguments("");
}

KernelBuilder::KernelBuilder(KernelBuilder &other, StringRef suffix)
    : fusion(other.fusion), names(other.names), target(other.target),
      b(other.fusion.getLoc(), OpBuilder(other.function)),
      byValue(other.byValue) {
  addArguments(suffix);
}

void KernelBuilder::addTemporaries(ArrayRef<KernelSpec::Temporary> list) {
  unsigned place = outputs.empty()
                       ? 0
                       : cast<BlockArgument>(outputs.back()).getArgNumber() + 1;
  DictionaryAttr noAlias =
      b.getDictionaryAttr(b.getNamedAttr("llvm.noalias", b.getUnitAttr()));
  for (const KernelSpec::Temporary &temporary : list) {
    (void)function.insertArgument(
        place, MemRefType::get({ShapedType::kDynamic}, temporary.element),
        noAlias, b.getLoc());
    temporaryBuffers.push_back(function.getArgument(place++));
  }
}

/// Names that occur in the types of the fusion's values.
static SetVector<unsigned> usedNames(tx::FusionOp fusion, tx::DimSpace &names) {
  SetVector<unsigned> used;
  auto add = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.hasStaticShape())
      return;
    for (AffineExpr dim : names.dims(tensor))
      dim.walk([&](AffineExpr e) {
        if (auto s = dyn_cast<AffineSymbolExpr>(e))
          used.insert(s.getPosition());
      });
  };
  fusion.getBody().walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), add);
    llvm::for_each(op->getOperandTypes(), add);
  });
  return used;
}

void KernelBuilder::addArguments(StringRef suffix) {
  SmallVector<Type> types;
  auto flat = [&](Type tensor) {
    return MemRefType::get({ShapedType::kDynamic},
                           kernelType(getElementTypeOrSelf(tensor)));
  };
  ValueRange inputs = body().getArguments();
  for (auto [i, input] : llvm::enumerate(inputs))
    if (!byValue[i])
      types.push_back(flat(input.getType()));
  for (Type type : fusion.getResultTypes())
    types.push_back(flat(type));
  SetVector<unsigned> used = usedNames(fusion, names);
  for (auto [i, input] : llvm::enumerate(inputs))
    if (byValue[i])
      types.push_back(input.getType().isIndex()
                          ? Type(b.getI64Type())
                          : kernelType(getElementTypeOrSelf(input.getType())));
  types.append(used.size(), b.getI64Type());
  Type bytes = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
  types.append({b.getIndexType(), b.getIndexType(), bytes});

  function = func::FuncOp::create(b, (fusion.getName() + suffix).str(),
                                  b.getFunctionType(types, {}));
  function->setAttr("txk.kernel", b.getUnitAttr());
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  // Outputs are fresh buffers, and inputs that overlap are only read.
  for (auto [i, type] : llvm::enumerate(ArrayRef(types).drop_back()))
    if (isa<MemRefType>(type))
      function.setArgAttr(i, "llvm.noalias", b.getUnitAttr());
  unsigned next = 0;
  buffers.resize(inputs.size());
  scalars.resize(inputs.size());
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (!byValue[i])
      buffers[i] = entry->getArgument(next++);
  for (unsigned i = 0; i < fusion.getNumResults(); ++i)
    outputs.push_back(entry->getArgument(next++));
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (byValue[i]) {
      scalars[i] = entry->getArgument(next++);
      scalarArguments[scalars[i]] = {i, 0};
    }
  for (unsigned name : used) {
    Value argument = entry->getArgument(next++);
    scalarArguments[argument] = {std::nullopt, name};
    symbols[name] = arith::IndexCastOp::create(b, b.getIndexType(), argument);
  }
  beginValue = entry->getArgument(next++);
  endValue = entry->getArgument(next++);
  scratchValue = entry->getArgument(next++);
}

Value KernelBuilder::symbol(unsigned name) {
  auto it = symbols.find(name);
  assert(it != symbols.end() && "every name occurs in a type of the fusion");
  return it->second;
}

AffineExpr KernelBuilder::symbolOf(Value index) {
  auto argument = cast<BlockArgument>(index);
  AffineExpr expr = names.symbol("$" + std::to_string(argument.getArgNumber()));
  unsigned position = cast<AffineSymbolExpr>(expr).getPosition();
  if (!symbols.contains(position)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.getBody().front());
    symbols[position] =
        arith::IndexCastOp::create(b, b.getIndexType(), scalar(argument));
  }
  return expr;
}

Value KernelBuilder::size(AffineExpr expr) {
  return emitIndex(
      b, expr, [](unsigned) { return Value(); },
      [&](unsigned s) { return symbol(s); });
}

KernelSpec KernelBuilder::finish(AffineExpr extent, AffineExpr grain,
                                 AffineExpr scratch) {
  func::ReturnOp::create(b);
  KernelSpec spec{function,
                  names.simplify(extent),
                  names.simplify(grain),
                  scratch ? names.simplify(scratch) : scratch,
                  {}};
  // The casts of unused names go first, then their arguments.
  for (auto [name, value] : symbols)
    if (value.use_empty())
      value.getDefiningOp()->erase();
  Block &entry = function.getBody().front();
  BitVector unused(entry.getNumArguments());
  for (BlockArgument argument : entry.getArguments()) {
    auto it = scalarArguments.find(argument);
    if (it == scalarArguments.end())
      continue;
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
    else
      spec.scalars.push_back(it->second);
  }
  (void)function.eraseArguments(unused);
  return spec;
}

} // namespace tensorc::codegen
