//===- TracedInput.h - The input that an operand moves ----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_TILES_TRACEDINPUT_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_TILES_TRACEDINPUT_H

#include "codegen/emitters/KernelBuilder.h"

namespace tensorc::codegen::simt {

/// An input that an operand of tiles equals up to ops that only move elements,
/// widen them or pad with zeros.
struct TracedInput {
  /// Null if there is none.
  mlir::BlockArgument input;
  /// The input's index, and the guards that hold for elements that are not
  /// padding.
  analysis::Index from;
  llvm::SmallVector<analysis::Guard> guards;
};

/// Traces an operand that tiles hold as `element`, from its index in `space`.
/// The input has that type in memory.
TracedInput traceInput(KernelBuilder &kernel, mlir::Value operand,
                       const analysis::Index &index, mlir::Type element,
                       const analysis::IterationSpace &space);

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_TILES_TRACEDINPUT_H
