//===- Characters.cpp - Valid characters of texts, names and messages -----===//

#include "ir/text/Characters.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using llvm::StringRef;

namespace tensorc {

namespace {
enum class Class { Good, Space, Control, NotUtf8 };

struct Character {
  Class kind;
  size_t length;
};
} // namespace

/// True if a character changes the direction of the text around it. Names and
/// messages with such characters would be displayed differently from their
/// contents (Unicode's Bidi_Control: U+061C, U+200E, U+200F, U+202A to U+202E,
/// U+2066 to U+2069).
static bool turnsDirection(StringRef character) {
  if (character == "\xd8\x9c")
    return true;
  if (!character.consume_front("\xe2") || character.size() != 2)
    return false;
  auto high = static_cast<unsigned char>(character[0]);
  auto low = static_cast<unsigned char>(character[1]);
  return (high == 0x80 &&
          (low == 0x8e || low == 0x8f || (low >= 0xaa && low <= 0xae))) ||
         (high == 0x81 && low >= 0xa6 && low <= 0xa9);
}

/// Classifies the first character. U+0080 to U+009F also count as control
/// characters.
static Character classify(StringRef bytes) {
  unsigned char c = bytes.front();
  if (c == '\t' || c == '\n' || c == '\r')
    return {Class::Space, 1};
  if (c < 0x20 || c == 0x7f)
    return {Class::Control, 1};
  if (c < 0x80)
    return {Class::Good, 1};
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(bytes.data());
  size_t length = llvm::getNumBytesForUTF8(c);
  if (length > bytes.size() ||
      !llvm::isLegalUTF8Sequence(begin, begin + length))
    return {Class::NotUtf8, 1};
  bool isControl = (c == 0xc2 && begin[1] < 0xa0) ||
                   turnsDirection(bytes.take_front(length));
  return {isControl ? Class::Control : Class::Good, length};
}

static std::string hex(StringRef bytes) { return llvm::toHex(bytes, true); }

std::optional<BadCharacter> findBadCharacter(StringRef bytes, bool isText) {
  for (size_t at = 0; at < bytes.size();) {
    StringRef rest = bytes.drop_front(at);
    auto [kind, length] = classify(rest);
    if (kind == Class::NotUtf8)
      return BadCharacter{at, "the byte 0x" + hex(rest.take_front(1)) +
                                  " is not UTF-8"};
    if (kind == Class::Control || (kind == Class::Space && !isText))
      return BadCharacter{at, "the control character 0x" +
                                  hex(rest.take_front(length))};
    at += length;
  }
  return std::nullopt;
}

std::string printable(StringRef bytes, bool isText) {
  std::string text;
  while (!bytes.empty()) {
    auto [kind, length] = classify(bytes);
    StringRef character = bytes.take_front(length);
    bytes = bytes.drop_front(length);
    if (kind == Class::Good || (kind == Class::Space && isText)) {
      text += character;
      continue;
    }
    for (char c : character)
      text += "\\" + hex(StringRef(&c, 1));
  }
  return text;
}

} // namespace tensorc
