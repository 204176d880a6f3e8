//===- Save.h - A program as a file ---------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_SAVE_H
#define TENSORC_COMPILER_SESSION_EXPORT_SAVE_H

#include "compiler/session/export/Program.h"

namespace tensorc::exporting {

struct SaveOptions {
  /// Several with commas between them: for a package.
  std::string target = "cpu";
  /// As `--emit` of the tool names them, or "mlir"; empty: by the suffix.
  std::string kind;
  Naming naming;
  /// The file beside a package that takes its constants; empty: none.
  std::string constants;
  int optLevel = 2;
  bool fastMath = false;
};

/// Compiles the program and writes the file, whole or not at all.
jit::Status save(const Program &program, const std::string &path,
                 const SaveOptions &options);

/// The program as text.
std::string textOf(const Program &program, const Naming &naming,
                   jit::Status &status);

} // namespace tensorc::exporting

#endif // TENSORC_COMPILER_SESSION_EXPORT_SAVE_H
