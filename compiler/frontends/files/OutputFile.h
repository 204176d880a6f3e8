//===- OutputFile.h - Atomically written files ----------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_OUTPUTFILE_H
#define TENSORC_COMPILER_FRONTENDS_FILES_OUTPUTFILE_H

#include "llvm/Support/Error.h"

#include <vector>

namespace tensorc::files {

/// Files that are to appear together. Each is first written to a temporary file
/// in its folder. keep() renames all of them; if it is not called, the
/// destructor removes them.
class OutputFiles {
public:
  OutputFiles();
  ~OutputFiles();

  /// Adds a file. `-` means stdout. Devices are written immediately, and
  /// symbolic links are followed.
  llvm::Error add(llvm::StringRef path, llvm::StringRef bytes);
  llvm::Error keep();

private:
  struct Pending;
  std::vector<Pending> pending;
};

/// Writes a single file.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// Returns the file name for an output of a program. Characters that file names
/// cannot contain are escaped as `%2f`, so that different names stay different.
std::string fileNameOf(llvm::StringRef name, llvm::StringRef suffix);
/// Maximum length of a file name.
constexpr size_t maxFileNameBytes = 255;

/// Flushes stdout and returns an error if output was lost.
llvm::Error flushOutput();

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_OUTPUTFILE_H
