//===- ResultNumbers.h - Texts that a parser must not see -----------------===//
#ifndef TENSORC_IR_TEXT_RESULTNUMBERS_H
#define TENSORC_IR_TEXT_RESULTNUMBERS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tensorc {

/// Refuses `%x#2147483647` with a diagnostic at its place: the parser makes
/// room for all results up to a number before it looks whether they are there.
mlir::LogicalResult verifyResultNumbers(llvm::StringRef text,
                                        llvm::StringRef file,
                                        mlir::MLIRContext *context);

} // namespace tensorc

#endif // TENSORC_IR_TEXT_RESULTNUMBERS_H
