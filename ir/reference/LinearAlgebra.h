//===- LinearAlgebra.h - Factorizations by plain loops ----------*- C++ -*-===//
//
// What the calls named linalg.* of ir/library mean: schoolbook methods in long
// double, one matrix after another, which judge the library's.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_REFERENCE_LINEARALGEBRA_H
#define TENSORC_IR_REFERENCE_LINEARALGEBRA_H

#include "ir/reference/Array.h"

namespace tensorc::reference {

/// Returns false if there is no function of this name.
bool callLinearAlgebra(llvm::StringRef name, llvm::StringRef config,
                       llvm::ArrayRef<Array> inputs, Array &output);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_LINEARALGEBRA_H
