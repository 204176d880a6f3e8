//===- Combine.cpp - reductions over ranks, in the order of the ranks -----===//
#include "runtime/collectives/Collective.h"

#include <algorithm>
#include <bit>
#include <complex>
#include <concepts>
#include <type_traits>

using namespace tensorc::rt;

#ifdef __clang__ // Rounds both products of complex numbers on all processors.
#pragma STDC FP_CONTRACT OFF
#endif

namespace {
/// Formats whose elements are stored in the type in which they are computed.
template <typename T> struct Plain {
  using Stored = T;
  using Wide = T;
  static Wide load(Stored value) { return value; }
  static Stored store(Wide value) { return value; }
};

/// The format in which everything but minima and maxima is computed. These are
/// the same functions of signed and unsigned integers.
template <typename Format> struct UnsignedIfInteger {
  using Type = Format;
};
template <std::signed_integral T> struct UnsignedIfInteger<Plain<T>> {
  using Type = Plain<std::make_unsigned_t<T>>;
};

/// Format bf16, which is the upper half of an f32.
struct BFloat16 {
  using Stored = uint16_t;
  using Wide = float;
  static Wide load(Stored bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }
  static Stored store(Wide value) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    uint32_t nan = bits >> 16 | 0x40;
    return static_cast<uint16_t>(value != value ? nan : rounded);
  }
};

/// Format f16, with conversions that have no branches, so that they vectorize.
struct Float16 {
  using Stored = uint16_t;
  using Wide = float;
  static Wide load(Stored half) {
    uint32_t magnitude = half & 0x7fffu, sign = (half & 0x8000u) << 16;
    // Multiplying by 2^112 corrects the exponent's bias, also for subnormal
    // numbers.
    float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    uint32_t special = magnitude << 13 | 0x7f800000u; // infinity or NaN
    uint32_t bits =
        magnitude >= 0x7c00u ? special : std::bit_cast<uint32_t>(scaled);
    return std::bit_cast<float>(bits | sign);
  }
  static Stored store(Wide value) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    // For subnormal results: adding 0.5 leaves the rounded multiple of 2^-24 in
    // the mantissa.
    uint32_t small =
        std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
        0x3f000000u;
    uint32_t normal =
        (magnitude - 0x38000000u + 0xfff + (magnitude >> 13 & 1)) >> 13;
    uint32_t result = magnitude < 0x38800000u ? small : normal;
    result = magnitude >= 0x477ff000u ? 0x7c00u : result;
    uint32_t nan = 0x7e00u | (magnitude >> 13 & 0x3ffu);
    result = magnitude > 0x7f800000u ? nan : result;
    return static_cast<uint16_t>(result | sign);
  }
};

template <typename T>
constexpr bool isComplexOf = std::is_same_v<T, std::complex<float>> ||
                             std::is_same_v<T, std::complex<double>>;

template <typename T> T sumOf(T a, T b) { return static_cast<T>(a + b); }

template <typename T> T productOf(T a, T b) {
  // Multiplies in 64 bits, because uint16_t is promoted to int, which overflows.
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else if constexpr (isComplexOf<T>)
    return {a.real() * b.real() - a.imag() * b.imag(),
            a.real() * b.imag() + a.imag() * b.real()};
  else
    return a * b;
}

template <bool isMax, typename T> T extremeOf(T a, T b) {
  T chosen = (isMax ? a > b : a < b) ? a : b;
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    // If a == b, the numbers can only differ in the sign of a zero.
    Bits x = std::bit_cast<Bits>(a), y = std::bit_cast<Bits>(b);
    T zero = std::bit_cast<T>(isMax ? x & y : x | y);
    chosen = a == b ? zero : chosen;
    chosen = b != b ? b : chosen;
    return a != a ? a : chosen;
  }
  return chosen;
}

/// A function of two elements, as a type.
template <tensorc_rt_combiner combiner> struct Function {
  template <typename T> static T apply(T a, T b) {
    if constexpr (combiner == TENSORC_RT_SUM)
      return sumOf(a, b);
    else if constexpr (combiner == TENSORC_RT_PRODUCT)
      return productOf(a, b);
    else if constexpr (combiner == TENSORC_RT_MIN)
      return extremeOf<false>(a, b);
    else if constexpr (combiner == TENSORC_RT_MAX)
      return extremeOf<true>(a, b);
    else if constexpr (combiner == TENSORC_RT_AND)
      return static_cast<T>(a & b);
    else
      return static_cast<T>(a | b);
  }
};
} // namespace

/// Number of bytes of the accumulators, which should stay in L1.
static constexpr size_t blockBytes = 8192;

/// Calls f(i) for each i below count. The loop is not unrolled, because it waits
/// for memory, and there are many such loops.
template <typename Body> static void forEach(int64_t count, Body body) {
#ifdef __clang__
#pragma clang loop interleave(disable) unroll(disable)
#endif
  for (int64_t i = 0; i < count; ++i)
    body(i);
}

template <typename Format, typename Apply>
[[gnu::always_inline]] static inline void
combineBlocks(std::span<const char *const> inputs, size_t offset, char *output,
              int64_t begin, int64_t end) {
  using Stored = typename Format::Stored;
  using Wide = typename Format::Wide;
  constexpr int64_t block = blockBytes / sizeof(Wide);
  Wide sums[block];
  auto *out = reinterpret_cast<Stored *>(output);
  for (int64_t from = begin; from < end; from += block) {
    int64_t count = std::min(block, end - from);
    auto at = [&](size_t input) {
      return reinterpret_cast<const Stored *>(inputs[input] + offset) + from;
    };
    // Two inputs at a time, so that the sums are loaded and stored half as
    // often.
    size_t next = 2 - inputs.size() % 2;
    const Stored *a = at(0), *b = at(next - 1);
    if (next == 1)
      forEach(count, [&](int64_t i) { sums[i] = Format::load(a[i]); });
    else
      forEach(count, [&](int64_t i) {
        sums[i] = Apply::apply(Format::load(a[i]), Format::load(b[i]));
      });
    for (; next < inputs.size(); next += 2) {
      a = at(next);
      b = at(next + 1);
      forEach(count, [&](int64_t i) {
        sums[i] = Apply::apply(Apply::apply(sums[i], Format::load(a[i])),
                               Format::load(b[i]));
      });
    }
    forEach(count, [&](int64_t i) { out[from + i] = Format::store(sums[i]); });
  }
}

template <typename Format, typename Apply>
static void combineAs(std::span<const char *const> inputs, size_t offset,
                      char *output, int64_t begin, int64_t end) {
  combineBlocks<Format, Apply>(inputs, offset, output, begin, end);
}

/// As combineAs, compiled for size: training sums gradients, while the other
/// functions combine few elements.
template <typename Format, typename Apply>
[[gnu::cold]] static void combineSmall(std::span<const char *const> inputs,
                                       size_t offset, char *output,
                                       int64_t begin, int64_t end) {
  combineBlocks<Format, Apply>(inputs, offset, output, begin, end);
}

using CombineFn = void (*)(std::span<const char *const>, size_t, char *,
                           int64_t, int64_t);

/// Returns null if elements of the format cannot be combined in this way.
template <typename Format>
static CombineFn functionFor(tensorc_rt_combiner combiner) {
  using Wide = typename Format::Wide;
  using Unordered = typename UnsignedIfInteger<Format>::Type;
  switch (combiner) {
  case TENSORC_RT_SUM:
    return combineAs<Unordered, Function<TENSORC_RT_SUM>>;
  case TENSORC_RT_PRODUCT:
    return combineSmall<Unordered, Function<TENSORC_RT_PRODUCT>>;
  case TENSORC_RT_MIN:
    if constexpr (!isComplexOf<Wide>)
      return combineSmall<Format, Function<TENSORC_RT_MIN>>;
    break;
  case TENSORC_RT_MAX:
    if constexpr (!isComplexOf<Wide>)
      return combineSmall<Format, Function<TENSORC_RT_MAX>>;
    break;
  case TENSORC_RT_AND:
    if constexpr (std::is_integral_v<Wide>)
      return combineSmall<Unordered, Function<TENSORC_RT_AND>>;
    break;
  case TENSORC_RT_OR:
    if constexpr (std::is_integral_v<Wide>)
      return combineSmall<Unordered, Function<TENSORC_RT_OR>>;
    break;
  }
  return nullptr;
}

static CombineFn findFunction(tensorc_rt_combiner combiner,
                              tensorc_rt_dtype dtype) {
  switch (dtype) {
  case TENSORC_RT_I1:
    return combiner == TENSORC_RT_SUM || combiner == TENSORC_RT_PRODUCT
               ? nullptr
               : functionFor<Plain<uint8_t>>(combiner);
  case TENSORC_RT_I8:
    return functionFor<Plain<int8_t>>(combiner);
  case TENSORC_RT_I16:
    return functionFor<Plain<int16_t>>(combiner);
  case TENSORC_RT_I32:
    return functionFor<Plain<int32_t>>(combiner);
  case TENSORC_RT_I64:
  case TENSORC_RT_INDEX:
    return functionFor<Plain<int64_t>>(combiner);
  case TENSORC_RT_UI8:
    return functionFor<Plain<uint8_t>>(combiner);
  case TENSORC_RT_UI16:
    return functionFor<Plain<uint16_t>>(combiner);
  case TENSORC_RT_UI32:
    return functionFor<Plain<uint32_t>>(combiner);
  case TENSORC_RT_UI64:
    return functionFor<Plain<uint64_t>>(combiner);
  case TENSORC_RT_F16:
    return functionFor<Float16>(combiner);
  case TENSORC_RT_BF16:
    return functionFor<BFloat16>(combiner);
  case TENSORC_RT_F32:
    return functionFor<Plain<float>>(combiner);
  case TENSORC_RT_F64:
    return functionFor<Plain<double>>(combiner);
  case TENSORC_RT_C64:
    return functionFor<Plain<std::complex<float>>>(combiner);
  case TENSORC_RT_C128:
    return functionFor<Plain<std::complex<double>>>(combiner);
  default:
    return nullptr;
  }
}

bool tensorc::rt::canCombine(tensorc_rt_combiner combiner,
                             tensorc_rt_dtype dtype) {
  return findFunction(combiner, dtype) != nullptr;
}

void tensorc::rt::combine(tensorc_rt_combiner combiner, tensorc_rt_dtype dtype,
                          std::span<const char *const> inputs, size_t offset,
                          char *output, int64_t begin, int64_t end) {
  findFunction(combiner, dtype)(inputs, offset, output, begin, end);
}
