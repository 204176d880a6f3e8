//===- ExpandNibbles.cpp - Convert 4-bit integers to floats ---------------===//
//
// %t = vector.shuffle %v, %v [0, 0, 1, 1, ..., 7, 7]
// %l = arith.shli %t, dense<[4, 0, 4, 0, ...]>
// %i = arith.shrsi %l, dense<4>
// %r = arith.sitofp %i : vector<16xi8> to vector<16xf32>
// ->
// %w = arith.extui %v : vector<8xi8> to vector<8xi64>
// %p = arith.muli %w, dense<1 + 2^12 + 2^28>
// %n = vector.bitcast %p : vector<8xi64> to vector<16xi32>
// %r = vpermps dense<[0.0, 1.0, ..., 7.0, -8.0, ..., -1.0]>, %n
//
// x86 has no shifts of bytes, so the original form takes ten instructions for
// 16 elements. vpermps reads only the lowest 4 bits of each lane, so the bits
// above need not be cleared. The term 2^12 does not affect these bits, but
// without it LLVM would split the product into a shift and a sum, one more
// instruction. If all lanes are multiplied by one number, such as the scale of
// a quantization group, the table is multiplied instead.
//
// %i = arith.shrsi %v, dense<4>
// %r = arith.sitofp %i : vector<16xi8> to vector<16xf32>
// ->
// %w = arith.extui %v : vector<16xi8> to vector<16xi32>
// %f = arith.xori (arith.andi %w, dense<0xf0>), dense<0x49000080>
// %r = arith.subf %f (as floats), dense<2^19 + 8>
//
// If all lanes use the same half of a byte, that half is inserted into the
// mantissa of a float without a shift. The highest bit is inverted, which adds
// 8 to signed integers. LLVM merges `and` and `xor` into one instruction. That
// instruction and the subtraction run on more execution ports than shifts and
// shuffles. No step rounds.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDNIBBLESPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

constexpr int64_t groupLanes = 16;
constexpr int64_t mantissaBits = 23, exponentBias = 127;

bool isConstant(Value v, function_ref<int64_t(int64_t lane)> expected) {
  DenseIntElementsAttr counts;
  if (!matchPattern(v, m_Constant(&counts)))
    return false;
  for (auto [lane, count] : llvm::enumerate(counts.getValues<APInt>()))
    if (count.getSExtValue() != expected(static_cast<int64_t>(lane)))
      return false;
  return true;
}

/// Matches the first form. Returns the bytes whose halves, before the right
/// shift, are the lanes of `v`, or null if `v` has another form.
Value bytesOf(Value v) {
  auto left = v.getDefiningOp<arith::ShLIOp>();
  auto shuffle = left ? left.getLhs().getDefiningOp<vector::ShuffleOp>()
                      : vector::ShuffleOp();
  if (!shuffle ||
      2 * shuffle.getV1VectorType().getNumElements() !=
          shuffle.getResultVectorType().getNumElements() ||
      !isConstant(left.getRhs(),
                  [](int64_t lane) { return lane % 2 == 0 ? 4 : 0; }))
    return {};
  for (auto [lane, from] : llvm::enumerate(shuffle.getMask()))
    if (from != static_cast<int64_t>(lane) / 2)
      return {};
  return shuffle.getV1();
}

/// Looks up the floats for the 16 four-bit integers in 8 bytes.
Value lookUp(ImplicitLocOpBuilder &b, Value table, Value bytes) {
  auto words = VectorType::get({groupLanes / 2}, b.getI64Type());
  Value spread = arith::MulIOp::create(
      b, arith::ExtUIOp::create(b, words, bytes),
      arith::ConstantOp::create(
          b, DenseElementsAttr::get(words, (int64_t(1) << 28) +
                                               (int64_t(1) << 12) + 1)));
  Value indices = vector::BitCastOp::create(
      b, VectorType::get({groupLanes}, b.getI32Type()), spread);
  return LLVM::CallIntrinsicOp::create(
             b, table.getType(),
             b.getStringAttr("llvm.x86.avx512.permvar.sf.512"),
             ValueRange{table, indices})
      .getResults();
}

/// Returns the scalar that multiplies all lanes, if that product is the only
/// use of the floats; else null.
Value scaleOfAll(Operation *floats) {
  auto product = floats->hasOneUse()
                     ? dyn_cast<arith::MulFOp>(*floats->user_begin())
                     : arith::MulFOp();
  if (!product || product.getLhs() != floats->getResult(0))
    return {};
  auto scale = product.getRhs().getDefiningOp<vector::BroadcastOp>();
  return scale && scale.getSource().getType().isF32() ? scale.getSource()
                                                      : Value();
}

template <typename Conversion, typename Shift> void expand(Conversion op) {
  auto type = dyn_cast<VectorType>(op.getType());
  auto right = op.getIn().template getDefiningOp<Shift>();
  if (!right || !type || !type.getElementType().isF32() ||
      type.getRank() != 1 || type.getNumElements() < groupLanes ||
      !llvm::isPowerOf2_64(type.getNumElements()) ||
      !getElementTypeOrSelf(right.getType()).isInteger(8) ||
      !isConstant(right.getRhs(), [](int64_t) { return 4; }))
    return;
  Value bytes = bytesOf(right.getLhs());
  if (!bytes)
    return;
  bool isSigned = std::is_same_v<Shift, arith::ShRSIOp>;
  SmallVector<float> table;
  for (int i = 0; i < groupLanes; ++i)
    table.push_back(static_cast<float>(isSigned && i >= 8 ? i - 16 : i));
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto floats = VectorType::get({groupLanes}, b.getF32Type());
  Value values = arith::ConstantOp::create(
      b, DenseElementsAttr::get(floats, ArrayRef<float>(table)));
  Operation *replaced = op;
  if (Value scale = scaleOfAll(op)) {
    replaced = *op->user_begin();
    b.setInsertionPoint(replaced);
    values = arith::MulFOp::create(
        b, values, vector::BroadcastOp::create(b, floats, scale));
  }
  int64_t count = type.getNumElements();
  SmallVector<Value> parts;
  for (int64_t lane = 0; lane < count; lane += groupLanes) {
    auto from = llvm::to_vector(llvm::seq(lane / 2, (lane + groupLanes) / 2));
    parts.push_back(lookUp(
        b, values,
        b.createOrFold<vector::ShuffleOp>(bytes, bytes, ArrayRef(from))));
  }
  while (parts.size() > 1) {
    SmallVector<Value> joined;
    for (size_t i = 0; i < parts.size(); i += 2) {
      int64_t of = cast<VectorType>(parts[i].getType()).getNumElements();
      joined.push_back(vector::ShuffleOp::create(
          b, parts[i], parts[i + 1],
          llvm::to_vector(llvm::seq<int64_t>(0, 2 * of))));
    }
    parts = joined;
  }
  Value found = parts.front();
  replaced->getResult(0).replaceAllUsesWith(found);
  replaced->erase();
  if (replaced != op)
    op.erase();
}

/// Matches the second form. Returns the bytes whose half at bit `position` is
/// in the lanes. Returns null if `shifted` has another form, or if the bytes
/// are parts of words, which LLVM shifts as words.
Value bytesOfHalves(Value shifted, int64_t &position) {
  Value bytes = shifted;
  position = 4;
  if (auto left = bytes.getDefiningOp<arith::ShLIOp>()) {
    if (!isConstant(left.getRhs(), [](int64_t) { return 4; }))
      return {};
    bytes = left.getLhs();
    position = 0;
  }
  return bytes.getDefiningOp<arith::TruncIOp>() ? Value() : bytes;
}

template <typename Conversion, typename Shift>
void expandHalves(Conversion op) {
  auto type = dyn_cast<VectorType>(op.getType());
  auto right = op.getIn().template getDefiningOp<Shift>();
  if (!right || !type || !type.getElementType().isF32() ||
      !getElementTypeOrSelf(right.getType()).isInteger(8) ||
      !isConstant(right.getRhs(), [](int64_t) { return 4; }))
    return;
  int64_t position;
  Value bytes = bytesOfHalves(right.getLhs(), position);
  if (!bytes)
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto words = type.clone(b.getI32Type());
  auto integer = [&](int64_t v) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(words, APInt(32, v)));
  };
  int64_t middle = std::is_same_v<Shift, arith::ShRSIOp> ? 8 : 0;
  int64_t exponent = mantissaBits - position;
  Value half = arith::AndIOp::create(b, arith::ExtUIOp::create(b, words, bytes),
                                     integer(int64_t(0xf) << position));
  Value bits = arith::XOrIOp::create(
      b, half,
      integer(((exponentBias + exponent) << mantissaBits) |
              (middle << position)));
  auto zero = static_cast<float>((int64_t(1) << exponent) + middle);
  Value result = arith::SubFOp::create(
      b, arith::BitcastOp::create(b, type, bits),
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, zero)));
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

struct ExpandNibbles : impl::ExpandNibblesPassBase<ExpandNibbles> {
  void runOnOperation() override {
    // Conversions are visited before products, which may be merged into them.
    SmallVector<Operation *> conversions;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
        conversions.push_back(op);
    });
    for (Operation *op : conversions)
      if (auto convert = dyn_cast<arith::SIToFPOp>(op))
        expand<arith::SIToFPOp, arith::ShRSIOp>(convert);
      else
        expand<arith::UIToFPOp, arith::ShRUIOp>(cast<arith::UIToFPOp>(op));
    getOperation()->walk([](Operation *op) {
      if (auto convert = dyn_cast<arith::SIToFPOp>(op))
        expandHalves<arith::SIToFPOp, arith::ShRSIOp>(convert);
      else if (auto convert = dyn_cast<arith::UIToFPOp>(op))
        expandHalves<arith::UIToFPOp, arith::ShRUIOp>(convert);
    });
  }
};

} // namespace

} // namespace tensorc::codegen
