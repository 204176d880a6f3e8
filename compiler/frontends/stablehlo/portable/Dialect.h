//===- Dialect.h - The dialect of portable artifacts ----------------------===//
//
// Reads VHLO from MLIR's bytecode: ops are names with attributes, and
// attributes and types are codes. They are converted to the attributes and
// types of textual StableHLO. Ops keep their names (see Artifact.cpp).
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

/// Registers how the attributes of `op` are read from bytecode.
void addBytecode(mlir::StringRef dialect, const PortableOp &op,
                 mlir::MLIRContext *context);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_DIALECT_H
