//===- KeepFloats.cpp - IEEE 754 on drivers of Vulkan ---------------------===//
//
// %zero = spirv.Constant 0.0 : f32
// %y = spirv.FMul %x, %zero : f32
// ->
// spirv.SpecConstant @distrusts_driver spec_id(0) = 1 : i32
// %bit = spirv.ShiftRightLogical %LocalInvocationId.x, 31
// %hidden = spirv.Bitcast (spirv.BitwiseAnd %bit, @distrusts_driver) : i32 to f32
// %y = spirv.FMul %x, %hidden {no_contraction}
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/spirv/ToSpirv.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

/// Replaces constants of zero by values that a driver cannot know. Mesa's
/// lavapipe (22.3) folds x + 0 to x, x * 0 and 0 / x to 0, in spite of
/// SignedZeroInfNanPreserve. All constants, as loops that are unrolled carry
/// them to sums.
class HiddenZeros {
public:
  explicit HiddenZeros(spirv::FuncOp function) : function(function) {}

  /// Replaces a constant, if it is or has a zero.
  void hide(spirv::ConstantOp constant) {
    Type type = constant.getType();
    if (isZero(constant.getValue()))
      return replace(constant, get(type));
    auto lanes = dyn_cast<DenseFPElementsAttr>(constant.getValue());
    if (!lanes || !isa<VectorType>(type) ||
        llvm::none_of(lanes.getValues<Attribute>(), isZero))
      return;
    OpBuilder b(constant);
    Location loc = constant.getLoc();
    SmallVector<Value> values;
    for (Attribute lane : lanes.getValues<Attribute>())
      values.push_back(isZero(lane) ? get(lanes.getElementType())
                                    : spirv::ConstantOp::create(
                                          b, loc, lanes.getElementType(), lane)
                                          .getResult());
    replace(constant,
            spirv::CompositeConstructOp::create(b, loc, type, values));
  }

private:
  static bool isZero(Attribute value) {
    auto number = dyn_cast<FloatAttr>(value);
    return number && number.getValue().isPosZero();
  }
  static void replace(spirv::ConstantOp constant, Value value) {
    constant.getResult().replaceAllUsesWith(value);
    constant.erase();
  }

  Value get(Type type) {
    Value &zero = type.isF64() ? wide : narrow;
    if (zero)
      return zero;
    OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
    Location loc = function.getLoc();
    Value bits = createHiddenZero(b, loc);
    if (type.isF64())
      bits = spirv::UConvertOp::create(b, loc, b.getI64Type(), bits);
    return zero = spirv::BitcastOp::create(b, loc, type, bits);
  }

  spirv::FuncOp function;
  Value narrow, wide;
};

} // namespace

/// The highest bit of the thread's number in its block, if the driver is not
/// trusted.
Value createHiddenZero(OpBuilder &b, Location loc) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto module = parent->getParentOfType<spirv::ModuleOp>();
  constexpr StringLiteral name = "distrusts_driver";
  if (!module.lookupSymbol(name)) {
    OpBuilder before = OpBuilder::atBlockBegin(module.getBody());
    auto trust = spirv::SpecConstantOp::create(before, loc, name,
                                               b.getI32IntegerAttr(1));
    trust->setAttr("spec_id", b.getI32IntegerAttr(0));
  }
  Type word = b.getI32Type();
  Value ids = spirv::getBuiltinVariableValue(
      parent, spirv::BuiltIn::LocalInvocationId, word, b);
  Value id = spirv::CompositeExtractOp::create(b, loc, ids, 0);
  Value places =
      spirv::ConstantOp::create(b, loc, word, b.getI32IntegerAttr(31));
  Value bit = spirv::ShiftRightLogicalOp::create(b, loc, word, id, places);
  Value distrusts = spirv::ReferenceOfOp::create(b, loc, word, name);
  return spirv::BitwiseAndOp::create(b, loc, word, bit, distrusts);
}

void keepFloats(spirv::FuncOp function) {
  HiddenZeros zeros(function);
  function.walk([&](spirv::ConstantOp constant) { zeros.hide(constant); });
  auto unit = UnitAttr::get(function.getContext());
  function.walk([&](Operation *op) {
    if (isa<spirv::FAddOp, spirv::FSubOp, spirv::FMulOp, spirv::FDivOp,
            spirv::FNegateOp, spirv::FRemOp, spirv::GLFmaOp>(op))
      op->setAttr("no_contraction", unit);
  });
}

} // namespace tensorc::codegen
