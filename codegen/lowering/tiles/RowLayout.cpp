//===- RowLayout.cpp - Fragments of mfma and wmma -------------------------===//
//
// A tile of the left operand has 16 rows of 32 bytes along K. Each row is divided
// into parts, and each part belongs to one lane:
//
//   instruction      parts of a row   bytes of a part   lanes
//   mfma             4                8                 64
//   wmma, half rows  2                16                32
//   wmma, rows       1                32                32; lanes 16 to 31 hold
//                                                       the rows a second time
//
// Lane l holds, with g = l mod 16 and h = l / 16:
//   left   row g: the K steps of part h (of the whole row if there is one part)
//   right  column g: the same steps
//   sum    for each element i, row rowsPerElement i + rowsPerGroup h, column g
//
// If an instruction multiplies fewer steps than a tile has, it gets the first
// steps of each lane, and a second one gets the others: a sum may run over K in
// any order that both operands share.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/TileTypes.h"
#include "codegen/kernel/ops/TileInstructions.h"
#include "codegen/lowering/tiles/TileLayout.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

/// How a family of instructions distributes a tile.
struct Rows {
  unsigned lanes;
  int64_t parts; // of a row of the left operand
  int64_t sums, rowsPerElement, rowsPerGroup;
};
constexpr Rows mfmaRows{64, 4, 4, 1, 4}, wholeRows{32, 1, 8, 2, 1},
    halfRows{32, 2, 8, 1, 8};

class RowLayout : public TileLayout {
public:
  RowLayout(gpu::GPUFuncOp kernel, const Rows &rows)
      : TileLayout(kernel, rows.lanes), rows(rows) {}

  VectorType registersOf(txk::FragmentType type) override {
    if (type.getRole() == txk::Role::Sum)
      return VectorType::get({rows.sums}, type.getElement());
    return VectorType::get({tileRowBytes / rows.parts / 4}, b.getI32Type());
  }

  Value load(txk::TileLoadOp op, txk::FragmentType type) override {
    loc = op.getLoc();
    bool isMNMajor = op.getMnMajor();
    int64_t stride = op.getStride();
    int64_t bytes = tileRowBytes / rows.parts,
            steps = tileSteps(type.getElement()) / rows.parts;
    Value own = offset(isMNMajor, stride, [&] {
      Value mn = rem(lane(), 16);
      Value k = rows.parts == 1 ? constant(0) : mul(div(lane(), 16), steps);
      return isMNMajor ? add(mul(k, stride), mn) : add(mul(mn, stride), k);
    });
    Value first = add(op.getIndex(), own);
    Type element = cast<MemRefType>(op.getMemory().getType()).getElementType();
    auto all = VectorType::get({steps}, element);
    Value elements;
    if (isMNMajor) {
      SmallVector<Value> each;
      for (int64_t k = 0; k < steps; ++k)
        each.push_back(memref::LoadOp::create(b, loc, op.getMemory(),
                                              add(first, k * stride)));
      elements = vector::FromElementsOp::create(b, loc, all, each);
    } else {
      elements = vector::LoadOp::create(
          b, loc, all, op.getMemory(), first, /*nontemporal=*/false,
          llvm::MaybeAlign(std::min<int64_t>(bytes, 16)));
    }
    return vector::BitCastOp::create(b, loc, registersOf(type), elements);
  }

  Value multiply(txk::TileMmaOp op, txk::FragmentType left,
                 txk::FragmentType right) override {
    loc = op.getLoc();
    if (rows.lanes == 64)
      return multiplyMfma(op, left);
    // A wmma has 16 K steps of any type.
    int64_t count = tileSteps(left.getElement()) / 16;
    Value sum = op.getSum();
    for (int64_t i = 0; i < count; ++i)
      sum = txk::AmdWmmaOp::create(
          b, loc, sum.getType(), part(op.getLeft(), i, count),
          part(op.getRight(), i, count), sum, elementOf(left), isUnsigned(left),
          isUnsigned(right));
    return sum;
  }

  Value scale(txk::TileScaleOp op) override {
    loc = op.getLoc();
    Value own =
        offset(3, 1, [&] { return mul(div(lane(), 16), rows.rowsPerGroup); });
    Value first = add(op.getIndex(), own);
    auto type = cast<VectorType>(op.getSum().getType());
    Value factors;
    if (rows.rowsPerElement == 1) {
      factors =
          vector::LoadOp::create(b, loc, type, op.getMemory(), first,
                                 /*nontemporal=*/false, llvm::MaybeAlign(16));
    } else {
      SmallVector<Value> each;
      for (int64_t i = 0; i < rows.sums; ++i)
        each.push_back(memref::LoadOp::create(
            b, loc, op.getMemory(), add(first, i * rows.rowsPerElement)));
      factors = vector::FromElementsOp::create(b, loc, type, each);
    }
    return arith::MulFOp::create(b, loc, op.getSum(), factors);
  }

  void store(txk::TileStoreOp op) override {
    loc = op.getLoc();
    int64_t stride = op.getStride();
    Value own = offset(2, stride, [&] {
      return add(mul(div(lane(), 16), rows.rowsPerGroup * stride),
                 rem(lane(), 16));
    });
    Value first = add(op.getIndex(), own);
    for (int64_t i = 0; i < rows.sums; ++i) {
      Value sum =
          vector::ExtractOp::create(b, loc, op.getSum(), ArrayRef<int64_t>{i});
      memref::StoreOp::create(b, loc, sum, op.getMemory(),
                              add(first, i * rows.rowsPerElement * stride));
    }
  }

private:
  const Rows &rows;

  Value multiplyMfma(txk::TileMmaOp op, txk::FragmentType type) {
    if (type.getElement().isInteger(8))
      return txk::AmdMfmaI8Op::create(b, loc, op.getSum().getType(),
                                      op.getLeft(), op.getRight(), op.getSum());
    return txk::AmdMfmaOp::create(b, loc, op.getSum().getType(), op.getLeft(),
                                  op.getRight(), op.getSum(), elementOf(type));
  }

  /// Returns part i of `count` parts of a vector.
  Value part(Value registers, int64_t i, int64_t count) {
    int64_t size =
        cast<VectorType>(registers.getType()).getNumElements() / count;
    return pick(registers,
                llvm::to_vector(llvm::seq(i * size, (i + 1) * size)));
  }
};

} // namespace

std::unique_ptr<TileLayout> createMfmaLayout(gpu::GPUFuncOp kernel) {
  return std::make_unique<RowLayout>(kernel, mfmaRows);
}
std::unique_ptr<TileLayout> createWmmaLayout(gpu::GPUFuncOp kernel,
                                             bool holdsHalfRows) {
  return std::make_unique<RowLayout>(kernel,
                                     holdsHalfRows ? halfRows : wholeRows);
}

} // namespace tensorc::codegen
