//===- Json.h - JSON of files that anybody may have made ------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_JSON_H
#define TENSORC_COMPILER_FRONTENDS_FILES_JSON_H

#include "llvm/Support/JSON.h"

namespace tensorc::files {

/// Parses UTF-8. What is nested deeper than any of our files is refused: LLVM's
/// parser takes a frame of the stack for each level.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

/// The keys of the outermost object, repeated ones too: parsers keep the last.
size_t countKeys(llvm::StringRef text);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_JSON_H
