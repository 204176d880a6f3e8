//===- TextVerifier.h - Texts that a parser must not see ------------------===//
#ifndef TENSORC_IR_TEXT_TEXTVERIFIER_H
#define TENSORC_IR_TEXT_TEXTVERIFIER_H

#include "mlir/Support/LLVM.h"

#include <cstdint>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tensorc {

/// Limits of a text. MLIR's parser recurses on nested brackets and on
/// consecutive size operators, and so does most code that reads its results.
/// These limits keep the recursion within a stack of 8 MiB.
constexpr uint64_t maxTextBytes = uint64_t(1) << 30;
constexpr unsigned maxBrackets = 256;
constexpr unsigned maxOperators = 2048;
/// The maximum rank of NumPy's arrays. The type parser takes quadratic time.
constexpr unsigned maxDimensions = 64;
/// Maximum digits of a number. Reading its value takes quadratic time.
constexpr unsigned maxDigits = 1024;
/// Results of one operation, by the numbers that name them.
constexpr uint64_t maxResults = 1 << 16;
/// Words of all aliases (`#name`, `!name`), each counted where it is used. An
/// alias that uses another twice, and so on, doubles its size in every line.
constexpr uint64_t maxAliasWords = uint64_t(1) << 26;

/// Refuses text at which the parser, or code that reads its result, would crash
/// or not terminate: bytes that are not UTF-8, control characters, and text
/// beyond the limits above. The diagnostic has the location.
mlir::LogicalResult verifyText(llvm::StringRef text, llvm::StringRef file,
                               mlir::MLIRContext *context);

} // namespace tensorc

#endif // TENSORC_IR_TEXT_TEXTVERIFIER_H
