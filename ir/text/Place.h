//===- Place.h - Line and column of a position in a text ------------------===//
#ifndef TENSORC_IR_TEXT_PLACE_H
#define TENSORC_IR_TEXT_PLACE_H

#include "mlir/IR/Location.h"

namespace tensorc {

/// Returns the line and column of the byte at offset `at` in a file's text.
mlir::Location placeOf(llvm::StringRef text, size_t at, llvm::StringRef file,
                       mlir::MLIRContext *context);

} // namespace tensorc

#endif // TENSORC_IR_TEXT_PLACE_H
