//===- Object.h - programs as C functions -----------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_OBJECT_OBJECT_H
#define TENSORC_COMPILER_OUTPUT_OBJECT_OBJECT_H

#include "compiler/output/object/Signature.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace tensorc::compiler {

/// The result of lowering a module to C functions.
struct ObjectProgram {
  /// The kernels and a C function per entry, in the llvm dialect: ready for the
  /// target's emitObject.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The header that declares the functions, for C99 and C++.
  std::string header;
  /// The signatures of the entries. They refer to ops of the lowered module.
  std::vector<ObjectSignature> signatures;
};

/// Builds an object from a lowered module. `stem` is the prefix of function
/// names (objectPrefix). `threads` adds functions that run on several threads.
/// Reports an error for features that objects do not support.
mlir::FailureOr<ObjectProgram>
buildObject(mlir::ModuleOp lowered, llvm::StringRef stem, bool threads = true);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/output/object/Passes.h.inc"

} // namespace tensorc::compiler

#endif
