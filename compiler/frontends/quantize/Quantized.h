//===- Quantized.h - Narrow integers and their scales ---------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZED_H
#define TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZED_H

#include "ir/reference/Array.h"

namespace tensorc::compiler {

/// The operands of a tx.dequantize without zero point, and the error of the
/// quantization.
struct Quantized {
  reference::Array values, scales;
  double maxError = 0, meanError = 0, relativeError = 0;
};

/// Quantizes finite floats, given as bytes. `groups` is the number of elements
/// of each dim that share a scale: 1, a divisor of the dim, or the whole dim. A
/// scale is the largest magnitude of its elements divided by the largest
/// integer, in the floats' dtype. Returns nullopt if an element is infinite or
/// NaN.
std::optional<Quantized> quantize(llvm::ArrayRef<char> bytes,
                                  reference::DType from,
                                  llvm::ArrayRef<int64_t> shape,
                                  reference::DType to,
                                  llvm::ArrayRef<int64_t> groups);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZED_H
