//===- Numbers.h - Text of unchecked numbers for messages -----------------===//
#ifndef TENSORC_IR_SHAPE_NUMBERS_H
#define TENSORC_IR_SHAPE_NUMBERS_H

#include "ir/shape/Rules.h"

namespace tensorc::shape {

/// Returns a text such as `[1,-2]` for numbers that have not been checked yet.
/// They cannot be converted to Dims, in which the lowest numbers encode
/// expressions.
std::string numbersText(Numbers numbers);

} // namespace tensorc::shape

#endif // TENSORC_IR_SHAPE_NUMBERS_H
