//===- types.hpp - errors, dtypes and shapes of all C++ headers -----------===//
//
// Requires C++17 or later, and no library.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TYPES_HPP
#define TENSORC_TYPES_HPP

#if !defined(__cpp_exceptions)
#error "tensorc's C++ headers throw; with -fno-exceptions include tensorc/tensorc.h or tensorc/runtime.h, the C interface"
#endif

#include "tensorc/runtime.h"

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__STDCPP_FLOAT16_T__) || defined(__STDCPP_BFLOAT16_T__)
#include <stdfloat>
#endif

struct tensorc_location;

namespace tensorc {

/// Source location of a call. Clang 14 has no std::source_location.
struct Location {
  const char *file;
  unsigned line;
  static Location current(const char *file = __builtin_FILE(),
                          unsigned line = __builtin_LINE()) {
    return {file, line};
  }
  /// Converts to the C struct. Defined in tensorc/tensorc.h.
  operator tensorc_location() const;
};

/// Any error of a program, thrown in the caller's object code. The message
/// names the op or argument, shapes and dtypes.
class Error : public std::runtime_error {
public:
  Error(int code, const std::string &message)
      : std::runtime_error(message), number(code) {}
  /// Returns a tensorc_rt_code, or the tensorc_code with the same number.
  int code() const { return number; }

private:
  int number;
};

/// Sizes, one per axis; `<<` prints [2,3].
struct Shape : std::vector<int64_t> {
  using std::vector<int64_t>::vector;
  Shape(std::vector<int64_t> sizes) : std::vector<int64_t>(std::move(sizes)) {}
  friend std::ostream &operator<<(std::ostream &os, const Shape &shape) {
    os << '[';
    for (size_t i = 0; i < shape.size(); ++i)
      os << (i ? "," : "") << shape[i];
    return os << ']';
  }
};

enum class DType {
  i1 = TENSORC_RT_I1,
  i8 = TENSORC_RT_I8,
  i16 = TENSORC_RT_I16,
  i32 = TENSORC_RT_I32,
  i64 = TENSORC_RT_I64,
  ui8 = TENSORC_RT_UI8,
  ui16 = TENSORC_RT_UI16,
  ui32 = TENSORC_RT_UI32,
  ui64 = TENSORC_RT_UI64,
  f16 = TENSORC_RT_F16,
  bf16 = TENSORC_RT_BF16,
  f32 = TENSORC_RT_F32,
  f64 = TENSORC_RT_F64,
  i4 = TENSORC_RT_I4,
  ui4 = TENSORC_RT_UI4,
  f8e4m3fn = TENSORC_RT_F8E4M3FN,
  f8e5m2 = TENSORC_RT_F8E5M2,
  c64 = TENSORC_RT_C64,
  c128 = TENSORC_RT_C128,
  index = TENSORC_RT_INDEX
};
inline constexpr DType i1 = DType::i1, i8 = DType::i8, i16 = DType::i16,
                       i32 = DType::i32, i64 = DType::i64, ui8 = DType::ui8,
                       ui16 = DType::ui16, ui32 = DType::ui32,
                       ui64 = DType::ui64, f16 = DType::f16, bf16 = DType::bf16,
                       f32 = DType::f32, f64 = DType::f64, i4 = DType::i4,
                       ui4 = DType::ui4, f8e4m3fn = DType::f8e4m3fn,
                       f8e5m2 = DType::f8e5m2, c64 = DType::c64,
                       c128 = DType::c128;

constexpr bool is_float(DType dtype) {
  return (dtype >= DType::f16 && dtype <= DType::f64) ||
         dtype == DType::f8e4m3fn || dtype == DType::f8e5m2;
}

/// True for the dtypes that correspond to std::complex<float> and
/// std::complex<double>.
constexpr bool is_complex(DType dtype) {
  return dtype == DType::c64 || dtype == DType::c128;
}

/// Returns "f32", "ui8", "c64", ...
inline const char *name(DType dtype) {
  constexpr const char *names[] = {
      "?",    "i1",   "i8",  "i16",  "i32", "i64", "ui8", "ui16",     "ui32",
      "ui64", "f16",  "bf16", "f32", "f64", "i4",  "ui4", "f8E4M3FN", "f8E5M2",
      "c64",  "c128", "index"};
  auto number = static_cast<unsigned>(dtype);
  return names[number < sizeof(names) / sizeof(*names) ? number : 0];
}

inline std::ostream &operator<<(std::ostream &os, DType dtype) {
  return os << name(dtype);
}

/// Elements of f16, bf16 and f8, as bits. If the compiler has std::float16_t
/// and std::bfloat16_t, these can also be used as elements and numbers.
struct float16 {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};
struct float8_e4m3fn {
  uint8_t bits;
};
struct float8_e5m2 {
  uint8_t bits;
};

/// Returns the dtype that holds elements of T.
template <typename T> constexpr DType dtype_of() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, bool>)
    return DType::i1;
  else if constexpr (std::is_same_v<U, float>)
    return DType::f32;
  else if constexpr (std::is_same_v<U, double>)
    return DType::f64;
  else if constexpr (std::is_same_v<U, std::complex<float>>)
    return DType::c64;
  else if constexpr (std::is_same_v<U, std::complex<double>>)
    return DType::c128;
  else if constexpr (std::is_same_v<U, float16>)
    return DType::f16;
  else if constexpr (std::is_same_v<U, bfloat16>)
    return DType::bf16;
  else if constexpr (std::is_same_v<U, float8_e4m3fn>)
    return DType::f8e4m3fn;
  else if constexpr (std::is_same_v<U, float8_e5m2>)
    return DType::f8e5m2;
#ifdef __STDCPP_FLOAT16_T__
  else if constexpr (std::is_same_v<U, std::float16_t>)
    return DType::f16;
#endif
#ifdef __STDCPP_BFLOAT16_T__
  else if constexpr (std::is_same_v<U, std::bfloat16_t>)
    return DType::bf16;
#endif
  else {
    static_assert(std::is_integral_v<U>, "no dtype holds this type");
    constexpr int log = sizeof(U) == 1   ? 0
                        : sizeof(U) == 2 ? 1
                        : sizeof(U) == 4 ? 2
                                         : 3;
    return static_cast<DType>(
        (std::is_signed_v<U> ? TENSORC_RT_I8 : TENSORC_RT_UI8) + log);
  }
}

} // namespace tensorc

#endif
