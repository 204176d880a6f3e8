//===- QuantizedStorage.h - Which way quantized weights lie in memory -----===//
#ifndef TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEDSTORAGE_H
#define TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEDSTORAGE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::frontends {

/// Products read a weight of 8 bits row by row of what they sum over: one that
/// lies the other way is stored transposed. One of 4 bits is stored so that two
/// rows share bytes.
void storeByRows(mlir::func::FuncOp function);

/// The bytes of a constant, packed as in buffers; empty where the value is none
/// or has one element for all.
llvm::ArrayRef<char> bytesOf(mlir::Value value);

} // namespace tensorc::frontends

#endif // TENSORC_COMPILER_FRONTENDS_QUANTIZE_QUANTIZEDSTORAGE_H
