//===- OpShapes.h - The shape rule of each composite ----------------------===//
//
// Made from the definitions: infer<Op>(operands, attributes) is the rule of an
// op, and TENSORC_COMPOSITES(X) lists X(op, struct of attributes).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_OPSHAPES_H
#define TENSORC_IR_LIBRARY_OPSHAPES_H

#include "ir/library/Attributes.h"
#include "ir/shape/LibraryRules.h"

namespace tensorc::tx {
#include "ir/library/OpShapes.h.inc"
} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_OPSHAPES_H
