//===- InputFile.h - Checks of input files --------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_INPUTFILE_H
#define TENSORC_COMPILER_FRONTENDS_FILES_INPUTFILE_H

#include "llvm/Support/Error.h"

namespace tensorc::files {

/// Returns an error whose message may quote the bytes of a file. Characters
/// that cannot be printed are escaped.
llvm::Error fail(const llvm::Twine &message);

/// Returns an error if reading the path could block or not end: a pipe, a
/// terminal or another device. `-` and descriptors that the shell opened are
/// accepted.
llvm::Error checkInputFile(llvm::StringRef path);

/// Returns the kind of a file that is not the text of a program, such as `an
/// ELF object or library`, according to its first bytes or to its suffix.
/// Returns an empty text if the file may be the text of a program.
llvm::StringRef foreignKind(llvm::StringRef path, llvm::StringRef bytes);

/// True if both paths are the same file, or will be the same file once it is
/// written. Compares paths and inodes.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_INPUTFILE_H
