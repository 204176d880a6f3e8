//===- BF16ToBits.cpp - bf16 values become their bits ---------------------===//
//
// After arithmetic on bf16 is expanded, bf16 values are only moved, and LLVM
// moves some of them (splats, masked accesses) through library calls:
//   %0 = memref.load %m[%i] : memref<?xbf16>
//   %1 = arith.bitcast %0 : bf16 to i16
// becomes
//   %0 = memref.load %m[%i] : memref<?xi16>
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tensorc::codegen {

#define GEN_PASS_DEF_BF16TOBITSPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

/// The type with i16 for bf16; null if there is none in it.
Type bitsOf(Type type) {
  if (type.isBF16())
    return IntegerType::get(type.getContext(), 16);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.getElementType().isBF16())
    return {};
  return shaped.clone(IntegerType::get(type.getContext(), 16));
}

void replaceConstant(arith::ConstantOp op) {
  OpBuilder b(op);
  Type i16 = b.getI16Type();
  TypedAttr bits;
  if (auto elements = dyn_cast<DenseElementsAttr>(op.getValue()))
    bits = elements.bitcast(i16);
  else
    bits = b.getIntegerAttr(
        i16, cast<FloatAttr>(op.getValue()).getValue().bitcastToAPInt());
  op.setValueAttr(bits);
}

/// After its arguments. Behind those, the block may have workgroup memory.
void updateType(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  TypeRange types =
      TypeRange(function.getFunctionBody().front().getArgumentTypes())
          .take_front(function.getNumArguments());
  if (types != TypeRange(function.getArgumentTypes()))
    function.setType(function.cloneTypeWith(types, function.getResultTypes()));
}

struct BF16ToBits : impl::BF16ToBitsPassBase<BF16ToBits> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (Type bits = bitsOf(argument.getType()))
              argument.setType(bits);
      for (Value result : op->getResults())
        if (Type bits = bitsOf(result.getType())) {
          if (auto constant = dyn_cast<arith::ConstantOp>(op))
            replaceConstant(constant);
          result.setType(bits);
        }
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        updateType(function);
      // Walked after its operand: both sides are i16 by now.
      if (auto cast = dyn_cast<arith::BitcastOp>(op))
        if (cast.getIn().getType() == cast.getType()) {
          cast.replaceAllUsesWith(cast.getIn());
          cast.erase();
        }
    });
  }
};

} // namespace

} // namespace tensorc::codegen
