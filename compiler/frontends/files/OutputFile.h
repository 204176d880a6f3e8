//===- OutputFile.h - Files that appear whole or not at all ---------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_OUTPUTFILE_H
#define TENSORC_COMPILER_FRONTENDS_FILES_OUTPUTFILE_H

#include "llvm/Support/Error.h"

#include <vector>

namespace tensorc::files {

/// Files that appear together once all of them are written: each is a temporary
/// one beside its place until keep() renames it. Without that nothing is left.
class OutputFiles {
public:
  OutputFiles();
  ~OutputFiles();

  /// `-` is stdout, and a device is written at once; a link's target is
  /// written.
  llvm::Error add(llvm::StringRef path, llvm::StringRef bytes);
  llvm::Error keep();

private:
  struct Pending;
  std::vector<Pending> pending;
};

/// One of them.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// The file for an output of a program, in any folder: its name with what no
/// file's name may hold as `%2f`, so that names that differ stay different.
std::string fileNameOf(llvm::StringRef name, llvm::StringRef suffix);
/// Longer names have no file.
constexpr size_t maxFileNameBytes = 255;

/// What was printed, all of it written.
llvm::Error flushOutput();

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_OUTPUTFILE_H
