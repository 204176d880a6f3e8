//===- WorkgroupMemory.h - where a block's memory lies ----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_WORKGROUPMEMORY_H
#define TENSORC_CODEGEN_KERNEL_WORKGROUPMEMORY_H

#include "codegen/kernel/TargetInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tensorc::codegen {

/// On a kernel whose arrays are dynamic shared memory: how many bytes its
/// launch asks for. They lie there one after the other.
constexpr llvm::StringLiteral kDynamicSharedAttr = "txk.dynamic_shared";

/// What the first array of dynamic shared memory is aligned to, enough for any
/// instruction; the others are aligned as static ones.
constexpr int64_t kDynamicSharedAlignment = 1024, kSharedAlignment = 64;

/// Where each array of the kernel begins if they are put one after the other;
/// behind them, their bytes.
llvm::SmallVector<int64_t> layOutWorkgroupMemory(mlir::gpu::GPUFuncOp kernel);

/// The bytes of dynamic shared memory, 0 if the kernel's are static.
int64_t getDynamicShared(mlir::gpu::GPUFuncOp kernel);

/// Makes the kernel's memory dynamic if it is more than may be static. More
/// than a block can have is an error.
mlir::LogicalResult placeWorkgroupMemory(mlir::gpu::GPUFuncOp kernel,
                                         const TargetInfo &target);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_WORKGROUPMEMORY_H
