//===- Terminal.cpp - Messages that quote a user's file -------------------===//

#include "tools/io/Terminal.h"
#include "ir/text/Characters.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tensorc::tool {

static constexpr size_t maxColumns = 1000;

void Terminal::write_impl(const char *bytes, size_t size) {
  std::string text = printable(StringRef(bytes, size), /*isText=*/true);
  StringRef rest = text;
  while (!rest.empty()) {
    StringRef line = rest.take_until([](char c) { return c == '\n'; });
    bool ends = line.size() < rest.size();
    rest = rest.drop_front(line.size() + ends);
    if (column < maxColumns) {
      to << line.take_front(maxColumns - column);
      if (column + line.size() >= maxColumns)
        to << "...";
    }
    column = ends ? 0 : column + line.size();
    if (ends)
      to << "\n";
  }
}

raw_ostream &Terminal::changeColor(enum Colors color, bool bold,
                                   bool background) {
  to.changeColor(color, bold, background);
  return *this;
}

raw_ostream &Terminal::resetColor() {
  to.resetColor();
  return *this;
}

} // namespace tensorc::tool
