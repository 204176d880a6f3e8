//===- KeyedFile.h - Facts about devices, stored in small files -*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_KEYEDFILE_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_KEYEDFILE_H

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace tensorc::placement {

/// Folders with stored facts: one for reading and writing, and one only for
/// reading. Either may be empty.
struct FactFolders {
  std::string writable, readOnly;
};

/// Returns the value that is stored under `name` for the key; nullopt if there
/// is no valid file for the key.
std::optional<llvm::json::Value> loadKeyed(const FactFolders &folders,
                                           llvm::StringRef name,
                                           llvm::StringRef key);
/// Stores a value. Errors are ignored; the next process then determines the
/// fact again.
void storeKeyed(const FactFolders &folders, llvm::StringRef name,
                llvm::StringRef key, llvm::json::Value value);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_KEYEDFILE_H
