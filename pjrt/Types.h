//===- Types.h - Element types and layouts --------------------------------===//
#ifndef TENSORC_PJRT_TYPES_H
#define TENSORC_PJRT_TYPES_H

#include "pjrt/Objects.h"

namespace tensorc::pjrt {

/// Returns the dtype, or 0 for types that tensorc does not have.
tensorc_dtype dtypeOf(ElementType type);
/// Returns the element type, or Invalid for the dtype 0.
ElementType elementTypeOf(tensorc_dtype dtype);
std::string nameOf(ElementType type);

/// Returns the number of bytes of an element in host memory, where a 4-bit
/// integer takes a byte.
int64_t hostWidth(ElementType type);
inline bool isPacked(ElementType type) {
  return type == ElementType::S4 || type == ElementType::U4;
}

using Dims = std::vector<int64_t>;
int64_t countOf(const Dims &dims);
/// Computes the number of bytes in the host's memory. Fails on negative dims
/// and on overflow.
Error *hostSize(ElementType type, const Dims &dims, size_t &size);

/// Returns the strides in bytes of a dense row-major array.
Dims denseStrides(const Dims &dims, int64_t width);
/// Returns in `strides` the strides in bytes of the requested layout. A null
/// layout means row-major.
Error *stridesOf(const HostLayout *layout, const Dims &dims, int64_t width,
                 Dims &strides);
/// True if the layout has the strides of denseStrides(), ignoring strides of
/// dims with at most one element.
bool isDense(const Dims &dims, const Dims &strides, int64_t width);

/// Copies elements between two layouts.
void copyStrided(const Dims &dims, int64_t width, const char *source,
                 const Dims &sourceStrides, char *target,
                 const Dims &targetStrides);

/// Convert between one byte per 4-bit integer and two integers per byte.
void pack(const char *source, int64_t count, char *target);
void unpack(const char *source, int64_t count, bool isSigned, char *target);

/// Returns an attribute or property whose value is not set yet.
NamedValue named(const char *name, ValueType type, size_t size);

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_TYPES_H
