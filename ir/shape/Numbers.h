//===- Numbers.h - Attributes' numbers in messages ------------------------===//
#ifndef TENSORC_IR_SHAPE_NUMBERS_H
#define TENSORC_IR_SHAPE_NUMBERS_H

#include "ir/shape/Rules.h"

namespace tensorc::shape {

/// `[1,-2]`: of numbers that are not checked yet, and so may be any. As dims,
/// the lowest ones would be expressions.
std::string numbersText(Numbers numbers);

} // namespace tensorc::shape

#endif // TENSORC_IR_SHAPE_NUMBERS_H
