//===- Inputs.h - Arguments of a program, from files or drawn -------------===//
#ifndef TENSORC_TOOLS_TENSORC_INPUTS_H
#define TENSORC_TOOLS_TENSORC_INPUTS_H

#include "ir/reference/Symbols.h"
#include "tools/tensorc/Module.h"

namespace tensorc::tool {

/// One array per argument of the function from `--input`, `--random-inputs` and
/// `--shape`, checked against the function's types; errors go to stderr.
/// `drawMissing`: as if `--random-inputs` were given.
mlir::FailureOr<std::vector<reference::Array>>
gatherInputs(mlir::func::FuncOp function, const Arguments &arguments,
             llvm::ArrayRef<ShapeSpec> shapes, bool drawMissing = false);

/// The arguments that are missing, drawn from the seed. Dims whose names have
/// no size yet get one: primes from 5 on, in the order the names appear, moved
/// to what the function's tx.symbols allow.
mlir::LogicalResult
drawInputs(mlir::func::FuncOp function, uint64_t seed,
           reference::Symbols &symbols,
           std::vector<std::optional<reference::Array>> &arrays);

/// Standard normals (floats), 0...9 (integers) or coins (i1).
void fillRandom(reference::Array &array, uint64_t seed);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_INPUTS_H
