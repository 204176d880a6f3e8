//===- OutputFile.h - Files that appear whole or not at all ---------------===//
#ifndef TENSORC_TOOLS_IO_OUTPUTFILE_H
#define TENSORC_TOOLS_IO_OUTPUTFILE_H

#include "llvm/Support/Error.h"

namespace tensorc::tool {

/// Writes a temporary file beside `path` and renames it, so that no failure
/// leaves a partial file behind. `-` is stdout; a link's target is written.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// What was printed, all of it written.
llvm::Error flushOutput();

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_IO_OUTPUTFILE_H
