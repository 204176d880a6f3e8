//===- OpProgress.cpp - The ops of a program that are converted -----------===//

#include "compiler/frontends/stablehlo/calls/OpProgress.h"

#include "compiler/frontends/stablehlo/Attributes.h"
#include "compiler/log/Progress.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tensorc::stablehlo {

StringRef calleeOf(Operation *op) {
  bool isComposite = op->getName().getStringRef() == "stablehlo.composite";
  auto symbol = dyn_cast_if_present<FlatSymbolRefAttr>(
      attributeOf(op, isComposite ? "decomposition" : "callee"));
  return symbol ? symbol.getValue() : StringRef();
}

void OpProgress::begin(ArrayRef<func::FuncOp> functions) {
  uint64_t total = 0;
  for (func::FuncOp function : functions)
    total = llvm::SaturatingAdd(total, countOps(function, 0));
  progress.begin(std::min<uint64_t>(total, maxOps));
}

void OpProgress::finish(Operation *op, uint64_t before) {
  numDone = llvm::SaturatingAdd(before, countOps(op, 0));
  progress.advanceTo(std::min<uint64_t>(numDone, maxOps));
}

uint64_t OpProgress::countOps(Operation *op, unsigned depth) {
  // The conversion refuses deeper calls.
  constexpr unsigned maxDepth = 256;
  StringRef callee = calleeOf(op);
  if ((callee.empty() && !op->getNumRegions()) || depth > maxDepth)
    return 1;
  auto [entry, isNew] = counts.try_emplace(op, 0);
  if (!isNew)
    return entry->second;
  uint64_t count = 1;
  auto add = [&](Operation *other) {
    count = llvm::SaturatingAdd(count, countOps(other, depth + 1));
  };
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      add(&inner);
  if (!callee.empty())
    if (auto function = source.lookupSymbol<func::FuncOp>(callee))
      add(function);
  return counts[op] = count;
}

} // namespace tensorc::stablehlo
