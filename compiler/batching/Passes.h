//===- Passes.h - Batching ------------------------------------------------===//
#ifndef TENSORC_COMPILER_BATCHING_PASSES_H
#define TENSORC_COMPILER_BATCHING_PASSES_H

#include "compiler/passes/Passes.h"

namespace tensorc::compiler {

#define GEN_PASS_DECL_BATCHPASS
#define GEN_PASS_REGISTRATION
#include "compiler/batching/Passes.h.inc"

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_BATCHING_PASSES_H
