//===- Types.cpp - sizes of element types, checked arithmetic -------------===//
#include "runtime/core/Types.h"

#include "runtime/core/Status.h"

using namespace tensorc::rt;

namespace {
struct DtypeInfo {
  const char *name;
  int32_t bits;
};
} // namespace

static constexpr DtypeInfo dtypes[] = {
    {"?", 0},     {"i1", 8},       {"i8", 8},     {"i16", 16},  {"i32", 32},
    {"i64", 64},  {"ui8", 8},      {"ui16", 16},  {"ui32", 32}, {"ui64", 64},
    {"f16", 16},  {"bf16", 16},    {"f32", 32},   {"f64", 64},  {"i4", 4},
    {"ui4", 4},   {"f8E4M3FN", 8}, {"f8E5M2", 8}, {"c64", 64},  {"c128", 128},
    {"index", 64}};
static_assert(sizeof(dtypes) / sizeof(*dtypes) == TENSORC_RT_INDEX + 1);

static const DtypeInfo &infoOf(tensorc_rt_dtype dtype) {
  auto number = static_cast<uint32_t>(dtype);
  return dtypes[number <= TENSORC_RT_INDEX ? number : 0];
}

int32_t tensorc::rt::bitsOf(tensorc_rt_dtype dtype) {
  return infoOf(dtype).bits;
}

bool tensorc::rt::isExpanded(tensorc_rt_dtype dtype) {
  return bitsOf(dtype) < 8 || dtype == TENSORC_RT_C64 ||
         dtype == TENSORC_RT_C128;
}

bool tensorc::rt::byteSize(tensorc_rt_dtype dtype, int32_t rank,
                           const int64_t *dims, int64_t &bytes) {
  int64_t bits = bitsOf(dtype);
  bool empty = false, overflow = false;
  for (int32_t i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return false;
    // If any dim is 0, the value is empty, however large the other dims are.
    empty |= dims[i] == 0;
    overflow |= __builtin_mul_overflow(bits, dims[i], &bits);
  }
  overflow |= __builtin_add_overflow(bits, 7, &bits);
  bytes = empty ? 0 : bits / 8;
  return empty || !overflow;
}

const char *tensorc_rt_dtype_name(tensorc_rt_dtype dtype) {
  return infoOf(dtype).name;
}

int32_t tensorc_rt_dtype_bits(tensorc_rt_dtype dtype) { return bitsOf(dtype); }

tensorc_rt_status *tensorc_rt_byte_size(tensorc_rt_dtype dtype, int32_t rank,
                                        const int64_t *dims, size_t *out_size) {
  if (!out_size)
    return error(TENSORC_RT_INVALID_ARGUMENT, "the out parameter is NULL")
        .release();
  *out_size = 0;
  int64_t bytes = 0;
  if (rank < 0 || (rank > 0 && !dims) || bitsOf(dtype) == 0)
    return error(TENSORC_RT_INVALID_ARGUMENT, "not a shape and dtype")
        .release();
  if (!byteSize(dtype, rank, dims, bytes))
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "a dimension is negative or the size overflows")
        .release();
  *out_size = static_cast<size_t>(bytes);
  return nullptr;
}
