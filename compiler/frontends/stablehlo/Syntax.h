//===- Syntax.h - The short forms of StableHLO's ops ----------------------===//
//
// Defines the dialects stablehlo and chlo without ops: they accept any op in
// generic form and keep attributes and types as text. The short forms, in which
// programs are printed by default, are parsed to ops with the same attributes.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_SYNTAX_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_SYNTAX_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tensorc::stablehlo {

void loadSyntax(mlir::MLIRContext *context);
/// Loads JAX's dialect for the distribution of tensors over devices
/// (devices/ShardingDialect.cpp).
void loadSharding(mlir::MLIRContext *context);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_SYNTAX_H
