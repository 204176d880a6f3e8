//===- QuantizeWeights.h - Quantize weights to narrow integers ------------===//
//
//   %w = tx.constant dense<...> : tensor<4x64xf32>
//   %y = tx.dot_general %x, %w ... x_contracting = [1] y_contracting = [1]
// becomes
//   %q = tx.constant dense<...> : tensor<64x4xi8>
//   %s = tx.constant dense<...> : tensor<2x4xf32>
//   %d = tx.dequantize %q, %s : ... -> tensor<64x4xf32>
//   %w = tx.transpose %d permutation = [1, 0]
//
// for constants that contractions and convolutions read. Groups run along the
// reduction dim, so that each element of the result has its own scales.
// docs/design/0061-quantized-weights.md describes the order in memory.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEWEIGHTS_H
#define TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEWEIGHTS_H

#include "ir/tx/DType.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tensorc::compiler {

/// The format in which weights are stored.
struct WeightFormat {
  tx::DType dtype = tx::DType::I8;
  /// Number of consecutive elements that share a scale; 0 means the whole
  /// reduction dim.
  int64_t group = 0;

  /// Parses `i8`, `i4` or `i4:64`. By default i8 has no groups, and i4 has
  /// groups of 32.
  static llvm::Expected<WeightFormat> parse(llvm::StringRef text);
};

/// A constant that a contraction or convolution reads.
struct WeightFacts {
  /// Names of the first op that reads the constant and of the constant, or
  /// their positions in the text.
  std::string layer, name;
  /// The type, e.g. `f32[4,64]`.
  std::string type;
  uint64_t bytesBefore = 0, bytesAfter = 0;
  /// Number of elements that share a scale.
  int64_t group = 0;
  /// The maximum and the mean of |w - dequantized|, and the norm of these
  /// differences divided by the norm of w.
  double maxError = 0, meanError = 0, relativeError = 0;
  /// The reason why the constant was kept; empty if it was replaced.
  std::string keptBecause;
};

/// Quantizes constants where contractions and convolutions read them. Other
/// users, such as embedding lookups, keep reading the floats, which are then
/// stored as well. Returns the facts in the order in which the constants are
/// read.
std::vector<WeightFacts> quantizeWeights(mlir::func::FuncOp function,
                                         WeightFormat format);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEWEIGHTS_H
