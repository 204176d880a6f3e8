//===- Products.h - Sums and products of sizes, term by term --------------===//
#ifndef TENSORC_IR_ANALYSIS_PRODUCTS_H
#define TENSORC_IR_ANALYSIS_PRODUCTS_H

#include "mlir/IR/AffineExpr.h"

#include <optional>

namespace tensorc::analysis {

/// The terms of a sum, or the factors of a product.
llvm::SmallVector<mlir::AffineExpr> partsOf(mlir::AffineExpr expr,
                                            mlir::AffineExprKind kind);

/// The product without the divisor's factors, if it contains them all.
std::optional<mlir::AffineExpr> divideTerm(mlir::AffineExpr term,
                                           mlir::AffineExpr divisor);

/// Whether two products have the same factors, in any order.
bool areSameProduct(mlir::AffineExpr a, mlir::AffineExpr b);

} // namespace tensorc::analysis

#endif // TENSORC_IR_ANALYSIS_PRODUCTS_H
