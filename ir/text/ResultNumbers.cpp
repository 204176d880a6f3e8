//===- ResultNumbers.cpp - Texts that a parser must not see ---------------===//

#include "ir/text/ResultNumbers.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc {

/// No op has as many.
static constexpr uint64_t maxResults = 1 << 16;

static bool isOfName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

LogicalResult verifyResultNumbers(StringRef text, StringRef file,
                                  MLIRContext *context) {
  for (size_t at = text.find('#'); at != StringRef::npos;
       at = text.find('#', at + 1)) {
    StringRef digits =
        text.substr(at + 1).take_while([](char c) { return llvm::isDigit(c); });
    uint64_t number = 0;
    bool isLarge = !digits.empty() &&
                   (digits.getAsInteger(10, number) || number >= maxResults);
    if (!isLarge)
      continue;
    StringRef name = text.take_front(at);
    while (!name.empty() && isOfName(name.back()))
      name = name.drop_back();
    StringRef line = text.take_front(at);
    line = line.drop_front(line.rfind('\n') + 1);
    if (!name.ends_with("%") || line.contains("//"))
      continue;
    auto place = FileLineColLoc::get(
        context, file, text.take_front(at).count('\n') + 1, line.size() + 1);
    return emitError(place, "no operation has a result number ") << digits;
  }
  return success();
}

} // namespace tensorc
