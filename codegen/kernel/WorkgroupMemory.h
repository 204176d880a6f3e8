//===- WorkgroupMemory.h - Layout of a block's shared memory ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_WORKGROUPMEMORY_H
#define TENSORC_CODEGEN_KERNEL_WORKGROUPMEMORY_H

#include "codegen/kernel/TargetInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tensorc::codegen {

/// Attribute of a kernel whose workgroup arrays are contiguous in dynamic
/// shared memory: the number of bytes that its launch requests.
constexpr llvm::StringLiteral kDynamicSharedAttr = "txk.dynamic_shared";

/// Alignment of the first array in dynamic shared memory, which suffices for
/// any instruction, and alignment of the other arrays, as in static shared
/// memory.
constexpr int64_t kDynamicSharedAlignment = 1024, kSharedAlignment = 64;

/// Returns the offset of each workgroup array in a contiguous layout, followed
/// by the total size.
llvm::SmallVector<int64_t> layOutWorkgroupMemory(mlir::gpu::GPUFuncOp kernel);

/// Returns the bytes of dynamic shared memory, or 0 if the kernel's shared
/// memory is static.
int64_t getDynamicShared(mlir::gpu::GPUFuncOp kernel);

/// Makes the kernel's workgroup memory dynamic if it exceeds the static limit.
/// Reports an error if it exceeds the limit of a block.
mlir::LogicalResult placeWorkgroupMemory(mlir::gpu::GPUFuncOp kernel,
                                         const TargetInfo &target);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_WORKGROUPMEMORY_H
