//===- StableHlo.h - Programs of StableHLO --------------------------------===//
//
// Converts textual StableHLO, as JAX and others print it, to tx. The StableHLO
// library is not needed: MLIR's parser reads the text, and the converter reads
// the attributes. Ops without a counterpart in tx are errors, which are
// reported together.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_STABLEHLO_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_STABLEHLO_H

#include "compiler/frontends/files/Source.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"

namespace llvm {
class MemoryBufferRef;
class SourceMgr;
} // namespace llvm

namespace tensorc::stablehlo {

/// True if an MLIR text contains ops of this dialect.
bool isStableHlo(llvm::StringRef text);

/// Reads the source manager's main file, which verifyText must have checked,
/// and converts its public functions. The context must have loaded tx and func.
/// Returns null after diagnostics.
mlir::OwningOpRef<mlir::ModuleOp>
readStableHlo(llvm::SourceMgr &sources, mlir::MLIRContext *context,
              llvm::ArrayRef<frontends::NamedShape> shapes = {});

/// Like readStableHlo, for a portable artifact (portable/Artifact.h). MLIR's
/// reader of bytecode trusts its input, so the bytes must come from a framework
/// in this process.
mlir::OwningOpRef<mlir::ModuleOp> readArtifact(llvm::MemoryBufferRef buffer,
                                               mlir::MLIRContext *context);

/// Converts JAX's path of an argument to a name: `params['dense']['kernel']`
/// becomes `params.dense.kernel`. Returns an empty string if the name would
/// contain only numbers (Converter.cpp).
std::string plainName(llvm::StringRef path);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_STABLEHLO_H
