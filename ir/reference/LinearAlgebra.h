//===- LinearAlgebra.h - Reference factorizations ---------------*- C++ -*-===//
//
// Defines the calls linalg.* of ir/library. These are textbook algorithms in
// long double that process one matrix after another. Tests compare the
// runtime's library with them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_REFERENCE_LINEARALGEBRA_H
#define TENSORC_IR_REFERENCE_LINEARALGEBRA_H

#include "ir/reference/Array.h"

namespace tensorc::reference {

/// Returns false if there is no function with this name.
bool callLinearAlgebra(llvm::StringRef name, llvm::StringRef config,
                       llvm::ArrayRef<Array> inputs, Array &output);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_LINEARALGEBRA_H
