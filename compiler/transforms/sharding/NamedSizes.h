//===- NamedSizes.h - Named sizes that a mesh splits ----------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_NAMEDSIZES_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_NAMEDSIZES_H

#include "compiler/transforms/sharding/MeshOf.h"
#include "ir/tx/Dims.h"

namespace tensorc::compiler::sharding {

/// Returns the largest number that is known to divide a size.
int64_t knownDivisor(shape::Dim size);

/// Writes each named size that annotations split as a multiple of its number of
/// parts, so that the sizes of parts are known to be equal. A run checks this.
/// Returns failure after an error.
mlir::LogicalResult divideNamedSizes(mlir::func::FuncOp function,
                                     const Mesh &mesh);

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_NAMEDSIZES_H
