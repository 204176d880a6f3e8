//===- ClampedStart.cpp - Computed starts of slices -----------------------===//

#include "codegen/emitters/scalar/ClampedStart.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen {

Value clampStart(ImplicitLocOpBuilder &b, Value start, Type element,
                 Value highest) {
  bool isUnsigned = element.isUnsignedInteger();
  Type wide = shapedLike(b.getI64Type(), start.getType());
  if (element.getIntOrFloatBitWidth() < 64)
    start = isUnsigned ? Value(arith::ExtUIOp::create(b, wide, start))
                       : Value(arith::ExtSIOp::create(b, wide, start));
  if (isUnsigned) {
    start = arith::MinUIOp::create(b, start, highest);
  } else {
    start =
        arith::MaxSIOp::create(b, start, constantOf(b, b.getLoc(), wide, 0));
    start = arith::MinSIOp::create(b, start, highest);
  }
  return arith::IndexCastOp::create(
      b, shapedLike(b.getIndexType(), start.getType()), start);
}

} // namespace tensorc::codegen
