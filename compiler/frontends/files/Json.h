//===- Json.h - JSON of untrusted files -----------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_JSON_H
#define TENSORC_COMPILER_FRONTENDS_FILES_JSON_H

#include "llvm/Support/JSON.h"

namespace tensorc::files {

/// Parses UTF-8 text. Limits the depth of nesting, because LLVM's parser is
/// recursive. The limit is far above that of valid files.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

/// Returns the number of keys of the outermost object. It counts repeated keys,
/// of which parsers keep only the last one.
size_t countKeys(llvm::StringRef text);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_JSON_H
