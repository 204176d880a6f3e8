//===- Serialize.h - writes a package ---------------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PACKAGE_SERIALIZE_H
#define TENSORC_COMPILER_OUTPUT_PACKAGE_SERIALIZE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tensorc::compiler {

/// One target's part of a package: a lowered module with txp.funcs, and the
/// linked image of its kernels.
struct PackageSection {
  mlir::ModuleOp module;
  llvm::StringRef image;
  /// The target; if empty, the module's `tx.target`.
  std::string target;
  /// A package that tests the matrix instructions of the code
  /// (runtime/abi/TileTest.h), or empty.
  std::string tileTest = {};
};

/// A constant that `txp.constant_buffer "name"` refers to.
struct NamedConstant {
  llvm::StringRef name;
  llvm::ArrayRef<char> bytes;
};

/// A separate file with the constants of a package. Small packages of one model
/// can share it, and code can be replaced without touching the weights.
struct ConstantsFile {
  /// Name of the file without a folder. The file is always in the folder of the
  /// package.
  std::string name;
  /// The content, set by serialize.
  std::string bytes;
};

/// Returns the bytes of a package for tensorc_rt_load_bytes. All sections have
/// the same entries and share constants. `irHash` identifies the program that
/// it was made from (0 if unknown). If `file` is given, constants are written
/// there. With `lines`, messages about kernels name source lines. Reports an
/// error for ops that have no encoding.
mlir::FailureOr<std::string>
serialize(llvm::ArrayRef<PackageSection> sections,
          llvm::ArrayRef<NamedConstant> constants = {}, uint64_t irHash = 0,
          ConstantsFile *file = nullptr, bool lines = true);

} // namespace tensorc::compiler

#endif
