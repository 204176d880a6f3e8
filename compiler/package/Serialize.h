//===- Serialize.h - writes a package ---------------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_PACKAGE_SERIALIZE_H
#define TENSORC_COMPILER_PACKAGE_SERIALIZE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tensorc::compiler {

/// One target's part of a package: a module after `lower`, of which the
/// txp.funcs are read, and the linked image of its kernels.
struct PackageSection {
  mlir::ModuleOp module;
  llvm::StringRef image;
  /// Empty: the module's `tx.target`.
  std::string target;
};

/// A constant that `txp.constant_buffer "name"` refers to.
struct NamedConstant {
  llvm::StringRef name;
  llvm::ArrayRef<char> bytes;
};

/// The bytes of a package, which tensorc_rt_load_bytes takes. Every section
/// has the same entries; constants are shared. `irHash` says what it was made
/// from (0: unknown). Only transcribes; what cannot be is a diagnostic.
mlir::FailureOr<std::string>
serialize(llvm::ArrayRef<PackageSection> sections,
          llvm::ArrayRef<NamedConstant> constants = {}, uint64_t irHash = 0);

} // namespace tensorc::compiler

#endif
