//===- HostCopies.h - Ops for buffers that are kept on the host -*- C++ -*-===//
//
// These ops (TxpHostCopies.td) are separate from the others because few sources
// need them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_PROGRAM_HOSTCOPIES_H
#define TENSORC_IR_PROGRAM_HOSTCOPIES_H

#include "ir/program/Txp.h"

#define GET_OP_CLASSES
#include "ir/program/TxpHostCopies.h.inc"

namespace tensorc::txp {

/// Attribute of a module: speed of copies between device and host, in 10^9 bytes
/// per second. Without it a memory limit moves no buffers to the host.
inline constexpr llvm::StringLiteral hostRateAttr = "txp.host_gb_s";

} // namespace tensorc::txp

#endif
