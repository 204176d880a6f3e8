//===- MeshOf.h - The mesh of a program's annotations ---------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_MESHOF_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_MESHOF_H

#include "ir/library/Mesh.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler::sharding {

using tx::Mesh;
using tx::Sharding;

/// Names of attributes. On an inserted collective they give the reason for it,
/// the annotation that would remove it, and the mesh axes along which it runs.
/// On a tx.shard one of them marks it as propagated rather than written in the
/// program. On a function they give the names of the axes, and the number of
/// ops that each rank computes as a whole although their operands are sharded.
constexpr llvm::StringLiteral insertedAttr = "inserted", remedyAttr = "remedy",
                              axesAttr = "axes", propagatedAttr = "propagated",
                              wholeOpsAttr = "whole_ops";

/// Returns the mesh of a function's annotations, which must agree. The names of
/// its axes are the function's attribute `axes`, or `axis0`, ... if there is
/// none. Returns nullopt if there are no annotations, and failure after an
/// error.
mlir::FailureOr<std::optional<Mesh>> meshOf(mlir::func::FuncOp function);

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_MESHOF_H
