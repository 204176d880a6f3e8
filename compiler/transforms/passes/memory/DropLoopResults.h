//===- DropLoopResults.h - Remove unused results of loops -------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_DROPLOOPRESULTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_DROPLOOPRESULTS_H

#include "mlir/IR/PatternMatch.h"

namespace tensorc::compiler {

/// Removes from a tx.scan or tx.while stacked results without a use, carried
/// values on which no result with a use depends, and inputs that nothing reads.
/// Carried values that do not change become inputs.
void populateDropLoopResults(mlir::RewritePatternSet &patterns);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_DROPLOOPRESULTS_H
