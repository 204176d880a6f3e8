//===- DType.h - The element types of tensors -------------------*- C++ -*-===//
//
// This is the only list of dtypes. In the runtime they are tensorc_rt_dtype,
// whose numbers are part of the package format.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_DTYPE_H
#define TENSORC_IR_TX_DTYPE_H

#include <cstdint>
#include <optional>

namespace llvm {
struct fltSemantics;
} // namespace llvm
namespace mlir {
class MLIRContext;
class Type;
} // namespace mlir

namespace tensorc::tx {

/// X(enumerator, name (as in MLIR, except for complex numbers), bits in memory,
/// kind), in the order of the dtypes' numbers, which begin with 1. An i1 takes
/// a byte. 4-bit integers are packed, low nibble first. Complex numbers have
/// the layout of C99 and NumPy.
#define TENSORC_DTYPES(X)                                                      \
  X(I1, "i1", 8, Bool)                                                         \
  X(I8, "i8", 8, Signed)                                                       \
  X(I16, "i16", 16, Signed)                                                    \
  X(I32, "i32", 32, Signed)                                                    \
  X(I64, "i64", 64, Signed)                                                    \
  X(UI8, "ui8", 8, Unsigned)                                                   \
  X(UI16, "ui16", 16, Unsigned)                                                \
  X(UI32, "ui32", 32, Unsigned)                                                \
  X(UI64, "ui64", 64, Unsigned)                                                \
  X(F16, "f16", 16, Float)                                                     \
  X(BF16, "bf16", 16, Float)                                                   \
  X(F32, "f32", 32, Float)                                                     \
  X(F64, "f64", 64, Float)                                                     \
  X(I4, "i4", 4, Signed)                                                       \
  X(UI4, "ui4", 4, Unsigned)                                                   \
  X(F8E4M3FN, "f8E4M3FN", 8, Float)                                            \
  X(F8E5M2, "f8E5M2", 8, Float)                                                \
  X(C64, "c64", 64, Complex)                                                   \
  X(C128, "c128", 128, Complex)

enum class DType : uint8_t {
  None,
#define TENSORC_DTYPE(symbol, name, bits, kind) symbol,
  TENSORC_DTYPES(TENSORC_DTYPE)
#undef TENSORC_DTYPE
};

enum class DTypeKind : uint8_t { Bool, Signed, Unsigned, Float, Complex };

struct DTypeFacts {
  const char *name;
  int16_t bits;
  DTypeKind kind;
};

constexpr DTypeFacts dtypeFacts[] = {{"none", 0, DTypeKind::Bool},
#define TENSORC_DTYPE(symbol, name, bits, kind) {name, bits, DTypeKind::kind},
                                     TENSORC_DTYPES(TENSORC_DTYPE)
#undef TENSORC_DTYPE
};
constexpr unsigned numDTypes = sizeof(dtypeFacts) / sizeof(*dtypeFacts);

constexpr const DTypeFacts &factsOf(DType dtype) {
  return dtypeFacts[static_cast<unsigned>(dtype)];
}

/// Returns the dtype's name, `f32`, `ui8`, ..., as in MLIR.
constexpr const char *dtypeName(DType dtype) { return factsOf(dtype).name; }
/// Returns the number of bits that an element takes in memory.
constexpr int64_t bitWidth(DType dtype) { return factsOf(dtype).bits; }
/// Returns the number of bytes that hold a single element.
constexpr int64_t byteWidth(DType dtype) { return (bitWidth(dtype) + 7) / 8; }
constexpr bool isFloat(DType dtype) {
  return factsOf(dtype).kind == DTypeKind::Float;
}
/// True for pairs of real and imaginary parts, which have the dtype planeOf().
constexpr bool isComplex(DType dtype) {
  return factsOf(dtype).kind == DTypeKind::Complex;
}
/// Returns the dtype of the parts of a complex number; other dtypes are
/// returned unchanged.
constexpr DType planeOf(DType dtype) {
  return dtype == DType::C64    ? DType::F32
         : dtype == DType::C128 ? DType::F64
                                : dtype;
}
/// Returns the complex dtype for values of this dtype: c128 for f64, else c64.
constexpr DType complexOf(DType dtype) {
  return dtype == DType::F64 || dtype == DType::C128 ? DType::C128 : DType::C64;
}
/// True for dtypes without negative values, including i1.
constexpr bool isUnsigned(DType dtype) {
  return factsOf(dtype).kind == DTypeKind::Unsigned ||
         factsOf(dtype).kind == DTypeKind::Bool;
}
/// True for i4 and ui4, whose elements are smaller than a byte.
constexpr bool isPacked(DType dtype) { return bitWidth(dtype) == 4; }
/// True for dtypes that can be moved and converted, but not used in
/// computations: integers smaller than a byte, and 8-bit floats.
constexpr bool isStorage(DType dtype) {
  return bitWidth(dtype) == 4 || (isFloat(dtype) && bitWidth(dtype) == 8);
}
/// Returns the number of bytes of `count` elements in memory.
constexpr int64_t bytesOf(DType dtype, int64_t count) {
  return isPacked(dtype) ? count / 2 + count % 2 : count * byteWidth(dtype);
}

/// Returns the dtype of an element type, or nullopt if tensors cannot have this
/// type.
std::optional<DType> dtypeOf(mlir::Type element);
/// Returns the format of a float dtype.
const llvm::fltSemantics &semanticsOf(DType dtype);
/// Returns the element type of a dtype, which must not be None.
mlir::Type elementType(mlir::MLIRContext *context, DType dtype);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_DTYPE_H
