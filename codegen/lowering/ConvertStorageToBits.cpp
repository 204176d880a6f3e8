//===- ConvertStorageToBits.cpp - Replace bf16 and f8 by their bits -------===//
//
// Once arithmetic on bf16 and f8 has been expanded, their values are only
// moved. LLVM has no type for f8, and uses library calls to move some bf16
// values (splats, masked accesses). Therefore
//
//   %0 = memref.load %m[%i] : memref<?xbf16>
//   %1 = arith.bitcast %0 : bf16 to i16
//
// becomes
//
//   %0 = memref.load %m[%i] : memref<?xi16>
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tensorc::codegen {

#define GEN_PASS_DEF_CONVERTSTORAGETOBITSPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

void replaceConstant(arith::ConstantOp op, Type element) {
  OpBuilder b(op);
  TypedAttr bits;
  if (auto elements = dyn_cast<DenseElementsAttr>(op.getValue()))
    bits = elements.bitcast(element);
  else
    bits = b.getIntegerAttr(
        element, cast<FloatAttr>(op.getValue()).getValue().bitcastToAPInt());
  op.setValueAttr(bits);
}

/// Updates the function's type from its entry block, where arguments for
/// workgroup memory may follow those of the function.
void updateType(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  TypeRange types =
      TypeRange(function.getFunctionBody().front().getArgumentTypes())
          .take_front(function.getNumArguments());
  if (types != TypeRange(function.getArgumentTypes()))
    function.setType(function.cloneTypeWith(types, function.getResultTypes()));
}

struct ConvertStorageToBits
    : impl::ConvertStorageToBitsPassBase<ConvertStorageToBits> {
  using ConvertStorageToBitsPassBase::ConvertStorageToBitsPassBase;

  void runOnOperation() override {
    getOperation()->walk([this](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (Type bits = bitsOf(argument.getType()))
              argument.setType(bits);
      // These are the operand of an instruction that multiplies bf16, and a
      // conversion in hardware, so they keep their types.
      if (isa<LLVM::BitcastOp, arith::TruncFOp>(op))
        return;
      for (Value result : op->getResults())
        if (Type bits = bitsOf(result.getType())) {
          if (auto constant = dyn_cast<arith::ConstantOp>(op))
            replaceConstant(constant, getElementTypeOrSelf(bits));
          result.setType(bits);
        }
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        updateType(function);
      // The op's operand was visited before it, so both types are integers
      // here.
      if (auto cast = dyn_cast<arith::BitcastOp>(op))
        if (cast.getIn().getType() == cast.getType()) {
          cast.replaceAllUsesWith(cast.getIn());
          cast.erase();
        }
    });
  }

private:
  /// Replaces bf16, f8, and the floats named by options, by integers in a type.
  /// Returns null if the type contains none of these.
  Type bitsOf(Type type) const {
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      Type bits = bitsOf(shaped.getElementType());
      return bits ? Type(shaped.clone(bits)) : Type();
    }
    if (!type.isBF16() && !(type.isF16() && halves) &&
        !(type.isF64() && doubles) &&
        !isa<Float8E4M3FNType, Float8E5M2Type>(type))
      return {};
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  }
};

} // namespace

} // namespace tensorc::codegen
