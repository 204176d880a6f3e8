//===- OpAttributes.h - The attributes of ops as plain structs ------------===//
//
// One struct per op that has attributes, made from its definition: a value that
// needs no MLIR context, so that the lazy graph records it, a shape rule takes
// it from whoever asks, and a trace's key compares its words.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_OPATTRIBUTES_H
#define TENSORC_IR_TX_OPATTRIBUTES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace mlir {
struct OperationState;
} // namespace mlir

#include "ir/tx/TxEnums.h.inc"

namespace tensorc::tx {

/// The attributes of an op that has none.
struct NoAttributes {
  static NoAttributes read(llvm::ArrayRef<int64_t>) { return {}; }
  size_t numWords() const { return 0; }
  void write(int64_t *) const {}
  void addTo(mlir::OperationState &) const {}
};

#include "ir/tx/OpAttributes.h.inc"

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_OPATTRIBUTES_H
