//===- OutputFile.h - Files that appear whole or not at all ---------------===//
#ifndef TENSORC_TOOLS_IO_OUTPUTFILE_H
#define TENSORC_TOOLS_IO_OUTPUTFILE_H

#include "llvm/Support/Error.h"

namespace tensorc::tool {

/// Writes a temporary file beside `path` and renames it, so that no failure
/// leaves a partial file behind. `-` is stdout.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_IO_OUTPUTFILE_H
