//===- CodeStore.h - Machine code that test suites share --------*- C++ -*-===//
//
// For tests: with TENSORC_TEST_CODE=FOLDER, LLVM compiles a module once, and
// later compilations of the same LLVM IR for the same machine read its output
// from the folder. TENSORC_TEST_CODE=fill:FOLDER only writes. CI fills the
// folder with the release build, and the build with sanitizers reads it, because
// sanitizers do not instrument LLVM.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_CODESTORE_H
#define TENSORC_CODEGEN_LOWERING_LLVM_CODESTORE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tensorc::codegen {

/// A folder with one file per module. Processes share it without locks.
class CodeStore {
public:
  /// Returns the store, or null if TENSORC_TEST_CODE names no folder.
  static const CodeStore *get();

  /// Returns a name for the output of a module. `text` is all that the output
  /// depends on: the LLVM IR, the machine, and the kind of file.
  std::string getName(llvm::StringRef text) const;
  /// Reads a stored output. Returns false if there is none.
  bool read(llvm::StringRef name, llvm::SmallVectorImpl<char> &out) const;
  /// Stores an output. Failures are ignored.
  void write(llvm::StringRef name, llvm::ArrayRef<char> bytes) const;

private:
  std::string folder;
  bool reads = true;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_CODESTORE_H
