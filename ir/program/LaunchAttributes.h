//===- LaunchAttributes.h - Attributes of txp.launch and related ops ------===//
#ifndef TENSORC_IR_PROGRAM_LAUNCHATTRIBUTES_H
#define TENSORC_IR_PROGRAM_LAUNCHATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::txp {

/// Sizes that the kernel requires, as #tx.dims: the extent, the bytes of
/// scratch, the minimum bytes of each in and out, and the value of each scalar
/// that is a size.
inline constexpr llvm::StringLiteral sizesAttr = "txp.sizes";
/// The element types of the ins, outs and scalars. For a scalar, `index` means
/// that it is a size.
inline constexpr llvm::StringLiteral dtypesAttr = "txp.dtypes";
/// The schedule and order of the kernel's fusion.
inline constexpr llvm::StringLiteral scheduleAttr = "txp.schedule";
inline constexpr llvm::StringLiteral orderAttr = "txp.order";

/// Attribute of a launch whose outs contain data that earlier launches or a
/// fill wrote and that the kernel may read.
inline constexpr llvm::StringLiteral updatesAttr = "txp.updates";

/// Attribute of a launch: pairs (number of an in, number of an out) that may
/// alias, because the kernel reads the in only at positions to which it writes
/// the out afterwards.
inline constexpr llvm::StringLiteral inPlaceAttr = "txp.in_place";
/// Attribute of a launch with in-place pairs: the launch has no effect if the
/// in and the out alias, so it may then be omitted.
inline constexpr llvm::StringLiteral keepsAttr = "txp.keeps";
/// Attribute of a launch that executes a loop: the names of the kernels that
/// the loop calls.
inline constexpr llvm::StringLiteral callsAttr = "txp.calls";
/// Attribute of a launch of a loop: its cost, as a number of launches of small
/// kernels.
inline constexpr llvm::StringLiteral weightAttr = "txp.weight";
/// Attribute of a module: the maximum number of device bytes that a run of each
/// entry may need.
inline constexpr llvm::StringLiteral memoryLimitAttr = "txp.memory_limit";
/// Attribute of a module: values of named sizes, as a dictionary. For these
/// sizes the compiler adds programs that need less memory.
inline constexpr llvm::StringLiteral plannedSizesAttr = "txp.planned_sizes";
/// Attribute of a program: the entry that computes the same results and needs
/// more memory. A run that lacks memory uses the first such program that fits.
inline constexpr llvm::StringLiteral planOfAttr = "txp.plan_of";
/// Attribute of a launch: its number of arithmetic operations as #tx.dims.
/// Present if the module has a memory limit or planned sizes.
inline constexpr llvm::StringLiteral flopsAttr = "txp.flops";
/// Attribute of a program that was fitted into a memory limit: the device bytes
/// that it needed before and needs now. If it does not fit, it needs the
/// smallest limit. Attribute of an op of such a program:
/// the decision, the bytes that it saves, and the time that it costs.
inline constexpr llvm::StringLiteral fitAttr = "txp.fit";
/// Attribute of an alloc: numbers of the arguments whose memory it may use
/// instead, if the caller has donated them (tensorc_rt_run_into).
inline constexpr llvm::StringLiteral reusesAttr = "txp.reuses";
/// Attribute of an alloc with reused arguments: nothing after its first write
/// can fail, so that a failed run leaves the argument unchanged.
inline constexpr llvm::StringLiteral writtenLastAttr = "txp.written_last";

} // namespace tensorc::txp

#endif // TENSORC_IR_PROGRAM_LAUNCHATTRIBUTES_H
