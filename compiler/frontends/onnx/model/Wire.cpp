//===- Wire.cpp - Protobuf's encoding, read without copying ---------------===//

#include "compiler/frontends/onnx/model/Wire.h"

#include <type_traits>

using namespace llvm;

namespace tensorc::onnx {

std::optional<uint64_t> Wire::takeNumber(StringRef &bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 70 && !bytes.empty(); shift += 7) {
    auto byte = static_cast<uint8_t>(bytes.front());
    bytes = bytes.drop_front();
    // Only one bit of the tenth byte is significant; the others are dropped, as
    // in protobuf.
    if (shift < 64)
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  return std::nullopt;
}

static std::optional<uint64_t> takeFixed(StringRef &bytes, size_t width) {
  if (bytes.size() < width)
    return std::nullopt;
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), width);
  bytes = bytes.drop_front(width);
  return value;
}

bool Wire::next(Field &field) {
  if (rest.empty() || broken)
    return false;
  std::optional<uint64_t> tag = takeNumber(rest);
  if (!tag || *tag >> 3 == 0 || *tag >> 32)
    return fail();
  field.number = static_cast<uint32_t>(*tag >> 3);
  field.bytes = {};
  std::optional<uint64_t> bits;
  switch (*tag & 7) {
  case Field::Integer:
    bits = takeNumber(rest);
    break;
  case Field::Eight:
    bits = takeFixed(rest, 8);
    break;
  case Field::Four:
    bits = takeFixed(rest, 4);
    break;
  case Field::Bytes: {
    bits = takeNumber(rest);
    if (!bits || *bits > rest.size())
      return fail();
    field.bytes = rest.take_front(*bits);
    rest = rest.drop_front(*bits);
    break;
  }
  default: // groups, which no message of ONNX has
    return fail();
  }
  if (!bits)
    return fail();
  field.kind = static_cast<Field::Kind>(*tag & 7);
  field.bits = *bits;
  return true;
}

template <typename T> static T valueOf(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename T>
bool addNumbers(const Field &field, std::vector<T> &list) {
  constexpr bool isFixed = std::is_floating_point_v<T>;
  constexpr auto fixed = sizeof(T) == 4 ? Field::Four : Field::Eight;
  if (field.kind == (isFixed ? fixed : Field::Integer)) {
    list.push_back(valueOf<T>(field.bits));
    return true;
  }
  if (field.kind != Field::Bytes)
    return false;
  StringRef rest = field.bytes;
  if (isFixed) {
    if (rest.size() % sizeof(T))
      return false;
    size_t before = list.size();
    list.resize(before + rest.size() / sizeof(T));
    if (!rest.empty())
      std::memcpy(list.data() + before, rest.data(), rest.size());
    return true;
  }
  while (!rest.empty()) {
    std::optional<uint64_t> bits = Wire::takeNumber(rest);
    if (!bits)
      return false;
    list.push_back(valueOf<T>(*bits));
  }
  return true;
}

template bool addNumbers(const Field &, std::vector<float> &);
template bool addNumbers(const Field &, std::vector<double> &);
template bool addNumbers(const Field &, std::vector<int32_t> &);
template bool addNumbers(const Field &, std::vector<int64_t> &);
template bool addNumbers(const Field &, std::vector<uint64_t> &);

} // namespace tensorc::onnx
