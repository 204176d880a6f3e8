//===- Elementwise.h - Reference functions of element-wise ops ------------===//
#ifndef TENSORC_IR_REFERENCE_ELEMENTWISE_H
#define TENSORC_IR_REFERENCE_ELEMENTWISE_H

#include "ir/reference/Array.h"

#include <functional>

namespace tensorc::reference {

/// Computes `result`, whose dtype and shape are set, from operands of one
/// shape. Returns false if the op is not element-wise or is not defined for the
/// dtype.
bool evaluateElementwise(llvm::StringRef op,
                         llvm::ArrayRef<const Array *> operands, Array &result);

/// Returns the op as a function of two elements. `Wide` is double, int64_t or
/// uint64_t (also for i1). Empty if the op is not defined for this kind of
/// element, or has a result of another kind.
template <typename Wide>
std::function<Wide(Wide, Wide)> functionOf(llvm::StringRef op);

/// Converts between any two dtypes, as tx.convert.
void convert(const Array &from, Array &to);

/// Return NaN if either operand is NaN; -0 is below +0.
double maximum(double x, double y);
double minimum(double x, double y);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_ELEMENTWISE_H
