//===- OpShapes.h - The shape rule of each composite ----------------------===//
//
// Like ir/tx/OpShapes.h, for composites. TENSORC_COMPOSITES(X) lists the
// composites.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_OPSHAPES_H
#define TENSORC_IR_LIBRARY_OPSHAPES_H

#include "ir/library/Attributes.h"
#include "ir/tx/OpShapes.h"

namespace tensorc::tx {
#include "ir/library/OpShapes.h.inc"
} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_OPSHAPES_H
