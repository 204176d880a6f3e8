//===- MeshOf.h - The mesh that a program names ---------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_MESHOF_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_MESHOF_H

#include "ir/library/Mesh.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler::sharding {

using tx::Mesh;
using tx::Sharding;

/// On an inserted collective: why it is there, which annotation would remove it,
/// and the axes of the mesh that it runs along. On a tx.shard: that it was
/// propagated, and is not the program's own. On a function: the names of axes,
/// and the number of ops that each rank computes as a whole, although their
/// operands are split.
constexpr llvm::StringLiteral insertedAttr = "inserted", remedyAttr = "remedy",
                              axesAttr = "axes", propagatedAttr = "propagated",
                              wholeOpsAttr = "whole_ops";

/// Returns the mesh of a function's annotations, which must agree. The names of
/// its axes are the function's attribute `axes`, or else `axis0`, ... Returns
/// nullopt if there are no annotations, failure after an error.
mlir::FailureOr<std::optional<Mesh>> meshOf(mlir::func::FuncOp function);

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_MESHOF_H
