//===- Fourier.h - Fourier transforms -------------------------------------===//
//
// What becomes a kernel of its own (ir/tx/Dft.h), or a call of a library.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_FOURIER_H
#define TENSORC_IR_LIBRARY_FOURIER_H

#include "ir/library/Library.h"

namespace tensorc::tx {

/// Whether a kernel of its own can compute the transform, as a tx.dft.
bool isDft(FftOp op);
mlir::Value makeDft(mlir::OpBuilder &b, FftOp op);

/// Whether a library of a GPU's vendor reads and writes memory less often than
/// the kernels that the op expands to, counted in docs/design/0011.
bool isFftCall(FftOp op);
mlir::Value makeFftCall(mlir::OpBuilder &b, FftOp op);

} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_FOURIER_H
