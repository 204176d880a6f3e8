//===- QuantizedStorage.h - Which way quantized weights lie in memory -----===//
#ifndef TENSORC_COMPILER_IMPORT_QUANTIZEDSTORAGE_H
#define TENSORC_COMPILER_IMPORT_QUANTIZEDSTORAGE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::importer {

/// Products read a weight of 8 bits row by row of what they sum over: one that
/// lies the other way is stored transposed.
void storeByRows(mlir::func::FuncOp function);

} // namespace tensorc::importer

#endif // TENSORC_COMPILER_IMPORT_QUANTIZEDSTORAGE_H
