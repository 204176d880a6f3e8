//===- PackedLanes.cpp - Compresses lanes by a mask -----------------------===//

#include "codegen/emitters/simd/sort/parts/PackedLanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tensorc::codegen::simd {

Value packLanes(ImplicitLocOpBuilder &b, Value x, Value mask) {
  Value rest = arith::ConstantOp::create(b, b.getZeroAttr(x.getType()));
  return LLVM::CallIntrinsicOp::create(
             b, x.getType(),
             b.getStringAttr("llvm.experimental.vector.compress"),
             ValueRange{x, mask, rest})
      .getResult(0);
}

Value countLanes(ImplicitLocOpBuilder &b, Value mask) {
  Type bits =
      b.getIntegerType(cast<VectorType>(mask.getType()).getNumElements());
  Value set = vector::ExtractOp::create(
      b, vector::BitCastOp::create(b, VectorType::get({1}, bits), mask),
      int64_t(0));
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), set);
  return arith::IndexCastOp::create(
      b, b.getIndexType(),
      LLVM::CtPopOp::create(b, b.getI64Type(), wide).getResult());
}

} // namespace tensorc::codegen::simd
