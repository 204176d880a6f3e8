//===- Serialize.h - writes a package ---------------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PACKAGE_SERIALIZE_H
#define TENSORC_COMPILER_OUTPUT_PACKAGE_SERIALIZE_H

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

/// A file beside the package that holds its constants: small packages of one
/// model can share it, and replace code without touching weights.
struct ConstantsFile {
  /// Without a folder: it lies in the package's.
  std::string name;
  /// What serialize has written.
  std::string bytes;
};

/// The bytes of a package, which tensorc_rt_load_bytes takes. Every section
/// has the same entries; constants are shared. `irHash` says what it was made
/// from (0: unknown). With `file` the constants go there. With `lines`,
/// messages about kernels can name the source. Only transcribes; what cannot be
/// is a diagnostic.
mlir::FailureOr<std::string>
serialize(llvm::ArrayRef<PackageSection> sections,
          llvm::ArrayRef<NamedConstant> constants = {}, uint64_t irHash = 0,
          ConstantsFile *file = nullptr, bool lines = true);

} // namespace tensorc::compiler

#endif
