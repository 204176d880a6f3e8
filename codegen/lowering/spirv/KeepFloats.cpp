//===- KeepFloats.cpp - Preserves IEEE 754 on Vulkan drivers --------------===//
//
// %zero = spirv.Constant 0.0 : f32
// %y = spirv.FMul %x, %zero : f32
// ->
// spirv.SpecConstant @distrusts_driver spec_id(0) = 1 : i32
// %bit = spirv.ShiftRightLogical %LocalInvocationId.x, 31
// %masked = spirv.BitwiseAnd %bit, @distrusts_driver
// %hidden = spirv.Bitcast %masked : i32 to f32
// %y = spirv.FMul %x, %hidden {no_contraction}
//
// %r = spirv.GL.Fma %x, %y, %z : f32
// ->
// spirv.SpecConstant @rounds_fma_twice spec_id(1) = 1 : i32
// %fma = spirv.GL.Fma %x, %y, %z {no_contraction}
// %isFused = spirv.IEqual @rounds_fma_twice, 0
// %exact = x * y + z with an exact product
// %r = spirv.Select %isFused, %fma, %exact
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/spirv/ToSpirv.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

/// Replaces constants that are zero by values that a driver cannot know at
/// compile time. Mesa's lavapipe (22.3) folds x + 0 to x, and x * 0 and 0 / x
/// to 0, in spite of SignedZeroInfNanPreserve. Zeros anywhere are replaced,
/// because unrolled loops may carry them to arithmetic.
class HiddenZeros {
public:
  explicit HiddenZeros(spirv::FuncOp function) : function(function) {}

  /// Replaces the constant if it is zero or has zero elements.
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

/// Emits arithmetic on one float type, and exact sums and products.
struct Floats {
  OpBuilder &b;
  Location loc;
  Type type;

  Value constant(double value) {
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    TypedAttr attr = b.getFloatAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, attr);
    return spirv::ConstantOp::create(b, loc, type, attr);
  }
  Value add(Value x, Value y) { return spirv::FAddOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return spirv::FSubOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return spirv::FMulOp::create(b, loc, x, y); }

  /// Returns x as a sum of two floats with half of its bits each (Veltkamp).
  std::pair<Value, Value> split(Value x) {
    bool isF64 = getElementTypeOrSelf(type).isF64();
    Value scaled = mul(x, constant(isF64 ? 0x1p27 + 1 : 0x1p12 + 1));
    Value high = sub(scaled, sub(scaled, x));
    return {high, sub(x, high)};
  }
  /// Returns x * y + z, including the rounding errors of the product (Dekker)
  /// and of the sum (Knuth).
  Value fma(Value x, Value y, Value z) {
    Value product = mul(x, y), sum = add(product, z);
    auto [xh, xl] = split(x);
    auto [yh, yl] = split(y);
    Value error =
        add(add(add(sub(mul(xh, yh), product), mul(xh, yl)), mul(xl, yh)),
            mul(xl, yl));
    Value part = sub(sum, product);
    Value rest = add(sub(product, sub(sum, part)), sub(z, part));
    Value exact = add(sum, add(rest, error));
    // The sum of the errors is NaN if operands are infinite or NaN, or if the
    // product or a part overflows.
    Value isNan = spirv::FUnordNotEqualOp::create(b, loc, exact, exact);
    return spirv::SelectOp::create(b, loc, isNan, sum, exact);
  }
};

/// Computes x * y + z with an exact product, in f64 if the device has it,
/// unless the driver's fma does so. lavapipe rounds the product too, but
/// remainders require it to be exact.
void fuse(spirv::GLFmaOp op, Value isFused, bool hasDoubles) {
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Location loc = op.getLoc();
  Type type = op.getType(), wide = type;
  if (hasDoubles) {
    wide = b.getF64Type();
    if (auto vector = dyn_cast<VectorType>(type))
      wide = vector.clone(wide);
  }
  SmallVector<Value> operands(op.getOperands());
  bool isWide = type == wide;
  if (!isWide)
    for (Value &each : operands)
      each = spirv::FConvertOp::create(b, loc, wide, each);
  Floats e{b, loc, wide};
  Value fused = isWide
                    ? e.fma(operands[0], operands[1], operands[2])
                    : spirv::FConvertOp::create(
                          b, loc, type,
                          e.add(e.mul(operands[0], operands[1]), operands[2]))
                          .getResult();
  auto chosen =
      spirv::SelectOp::create(b, loc, type, isFused, op.getResult(), fused);
  op.getResult().replaceAllUsesExcept(chosen, chosen);
}

} // namespace

namespace {
/// A specialization constant, which the runtime sets to 0 if the driver does
/// not have the trait (runtime/drivers/vulkan/FloatProbe.h).
struct Trait {
  StringLiteral name;
  int32_t id;
};
constexpr Trait distrustsDriver{"distrusts_driver", 0};
constexpr Trait roundsFmaTwice{"rounds_fma_twice", 1};
} // namespace

static Value readTrait(OpBuilder &b, Location loc, const Trait &trait) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto module = parent->getParentOfType<spirv::ModuleOp>();
  if (!module.lookupSymbol(trait.name)) {
    OpBuilder before = OpBuilder::atBlockBegin(module.getBody());
    auto constant = spirv::SpecConstantOp::create(before, loc, trait.name,
                                                  b.getI32IntegerAttr(1));
    constant->setAttr("spec_id", b.getI32IntegerAttr(trait.id));
  }
  return spirv::ReferenceOfOp::create(b, loc, b.getI32Type(), trait.name);
}

/// Returns the highest bit of the thread's index in its block (always 0), or a
/// known 0 if the driver is trusted.
Value createHiddenZero(OpBuilder &b, Location loc) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  Type word = b.getI32Type();
  Value ids = spirv::getBuiltinVariableValue(
      parent, spirv::BuiltIn::LocalInvocationId, word, b);
  Value id = spirv::CompositeExtractOp::create(b, loc, ids, 0);
  Value amount =
      spirv::ConstantOp::create(b, loc, word, b.getI32IntegerAttr(31));
  Value bit = spirv::ShiftRightLogicalOp::create(b, loc, word, id, amount);
  return spirv::BitwiseAndOp::create(b, loc, word, bit,
                                     readTrait(b, loc, distrustsDriver));
}

static void fuseProducts(spirv::FuncOp function, bool hasDoubles) {
  SmallVector<spirv::GLFmaOp> ops;
  function.walk([&](spirv::GLFmaOp op) { ops.push_back(op); });
  if (ops.empty())
    return;
  OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = function.getLoc();
  Value zero =
      spirv::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(0));
  Value isFused = spirv::IEqualOp::create(
      b, loc, b.getI1Type(), readTrait(b, loc, roundsFmaTwice), zero);
  for (spirv::GLFmaOp op : ops)
    fuse(op, isFused, hasDoubles);
}

void keepFloats(spirv::FuncOp function, bool hasDoubles) {
  fuseProducts(function, hasDoubles);
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
