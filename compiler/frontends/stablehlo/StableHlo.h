//===- StableHlo.h - Programs of StableHLO --------------------------------===//
//
// Textual StableHLO, as JAX and others print it, to tx. Nothing of the
// StableHLO library is needed: MLIR's parser reads the text, and the converter
// its attributes. What has no meaning in tx is refused, all of it at once.
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

/// Whether a text that is MLIR is of this dialect.
bool isStableHlo(llvm::StringRef text);

/// Reads the source manager's main file, which verifyText has seen, and
/// converts its public functions. The context knows tx and func. None after
/// diagnostics.
mlir::OwningOpRef<mlir::ModuleOp>
readStableHlo(llvm::SourceMgr &sources, mlir::MLIRContext *context,
              llvm::ArrayRef<frontends::NamedShape> shapes = {});

/// Reads a portable artifact (portable/Artifact.h) in the same way. MLIR's
/// reader of bytecode trusts its input, so the bytes are those of a framework
/// in this process.
mlir::OwningOpRef<mlir::ModuleOp> readArtifact(llvm::MemoryBufferRef buffer,
                                               mlir::MLIRContext *context);

/// What a program of JAX calls an argument: `params.dense.kernel` of
/// `params['dense']['kernel']`; empty where nothing but numbers is left
/// (Converter.cpp).
std::string plainName(llvm::StringRef path);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_STABLEHLO_H
