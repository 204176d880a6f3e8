//===- FusionWork.cpp - What kernels read, write and compute --------------===//

#include "compiler/placement/FusionWork.h"

#include "ir/tx/DType.h"
#include "ir/tx/Kernel.h"

#include "mlir/IR/Diagnostics.h"

#include <cmath>

using namespace mlir;

namespace tensorc::placement {

//===----------------------------------------------------------------------===//
// One launch
//===----------------------------------------------------------------------===//

static AffineExpr elementsOf(Value v, tx::DimSpace &names) {
  return names.product(names.dims(cast<RankedTensorType>(v.getType())));
}

static AffineExpr flopsOf(Operation *op, tx::DimSpace &names) {
  if (op->hasTrait<tx::Elementwise>())
    return elementsOf(op->getResult(0), names);
  if (op->hasTrait<tx::Reduction>() || op->hasTrait<tx::Scan>())
    return elementsOf(op->getOperand(0), names);
  if (auto dot = dyn_cast<tx::DotGeneralOp>(op)) {
    SmallVector<AffineExpr> dims = names.dims(dot.getX().getType());
    AffineExpr flops = elementsOf(dot, names) * 2;
    for (int64_t k : dot.getXContracting())
      flops = flops * dims[k];
    return flops;
  }
  return names.constant(0);
}

static RateClass rateOf(Operation *op) {
  bool reads = op->hasTrait<tx::Reduction>() || op->hasTrait<tx::Scan>();
  Value counted = reads ? op->getOperand(0) : op->getResult(0);
  Type element = cast<RankedTensorType>(counted.getType()).getElementType();
  return rateClassOf(*tx::dtypeOf(element), isa<tx::DotGeneralOp>(op));
}

/// Of a value inside a fusion: what the ops that read it pick.
static AffineExpr pickedBytes(Value v, AffineExpr whole, tx::DimSpace &names) {
  AffineExpr picked = names.constant(0);
  for (OpOperand &use : v.getUses()) {
    Operation *user = use.getOwner();
    if (!isa<tx::SliceOp, tx::DynamicSliceOp, tx::GatherOp>(user) ||
        use.getOperandNumber() != 0)
      return whole;
    picked = picked + names.bytesOf(
                          cast<RankedTensorType>(user->getResult(0).getType()));
  }
  return names.simplify(picked);
}

FusionWork workOf(Operation *op, tx::DimSpace &names) {
  FusionWork work;
  work.operations.fill(names.constant(0));
  work.written = names.constant(0);
  auto fusion = dyn_cast<tx::FusionOp>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.get().getType())) {
      AffineExpr whole = names.bytesOf(type), picked = whole;
      if (fusion)
        picked = pickedBytes(
            fusion.getBody().getArgument(operand.getOperandNumber()), whole,
            names);
      work.reads.push_back({whole, picked});
    }
  for (Type type : op->getResultTypes())
    work.written = work.written + names.bytesOf(cast<RankedTensorType>(type));
  work.written = names.simplify(work.written);
  if (!fusion)
    return work;
  for (Operation &inner : fusion.getBody().front().without_terminator()) {
    AffineExpr flops = flopsOf(&inner, names);
    if (flops == names.constant(0))
      continue;
    AffineExpr &sum = work.operations[static_cast<unsigned>(rateOf(&inner))];
    sum = names.simplify(sum + flops);
  }
  return work;
}

AffineExpr FusionWork::bytesRead(const tx::DimSpace &names) const {
  AffineExpr total = names.constant(0);
  for (const Read &read : reads) {
    auto whole = dyn_cast<AffineConstantExpr>(read.whole);
    auto picked = dyn_cast<AffineConstantExpr>(read.picked);
    bool isLess = whole && picked && picked.getValue() < whole.getValue();
    total = total + (isLess ? read.picked : read.whole);
  }
  return names.simplify(total);
}

AffineExpr FusionWork::flops(const tx::DimSpace &names) const {
  AffineExpr total = names.constant(0);
  for (AffineExpr some : operations)
    total = total + some;
  return names.simplify(total);
}

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

FunctionWork::FunctionWork(func::FuncOp function)
    : names(function.getContext()) {
  function.walk([&](Operation *op) {
    if (isa<tx::FusionOp, tx::CustomCallOp, tx::KernelCallOp>(op))
      launches.push_back(workOf(op, names));
  });
}

/// As doubles, which do not wrap.
static double evaluate(AffineExpr expr, ArrayRef<double> sizes) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return static_cast<double>(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return sizes[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  double lhs = evaluate(binary.getLHS(), sizes);
  double rhs = evaluate(binary.getRHS(), sizes);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::FloorDiv:
    return rhs != 0 ? std::floor(lhs / rhs) : 0;
  case AffineExprKind::CeilDiv:
    return rhs != 0 ? std::ceil(lhs / rhs) : 0;
  case AffineExprKind::Mod:
    return rhs != 0 ? lhs - rhs * std::floor(lhs / rhs) : 0;
  default:
    llvm_unreachable("sizes have no dims");
  }
}

std::vector<KernelWork>
FunctionWork::at(function_ref<std::optional<int64_t>(StringRef)> sizeOf) const {
  SmallVector<double> sizes;
  for (StringAttr name : names.names())
    sizes.push_back(static_cast<double>(sizeOf(name).value_or(0)));
  auto value = [&](AffineExpr expr) { return evaluate(expr, sizes); };
  std::vector<KernelWork> kernels;
  for (const FusionWork &launch : launches) {
    KernelWork &kernel = kernels.emplace_back();
    kernel.bytes = value(launch.written);
    for (const FusionWork::Read &read : launch.reads)
      kernel.bytes += std::min(value(read.whole), value(read.picked));
    for (auto [count, expr] :
         llvm::zip_equal(kernel.operations, launch.operations))
      count = value(expr);
  }
  return kernels;
}

std::optional<FunctionWork> planFor(func::FuncOp function,
                                    const compiler::CompileOptions &options) {
  std::string name = function.getName().str();
  auto module = function->getParentOfType<ModuleOp>();
  ScopedDiagnosticHandler silent(module.getContext(),
                                 [](Diagnostic &) { return success(); });
  if (failed(compiler::runStages(module, options, std::nullopt,
                                 compiler::Stage::Fuse)))
    return std::nullopt;
  return FunctionWork(module.lookupSymbol<func::FuncOp>(name));
}

} // namespace tensorc::placement
