//===- ExpandPackedIntegers.cpp - Converts 4-bit integers to bytes --------===//
//
//   func.func @main(%x: tensor<6xi4>) { ... tx.transpose of i4 ... }
// becomes
//   %b = tx.reinterpret %x : tensor<6xi4> -> tensor<3xi8>
//   (the nibbles of %b by shifts: tensor<6xi8>) ... tx.transpose of i8 ...
//
// Two elements share a byte in the program's interface: in arguments, results,
// large constants and custom calls. All other values hold one element per byte,
// so that no kernel stores half a byte. docs/design/0061-quantized-weights.md
// gives the reasons.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/ExpandComposites.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/tx/DType.h"
#include "ir/tx/Dims.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::compiler {

#define GEN_PASS_DEF_EXPANDPACKEDINTEGERSPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {

bool isPacked(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && integer.getWidth() == 4;
}

bool isUnsigned(Type type) {
  return getElementTypeOrSelf(type).isUnsignedInteger();
}

/// Returns i8 for i4 and ui8 for ui4, for an element type or a tensor type.
Type widened(Type type) {
  if (!isPacked(type))
    return type;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tx::withElementType(tensor, widened(tensor.getElementType()));
  return IntegerType::get(type.getContext(), 8,
                          cast<IntegerType>(type).getSignedness());
}

/// Builds ops on bytes. i4 and ui4 values are sign- or zero-extended to a byte.
class NibbleBuilder {
public:
  NibbleBuilder(OpBuilder &builder, Location loc) : b(loc, builder) {}

  /// Unpacks a tensor to one element per byte.
  Value unpack(Value packed);
  /// Packs a tensor of bytes into a tensor of the packed type.
  Value pack(Value x, RankedTensorType type);
  /// Converts from a packed dtype, to a packed dtype, or between two of them.
  Value convert(Value x, Type from, RankedTensorType to);
  /// Extends the low four bits to a byte.
  Value extend(Value x, bool isUnsigned);

private:
  ImplicitLocOpBuilder b;

  using Dims = SmallVector<Dim>;
  static Dims dimsOf(Value x) {
    return Dims(tx::dimsOf(cast<RankedTensorType>(x.getType())));
  }
  static RankedTensorType typeOf(ArrayRef<Dim> dims, Value like) {
    return tx::tensorType(dims, getElementTypeOrSelf(like));
  }
  /// Sets `dims` to the shape of the packed bytes: the last dim halved if it is
  /// known to be even, else all elements in one dim, rounded up.
  bool halve(Dims &dims);
  Value constant(int64_t value, Value like);
  Value shiftLeft(Value x, Value by) { return tx::ShlOp::create(b, x, by); }
  Value shiftRight(Value x, Value by);
  Value everySecond(Value x, int64_t first, ArrayRef<Dim> dims);
};

bool NibbleBuilder::halve(Dims &dims) {
  if (!dims.empty()) {
    Dim half = floorDiv(dims.back(), 2);
    if (half * 2 == dims.back()) {
      dims.back() = half;
      return true;
    }
  }
  Dim count = shape::product(dims);
  dims = {floorDiv(count + 1, 2)};
  return false;
}

/// Returns a splat with the shape of `like`.
Value NibbleBuilder::constant(int64_t value, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  auto splat = DenseElementsAttr::get(
      scalar, APInt(8, static_cast<uint64_t>(value) & 0xff));
  Value rank0 = tx::ConstantOp::create(b, scalar, splat);
  return b.createOrFold<tx::BroadcastOp>(type, rank0, ArrayRef<int64_t>{});
}

Value NibbleBuilder::shiftRight(Value x, Value by) {
  if (isUnsigned(x.getType()))
    return tx::ShrLogicalOp::create(b, x, by);
  return tx::ShrArithOp::create(b, x, by);
}

Value NibbleBuilder::extend(Value x, bool isUnsigned) {
  if (isUnsigned)
    return tx::AndOp::create(b, x, constant(15, x));
  return shiftRight(shiftLeft(x, constant(4, x)), constant(4, x));
}

Value NibbleBuilder::unpack(Value packed) {
  auto type = cast<RankedTensorType>(packed.getType());
  Dims dims = dimsOf(packed), bytes = dims;
  bool inRows = halve(bytes);
  Value x = tx::ReinterpretOp::create(
      b, tx::tensorType(bytes, widened(type.getElementType())), packed);
  // Each byte is used twice: shifted left by 4 and by 0, then right by 4.
  Dims pairs = bytes;
  pairs.push_back(2);
  SmallVector<int64_t> kept =
      llvm::to_vector(llvm::seq<int64_t>(0, bytes.size()));
  Value twice = tx::BroadcastOp::create(b, typeOf(pairs, x), x, kept);
  // The shift amounts are computed from the index, so kernels read no constant.
  auto two = RankedTensorType::get({2}, getElementTypeOrSelf(x));
  Value second = tx::IotaOp::create(b, two, 0);
  Value left = tx::SubOp::create(b, constant(4, second),
                                 shiftLeft(second, constant(2, second)));
  left = tx::BroadcastOp::create(b, twice.getType(), left,
                                 ArrayRef<int64_t>(bytes.size()));
  Value values = shiftRight(shiftLeft(twice, left), constant(4, twice));
  if (!inRows) {
    Dim all = bytes.back() * 2;
    Dim count = shape::product(dims);
    values = b.createOrFold<tx::ReshapeOp>(typeOf(all, x), values);
    // The last byte may hold a single nibble.
    if (all != count)
      values = tx::SliceOp::create(b, typeOf(count, x), values, ValueRange(),
                                   ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1});
  }
  return b.createOrFold<tx::ReshapeOp>(typeOf(dims, x), values);
}

/// Returns the elements `first`, `first` + 2, ... along the last dim.
Value NibbleBuilder::everySecond(Value x, int64_t first, ArrayRef<Dim> dims) {
  SmallVector<int64_t> offsets(dims.size(), 0), strides(dims.size(), 1);
  offsets.back() = first;
  strides.back() = 2;
  return tx::SliceOp::create(b, typeOf(dims, x), x, ValueRange(), offsets,
                             strides);
}

Value NibbleBuilder::pack(Value x, RankedTensorType type) {
  Dims bytes = dimsOf(x);
  if (!halve(bytes)) {
    Dim count = shape::product(dimsOf(x));
    x = b.createOrFold<tx::ReshapeOp>(typeOf(count, x), x);
    // For an odd number of elements the last high nibble is 0.
    auto scalar = RankedTensorType::get({}, getElementTypeOrSelf(x));
    Value zero = tx::ConstantOp::create(
        b, scalar, DenseElementsAttr::get(scalar, APInt(8, 0)));
    x = tx::PadOp::create(b, typeOf(count + 1, x), x, zero,
                          ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1},
                          ArrayRef<int64_t>{0});
  }
  Value low = everySecond(x, 0, bytes), high = everySecond(x, 1, bytes);
  low = tx::AndOp::create(b, low, constant(15, low));
  Value both = tx::OrOp::create(b, low, shiftLeft(high, constant(4, high)));
  return tx::ReinterpretOp::create(b, type, both);
}

Value NibbleBuilder::convert(Value x, Type from, RankedTensorType to) {
  auto wide = cast<RankedTensorType>(widened(to));
  Value result = b.createOrFold<tx::ConvertOp>(wide, x);
  if (!isPacked(to) || from.isInteger(1))
    return result;
  if (isa<FloatType>(from)) { // saturates
    bool isUnsigned = compiler::isUnsigned(to);
    result =
        tx::MinOp::create(b, result, constant(isUnsigned ? 15 : 7, result));
    return isUnsigned ? result
                      : tx::MaxOp::create(b, result, constant(-8, result));
  }
  return extend(result, compiler::isUnsigned(to));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// True for constants that kernels inline; larger ones are buffers.
bool isSmall(tx::ConstantOp op) {
  static constexpr int64_t maxSmall = 64;
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  return dense && (dense.isSplat() || dense.getNumElements() <= maxSmall);
}

/// True for ops that access values in the packed layout, which callers see.
bool isPackedEdge(Operation *op) {
  return isa<func::ReturnOp, tx::CustomCallOp, tx::ReinterpretOp>(op);
}

class PackedExpansion {
public:
  explicit PackedExpansion(func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  void run();

private:
  func::FuncOp function;
  OpBuilder builder;

  SmallVector<Value> packedFromOutside();
  void unpackUses(Value packed);
  void expandConstant(tx::ConstantOp op);
  void expand(Operation *op);
  void expandConvert(Operation *op);
  void pack(OpOperand &operand, Type type);
};

SmallVector<Value> PackedExpansion::packedFromOutside() {
  SmallVector<Value> values(function.getArguments());
  function.walk([&](Operation *op) {
    bool isOutside = isa<tx::CustomCallOp>(op);
    if (auto constant = dyn_cast<tx::ConstantOp>(op))
      isOutside = !isSmall(constant);
    if (isOutside)
      llvm::append_range(values, op->getResults());
  });
  llvm::erase_if(values, [](Value v) { return !isPacked(v.getType()); });
  return values;
}

/// Replaces uses of a packed value by its bytes, except in edge ops.
void PackedExpansion::unpackUses(Value packed) {
  auto reads = [](OpOperand &use) { return !isPackedEdge(use.getOwner()); };
  if (!llvm::any_of(packed.getUses(), reads))
    return;
  builder.setInsertionPointAfterValue(packed);
  Value unpacked = NibbleBuilder(builder, packed.getLoc()).unpack(packed);
  packed.replaceUsesWithIf(unpacked, reads);
}

void PackedExpansion::expandConstant(tx::ConstantOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto extend = [&](const APInt &x) {
    return isUnsigned(type) ? x.zext(8) : x.sext(8);
  };
  auto value = cast<DenseElementsAttr>(op.getValue());
  op.setValueAttr(cast<ElementsAttr>(
      value.mapValues(widened(type.getElementType()), extend)));
  op.getResult().setType(cast<RankedTensorType>(widened(type)));
}

void PackedExpansion::expandConvert(Operation *op) {
  builder.setInsertionPoint(op);
  Value x = op->getOperand(0);
  auto from = cast<RankedTensorType>(x.getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  Value result = NibbleBuilder(builder, op->getLoc())
                     .convert(x, from.getElementType(), to);
  op->replaceAllUsesWith(ValueRange(result));
  op->erase();
}

/// Rewrites an op whose operands are bytes already.
void PackedExpansion::expand(Operation *op) {
  auto constant = dyn_cast<tx::ConstantOp>(op);
  if (constant && isPacked(constant.getType()) && isSmall(constant))
    return expandConstant(constant);
  if (isa<tx::ConvertOp, tx::BitcastOp>(op) &&
      isPacked(op->getResult(0).getType()))
    return expandConvert(op);
  if (isPackedEdge(op) || constant)
    return;
  for (Value result : op->getResults())
    result.setType(widened(result.getType()));
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      argument.setType(widened(argument.getType()));
}

void PackedExpansion::pack(OpOperand &operand, Type type) {
  Operation *edge = operand.getOwner();
  builder.setInsertionPoint(edge);
  operand.set(NibbleBuilder(builder, edge->getLoc())
                  .pack(operand.get(), cast<RankedTensorType>(type)));
}

void PackedExpansion::run() {
  SmallVector<Operation *> ops;
  SmallVector<std::pair<OpOperand *, Type>> toPack;
  SmallVector<Value> outside = packedFromOutside();
  for (Operation &top : function.getBody().front())
    top.walk<WalkOrder::PreOrder>([&](Operation *op) {
      ops.push_back(op);
      for (OpOperand &operand : op->getOpOperands())
        if (isPackedEdge(op) && isPacked(operand.get().getType()) &&
            !isa<tx::ReinterpretOp>(op) &&
            !llvm::is_contained(outside, operand.get()))
          toPack.push_back({&operand, operand.get().getType()});
    });
  for (Value packed : outside)
    unpackUses(packed);
  for (Operation *op : ops)
    expand(op);
  for (auto [operand, type] : toPack)
    pack(*operand, type);
}

struct ExpandPackedIntegers
    : impl::ExpandPackedIntegersPassBase<ExpandPackedIntegers> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    if (failed(verifyTensorProgram(getOperation())))
      return signalPassFailure();
    // Expands composites whose results would change if they were computed from
    // bytes instead of 4-bit values.
    expandComposites(getOperation(), [](Operation *op) {
      return llvm::any_of(op->getOperandTypes(), isPacked) ||
             llvm::any_of(op->getResultTypes(), isPacked);
    });
    PackedExpansion(getOperation()).run();
  }
};

} // namespace
} // namespace tensorc::compiler
