//===- Ops.h - Ops of StableHLO's portable artifacts ----------------------===//
//
// In an artifact each op has a version, `vhlo.add_v1`, and its attributes are
// written in the alphabetical order of their names, but without the names. So a
// reader must know the names.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_OPS_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_OPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tensorc::stablehlo {

struct PortableOp {
  /// The name without the dialect and with the version: `add_v1`.
  llvm::StringRef name;
  /// Names of the attributes in the order of their encoding, separated by
  /// blanks. A `?` before a name marks an attribute that may be absent.
  llvm::StringRef attributes;
};

/// The ops of all versions up to `newestVersion`.
llvm::ArrayRef<PortableOp> portableOps();

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_OPS_H
