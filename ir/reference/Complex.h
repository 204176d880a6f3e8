//===- Complex.h - Complex arithmetic of the interpreter ------------------===//
#ifndef TENSORC_IR_REFERENCE_COMPLEX_H
#define TENSORC_IR_REFERENCE_COMPLEX_H

#include "ir/reference/Ops.h"

#include <complex>

namespace tensorc::reference {

using Complex = std::complex<double>;

std::vector<Complex> readComplex(const Array &array);
/// Writes complex numbers, rounding each part to the dtype of the array's
/// parts.
void writeComplex(Array &array, llvm::ArrayRef<Complex> values);

/// Like evaluateElementwise, for complex operands or results.
bool evaluateComplex(llvm::StringRef op, Operands operands, Array &result);
/// Return x y, computed by four products, and x / y by Smith's method, as in
/// NumPy.
Complex productOf(Complex x, Complex y);
Complex quotientOf(Complex x, Complex y);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_COMPLEX_H
