//===- MmaLayout.cpp - Fragments of ldmatrix and mma.sync -----------------===//
//
// Lane l holds, with g = l / 4, t = 2 (l mod 4), and words of 4 bytes of K steps:
//   left   rows g and g + 8, words t / 2 and t / 2 + 4
//   right  columns g and g + 8 (two instructions), the same words
//   sum    rows g and g + 8, columns t, t + 1 and t + 8, t + 9
//
// The instructions are m16n8k8 (tf32), m16n8k16 (f16, bf16) and m16n8k32 (bytes).
// ldmatrix distributes words, whatever they hold. It transposes elements of two
// bytes only; others that are contiguous along rows are loaded one by one.
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

class MmaLayout : public TileLayout {
public:
  explicit MmaLayout(gpu::GPUFuncOp kernel) : TileLayout(kernel, 32) {}

  VectorType registersOf(txk::FragmentType type) override {
    if (type.getRole() == txk::Role::Sum)
      return VectorType::get({8}, type.getElement());
    return VectorType::get({4}, b.getI32Type());
  }

  /// Each lane passes the address of one row of matrix lane / 8. In a left
  /// tile, the first two matrices are consecutive along rows; in a right tile,
  /// they are consecutive along K.
  Value load(txk::TileLoadOp op, txk::FragmentType type) override {
    loc = op.getLoc();
    bool right = type.getRole() == txk::Role::Right;
    bool isMNMajor = op.getMnMajor();
    int64_t stride = op.getStride();
    int64_t bytes = tileElementBytes(type.getElement());
    if (isMNMajor && bytes != 2)
      return loadEach(op, type);
    unsigned kind = unsigned(right) | unsigned(isMNMajor) << 1;
    Value own = offset(kind, stride, [&] {
      Value matrix = div(lane(), 8), row = rem(lane(), 8);
      Value inner = rem(matrix, 2), outer = div(matrix, 2);
      Value mn = mul(right ? outer : inner, 8),
            k = mul(right ? inner : outer, 16 / bytes);
      if (isMNMajor)
        return add(mul(add(k, row), stride), mn);
      return add(mul(add(mn, row), stride), k);
    });
    return txk::NvLdmatrixOp::create(
        b, loc, VectorType::get({4}, b.getI32Type()), op.getMemory(),
        add(op.getIndex(), own), isMNMajor ? b.getUnitAttr() : UnitAttr());
  }

  Value multiply(txk::TileMmaOp op, txk::FragmentType left,
                 txk::FragmentType right) override {
    loc = op.getLoc();
    Value halves[2];
    for (int64_t h : {0, 1}) {
      Value y = pick(op.getRight(), {2 * h, 2 * h + 1});
      Value sum = pick(op.getSum(), {4 * h, 4 * h + 1, 4 * h + 2, 4 * h + 3});
      if (left.getElement().isInteger(8))
        halves[h] =
            txk::NvMmaBytesOp::create(b, loc, sum.getType(), op.getLeft(), y,
                                      sum, isUnsigned(left), isUnsigned(right));
      else
        halves[h] = txk::NvMmaOp::create(b, loc, sum.getType(), op.getLeft(), y,
                                         sum, elementOf(left));
    }
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

  /// Sums and the words of a left tile have the same rows and columns.
  Value narrow(txk::TileNarrowOp op, txk::FragmentType type) override {
    return txk::NvNarrowOp::create(b, op.getLoc(), registersOf(type),
                                   op.getElements(), elementOf(type));
  }

private:
  /// Loads a tile without ldmatrix: each of the lane's four words.
  Value loadEach(txk::TileLoadOp op, txk::FragmentType type) {
    bool right = type.getRole() == txk::Role::Right;
    int64_t stride = op.getStride();
    int64_t perWord = 4 / tileElementBytes(type.getElement());
    Value own = offset(6 + unsigned(perWord), stride, [&] {
      Value step = mul(rem(lane(), 4), perWord);
      return add(mul(step, stride), div(lane(), 4));
    });
    Value first = add(op.getIndex(), own);
    SmallVector<Value> elements;
    for (int64_t word = 0; word < 4; ++word) {
      int64_t inner = word % 2, outer = word / 2;
      int64_t mn = 8 * (right ? outer : inner),
              k = 4 * perWord * (right ? inner : outer);
      for (int64_t i = 0; i < perWord; ++i)
        elements.push_back(memref::LoadOp::create(
            b, loc, op.getMemory(), add(first, (k + i) * stride + mn)));
    }
    Type element = elements.front().getType();
    Value all = vector::FromElementsOp::create(
        b, loc, VectorType::get({4 * perWord}, element), elements);
    return vector::BitCastOp::create(b, loc, registersOf(type), all);
  }
};

} // namespace

std::unique_ptr<TileLayout> createMmaLayout(gpu::GPUFuncOp kernel) {
  return std::make_unique<MmaLayout>(kernel);
}

} // namespace tensorc::codegen
