//===- ExplainKernels.cpp - What lands in which kernel --------------------===//

#include "tools/explain/ExplainKernels.h"

#include "compiler/session/placement/FusionWork.h"
#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"

#include "llvm/ADT/SetVector.h"
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

/// Returns the names of a fusion's nodes. An op that replaces several ops has
/// the names of all.
static std::vector<std::string> nodesOf(tx::FusionOp fusion) {
  llvm::SetVector<StringAttr> names;
  fusion.getBody().walk([&](Operation *op) {
    op->getLoc()->walk([&](Location part) {
      if (auto named = dyn_cast<NameLoc>(part))
        names.insert(named.getName());
      return WalkResult::advance();
    });
  });
  std::vector<std::string> nodes;
  for (StringAttr name : names)
    nodes.push_back(name.str());
  return nodes;
}

static KernelFacts explain(tx::FusionOp fusion) {
  KernelFacts facts;
  facts.name = fusion.getName().str();
  facts.kind = fusion.getKind().str();
  facts.key = compiler::keyOfBody(fusion);
  placement::FusionWork work = placement::workOf(fusion);
  facts.bytesRead = toString(work.bytesRead());
  facts.bytesWritten = toString(work.written);
  facts.flops = toString(work.flops());
  facts.work = work.at([](StringRef) { return std::nullopt; });
  for (Operation &op : fusion.getBody().front().without_terminator())
    facts.ops.push_back(op.getName().stripDialect().str());
  facts.nodes = nodesOf(fusion);
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

/// Returns the position in branches and loops: `if 0 then`, `scan 1`.
static std::string placeOf(Operation *op,
                           const DenseMap<Operation *, unsigned> &numbers) {
  Operation *parent = op->getParentOp();
  auto known = numbers.find(parent);
  if (known == numbers.end())
    return {};
  std::string outer = placeOf(parent, numbers);
  std::string place = (outer.empty() ? "" : outer + " ") +
                      parent->getName().stripDialect().str() + " " +
                      std::to_string(known->second);
  bool isFirst = op->getParentRegion()->getRegionNumber() == 0;
  if (isa<tx::IfOp>(parent))
    place += isFirst ? " then" : " else";
  if (isa<tx::SwitchOp>(parent))
    place +=
        " case " + std::to_string(op->getParentRegion()->getRegionNumber());
  if (isa<tx::WhileOp>(parent))
    place += isFirst ? " condition" : " body";
  return place;
}

std::vector<KernelFacts> explainKernels(func::FuncOp function) {
  std::vector<KernelFacts> kernels;
  DenseMap<Operation *, unsigned> numbers;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (tx::isBranch(op) || isa<tx::WhileOp, tx::ScanOp>(op))
      numbers.try_emplace(op, numbers.size());
    auto fusion = dyn_cast<tx::FusionOp>(op);
    if (!fusion)
      return;
    kernels.push_back(explain(fusion));
    kernels.back().branch = placeOf(fusion, numbers);
  });
  return kernels;
}

std::vector<LoopFacts> explainLoops(txp::FuncOp program) {
  std::vector<LoopFacts> loops;
  program.walk([&](txp::LaunchOp launch) {
    auto calls = launch->getAttrOfType<ArrayAttr>(txp::callsAttr);
    if (!calls)
      return;
    LoopFacts &facts = loops.emplace_back();
    facts.name = launch.getKernel().getLeafReference().str();
    for (auto name : calls.getAsRange<StringAttr>())
      facts.kernels.push_back(name.str());
  });
  return loops;
}

} // namespace tensorc::tool
