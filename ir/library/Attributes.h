//===- Attributes.h - The attributes of composites as plain structs -------===//
//
// Like ir/tx/OpAttributes.h, for the ops of this folder.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_ATTRIBUTES_H
#define TENSORC_IR_LIBRARY_ATTRIBUTES_H

#include "ir/tx/OpAttributes.h"

#include "mlir/IR/BuiltinAttributes.h"

#include "ir/library/Enums.h.inc"

namespace tensorc::tx {
#include "ir/library/Attributes.h.inc"
} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_ATTRIBUTES_H
