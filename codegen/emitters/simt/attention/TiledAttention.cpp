//===- TiledAttention.cpp - Attention by matrix instructions on GPUs ------===//
//
// The subgroups divide the rows. If heads are wide, two subgroups share a row,
// each with half of the keys and half of the columns. Results stay in registers
// and are rescaled row by row when the maximum grows. Products and weights pass
// through shared memory, so that the layout of matrix fragments need not be
// known.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simt/attention/StoredScores.h"
#include "codegen/kernel/ops/Txk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using Values = SmallVector<Value>;

namespace {
class TiledAttention : public StoredScores {
public:
  TiledAttention(KernelBuilder &kernel, AttentionPattern pattern)
      : StoredScores(kernel, std::move(pattern)),
        across(threads / kernel.target.getSubgroupSize() * matrixSide / rows),
        weightStride(keys + tilePadding) {
    depth = llvm::alignTo(depth, matrixSide);
    // With 32 bytes between rows, the eight columns of four rows that lanes
    // store at once are in different banks, and so are the eight elements of
    // four rows that lanes load at once.
    scoreStride = keys + tilePadding;
    patchStride = columns + tilePadding;
  }

private:
  /// Number of subgroups that share a row.
  int64_t across;
  /// Weights in shared memory, the left operand of the product with v.
  Value weights;
  int64_t weightStride;

  Type operandType(const Operand &o) override {
    return getElementTypeOrSelf(o.value);
  }
  void planMemory() override;
  void multiplyScores() override;
  void storeWeights(Value row, Value key, Value several) override;
  Values zeroSums() override;
  FailureOr<Values> multiplyValues(ValueRange sums) override;
  void storeSums(ValueRange sums) override;

  Type accumulatorType() {
    return txk::FragmentType::get(b.getContext(), txk::Role::Sum, accumulator);
  }
  int64_t tilesOf(int64_t size) { return size / across / matrixSide; }
  /// Return the subgroup's first row, and its first element of the `size`
  /// elements that the subgroups of a row share.
  Value firstRow();
  Value firstOf(int64_t size);
  Value subgroup() {
    return div(kernel, thread,
               indexConstant(kernel, kernel.target.getSubgroupSize()));
  }
  Value loadTile(const Operand &o, txk::Role role, Value mn, int64_t step);
  Value at(Value row, int64_t stride, Value column) {
    return add(kernel, mul(kernel, row, indexConstant(kernel, stride)), column);
  }
};
} // namespace

void TiledAttention::planMemory() {
  q.steps = k.steps = depth;
  for (Operand *o : {&q, &k, &v})
    planOperand(*o, /*alwaysByPlaces=*/false, tilePadding);
  Type element = operandType(v);
  int64_t factors = arrayBytes(rows, accumulator);
  int64_t either = std::max(k.elements(), v.elements());
  int64_t slices = arrayBytes(q.elements(), element) +
                   arrayBytes(either, element) +
                   arrayBytes(rows * scoreStride, accumulator) +
                   arrayBytes(rows * weightStride, element);
  int64_t results = arrayBytes(rows * patchStride, accumulator);
  shared = kernel.addWorkgroupMemory(factors + std::max(slices, results),
                                     b.getI8Type());
  rowFactors = array(rows, accumulator);
  patch = view(shared, nextByte, rows * patchStride, accumulator);
  q.memory = array(q.elements(), element);
  k.memory = v.memory = array(either, element);
  scores = array(rows * scoreStride, accumulator);
  weights = array(rows * weightStride, element);
}

Value TiledAttention::firstRow() {
  return mul(kernel, div(kernel, subgroup(), indexConstant(kernel, across)),
             indexConstant(kernel, matrixSide));
}

Value TiledAttention::firstOf(int64_t size) {
  return mul(kernel, rem(kernel, subgroup(), indexConstant(kernel, across)),
             indexConstant(kernel, size / across));
}

Value TiledAttention::loadTile(const Operand &o, txk::Role role, Value mn,
                               int64_t step) {
  Type type = txk::FragmentType::get(b.getContext(), role, operandType(o));
  Value k = indexConstant(kernel, step);
  Value first =
      o.storedAlongSteps ? at(mn, o.stride(), k) : at(k, o.stride(), mn);
  return txk::TileLoadOp::create(b, type, o.memory, first, o.stride(),
                                 !o.storedAlongSteps);
}

void TiledAttention::multiplyScores() {
  Value row = firstRow(), key = firstOf(keys);
  Values sums(tilesOf(keys), txk::TileZeroOp::create(b, accumulatorType()));
  for (int64_t step = 0; step < depth; step += matrixSide) {
    Value left = loadTile(q, txk::Role::Left, row, step);
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value mn = add(kernel, key, indexConstant(kernel, i * matrixSide));
      Value right = loadTile(k, txk::Role::Right, mn, step);
      sum = txk::TileMmaOp::create(b, accumulatorType(), left, right, sum);
    }
  }
  for (auto [i, sum] : llvm::enumerate(sums)) {
    Value mn = add(kernel, key, indexConstant(kernel, i * matrixSide));
    txk::TileStoreOp::create(b, sum, scores, at(row, scoreStride, mn),
                             scoreStride);
  }
}

void TiledAttention::storeWeights(Value row, Value key, Value several) {
  auto type = cast<VectorType>(several.getType());
  vector::StoreOp::create(
      b, several, weights, at(row, weightStride, key), /*nontemporal=*/false,
      llvm::MaybeAlign(type.getNumElements() * bytesOf(type.getElementType())));
}

Values TiledAttention::zeroSums() {
  return Values(tilesOf(columns),
                txk::TileZeroOp::create(b, accumulatorType()));
}

FailureOr<Values> TiledAttention::multiplyValues(ValueRange carried) {
  Value row = firstRow(), column = firstOf(columns);
  Values sums;
  for (Value sum : carried)
    sums.push_back(
        txk::TileScaleOp::create(b, accumulatorType(), sum, rowFactors, row));
  Type type =
      txk::FragmentType::get(b.getContext(), txk::Role::Left, operandType(v));
  for (int64_t step = 0; step < keys; step += matrixSide) {
    Value left = txk::TileLoadOp::create(
        b, type, weights, at(row, weightStride, indexConstant(kernel, step)),
        weightStride,
        /*mn_major=*/false);
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value mn = add(kernel, column, indexConstant(kernel, i * matrixSide));
      Value right = loadTile(v, txk::Role::Right, mn, step);
      sum = txk::TileMmaOp::create(b, accumulatorType(), left, right, sum);
    }
  }
  return sums;
}

void TiledAttention::storeSums(ValueRange sums) {
  Value row = firstRow(), column = firstOf(columns);
  for (auto [i, sum] : llvm::enumerate(sums)) {
    Value mn = add(kernel, column, indexConstant(kernel, i * matrixSide));
    txk::TileStoreOp::create(b, sum, patch, at(row, patchStride, mn),
                             patchStride);
  }
}

FailureOr<KernelSpec> emitTiledAttention(KernelBuilder &kernel,
                                         AttentionPattern pattern) {
  return TiledAttention(kernel, std::move(pattern)).emit();
}

} // namespace tensorc::codegen::simt
