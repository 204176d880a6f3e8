//===- Fourier.h - Fourier transforms -------------------------------------===//
//
// These ops become separate kernels (ir/tx/Dft.h) or calls of a library.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_FOURIER_H
#define TENSORC_IR_LIBRARY_FOURIER_H

#include "ir/library/Library.h"

namespace tensorc::tx {

/// True if a single kernel (tx.dft) can compute the transform.
bool isDft(FftOp op);
mlir::Value makeDft(mlir::OpBuilder &b, FftOp op);

/// True if the GPU vendor's library accesses memory less often than the kernels
/// of the op's expansion (docs/design/0041-fourier-transforms.md).
bool isFftCall(FftOp op);
mlir::Value makeFftCall(mlir::OpBuilder &b, FftOp op);

} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_FOURIER_H
