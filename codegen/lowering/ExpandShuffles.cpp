//===- ExpandShuffles.cpp - Shuffles of any type by those of i32 ----------===//
//
// %y, %valid = gpu.shuffle xor %x, %offset, %width : f64
// ->
// %bits = arith.bitcast %x : f64 to i64
// %low, %valid = gpu.shuffle xor (trunc %bits), %offset, %width : i32
// %high, %_ = gpu.shuffle xor (trunc (%bits >> 32)), %offset, %width : i32
// %y = arith.bitcast (%high << 32 | %low) : i64 to f64
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDSHUFFLESPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

class Expansion {
public:
  explicit Expansion(gpu::ShuffleOp op) : op(op), b(op), loc(op.getLoc()) {}

  void run() {
    Value result = shuffle(op.getValue());
    op.getShuffleResult().replaceAllUsesWith(result);
    op.getValid().replaceAllUsesWith(valid);
    op.erase();
  }

private:
  Value shuffle(Value x) {
    Type type = x.getType();
    if (auto vector = dyn_cast<VectorType>(type))
      return shuffleLanes(x, vector);
    unsigned width = type.getIntOrFloatBitWidth();
    Type bitsType = b.getIntegerType(width);
    bool isFloat = isa<FloatType>(type);
    Value bits =
        isFloat ? arith::BitcastOp::create(b, loc, bitsType, x).getResult() : x;
    bits = width <= 32 ? shuffleNarrow(bits) : shuffleWords(bits, width);
    return isFloat ? arith::BitcastOp::create(b, loc, type, bits).getResult()
                   : bits;
  }

  Value shuffleWord(Value word) {
    auto one = gpu::ShuffleOp::create(b, loc, word, op.getOffset(),
                                      op.getWidth(), op.getMode());
    valid = one.getValid();
    return one.getShuffleResult();
  }

  Value shuffleNarrow(Value bits) {
    Type type = bits.getType(), word = b.getI32Type();
    if (type == word)
      return shuffleWord(bits);
    Value wide = arith::ExtUIOp::create(b, loc, word, bits);
    return arith::TruncIOp::create(b, loc, type, shuffleWord(wide));
  }

  Value shuffleWords(Value bits, unsigned width) {
    Type type = bits.getType();
    Value result;
    for (unsigned shift = 0; shift < width; shift += 32) {
      Value amount =
          arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, shift));
      Value part = arith::ShRUIOp::create(b, loc, bits, amount);
      part = shuffleWord(arith::TruncIOp::create(b, loc, b.getI32Type(), part));
      part = arith::ExtUIOp::create(b, loc, type, part);
      part = arith::ShLIOp::create(b, loc, part, amount);
      result = result ? arith::OrIOp::create(b, loc, result, part).getResult()
                      : part;
    }
    return result;
  }

  Value shuffleLanes(Value x, VectorType type) {
    SmallVector<Value> lanes;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      lanes.push_back(shuffle(vector::ExtractOp::create(b, loc, x, i)));
    return vector::FromElementsOp::create(b, loc, type, lanes);
  }

  gpu::ShuffleOp op;
  OpBuilder b;
  Location loc;
  Value valid;
};

struct ExpandShuffles : impl::ExpandShufflesPassBase<ExpandShuffles> {
  void runOnOperation() override {
    SmallVector<gpu::ShuffleOp> ops;
    getOperation()->walk([&](gpu::ShuffleOp op) {
      if (!op.getValue().getType().isInteger(32))
        ops.push_back(op);
    });
    for (gpu::ShuffleOp op : ops)
      Expansion(op).run();
  }
};

} // namespace
} // namespace tensorc::codegen
