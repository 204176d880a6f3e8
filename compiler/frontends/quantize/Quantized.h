//===- Quantized.h - Numbers as narrow integers and scales ----------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZED_H
#define TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZED_H

#include "ir/reference/Array.h"

namespace tensorc::compiler {

/// The operands of a tx.dequantize without a zero point, and what it costs.
struct Quantized {
  reference::Array values, scales;
  double maxError = 0, meanError = 0, relativeError = 0;
};

/// Of finite floats, whose bytes these are. `groups` has for each dim how many
/// elements share a scale: 1, the whole dim, or a divisor of it. A scale is the
/// largest magnitude of its elements divided by the integers' largest, in the
/// floats' own dtype. None: an element is infinite or NaN.
std::optional<Quantized> quantize(llvm::ArrayRef<char> bytes,
                                  reference::DType from,
                                  llvm::ArrayRef<int64_t> shape,
                                  reference::DType to,
                                  llvm::ArrayRef<int64_t> groups);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZED_H
