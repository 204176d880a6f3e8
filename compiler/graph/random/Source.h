//===- Source.h - Building blocks of random distributions -------*- C++ -*-===//
//
// Only operations that every device rounds in the same way are used (+ - * /,
// square roots, integers), even for logarithms and exponentials, so all devices
// compute the same numbers. Rejection sampling draws several candidates at
// once, along a first axis, and takes the first accepted one. Without loops,
// sampling fuses and batches like other ops.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_RANDOM_SOURCE_H
#define TENSORC_COMPILER_GRAPH_RANDOM_SOURCE_H

#include "compiler/graph/ops/Term.h"
#include "compiler/graph/random/Random.h"

#include <limits>

namespace tensorc::graph {

inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// A source of random f32 or f64 numbers for one key. Error messages begin with
/// `op`.
class Source {
public:
  Source(Recorder &r, const char *op, NodeRef key, DType real)
      : r(r), op(op), key(std::move(key)), real(real) {}

  /// Returns a source whose key is derived from this key and the number.
  Source child(int64_t number) const;

  /// Returns uniform numbers in (0, 1), both excluded.
  Term unit(Ints shape) const;
  /// Returns the smaller of u and 1 - u for a uniform u in (0, 1), accurate far
  /// into the tail, and a mask that is true where the smaller one is 1 - u.
  std::pair<Term, Term> half(Ints shape) const;
  Term normal(Ints shape) const;
  /// Returns numbers with the density e^-x.
  Term exponential(Ints shape) const;
  Term gumbel(Ints shape) const;
  /// Returns logarithms of gamma-distributed numbers, with the shape and dtype
  /// of alpha.
  Term logGamma(const Term &alpha) const;
  /// Return counts in f64 for parameters in f64; -1 for invalid parameters.
  Term poisson(const Term &rate) const;
  Term binomial(const Term &n, const Term &p) const;

  Recorder &r;
  const char *op;
  NodeRef key;
  DType real;

private:
  Term bits(Ints shape) const;
  struct Candidates {
    Term k, fromEnds, judge;
  };
  Candidates transformed(Ints shape, const Term &a, const Term &b,
                         const Term &center) const;
};

/// Returns the logarithm of positive normal numbers.
Term log(const Term &x);
/// Returns e^x; 0 if the result would be subnormal, and infinity if it would
/// overflow.
Term exp(const Term &x);

/// Checks that the dtype is in the mask and that the key is valid.
bool checkDraw(Recorder &r, const char *op, const NodeRef &key, DType dtype,
               DTypeMask mask, const char *kind);
/// Returns the dtype in which random numbers of the given dtype are computed.
inline DType realOf(DType dtype) {
  return dtype == DType::F64 ? DType::F64 : DType::F32;
}
/// Converts parameters to the dtype and broadcasts them to the dims, or to
/// their common shape without dims. Returns none after an error.
llvm::SmallVector<Term> parametersOf(Recorder &r, const char *op, DType dtype,
                                     Ints dims, llvm::ArrayRef<Operand> given);

/// Draws the floats of one call: computes in f32 or f64 and converts the result
/// to the dtype.
class Floats {
public:
  Floats(Recorder &r, const char *op, const NodeRef &key, Ints dims,
         DType dtype)
      : r(r), op(op), dims(dims), dtype(dtype),
        isValid(checkDraw(r, op, key, dtype, floatMask, "a float") &&
                checkShape(r, op, dtype, dims)),
        source(r, op, key, realOf(dtype)) {}

  NodeRef of(llvm::function_ref<Term(const Source &, Ints)> draw) const {
    return isValid ? draw(source, dims).as(dtype).node : NodeRef();
  }
  NodeRef of(llvm::ArrayRef<Operand> given,
             llvm::function_ref<Term(const Source &, llvm::ArrayRef<Term>)>
                 draw) const {
    if (!isValid)
      return {};
    auto parameters = parametersOf(r, op, source.real, dims, given);
    return parameters.empty() ? NodeRef()
                              : draw(source, parameters).as(dtype).node;
  }

private:
  Recorder &r;
  const char *op;
  Ints dims;
  DType dtype;
  bool isValid;
  Source source;
};

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_RANDOM_SOURCE_H
