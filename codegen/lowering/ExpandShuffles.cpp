//===- ExpandShuffles.cpp - Expands shuffles of any type to i32 -----------===//
//
// %y, %valid = gpu.shuffle xor %x, %offset, %width : f64
// ->
// %bits = arith.bitcast %x : f64 to i64
// %low, %valid = gpu.shuffle xor (trunc %bits), %offset, %width : i32
// %high, %_ = gpu.shuffle xor (trunc (%bits >> 32)), %offset, %width : i32
// %y = arith.bitcast (%high << 32 | %low) : i64 to f64
//
// With the option through-memory, each of these shuffles of i32 becomes
// memref.store %word, %exchange[%thread]
// gpu.barrier
// %low = memref.load %exchange[(%thread ^ %offset) of the segment of %width]
// gpu.barrier
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDSHUFFLESPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

class ShuffleExpansion {
public:
  explicit ShuffleExpansion(gpu::ShuffleOp op)
      : op(op), b(op), loc(op.getLoc()) {}

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

/// Replaces a shuffle of i32 by a store to and a load from `exchange`, which
/// has an element for each thread of the block.
class MemoryExchange {
public:
  MemoryExchange(gpu::ShuffleOp op, Value exchange)
      : op(op), b(op), loc(op.getLoc()), exchange(exchange) {}

  void run() {
    Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
    memref::StoreOp::create(b, loc, op.getValue(), exchange, thread);
    gpu::BarrierOp::create(b, loc);
    Value lane =
        arith::IndexCastUIOp::create(b, loc, b.getI32Type(), thread).getOut();
    auto [source, valid] = chooseSource(lane);
    source = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), source);
    Value word = memref::LoadOp::create(b, loc, exchange, source);
    gpu::BarrierOp::create(b, loc);
    op.replaceAllUsesWith(ValueRange{word, valid});
    op.erase();
  }

private:
  /// Returns the thread to read from, and an i1 that is true if that thread is
  /// in the segment. If it is not, the thread reads its own word.
  std::pair<Value, Value> chooseSource(Value lane) {
    Value width = op.getWidth(), offset = op.getOffset();
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
    Value mask = arith::SubIOp::create(b, loc, zero, width);
    Value first = arith::AndIOp::create(b, loc, lane, mask);
    Value source;
    switch (op.getMode()) {
    case gpu::ShuffleMode::XOR:
      source = arith::XOrIOp::create(b, loc, lane, offset);
      break;
    case gpu::ShuffleMode::UP:
      source = arith::SubIOp::create(b, loc, lane, offset);
      break;
    case gpu::ShuffleMode::DOWN:
      source = arith::AddIOp::create(b, loc, lane, offset);
      break;
    case gpu::ShuffleMode::IDX:
      source = arith::AddIOp::create(b, loc, first, offset);
      break;
    }
    // The comparison is unsigned, so that it also rejects threads before the
    // segment.
    Value distance = arith::SubIOp::create(b, loc, source, first);
    Value valid = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        distance, width);
    return {arith::SelectOp::create(b, loc, valid, source, lane), valid};
  }

  gpu::ShuffleOp op;
  OpBuilder b;
  Location loc;
  Value exchange;
};

/// Adds a workgroup array with a word per thread to a kernel with shuffles, and
/// lowers the shuffles to accesses to it.
LogicalResult passThroughMemory(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::ShuffleOp> ops;
  kernel.walk([&](gpu::ShuffleOp op) { ops.push_back(op); });
  if (ops.empty())
    return success();
  auto block = kernel.getKnownBlockSize();
  if (!block)
    return kernel.emitOpError("has shuffles, but no known_block_size");
  MLIRContext *context = kernel.getContext();
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({(*block)[0]}, IntegerType::get(context, 32),
                              MemRefLayoutAttrInterface{}, space);
  Value exchange = kernel.addWorkgroupAttribution(type, kernel.getLoc());
  for (gpu::ShuffleOp op : ops)
    MemoryExchange(op, exchange).run();
  return success();
}

struct ExpandShuffles : impl::ExpandShufflesPassBase<ExpandShuffles> {
  using ExpandShufflesPassBase::ExpandShufflesPassBase;

  void runOnOperation() override {
    SmallVector<gpu::ShuffleOp> ops;
    getOperation()->walk([&](gpu::ShuffleOp op) {
      if (!op.getValue().getType().isInteger(32))
        ops.push_back(op);
    });
    for (gpu::ShuffleOp op : ops)
      ShuffleExpansion(op).run();
    if (!throughMemory)
      return;
    WalkResult result = getOperation()->walk([](gpu::GPUFuncOp kernel) {
      return WalkResult(passThroughMemory(kernel));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace tensorc::codegen
