//===- Products.h - Sums and products of sizes, term by term --------------===//
#ifndef TENSORC_IR_ANALYSIS_PRODUCTS_H
#define TENSORC_IR_ANALYSIS_PRODUCTS_H

#include "mlir/IR/AffineExpr.h"

#include <optional>

namespace tensorc::analysis {

/// Returns the terms of a sum, or the factors of a product.
llvm::SmallVector<mlir::AffineExpr> partsOf(mlir::AffineExpr expr,
                                            mlir::AffineExprKind kind);

/// Returns the product without the divisor's factors, or nullopt if the product
/// does not contain all of them.
std::optional<mlir::AffineExpr> divideTerm(mlir::AffineExpr term,
                                           mlir::AffineExpr divisor);

/// True if two products have the same factors, in any order.
bool areSameProduct(mlir::AffineExpr a, mlir::AffineExpr b);

} // namespace tensorc::analysis

#endif // TENSORC_IR_ANALYSIS_PRODUCTS_H
