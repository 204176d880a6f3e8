//===- TextVerifier.h - Rejects texts that would crash a parser -----------===//
#ifndef TENSORC_IR_TEXT_TEXTVERIFIER_H
#define TENSORC_IR_TEXT_TEXTVERIFIER_H

#include "mlir/Support/LLVM.h"

#include <cstdint>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tensorc {

/// Limits of a text. MLIR's parser recurses on nested brackets and on
/// consecutive size operators, and so does most code that processes its
/// results. With these limits the recursion fits a stack of 8 MiB.
constexpr uint64_t maxTextBytes = uint64_t(1) << 30;
constexpr unsigned maxBrackets = 256;
constexpr unsigned maxOperators = 2048;
/// Maximum rank, which is that of NumPy's arrays. The type parser takes time
/// quadratic in the rank.
constexpr unsigned maxDimensions = 64;
/// Maximum number of digits of a number. Reading a number takes time quadratic
/// in its digits.
constexpr unsigned maxDigits = 1024;
/// Maximum number of results of one operation that a text may name.
constexpr uint64_t maxResults = 1 << 16;
/// Maximum number of words of all aliases (`#name`, `!name`), each counted at
/// every use. Without this limit, aliases that each use the previous one twice
/// would double the size in every line.
constexpr uint64_t maxAliasWords = uint64_t(1) << 26;

/// Rejects text for which MLIR's parser, or code that processes its result,
/// would crash or not terminate: bytes that are not UTF-8, control characters,
/// and text beyond the limits above. The diagnostic has the location.
mlir::LogicalResult verifyText(llvm::StringRef text, llvm::StringRef file,
                               mlir::MLIRContext *context);

} // namespace tensorc

#endif // TENSORC_IR_TEXT_TEXTVERIFIER_H
