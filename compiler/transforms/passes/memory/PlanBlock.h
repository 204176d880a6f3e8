//===- PlanBlock.h - Places the temporaries of a block --------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_PLANBLOCK_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_PLANBLOCK_H

#include "mlir/IR/Block.h"

namespace tensorc::compiler {

/// Puts the temporaries of one block, without nested blocks, into arenas
/// (txp-plan-memory).
void planBlock(mlir::Block &block);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_PLANBLOCK_H
