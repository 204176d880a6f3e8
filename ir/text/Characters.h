//===- Characters.h - What texts, names and messages are made of ----------===//
#ifndef TENSORC_IR_TEXT_CHARACTERS_H
#define TENSORC_IR_TEXT_CHARACTERS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tensorc {

struct BadCharacter {
  size_t at;
  std::string what; // `the byte 0xff is not UTF-8`
};

/// The first byte that is not UTF-8, or a control character: a terminal obeys
/// it, C's strings end at it. A text may hold tabs and ends of lines.
std::optional<BadCharacter> findBadCharacter(llvm::StringRef bytes,
                                             bool isText);

/// The same with `\1b` in place of each byte that would be found bad: for
/// messages and terminals.
std::string printable(llvm::StringRef bytes, bool isText);

} // namespace tensorc

#endif // TENSORC_IR_TEXT_CHARACTERS_H
