//===- PendingPipelines.cpp - Stands in until the stages exist ------------===//

#include "compiler/pipelines/Pipelines.h"

#include "mlir/IR/Diagnostics.h"

namespace tensorc::compiler {

static constexpr llvm::StringLiteral names[] = {
    "import", "tensor", "fuse", "emit", "lower", "serialize"};

llvm::StringRef stageName(Stage stage) {
  return names[static_cast<int>(stage)];
}

std::optional<Stage> parseStage(llvm::StringRef name) {
  for (int i = 0; i < 6; ++i)
    if (names[i] == name)
      return static_cast<Stage>(i);
  return std::nullopt;
}

mlir::LogicalResult runStages(mlir::ModuleOp module, const CompileOptions &,
                              std::optional<Stage>, Stage) {
  return module.emitError("compilation is not available yet");
}

mlir::FailureOr<std::string>
compile(mlir::ModuleOp module, const CompileOptions &, std::optional<Stage>) {
  return module.emitError("compilation is not available yet");
}

} // namespace tensorc::compiler
