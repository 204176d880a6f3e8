//===- Array.h - Dense arrays of the interpreter --------------------------===//
#ifndef TENSORC_IR_REFERENCE_ARRAY_H
#define TENSORC_IR_REFERENCE_ARRAY_H

#include "ir/tx/DType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tensorc::reference {

using tx::byteWidth;
using tx::DType;
using tx::dtypeName;
using tx::dtypeOf;
using tx::isFloat;
using tx::isUnsigned;
using tx::semanticsOf;

/// A dense row-major array. Elements are little-endian, as on every supported
/// host, and need no alignment. A 4-bit integer takes a byte here; pack()
/// converts to the layout of buffers.
struct Array {
  DType dtype = DType::F32;
  llvm::SmallVector<int64_t> shape;
  std::vector<uint8_t> bytes;

  int64_t size() const;
  uint8_t *at(int64_t index) { return &bytes[index * byteWidth(dtype)]; }
  const uint8_t *at(int64_t index) const {
    return &bytes[index * byteWidth(dtype)];
  }

  /// Creates a zero-filled array; nullopt if its size overflows or does not fit
  /// in memory.
  static std::optional<Array> create(DType dtype,
                                     llvm::ArrayRef<int64_t> shape);
};

/// Returns the elements in the layout of buffers, in which two 4-bit integers
/// share a byte, the low nibble first. If their number is odd, the last nibble
/// is 0.
std::vector<uint8_t> pack(const Array &array);
/// Sets the elements from the layout of buffers. There must be
/// tx::bytesOf(dtype, size()) bytes.
void unpack(Array &array, const uint8_t *bytes);

/// Returns the elements in one of three wide types: double for floats, int64_t
/// for signed integers, and uint64_t for unsigned integers and i1. The
/// conversion is exact.
template <typename Wide> std::vector<Wide> read(const Array &array);
/// Sets the elements, converting to the array's dtype: floats are rounded to
/// nearest even, integers wrap.
template <typename Wide> void write(Array &array, llvm::ArrayRef<Wide> values);

/// `f32[2,3]`.
std::string typeString(DType dtype, llvm::ArrayRef<int64_t> shape);

/// Returns the strides of a row-major array, in elements.
llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape);

/// Calls `fn(position, index)` for every index of the shape in row-major order.
template <typename Fn> void forEachIndex(llvm::ArrayRef<int64_t> shape, Fn fn) {
  int64_t total = 1;
  for (int64_t size : shape)
    total *= size;
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t position = 0; position < total; ++position) {
    fn(position, llvm::ArrayRef<int64_t>(index));
    for (size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
}

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_ARRAY_H
