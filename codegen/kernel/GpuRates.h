//===- GpuRates.h - Peak rates of GPUs for estimates ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_GPURATES_H
#define TENSORC_CODEGEN_KERNEL_GPURATES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tensorc::codegen {

/// Resources of a processor, the part of a chip on which a block runs. They
/// limit the number of blocks that share the processor.
struct ProcessorLimits {
  int64_t threads, blocks, registers, workgroupBytes;
  /// Workgroup memory that each block takes in addition to its own.
  int64_t reservedBytes;
  /// Registers are allocated to a subgroup in multiples of this number.
  int64_t registerUnit;
};

/// The peak rates of a chip.
struct GpuRates {
  llvm::StringLiteral chip, product;
  int64_t processors;
  double megahertz; // while all processors compute
  double memoryGBs; // DRAM bandwidth
  double l2BytesPerClock;
  /// Peak of the matrix units for f16 operands and f32 sums.
  double matrixTeraflops;
  /// Rates per clock of a processor: instructions of subgroups, lanes of
  /// special functions, lanes of f64 arithmetic.
  double issues, specialLanes, doubleLanes;
  ProcessorLimits limits;
};

llvm::ArrayRef<GpuRates> listGpuRates();

/// Returns null for a chip without figures.
const GpuRates *findGpuRates(llvm::StringRef chip);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_GPURATES_H
