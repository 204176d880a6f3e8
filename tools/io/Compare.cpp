//===- Compare.cpp - Compares results with the reference ------------------===//

#include "tools/io/Compare.h"

#include "tools/io/Print.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace llvm;
using tensorc::reference::Array;
using tensorc::reference::DType;

namespace tensorc::tool {

Tolerance toleranceOf(DType dtype) {
  switch (dtype) {
  case DType::F64:
  case DType::C128:
    return {1e-12, 1e-12};
  case DType::F32:
  case DType::C64:
    return {2e-5, 2e-5};
  case DType::F16:
    return {4e-3, 4e-3};
  case DType::BF16:
    return {3e-2, 3e-2};
  // The tolerance is the distance between neighbouring numbers, because
  // functions may differ in the last bit before rounding.
  case DType::F8E4M3FN:
    return {0.126, 0x1p-9};
  case DType::F8E5M2:
    return {0.251, 0x1p-16};
  default:
    return {0, 0};
  }
}

Tolerance coarser(Tolerance a, Tolerance b) {
  return {std::max(a.relative, b.relative), std::max(a.absolute, b.absolute)};
}

namespace {
/// Distance of a number from its reference. It is out of tolerance if excess >
/// 0.
struct Distance {
  double absolute, relative, excess;
};
} // namespace

static Distance distance(double x, double expected, Tolerance tolerance) {
  if (x == expected || (std::isnan(x) && std::isnan(expected)))
    return {0, 0, 0};
  double difference = std::fabs(x - expected);
  if (!std::isfinite(difference))
    return {INFINITY, INFINITY, INFINITY};
  double magnitude = std::fabs(expected);
  double allowed = tolerance.absolute + tolerance.relative * magnitude;
  return {difference, magnitude > 0 ? difference / magnitude : INFINITY,
          difference > allowed ? difference / allowed : 0};
}

template <typename Wide>
static void compareNumbers(const Array &result, const Array &expected,
                           Comparison &out) {
  std::vector<Wide> x = reference::read<Wide>(result);
  std::vector<Wide> y = reference::read<Wide>(expected);
  Tolerance tolerance = out.tolerance;
  double worstExcess = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    Distance d = distance(x[i], y[i], tolerance);
    out.maxAbsolute = std::max(out.maxAbsolute, d.absolute);
    // Near zero only the absolute error is meaningful.
    if (std::fabs(double(y[i])) > tolerance.absolute || d.excess > 0)
      out.maxRelative = std::max(out.maxRelative, d.relative);
    out.mismatches += d.excess > 0;
    if (d.excess > worstExcess) {
      worstExcess = d.excess;
      out.worst = i;
    }
  }
}

/// Each part is compared with the tolerance of the whole number. Near a zero of
/// one part, the rounding of the other part dominates.
static void compareComplex(const Array &result, const Array &expected,
                           Comparison &out) {
  auto parts = [](const Array &array) {
    return reference::read<double>(
        Array{tx::planeOf(array.dtype), {2 * array.size()}, array.bytes});
  };
  std::vector<double> x = parts(result), y = parts(expected);
  double worstExcess = 0;
  for (size_t i = 0; i < x.size(); i += 2) {
    double magnitude = std::hypot(y[i], y[i + 1]);
    Tolerance whole = out.tolerance; // relative, absolute
    if (std::isfinite(magnitude))
      whole = {0, whole.absolute + whole.relative * magnitude};
    double excess = 0;
    for (size_t part : {i, i + 1}) {
      Distance d = distance(x[part], y[part], whole);
      out.maxAbsolute = std::max(out.maxAbsolute, d.absolute);
      if (magnitude > out.tolerance.absolute || d.excess > 0)
        out.maxRelative = std::max(out.maxRelative, d.absolute / magnitude);
      excess = std::max(excess, d.excess);
    }
    out.mismatches += excess > 0;
    if (excess > worstExcess) {
      worstExcess = excess;
      out.worst = static_cast<int64_t>(i / 2);
    }
  }
}

Comparison compare(const Array &result, const Array &expected,
                   Tolerance tolerance) {
  Comparison out;
  out.tolerance = tolerance;
  if (result.dtype != expected.dtype || result.shape != expected.shape) {
    out.same = false;
    return out;
  }
  if (tx::isComplex(expected.dtype)) {
    compareComplex(result, expected, out);
  } else if (reference::isFloat(expected.dtype)) {
    compareNumbers<double>(result, expected, out);
  } else if (tolerance.absolute > 0 && reference::isUnsigned(expected.dtype)) {
    compareNumbers<uint64_t>(result, expected, out);
  } else if (tolerance.absolute > 0) {
    compareNumbers<int64_t>(result, expected, out);
  } else {
    int64_t width = reference::byteWidth(expected.dtype);
    for (int64_t i = expected.size(); i-- > 0;)
      if (!std::equal(result.at(i), result.at(i) + width, expected.at(i))) {
        ++out.mismatches;
        out.worst = i;
      }
  }
  out.same = out.mismatches == 0;
  return out;
}

static std::string indexText(int64_t position, ArrayRef<int64_t> shape) {
  std::string text;
  for (auto [d, stride] : enumerate(reference::stridesOf(shape)))
    text += (d ? "," : "") + std::to_string(position / stride % shape[d]);
  return "[" + text + "]";
}

std::string describe(const Comparison &comparison, const Array &result,
                     const Array &expected) {
  std::string text;
  raw_string_ostream os(text);
  if (result.dtype != expected.dtype || result.shape != expected.shape) {
    os << "is " << reference::typeString(result.dtype, result.shape)
       << ", the reference is "
       << reference::typeString(expected.dtype, expected.shape);
    return text;
  }
  Tolerance tolerance = comparison.tolerance;
  if (reference::isFloat(expected.dtype) || tx::isComplex(expected.dtype) ||
      tolerance.absolute > 0)
    os << format("largest error %.3g (relative %.3g; allowed %.1g + %.1g * "
                 "|reference|)",
                 comparison.maxAbsolute, comparison.maxRelative,
                 tolerance.absolute, tolerance.relative);
  else
    os << (comparison.same ? "equal" : "differs");
  if (!comparison.same)
    os << "; " << comparison.mismatches << " of " << expected.size()
       << " elements differ, the worst at "
       << indexText(comparison.worst, expected.shape) << ": "
       << elementText(result, comparison.worst) << ", the reference is "
       << elementText(expected, comparison.worst);
  return text;
}

} // namespace tensorc::tool
