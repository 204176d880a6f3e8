//===- Dims.h - Sizes of tensor types -------------------------------------===//
#ifndef TENSORC_IR_TX_DIMS_H
#define TENSORC_IR_TX_DIMS_H

#include "ir/shape/Dim.h"
#include "ir/tx/Tx.h"

namespace tensorc::tx {

using shape::Dim;

/// Owns the expressions in the types of an MLIRContext; lives as long.
shape::DimContext &dimContext(mlir::MLIRContext *context);

/// One per dim; none of a dynamic dim without a name.
llvm::ArrayRef<Dim> dimsOf(mlir::RankedTensorType type);
/// The same with names for dims that have none: `?0`, `?1`, ...
llvm::SmallVector<Dim> namedDims(mlir::RankedTensorType type,
                                 unsigned &unnamed);
/// The type with these dims: static where all are numbers.
mlir::RankedTensorType tensorType(llvm::ArrayRef<Dim> dims, mlir::Type element);
/// Bytes of a tensor in memory.
Dim bytesOf(mlir::RankedTensorType type);
/// The same; none where sizes have names, or overflow.
std::optional<int64_t> staticBytes(mlir::RankedTensorType type);

/// Whether two shapes are the same for every size of the named dims.
bool sameShape(mlir::Type a, mlir::Type b);

/// `[n, 64]` for messages.
std::string shapeString(mlir::Type type);

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

/// Sizes in index maps, which are affine expressions over loop dims and sizes:
/// a numbering of what the symbols of the maps stand for.
class DimSpace {
public:
  explicit DimSpace(mlir::MLIRContext *context) : context(context) {}

  /// One expression per dim. A dynamic dim without a name gets one of its own.
  llvm::SmallVector<mlir::AffineExpr> dims(mlir::RankedTensorType type);
  mlir::AffineExpr symbol(llvm::StringRef name);
  /// A size as an affine expression, and one without loop dims as a size.
  mlir::AffineExpr affine(Dim dim);
  Dim dim(mlir::AffineExpr expr) const;
  /// What each symbol i stands for: a name, or a size that is not affine.
  llvm::ArrayRef<Dim> names() const { return symbols; }
  mlir::AffineExpr constant(int64_t value) const;
  /// Canonical form, so that equal sizes are equal expressions.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;
  mlir::AffineExpr product(llvm::ArrayRef<mlir::AffineExpr> factors) const;

private:
  mlir::AffineExpr symbolOf(Dim dim);

  mlir::MLIRContext *context;
  llvm::SmallVector<Dim> symbols;
};

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_DIMS_H
