//===- SplitSearch.cpp - Number of parts with which a program fits --------===//

#include "compiler/output/pipelines/SplitSearch.h"

#include "codegen/kernel/CpuModel.h"
#include "compiler/output/pipelines/Cancellation.h"
#include "compiler/transforms/passes/memory/fit/FitEstimate.h"
#include "compiler/transforms/sharding/Passes.h"
#include "ir/program/LaunchAttributes.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tensorc::compiler {

/// Numbers of parts that are tried. A size that a number does not divide is not
/// split.
static constexpr int64_t triedParts[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
/// If none of them fits without decisions that cost time, this many programs
/// that need least memory are searched for such decisions, which takes up to a
/// second each.
static constexpr size_t searchedVariants = 2;

FitMemoryPassOptions fitOptions(const CompileOptions &options) {
  FitMemoryPassOptions fit;
  // On the CPU, constants are mapped from the package.
  fit.copiesConstants =
      !llvm::is_contained(codegen::getCpuNames(), options.target);
  fit.threads = options.memoryLimit.threads;
  fit.launchMicroseconds = options.memoryLimit.launchMicroseconds;
  fit.memoryRate = options.memoryLimit.memoryGBPerSecond;
  fit.arithmeticRate = options.memoryLimit.gflopPerSecond;
  return fit;
}

namespace {
/// A module at the end of the stage emit.
struct Variant {
  OwningOpRef<ModuleOp> module;
  FitEstimate estimate;
};
} // namespace

/// Runs the passes without a message if they fail.
static LogicalResult runSilently(ModuleOp module, const CompileOptions &options,
                                 function_ref<void(OpPassManager &)> build) {
  ScopedDiagnosticHandler silent(module.getContext(),
                                 [](Diagnostic &) { return success(); });
  PassManager pm(module.getContext());
  pm.enableVerifier(options.verify);
  build(pm);
  Cancellation cancellation(module.getContext(), options.isCancelled);
  return failure(failed(pm.run(module)) || cancellation.isCancelled());
}

static unsigned countOps(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](Operation *) { ++count; });
  return count;
}

/// Returns the module with batches in this number of parts, or nullopt if
/// nothing can be split so.
static std::optional<Variant> split(ModuleOp fused, int64_t parts,
                                    const CompileOptions &options) {
  Variant variant{fused.clone(), {}};
  LogicalResult isSplit =
      runSilently(*variant.module, options, [&](OpPassManager &pm) {
        SplitBatchPassOptions split;
        split.parts = parts;
        split.launchMicroseconds = options.memoryLimit.launchMicroseconds;
        pm.addNestedPass<func::FuncOp>(createSplitBatchPass(split));
      });
  if (failed(isSplit) || countOps(*variant.module) == countOps(fused))
    return std::nullopt;
  LogicalResult isEmitted =
      runSilently(*variant.module, options, [&](OpPassManager &pm) {
        addSchedules(pm, options);
        buildEmitStage(pm, options);
      });
  if (failed(isEmitted))
    return std::nullopt;
  variant.estimate =
      estimateFit(*variant.module, fitOptions(options), FitEffort::Free);
  return variant;
}

/// True if a program should be compiled as `a` rather than as `b`.
static bool isBetter(const FitEstimate &a, const FitEstimate &b) {
  if (a.fits != b.fits)
    return a.fits;
  return a.fits ? a.seconds < b.seconds : a.bytes < b.bytes;
}

void splitToFit(ModuleOp module, ModuleOp fused,
                const CompileOptions &options) {
  FitMemoryPassOptions fit = fitOptions(options);
  Variant best{nullptr, estimateFit(module, fit, FitEffort::Full)};
  if (!best.estimate.isKnown || (best.estimate.fits && best.estimate.isFree))
    return;
  // More parts may need more memory, as kernels for other sizes have other
  // scratch memory. What is tried before a refusal does not depend on the
  // limit, so that the limit that an error names is enough.
  const std::vector<int64_t> natural = best.estimate.natural;
  std::vector<Variant> smallest;
  int64_t lastBytes = best.estimate.bytes;
  for (int64_t parts : triedParts) {
    std::optional<Variant> variant = split(fused, parts, options);
    if (!variant)
      continue;
    if (variant->estimate.fits) {
      smallest.clear();
      smallest.push_back(std::move(*variant));
      break;
    }
    // If the whole program fits, a search for a faster one ends early.
    if (best.estimate.fits && variant->estimate.bytes >= lastBytes)
      break;
    lastBytes = variant->estimate.bytes;
    auto larger = llvm::find_if(smallest, [&](const Variant &other) {
      return other.estimate.bytes > variant->estimate.bytes;
    });
    smallest.insert(larger, std::move(*variant));
    if (smallest.size() > searchedVariants)
      smallest.pop_back();
  }
  for (Variant &variant : smallest) {
    if (!variant.estimate.fits)
      variant.estimate = estimateFit(*variant.module, fit, FitEffort::Full);
    if (isBetter(variant.estimate, best.estimate))
      best = std::move(variant);
  }
  if (!best.module)
    return;
  Builder b(module.getContext());
  auto programs = llvm::make_filter_range(
      best.module->getOps<txp::FuncOp>(),
      [](txp::FuncOp program) { return program.isEntry(); });
  for (auto [program, bytes] : llvm::zip_equal(programs, natural))
    program->setAttr(txp::fitAttr, b.getDictionaryAttr(b.getNamedAttr(
                                       "natural", b.getI64IntegerAttr(bytes))));
  module.getBodyRegion().takeBody(best.module->getBodyRegion());
  module->setAttrs(best.module->getOperation()->getAttrs());
}

} // namespace tensorc::compiler
