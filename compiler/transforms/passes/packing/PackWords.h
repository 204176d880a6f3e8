//===- PackWords.h - Packs constants for tile registers ---------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_PACKWORDS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_PACKWORDS_H

#include "codegen/kernel/TargetInfo.h"
#include "ir/tx/Tx.h"

namespace tensorc::compiler {

/// If the contraction multiplies a constant matrix of bf16 or of bytes, and the
/// target has tile registers, packs the constant in words (shape::columnWords),
/// which the kernel then reads in place. Returns true if it did, and has erased
/// the contraction.
bool packWords(tx::DotGeneralOp dot, const codegen::TargetInfo &target);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_PACKWORDS_H
