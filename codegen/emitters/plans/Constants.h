//===- Constants.h - Constant sizes -----------------------------*- C++ -*-===//

#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_CONSTANTS_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_CONSTANTS_H

#include "mlir/IR/AffineExpr.h"

#include <optional>

namespace tensorc::codegen {

/// Returns the value of a size; nullopt if it is symbolic.
inline std::optional<int64_t> constantOf(mlir::AffineExpr size) {
  auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(size);
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_CONSTANTS_H
