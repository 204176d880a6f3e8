//===- NvptxTarget.h - The target behind cuda:... ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_NVPTX_NVPTXTARGET_H
#define TENSORC_CODEGEN_TARGETS_NVPTX_NVPTXTARGET_H

#include "codegen/targets/Target.h"

namespace tensorc::codegen {

const Target &getNvptxTarget();

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_NVPTX_NVPTXTARGET_H
