//===- Pipelines.h - The stages of a compilation, in order ----------------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_PIPELINES_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_PIPELINES_H

#include "codegen/targets/Target.h"

#include "compiler/output/package/Serialize.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>

namespace tensorc::compiler {

/// docs/design/0001-stages.md shows the IR after each.
enum class Stage { Import, Tensor, Fuse, Emit, Lower, Serialize };

llvm::StringRef stageName(Stage stage);
std::optional<Stage> parseStage(llvm::StringRef name);

/// What a compilation comes to.
struct CompileCost {
  /// Of machine code; 0 of targets whose images do not say it, as PTX.
  uint64_t codeBytes = 0;
  /// Processor time of all threads that work on it.
  int64_t nanoseconds = 0;
};

struct CompileOptions {
  /// `cpu`, `cpu:x86-64-v3`, `cuda:sm_90`, ...: codegen::listTargets.
  std::string target = "cpu";
  int optLevel = 2;
  bool fastMath = false;
  /// KERNEL:NAME=NUMBER,...: schedules by hand, for the stage `fuse`.
  std::vector<std::string> schedules = {};
  /// Check after each stage what is then illegal.
  bool verify = true;
  /// What the package says it was made from: a hash of the program; 0: unknown.
  uint64_t irHash = 0;
  /// Whether the package names the source's lines; the JIT's serve many.
  bool lines = true;
  /// Where to write every stage's text; empty: nowhere.
  std::string dumpDir;
  /// What Progress calls the program.
  std::string name = "tensorc";
  /// See codegen::CodegenOptions.
  std::function<bool()> onKernel;
  /// How many threads may make machine code. The bytes are the same for any.
  unsigned threads = 1;
  /// Asked often, between steps: whether to end with an error.
  std::function<bool()> isCancelled;
  /// Called after each stage with its wall time in seconds.
  std::function<void(Stage, double)> onStage;
  /// What is added to by compile(); null: nobody asks.
  CompileCost *cost = nullptr;
};

/// What code generation is told of it.
codegen::CodegenOptions codegenOptions(const CompileOptions &options);

/// Runs the stages after `from` (the stage whose output `module` is; none: a
/// freshly parsed or built module) up to and including `last`, which is at
/// most Lower. Errors are diagnostics of the module's context.
mlir::LogicalResult runStages(mlir::ModuleOp module,
                              const CompileOptions &options,
                              std::optional<Stage> from, Stage last);

/// All stages: a package in memory, to be loaded by the runtime.
mlir::FailureOr<std::string> compile(mlir::ModuleOp module,
                                     const CompileOptions &options,
                                     std::optional<Stage> from = std::nullopt);

/// The same for several targets: one package with a section for each. With
/// `constants`, a file of that name takes the constants, and its content is
/// written there.
mlir::FailureOr<std::string>
compileForTargets(mlir::ModuleOp module, const CompileOptions &options,
                  llvm::ArrayRef<std::string> targets,
                  std::optional<Stage> from = std::nullopt,
                  ConstantsFile *constants = nullptr);

/// Pass managers of the single stages, readable top-down in Pipelines.cpp.
void buildImportStage(mlir::OpPassManager &pm, const CompileOptions &options);
void buildTensorStage(mlir::OpPassManager &pm, const CompileOptions &options);
void buildFuseStage(mlir::OpPassManager &pm, const CompileOptions &options);
void buildEmitStage(mlir::OpPassManager &pm, const CompileOptions &options);
void buildLowerStage(mlir::OpPassManager &pm, const CompileOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_PIPELINES_H
