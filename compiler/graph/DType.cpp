//===- DType.cpp - Element types of the lazy graph ------------------------===//

#include "compiler/graph/DType.h"

#include "compiler/graph/DefaultFloat.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

namespace tensorc::graph {

const char *maskName(DTypeMask mask) {
  switch (mask) {
  case boolMask:
    return "i1";
  case floatMask:
    return "a float";
  case integerMask:
    return "an integer";
  case numberMask:
    return "a number";
  case bitsMask:
    return "i1 or an integer";
  case computeMask:
    return "i1 or a number";
  case complexMask:
    return "complex";
  case floatMask | complexMask:
    return "a float or complex";
  case numberMask | complexMask:
    return "a number";
  case computeMask | complexMask:
    return "i1 or a number";
  default:
    return "any";
  }
}

const char *remedyFor(DType dtype) {
  return isStorage(dtype)   ? "; convert with astype"
         : isComplex(dtype) ? "; take real(x), imag(x) or abs(x)"
                            : "";
}

std::optional<DType> promote(DType a, DType b) {
  if (a == b)
    return a;
  if (isStorage(a) || isStorage(b))
    return std::nullopt;
  if (b == DType::I1)
    return a;
  if (a == DType::I1)
    return b;
  if (isComplex(a) || isComplex(b))
    return a == DType::C128 || b == DType::C128 || a == DType::F64 ||
                   b == DType::F64
               ? DType::C128
               : DType::C64;
  if (isFloat(a) != isFloat(b))
    return isFloat(a) ? a : b;
  if (isFloat(a)) {
    bool halves = byteWidth(a) == 2 && byteWidth(b) == 2;
    return halves ? DType::F32 : byteWidth(a) > byteWidth(b) ? a : b;
  }
  if (isUnsigned(a) == isUnsigned(b))
    return byteWidth(a) > byteWidth(b) ? a : b;
  if (isUnsigned(a))
    std::swap(a, b); // a is signed
  if (byteWidth(a) > byteWidth(b))
    return a;
  switch (byteWidth(b)) {
  case 1:
    return DType::I16;
  case 2:
    return DType::I32;
  case 4:
    return DType::I64;
  default:
    return std::nullopt;
  }
}

/// Returns the shortest text that reads back as the same value: 2, 0.1, 1e+30.
static std::string toString(double value) {
  if (std::isnan(value))
    return "nan";
  std::array<char, 32> text;
  char *end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string toString(Scalar scalar) {
  if (scalar.kind == Scalar::Complex)
    return toString(scalar.f) + (std::signbit(scalar.im) ? "" : "+") +
           toString(scalar.im) + "j";
  if (scalar.kind == Scalar::Float)
    return toString(scalar.f);
  if (scalar.kind == Scalar::UInt)
    return std::to_string(static_cast<uint64_t>(scalar.i));
  return std::to_string(scalar.i);
}

static std::atomic<DType> processFloat = DType::F32;
static thread_local std::optional<DType> ownFloat;

DType defaultFloat() {
  return ownFloat ? *ownFloat : processFloat.load(std::memory_order_relaxed);
}
void setDefaultFloat(DType dtype) {
  processFloat.store(dtype, std::memory_order_relaxed);
}
std::optional<DType> threadFloat() { return ownFloat; }
void setThreadFloat(std::optional<DType> dtype) { ownFloat = dtype; }

DType defaultDType(Scalar scalar) {
  if (scalar.kind == Scalar::Complex)
    return complexOf(defaultFloat());
  if (scalar.kind == Scalar::UInt)
    return DType::UI64;
  if (scalar.kind == Scalar::Float)
    return defaultFloat();
  if (scalar.kind == Scalar::Bool)
    return DType::I1;
  return scalar.i == static_cast<int32_t>(scalar.i) ? DType::I32 : DType::I64;
}

DType promoteScalar(DType dtype, Scalar scalar) {
  if (scalar.kind == Scalar::Complex)
    return isFloat(dtype) || isComplex(dtype) ? complexOf(dtype)
                                              : defaultDType(scalar);
  bool keeps = isFloat(dtype) || isComplex(dtype) ||
               scalar.kind == Scalar::Bool ||
               ((scalar.kind == Scalar::Int || scalar.kind == Scalar::UInt) &&
                dtype != DType::I1);
  return keeps ? dtype : defaultDType(scalar);
}

static uint64_t encodeFloat(double value, DType dtype) {
  if (dtype == DType::F64)
    return llvm::bit_cast<uint64_t>(value);
  // Fast path: most numbers in programs are exact in f32, so that the
  // conversion does not depend on the thread's rounding mode.
  if (auto single = static_cast<float>(value);
      dtype == DType::F32 && static_cast<double>(single) == value)
    return llvm::bit_cast<uint32_t>(single);
  llvm::APFloat narrow(value);
  bool lost;
  narrow.convert(semanticsOf(dtype), llvm::APFloat::rmNearestTiesToEven, &lost);
  return narrow.bitcastToAPInt().getZExtValue();
}

std::optional<uint64_t> encode(Scalar scalar, DType dtype) {
  if (scalar.kind == Scalar::Complex)
    return std::nullopt;
  bool isFloating = scalar.kind == Scalar::Float;
  bool isLarge = scalar.kind == Scalar::UInt;
  if (isFloat(dtype))
    return encodeFloat(
        isFloating ? scalar.f
        : isLarge  ? static_cast<double>(static_cast<uint64_t>(scalar.i))
                   : static_cast<double>(scalar.i),
        dtype);
  if (isLarge)
    return dtype == DType::UI64 ? std::optional(static_cast<uint64_t>(scalar.i))
                                : std::nullopt;
  if (isFloating) {
    if (scalar.f != std::trunc(scalar.f))
      return std::nullopt;
    if (dtype == DType::UI64 && scalar.f >= 9.2e18 &&
        scalar.f < 18446744073709551616.0)
      return static_cast<uint64_t>(scalar.f);
    if (!(std::fabs(scalar.f) < 9.2e18))
      return std::nullopt;
    scalar.i = static_cast<int64_t>(scalar.f);
  }
  int bits = static_cast<int>(bitWidth(dtype));
  uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
  bool fits;
  if (dtype == DType::I1)
    fits = scalar.i == 0 || scalar.i == 1;
  else if (isUnsigned(dtype))
    fits = scalar.i >= 0 && (bits == 64 || (scalar.i >> bits) == 0);
  else
    fits = bits == 64 ||
           (scalar.i >= -(1ll << (bits - 1)) && scalar.i < (1ll << (bits - 1)));
  if (!fits)
    return std::nullopt;
  return static_cast<uint64_t>(scalar.i) & mask;
}

} // namespace tensorc::graph
