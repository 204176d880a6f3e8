//===- AmdgpuTarget.h - The target behind rocm:... --------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_AMDGPU_AMDGPUTARGET_H
#define TENSORC_CODEGEN_TARGETS_AMDGPU_AMDGPUTARGET_H

#include "codegen/targets/Target.h"

namespace tensorc::codegen {

const Target &getAmdgpuTarget();

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_AMDGPU_AMDGPUTARGET_H
