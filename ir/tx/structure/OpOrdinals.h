//===- OpOrdinals.h - Numbers of a graph's ops in locations -----*- C++ -*-===//
//
// A module that is built from a graph of ops names each location after the
// number of the op ("op12"). Equal expressions from several source lines share
// the compiled code, which identifies ops by number. Each run has its own list
// of lines.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_STRUCTURE_OPORDINALS_H
#define TENSORC_IR_TX_STRUCTURE_OPORDINALS_H

#include "mlir/IR/Location.h"

#include <optional>

namespace tensorc::tx {

mlir::Location nameByOrdinal(mlir::Location loc, uint32_t ordinal);
/// Returns the first number in a location, which may be fused from several
/// locations.
std::optional<uint32_t> ordinalOf(mlir::Location loc);

} // namespace tensorc::tx

#endif
