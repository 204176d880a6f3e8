//===- Passes.h - Differentiation -----------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_AUTODIFF_PASSES_H
#define TENSORC_COMPILER_TRANSFORMS_AUTODIFF_PASSES_H

#include "compiler/transforms/passes/Passes.h"

namespace tensorc::compiler {

#define GEN_PASS_DECL_DIFFERENTIATEPASS
#define GEN_PASS_DECL_EXPANDGRADIENTSPASS
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/autodiff/Passes.h.inc"

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_AUTODIFF_PASSES_H
