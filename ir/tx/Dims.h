//===- Dims.h - Shapes as expressions over named sizes --------------------===//
#ifndef TENSORC_IR_TX_DIMS_H
#define TENSORC_IR_TX_DIMS_H

#include "ir/tx/Tx.h"

namespace tensorc::tx {

/// Dims of several tensor types as affine expressions over one numbering of
/// their names: symbol i is names()[i].
class DimSpace {
public:
  explicit DimSpace(mlir::MLIRContext *context) : context(context) {}

  /// One expression per dim. A dynamic dim without a name gets one of its own.
  llvm::SmallVector<mlir::AffineExpr> dims(mlir::RankedTensorType type);
  mlir::AffineExpr symbol(llvm::StringRef name);
  llvm::ArrayRef<mlir::StringAttr> names() const { return symbols; }
  mlir::AffineExpr constant(int64_t value) const;
  /// Canonical form, so that equal sizes are equal expressions.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;
  mlir::AffineExpr product(llvm::ArrayRef<mlir::AffineExpr> factors) const;
  /// Bytes of a tensor in memory.
  mlir::AffineExpr bytesOf(mlir::RankedTensorType type);
  /// The type with these dims: static where all are constants.
  mlir::RankedTensorType type(llvm::ArrayRef<mlir::AffineExpr> dims,
                              mlir::Type element) const;

private:
  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::StringAttr> symbols;
};

/// The expression as text over the names: `n * 2 + 1`.
std::string toString(mlir::AffineExpr expr,
                     llvm::ArrayRef<mlir::StringAttr> names);

/// A bound on the absolute values of the expression and its parts where every
/// name is 1; as a double, which does not wrap.
double magnitude(mlir::AffineExpr expr);

/// Whether two shapes are the same for every size of the named dims.
bool sameShape(mlir::Type a, mlir::Type b);

/// `[n, 64]` for messages.
std::string shapeString(mlir::Type type);
/// Bytes in memory; none where sizes have names, or overflow.
std::optional<int64_t> staticBytes(mlir::RankedTensorType type);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_DIMS_H
