//===- ExpandComplex.h - Complex numbers become two real tensors ----------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_EXPANDCOMPLEX_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_EXPANDCOMPLEX_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Whether the type is, or is a tensor of, complex numbers.
bool isComplexType(mlir::Type type);

/// How the parts of a complex number that comes from outside are read, and put
/// together for it: in its memory, or by tx.real, tx.imag and tx.complex, for
/// a program that no machine was chosen for yet.
enum class ComplexEdges { Memory, Parts };

/// Only the function's arguments and results, large constants and the operands
/// and results of calls are complex afterwards. Fails with a located error for
/// an op that has no meaning for complex numbers.
mlir::LogicalResult expandComplex(mlir::func::FuncOp function,
                                  ComplexEdges edges);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_EXPANDCOMPLEX_H
