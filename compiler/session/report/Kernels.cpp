//===- Kernels.cpp - Explains the fusions of a program --------------------===//

#include "compiler/session/report/Kernels.h"

#include "codegen/kernel/ProductOrder.h"
#include "compiler/session/placement/FusionWork.h"
#include "compiler/session/report/Memory.h"
#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/Chains.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tensorc::report {

std::string typeText(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return llvm::formatv("{0}", type).str();
  return llvm::formatv("{0}", tensor.getElementType()).str() +
         toString(tx::dimsOf(tensor));
}

/// Returns the names of a fusion's nodes. If an op replaces several ops, all
/// their names are included.
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

/// Returns the source lines of a fusion's ops.
static std::vector<std::pair<std::string, unsigned>>
linesOf(tx::FusionOp fusion) {
  llvm::SetVector<std::pair<StringRef, unsigned>> lines;
  fusion.getBody().walk([&](Operation *op) {
    op->getLoc()->walk([&](Location part) {
      if (auto line = dyn_cast<FileLineColLoc>(part))
        if (line.getLine() > 0)
          lines.insert({line.getFilename().getValue(), line.getLine()});
      return WalkResult::advance();
    });
  });
  std::vector<std::pair<std::string, unsigned>> list;
  for (auto [file, line] : lines)
    list.emplace_back(file.str(), line);
  return list;
}

/// Returns why a bf16 product has its evaluation order (two are possible), or
/// an empty string for other fusions.
static StringRef whyOrder(tx::FusionOp fusion, tx::OrderAttr order) {
  auto isNarrow = [](tx::DotGeneralOp dot) {
    return dot.getX().getType().getElementType().isBF16() &&
           dot.getY().getType().getElementType().isBF16();
  };
  auto demanded =
      fusion->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>(
          codegen::kBf16OrderAttr);
  if (llvm::none_of(fusion.getBody().getOps<tx::DotGeneralOp>(), isNarrow))
    return "";
  if (demanded && demanded == order.getInstruction())
    return " (demanded)";
  if (tx::isChains(order))
    return " (tiles of bf16)";
  return demanded ? " (no tiles)" : "";
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
  facts.origin.nodes = nodesOf(fusion);
  facts.origin.lines = linesOf(fusion);
  if (tx::OrderAttr order = fusion.getOrderAttr())
    facts.order = order.toString() + whyOrder(fusion, order).str();
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

/// Returns the position of an op in branches and loops, such as `if 0 then` or
/// `scan 1`.
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

llvm::json::Object toJson(const KernelFacts &k) {
  auto list = [](const std::vector<std::string> &words) {
    return llvm::json::Array(words);
  };
  llvm::json::Object object{{"name", k.name},
                            {"kind", k.kind},
                            {"key", k.key},
                            {"ops", list(k.ops)},
                            {"inputs", list(k.inputs)},
                            {"outputs", list(k.outputs)},
                            {"bytes_read", quantity(k.bytesRead)},
                            {"bytes_written", quantity(k.bytesWritten)},
                            {"flops", quantity(k.flops)},
                            {"why_not", list(k.notes)}};
  if (!k.branch.empty())
    object["branch"] = k.branch;
  if (!k.origin.nodes.empty())
    object["nodes"] = list(k.origin.nodes);
  if (!k.order.empty())
    object["order"] = k.order;
  object["schedule"] = k.schedule;
  return object;
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

} // namespace tensorc::report
