//===- Passes.h - Batching ------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_BATCHING_PASSES_H
#define TENSORC_COMPILER_TRANSFORMS_BATCHING_PASSES_H

#include "compiler/transforms/passes/Passes.h"

namespace tensorc::compiler {

#define GEN_PASS_DECL_BATCHPASS
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/batching/Passes.h.inc"

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_BATCHING_PASSES_H
