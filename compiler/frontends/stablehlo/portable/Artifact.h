//===- Artifact.h - StableHLO as portable artifacts -----------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_ARTIFACT_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_ARTIFACT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"

namespace llvm {
class MemoryBufferRef;
} // namespace llvm

namespace tensorc::stablehlo {

/// True if the bytes begin like MLIR bytecode.
bool isBytecode(llvm::StringRef bytes);

/// Reads a portable artifact, which holds ops of VHLO in MLIR's bytecode.
/// Returns the StableHLO module that parsing the program's text would return,
/// or null after diagnostics. The context must have loaded func and the
/// dialects of loadSyntax and loadSharding.
mlir::OwningOpRef<mlir::ModuleOp>
readPortableArtifact(llvm::MemoryBufferRef buffer, mlir::MLIRContext *context);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_ARTIFACT_H
