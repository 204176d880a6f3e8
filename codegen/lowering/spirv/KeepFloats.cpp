//===- KeepFloats.cpp - IEEE 754 on drivers of Vulkan ---------------------===//
//
// %zero = spirv.Constant 0.0 : f32
// %y = spirv.FMul %x, %zero : f32
// ->
// %id = spirv.CompositeExtract %LocalInvocationId[0]
// %hidden = spirv.Bitcast (spirv.ShiftRightLogical %id, 31) : i32 to f32
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
  explicit HiddenZeros(spirv::FuncOp function)
      : entry(&function.getBody().front()) {}

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

  /// Returns the highest bit of the thread's number in its block, which is 0.
  Value get(Type type) {
    Value &zero = type.isF64() ? wide : narrow;
    if (zero)
      return zero;
    OpBuilder b = OpBuilder::atBlockBegin(entry);
    Location loc = entry->getParentOp()->getLoc();
    Type word = b.getI32Type();
    Value ids = spirv::getBuiltinVariableValue(
        entry->getParentOp(), spirv::BuiltIn::LocalInvocationId, word, b);
    Value id = spirv::CompositeExtractOp::create(b, loc, ids, 0);
    Value places =
        spirv::ConstantOp::create(b, loc, word, b.getI32IntegerAttr(31));
    Value bit = spirv::ShiftRightLogicalOp::create(b, loc, word, id, places);
    if (type.isF64())
      bit = spirv::UConvertOp::create(b, loc, b.getI64Type(), bit);
    return zero = spirv::BitcastOp::create(b, loc, type, bit);
  }

  Block *entry;
  Value narrow, wide;
};

} // namespace

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
