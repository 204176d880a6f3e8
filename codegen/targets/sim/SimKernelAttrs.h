//===- SimKernelAttrs.h - what the passes tell each other -------*- C++ -*-===//
//
// Attributes of a kernel between sim-convert-simt-to-host, which knows the
// gpu.func, and sim-lower-accesses, which writes the kernel's SimKernel.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_SIMKERNELATTRS_H
#define TENSORC_CODEGEN_TARGETS_SIM_SIMKERNELATTRS_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::codegen::sim {

/// Threads of a block, i32; marks a kernel.
constexpr llvm::StringLiteral kBlockAttr = "sim.block";
/// Threads of a subgroup, i32.
constexpr llvm::StringLiteral kSubgroupAttr = "sim.subgroup";
/// Number of scalar arguments, i32.
constexpr llvm::StringLiteral kScalarsAttr = "sim.scalars";
/// The bytes of an element, for each buffer of the arguments.
constexpr llvm::StringLiteral kBuffersAttr = "sim.buffers";
/// Number of tensor maps after the scalar arguments, i32, if there are any.
constexpr llvm::StringLiteral kTensorMapsAttr = "sim.tensor_maps";
/// Bytes, and bytes of an element, for each array of the workgroup.
constexpr llvm::StringLiteral kSharedAttr = "sim.shared";
/// Bytes of dynamic shared memory, i32, if the arrays are part of such.
constexpr llvm::StringLiteral kDynamicAttr = "sim.dynamic_shared";
/// On a call of a callback whose last operand will be its site: the operation.
constexpr llvm::StringLiteral kCallAttr = "sim.call";
/// On the same call: the number of accessed bytes, and their alignment.
constexpr llvm::StringLiteral kAccessAttr = "sim.access";
constexpr llvm::StringLiteral kBarrierCall = "gpu.barrier";
constexpr llvm::StringLiteral kShuffleCall = "gpu.shuffle";
/// Begins the name of an atomic access' location.
constexpr llvm::StringLiteral kAtomicPrefix = "memref.atomic_rmw";

/// Arguments of the host's function.
enum HostArgument : unsigned { ThreadArg, CallsArg, WordsArg };

} // namespace tensorc::codegen::sim

#endif // TENSORC_CODEGEN_TARGETS_SIM_SIMKERNELATTRS_H
