//===- Compare.h - Compares results with the reference --------------------===//
#ifndef TENSORC_TOOLS_IO_COMPARE_H
#define TENSORC_TOOLS_IO_COMPARE_H

#include "ir/reference/Array.h"

namespace tensorc::tool {

/// Allows |x - reference| <= absolute + relative * |reference|.
/// docs/numerics.md has the table of tolerances.
struct Tolerance {
  double relative, absolute;
};
Tolerance toleranceOf(reference::DType dtype);
/// Returns a tolerance that allows everything that a or b allows.
Tolerance coarser(Tolerance a, Tolerance b);

struct Comparison {
  Tolerance tolerance{0, 0};
  bool same = true;
  double maxAbsolute = 0, maxRelative = 0;
  int64_t mismatches = 0;
  /// The element farthest outside its tolerance.
  int64_t worst = -1;
};

/// Compares arrays. NaN equals NaN; infinities must be equal.
Comparison compare(const reference::Array &result,
                   const reference::Array &expected, Tolerance tolerance);

/// Returns one line that describes the comparison of an output.
std::string describe(const Comparison &comparison,
                     const reference::Array &result,
                     const reference::Array &expected);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_IO_COMPARE_H
