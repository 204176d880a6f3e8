//===- SimKernelAttrs.h - Attributes between the simulator's passes -------===//
//
// Attributes of a kernel between sim-convert-simt-to-host, which knows the
// gpu.func, and sim-lower-accesses, which writes the kernel's SimKernel.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_SIMKERNELATTRS_H
#define TENSORC_CODEGEN_TARGETS_SIM_SIMKERNELATTRS_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::codegen::sim {

/// Number of threads per block, i32. Its presence marks a kernel.
constexpr llvm::StringLiteral kBlockAttr = "sim.block";
/// Number of threads per subgroup, i32.
constexpr llvm::StringLiteral kSubgroupAttr = "sim.subgroup";
/// Number of scalar arguments, i32.
constexpr llvm::StringLiteral kScalarsAttr = "sim.scalars";
/// Size in bytes of an element of each buffer argument.
constexpr llvm::StringLiteral kBuffersAttr = "sim.buffers";
/// Number of tensor maps after the scalar arguments, i32, if there are any.
constexpr llvm::StringLiteral kTensorMapsAttr = "sim.tensor_maps";
/// Size in bytes of each workgroup array, and of its elements.
constexpr llvm::StringLiteral kSharedAttr = "sim.shared";
/// Bytes of dynamic shared memory, i32, if the arrays are part of it.
constexpr llvm::StringLiteral kDynamicAttr = "sim.dynamic_shared";
/// Name of the operation that a callback's call stands for, on calls whose last
/// operand will be their site.
constexpr llvm::StringLiteral kCallAttr = "sim.call";
/// Number of accessed bytes and their alignment, on the same call.
constexpr llvm::StringLiteral kAccessAttr = "sim.access";
constexpr llvm::StringLiteral kBarrierCall = "gpu.barrier";
constexpr llvm::StringLiteral kShuffleCall = "gpu.shuffle";
/// Prefix of the name of an atomic access's location.
constexpr llvm::StringLiteral kAtomicPrefix = "memref.atomic_rmw";

/// Arguments of the host function.
enum HostArgument : unsigned { ThreadArg, CallsArg, WordsArg };

} // namespace tensorc::codegen::sim

#endif // TENSORC_CODEGEN_TARGETS_SIM_SIMKERNELATTRS_H
