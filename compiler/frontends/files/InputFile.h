//===- InputFile.h - Files that can be read -------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_INPUTFILE_H
#define TENSORC_COMPILER_FRONTENDS_FILES_INPUTFILE_H

#include "llvm/Support/Error.h"

namespace tensorc::files {

/// An error where reading the path could wait or never end: a pipe, a terminal
/// or another device. `-` and what the shell opened already are taken.
llvm::Error checkInputFile(llvm::StringRef path);

/// What a file is that is not a program as text, by its first bytes or by the
/// suffix of an artefact: `an ELF object or library`; empty if it may be one.
llvm::StringRef foreignKind(llvm::StringRef path, llvm::StringRef bytes);

/// Whether both are, or would become, the same file: by path or by inode.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_INPUTFILE_H
