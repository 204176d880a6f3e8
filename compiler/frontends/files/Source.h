//===- Source.h - A file that a program is read from ------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_SOURCE_H
#define TENSORC_COMPILER_FRONTENDS_FILES_SOURCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>
#include <vector>

namespace tensorc::frontends {

/// The dims that the user sets for an argument before the file is read: sizes
/// or names.
struct NamedShape {
  std::string argument;
  std::vector<std::string> dims;
};

struct Source {
  /// The path that the user gave; `-` is stdin.
  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  /// Used by readers of text, so that diagnostics can show source lines.
  llvm::SourceMgr *sources;
  llvm::ArrayRef<NamedShape> shapes;
};

} // namespace tensorc::frontends

#endif // TENSORC_COMPILER_FRONTENDS_FILES_SOURCE_H
