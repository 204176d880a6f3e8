//===- JavaScript.h - JavaScript for a WebAssembly module -------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_OBJECT_JAVASCRIPT_H
#define TENSORC_COMPILER_OUTPUT_OBJECT_JAVASCRIPT_H

#include "compiler/output/object/Signature.h"

namespace tensorc::compiler {

/// Returns an ES module whose `load` reads the file `module` beside it.
std::string writeJavaScript(llvm::ArrayRef<ObjectSignature> signatures,
                            llvm::StringRef module);

/// Returns the declarations of the ES module for TypeScript.
std::string writeTypeScript(llvm::ArrayRef<ObjectSignature> signatures);

/// Returns a page that contains the module, and works without a server. Its
/// script defines an object `stem` with the function `load`. It is placed
/// before the first script of `page`. If `page` is empty, the page has a form
/// for the inputs.
std::string writePage(llvm::ArrayRef<ObjectSignature> signatures,
                      llvm::StringRef stem, llvm::ArrayRef<char> module,
                      llvm::StringRef page);

} // namespace tensorc::compiler

#endif
