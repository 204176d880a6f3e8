//===- Lanes.h - a batch of matrices with one matrix per lane ---*- C++ -*-===//
//
// A group of matrices is transposed so that a vector holds one element of all
// of them. A complex element is two vectors.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_LANES_H
#define TENSORC_RUNTIME_LINALG_LANES_H

#include "runtime/linalg/Level.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

template <typename T> class Lanes {
public:
#if defined(__AVX512F__)
  static constexpr int bytes = 64;
#elif defined(__AVX__)
  static constexpr int bytes = 32;
#else
  static constexpr int bytes = 16;
#endif
  static constexpr int count = bytes / sizeof(T);
  typedef T Vector __attribute__((vector_size(bytes)));
  using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  typedef Bits BitVector __attribute__((vector_size(bytes)));

  /// Loads min(count, left) matrices of `size` elements, one per lane: out[i]
  /// holds element i of each. Unused lanes repeat the last matrix. Prefetches
  /// the next group of matrices.
  static void load(const T *matrices, int64_t size, int64_t left, Vector *out) {
    const T *at[count], *next[count];
    for (int lane = 0; lane < count; ++lane) {
      at[lane] = matrices + std::min<int64_t>(lane, left - 1) * size;
      next[lane] = matrices + std::min<int64_t>(lane + count, left - 1) * size;
    }
    int64_t i = 0;
    for (; i + count <= size; i += count) {
      for (int lane = 0; lane < count; ++lane) {
        std::memcpy(&out[i + lane], at[lane] + i, sizeof(Vector));
        __builtin_prefetch(next[lane] + i);
      }
      transpose(out + i);
    }
    for (; i < size; ++i)
      for (int lane = 0; lane < count; ++lane)
        out[i][lane] = at[lane][i];
  }

  static void store(Vector *in, int64_t size, int64_t used, T *matrices) {
    int64_t i = 0;
    for (; i + count <= size; i += count) {
      transpose(in + i);
      for (int64_t lane = 0; lane < used; ++lane)
        std::memcpy(matrices + lane * size + i, &in[i + lane], sizeof(Vector));
    }
    for (; i < size; ++i)
      for (int64_t lane = 0; lane < used; ++lane)
        matrices[lane * size + i] = in[i][lane];
  }

  static Vector root(Vector x) {
    for (int lane = 0; lane < count; ++lane)
      x[lane] = std::sqrt(x[lane]);
    return x;
  }

  /// Returns the largest power of two that is at most x >= 0, clamped so that
  /// it and its inverse are normal.
  static Vector powerBelow(Vector x) {
    constexpr T least = std::numeric_limits<T>::min();
    auto power =
        reinterpret_cast<Vector>(reinterpret_cast<BitVector>(x) & infinity);
    power = power > least ? power : least + Vector{};
    return power < 1 / least ? power : 1 / least + Vector{};
  }
  /// Returns e for each power 2^e.
  static Vector exponentOf(Vector power) {
    constexpr int digits = std::numeric_limits<T>::digits - 1;
    constexpr int bias = std::numeric_limits<T>::max_exponent - 1;
    BitVector bits = reinterpret_cast<BitVector>(power);
    return __builtin_convertvector((bits >> digits) - Bits(bias), Vector);
  }

private:
  static constexpr auto infinity =
      std::bit_cast<Bits>(std::numeric_limits<T>::infinity());

  /// Transposes a square: as many vectors as each vector has elements. Each
  /// round interleaves the first half of the vectors with the second half.
  static void transpose(Vector *square) {
    for (int round = 1; round < count; round *= 2) {
      Vector before[count];
      std::copy_n(square, count, before);
      for (int i = 0; i < count / 2; ++i) {
        square[2 * i] =
            interleave<0>(before[i], before[i + count / 2], Places());
        square[2 * i + 1] =
            interleave<count / 2>(before[i], before[i + count / 2], Places());
      }
    }
  }

  using Places = std::make_integer_sequence<int, count>;
  /// Interleaves the elements of two vectors, from element `first` on.
  template <int first, int... places>
  static Vector interleave(Vector a, Vector b,
                           std::integer_sequence<int, places...>) {
    return __builtin_shufflevector(
        a, b, (first + places / 2 + places % 2 * count)...);
  }
};

/// Arithmetic for the algorithms in SmallMatrices.h, for real matrices. Each
/// vector lane holds another matrix.
template <typename T> struct LaneArithmetic {
  using R = T;
  using Vector = typename Lanes<T>::Vector;
  using Element = Vector;

  static Element ofReal(Vector x) { return x; }
  static Vector real(Element x) { return x; }
  static Vector imaginary(Element) { return Vector{}; }
  static Element conjugate(Element x) { return x; }
  static Element negated(Element x) { return -x; }
  static Element scaled(Element x, Vector by) { return x * by; }
  static Element divided(Element x, Vector by) { return x / by; }
  static Element shifted(Element x, Vector by) { return x + by; }
  static Element difference(Element x, Element y) { return x - y; }
  static Element product(Element x, Element y) { return x * y; }
  template <typename Mask>
  static Element select(Mask mask, Element x, Element y) {
    return mask ? x : y;
  }
  /// Magnitude of the larger of real and imaginary part, and magnitude of the
  /// number.
  static Vector largerPart(Element x) { return x < T(0) ? -x : x; }
  static Vector modulus(Element x) { return largerPart(x); }
  /// Rounds once at each CPU level, as loops that keep small matrices in
  /// registers do.
  static void subtractProduct(Element &x, Element a, Element b) {
#if __has_builtin(__builtin_elementwise_fma)
    x = __builtin_elementwise_fma(-a, b, x);
#else
    for (int lane = 0; lane < Lanes<T>::count; ++lane)
      x[lane] = std::fma(-a[lane], b[lane], x[lane]);
#endif
  }
  static void subtractSquare(Vector &x, Element a) { x -= a * a; }

  struct Divisor {
    explicit Divisor(Element by) : by(by) {}
    Element divide(Element x) const { return x / by; }
    Element by;
  };

  /// Returns the magnitude by which the elements of a column are compared.
  struct Magnitude {
    Magnitude(const Element *, int64_t, int64_t) {}
    Vector of(Element x) const { return largerPart(x); }
  };
};

/// Arithmetic for complex matrices.
template <typename T> struct LaneArithmetic<std::complex<T>> {
  using R = T;
  using Vector = typename Lanes<T>::Vector;
  struct Element {
    Vector re, im;
  };

  static Element ofReal(Vector x) { return {x, Vector{}}; }
  static Vector real(const Element &x) { return x.re; }
  static Vector imaginary(const Element &x) { return x.im; }
  static Element conjugate(const Element &x) { return {x.re, -x.im}; }
  static Element negated(const Element &x) { return {-x.re, -x.im}; }
  static Element scaled(const Element &x, Vector by) {
    return {x.re * by, x.im * by};
  }
  static Element divided(const Element &x, Vector by) {
    return {x.re / by, x.im / by};
  }
  static Element shifted(const Element &x, Vector by) {
    return {x.re + by, x.im + by};
  }
  static Element difference(const Element &x, const Element &y) {
    return {x.re - y.re, x.im - y.im};
  }
  static Element product(const Element &x, const Element &y) {
    return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
  }
  template <typename Mask>
  static Element select(Mask mask, const Element &x, const Element &y) {
    return {mask ? x.re : y.re, mask ? x.im : y.im};
  }
  static Vector largerPart(const Element &x) {
    Vector re = LaneArithmetic<T>::largerPart(x.re);
    Vector im = LaneArithmetic<T>::largerPart(x.im);
    return im > re ? im : re;
  }
  /// Returns |x| for parts whose squares neither overflow nor underflow.
  static Vector modulus(const Element &x) {
    return Lanes<T>::root(x.re * x.re + x.im * x.im);
  }
  static void subtractProduct(Element &x, const Element &a, const Element &b) {
    Vector re = x.re - a.re * b.re, im = x.im - a.re * b.im;
    x.re = re + a.im * b.im;
    x.im = im - a.im * b.re;
  }
  static void subtractSquare(Vector &x, const Element &a) {
    x -= a.re * a.re;
    x -= a.im * a.im;
  }

  /// A divisor scaled by a power of two, so that its square neither overflows
  /// nor underflows.
  struct Divisor {
    explicit Divisor(const Element &by) {
      Vector most = largerPart(by);
      scale = T(1) / Lanes<T>::powerBelow(most);
      auto isInfinite = most == std::numeric_limits<T>::infinity();
      // A finite number over an infinite one is 0.
      re = isInfinite ? Vector{} : by.re * scale;
      im = isInfinite ? Vector{} : by.im * scale;
      square = isInfinite ? T(1) + Vector{} : re * re + im * im;
    }
    Element divide(const Element &x) const {
      Vector a = x.re * scale, b = x.im * scale;
      return {(a * re + b * im) / square, (b * re - a * im) / square};
    }
    Vector re, im, square, scale;
  };

  /// The squared modulus, relative to the column's largest number.
  struct Magnitude {
    Magnitude(const Element *column, int64_t rows, int64_t stride) {
      Vector most = {};
      for (int64_t i = 0; i < rows; ++i) {
        Vector here = largerPart(column[i * stride]);
        most = here > most ? here : most;
      }
      scale = T(1) / Lanes<T>::powerBelow(most);
    }
    Vector of(const Element &x) const {
      Vector re = x.re * scale, im = x.im * scale;
      return re * re + im * im;
    }
    Vector scale;
  };
};

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL

#endif // TENSORC_RUNTIME_LINALG_LANES_H
