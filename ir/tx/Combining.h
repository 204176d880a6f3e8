//===- Combining.h - How reductions and scans combine elements ------------===//
#ifndef TENSORC_IR_TX_COMBINING_H
#define TENSORC_IR_TX_COMBINING_H

#include "ir/tx/TxDialect.h"

namespace tensorc::tx {

enum class Neutral { Zero, One, Lowest, Highest };

/// The combination of elements by a reduction or scan, according to its
/// definition.
struct Combining {
  /// Name of the element-wise op that combines two elements; empty if one of
  /// the elements is chosen.
  llvm::StringRef by;
  /// The neutral element.
  Neutral neutral;

  /// True if combining may round, so that the order matters.
  bool rounds() const {
    return !by.empty() && by != "tx.max" && by != "tx.min";
  }
};
/// Returns how the op combines elements, or nullopt for other ops.
std::optional<Combining> combiningOf(mlir::Operation *op);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_COMBINING_H
