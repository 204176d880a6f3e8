//===- Pipelines.cpp - The pass pipelines of a compilation ----------------===//

#include "compiler/output/pipelines/Pipelines.h"

#include "codegen/kernel/CpuModel.h"
#include "codegen/kernel/FastMath.h"
#include "codegen/kernel/ProductOrder.h"
#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/Passes.h"
#include "codegen/targets/Target.h"
#include "compiler/log/Environment.h"
#include "compiler/log/Progress.h"
#include "compiler/output/object/Object.h"
#include "compiler/output/package/Serialize.h"
#include "compiler/output/pipelines/Cancellation.h"
#include "compiler/output/pipelines/InputVerifier.h"
#include "compiler/output/pipelines/SimulatedImage.h"
#include "compiler/output/pipelines/SplitSearch.h"
#include "compiler/output/pipelines/StageVerifier.h"
#include "compiler/output/pipelines/TileTestProgram.h"
#include "compiler/transforms/autodiff/Passes.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/memory/fit/FitEstimate.h"
#include "compiler/transforms/sharding/MeshOf.h"
#include "compiler/transforms/sharding/Passes.h"
#include "ir/program/HostCopies.h"
#include "ir/program/LaunchAttributes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;

namespace tensorc::compiler {

//===----------------------------------------------------------------------===//
// The stages, in order
//===----------------------------------------------------------------------===//

/// Has no passes: runStages verifies the parsed or recorded module and sets its
/// target.
void buildImportStage(OpPassManager &, const CompileOptions &) {}

/// Makes the program of one rank, if values are split over several. Simplifies
/// expressions without changing their IEEE results.
void buildTensorStage(OpPassManager &pm, const CompileOptions &) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createExpandGradientsPass());
  function.addPass(createPropagateShardingsPass());
  function.addPass(createPartitionPass());
  function.addPass(createExpandComplexPass());
  function.addPass(createSinkWeightsPass());
  function.addPass(createExpandPackedIntegersPass());
  function.addPass(createCanonicalizerPass());
  function.addPass(createSimplifyTensorsPass());
  function.addPass(createCSEPass());
}

void addSchedules(OpPassManager &pm, const CompileOptions &options) {
  ChooseSchedulesPassOptions schedules;
  schedules.overrides.assign(options.schedules.begin(),
                             options.schedules.end());
  pm.addPass(createChooseSchedulesPass(schedules));
}

/// Expands composites and simplifies the result. Then groups ops into fusions,
/// chooses when the ranks' values are reduced, and a schedule for each fusion.
void buildFuseStage(OpPassManager &pm, const CompileOptions &options) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createLoopOverImagesPass());
  function.addPass(createExpandCompositesPass());
  function.addPass(createFoldPackingPass());
  function.addPass(createExpandDegeneratePass());
  function.addPass(createExpandShortReductionsPass());
  function.addPass(createCanonicalizerPass());
  function.addPass(createSimplifyTensorsPass());
  function.addPass(createCSEPass());
  function.addPass(createHoistPackingPass());
  function.addPass(createRecomputePass());
  function.addPass(createFuseOpsPass());
  // The order of a program with a memory limit is chosen for memory.
  if (!options.memoryLimit.bytes) {
    function.addPass(createBucketReductionsPass());
    function.addPass(createOverlapReductionsPass());
  }
  addSchedules(pm, options);
}

/// Emits a kernel per fusion, and the program that launches the kernels. On
/// GPUs, integers that are known to fit are computed in 32 bits, because a
/// 64-bit product takes several instructions.
void buildEmitStage(OpPassManager &pm, const CompileOptions &) {
  pm.addPass(createEmitProgramPass());
  pm.addPass(codegen::createExpandMathPass({/*constants=*/true}));
  pm.addPass(createCanonicalizerPass());
  pm.nest<gpu::GPUModuleOp>().addPass(codegen::createLowerIntegerWidthPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Lowers kernels to dialects that translate to LLVM IR, fits the program into
/// the memory limit, packs temporaries into one arena, and outlines loops over small CPU kernels.
void buildLowerStage(OpPassManager &pm, const CompileOptions &options) {
  // runStages has already checked the target.
  llvm::cantFail(codegen::findTarget(options.target))
      .addLowerPasses(pm, codegenOptions(options));
  pm.addPass(createCompileSourcesPass());
  pm.addNestedPass<txp::FuncOp>(createFitMemoryPass(fitOptions(options)));
  pm.addNestedPass<txp::FuncOp>(createPlanMemoryPass());
  if (llvm::is_contained(codegen::getCpuNames(), options.target))
    pm.addPass(createOutlineLoopsPass());
}

codegen::CodegenOptions codegenOptions(const CompileOptions &options) {
  return {options.target, static_cast<unsigned>(options.optLevel),
          options.onKernel, options.threads};
}

//===----------------------------------------------------------------------===//
// Running them
//===----------------------------------------------------------------------===//

static constexpr std::pair<Stage, llvm::StringLiteral> stageNames[] = {
    {Stage::Import, "import"}, {Stage::Tensor, "tensor"},
    {Stage::Fuse, "fuse"},     {Stage::Emit, "emit"},
    {Stage::Lower, "lower"},   {Stage::Serialize, "serialize"}};

StringRef stageName(Stage stage) {
  return stageNames[static_cast<int>(stage)].second;
}

std::optional<Stage> parseStage(StringRef name) {
  for (auto [stage, text] : stageNames)
    if (text == name)
      return stage;
  return std::nullopt;
}

/// Writes the module to a file whose name begins with two digits, which sort
/// the files by stage.
static void dump(ModuleOp module, Stage stage, StringRef folder) {
  SmallString<128> path(folder);
  if (std::error_code error = llvm::sys::fs::create_directories(
          path, /*IgnoreExisting=*/true, llvm::sys::fs::all_all)) {
    llvm::errs() << "cannot dump to " << path << ": " << error.message()
                 << "\n";
    return;
  }
  std::string name = "0" + std::to_string(static_cast<int>(stage)) + "-" +
                     stageName(stage).str() + ".mlir";
  llvm::sys::path::append(path, name);
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    llvm::errs() << "cannot write " << path << ": " << error.message() << "\n";
  else
    module.print(os);
}

static LogicalResult runStage(ModuleOp module, const CompileOptions &options,
                              Stage stage) {
  auto start = std::chrono::steady_clock::now();
  PassManager pm(module.getContext());
  pm.enableVerifier(options.verify);
  switch (stage) {
  case Stage::Import:
    buildImportStage(pm, options);
    break;
  case Stage::Tensor:
    buildTensorStage(pm, options);
    break;
  case Stage::Fuse:
    buildFuseStage(pm, options);
    break;
  case Stage::Emit:
    buildEmitStage(pm, options);
    break;
  case Stage::Lower:
    buildLowerStage(pm, options);
    break;
  case Stage::Serialize:
    return module.emitError("serialize makes bytes, not a module");
  }
  OwningOpRef<ModuleOp> fused;
  if (stage == Stage::Emit && options.memoryLimit.bytes)
    fused = module.clone();
  if (stage == Stage::Lower)
    planForSizes(module, fitOptions(options));
  Cancellation cancellation(module.getContext(), options.isCancelled);
  if (failed(pm.run(module)))
    return failure();
  if (fused)
    splitToFit(module, *fused, options);
  if (cancellation.isCancelled())
    return emitError(UnknownLoc::get(module.getContext()), "cancelled");
  if (options.verify && failed(verifyStage(module, stage)))
    return failure();
  if (options.cost && stage == Stage::Tensor)
    for (auto function : module.getOps<func::FuncOp>())
      if (auto count =
              function->getAttrOfType<IntegerAttr>(sharding::wholeOpsAttr))
        options.cost->wholeOps += count.getInt();
  if (!options.dumpDir.empty())
    dump(module, stage, options.dumpDir);
  if (options.onStage)
    options.onStage(stage, std::chrono::duration<double>(
                               std::chrono::steady_clock::now() - start)
                               .count());
  return success();
}

/// Records in the module which order of bf16 products the environment demands
/// of CPUs, unless the program demands one.
static LogicalResult setBf16Order(ModuleOp module, StringRef target) {
  StringRef order = readVariable(codegen::bf16OrderVariable);
  if (order.empty() || !target.starts_with("cpu") ||
      module->hasAttr(codegen::kBf16OrderAttr))
    return success();
  if (!codegen::isBf16Order(order))
    return emitError(UnknownLoc::get(module.getContext()))
           << codegen::bf16OrderVariable << "=" << order
           << ": products of bf16 have the order fma or chains";
  module->setAttr(codegen::kBf16OrderAttr,
                  StringAttr::get(module.getContext(), order));
  return success();
}

/// Records the memory limit in the module, and for devices with memory of their
/// own the speed of copies to the host, unless that has been measured. A CPU has
/// no other memory to copy to.
static void setMemoryLimit(ModuleOp module, const CompileOptions &options) {
  // The speed of PCIe 3.0.
  constexpr double usualHostRate = 12;
  Builder b(module.getContext());
  if (options.memoryLimit.bytes)
    module->setAttr(
        txp::memoryLimitAttr,
        b.getI64IntegerAttr(static_cast<int64_t>(options.memoryLimit.bytes)));
  else if (!module->hasAttr(txp::plannedSizesAttr))
    return;
  if (StringRef(options.target).starts_with("cpu"))
    module->removeAttr(txp::hostRateAttr);
  else if (!module->hasAttr(txp::hostRateAttr))
    module->setAttr(txp::hostRateAttr, b.getF64FloatAttr(usualHostRate));
}

LogicalResult runStages(ModuleOp module, const CompileOptions &options,
                        std::optional<Stage> from, Stage last) {
  // The error has no location, because it is not caused by a line of the
  // program.
  if (auto target = codegen::findTarget(options.target); !target)
    return emitError(UnknownLoc::get(module.getContext()),
                     llvm::toString(target.takeError()));
  module->setAttr(tx::targetAttr,
                  StringAttr::get(module.getContext(), options.target));
  setMemoryLimit(module, options);
  if (options.fastMath)
    module->setAttr(codegen::kFastMathAttr, UnitAttr::get(module.getContext()));
  if (failed(setBf16Order(module, options.target)) ||
      failed(verifyInput(module, from)))
    return failure();
  int first = from ? static_cast<int>(*from) + 1 : 0;
  for (int i = first; i <= static_cast<int>(last); ++i)
    if (failed(runStage(module, options, static_cast<Stage>(i))))
      return failure();
  return success();
}

/// Runs the stages and returns the linked image of the kernels, which is empty
/// if there are none.
static FailureOr<codegen::ImageBytes> compileImage(ModuleOp module,
                                                   const CompileOptions &given,
                                                   std::optional<Stage> from) {
  CompileOptions options = given;
  Progress progress(options.name, "compiling", "kernels");
  options.onKernel = [&] {
    progress.advance();
    return !options.isCancelled || !options.isCancelled();
  };
  std::string simulated;
  if (embedsSimulated() && from.value_or(Stage::Import) <= Stage::Emit) {
    if (from != Stage::Emit &&
        failed(runStages(module, options, from, Stage::Emit)))
      return failure();
    from = Stage::Emit;
    auto image = simulatedImage(module, options);
    if (failed(image))
      return failure();
    simulated = std::move(*image);
  }
  if (failed(runStages(module, options, from, Stage::Lower)))
    return failure();
  Operation *kernels = module.lookupSymbol(codegen::kKernelsName);
  if (!kernels)
    return module.emitError("has no kernels: was it lowered?"), failure();
  Block &list = kernels->getRegion(0).front();
  progress.begin(llvm::count_if(
      list, [](Operation &op) { return isa<FunctionOpInterface>(op); }));
  if (list.empty())
    return codegen::ImageBytes();
  if (!simulated.empty() && holdsOnlySimulated())
    return codegen::ImageBytes(simulated.begin(), simulated.end());
  auto linked = llvm::cantFail(codegen::findTarget(options.target))
                    .compileToImage(kernels, codegenOptions(options));
  if (!linked)
    return module.emitError(llvm::toString(linked.takeError())), failure();
  if (options.cost)
    options.cost->codeBytes +=
        codegen::codeBytes(StringRef(linked->data(), linked->size()));
  linked->append(simulated.begin(), simulated.end());
  return std::move(*linked);
}

static FailureOr<std::string>
compileTileTest(MLIRContext *context, StringRef target, const UsedTiles &used) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(tileTestProgram(used), context);
  assert(module && "the text is a program");
  CompileOptions options;
  options.target = target.str();
  options.verify = false;
  options.notes.lines = false;
  return compile(*module, options);
}

/// True if code for the target may have matrix instructions that have to be
/// tested on a device. Those of simulators and CPUs are known to work.
static bool hasUntestedTiles(StringRef target) {
  llvm::Expected<const codegen::Target &> found = codegen::findTarget(target);
  if (found)
    return !found->getTargetWithoutTiles(target).empty();
  llvm::consumeError(found.takeError());
  return false;
}

FailureOr<std::string> compileForTargets(ModuleOp module,
                                         const CompileOptions &options,
                                         ArrayRef<std::string> targets,
                                         std::optional<Stage> from,
                                         ConstantsFile *constants) {
  auto last = module->getAttrOfType<StringAttr>(tx::targetAttr);
  bool hasKernels = from && *from >= Stage::Emit;
  if (hasKernels && last && (targets.size() > 1 || targets[0] != last))
    return module.emitError("has kernels for ")
           << last << " only: compile for other targets from an earlier stage";
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<codegen::ImageBytes> images;
  SmallVector<PackageSection> sections;
  for (const std::string &target : targets) {
    CompileOptions single = options;
    single.target = target;
    if (targets.size() > 1 && !options.dumpDir.empty()) {
      SmallString<128> folder(options.dumpDir);
      std::string name = target;
      llvm::replace(name, ':', '-');
      llvm::sys::path::append(folder, name);
      single.dumpDir = folder.str().str();
    }
    // The last target may use the module itself; the others need a clone.
    ModuleOp own = module;
    if (&target != &targets.back())
      own = *modules.emplace_back(module.clone());
    bool isTested = options.notes.tileTests && hasUntestedTiles(target);
    UsedTiles used;
    if (isTested && from == Stage::Emit)
      used = findUsedTiles(own);
    if (isTested)
      single.onStage = [&](Stage stage, double seconds) {
        if (stage == Stage::Emit)
          used = findUsedTiles(own);
        if (options.onStage)
          options.onStage(stage, seconds);
      };
    auto image = compileImage(own, single, from);
    if (failed(image))
      return failure();
    images.push_back(std::move(*image));
    sections.push_back({own, "", target});
    if (!used.any)
      continue;
    FailureOr<std::string> test =
        compileTileTest(module.getContext(), target, used);
    if (failed(test))
      return failure();
    sections.back().tileTest = std::move(*test);
  }
  for (auto [section, image] : llvm::zip(sections, images))
    section.image = StringRef(image.data(), image.size());
  auto start = std::chrono::steady_clock::now();
  FailureOr<std::string> package = serialize(sections, {}, options.notes.irHash,
                                             constants, options.notes.lines);
  if (succeeded(package) && options.onStage)
    options.onStage(
        Stage::Serialize,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
  return package;
}

FailureOr<std::string> compile(ModuleOp module, const CompileOptions &options,
                               std::optional<Stage> from) {
  int64_t begin = codegen::processorNanoseconds();
  auto package = compileForTargets(module, options, options.target, from);
  if (options.cost)
    options.cost->nanoseconds += codegen::processorNanoseconds() - begin;
  return package;
}

} // namespace tensorc::compiler
