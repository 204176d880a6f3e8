//===- Characters.h - Valid characters of texts and names -----------------===//
#ifndef TENSORC_IR_TEXT_CHARACTERS_H
#define TENSORC_IR_TEXT_CHARACTERS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tensorc {

struct BadCharacter {
  size_t at;
  std::string what; // e.g. `the byte 0xff is not UTF-8`
};

/// Returns the first byte that is not UTF-8, or the first control character. A
/// control character could control a terminal or end a C string. If `isText`,
/// tabs and line ends are allowed.
std::optional<BadCharacter> findBadCharacter(llvm::StringRef bytes,
                                             bool isText);

/// Replaces each bad byte by an escape such as `\1b`, for messages and
/// terminals.
std::string printable(llvm::StringRef bytes, bool isText);

} // namespace tensorc

#endif // TENSORC_IR_TEXT_CHARACTERS_H
