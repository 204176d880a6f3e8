//===- SimTarget.h - The target behind sim and sim:... ----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_SIMTARGET_H
#define TENSORC_CODEGEN_TARGETS_SIM_SIMTARGET_H

#include "codegen/targets/Target.h"

namespace tensorc::codegen {

const Target &getSimTarget();

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_SIM_SIMTARGET_H
