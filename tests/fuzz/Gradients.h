//===- Gradients.h - Random programs and their slopes ---------------------===//
#ifndef TENSORC_TESTS_FUZZ_GRADIENTS_H
#define TENSORC_TESTS_FUZZ_GRADIENTS_H

#include "tests/fuzz/Generator.h"

#include "ir/reference/Array.h"

#include "mlir/Support/LLVM.h"

namespace tensorc::fuzz {

/// A function that also returns the gradients of some results' inner products
/// with cotangents, which became arguments.
struct Pullback {
  /// The results with cotangents, and the arguments with gradients.
  llvm::SmallVector<unsigned> of, wrt;
  unsigned results = 0, arguments = 0;
  /// Whether the pullback's own one is there, too: behind the cotangents come
  /// tangents of the arguments, and behind the gradients the results' changes.
  bool hasTangents = false;

  /// Differentiates all f64 results; returns none if there are none, or if an
  /// op cannot be differentiated.
  static std::optional<Pullback> add(Program &program, bool wantsTangents);
};

enum class Slope { Right, Wrong, Unknown };

/// Compares the gradients that the interpreter computes with its difference
/// quotient in a random direction, and with the tangents: the two are one
/// number, at kinks, too. Unknown: at a kink, not finite, or too steep.
Slope checkSlope(const Program &program, const Pullback &pullback,
                 llvm::ArrayRef<reference::Array> inputs, uint64_t seed);

/// Returns true if gradients are equal up to the rounding of sums.
bool gradientsAgree(const reference::Array &x, const reference::Array &y,
                    unsigned index);

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_GRADIENTS_H
