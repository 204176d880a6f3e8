//===- Dialect.h - The dialect of portable artifacts ----------------------===//
//
// VHLO as MLIR's bytecode has it: ops that are names with attributes, and codes
// of attributes and types. Attributes and types become those that the text of
// StableHLO has. Ops keep their names (Artifact.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_DIALECT_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_DIALECT_H

#include "compiler/frontends/stablehlo/portable/Ops.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/ExtensibleDialect.h"

namespace tensorc::stablehlo {

/// Loads the dialect for reading an artifact of this many bytes.
void loadPortableDialect(mlir::MLIRContext *context, size_t bytes);

/// Registers how to read the attributes of `op` from bytecode.
void addBytecode(mlir::StringRef dialect, const PortableOp &op,
                 mlir::MLIRContext *context);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_DIALECT_H
