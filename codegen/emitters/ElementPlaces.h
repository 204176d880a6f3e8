//===- ElementPlaces.h - Positions selected without branches --------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_ELEMENTPLACES_H
#define TENSORC_CODEGEN_EMITTERS_ELEMENTPLACES_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen {

/// A choice among offsets: distances[i] for the first guards[i] that holds, or
/// the last distance if no guard holds. The choice is the same for all lanes.
struct PlaceChoice {
  llvm::SmallVector<analysis::Guard> guards;
  llvm::SmallVector<mlir::AffineExpr> distances;

  bool operator==(const PlaceChoice &other) const;
};

/// The location of an element in memory: `position` plus the chosen offset of
/// each of `choices`.
struct ElementPlace {
  mlir::BlockArgument input;
  mlir::AffineExpr position;
  llvm::SmallVector<PlaceChoice> choices;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_ELEMENTPLACES_H
