//===- TilesToNVVM.h - Lower ldmatrix, mma.sync and cp.async ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_NVPTX_TILESTONVVM_H
#define TENSORC_CODEGEN_TARGETS_NVPTX_TILESTONVVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace tensorc::codegen {

/// Adds patterns that lower copies and txk.nv.* ops, after txk-expand-tiles.
/// Those of populateHopperToNVVM are only for sm_90a.
void populateHopperToNVVM(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateTilesToNVVM(const mlir::LLVMTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_NVPTX_TILESTONVVM_H
