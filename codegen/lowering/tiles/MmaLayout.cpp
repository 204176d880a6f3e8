//===- MmaLayout.cpp - Fragments of ldmatrix and mma.sync m16n8k16 --------===//
//
// Lane l holds, with g = l / 4 and t = 2 (l mod 4):
//   left   rows g and g + 8, steps t, t + 1 and t + 8, t + 9
//   right  columns g and g + 8 (two instructions), the same steps
//   sum    rows g and g + 8, columns t, t + 1 and t + 8, t + 9
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/tiles/TileLayout.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

class MmaLayout : public TileLayout {
public:
  explicit MmaLayout(gpu::GPUFuncOp kernel) : TileLayout(kernel, 32) {}

  VectorType registersOf(txk::FragmentType type) override {
    if (type.getRole() == txk::Role::Sum)
      return VectorType::get({8}, b.getF32Type());
    return VectorType::get({4}, b.getI32Type());
  }

  /// Each lane passes the address of one row of matrix lane / 8. In a left
  /// tile, the first two matrices are consecutive along rows; in a right tile,
  /// they are consecutive along K.
  Value load(txk::TileLoadOp op, txk::FragmentType type) override {
    loc = op.getLoc();
    bool right = type.getRole() == txk::Role::Right;
    bool trans = op.getAlongPlaces();
    int64_t stride = op.getStride();
    unsigned kind = unsigned(right) | unsigned(trans) << 1;
    Value own = offset(kind, stride, [&] {
      Value matrix = div(lane(), 8), row = rem(lane(), 8);
      Value inner = mul(rem(matrix, 2), 8), outer = mul(div(matrix, 2), 8);
      Value place = right ? outer : inner, k = right ? inner : outer;
      if (trans)
        return add(mul(add(k, row), stride), place);
      return add(mul(add(place, row), stride), k);
    });
    return txk::NvLdmatrixOp::create(
        b, loc, VectorType::get({4}, b.getI32Type()), op.getMemory(),
        add(op.getIndex(), own), trans ? b.getUnitAttr() : UnitAttr());
  }

  Value multiply(txk::TileMmaOp op, txk::FragmentType type) override {
    loc = op.getLoc();
    Value halves[2];
    for (int64_t h : {0, 1})
      halves[h] = txk::NvMmaOp::create(
          b, loc, VectorType::get({4}, b.getF32Type()), op.getLeft(),
          pick(op.getRight(), {2 * h, 2 * h + 1}),
          pick(op.getSum(), {4 * h, 4 * h + 1, 4 * h + 2, 4 * h + 3}),
          TypeAttr::get(type.getElement()));
    return vector::ShuffleOp::create(b, loc, halves[0], halves[1],
                                     ArrayRef<int64_t>{0, 1, 2, 3, 4, 5, 6, 7});
  }

  /// Registers hold two elements of a row, followed by two of the row 8 rows
  /// below.
  Value scale(txk::TileScaleOp op) override {
    loc = op.getLoc();
    Value own = offset(5, 1, [&] { return div(lane(), 4); });
    Value first = add(op.getIndex(), own);
    Value low = memref::LoadOp::create(b, loc, op.getMemory(), first);
    Value high = memref::LoadOp::create(b, loc, op.getMemory(), add(first, 8));
    Value factors = vector::FromElementsOp::create(
        b, loc, cast<VectorType>(op.getSum().getType()),
        ValueRange{low, low, high, high, low, low, high, high});
    return arith::MulFOp::create(b, loc, op.getSum(), factors);
  }

  void store(txk::TileStoreOp op) override {
    loc = op.getLoc();
    int64_t stride = op.getStride();
    Value own = offset(4, stride, [&] {
      return add(mul(div(lane(), 4), stride), mul(rem(lane(), 4), 2));
    });
    Value first = add(op.getIndex(), own);
    for (int64_t h : {0, 1})
      for (int64_t low : {0, 1}) {
        int64_t part = 4 * h + 2 * low;
        vector::StoreOp::create(b, loc, pick(op.getSum(), {part, part + 1}),
                                op.getMemory(),
                                add(first, 8 * h + 8 * low * stride),
                                /*nontemporal=*/false, llvm::MaybeAlign(8));
      }
  }
};

} // namespace

std::unique_ptr<TileLayout> createMmaLayout(gpu::GPUFuncOp kernel) {
  return std::make_unique<MmaLayout>(kernel);
}

} // namespace tensorc::codegen
