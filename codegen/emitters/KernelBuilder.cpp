//===- KernelBuilder.cpp - Builds the kernel function of a fusion ---------===//

#include "codegen/emitters/KernelBuilder.h"
#include "codegen/emitters/scalar/Quotient.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/CpuCosts.h"
#include "codegen/kernel/WorkgroupMemory.h"
#include "codegen/kernel/ops/Txk.h"
#include "ir/tx/Size.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen {

const CpuCosts &KernelBuilder::costs() const { return getCpuCosts(target); }

/// Returns false only if the expression is never negative, given that dims and
/// sizes are not.
static bool mayBeNegative(AffineExpr expr) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return c.getValue() < 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() == AffineExprKind::Mod)
    return false;
  return mayBeNegative(binary.getLHS()) || mayBeNegative(binary.getRHS());
}

static Value constantLike(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  TypedAttr attribute = b.getIndexAttr(value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, attribute);
  return arith::ConstantOp::create(b, attribute);
}

Value emitQuotient(ImplicitLocOpBuilder &b, AffineBinaryOpExpr expr, Value x,
                   Value y) {
  bool isMod = expr.getKind() == AffineExprKind::Mod;
  // An index into an operand of a concatenation is computed even if the operand
  // has no elements and the access is masked off. Therefore the divisor, which
  // is a size, is clamped to at least 1.
  if (!isa<AffineConstantExpr>(expr.getRHS()))
    y = b.createOrFold<arith::MaxUIOp>(y, constantLike(b, y.getType(), 1));
  // An index is never negative, but a dividend within it may be negative:
  // simplification turns (2 * i + 1 - 3 * q) floordiv 2 into i + (1 - 3 * q)
  // floordiv 2.
  if (!mayBeNegative(expr.getLHS())) {
    if (isMod)
      return b.createOrFold<arith::RemUIOp>(x, y);
    return b.createOrFold<arith::DivUIOp>(x, y);
  }
  auto divisor = dyn_cast<AffineConstantExpr>(expr.getRHS());
  if (divisor && llvm::isPowerOf2_64(divisor.getValue())) {
    int64_t size = divisor.getValue();
    if (isMod)
      return b.createOrFold<arith::AndIOp>(
          x, constantLike(b, x.getType(), size - 1));
    return b.createOrFold<arith::ShRSIOp>(
        x, constantLike(b, x.getType(), llvm::Log2_64(size)));
  }
  Value zero = constantLike(b, x.getType(), 0);
  Value rest = b.createOrFold<arith::RemSIOp>(x, y);
  Value below =
      b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, rest, zero);
  if (isMod)
    return b.createOrFold<arith::SelectOp>(
        below, b.createOrFold<arith::AddIOp>(rest, y), rest);
  Value quotient = b.createOrFold<arith::DivSIOp>(x, y);
  Value one = constantLike(b, x.getType(), 1);
  return b.createOrFold<arith::SelectOp>(
      below, b.createOrFold<arith::SubIOp>(quotient, one), quotient);
}

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
  // Both operands are sizes and hence not negative.
  case AffineExprKind::CeilDiv: {
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value top =
        b.createOrFold<arith::AddIOp>(x, b.createOrFold<arith::SubIOp>(y, one));
    return b.createOrFold<arith::DivUIOp>(top, y);
  }
  default:
    return emitQuotient(b, binary, x, y);
  }
}

KernelBuilder::KernelBuilder(OpBuilder &builder, tx::FusionOp fusion,
                             tx::DimSpace &names, ArrayRef<bool> byValue,
                             const TargetInfo &target)
    : fusion(fusion), names(names), target(target), b(fusion.getLoc(), builder),
      byValue(byValue) {
  addArguments("");
}

KernelBuilder::KernelBuilder(tx::FusionOp fusion, tx::DimSpace &names,
                             ArrayRef<bool> byValue, const TargetInfo &target)
    : fusion(fusion), names(names), target(target),
      b(fusion.getLoc(), fusion.getContext()), byValue(byValue) {}

KernelBuilder::KernelBuilder(KernelBuilder &other, StringRef suffix)
    : fusion(other.fusion), names(other.names), target(other.target),
      b(other.fusion.getLoc(), OpBuilder(other.function)),
      byValue(other.byValue) {
  addArguments(suffix);
}

void KernelBuilder::addTemporaries(ArrayRef<KernelSpec::Temporary> list,
                                   bool areExchanged) {
  unsigned argument =
      outputs.empty() ? 0
                      : cast<BlockArgument>(outputs.back()).getArgNumber() + 1;
  DictionaryAttr noAlias =
      b.getDictionaryAttr(b.getNamedAttr("llvm.noalias", b.getUnitAttr()));
  for (const KernelSpec::Temporary &temporary : list) {
    (void)function.insertArgument(
        argument, MemRefType::get({ShapedType::kDynamic}, temporary.element),
        areExchanged ? DictionaryAttr() : noAlias, b.getLoc());
    temporaryBuffers.push_back(function.getArgument(argument++));
  }
}

/// Collects the dim names in the types of the fusion's values, and the names of
/// those dims whose sizes the fusion reads as values.
static SetVector<unsigned> usedNames(tx::FusionOp fusion, tx::DimSpace &names) {
  SetVector<unsigned> used;
  auto addDim = [&](AffineExpr dim) {
    dim.walk([&](AffineExpr e) {
      if (auto s = dyn_cast<AffineSymbolExpr>(e))
        used.insert(s.getPosition());
    });
  };
  auto add = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && !tensor.hasStaticShape())
      llvm::for_each(names.dims(tensor), addDim);
  };
  fusion.getBody().walk([&](Operation *op) {
    if (auto size = dyn_cast<tx::SizeOp>(op))
      addDim(names.affine(size.getSize().getDims()[0]));
    llvm::for_each(op->getResultTypes(), add);
    llvm::for_each(op->getOperandTypes(), add);
  });
  return used;
}

void KernelBuilder::createFunction(StringRef name, ArrayRef<Type> types) {
  FunctionType type = b.getFunctionType(types, {});
  if (target.isSimt()) {
    auto kernel = gpu::GPUFuncOp::create(b, name, type);
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    function = kernel;
  } else {
    auto kernel = func::FuncOp::create(b, name, type);
    kernel.addEntryBlock();
    function = kernel;
  }
  function->setAttr("txk.kernel", b.getUnitAttr());
}

Value KernelBuilder::addWorkgroupMemory(int64_t count, Type element) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get({count}, element, MemRefLayoutAttrInterface{}, space);
  return cast<gpu::GPUFuncOp>(function).addWorkgroupAttribution(type,
                                                                b.getLoc());
}

Value KernelBuilder::addTensorMap(KernelSpec::TensorMap map) {
  unsigned argument = function.getNumArguments();
  (void)function.insertArgument(argument,
                                txk::TensorMapType::get(b.getContext()),
                                DictionaryAttr(), b.getLoc());
  maps.push_back(std::move(map));
  return function.getArgument(argument);
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
  unsigned count = types.size();
  if (!target.isSimt()) {
    Type bytes = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
    types.append({b.getIndexType(), b.getIndexType(), bytes});
  }
  createFunction((fusion.getName() + suffix).str(), types);
  Block *entry = &function.getFunctionBody().front();
  b.setInsertionPointToStart(entry);
  // An output overlaps no other buffer, unless it is computed in place (see
  // EmittedKernels::mayOverwrite). Inputs may overlap, but are only read.
  for (unsigned i = 0; i < count; ++i)
    if (isa<MemRefType>(types[i]))
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
  if (target.isSimt())
    return;
  beginValue = entry->getArgument(next++);
  endValue = entry->getArgument(next++);
  scratchValue = entry->getArgument(next++);
}

int64_t KernelBuilder::scheduled(StringRef name) {
  std::optional<int64_t> value = fusion.getScheduleAttr().get(name);
  assert(value && "emitKernels takes only schedules that skeletons offer");
  return *value;
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
  if (function && !symbols.contains(position)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.getFunctionBody().front());
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
                  {},
                  /*block=*/0,
                  /*dynamicShared=*/0,
                  {}};
  dropUnusedArguments(spec);
  return spec;
}

FailureOr<KernelSpec> KernelBuilder::finishSimt(AffineExpr blocks,
                                                unsigned threads) {
  gpu::ReturnOp::create(b);
  auto kernel = cast<gpu::GPUFuncOp>(function);
  kernel.setKnownBlockSize(ArrayRef<int32_t>{int32_t(threads), 1, 1});
  if (failed(placeWorkgroupMemory(kernel, target)))
    return failure();
  AffineExpr one = b.getAffineConstantExpr(1);
  auto dynamicShared = static_cast<unsigned>(getDynamicShared(kernel));
  KernelSpec spec{function, names.simplify(blocks), one, {}, {},
                  threads,  dynamicShared,          maps};
  dropUnusedArguments(spec);
  return spec;
}

/// Erases an argument of a function. FunctionOpInterface::eraseArgument fails
/// if the entry block has further arguments for workgroup memory.
static void eraseArgument(FunctionOpInterface function, unsigned index) {
  SmallVector<Type> types(function.getArgumentTypes());
  SmallVector<DictionaryAttr> attributes;
  function.getAllArgAttrs(attributes);
  types.erase(types.begin() + index);
  attributes.erase(attributes.begin() + index);
  function.setType(function.cloneTypeWith(types, function.getResultTypes()));
  function.setAllArgAttrs(attributes);
  function.getFunctionBody().eraseArgument(index);
}

/// Erases the index casts of unused symbolic sizes, then all unused scalar
/// arguments. Prepends the remaining ones to `spec.scalars`.
void KernelBuilder::dropUnusedArguments(KernelSpec &spec) {
  for (auto [name, value] : symbols)
    if (value.use_empty())
      value.getDefiningOp()->erase();
  Block &entry = function.getFunctionBody().front();
  // The entry block's arguments after those of the function are workgroup
  // memory.
  for (unsigned i = function.getNumArguments(); i-- > 0;) {
    auto it = scalarArguments.find(entry.getArgument(i));
    if (it == scalarArguments.end())
      continue;
    if (entry.getArgument(i).use_empty())
      eraseArgument(function, i);
    else
      spec.scalars.insert(spec.scalars.begin(), it->second);
  }
}

} // namespace tensorc::codegen
