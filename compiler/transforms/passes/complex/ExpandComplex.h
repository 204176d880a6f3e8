//===- ExpandComplex.h - Splits complex tensors into two real tensors -----===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_EXPANDCOMPLEX_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_EXPANDCOMPLEX_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// True for complex numbers and tensors of them.
bool isComplexType(mlir::Type type);

/// How complex numbers in the program's interface are split and rebuilt.
/// Memory: by their layout in memory, in which real and imaginary parts are
/// interleaved. Parts: by tx.real, tx.imag and tx.complex, for programs without
/// a target.
enum class ComplexEdges { Memory, Parts };

/// Expands complex values into two real tensors. Afterwards, complex values are
/// only the function's arguments and results, large constants, and the operands
/// and results of calls. Reports an error at an op that is undefined for
/// complex numbers.
mlir::LogicalResult expandComplex(mlir::func::FuncOp function,
                                  ComplexEdges edges);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_EXPANDCOMPLEX_H
