//===- RandomBits.cpp - Counter-based random generators -------------------===//

#include "codegen/emitters/scalar/RandomBits.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <array>

using namespace mlir;

namespace tensorc::codegen {

namespace {

/// Emits arithmetic on 32-bit words, either i32 or vectors of i32.
class WordBuilder {
public:
  WordBuilder(OpBuilder &b, Location loc, Type i32) : b(b), loc(loc), i32(i32) {
    i64 = shapedLike(b.getI64Type(), i32);
  }

  Value word(uint32_t value) { return constant(i32, value); }
  Value wide(uint64_t value) { return constant(i64, value); }
  Value add(Value x, Value y) { return make<arith::AddIOp>(x, y); }
  Value exor(Value x, Value y) { return make<arith::XOrIOp>(x, y); }
  Value both(Value x, Value y) { return make<arith::AndIOp>(x, y); }
  Value shiftRight(Value x, Value n) { return make<arith::ShRUIOp>(x, n); }
  Value low(Value x) { return arith::TruncIOp::create(b, loc, i32, x); }
  Value high(Value x) { return low(shiftRight(x, wide(32))); }
  Value widen(Value x) { return arith::ExtUIOp::create(b, loc, i64, x); }
  Value join(Value low, Value high) {
    Value shifted = make<arith::ShLIOp>(widen(high), wide(32));
    return make<arith::OrIOp>(widen(low), shifted);
  }
  Value rotate(Value x, unsigned bits) {
    Value left = make<arith::ShLIOp>(x, word(bits));
    return make<arith::OrIOp>(left, shiftRight(x, word(32 - bits)));
  }
  /// Returns the full 64-bit product.
  Value multiply(Value x, uint32_t y) {
    return make<arith::MulIOp>(widen(x), wide(y));
  }
  Value isBelow(Value x, Value y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x, y);
  }
  Value select(Value p, Value x, Value y) {
    return arith::SelectOp::create(b, loc, p, x, y);
  }

private:
  OpBuilder &b;
  Location loc;
  Type i32, i64;

  template <typename Op> Value make(Value x, Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }
  Value constant(Type type, uint64_t value) {
    TypedAttr scalar = b.getIntegerAttr(getElementTypeOrSelf(type),
                                        static_cast<int64_t>(value));
    if (auto vector = dyn_cast<VectorType>(type))
      scalar = DenseElementsAttr::get(vector, scalar);
    return arith::ConstantOp::create(b, loc, scalar);
  }
};

using RandomBlock = SmallVector<Value, 4>;

/// Philox 4x32-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
/// (SC11).
RandomBlock philox(WordBuilder &w, RandomBlock c, Value k0, Value k1) {
  constexpr unsigned rounds = 10;
  for (unsigned round = 0; round < rounds; ++round) {
    if (round > 0) {
      k0 = w.add(k0, w.word(0x9E3779B9));
      k1 = w.add(k1, w.word(0xBB67AE85));
    }
    Value p = w.multiply(c[0], 0xD2511F53), q = w.multiply(c[2], 0xCD9E8D57);
    c = {w.exor(w.exor(w.high(q), c[1]), k0), w.low(q),
         w.exor(w.exor(w.high(p), c[3]), k1), w.low(p)};
  }
  return c;
}

RandomBlock threefry(WordBuilder &w, RandomBlock x, Value k0, Value k1) {
  constexpr unsigned rounds = 20;
  constexpr unsigned rotations[] = {13, 15, 26, 6, 17, 29, 16, 24};
  Value keys[] = {k0, k1, w.exor(w.exor(k0, k1), w.word(0x1BD11BDA))};
  x = {w.add(x[0], k0), w.add(x[1], k1)};
  for (unsigned round = 0; round < rounds; ++round) {
    x[0] = w.add(x[0], x[1]);
    x[1] = w.exor(w.rotate(x[1], rotations[round % 8]), x[0]);
    if (round % 4 != 3)
      continue;
    unsigned injection = round / 4 + 1;
    x[0] = w.add(x[0], keys[injection % 3]);
    x[1] = w.add(w.add(x[1], keys[(injection + 1) % 3]), w.word(injection));
  }
  return x;
}

/// Returns `start` + `number` as `size` words (2 or 4). An empty `start` means
/// 0.
RandomBlock counterAt(WordBuilder &w, ValueRange start, Value number,
                      unsigned size) {
  Value zero = w.word(0);
  if (start.empty()) {
    RandomBlock counter{w.low(number), w.high(number)};
    counter.resize(size, zero);
    return counter;
  }
  Value sum = w.add(w.join(start[0], start[1]), number);
  RandomBlock counter{w.low(sum), w.high(sum)};
  if (size == 2)
    return counter;
  Value carried = w.isBelow(sum, number);
  Value upper = w.join(start[2], start[3]);
  upper = w.select(carried, w.add(upper, w.wide(1)), upper);
  counter.append({w.low(upper), w.high(upper)});
  return counter;
}

} // namespace

Value randomBits(OpBuilder &b, Location loc, tx::RandomBitsOp op,
                 ValueRange key, ValueRange counter, Value position) {
  WordBuilder w(b, loc, shapedLike(b.getI32Type(), position.getType()));
  unsigned size = op.getBlockSize();
  bool isDouble = op.getType().getElementType().isInteger(64);
  unsigned perBlock = isDouble ? size / 2 : size;
  Value number = w.shiftRight(position, w.wide(llvm::Log2_32(perBlock)));
  RandomBlock block = counterAt(w, counter, number, size);
  block = size == 4 ? philox(w, block, key[0], key[1])
                    : threefry(w, block, key[0], key[1]);
  if (isDouble)
    for (unsigned i = 0; i < perBlock; ++i)
      block[i] = w.join(block[2 * i], block[2 * i + 1]);
  // Selects the word by its position within the block, with one round of
  // selects per bit of the position.
  Value wordIndex = w.low(position);
  for (unsigned count = perBlock; count > 1; count /= 2) {
    Value bit = w.both(wordIndex, w.word(count / 2));
    Value inFirst = w.isBelow(bit, w.word(1));
    for (unsigned i = 0; i < count / 2; ++i)
      block[i] = w.select(inFirst, block[i], block[i + count / 2]);
  }
  return block[0];
}

} // namespace tensorc::codegen
