//===- Elements.cpp - elements of arrays in host memory -------------------===//
#include "runtime/core/Elements.h"

#include "runtime/core/Api.h"
#include "runtime/core/Types.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace tensorc::rt;

namespace {
/// Number of exponent and mantissa bits of a narrow float. The highest exponent
/// encodes infinities and NaNs, except in E4M3FN, where it encodes one NaN
/// only.
struct NarrowFormat {
  int exponent, mantissa;
  bool isFinite;
};

class ArrayPrinter {
public:
  explicit ArrayPrinter(const tensorc_rt_array &array)
      : array(array), isAbridged(elementCount(array) > 1000) {}

  std::string run() {
    int64_t count = elementCount(array);
    text = "tensor(";
    print(0, 0, count);
    if (count == 0) {
      text += ", shape=[";
      for (int32_t d = 0; d < array.rank; ++d)
        text += (d ? "," : "") + std::to_string(array.dims[d]);
      text += "]";
    }
    return text + ", dtype=" + tensorc_rt_dtype_name(array.dtype) + ")";
  }

private:
  /// Maximum number of elements that are printed at each end of a long dim.
  static constexpr int64_t edge = 3;

  void print(int32_t depth, int64_t first, int64_t count);
  void printElement(int64_t index);
  void printComplex(int64_t index);
  void printFloat(double number, bool isDouble);

  const tensorc_rt_array &array;
  bool isAbridged;
  std::string text;
};
} // namespace

template <typename T> static T load(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof value,
              sizeof value);
  return value;
}

static double decode(uint32_t bits, NarrowFormat format) {
  uint32_t mantissa = bits & ((1u << format.mantissa) - 1);
  uint32_t highest = (1u << format.exponent) - 1;
  uint32_t exponent = bits >> format.mantissa & highest;
  bool isNegative = bits >> (format.mantissa + format.exponent) & 1;
  int bias = static_cast<int>(highest >> 1);
  double value;
  bool isSpecial = exponent == highest;
  if (format.isFinite)
    isSpecial &= mantissa == (1u << format.mantissa) - 1;
  if (isSpecial)
    value = mantissa || format.isFinite
                ? std::numeric_limits<double>::quiet_NaN()
                : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - bias - format.mantissa);
  else
    value = std::ldexp(mantissa | 1u << format.mantissa,
                       static_cast<int>(exponent) - bias - format.mantissa);
  return isNegative ? -value : value;
}

static Element ofFloat(double value) {
  bool fits = value >= -9.2e18 && value <= 9.2e18;
  return {value, fits ? static_cast<int64_t>(value) : 0};
}

template <typename T> static Element ofInteger(T value) {
  return {static_cast<double>(value), static_cast<int64_t>(value)};
}

Element tensorc::rt::elementAt(tensorc_rt_dtype dtype, const void *data,
                               int64_t index) {
  auto nibble = [&] {
    return load<uint8_t>(data, index / 2) >> (index % 2 * 4) & 15;
  };
  switch (dtype) {
  case TENSORC_RT_I8:
    return ofInteger(load<int8_t>(data, index));
  case TENSORC_RT_I16:
    return ofInteger(load<int16_t>(data, index));
  case TENSORC_RT_I32:
    return ofInteger(load<int32_t>(data, index));
  case TENSORC_RT_I64:
  case TENSORC_RT_INDEX:
    return ofInteger(load<int64_t>(data, index));
  case TENSORC_RT_UI16:
    return ofInteger(load<uint16_t>(data, index));
  case TENSORC_RT_UI32:
    return ofInteger(load<uint32_t>(data, index));
  case TENSORC_RT_UI64:
    return ofInteger(load<uint64_t>(data, index));
  case TENSORC_RT_F16:
    return ofFloat(decode(load<uint16_t>(data, index), {5, 10, false}));
  case TENSORC_RT_BF16:
    return ofFloat(decode(load<uint16_t>(data, index), {8, 7, false}));
  case TENSORC_RT_F8E4M3FN:
    return ofFloat(decode(load<uint8_t>(data, index), {4, 3, true}));
  case TENSORC_RT_F8E5M2:
    return ofFloat(decode(load<uint8_t>(data, index), {5, 2, false}));
  case TENSORC_RT_F32:
    return ofFloat(load<float>(data, index));
  case TENSORC_RT_F64:
    return ofFloat(load<double>(data, index));
  case TENSORC_RT_UI4:
    return ofInteger(nibble());
  case TENSORC_RT_I4:
    return ofInteger((nibble() ^ 8) - 8);
  default: // i1, ui8
    return ofInteger(load<uint8_t>(data, index));
  }
}

bool tensorc::rt::isFloat(tensorc_rt_dtype dtype) {
  switch (dtype) {
  case TENSORC_RT_F16:
  case TENSORC_RT_BF16:
  case TENSORC_RT_F32:
  case TENSORC_RT_F64:
  case TENSORC_RT_F8E4M3FN:
  case TENSORC_RT_F8E5M2:
    return true;
  default:
    return false;
  }
}

bool tensorc::rt::isComplex(tensorc_rt_dtype dtype) {
  return dtype == TENSORC_RT_C64 || dtype == TENSORC_RT_C128;
}

int64_t tensorc::rt::elementCount(const tensorc_rt_array &array) {
  int64_t count = 1;
  for (int32_t d = 0; d < array.rank; ++d)
    count *= array.dims[d];
  return count;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Prints the `count` elements from `first` on: the part of the array that dim
/// `depth` and the following dims span.
void ArrayPrinter::print(int32_t depth, int64_t first, int64_t count) {
  if (depth == array.rank)
    return printElement(first);
  int64_t size = array.dims[depth];
  int64_t part = size ? count / size : 0;
  text += "[";
  for (int64_t i = 0; i < size && count > 0; ++i) {
    if (i > 0)
      text += ", ";
    if (isAbridged && size > 2 * edge && i == edge) {
      text += "..., ";
      i = size - edge;
    }
    print(depth + 1, first + i * part, part);
  }
  text += "]";
}

void ArrayPrinter::printFloat(double number, bool isDouble) {
  // Drops the sign of a NaN, which has no meaning.
  if (std::isnan(number))
    number = std::numeric_limits<double>::quiet_NaN();
  char buffer[32];
  // For f64 the text is the shortest one that reads back as the same number.
  // Does not depend on the locale, which may have another decimal point.
  char *end = buffer + sizeof buffer - 1;
  auto [last, ignored] =
      isDouble
          ? std::to_chars(buffer, end, number)
          : std::to_chars(buffer, end, number, std::chars_format::general, 6);
  *last = 0;
  text += buffer;
}

/// Prints a complex number as Python does: 1+2j.
void ArrayPrinter::printComplex(int64_t index) {
  bool isDouble = array.dtype == TENSORC_RT_C128;
  tensorc_rt_dtype part = isDouble ? TENSORC_RT_F64 : TENSORC_RT_F32;
  double im = elementAt(part, array.data, 2 * index + 1).number;
  printFloat(elementAt(part, array.data, 2 * index).number, isDouble);
  if (!std::signbit(im) || std::isnan(im))
    text += "+";
  printFloat(im, isDouble);
  text += "j";
}

void ArrayPrinter::printElement(int64_t index) {
  if (isComplex(array.dtype))
    return printComplex(index);
  auto [number, integer] = elementAt(array.dtype, array.data, index);
  if (array.dtype == TENSORC_RT_I1) {
    text += integer ? "true" : "false";
  } else if (array.dtype == TENSORC_RT_UI64) {
    text += std::to_string(static_cast<uint64_t>(integer));
  } else if (!isFloat(array.dtype)) {
    text += std::to_string(integer);
  } else {
    size_t before = text.size();
    printFloat(number, array.dtype == TENSORC_RT_F64);
    if (text.find_first_of(".en", before) == std::string::npos)
      text += ".0";
  }
}

std::string tensorc::rt::arrayText(const tensorc_rt_array &array) {
  return ArrayPrinter(array).run();
}

//===----------------------------------------------------------------------===//
// NaNs and infinities
//===----------------------------------------------------------------------===//

tensorc_rt_nonfinite tensorc::rt::findNonfinite(tensorc_rt_dtype dtype,
                                                const void *data,
                                                int64_t count) {
  tensorc_rt_nonfinite found = {0, 0, -1};
  if (isComplex(dtype)) {
    // Counts the parts of complex numbers.
    found =
        findNonfinite(dtype == TENSORC_RT_C64 ? TENSORC_RT_F32 : TENSORC_RT_F64,
                      data, 2 * count);
    found.first = found.first < 0 ? -1 : found.first / 2;
    return found;
  }
  for (int64_t i = 0; isFloat(dtype) && i < count; ++i) {
    double number = elementAt(dtype, data, i).number;
    if (std::isfinite(number))
      continue;
    ++(std::isnan(number) ? found.nans : found.infinities);
    if (found.first < 0)
      found.first = i;
  }
  return found;
}

/// Returns `3 NaNs and 1 infinity`.
static std::string countsText(const tensorc_rt_nonfinite &found) {
  auto counted = [](int64_t count, const char *one, const char *many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
  };
  std::string text;
  if (found.nans)
    text = counted(found.nans, "NaN", "NaNs");
  if (found.infinities)
    text += (text.empty() ? "" : " and ") +
            counted(found.infinities, "infinity", "infinities");
  return text;
}

/// Returns `[0, 5]`, the index of an element in a row-major array.
static std::string indexText(const tensorc_rt_array &array, int64_t element) {
  std::string text;
  for (int32_t d = array.rank - 1; d >= 0; --d) {
    text = std::to_string(element % array.dims[d]) +
           (text.empty() ? "" : ", ") + text;
    element /= array.dims[d];
  }
  return "[" + text + "]";
}

//===----------------------------------------------------------------------===//
// The C interface
//===----------------------------------------------------------------------===//

/// Checks that the array's dims and memory are valid.
static Status check(const tensorc_rt_array *array) {
  int64_t bytes = 0;
  bool isValid =
      array && array->rank >= 0 && array->rank <= TENSORC_RT_MAX_RANK &&
      (array->rank == 0 || array->dims) && bitsOf(array->dtype) != 0 &&
      byteSize(array->dtype, array->rank, array->dims, bytes);
  return needs(isValid && (array->data || bytes == 0), "not an array");
}

tensorc_rt_status *tensorc_rt_array_to_string(const tensorc_rt_array *array,
                                              char **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(check(array));
    std::string text = arrayText(*array);
    *out = static_cast<char *>(std::malloc(text.size() + 1));
    if (!*out)
      return outOfMemory();
    std::memcpy(*out, text.c_str(), text.size() + 1);
    return Status();
  });
}

void tensorc_rt_string_free(char *text) { std::free(text); }

tensorc_rt_status *tensorc_rt_array_element(const tensorc_rt_array *array,
                                            int64_t index, double *out_number,
                                            int64_t *out_integer) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(
        needs(out_number && out_integer, "an out parameter is NULL"));
    *out_number = 0;
    *out_integer = 0;
    TENSORC_RT_TRY(check(array));
    TENSORC_RT_TRY(needs(index >= 0 && index < elementCount(*array),
                         "the index is outside the array"));
    TENSORC_RT_TRY(needs(!isComplex(array->dtype),
                         "an element of complex numbers has two parts; read "
                         "the array as f32 or f64"));
    Element element = elementAt(array->dtype, array->data, index);
    *out_number = element.number;
    *out_integer = element.integer;
    return Status();
  });
}

tensorc_rt_status *tensorc_rt_array_nonfinite(const tensorc_rt_array *array,
                                              tensorc_rt_nonfinite *out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(check(array));
    *out = findNonfinite(array->dtype, array->data, elementCount(*array));
    return Status();
  });
}

tensorc_rt_status *
tensorc_rt_array_check_finite(const tensorc_rt_array *array) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(check(array));
    int64_t count = elementCount(*array);
    tensorc_rt_nonfinite found =
        findNonfinite(array->dtype, array->data, count);
    if (found.first < 0)
      return Status();
    return error(TENSORC_RT_FAILED_PRECONDITION,
                 "%s of %lld elements, the first at %s",
                 countsText(found).c_str(), static_cast<long long>(count),
                 indexText(*array, found.first).c_str());
  });
}
