//===- WorkgroupMemory.h - Layout of a block's shared memory ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_WORKGROUPMEMORY_H
#define TENSORC_CODEGEN_KERNEL_WORKGROUPMEMORY_H

#include "codegen/kernel/TargetInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tensorc::codegen {

/// Attribute of a kernel whose workgroup arrays are in dynamic shared memory:
/// the number of bytes that its launch requests. The arrays are laid out one
/// after the other.
constexpr llvm::StringLiteral kDynamicSharedAttr = "txk.dynamic_shared";

/// Alignment of the first array of dynamic shared memory, enough for any
/// instruction, and of the other arrays, as for static ones.
constexpr int64_t kDynamicSharedAlignment = 1024, kSharedAlignment = 64;

/// Returns the offset of each workgroup array if they are laid out one after
/// the other, followed by their total size.
llvm::SmallVector<int64_t> layOutWorkgroupMemory(mlir::gpu::GPUFuncOp kernel);

/// Returns the bytes of dynamic shared memory; 0 if the kernel's is static.
int64_t getDynamicShared(mlir::gpu::GPUFuncOp kernel);

/// Makes the kernel's workgroup memory dynamic if it exceeds what may be
/// static. Reports an error if it exceeds what a block can have.
mlir::LogicalResult placeWorkgroupMemory(mlir::gpu::GPUFuncOp kernel,
                                         const TargetInfo &target);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_WORKGROUPMEMORY_H
