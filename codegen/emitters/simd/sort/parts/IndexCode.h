//===- IndexCode.h - Index arithmetic ---------------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_INDEXCODE_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_INDEXCODE_H

#include "codegen/emitters/LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tensorc::codegen::simd {

/// Emits arithmetic on indices. It is the base class of the parts of a sort.
class IndexCode {
protected:
  explicit IndexCode(KernelBuilder &kernel) : kernel(kernel), b(kernel.b) {}

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;

  mlir::Value index(int64_t v) { return indexConstant(kernel, v); }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::AddIOp>(x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::SubIOp>(x, y);
  }
  mlir::Value times(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::MulIOp>(x, y);
  }
  mlir::Value half(mlir::Value x) {
    return b.createOrFold<mlir::arith::DivUIOp>(x, index(2));
  }
  mlir::Value smaller(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::MinUIOp>(x, y);
  }
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_INDEXCODE_H
