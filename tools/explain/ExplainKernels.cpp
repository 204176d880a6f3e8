//===- ExplainKernels.cpp - What lands in which kernel --------------------===//

#include "tools/explain/ExplainKernels.h"

#include "codegen/emitters/simt/attention/AttentionRoute.h"
#include "codegen/emitters/simt/tiles/ContractionRoute.h"
#include "ir/reference/Array.h"
#include "ir/tx/Dims.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tensorc::tool {

static AffineExpr elementsOf(Type type, tx::DimSpace &space) {
  return space.product(space.dims(cast<RankedTensorType>(type)));
}

static AffineExpr bytesOf(TypeRange types, tx::DimSpace &space) {
  AffineExpr total = space.constant(0);
  for (Type type : types)
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      total = total + space.bytesOf(tensor);
  return space.simplify(total);
}

/// Each element-wise op counts one per element, a reduction or scan one per
/// element read, a contraction a multiplication and an addition.
static AffineExpr flopsOf(Operation *op, tx::DimSpace &space) {
  if (op->hasTrait<tx::Elementwise>())
    return elementsOf(op->getResult(0).getType(), space);
  if (op->hasTrait<tx::Reduction>() || op->hasTrait<tx::Scan>())
    return elementsOf(op->getOperand(0).getType(), space);
  if (auto dot = dyn_cast<tx::DotGeneralOp>(op)) {
    SmallVector<AffineExpr> dims = space.dims(dot.getX().getType());
    AffineExpr flops = elementsOf(dot.getType(), space) * 2;
    for (int64_t k : dot.getXContracting())
      flops = flops * dims[k];
    return flops;
  }
  return space.constant(0);
}

static std::string typeText(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return llvm::formatv("{0}", type).str();
  return llvm::formatv("{0}", tensor.getElementType()).str() +
         tx::shapeString(tensor);
}

/// How the kinds that have a choice multiply; empty for the others.
static std::string routeOf(tx::FusionOp fusion,
                           const codegen::TargetInfo &target,
                           tx::DimSpace &space) {
  auto kind = codegen::parseFusionKind(fusion.getKind());
  if (kind == codegen::FusionKind::Contraction)
    return codegen::simt::chooseRoute(fusion, target).why;
  if (kind == codegen::FusionKind::Attention)
    if (auto pattern = codegen::findAttention(fusion, space))
      return codegen::simt::chooseRoute(*pattern, target).why;
  return {};
}

static KernelFacts explain(tx::FusionOp fusion,
                           const codegen::TargetInfo &target) {
  KernelFacts facts;
  facts.name = fusion.getName().str();
  facts.kind = fusion.getKind().str();
  tx::DimSpace space(fusion.getContext());
  auto text = [&](AffineExpr expr) {
    return tx::toString(space.simplify(expr), space.names());
  };
  facts.bytesRead = text(bytesOf(fusion.getOperandTypes(), space));
  facts.bytesWritten = text(bytesOf(fusion.getResultTypes(), space));
  AffineExpr flops = space.constant(0);
  for (Operation &op : fusion.getBody().front().without_terminator()) {
    facts.ops.push_back(op.getName().stripDialect().str());
    flops = flops + flopsOf(&op, space);
  }
  facts.flops = text(flops);
  if (target.isSimt())
    facts.route = routeOf(fusion, target, space);
  for (Type type : fusion.getOperandTypes())
    facts.inputs.push_back(typeText(type));
  for (Type type : fusion.getResultTypes())
    facts.outputs.push_back(typeText(type));
  if (auto notes = fusion->getAttrOfType<ArrayAttr>("notes"))
    for (auto note : notes.getAsRange<StringAttr>())
      facts.notes.push_back(note.str());
  return facts;
}

std::vector<KernelFacts> explainKernels(func::FuncOp function,
                                        const codegen::TargetInfo &target) {
  std::vector<KernelFacts> kernels;
  function.walk(
      [&](tx::FusionOp fusion) { kernels.push_back(explain(fusion, target)); });
  return kernels;
}

std::vector<placement::KernelWork> explainWork(func::FuncOp function) {
  std::vector<placement::KernelWork> kernels;
  // A size that depends on values counts as nothing.
  auto number = [](AffineExpr expr) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    return constant ? static_cast<double>(constant.getValue()) : 0;
  };
  function.walk([&](tx::FusionOp fusion) {
    tx::DimSpace space(fusion.getContext());
    placement::KernelWork work;
    work.bytes = number(bytesOf(fusion.getOperandTypes(), space)) +
                 number(bytesOf(fusion.getResultTypes(), space));
    for (Operation &op : fusion.getBody().front().without_terminator()) {
      double operations = number(space.simplify(flopsOf(&op, space)));
      if (operations == 0)
        continue;
      bool reads = op.hasTrait<tx::Reduction>() || op.hasTrait<tx::Scan>();
      auto type = cast<RankedTensorType>(
          (reads ? op.getOperand(0) : op.getResult(0)).getType());
      auto rate =
          placement::rateClassOf(*reference::dtypeOf(type.getElementType()),
                                 isa<tx::DotGeneralOp>(op));
      work.operations[static_cast<unsigned>(rate)] += operations;
    }
    kernels.push_back(work);
  });
  return kernels;
}

} // namespace tensorc::tool
