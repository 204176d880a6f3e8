//===- Indexing.h - Operand elements that a result element reads ----------===//
#ifndef TENSORC_IR_ANALYSIS_INDEXING_H
#define TENSORC_IR_ANALYSIS_INDEXING_H

#include "ir/tx/Dims.h"

namespace tensorc::tx {
class GatherOp;
class ScatterOp;
} // namespace tensorc::tx

namespace tensorc::analysis {

/// An index into a tensor: one expression per dim, over the dims of the
/// iteration space and the named sizes.
using Index = llvm::SmallVector<mlir::AffineExpr, 4>;

/// The dims of a loop nest and their sizes, which are expressions of a
/// function's named sizes.
class IterationSpace {
public:
  IterationSpace(tx::DimSpace &names, llvm::ArrayRef<mlir::AffineExpr> sizes)
      : names(names), sizes(sizes) {}

  tx::DimSpace &getNames() const { return names; }
  llvm::ArrayRef<mlir::AffineExpr> getSizes() const { return sizes; }
  unsigned getRank() const { return sizes.size(); }
  /// d0, d1, ...
  Index identity() const;

  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;
  /// Return the quotient and the remainder by a positive size, simplified by
  /// using 0 <= d < size(d) for all dims d.
  mlir::AffineExpr floorDiv(mlir::AffineExpr x, mlir::AffineExpr y) const;
  mlir::AffineExpr mod(mlir::AffineExpr x, mlir::AffineExpr y) const;
  /// Returns x without its terms that are multiples of y.
  mlir::AffineExpr dropMultiples(mlir::AffineExpr x, mlir::AffineExpr y) const;
  /// Returns the row-major position of an index in a tensor with these dims.
  mlir::AffineExpr linearize(llvm::ArrayRef<mlir::AffineExpr> index,
                             llvm::ArrayRef<mlir::AffineExpr> dims) const;

  /// True if 0 <= x < bound is proven.
  bool isBelow(mlir::AffineExpr x, mlir::AffineExpr bound) const;

private:
  tx::DimSpace &names;
  llvm::SmallVector<mlir::AffineExpr> sizes;

  std::pair<mlir::AffineExpr, mlir::AffineExpr>
  split(mlir::AffineExpr x, mlir::AffineExpr divisor) const;
};

/// A condition under which an operand is read: 0 <= value < size, and value is
/// a multiple of the modulus.
struct Guard {
  mlir::AffineExpr value;
  mlir::AffineExpr size;
  int64_t modulus = 1;
};

struct OperandIndexing {
  Index index;
  /// Guards, all of which must hold for the operand to be read (pad,
  /// concatenate, updates of slices).
  llvm::SmallVector<Guard> guards;
};

/// True if each result element depends on one element of each tensor operand,
/// so that the op can be computed inside a loop over the elements of its users.
bool isElementMapped(mlir::Operation *op);

/// True if the operand is read at an index that is known only at run time, so
/// that it must be in memory. `operandIndexing` then describes the static part
/// of the index, with starts of 0.
bool isReadAnywhere(mlir::OpOperand &operand);

/// Returns, for the result element at `index` of an element-mapped op, the
/// index at which each tensor operand is read. For the indices of a gather,
/// this is the index of the first component of the index vector. For a scatter,
/// which is not element-mapped, it is the index at which x is read. Index
/// operands (slice offsets) become symbols through `symbolOf`.
llvm::SmallVector<OperandIndexing>
operandIndexing(mlir::Operation *op, const Index &index,
                const IterationSpace &space,
                llvm::function_ref<mlir::AffineExpr(mlir::Value)> symbolOf);

/// Returns the position of component k of the index vector that is used for the
/// element at `index` of a gather's result or of a scatter's updates.
Index indexVectorIndex(tx::GatherOp op, const Index &index, int64_t component,
                       const IterationSpace &space);
Index indexVectorIndex(tx::ScatterOp op, const Index &index, int64_t component,
                       const IterationSpace &space);

/// Visits every value that a fusion reads to compute the values at `index`,
/// once per (value, index). Stops at values for which `stop` returns true.
/// Calls `onRead(value, index)` for each block argument, iota, random bits or
/// stopped value, and `onGuard` for each guard.
void walkReads(mlir::Value value, const Index &index,
               const IterationSpace &space,
               llvm::function_ref<mlir::AffineExpr(mlir::Value)> symbolOf,
               llvm::function_ref<bool(mlir::Value)> stop,
               llvm::function_ref<void(mlir::Value, const Index &)> onRead,
               llvm::function_ref<void(const Guard &)> onGuard);

/// An expression that is linear in a dim: coefficient * dim + rest.
struct LinearIn {
  mlir::AffineExpr coefficient, rest;
};
std::optional<LinearIn> linearIn(mlir::AffineExpr expr, unsigned dim,
                                 const IterationSpace &space);

} // namespace tensorc::analysis

#endif // TENSORC_IR_ANALYSIS_INDEXING_H
