//===- ElementRange.cpp - Value range of integer tensors ------------------===//

#include "codegen/emitters/plans/ElementRange.h"

#include "ir/tx/Tx.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::codegen {

using Range = std::optional<ElementRange>;

/// Maximum number of bits of a useful range. The search through producers stops
/// at wider dtypes, whose range gains nothing.
static constexpr unsigned maxUsefulBits = 16;

static Range ofType(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || integer.getWidth() > maxUsefulBits)
    return std::nullopt;
  int64_t count = int64_t(1) << integer.getWidth();
  if (integer.isUnsigned() || integer.getWidth() == 1)
    return ElementRange{0, count - 1};
  return ElementRange{-count / 2, count / 2 - 1};
}

static Range together(Range x, Range y) {
  if (!x || !y)
    return std::nullopt;
  return ElementRange{std::min(x->low, y->low), std::max(x->high, y->high)};
}

/// Returns the range of x + sign * y, or nullopt if it exceeds 16 bits. The
/// computation cannot overflow: bounds have 16 bits, or 32 for a constant.
static Range sumOf(Range x, Range y, int64_t sign) {
  if (!x || !y)
    return std::nullopt;
  ElementRange sum{x->low + (sign > 0 ? y->low : -y->high),
                   x->high + (sign > 0 ? y->high : -y->low)};
  return sum.isWithin(INT16_MIN, INT16_MAX) ? Range(sum) : std::nullopt;
}

static Range ofConstant(ElementsAttr value) {
  auto splat = dyn_cast<SplatElementsAttr>(value);
  if (!splat || !isa<IntegerType>(splat.getElementType()))
    return std::nullopt;
  APInt bits = splat.getSplatValue<APInt>();
  bool isUnsigned = splat.getElementType().isUnsignedInteger();
  if (bits.getBitWidth() > 32)
    return std::nullopt;
  int64_t number = isUnsigned ? bits.getZExtValue() : bits.getSExtValue();
  return ElementRange{number, number};
}

std::optional<ElementRange> elementRange(Value v) {
  if (Range range = ofType(v.getType()))
    return range;
  // Sums of other types may wrap around at other bounds.
  if (!getElementTypeOrSelf(v.getType()).isInteger(32) || !v.getDefiningOp())
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Range>(v.getDefiningOp())
      .Case([](tx::ConvertOp op) { return ofType(op.getX().getType()); })
      .Case([](tx::ConstantOp op) { return ofConstant(op.getValue()); })
      .Case<tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp, tx::SliceOp,
            tx::WindowsOp>([](auto op) { return elementRange(op.getX()); })
      .Case([](tx::PadOp op) {
        return together(elementRange(op.getX()), elementRange(op.getValue()));
      })
      .Case([](tx::AddOp op) {
        return sumOf(elementRange(op.getX()), elementRange(op.getY()), 1);
      })
      .Case([](tx::SubOp op) {
        return sumOf(elementRange(op.getX()), elementRange(op.getY()), -1);
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tensorc::codegen
