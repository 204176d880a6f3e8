//===- SortBuffers.cpp - The elements of a row in scratch memory ----------===//

#include "codegen/emitters/simd/sort/parts/SortBuffers.h"
#include "codegen/emitters/simd/sort/parts/PackedLanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;

namespace tensorc::codegen::simd {

Value SortBuffers::key(Value at) const {
  return memref::LoadOp::create(b, keys, at);
}

Value SortBuffers::position(Value at) const {
  if (!positions)
    return {};
  return arith::IndexCastOp::create(b, b.getIndexType(),
                                    memref::LoadOp::create(b, positions, at));
}

void SortBuffers::put(Value at, Value key, Value position) {
  memref::StoreOp::create(b, key, keys, at);
  if (positions)
    memref::StoreOp::create(
        b, arith::IndexCastOp::create(b, b.getI64Type(), position), positions,
        at);
}

void SortBuffers::putLanes(Value at, Value some) {
  vector::StoreOp::create(b, some, keys, at);
}

Value SortBuffers::putPacked(Value at, Value some, Value position, Value mask) {
  int64_t lanes = cast<VectorType>(some.getType()).getNumElements();
  putLanes(at, packLanes(b, some, mask));
  if (positions) {
    auto narrow = VectorType::get({lanes}, b.getI32Type());
    auto wide = VectorType::get({lanes}, b.getI64Type());
    SmallVector<int32_t> numbers(lanes);
    std::iota(numbers.begin(), numbers.end(), 0);
    Value lane = arith::ConstantOp::create(
        b, DenseElementsAttr::get(narrow, ArrayRef(numbers)));
    Value first = vector::BroadcastOp::create(
        b, wide, arith::IndexCastOp::create(b, b.getI64Type(), position));
    Value offsets = arith::ExtUIOp::create(b, wide, packLanes(b, lane, mask));
    vector::StoreOp::create(b, arith::AddIOp::create(b, first, offsets),
                            positions, at);
  }
  return countLanes(b, mask);
}

LogicalResult SortBuffers::moveToFront(Value from, Value count) {
  return success(succeeded(
      forRange(kernel, indexConstant(kernel, 0), count, 1, {},
               [&](Value i, ValueRange) -> FailureOr<SmallVector<Value>> {
                 Value source = b.createOrFold<arith::AddIOp>(from, i);
                 put(i, key(source), position(source));
                 return SmallVector<Value>();
               })));
}

FailureOr<Value> chooseIndex(ImplicitLocOpBuilder &b, Value condition,
                             IndexBranch then, IndexBranch otherwise) {
  APInt known;
  if (matchPattern(condition, m_ConstantInt(&known)))
    return known.isZero() ? otherwise() : then();
  auto ifOp = scf::IfOp::create(b, b.getIndexType(), condition,
                                /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (bool holds : {true, false}) {
    b.setInsertionPointToStart(holds ? ifOp.thenBlock() : ifOp.elseBlock());
    FailureOr<Value> from = holds ? then() : otherwise();
    if (failed(from))
      return failure();
    scf::YieldOp::create(b, *from);
  }
  return Value(ifOp.getResult(0));
}

} // namespace tensorc::codegen::simd
