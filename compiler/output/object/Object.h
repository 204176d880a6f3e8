//===- Object.h - programs as C functions -----------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_OBJECT_OBJECT_H
#define TENSORC_COMPILER_OUTPUT_OBJECT_OBJECT_H

#include "compiler/output/object/Signature.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace tensorc::compiler {

/// What becomes of a module after `lower`.
struct ObjectProgram {
  /// The kernels and a C function per entry, in the llvm dialect: ready for the
  /// target's emitObject.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The header that declares the functions, for C99 and C++.
  std::string header;
  /// The entries, in the order of the lowered module, which they refer to.
  std::vector<ObjectSignature> signatures;
};

/// `stem` is what the functions' names begin with (objectPrefix). Fails with a
/// diagnostic on what an object cannot do.
mlir::FailureOr<ObjectProgram> buildObject(mlir::ModuleOp lowered,
                                           llvm::StringRef stem);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/output/object/Passes.h.inc"

} // namespace tensorc::compiler

#endif
