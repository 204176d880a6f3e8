//===- Passes.h - Sharding ------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_PASSES_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_PASSES_H

#include "compiler/transforms/passes/Passes.h"

namespace tensorc::compiler {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/sharding/Passes.h.inc"

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_PASSES_H
