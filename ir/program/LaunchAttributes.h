//===- LaunchAttributes.h - what a txp.launch says of its kernel ----------===//
#ifndef TENSORC_IR_PROGRAM_LAUNCHATTRIBUTES_H
#define TENSORC_IR_PROGRAM_LAUNCHATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::txp {

/// Requirements of the kernel as #tx.dims: the extent, the bytes of scratch,
/// the minimum bytes of each in and out, and each scalar that is a size.
inline constexpr llvm::StringLiteral sizesAttr = "txp.sizes";
/// The element types of the ins, outs and scalars; index: the scalar is a size.
inline constexpr llvm::StringLiteral dtypesAttr = "txp.dtypes";
/// The schedule and order of the kernel's fusion.
inline constexpr llvm::StringLiteral scheduleAttr = "txp.schedule";
inline constexpr llvm::StringLiteral orderAttr = "txp.order";

/// Attribute of a launch whose outs hold data of earlier launches or a fill,
/// which the kernel may read.
inline constexpr llvm::StringLiteral updatesAttr = "txp.updates";

/// Attribute of a launch: pairs of an in and an out, by number, where the
/// kernel reads the in only at positions that it writes afterwards. Both may
/// alias.
inline constexpr llvm::StringLiteral inPlaceAttr = "txp.in_place";
/// Attribute of such a launch: it is a no-op if the in and the out alias.
inline constexpr llvm::StringLiteral keepsAttr = "txp.keeps";
/// Attribute of a launch of a loop: the names of the kernels that it calls.
inline constexpr llvm::StringLiteral callsAttr = "txp.calls";
/// Attribute of a launch of a loop: the number of launches of small kernels
/// that take as long.
inline constexpr llvm::StringLiteral weightAttr = "txp.weight";
/// Attribute of an alloc: arguments that it may alias instead if the caller has
/// donated them (tensorc_rt_run_into).
inline constexpr llvm::StringLiteral reusesAttr = "txp.reuses";
/// Attribute of such an alloc: nothing after its first write can fail, so that
/// a failed run has not touched the argument.
inline constexpr llvm::StringLiteral writtenLastAttr = "txp.written_last";

} // namespace tensorc::txp

#endif // TENSORC_IR_PROGRAM_LAUNCHATTRIBUTES_H
