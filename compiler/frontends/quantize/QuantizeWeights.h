//===- QuantizeWeights.h - Weights become narrow integers and scales ------===//
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
// dim that is summed over, so that an element of the result has scales of its
// own. docs/design/0061-quantized-weights.md tells of the order in memory.
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

/// What weights are stored as.
struct WeightFormat {
  tx::DType dtype = tx::DType::I8;
  /// How many neighbours share a scale; 0: all that are summed over.
  int64_t group = 0;

  /// `i8`, `i4`, `i4:64`. Without a number i8 has no groups and i4 groups
  /// of 32.
  static llvm::Expected<WeightFormat> parse(llvm::StringRef text);
};

/// A constant that a contraction or convolution reads.
struct WeightFacts {
  /// The op that reads it first, and the constant: names or places in the text.
  std::string layer, name;
  /// `f32[4,64]`.
  std::string type;
  uint64_t bytesBefore = 0, bytesAfter = 0;
  /// How many elements share a scale.
  int64_t group = 0;
  /// |w - dequantized|, its mean, and the norm of the differences by that of w.
  double maxError = 0, meanError = 0, relativeError = 0;
  /// Why it stays as it is; empty if it does not.
  std::string keptBecause;
};

/// Replaces the constants where contractions and convolutions read them. What
/// else reads one, as the lookup of embeddings does, keeps the floats, which
/// are stored then, too. In the order in which they are read.
std::vector<WeightFacts> quantizeWeights(mlir::func::FuncOp function,
                                         WeightFormat format);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEWEIGHTS_H
