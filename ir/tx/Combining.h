//===- Combining.h - How reductions and scans combine elements ------------===//
#ifndef TENSORC_IR_TX_COMBINING_H
#define TENSORC_IR_TX_COMBINING_H

#include "ir/tx/TxDialect.h"

namespace tensorc::tx {

enum class Neutral { Zero, One, Lowest, Highest };

/// How a reduction or scan combines elements, as its definition states.
struct Combining {
  /// The element-wise op that combines two elements; empty: one of them is
  /// chosen.
  llvm::StringRef by;
  /// The neutral element.
  Neutral neutral;

  /// True if combining may round, so that the order matters.
  bool rounds() const {
    return !by.empty() && by != "tx.max" && by != "tx.min";
  }
};
/// Returns nullopt for other ops.
std::optional<Combining> combiningOf(mlir::Operation *op);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_COMBINING_H
