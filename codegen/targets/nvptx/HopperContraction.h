//===- HopperContraction.h - A contraction by wgmma -------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_NVPTX_HOPPERCONTRACTION_H
#define TENSORC_CODEGEN_TARGETS_NVPTX_HOPPERCONTRACTION_H

namespace tensorc::codegen {

/// Contractions on sm_90a, simulated or not, are asked whether they suit it.
void offerHopperContraction();

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_NVPTX_HOPPERCONTRACTION_H
