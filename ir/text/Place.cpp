//===- Place.cpp - Line and column of a position in a text ----------------===//

#include "ir/text/Place.h"

using namespace mlir;

namespace tensorc {

Location placeOf(StringRef text, size_t at, StringRef file,
                 MLIRContext *context) {
  StringRef before = text.take_front(at);
  size_t column = before.size() - (before.rfind('\n') + 1);
  return FileLineColLoc::get(context, file, before.count('\n') + 1, column + 1);
}

} // namespace tensorc
