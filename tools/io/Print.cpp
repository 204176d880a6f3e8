//===- Print.cpp - Prints arrays as text ----------------------------------===//

#include "tools/io/Print.h"

#include <charconv>
#include <cmath>

using namespace llvm;
using tensorc::reference::Array;
using tensorc::reference::DType;

namespace tensorc::tool {

static constexpr int64_t abridgeAbove = 1000, edgeElements = 3;

/// Returns the shortest text that reads back as the same value. It has an
/// exponent only if the digits alone would be long.
template <typename T> static std::string shortest(T value) {
  if (std::isnan(value))
    return "nan"; // the sign of a NaN has no meaning
  double magnitude = std::fabs(static_cast<double>(value));
  bool isFixed = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e9);
  char text[64];
  auto [end, error] = std::to_chars(text, text + sizeof text, value,
                                    isFixed ? std::chars_format::fixed
                                            : std::chars_format::scientific);
  return std::string(text, end);
}

/// Prints narrow floats with enough digits to distinguish neighbours.
static std::string shortestNarrow(double value, DType dtype) {
  for (int digits = 1; digits < 9; ++digits) {
    char text[64];
    auto [end, error] = std::to_chars(text, text + sizeof text, value,
                                      std::chars_format::general, digits);
    double parsed = 0;
    std::from_chars(text, end, parsed);
    Array copy = *Array::create(dtype, {});
    reference::write<double>(copy, parsed);
    if (reference::read<double>(copy)[0] == value)
      return shortest(static_cast<float>(parsed));
  }
  return shortest(static_cast<float>(value));
}

std::string elementText(const Array &array, int64_t index) {
  if (tx::isComplex(array.dtype)) { // as Python: 1+2j
    Array parts{tx::planeOf(array.dtype), {2}, {}};
    parts.bytes.assign(array.at(index),
                       array.at(index) + tx::byteWidth(array.dtype));
    std::string im = elementText(parts, 1);
    return elementText(parts, 0) + (im[0] == '-' ? "" : "+") + im + "j";
  }
  Array one = *Array::create(array.dtype, {});
  std::copy_n(array.at(index), reference::byteWidth(array.dtype), one.at(0));
  if (reference::isFloat(array.dtype)) {
    double value = reference::read<double>(one)[0];
    if (array.dtype == DType::F64)
      return shortest(value);
    if (array.dtype == DType::F32 || !std::isfinite(value))
      return shortest(static_cast<float>(value));
    return shortestNarrow(value, array.dtype);
  }
  if (array.dtype == DType::I1)
    return *one.at(0) ? "true" : "false";
  if (reference::isUnsigned(array.dtype))
    return std::to_string(reference::read<uint64_t>(one)[0]);
  return std::to_string(reference::read<int64_t>(one)[0]);
}

namespace {
class Printer {
public:
  Printer(raw_ostream &os, const Array &array)
      : os(os), array(array), strides(reference::stridesOf(array.shape)),
        abridged(array.size() > abridgeAbove) {}

  void print(size_t dim, int64_t offset) {
    if (dim == array.shape.size()) {
      os << elementText(array, offset);
      return;
    }
    os << "[";
    int64_t size = array.shape[dim];
    bool gap = abridged && size > 2 * edgeElements;
    for (int64_t i = 0; i < size; ++i) {
      if (i)
        separate(dim);
      if (gap && i == edgeElements) {
        os << "...";
        separate(dim);
        i = size - edgeElements;
      }
      print(dim + 1, offset + i * strides[dim]);
    }
    os << "]";
  }

private:
  raw_ostream &os;
  const Array &array;
  SmallVector<int64_t> strides;
  bool abridged;

  /// Starts a new line for each row.
  void separate(size_t dim) {
    if (dim + 1 == array.shape.size())
      os << ", ";
    else
      (os << ",\n").indent(dim + 1);
  }
};
} // namespace

void printArray(raw_ostream &os, StringRef name, const Array &array) {
  os << name << ": " << reference::typeString(array.dtype, array.shape) << "\n";
  // Without elements there are no rows to show.
  if (array.size() == 0)
    os << "[]";
  else
    Printer(os, array).print(0, 0);
  os << "\n";
}

} // namespace tensorc::tool
