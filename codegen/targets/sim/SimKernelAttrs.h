//===- SimKernelAttrs.h - Attributes between the simulator's passes -------===//
//
// Attributes of a kernel that sim-convert-simt-to-host derives from the
// gpu.func, and from which sim-lower-accesses makes the kernel's SimKernel.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_SIMKERNELATTRS_H
#define TENSORC_CODEGEN_TARGETS_SIM_SIMKERNELATTRS_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::codegen::sim {

/// Number of threads per block (i32). Marks a function as a kernel.
constexpr llvm::StringLiteral kBlockAttr = "sim.block";
/// Number of threads per subgroup (i32).
constexpr llvm::StringLiteral kSubgroupAttr = "sim.subgroup";
/// Number of scalar arguments (i32).
constexpr llvm::StringLiteral kScalarsAttr = "sim.scalars";
/// Element size of each buffer argument in bytes.
constexpr llvm::StringLiteral kBuffersAttr = "sim.buffers";
/// Number of tensor maps, which follow the scalar arguments (i32). Absent if
/// there are none.
constexpr llvm::StringLiteral kTensorMapsAttr = "sim.tensor_maps";
/// Size in bytes of each workgroup array, and of its elements.
constexpr llvm::StringLiteral kSharedAttr = "sim.shared";
/// Bytes of dynamic shared memory (i32). Absent if the workgroup arrays are
/// static.
constexpr llvm::StringLiteral kDynamicAttr = "sim.dynamic_shared";
/// Name of the op that the call of a callback replaces. Set on calls whose last
/// operand, the site, is still to be set.
constexpr llvm::StringLiteral kCallAttr = "sim.call";
/// Number of accessed bytes, and their alignment. Set on the same calls.
constexpr llvm::StringLiteral kAccessAttr = "sim.access";
/// Marks a module whose kernels are compiled for a profile, and its kernels
/// (unit).
constexpr llvm::StringLiteral kProfileAttr = "sim.profile";
/// Callbacks of a profile. The kAccessAttr of a count is the number of
/// instructions and their rt::SimClass.
constexpr llvm::StringLiteral kCountCall = "sim.count";
constexpr llvm::StringLiteral kRadixCall = "sim.radix";
constexpr llvm::StringLiteral kBarrierCall = "gpu.barrier";
constexpr llvm::StringLiteral kShuffleCall = "gpu.shuffle";
/// Prefix of the names of locations of atomic accesses.
constexpr llvm::StringLiteral kAtomicPrefix = "memref.atomic_rmw";

/// Indices of the arguments of the host function.
enum HostArgument : unsigned { ThreadArg, CallsArg, WordsArg };

} // namespace tensorc::codegen::sim

#endif // TENSORC_CODEGEN_TARGETS_SIM_SIMKERNELATTRS_H
