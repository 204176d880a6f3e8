//===- DropLoopResults.h - Removes unused results of loops ------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_DROPLOOPRESULTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_DROPLOOPRESULTS_H

#include "mlir/IR/PatternMatch.h"

namespace tensorc::compiler {

/// Removes from a tx.scan or tx.while its unused stacked results, its carried
/// values on which no used result depends, and its unused inputs. Carried
/// values that do not change become loop-invariant inputs.
void populateDropLoopResults(mlir::RewritePatternSet &patterns);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_DROPLOOPRESULTS_H
