//===- DType.h - Element types of the lazy graph --------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_DTYPE_H
#define TENSORC_COMPILER_GRAPH_DTYPE_H

#include "ir/tx/DType.h"

#include <string>

namespace tensorc::graph {

// The numbers are those of tensorc_rt_dtype and tensorc_dtype.
using tx::bitWidth;
using tx::byteWidth;
using tx::complexOf;
using tx::DType;
using tx::dtypeName;
using tx::isComplex;
using tx::isFloat;
using tx::isPacked;
using tx::isStorage;
using tx::isUnsigned;
using tx::planeOf;
using tx::semanticsOf;

using DTypeMask = uint32_t;
constexpr DTypeMask maskOf(DType dtype) {
  return 1u << static_cast<unsigned>(dtype);
}
constexpr DTypeMask boolMask = maskOf(DType::I1);
constexpr DTypeMask signedMask = maskOf(DType::I8) | maskOf(DType::I16) |
                                 maskOf(DType::I32) | maskOf(DType::I64);
constexpr DTypeMask unsignedMask = maskOf(DType::UI8) | maskOf(DType::UI16) |
                                   maskOf(DType::UI32) | maskOf(DType::UI64);
constexpr DTypeMask integerMask = signedMask | unsignedMask;
constexpr DTypeMask floatMask = maskOf(DType::F16) | maskOf(DType::BF16) |
                                maskOf(DType::F32) | maskOf(DType::F64);
constexpr DTypeMask numberMask = integerMask | floatMask;
constexpr DTypeMask bitsMask = boolMask | integerMask;
constexpr DTypeMask computeMask = boolMask | numberMask;
/// Moved and converted only.
constexpr DTypeMask storageMask = maskOf(DType::I4) | maskOf(DType::UI4) |
                                  maskOf(DType::F8E4M3FN) |
                                  maskOf(DType::F8E5M2);
constexpr DTypeMask complexMask = maskOf(DType::C64) | maskOf(DType::C128);
constexpr DTypeMask anyMask = computeMask | complexMask | storageMask;

constexpr bool isIn(DType dtype, DTypeMask mask) {
  return (maskOf(dtype) & mask) != 0;
}
/// `a float`, `a number`, `i1`, ... for messages.
const char *maskName(DTypeMask mask);
/// What refusals of a dtype end with: what to do about it, or nothing.
const char *remedyFor(DType dtype);

/// The array API's promotion; beyond its table, an integer takes the dtype of
/// a float or a complex number and i1 that of a number. None for ui64 with a
/// signed integer, and for two dtypes of which one is storage.
std::optional<DType> promote(DType a, DType b);

/// A number of the host language. Its dtype depends on the tensor that it is
/// combined with.
struct Scalar {
  /// UInt holds only values above INT64_MAX; smaller unsigned numbers are Int.
  enum Kind : uint8_t { Bool = 1, Int, Float, UInt, Complex };
  Kind kind = Float;
  int64_t i = 0; // of a UInt its bits
  double f = 0;  // of a Complex its real part
  double im = 0;

  static Scalar of(double value) { return {Float, 0, value, 0}; }
  static Scalar of(int64_t value) { return {Int, value, 0, 0}; }
  static Scalar of(uint64_t value) {
    auto bits = static_cast<int64_t>(value);
    return {bits < 0 ? UInt : Int, bits, 0, 0};
  }
  static Scalar of(double re, double im) { return {Complex, 0, re, im}; }
  static Scalar of(bool value) { return {Bool, value, 0, 0}; }
};

std::string toString(Scalar scalar);
/// What a scalar does to a dtype: nothing, unless its kind is higher
/// (i1 < integer < float < complex); then i32, f32 or the complex dtype of it.
DType promoteScalar(DType dtype, Scalar scalar);
/// The dtype of a scalar alone: i1, i32 (i64 where it must be), f32.
DType defaultDType(Scalar scalar);
/// The bits of a scalar as this dtype, which is not complex, in the low bytes.
/// None if that has no such number; a float is rounded.
std::optional<uint64_t> encode(Scalar scalar, DType dtype);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_DTYPE_H
