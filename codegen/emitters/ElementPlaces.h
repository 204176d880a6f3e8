//===- ElementPlaces.h - Positions selected without branches --------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_ELEMENTPLACES_H
#define TENSORC_CODEGEN_EMITTERS_ELEMENTPLACES_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen {

/// An offset of a position: the distance of the first guard that holds, or the
/// last distance if none does. It is the same for all lanes.
struct PlaceChoice {
  llvm::SmallVector<analysis::Guard> guards;
  llvm::SmallVector<mlir::AffineExpr> distances;

  bool operator==(const PlaceChoice &other) const;
};

/// The memory location of an element: `position` plus the offset of each
/// choice.
struct ElementPlace {
  mlir::BlockArgument input;
  mlir::AffineExpr position;
  llvm::SmallVector<PlaceChoice> choices;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_ELEMENTPLACES_H
