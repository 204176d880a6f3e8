//===- ScatterProducts.h - Scatters that multiply complex numbers ---------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_SCATTERPRODUCTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_SCATTERPRODUCTS_H

#include "compiler/transforms/passes/complex/ComplexMath.h"
#include "ir/tx/Tx.h"

namespace tensorc::compiler {

/// Expands a scatter of kind "mul" of complex numbers: returns the parts of its
/// result from the parts of its operand and updates.
Planes scatterProducts(tx::ScatterOp op, Planes x, Planes updates,
                       builder::TensorBuilder &e);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_SCATTERPRODUCTS_H
