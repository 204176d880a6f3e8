//===- HopperContraction.h - Contraction by wgmma ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_NVPTX_HOPPERCONTRACTION_H
#define TENSORC_CODEGEN_TARGETS_NVPTX_HOPPERCONTRACTION_H

#include "codegen/emitters/Skeleton.h"

namespace tensorc::codegen {

/// The contraction skeleton of sm_90a.
extern const Skeleton hopperContraction;

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_NVPTX_HOPPERCONTRACTION_H
