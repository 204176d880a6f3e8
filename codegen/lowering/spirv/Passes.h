//===- Passes.h - Kernels in the spirv dialect ------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_SPIRV_PASSES_H
#define TENSORC_CODEGEN_LOWERING_SPIRV_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tensorc::codegen {

/// The environment in which a module is executed.
enum class SpirvFlavour {
  /// OpenCL: buffers are CrossWorkgroup pointers, and arguments are parameters.
  Kernel,
  /// Vulkan: buffers are PhysicalStorageBuffer pointers, and arguments are push
  /// constants.
  Shader
};

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "codegen/lowering/spirv/Passes.h.inc"

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_SPIRV_PASSES_H
