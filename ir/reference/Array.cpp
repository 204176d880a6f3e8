//===- Array.cpp - Dense arrays of the interpreter ------------------------===//

#include "ir/reference/Array.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <new>
#include <stdexcept>

using namespace llvm;

namespace tensorc::reference {

std::string typeString(DType dtype, ArrayRef<int64_t> shape) {
  std::string text = std::string(dtypeName(dtype)) + "[";
  for (auto [i, size] : enumerate(shape))
    text += (i ? "," : "") + std::to_string(size);
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

int64_t Array::size() const {
  return static_cast<int64_t>(bytes.size()) / byteWidth(dtype);
}

std::optional<Array> Array::create(DType dtype, ArrayRef<int64_t> shape) {
  // The product of the other dims must not overflow even if one dim is 0,
  // because strides are computed from it.
  int64_t bytes = byteWidth(dtype);
  bool empty = false;
  for (int64_t size : shape) {
    empty |= size == 0;
    if (size < 0 || MulOverflow(bytes, std::max<int64_t>(size, 1), bytes))
      return std::nullopt;
  }
  Array array{dtype, SmallVector<int64_t>(shape), {}};
  try {
    array.bytes.resize(empty ? 0 : bytes);
  } catch (const std::bad_alloc &) {
    return std::nullopt;
  } catch (const std::length_error &) {
    return std::nullopt;
  }
  return array;
}

SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

template <typename T> static T load(const uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// Converts floats of 8 and 16 bits to double, which is exact.
static double fromNarrow(DType dtype, uint64_t bits) {
  APFloat value(semanticsOf(dtype), APInt(tx::bitWidth(dtype), bits));
  bool exact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  return value.convertToDouble();
}

static uint64_t toNarrow(DType dtype, double x) {
  // Converts from double directly, because converting by way of float would
  // round twice.
  APFloat value(x);
  bool exact;
  value.convert(semanticsOf(dtype), APFloat::rmNearestTiesToEven, &exact);
  return value.bitcastToAPInt().getZExtValue();
}

template <typename Wide>
static Wide readElement(DType dtype, const uint8_t *from) {
  switch (dtype) {
  case DType::I1:
  case DType::UI8:
  case DType::UI4:
    return load<uint8_t>(from);
  case DType::I8:
  case DType::I4:
    return load<int8_t>(from);
  case DType::I16:
    return load<int16_t>(from);
  case DType::I32:
    return load<int32_t>(from);
  case DType::I64:
    return load<int64_t>(from);
  case DType::UI16:
    return load<uint16_t>(from);
  case DType::UI32:
    return load<uint32_t>(from);
  case DType::UI64:
    return load<uint64_t>(from);
  case DType::F8E4M3FN:
  case DType::F8E5M2:
    return fromNarrow(dtype, load<uint8_t>(from));
  case DType::F16:
  case DType::BF16:
    return fromNarrow(dtype, load<uint16_t>(from));
  case DType::F32:
    return load<float>(from);
  case DType::F64:
    return load<double>(from);
  case DType::C64:
  case DType::C128:
  case DType::None:
    break;
  }
  llvm_unreachable("not one number");
}

template <typename T, typename Wide>
static void store(uint8_t *to, Wide value) {
  T narrow = static_cast<T>(value);
  std::memcpy(to, &narrow, sizeof(T));
}

static void writeElement(DType dtype, uint8_t *to, double value) {
  switch (dtype) {
  case DType::F8E4M3FN:
  case DType::F8E5M2:
    return store<uint8_t>(to, toNarrow(dtype, value));
  case DType::F16:
  case DType::BF16:
    return store<uint16_t>(to, toNarrow(dtype, value));
  case DType::F32:
    return store<float>(to, value);
  case DType::F64:
    return store<double>(to, value);
  default:
    llvm_unreachable("a double into an integer array");
  }
}

static void writeElement(DType dtype, uint8_t *to, uint64_t value) {
  if (dtype == DType::I1)
    value &= 1;
  if (dtype == DType::UI4)
    value &= 15;
  if (dtype == DType::I4)
    value = SignExtend64<4>(value);
  switch (byteWidth(dtype)) {
  case 1:
    return store<uint8_t>(to, value);
  case 2:
    return store<uint16_t>(to, value);
  case 4:
    return store<uint32_t>(to, value);
  default:
    return store<uint64_t>(to, value);
  }
}

static void writeElement(DType dtype, uint8_t *to, int64_t value) {
  writeElement(dtype, to, static_cast<uint64_t>(value));
}

template <typename Wide> std::vector<Wide> read(const Array &array) {
  std::vector<Wide> values(array.size());
  for (int64_t i = 0; i < array.size(); ++i)
    values[i] = readElement<Wide>(array.dtype, array.at(i));
  return values;
}

template <typename Wide> void write(Array &array, ArrayRef<Wide> values) {
  for (auto [i, value] : enumerate(values))
    writeElement(array.dtype, array.at(i), value);
}

template std::vector<double> read(const Array &);
template std::vector<int64_t> read(const Array &);
template std::vector<uint64_t> read(const Array &);
template void write(Array &, ArrayRef<double>);
template void write(Array &, ArrayRef<int64_t>);
template void write(Array &, ArrayRef<uint64_t>);

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

std::vector<uint8_t> pack(const Array &array) {
  if (!tx::isPacked(array.dtype))
    return array.bytes;
  std::vector<uint8_t> bytes(tx::bytesOf(array.dtype, array.size()));
  for (auto [i, value] : enumerate(array.bytes))
    bytes[i / 2] |= (value & 15) << (i % 2 * 4);
  return bytes;
}

void unpack(Array &array, const uint8_t *bytes) {
  if (!tx::isPacked(array.dtype)) {
    std::copy_n(bytes, array.bytes.size(), array.bytes.begin());
    return;
  }
  for (int64_t i = 0; i < array.size(); ++i)
    writeElement(array.dtype, array.at(i),
                 static_cast<uint64_t>(bytes[i / 2] >> (i % 2 * 4)));
}

} // namespace tensorc::reference
