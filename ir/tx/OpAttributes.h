//===- OpAttributes.h - The attributes of ops as plain structs ------------===//
//
// One struct per op with attributes, generated from its definition. The structs
// need no MLIR context, so nodes of the lazy graph can store them, shape rules
// can read them without an op, and keys of traces can compare their words.
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

/// The attributes of an op without attributes.
struct NoAttributes {
  static NoAttributes read(llvm::ArrayRef<int64_t>) { return {}; }
  size_t numWords() const { return 0; }
  void write(int64_t *) const {}
  void addTo(mlir::OperationState &) const {}
};

#include "ir/tx/OpAttributes.h.inc"

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_OPATTRIBUTES_H
