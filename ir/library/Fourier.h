//===- Fourier.h - Fourier transforms ---------------------------------------===//
//
// In a header of its own, as few sources know the op.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_FOURIER_H
#define TENSORC_IR_LIBRARY_FOURIER_H

#include "ir/library/Library.h"

#define GET_OP_CLASSES
#include "ir/library/Fourier.h.inc"

namespace tensorc::tx {

/// Whether a kernel of its own can compute the transform, as a tx.dft.
bool isDft(FftOp op);
mlir::Value makeDft(mlir::OpBuilder &b, FftOp op);

} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_FOURIER_H
