//===- Level.h - functions compiled for each level of CPU -------*- C++ -*-===//
//
// Factorizations.cpp and ComplexFactorizations.cpp are compiled once for each
// level of the architecture, each time in another namespace. LinearAlgebra.cpp
// chooses a level when a function is looked up.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_LEVEL_H
#define TENSORC_RUNTIME_LINALG_LEVEL_H

#include "tensorc/runtime.h"

#include <string_view>

// The build defines TENSORC_LINALG_LEVEL, and renames Eigen's namespace for
// each level, because the linker must not use the code of one level for
// another.
#ifndef TENSORC_LINALG_LEVEL
#define TENSORC_LINALG_LEVEL baseline
#endif

namespace tensorc::linalg {

/// Functions for real and for complex matrices; null for an unknown name.
namespace baseline {
tensorc_rt_op_fn find(std::string_view name);
tensorc_rt_op_fn findComplex(std::string_view name);
} // namespace baseline
#ifdef TENSORC_LINALG_LEVELS
namespace v3 {
tensorc_rt_op_fn find(std::string_view name);
tensorc_rt_op_fn findComplex(std::string_view name);
} // namespace v3
namespace v4 {
tensorc_rt_op_fn find(std::string_view name);
tensorc_rt_op_fn findComplex(std::string_view name);
} // namespace v4
#endif
/// Functions for singular values, eigenvalues and cofactors, which gain little
/// from wide vectors. One is for f32 and c64, the other for f64 and c128.
tensorc_rt_op_fn findSingleSpectral(std::string_view name);
tensorc_rt_op_fn findDoubleSpectral(std::string_view name);

} // namespace tensorc::linalg

#endif // TENSORC_RUNTIME_LINALG_LEVEL_H
