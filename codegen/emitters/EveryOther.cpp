//===- EveryOther.cpp - Loads with a stride of two ------------------------===//
//
// Loads with a stride of two elements, as two contiguous vectors that are
// deinterleaved. Neighbouring positions of a window share loads: the elements
// at position + 1 lie in vectors that overlap those of `position`, and the
// elements at position + 2 are those of `position` shifted by one lane.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/ExpressionEmitter.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen {

/// Returns the vector that was loaded from `position + distance`, or null.
Value ExpressionEmitter::known(DenseMap<Scope::Location, Value> Scope::*vectors,
                               Value buffer, AffineExpr position,
                               int64_t distance) {
  AffineExpr there = space.simplify(position + distance);
  for (Scope &scope : scopes)
    if (Value vector = (scope.*vectors).lookup({buffer, there}))
      return vector;
  return {};
}

/// Loads the first (or last) of the `width` elements with stride two from
/// `position` on into the first (or last) lane of a vector. The other lanes are
/// undefined. The load reads four elements under a mask in which only that
/// element is on.
Value ExpressionEmitter::endOfEven(Value buffer, AffineExpr position,
                                   bool isFirst) {
  int64_t width = lanes->width, few = std::min<int64_t>(width, 4);
  auto type = VectorType::get(
      {few}, cast<MemRefType>(buffer.getType()).getElementType());
  AffineExpr from = isFirst ? position : position + 2 * width - 1 - few;
  SmallVector<int64_t> kept(few, width), at(width, 0);
  (isFirst ? kept.front() : kept.back()) = isFirst ? 0 : width - 1;
  at.back() = isFirst ? 0 : few - 1;
  Value loaded = loadVectors(
      buffer, indexValue(space.simplify(from)), type, [&](size_t) -> Value {
        Value off = constantOf(b, b.getLoc(), mask.getType(), 0);
        return vector::ShuffleOp::create(b, mask, off, kept);
      })[0];
  return vector::ShuffleOp::create(b, loaded, loaded, at);
}

/// If the elements at position + 2 or position - 2 were already loaded, returns
/// the elements with stride two from `position` on by shifting those by one
/// lane; otherwise returns null.
Value ExpressionEmitter::moveEven(Value buffer, AffineExpr position) {
  int64_t width = lanes->width;
  for (int64_t distance : {2, -2}) {
    Value moved = known(&Scope::everyOther, buffer, position, distance);
    if (!moved)
      continue;
    bool isFirst = distance > 0;
    SmallVector<int64_t> from;
    for (int64_t l = 0; l < width; ++l)
      from.push_back(isFirst ? width + l - 1 : width + l + 1);
    (isFirst ? from.front() : from.back()) = isFirst ? 0 : width - 1;
    return vector::ShuffleOp::create(b, endOfEven(buffer, position, isFirst),
                                     moved, from);
  }
  return {};
}

/// Loads n = `width` elements with stride two from `position` on. The two
/// vectors begin at `position` and at position + n - 1, so that nothing past
/// the last element is read. Positions of a window share the vectors.
Value ExpressionEmitter::loadEven(Value buffer, AffineExpr position,
                                  Value offset) {
  int64_t width = lanes->width;
  if (!offset)
    if (Value moved = moveEven(buffer, position))
      return moved;
  auto type = VectorType::get(
      {width}, cast<MemRefType>(buffer.getType()).getElementType());
  // Lane l is element 2l of the first vector, or element 2l - (n - 1) of the
  // second.
  auto maskOf = [&](size_t i) -> Value {
    SmallVector<int64_t> from;
    for (int64_t at = 0; at < width; ++at)
      from.push_back(i == 0 ? (at % 2 ? width : at / 2)
                            : (at % 2 ? (at + width - 1) / 2 : width));
    Value off = constantOf(b, b.getLoc(), mask.getType(), 0);
    // Conditions that are equal for all lanes are applied after the shuffle, so
    // that rows of a window share the shuffle.
    Value varies = mask, same;
    while (auto both = varies.getDefiningOp<arith::AndIOp>()) {
      Value all = both.getRhs();
      if (!all.getDefiningOp<vector::BroadcastOp>())
        break;
      same = same ? Value(arith::AndIOp::create(b, same, all)) : all;
      varies = both.getLhs();
    }
    if (varies.getDefiningOp<vector::BroadcastOp>()) {
      same = same ? Value(arith::AndIOp::create(b, same, varies)) : varies;
      varies = constantOf(b, b.getLoc(), mask.getType(), 1);
    }
    Value spread = vector::ShuffleOp::create(b, varies, off, from);
    return same ? Value(arith::AndIOp::create(b, spread, same)) : spread;
  };
  // If `position` + 1 was emitted before, the vector at position + n has been
  // loaded. It is used as the second vector. It lacks only the element at
  // position + n - 1, which is not needed.
  Value following = mask || offset
                        ? Value()
                        : known(&Scope::contiguous, buffer, position, width);
  Value first = indexValue(position);
  if (offset)
    first = b.createOrFold<arith::AddIOp>(first, offset);
  SmallVector<Value> positions{first};
  if (!following)
    positions.push_back(b.createOrFold<arith::AddIOp>(
        first, arith::ConstantIndexOp::create(b, width - 1)));
  SmallVector<Value> halves = loadVectors(buffer, positions, type, maskOf);
  if (!mask && !offset) {
    auto &contiguous = scopes.back().contiguous;
    contiguous[{buffer, space.simplify(position)}] = halves[0];
    if (!following)
      contiguous[{buffer, space.simplify(position + (width - 1))}] = halves[1];
  }
  int64_t odd = following ? 0 : 1;
  SmallVector<int64_t> picked;
  for (int64_t l = 0; l < width; ++l)
    picked.push_back(2 * l < width ? 2 * l : 2 * l + odd);
  Value even = vector::ShuffleOp::create(
      b, halves[0], following ? following : halves[1], picked);
  if (!mask && !offset)
    scopes.back().everyOther[{buffer, space.simplify(position)}] = even;
  return even;
}

} // namespace tensorc::codegen
