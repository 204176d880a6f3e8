//===- GpuCosts.h - Costs of GPUs -------------------------------*- C++ -*-===//
//
// These are costs by which SIMT emitters choose among kernels that give the
// same bits. The table is in GpuCosts.def.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_GPUCOSTS_H
#define TENSORC_CODEGEN_KERNEL_GPUCOSTS_H

#include "codegen/kernel/CpuCosts.h"

namespace tensorc::codegen {

struct GpuCosts {
#define GPU_COST(NAME, VALUE, SOURCE, ORIGIN, COMMAND)                         \
  Cost NAME = {VALUE, CostSource::SOURCE, ORIGIN};
#include "codegen/kernel/GpuCosts.def"
};

inline const GpuCosts gpuCosts;

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_GPUCOSTS_H
