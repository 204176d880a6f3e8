//===- ExpressionEmitter.cpp - Emits elements of a fusion's values --------===//

#include "codegen/emitters/ElementLocations.h"
#include "codegen/emitters/scalar/Quotient.h"
#include "codegen/emitters/scalar/RandomBits.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Guard;
using analysis::Index;

ExpressionEmitter::ExpressionEmitter(KernelBuilder &kernel,
                                     const analysis::IterationSpace &space,
                                     ValueRange dimValues,
                                     std::optional<Lanes> lanes, Value mask)
    : kernel(kernel), b(kernel.b), space(space), dimValues(dimValues),
      lanes(lanes), mask(mask), scopes(1) {}

bool ExpressionEmitter::variesByLane(AffineExpr expr) const {
  return lanes && expr.isFunctionOfDim(lanes->dim);
}

bool ExpressionEmitter::variesByLane(const Index &index) const {
  return llvm::any_of(index, [&](AffineExpr e) { return variesByLane(e); });
}

ExpressionEmitter::Key ExpressionEmitter::keyOf(Value v,
                                                const Index &index) const {
  return {v, AffineMap::get(space.getRank(), space.getNames().names().size(),
                            index, v.getContext())};
}

Value ExpressionEmitter::nothing(Type element, bool byLane) {
  Type type = byLane ? Type(VectorType::get({lanes->width}, element)) : element;
  return constantOf(b, b.getLoc(), type, 0);
}

Value ExpressionEmitter::splat(Value scalar) {
  if (!lanes || isa<VectorType>(scalar.getType()))
    return scalar;
  return vector::BroadcastOp::create(
      b, VectorType::get({lanes->width}, scalar.getType()), scalar);
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value ExpressionEmitter::indexValue(AffineExpr expr) {
  for (Scope &scope : scopes)
    if (Value known = scope.indices.lookup(expr))
      return known;
  Value value = emitIndex(
      b, expr, [&](unsigned d) { return dimValues[d]; },
      [&](unsigned s) { return kernel.symbol(s); });
  scopes.back().indices[expr] = value;
  return value;
}

Value ExpressionEmitter::laneIndex(AffineExpr expr) {
  auto type = VectorType::get({lanes->width}, b.getIndexType());
  if (!variesByLane(expr))
    return vector::BroadcastOp::create(b, type, indexValue(expr));
  if (isa<AffineDimExpr>(expr)) {
    Value first = vector::BroadcastOp::create(b, type, dimValues[lanes->dim]);
    return arith::AddIOp::create(b, first, vector::StepOp::create(b, type));
  }
  if (auto known = offsetsOfLanes(expr, /*fromFirst=*/false))
    return arith::ConstantOp::create(
        b, type,
        DenseElementsAttr::get(type,
                               llvm::map_to_vector(*known, [](int64_t value) {
                                 return APInt(64, value);
                               })));
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value x = laneIndex(binary.getLHS()), y = laneIndex(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(b, x, y);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(b, x, y);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::Mod:
    return emitQuotient(b, binary, x, y);
  default:
    llvm_unreachable("ceildiv occurs in sizes only, which no lane changes");
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

FailureOr<Value> ExpressionEmitter::emitLanes(Value v, const Index &index) {
  FailureOr<Value> element = emit(v, index);
  if (failed(element))
    return failure();
  return splat(*element);
}

FailureOr<Value> ExpressionEmitter::emit(Value v, const Index &index) {
  if (Value element = bound.lookup(v))
    return element;
  Key key = keyOf(v, index);
  for (Scope &scope : scopes)
    if (Value known = scope.elements.lookup(key))
      return known;
  Location outer = b.getLoc();
  if (Operation *op = v.getDefiningOp())
    b.setLoc(op->getLoc());
  FailureOr<Value> element = compute(v, index);
  b.setLoc(outer);
  if (succeeded(element))
    scopes.back().elements[key] = *element;
  return element;
}

FailureOr<Value> ExpressionEmitter::compute(Value v, const Index &index) {
  if (auto argument = dyn_cast<BlockArgument>(v))
    return load(argument, index);
  if (v == boundRows.value)
    return loadBoundRows(index);
  Operation *op = v.getDefiningOp();
  if (op->hasTrait<tx::Elementwise>())
    return elementwise(op, index);
  if (llvm::any_of(op->getOpOperands(), analysis::isReadAnywhere))
    return readAtElements(op, index);
  return TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](tx::ConstantOp constant) -> FailureOr<Value> {
        auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
        if (!elements || !elements.isSplat())
          return op->emitError("a constant of many elements must be an input "
                               "of its fusion");
        Type type = kernelType(elements.getElementType());
        Attribute value = elements.getSplatValue<Attribute>();
        if (auto i = dyn_cast<IntegerAttr>(value))
          value = IntegerAttr::get(type, i.getValue());
        return Value(arith::ConstantOp::create(b, cast<TypedAttr>(value)));
      })
      .Case([&](tx::IotaOp iotaOp) { return iota(iotaOp, index); })
      .Case([&](tx::SizeOp sizeOp) { return size(sizeOp); })
      .Case([&](tx::RandomBitsOp bits) { return randomBits(bits, index); })
      .Case<tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp, tx::SliceOp,
            tx::WindowsOp>([&](auto) {
        auto operands = analysis::operandIndexing(
            op, index, space, [&](Value s) { return symbolOf(s); });
        return emit(op->getOperand(0), operands[0].index);
      })
      .Case([&](tx::PadOp padOp) { return pad(padOp, index); })
      // The element of the tensor before any update; the scatter skeleton
      // applies the updates.
      .Case([&](tx::ScatterOp scatter) { return emit(scatter.getX(), index); })
      .Case(
          [&](tx::ConcatenateOp concat) { return concatenate(concat, index); })
      .Default([&](Operation *) -> FailureOr<Value> {
        return op->emitError("has no element at an index of this fusion");
      });
}

FailureOr<Value> ExpressionEmitter::elementwise(Operation *op,
                                                const Index &index) {
  SmallVector<Value> operands;
  bool anyVector = false;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> element = emit(operand, index);
    if (failed(element))
      return failure();
    anyVector |= isa<VectorType>(element->getType());
    operands.push_back(*element);
  }
  if (prefetchesOnly)
    return nothing(kernelType(getElementTypeOrSelf(op->getResult(0))),
                   anyVector);
  if (anyVector)
    for (Value &operand : operands)
      operand = splat(operand);
  return emitScalar(b, b.getLoc(), op, operands);
}

FailureOr<Value> ExpressionEmitter::iota(tx::IotaOp op, const Index &index) {
  AffineExpr at = index[op.getDim()];
  Type element = op.getType().getElementType();
  Value value = variesByLane(at) ? laneIndex(at) : indexValue(at);
  Type wide = shapedLike(b.getI64Type(), value.getType());
  value = arith::IndexCastOp::create(b, wide, value);
  return convertElements(b, b.getLoc(), value, b.getI64Type(), element);
}

FailureOr<Value> ExpressionEmitter::size(tx::SizeOp op) {
  AffineExpr expr = kernel.names.affine(op.getSize().getDims()[0]);
  Value value = arith::IndexCastOp::create(b, b.getI64Type(), indexValue(expr));
  return convertElements(b, b.getLoc(), value, b.getI64Type(),
                         op.getType().getElementType());
}

FailureOr<Value> ExpressionEmitter::randomBits(tx::RandomBitsOp op,
                                               const Index &index) {
  AffineExpr at = space.linearize(index, kernel.dims(op.getResult()));
  Value position = variesByLane(at) ? laneIndex(at) : indexValue(at);
  position = arith::IndexCastOp::create(
      b, shapedLike(b.getI64Type(), position.getType()), position);
  auto wordsOf = [&](Value operand) -> FailureOr<SmallVector<Value, 4>> {
    SmallVector<Value, 4> words;
    int64_t count = cast<RankedTensorType>(operand.getType()).getNumElements();
    for (int64_t i = 0; i < count; ++i) {
      FailureOr<Value> word = emit(operand, {space.getNames().constant(i)});
      if (failed(word))
        return failure();
      words.push_back(*word);
    }
    return words;
  };
  auto key = wordsOf(op.getKey());
  FailureOr<SmallVector<Value, 4>> counter = SmallVector<Value, 4>();
  if (op.getCounter())
    counter = wordsOf(op.getCounter());
  if (failed(key) || failed(counter))
    return failure();
  // If the position within the block or any word is a vector, all of them must
  // be vectors. A padded or selected word is a vector although all its lanes
  // are equal.
  auto isVector = [](Value v) { return isa<VectorType>(v.getType()); };
  if (isVector(position) || llvm::any_of(*key, isVector) ||
      llvm::any_of(*counter, isVector)) {
    position = splat(position);
    for (Value &word : llvm::concat<Value>(*key, *counter))
      word = splat(word);
  }
  return codegen::randomBits(b, b.getLoc(), op, *key, *counter, position);
}

//===----------------------------------------------------------------------===//
// Guarded reads
//===----------------------------------------------------------------------===//

FailureOr<Value> ExpressionEmitter::scoped(Thunk thunk) {
  scopes.emplace_back();
  FailureOr<Value> result = thunk();
  scopes.pop_back();
  return result;
}

/// Compares in 32 bits per lane if the value has a constant stride across lanes
/// and all values are proven small. A register then holds twice as many lanes
/// as with 64 bits.
Value ExpressionEmitter::narrowCondition(const Guard &guard) {
  constexpr int64_t small = int64_t(1) << 30, smallStep = 64;
  std::optional<int64_t> by = laneStep(guard.value);
  AffineExpr any = space.getNames().constant(2 * small);
  auto isSmall = [&](AffineExpr e) { return space.isBelow(e + small, any); };
  if (kernel.target.isSimt() || guard.modulus != 1 ||
      variesByLane(guard.size) || !by || std::abs(*by) > smallStep ||
      !isSmall(guard.value) || !isSmall(guard.size))
    return {};
  auto type = VectorType::get({lanes->width}, b.getI32Type());
  auto all = [&](AffineExpr e) -> Value {
    return vector::BroadcastOp::create(
        b, type, arith::IndexCastOp::create(b, b.getI32Type(), indexValue(e)));
  };
  SmallVector<int32_t> steps(lanes->width);
  for (auto [lane, step] : llvm::enumerate(steps))
    step = lane * *by;
  Value step = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int32_t>(steps)));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                               arith::AddIOp::create(b, all(guard.value), step),
                               all(guard.size));
}

Value ExpressionEmitter::condition(const Guard &guard, bool byLane) {
  std::pair bounds(guard.value, guard.size);
  bool mayKnow = byLane && guard.modulus == 1;
  if (mayKnow)
    for (Scope &scope : scopes)
      if (Value known = scope.bounds.lookup(bounds))
        return known;
  if (byLane)
    if (Value narrow = narrowCondition(guard))
      return scopes.back().bounds[bounds] = narrow;
  auto at = [&](AffineExpr e) { return byLane ? laneIndex(e) : indexValue(e); };
  Value value = at(guard.value);
  // The comparison is unsigned, so that it also rejects negative values.
  Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, value,
                                       at(guard.size));
  if (mayKnow)
    scopes.back().bounds[bounds] = inside;
  if (guard.modulus == 1)
    return inside;
  Value remainder = arith::RemUIOp::create(
      b, value, at(space.getNames().constant(guard.modulus)));
  Value exact = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, remainder,
                                      at(space.getNames().constant(0)));
  return arith::AndIOp::create(b, inside, exact);
}

FailureOr<Value> ExpressionEmitter::branch(Value condition, Type type,
                                           Thunk then, Thunk otherwise) {
  auto ifOp = scf::IfOp::create(b, type, condition, /*withElse=*/true);
  for (auto [block, thunk] :
       {std::pair(ifOp.thenBlock(), then), {ifOp.elseBlock(), otherwise}}) {
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToStart(block);
    FailureOr<Value> value = scoped(thunk);
    if (failed(value))
      return failure();
    Value element = isa<VectorType>(type) ? splat(*value) : *value;
    scf::YieldOp::create(b, element);
  }
  return ifOp.getResult(0);
}

std::optional<bool> ExpressionEmitter::settled(const Guard &guard) const {
  if (guard.modulus == 1 && space.isBelow(guard.value, guard.size))
    return true;
  // The guard never holds if its value is always at least `size`, or always
  // negative.
  AffineExpr any = space.getNames().constant(int64_t(1) << 62);
  SmallVector<AffineExpr> fromTheEnd;
  for (auto [dim, size] : llvm::zip(space.identity(), space.getSizes()))
    fromTheEnd.push_back(size - 1 - dim);
  AffineExpr below = guard.value.replaceDims(fromTheEnd) * -1 - 1;
  if (space.isBelow(space.simplify(guard.value - guard.size), any) ||
      space.isBelow(space.simplify(below), any))
    return false;
  return std::nullopt;
}

FailureOr<Value> ExpressionEmitter::guarded(ArrayRef<Guard> guards,
                                            Type element, Thunk then,
                                            Thunk otherwise) {
  Value uniform, byLane;
  for (const Guard &guard : guards) {
    std::optional<bool> known = settled(guard);
    if (known == true)
      continue;
    if (known == false)
      return otherwise();
    bool varies = variesByLane(guard.value) || variesByLane(guard.size);
    Value holds = condition(guard, varies);
    Value &all = varies ? byLane : uniform;
    all = all ? arith::AndIOp::create(b, all, holds) : holds;
  }
  return conditional(uniform, byLane, element, then, otherwise);
}

Value ExpressionEmitter::allHold(ArrayRef<Guard> guards) {
  Value all;
  for (const Guard &guard : guards) {
    if (guard.modulus == 1 && space.isBelow(guard.value, guard.size))
      continue;
    Value holds = condition(guard, /*byLane=*/false);
    all = all ? arith::AndIOp::create(b, all, holds) : holds;
  }
  return all;
}

/// True if the value was loaded under this mask, so that masked-off lanes are
/// 0.
static bool isZeroOutside(Value value, Value mask) {
  auto load = value.getDefiningOp<vector::MaskedLoadOp>();
  return load && load.getMask() == mask &&
         (matchPattern(load.getPassThru(), m_PosZeroFloat()) ||
          matchPattern(load.getPassThru(), m_Zero()));
}

static bool isZero(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    value = broadcast.getSource();
  return matchPattern(value, m_PosZeroFloat()) || matchPattern(value, m_Zero());
}

FailureOr<Value> ExpressionEmitter::conditional(Value uniform, Value byLane,
                                                Type element, Thunk then,
                                                Thunk otherwise) {
  Value asMask, only = byLane;
  if (masksOnly && lanes && uniform) {
    Value all = splat(uniform);
    byLane = byLane ? Value(arith::AndIOp::create(b, byLane, all)) : all;
    asMask = std::exchange(uniform, {});
  }
  // If there is a branch and a mask, otherwise() is emitted once, before the
  // branch. If it were emitted in each arm, the code would double with each op
  // of a chain of updates.
  Value outside;
  if (uniform && byLane) {
    FailureOr<Value> before = otherwise();
    if (failed(before))
      return failure();
    outside = *before;
  }
  auto elsewhere = [&]() -> FailureOr<Value> {
    return outside ? outside : otherwise();
  };
  // While the operand is emitted, lanes outside `byLane` are masked off.
  auto masked = [&]() -> FailureOr<Value> {
    if (!byLane)
      return then();
    Value outer = mask, outerRead = mayRead;
    mask = byLane;
    if (outer) {
      // Conditions that other rows share are the left operands, so that they
      // are combined only once.
      mask = only ? Value(arith::AndIOp::create(b, outer, only)) : outer;
      if (asMask)
        mask = arith::AndIOp::create(b, mask, splat(asMask));
    }
    Value read = mask;
    if (asMask)
      mayRead =
          outerRead ? arith::AndIOp::create(b, outerRead, asMask) : asMask;
    FailureOr<Value> inside = scoped(then);
    mask = outer;
    mayRead = outerRead;
    FailureOr<Value> rest = elsewhere();
    if (failed(inside) || failed(rest))
      return failure();
    if (isZeroOutside(*inside, read) && isZero(*rest))
      return *inside;
    return Value(
        arith::SelectOp::create(b, byLane, splat(*inside), splat(*rest)));
  };
  if (!uniform)
    return masked();
  Type type = lanes ? Type(VectorType::get({lanes->width}, element)) : element;
  return branch(uniform, type, masked, elsewhere);
}

FailureOr<Value> ExpressionEmitter::pad(tx::PadOp op, const Index &index) {
  auto operands = analysis::operandIndexing(
      op, index, space, [&](Value s) { return symbolOf(s); });
  return guarded(
      operands[0].guards, kernelType(op.getType().getElementType()),
      [&] { return emit(op.getX(), operands[0].index); },
      [&] { return emit(op.getValue(), {}); });
}

FailureOr<Value> ExpressionEmitter::concatenate(tx::ConcatenateOp op,
                                                const Index &index) {
  if (auto location = locate(op.getResult(), index))
    return loadChosen(*location);
  auto operands = analysis::operandIndexing(
      op, index, space, [&](Value s) { return symbolOf(s); });
  Type element = kernelType(op.getType().getElementType());
  AffineExpr position = index[op.getDim()];
  // Selects among the operands from `begin` to `end`. A long list is split in
  // halves, because a nest as deep as the number of operands takes quadratic
  // time.
  constexpr unsigned maxDepth = 8;
  std::function<FailureOr<Value>(unsigned, unsigned)> from =
      [&](unsigned begin, unsigned end) -> FailureOr<Value> {
    if (end - begin > maxDepth) {
      unsigned middle = begin + (end - begin) / 2;
      AffineExpr start =
          space.simplify(position - operands[middle].guards.front().value);
      return guarded(
          {{position, start}}, element, [&] { return from(begin, middle); },
          [&] { return from(middle, end); });
    }
    auto read = [&] {
      return emit(op.getInputs()[begin], operands[begin].index);
    };
    // Reads from the next operand. Every index of the result lies in one of the
    // operands, so the 0 after the last operand is never used.
    auto otherwise = [&]() -> FailureOr<Value> {
      if (begin + 1 < end)
        return from(begin + 1, end);
      return constantOf(b, b.getLoc(), element, 0);
    };
    return guarded(operands[begin].guards, element, read, otherwise);
  };
  return from(0, op.getInputs().size());
}

} // namespace tensorc::codegen
