//===- OpShapes.h - Shape rules of ops ------------------------------------===//
//
// Generated from the definitions: infer<Op>(operands, attributes, result) is
// the rule of an op, and TENSORC_SHAPED_OPS(X) calls X(op, attributes' struct)
// for each op. `result` is read only by ops whose result shape is given by the
// caller.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_OPSHAPES_H
#define TENSORC_IR_TX_OPSHAPES_H

#include "ir/shape/LibraryRules.h"
#include "ir/tx/OpAttributes.h"

namespace tensorc::tx {
#include "ir/tx/OpShapes.h.inc"

/// Returns the struct with an op's attributes, from the op or from its adaptor.
template <typename Attributes, typename Op> Attributes attributesOf(Op op) {
  if constexpr (std::is_same_v<Attributes, NoAttributes>)
    return {};
  else
    return Attributes::of(op);
}
} // namespace tensorc::tx

#endif // TENSORC_IR_TX_OPSHAPES_H
