//===- ElementLocations.h - Positions selected without branches -----------===//
#ifndef TENSORC_CODEGEN_EMITTERS_ELEMENTLOCATIONS_H
#define TENSORC_CODEGEN_EMITTERS_ELEMENTLOCATIONS_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen {

/// A choice among offsets: distances[i] for the first guards[i] that holds, or
/// the last distance if no guard holds. The choice is the same for all lanes.
struct OffsetChoice {
  llvm::SmallVector<analysis::Guard> guards;
  llvm::SmallVector<mlir::AffineExpr> distances;

  bool operator==(const OffsetChoice &other) const;
};

/// The location of an element in memory: `position` plus the chosen offset of
/// each of `choices`.
struct ElementLocation {
  mlir::BlockArgument input;
  mlir::AffineExpr position;
  llvm::SmallVector<OffsetChoice> choices;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_ELEMENTLOCATIONS_H
