//===- DType.h - Element types of the lazy graph --------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_DTYPE_H
#define TENSORC_COMPILER_GRAPH_DTYPE_H

#include "ir/tx/DType.h"

#include <string>

namespace tensorc::graph {

// The values of the enum equal those of tensorc_rt_dtype and tensorc_dtype.
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
/// Storage dtypes, which can only be moved and converted.
constexpr DTypeMask storageMask = maskOf(DType::I4) | maskOf(DType::UI4) |
                                  maskOf(DType::F8E4M3FN) |
                                  maskOf(DType::F8E5M2);
constexpr DTypeMask complexMask = maskOf(DType::C64) | maskOf(DType::C128);
constexpr DTypeMask anyMask = computeMask | complexMask | storageMask;

constexpr bool isIn(DType dtype, DTypeMask mask) {
  return (maskOf(dtype) & mask) != 0;
}
/// Returns a text such as `a float`, `a number` or `i1` for messages.
const char *maskName(DTypeMask mask);
/// Returns the end of an error message for an unsupported dtype: a remedy, or
/// an empty string.
const char *remedyFor(DType dtype);

/// Returns the dtype that two dtypes promote to in the array API. In cases that
/// the standard leaves open, an integer and a float or complex dtype give the
/// latter, and i1 and another dtype give the other dtype. Returns nullopt for
/// ui64 with a signed integer, and for a storage dtype with another dtype.
std::optional<DType> promote(DType a, DType b);

/// A number of the host language. Its dtype depends on the tensor that it is
/// combined with.
struct Scalar {
  /// UInt holds only values above INT64_MAX; smaller unsigned numbers are Int.
  enum Kind : uint8_t { Bool = 1, Int, Float, UInt, Complex };
  Kind kind = Float;
  int64_t i = 0; // for UInt, the bits of the value
  double f = 0;  // for Complex, the real part
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
/// Returns the dtype of an op on a tensor of `dtype` and a scalar. It is
/// `dtype` unless the scalar's kind is higher (i1 < integer < float < complex);
/// then it is i32, f32, or the complex dtype for `dtype`.
DType promoteScalar(DType dtype, Scalar scalar);
/// Returns the dtype of a scalar that is not combined with a tensor: i1, i32
/// (i64 if the value needs it) or f32.
DType defaultDType(Scalar scalar);
/// Converts a scalar to a dtype that is not complex and returns the bits in the
/// low bytes. Returns nullopt if an integer dtype cannot represent the value;
/// floats are rounded.
std::optional<uint64_t> encode(Scalar scalar, DType dtype);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_DTYPE_H
