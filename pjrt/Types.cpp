//===- Types.cpp - Element types and layouts ------------------------------===//

#include "pjrt/Types.h"

#include <cstring>

namespace tensorc::pjrt {

namespace {
struct Row {
  ElementType type;
  tensorc_dtype dtype;
};
} // namespace

static constexpr Row rows[] = {
    {ElementType::Pred, TENSORC_I1},
    {ElementType::S8, TENSORC_I8},
    {ElementType::S16, TENSORC_I16},
    {ElementType::S32, TENSORC_I32},
    {ElementType::S64, TENSORC_I64},
    {ElementType::U8, TENSORC_UI8},
    {ElementType::U16, TENSORC_UI16},
    {ElementType::U32, TENSORC_UI32},
    {ElementType::U64, TENSORC_UI64},
    {ElementType::F16, TENSORC_F16},
    {ElementType::BF16, TENSORC_BF16},
    {ElementType::F32, TENSORC_F32},
    {ElementType::F64, TENSORC_F64},
    {ElementType::C64, TENSORC_C64},
    {ElementType::C128, TENSORC_C128},
    {ElementType::S4, TENSORC_I4},
    {ElementType::U4, TENSORC_UI4},
    {ElementType::F8E5M2, TENSORC_F8E5M2},
    {ElementType::F8E4M3FN, TENSORC_F8E4M3FN},
};

tensorc_dtype dtypeOf(ElementType type) {
  for (const Row &row : rows)
    if (row.type == type)
      return row.dtype;
  return tensorc_dtype{};
}

ElementType elementTypeOf(tensorc_dtype dtype) {
  for (const Row &row : rows)
    if (row.dtype == dtype)
      return row.type;
  return ElementType::Invalid;
}

std::string nameOf(ElementType type) {
  tensorc_dtype dtype = dtypeOf(type);
  return dtype ? tensorc_dtype_name(dtype)
               : "element type " + std::to_string(static_cast<int>(type));
}

int64_t hostWidth(ElementType type) {
  return tensorc_dtype_size(dtypeOf(type));
}

int64_t countOf(const Dims &dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

Error *hostSize(ElementType type, const Dims &dims, size_t &size) {
  tensorc_dtype dtype = dtypeOf(type);
  if (!dtype)
    return fail(Code::Unimplemented,
                "tensorc has no arrays of " + nameOf(type));
  if (dims.size() > TENSORC_RT_MAX_RANK)
    return fail(Code::Unimplemented, "an array has " +
                                         std::to_string(dims.size()) +
                                         " dimensions, tensorc takes at most " +
                                         std::to_string(TENSORC_RT_MAX_RANK));
  // A 4-bit integer takes a byte in host memory.
  auto counted =
      isPacked(type) ? TENSORC_RT_I8 : static_cast<tensorc_rt_dtype>(dtype);
  return fail(tensorc_rt_byte_size(counted, static_cast<int32_t>(dims.size()),
                                   dims.data(), &size));
}

Dims denseStrides(const Dims &dims, int64_t width) {
  Dims strides(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = width;
    width *= dims[i];
  }
  return strides;
}

Error *stridesOf(const HostLayout *layout, const Dims &dims, int64_t width,
                 Dims &strides) {
  strides = denseStrides(dims, width);
  if (!layout)
    return nullptr;
  if (layout->type == LayoutType::Strides) {
    if (layout->strides.numByteStrides != dims.size())
      return fail(Code::InvalidArgument,
                  "a layout has not a stride for each dimension");
    std::copy_n(layout->strides.byteStrides, dims.size(), strides.begin());
    return nullptr;
  }
  const TiledLayout &tiled = layout->tiled;
  if (tiled.numTiles)
    return fail(Code::Unimplemented, "tiled layouts are not implemented");
  std::vector<bool> seen(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    bool isListed = tiled.minorToMajorSize == dims.size();
    int64_t dim = isListed ? tiled.minorToMajor[i] : -1;
    if (dim < 0 || dim >= static_cast<int64_t>(dims.size()) || seen[dim])
      return fail(Code::InvalidArgument,
                  "a layout does not order each dimension once");
    seen[dim] = true;
    strides[dim] = width;
    width *= dims[dim];
  }
  return nullptr;
}

bool isDense(const Dims &dims, const Dims &strides, int64_t width) {
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i] != 1 && strides[i] != width)
      return countOf(dims) == 0;
    width *= dims[i];
  }
  return true;
}

void copyStrided(const Dims &dims, int64_t width, const char *source,
                 const Dims &sourceStrides, char *target,
                 const Dims &targetStrides) {
  // Inner dims that are dense in both layouts are copied as one contiguous
  // block.
  size_t outer = dims.size();
  int64_t run = width;
  while (outer > 0 && sourceStrides[outer - 1] == run &&
         targetStrides[outer - 1] == run)
    run *= dims[--outer];
  if (countOf(dims) == 0)
    return;
  Dims index(outer);
  while (true) {
    std::memcpy(target, source, run);
    size_t axis = outer;
    while (axis > 0) {
      --axis;
      source += sourceStrides[axis];
      target += targetStrides[axis];
      if (++index[axis] < dims[axis])
        break;
      source -= sourceStrides[axis] * dims[axis];
      target -= targetStrides[axis] * dims[axis];
      index[axis] = 0;
      if (axis == 0)
        return;
    }
    if (outer == 0)
      return;
  }
}

void pack(const char *source, int64_t count, char *target) {
  for (int64_t i = 0; i < count; i += 2) {
    int high = i + 1 < count ? source[i + 1] & 15 : 0;
    target[i / 2] = static_cast<char>((source[i] & 15) | high << 4);
  }
}

void unpack(const char *source, int64_t count, bool isSigned, char *target) {
  for (int64_t i = 0; i < count; ++i) {
    int value = (source[i / 2] >> (i % 2 * 4)) & 15;
    target[i] = static_cast<char>(isSigned && value > 7 ? value - 16 : value);
  }
}

NamedValue named(const char *name, ValueType type, size_t size) {
  NamedValue value{};
  value.structSize = sizeof value;
  value.name = name;
  value.nameSize = std::strlen(name);
  value.type = type;
  value.valueSize = size;
  return value;
}

} // namespace tensorc::pjrt
