//===- TilesToNVVM.h - Lower ldmatrix, mma.sync and cp.async ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_NVPTX_TILESTONVVM_H
#define TENSORC_CODEGEN_TARGETS_NVPTX_TILESTONVVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace tensorc::codegen {

/// Patterns for txk.nv.* and copies, to run after txk-expand-tiles. Those of
/// populateHopperToNVVM are for sm_90a only.
void populateHopperToNVVM(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateTilesToNVVM(const mlir::LLVMTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_NVPTX_TILESTONVVM_H
