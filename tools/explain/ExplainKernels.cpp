//===- ExplainKernels.cpp - What lands in which kernel --------------------===//

#include "tools/explain/ExplainKernels.h"

#include "compiler/placement/FusionWork.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tensorc::tool {

static std::string typeText(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return llvm::formatv("{0}", type).str();
  return llvm::formatv("{0}", tensor.getElementType()).str() +
         toString(tx::dimsOf(tensor));
}

static KernelFacts explain(tx::FusionOp fusion) {
  KernelFacts facts;
  facts.name = fusion.getName().str();
  facts.kind = fusion.getKind().str();
  placement::FusionWork work = placement::workOf(fusion);
  facts.bytesRead = toString(work.bytesRead());
  facts.bytesWritten = toString(work.written);
  facts.flops = toString(work.flops());
  for (Operation &op : fusion.getBody().front().without_terminator())
    facts.ops.push_back(op.getName().stripDialect().str());
  if (tx::OrderAttr order = fusion.getOrderAttr())
    facts.order = order.toString();
  if (tx::ScheduleAttr schedule = fusion.getScheduleAttr())
    facts.schedule = schedule.toString();
  for (Type type : fusion.getOperandTypes())
    facts.inputs.push_back(typeText(type));
  for (Type type : fusion.getResultTypes())
    facts.outputs.push_back(typeText(type));
  if (auto notes = fusion->getAttrOfType<ArrayAttr>("notes"))
    for (auto note : notes.getAsRange<StringAttr>())
      facts.notes.push_back(note.str());
  return facts;
}

static std::string branchOf(Operation *op,
                            const DenseMap<Operation *, unsigned> &branches) {
  auto branch = dyn_cast<tx::IfOp>(op->getParentOp());
  if (!branch)
    return {};
  std::string outer = branchOf(branch, branches);
  bool isThen = op->getParentRegion() == &branch.getThenBody();
  return (outer.empty() ? "" : outer + " ") + "if " +
         std::to_string(branches.lookup(branch)) + (isThen ? " then" : " else");
}

std::vector<KernelFacts> explainKernels(func::FuncOp function) {
  std::vector<KernelFacts> kernels;
  DenseMap<Operation *, unsigned> branches;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tx::IfOp>(op))
      branches.try_emplace(op, branches.size());
    auto fusion = dyn_cast<tx::FusionOp>(op);
    if (!fusion)
      return;
    kernels.push_back(explain(fusion));
    kernels.back().branch = branchOf(fusion, branches);
  });
  return kernels;
}

} // namespace tensorc::tool
