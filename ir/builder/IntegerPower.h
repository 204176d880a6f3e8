//===- IntegerPower.h - Powers of integers --------------------------------===//
#ifndef TENSORC_IR_BUILDER_INTEGERPOWER_H
#define TENSORC_IR_BUILDER_INTEGERPOWER_H

#include "ir/builder/TensorBuilder.h"

namespace tensorc::builder {

/// Returns x to the power y modulo 2^n, for integers whose dtypes may differ
/// and whose shapes broadcast. For y < 0 the result is 1 / x^-y rounded toward
/// zero, or 0 if x is 0.
Value integerPower(TensorBuilder &b, Value x, Value y);

} // namespace tensorc::builder

#endif // TENSORC_IR_BUILDER_INTEGERPOWER_H
