//===- WindowSums.cpp - Sums of large windows in logical lanes ------------===//

#include "codegen/emitters/simd/windows/WindowSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen::simd {

void WindowSums::allocate(int64_t count) {
  this->count = count;
  for (Type element : combiner().stateTypes())
    memory.push_back(memref::AllocaOp::create(
        plan.b,
        MemRefType::get({numLanes * count * plan.lanes->width}, element),
        plan.b.getI64IntegerAttr(64)));
}

VectorType WindowSums::vectorType(Value of) const {
  return VectorType::get({plan.lanes->width},
                         cast<MemRefType>(of.getType()).getElementType());
}

Value WindowSums::position(Value lane, int64_t output) {
  int64_t width = plan.lanes->width;
  return plan.b.createOrFold<arith::AddIOp>(
      plan.b.createOrFold<arith::MulIOp>(
          lane, indexConstant(plan.kernel, count * width)),
      indexConstant(plan.kernel, output * width));
}

Combiner::State WindowSums::load(Value at) {
  Combiner::State state;
  for (Value values : memory)
    state.push_back(
        vector::LoadOp::create(plan.b, vectorType(values), values, at));
  return state;
}

void WindowSums::store(const Combiner::State &state, Value at) {
  for (auto [value, values] : llvm::zip_equal(state, memory))
    vector::StoreOp::create(plan.b, value, values, at);
}

LogicalResult WindowSums::forVectors(int64_t numVectors,
                                     function_ref<LogicalResult(Value)> body) {
  int64_t width = plan.lanes->width;
  return forRange(plan.kernel, indexConstant(plan.kernel, 0),
                  indexConstant(plan.kernel, numVectors * width), width, {},
                  [&](Value at, ValueRange) -> FailureOr<SmallVector<Value>> {
                    if (failed(body(at)))
                      return failure();
                    return SmallVector<Value>();
                  });
}

LogicalResult WindowSums::clear() {
  Combiner::State neutral = combiner().neutral(plan.lanes->width);
  return forVectors(numLanes * count, [&](Value at) {
    store(neutral, at);
    return success();
  });
}

LogicalResult WindowSums::combine(Value at, const Combiner::State &other) {
  FailureOr<Combiner::State> both = combiner().combine(load(at), other);
  if (failed(both))
    return failure();
  store(*both, at);
  return success();
}

LogicalResult WindowSums::combine(Value lane, int64_t output,
                                  const Combiner::State &other) {
  return combine(position(lane, output), other);
}

FailureOr<SmallVector<Combiner::State, 4>> WindowSums::combineLanes() {
  for (int64_t half = numLanes / 2; half > 0; half /= 2) {
    Value distance =
        indexConstant(plan.kernel, half * count * plan.lanes->width);
    if (failed(forVectors(half * count, [&](Value at) {
          return combine(
              at, load(plan.b.createOrFold<arith::AddIOp>(at, distance)));
        })))
      return failure();
  }
  SmallVector<Combiner::State, 4> states;
  for (int64_t output = 0; output < count; ++output)
    states.push_back(load(position(indexConstant(plan.kernel, 0), output)));
  return states;
}

} // namespace tensorc::codegen::simd
