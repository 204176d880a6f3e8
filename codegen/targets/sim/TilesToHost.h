//===- TilesToHost.h - Lower matrix instructions to callbacks ---*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_TILESTOHOST_H
#define TENSORC_CODEGEN_TARGETS_SIM_TILESTOHOST_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace tensorc::codegen {

/// Replaces instructions that each lane executes for itself by arithmetic.
void expandElementInstructions(mlir::Operation *root);

/// Adds patterns that lower the txk instructions of all chips to callbacks.
/// Those of populateHopperToHost are only for sm_90a.
void populateHopperToHost(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateTilesToHost(const mlir::LLVMTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_SIM_TILESTOHOST_H
