//===- RandomArray.h - Random arrays from a seed ----------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_TUNING_RANDOMARRAY_H
#define TENSORC_COMPILER_SESSION_TUNING_RANDOMARRAY_H

#include "ir/reference/Array.h"

namespace tensorc::tuning {

/// Fills the array with standard normals (floats), 0...9 (integers) or fair
/// booleans (i1).
void fillRandom(reference::Array &array, uint64_t seed);

} // namespace tensorc::tuning

#endif // TENSORC_COMPILER_SESSION_TUNING_RANDOMARRAY_H
