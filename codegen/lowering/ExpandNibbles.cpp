//===- ExpandNibbles.cpp - Floats of integers of 4 bits -------------------===//
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
// x86 has no shifts of bytes, so the first form takes ten instructions for 16
// elements. A permutation looks only at the lowest 4 bits of each lane, so the
// integer has to be there, and nothing needs to be cleared above it. The term
// 2^12 does nothing: without it LLVM makes a shift and a sum of the product,
// which is one instruction.
//
// %i = arith.shrsi %v, dense<4>
// %r = arith.sitofp %i : vector<16xi8> to vector<16xf32>
// ->
// %w = arith.extui %v : vector<16xi8> to vector<16xi32>
// %f = arith.xori (arith.andi %w, dense<0xf0>), dense<0x49000080>
// %r = arith.subf %f (as floats), dense<2^19 + 8>
//
// Where all lanes take the same half of a byte, it is a part of a float's
// mantissa where it lies. The highest bit changes, which adds 8 to signed
// integers. LLVM makes one instruction of the first two operations; they and
// the difference have more places in a processor than shifts and shuffles. No
// step rounds.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDNIBBLESPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

constexpr int64_t lanes = 16;
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

/// Bytes of which each lane of `v` has a half, before the shift to the right;
/// null: there are none.
Value bytesOf(Value v) {
  auto left = v.getDefiningOp<arith::ShLIOp>();
  auto shuffle = left ? left.getLhs().getDefiningOp<vector::ShuffleOp>()
                      : vector::ShuffleOp();
  if (!shuffle || shuffle.getV1VectorType().getShape() != ArrayRef(lanes / 2) ||
      !isConstant(left.getRhs(),
                  [](int64_t lane) { return lane % 2 == 0 ? 4 : 0; }))
    return {};
  for (auto [lane, from] : llvm::enumerate(shuffle.getMask()))
    if (from != static_cast<int64_t>(lane) / 2)
      return {};
  return shuffle.getV1();
}

template <typename Conversion, typename Shift> void expand(Conversion op) {
  auto type = dyn_cast<VectorType>(op.getType());
  auto right = op.getIn().template getDefiningOp<Shift>();
  if (!right || !type || !type.getElementType().isF32() ||
      type.getShape() != ArrayRef(lanes) ||
      !getElementTypeOrSelf(right.getType()).isInteger(8) ||
      !isConstant(right.getRhs(), [](int64_t) { return 4; }))
    return;
  Value bytes = bytesOf(right.getLhs());
  if (!bytes)
    return;
  bool isSigned = std::is_same_v<Shift, arith::ShRSIOp>;
  SmallVector<float> table;
  for (int i = 0; i < lanes; ++i)
    table.push_back(static_cast<float>(isSigned && i >= 8 ? i - 16 : i));
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto words = VectorType::get({lanes / 2}, b.getI64Type());
  Value spread = arith::MulIOp::create(
      b, loc, arith::ExtUIOp::create(b, loc, words, bytes),
      arith::ConstantOp::create(
          b, loc,
          DenseElementsAttr::get(words,
                                 (int64_t(1) << 28) + (int64_t(1) << 12) + 1)));
  Value places = vector::BitCastOp::create(
      b, loc, VectorType::get({lanes}, b.getI32Type()), spread);
  Value values = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, ArrayRef<float>(table)));
  Value found =
      LLVM::CallIntrinsicOp::create(
          b, loc, type, b.getStringAttr("llvm.x86.avx512.permvar.sf.512"),
          ValueRange{values, places})
          .getResults();
  op.getResult().replaceAllUsesWith(found);
  op.erase();
}

/// Bytes of which all lanes have the half at bit `position`; null: there are
/// none, or they are parts of words, which LLVM shifts as such.
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
    getOperation()->walk([](Operation *op) {
      if (auto convert = dyn_cast<arith::SIToFPOp>(op))
        expand<arith::SIToFPOp, arith::ShRSIOp>(convert);
      else if (auto convert = dyn_cast<arith::UIToFPOp>(op))
        expand<arith::UIToFPOp, arith::ShRUIOp>(convert);
    });
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
