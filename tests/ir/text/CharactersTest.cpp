//===- CharactersTest.cpp - What texts, names and messages are made of ----===//

#include "ir/text/Characters.h"

#include <gtest/gtest.h>

using namespace tensorc;

namespace {

std::string badOf(llvm::StringRef bytes, bool isText = false) {
  std::optional<BadCharacter> bad = findBadCharacter(bytes, isText);
  return bad ? std::to_string(bad->at) + ": " + bad->what : "";
}

TEST(Characters, NamesAreUtf8WithoutControlCharacters) {
  EXPECT_EQ(badOf("plain"), "");
  EXPECT_EQ(badOf("größe 数 🙂"), "");
  EXPECT_EQ(badOf("\xffx"), "0: the byte 0xff is not UTF-8");
  EXPECT_EQ(badOf("ab\xc3"), "2: the byte 0xc3 is not UTF-8");   // cut off
  EXPECT_EQ(badOf("\xc0\x80"), "0: the byte 0xc0 is not UTF-8"); // overlong
  EXPECT_EQ(badOf("\xed\xa0\x80"), "0: the byte 0xed is not UTF-8");
  EXPECT_EQ(badOf(llvm::StringRef("a\0b", 3)), "1: the control character 0x00");
  EXPECT_EQ(badOf("\x1b[31m"), "0: the control character 0x1b");
  EXPECT_EQ(badOf("del\x7f"), "3: the control character 0x7f");
  EXPECT_EQ(badOf("\xc2\x9b"), "0: the control character 0xc29b");
  EXPECT_EQ(badOf("\xc2\xa0"), ""); // a space, not a control character
  EXPECT_EQ(badOf("two\nlines"), "3: the control character 0x0a");
}

TEST(Characters, TextsMayHaveLinesAndTabs) {
  EXPECT_EQ(badOf("a\tb\r\nc", true), "");
  EXPECT_EQ(badOf("a\vb", true), "1: the control character 0x0b");
}

TEST(Characters, PrintableHasNothingThatATerminalObeys) {
  EXPECT_EQ(printable("größe\tx\n", true), "größe\tx\n");
  EXPECT_EQ(printable("größe\tx\n", false), "größe\\09x\\0a");
  EXPECT_EQ(printable("\x1b[31m\xff", true), "\\1b[31m\\ff");
  EXPECT_EQ(printable(llvm::StringRef("a\0b", 3), true), "a\\00b");
  EXPECT_EQ(printable("\xc2\x9bx", true), "\\c2\\9bx");
  // Characters that turn the direction of what follows.
  EXPECT_EQ(printable("a\u202eb\u2069\u061c", true),
            "a\\e2\\80\\aeb\\e2\\81\\a9\\d8\\9c");
  EXPECT_EQ(printable("\u2029\u202f\u2065\u200d", true),
            "\u2029\u202f\u2065\u200d");
}

} // namespace
