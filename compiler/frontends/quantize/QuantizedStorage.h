//===- QuantizedStorage.h - Memory layout of quantized weights ------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEDSTORAGE_H
#define TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEDSTORAGE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::frontends {

/// Stores weights in the layout that contractions read efficiently: with rows
/// along the reduction dim. 8-bit weights in the other layout are stored
/// transposed. 4-bit weights are stored so that two rows share bytes.
void storeByRows(mlir::func::FuncOp function);

/// Returns the bytes of a constant, packed as in buffers; empty if the value is
/// not a constant or is a splat.
llvm::ArrayRef<char> bytesOf(mlir::Value value);

} // namespace tensorc::frontends

#endif // TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEDSTORAGE_H
