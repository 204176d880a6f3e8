//===- Source.h - What numbers of distributions are made of -----*- C++ -*-===//
//
// Only operations that every device rounds alike are used (+ - * /, square
// roots, integers), with logarithms and exponentials made of them, so the
// numbers are the same everywhere. What is drawn by rejection is drawn several
// times at once, along a first axis, and the first accepted draw counts: there
// are no loops, so it fuses and batches as everything else does.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_RANDOM_SOURCE_H
#define TENSORC_COMPILER_GRAPH_RANDOM_SOURCE_H

#include "compiler/graph/ops/Term.h"
#include "compiler/graph/random/Random.h"

namespace tensorc::graph {

/// A key that may be used for numbers of f32 or f64. `op` is in front of
/// errors.
class Source {
public:
  Source(Recorder &r, const char *op, NodeRef key, DType real)
      : r(r), op(op), key(std::move(key)), real(real) {}

  /// Another key, that of the number.
  Source child(int64_t number) const;

  /// Uniform numbers in (0, 1), both excluded.
  Term unit(Ints shape) const;
  /// The smaller of u and 1 - u for a u in (0, 1), exact far into the tail, and
  /// whether it was 1 - u.
  std::pair<Term, Term> half(Ints shape) const;
  Term normal(Ints shape) const;
  /// Numbers with the density e^-x.
  Term exponential(Ints shape) const;
  Term gumbel(Ints shape) const;
  /// Logarithms of numbers of the gamma distribution; alpha has the shape and
  /// the dtype.
  Term logGamma(const Term &alpha) const;
  /// Counts as f64, of parameters in f64; -1 where those are none.
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

/// Logarithm of positive normal numbers.
Term log(const Term &x);
/// 0 where the result would be subnormal, infinite where it would be too large.
Term exp(const Term &x);

/// Checks that the dtype is one of floats, or of integers, and that the key is
/// one.
bool checkDraw(Recorder &r, const char *op, const NodeRef &key, DType dtype,
               DTypeMask mask, const char *kind);
/// Returns the dtype in which numbers of the dtype are computed.
inline DType realOf(DType dtype) {
  return dtype == DType::F64 ? DType::F64 : DType::F32;
}
/// Parameters as terms of the dtype, broadcast to the dims; without dims to one
/// another. Empty after an error.
llvm::SmallVector<Term> parametersOf(Recorder &r, const char *op, DType dtype,
                                     Ints dims, llvm::ArrayRef<Operand> given);

/// Floats of one call: what is computed in f32 or f64 becomes the dtype.
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
