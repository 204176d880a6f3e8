//===- LaunchAttributes.h - what a txp.launch says of its kernel ----------===//
#ifndef TENSORC_IR_PROGRAM_LAUNCHATTRIBUTES_H
#define TENSORC_IR_PROGRAM_LAUNCHATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::txp {

/// What the kernel counts on, as #tx.dims: the extent, the bytes of scratch,
/// the least bytes of each of the ins and outs, and each scalar that is a size.
inline constexpr llvm::StringLiteral sizesAttr = "txp.sizes";
/// The element types of the ins, outs and scalars; index: the scalar is a size.
inline constexpr llvm::StringLiteral dtypesAttr = "txp.dtypes";
/// How the kernel computes: those of its fusion.
inline constexpr llvm::StringLiteral scheduleAttr = "txp.schedule";
inline constexpr llvm::StringLiteral orderAttr = "txp.order";

/// On a launch whose outs hold what earlier launches or a fill wrote, which the
/// kernel may read.
inline constexpr llvm::StringLiteral updatesAttr = "txp.updates";

/// On a launch: pairs of an in and an out, each by its number, where the kernel
/// reads the in only at the places that it then writes. Both may be one buffer.
inline constexpr llvm::StringLiteral inPlaceAttr = "txp.in_place";
/// On such a launch: where the in and the out are one buffer, it changes
/// nothing.
inline constexpr llvm::StringLiteral keepsAttr = "txp.keeps";
/// On a launch of a loop: the names of the kernels that it calls.
inline constexpr llvm::StringLiteral callsAttr = "txp.calls";
/// On an alloc: arguments whose memory it may be instead, where the caller has
/// given that up (tensorc_rt_run_into).
inline constexpr llvm::StringLiteral reusesAttr = "txp.reuses";
/// On such an alloc: once it is written nothing follows that can fail, so that
/// a run that fails has not touched the argument.
inline constexpr llvm::StringLiteral writtenLastAttr = "txp.written_last";

} // namespace tensorc::txp

#endif // TENSORC_IR_PROGRAM_LAUNCHATTRIBUTES_H
