//===- MfmaLayout.cpp - Fragments of mfma 16x16x16 ------------------------===//
//
// Lane l holds, with g = l mod 16 and t = 4 (l / 16):
//   left   row g, steps t ... t + 3
//   right  column g, the same steps
//   sum    rows t ... t + 3, column g
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/tiles/TileLayout.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

class MfmaLayout : public TileLayout {
public:
  explicit MfmaLayout(gpu::GPUFuncOp kernel) : TileLayout(kernel, 64) {}

  VectorType registersOf(txk::FragmentType type) override {
    if (type.getRole() == txk::Role::Sum)
      return VectorType::get({4}, b.getF32Type());
    return VectorType::get({2}, b.getI32Type());
  }

  Value load(txk::TileLoadOp op, txk::FragmentType type) override {
    loc = op.getLoc();
    bool isMNMajor = op.getMnMajor();
    int64_t stride = op.getStride();
    Value own = offset(isMNMajor, stride, [&] {
      Value mn = rem(lane(), 16), k = mul(div(lane(), 16), 4);
      return isMNMajor ? add(mul(k, stride), mn) : add(mul(mn, stride), k);
    });
    Value first = add(op.getIndex(), own);
    auto steps = VectorType::get({4}, type.getElement());
    Value elements;
    if (isMNMajor) {
      SmallVector<Value> each;
      for (int64_t k = 0; k < 4; ++k)
        each.push_back(memref::LoadOp::create(b, loc, op.getMemory(),
                                              add(first, k * stride)));
      elements = vector::FromElementsOp::create(b, loc, steps, each);
    } else {
      elements =
          vector::LoadOp::create(b, loc, steps, op.getMemory(), first,
                                 /*nontemporal=*/false, llvm::MaybeAlign(8));
    }
    return vector::BitCastOp::create(b, loc, registersOf(type), elements);
  }

  Value multiply(txk::TileMmaOp op, txk::FragmentType type) override {
    return txk::AmdMfmaOp::create(b, op.getLoc(), op.getSum().getType(),
                                  op.getLeft(), op.getRight(), op.getSum(),
                                  TypeAttr::get(type.getElement()));
  }

  Value scale(txk::TileScaleOp op) override {
    loc = op.getLoc();
    Value own = offset(3, 1, [&] { return mul(div(lane(), 16), 4); });
    Value factors = vector::LoadOp::create(
        b, loc, cast<VectorType>(op.getSum().getType()), op.getMemory(),
        add(op.getIndex(), own), /*nontemporal=*/false, llvm::MaybeAlign(16));
    return arith::MulFOp::create(b, loc, op.getSum(), factors);
  }

  void store(txk::TileStoreOp op) override {
    loc = op.getLoc();
    int64_t stride = op.getStride();
    Value own = offset(2, stride, [&] {
      return add(mul(div(lane(), 16), 4 * stride), rem(lane(), 16));
    });
    Value first = add(op.getIndex(), own);
    for (int64_t r = 0; r < 4; ++r) {
      Value sum =
          vector::ExtractOp::create(b, loc, op.getSum(), ArrayRef<int64_t>{r});
      memref::StoreOp::create(b, loc, sum, op.getMemory(),
                              add(first, r * stride));
    }
  }
};

} // namespace

std::unique_ptr<TileLayout> createMfmaLayout(gpu::GPUFuncOp kernel) {
  return std::make_unique<MfmaLayout>(kernel);
}

} // namespace tensorc::codegen
