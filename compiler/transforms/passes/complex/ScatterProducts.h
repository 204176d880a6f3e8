//===- ScatterProducts.h - Products of complex numbers at indices ---------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_SCATTERPRODUCTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_SCATTERPRODUCTS_H

#include "compiler/transforms/passes/complex/ComplexMath.h"
#include "ir/tx/Tx.h"

namespace tensorc::compiler {

/// The parts of a scatter "mul" of complex numbers, whose operand and updates
/// have these parts.
Planes scatterProducts(tx::ScatterOp op, Planes x, Planes updates,
                       builder::TensorBuilder &e);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_SCATTERPRODUCTS_H
