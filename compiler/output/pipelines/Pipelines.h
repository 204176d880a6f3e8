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

/// The stages; docs/design/0001-stages.md shows the IR after each.
enum class Stage { Import, Tensor, Fuse, Emit, Lower, Serialize };

llvm::StringRef stageName(Stage stage);
std::optional<Stage> parseStage(llvm::StringRef name);

/// The cost of a compilation.
struct CompileCost {
  /// Bytes of machine code; 0 for targets whose images contain none, such as
  /// PTX.
  uint64_t codeBytes = 0;
  /// CPU time of all threads that work on it.
  int64_t nanoseconds = 0;
  /// Number of ops that each rank computes as a whole, although their operands
  /// are split over the ranks.
  uint64_t wholeOps = 0;
};

/// Bytes of the device that a run may need, with inputs and results; 0 for no
/// limit. A program with static sizes is changed until it fits into the limit,
/// or refused. Decisions that trade time for memory depend on the speed of the
/// device; the defaults are those of one core.
struct MemoryLimit {
  uint64_t bytes = 0;
  double launchMicroseconds = 2, memoryGBPerSecond = 10, gflopPerSecond = 100;
  unsigned threads = 1;
};

/// What a package records of its program.
struct PackageNotes {
  /// Hash of the program; 0 if unknown.
  uint64_t irHash = 0;
  /// Whether source lines are recorded. The JIT does not record them, because
  /// its packages are shared by code at different lines.
  bool lines = true;
  /// Whether code with matrix instructions for GPUs comes with a program that
  /// tests them, because the runtime has no compiler. The JIT has tested them.
  bool tileTests = false;
};

struct CompileOptions {
  /// The target: `cpu`, `cpu:x86-64-v3`, `cuda:sm_90`, ...; see
  /// codegen::listTargets.
  std::string target = "cpu";
  int optLevel = 2;
  bool fastMath = false;
  /// Schedules set by hand for the stage `fuse`: KERNEL:NAME=NUMBER,...
  std::vector<std::string> schedules = {};
  MemoryLimit memoryLimit = {};
  /// Verify after each stage that no illegal ops are left.
  bool verify = true;
  PackageNotes notes = {};
  /// Folder for the text after every stage; empty for none.
  std::string dumpDir;
  /// The name of the program in progress messages.
  std::string name = "tensorc";
  /// See codegen::CodegenOptions.
  std::function<bool()> onKernel;
  /// Maximum number of threads for generating machine code. The bytes do not
  /// depend on it.
  unsigned threads = 1;
  /// Polled often between steps. If it returns true, the compilation is
  /// cancelled with an error.
  std::function<bool()> isCancelled;
  /// Called after each stage with its wall time in seconds.
  std::function<void(Stage, double)> onStage;
  /// If not null, compile() adds its cost.
  CompileCost *cost = nullptr;
};

/// Returns the part of the options that code generation uses.
codegen::CodegenOptions codegenOptions(const CompileOptions &options);

/// Runs the stages after `from` up to and including `last`, which is at most
/// Lower. `from` is the stage whose output `module` is; if it is empty, the
/// module was just parsed or built. Errors are diagnostics of the module's
/// context.
mlir::LogicalResult runStages(mlir::ModuleOp module,
                              const CompileOptions &options,
                              std::optional<Stage> from, Stage last);

/// Runs all stages and returns a package that the runtime can load from memory.
mlir::FailureOr<std::string> compile(mlir::ModuleOp module,
                                     const CompileOptions &options,
                                     std::optional<Stage> from = std::nullopt);

/// Compiles for several targets into one package with a section for each. If
/// `constants` is given, the constants are stored there, and the package refers
/// to a file with that name.
mlir::FailureOr<std::string>
compileForTargets(mlir::ModuleOp module, const CompileOptions &options,
                  llvm::ArrayRef<std::string> targets,
                  std::optional<Stage> from = std::nullopt,
                  ConstantsFile *constants = nullptr);

/// Build the pass managers of single stages; see Pipelines.cpp.
void buildImportStage(mlir::OpPassManager &pm, const CompileOptions &options);
void buildTensorStage(mlir::OpPassManager &pm, const CompileOptions &options);
void buildFuseStage(mlir::OpPassManager &pm, const CompileOptions &options);
void buildEmitStage(mlir::OpPassManager &pm, const CompileOptions &options);
void buildLowerStage(mlir::OpPassManager &pm, const CompileOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_PIPELINES_H
