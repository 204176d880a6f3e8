//===- Dims.h - Sizes of tensor types -------------------------------------===//
#ifndef TENSORC_IR_TX_DIMS_H
#define TENSORC_IR_TX_DIMS_H

#include "ir/shape/Dim.h"
#include "ir/tx/TxDialect.h"

namespace tensorc::tx {

using shape::Dim;

/// Returns the owner of the expressions in the types of an MLIRContext.
shape::DimContext &dimContext(mlir::MLIRContext *context);

/// Returns one Dim per dim of the type. It is `none` for a dynamic dim without
/// a name.
llvm::ArrayRef<Dim> dimsOf(mlir::RankedTensorType type);
/// Like dimsOf, but unnamed dims get the names `?0`, `?1`, ...
llvm::SmallVector<Dim> namedDims(mlir::RankedTensorType type,
                                 unsigned &unnamed);
/// Returns the type with these dims. Dims that are numbers are static.
mlir::RankedTensorType tensorType(llvm::ArrayRef<Dim> dims, mlir::Type element);
/// Returns the number of bytes of a tensor in memory.
Dim bytesOf(mlir::RankedTensorType type);
/// Returns the number of bytes of a value of the type, or nullopt if sizes are
/// named or the number overflows.
std::optional<int64_t> staticBytes(mlir::RankedTensorType type);

/// True if two shapes are equal for all values of the named sizes.
bool sameShape(mlir::Type a, mlir::Type b);

/// Returns a text such as `[n, 64]` for messages.
std::string shapeString(mlir::Type type);

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

/// Converts between sizes and the affine expressions of index maps. In these
/// expressions dims are loop dims and symbols are named sizes. The class
/// assigns the numbers of the symbols.
class DimSpace {
public:
  explicit DimSpace(mlir::MLIRContext *context) : context(context) {}

  /// Returns one expression per dim. A dynamic dim without a name gets a new
  /// symbol.
  llvm::SmallVector<mlir::AffineExpr> dims(mlir::RankedTensorType type);
  mlir::AffineExpr symbol(llvm::StringRef name);
  /// Converts a size to an affine expression, and an expression without loop
  /// dims to a size.
  mlir::AffineExpr affine(Dim dim);
  Dim dim(mlir::AffineExpr expr) const;
  /// Returns the size that each symbol represents: a name, or a size that is
  /// not affine.
  llvm::ArrayRef<Dim> names() const { return symbols; }
  mlir::AffineExpr constant(int64_t value) const;
  /// Returns a canonical form, in which equal sizes are equal expressions.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;
  mlir::AffineExpr product(llvm::ArrayRef<mlir::AffineExpr> factors) const;

private:
  mlir::AffineExpr symbolOf(Dim dim);

  mlir::MLIRContext *context;
  llvm::SmallVector<Dim> symbols;
};

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_DIMS_H
