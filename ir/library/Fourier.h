//===- Fourier.h - Fourier transforms -------------------------------------===//
//
// What becomes a kernel of its own (ir/tx/Dft.h).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_FOURIER_H
#define TENSORC_IR_LIBRARY_FOURIER_H

#include "ir/library/Library.h"

namespace tensorc::tx {

/// Whether a kernel of its own can compute the transform, as a tx.dft.
bool isDft(FftOp op);
mlir::Value makeDft(mlir::OpBuilder &b, FftOp op);

} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_FOURIER_H
