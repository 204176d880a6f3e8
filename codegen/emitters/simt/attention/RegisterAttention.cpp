//===- RegisterAttention.cpp - Attention with scores in registers ---------===//
//
// A subgroup has 16 or 32 rows, and all keys and columns of them:
//
// for each tile of keys:
//   ks = the keys; barrier
//   vs = the keys' values (an asynchronous copy)
//   scores = q * ks, in fragments
//   wait for vs; barrier
//   ks = the next keys (an asynchronous copy)
//   max' = max(max, scores), by shuffles among the four lanes of a row
//   weights = exp(scores - max'), rounded to left fragments
//   results = results * exp(max - max') + weights * vs
//
// Only q, k, v and the results pass through shared memory. This needs a matrix
// unit that holds sums as it holds left operands (SumLayout.h).
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/attention/AttentionTile.h"
#include "codegen/kernel/SumLayout.h"
#include "codegen/kernel/ops/TileInstructions.h"
#include "codegen/kernel/ops/Txk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using Layout = SumLayout;
using Values = SmallVector<Value>;

/// exp(x) is computed as 2^(x log2(e)).
static constexpr double log2OfE = 1.4426950408889634;

/// Returns the lane's first row and first column in a tile of sums.
static std::pair<Value, Value> firstElement(KernelBuilder &kernel,
                                            Value thread) {
  int64_t size = kernel.target.getSubgroupSize();
  Value lane = rem(kernel, thread, indexConstant(kernel, size));
  Value perRow = indexConstant(kernel, Layout::lanesPerRow);
  return {div(kernel, lane, perRow), mul(kernel, rem(kernel, lane, perRow),
                                         indexConstant(kernel, Layout::pair))};
}

static Value exp2(ImplicitLocOpBuilder &b, Value x) {
  return txk::FastExp2Op::create(b, x.getType(), x);
}

namespace {
class RegisterAttention : public AttentionTile {
public:
  RegisterAttention(KernelBuilder &kernel, AttentionPattern pattern)
      : AttentionTile(kernel, std::move(pattern)),
        rowTiles(rows * kernel.target.getSubgroupSize() /
                 (threads * matrixSide)) {
    depth = llvm::alignTo(depth, matrixSide);
    patchStride = columns + tilePadding;
  }

private:
  /// Number of tiles of 16 rows of a subgroup.
  int64_t rowTiles;
  /// The elements of a tile that a lane holds.
  VectorType elements;
  /// True if the patch shares memory with v, and not only with q and k.
  bool patchReachesValues = false;

  /// The values that the loop carries, each by row tile. `max` and `sum` have a
  /// value for each row of a lane; `sum` is that of the lane's own columns.
  struct State {
    SmallVector<Values> max, sum, results;
  };
  State unpack(ValueRange carried);
  static Values pack(const State &state);

  Type operandType(const Operand &o) override {
    return getElementTypeOrSelf(o.value);
  }
  void planMemory() override;
  FailureOr<Values> begin(const Values &dims) override;
  FailureOr<Values> step(const Values &dims, ValueRange carried) override;
  LogicalResult finish(const Values &dims, ValueRange carried) override;
  Value resultsOf(Value sums, Value) override { return sums; }

  SmallVector<Values> multiplyScores();
  void multiplyValues(ArrayRef<Values> weights, SmallVector<Values> &results);
  FailureOr<Values> scoreRows(const Values &dims, int64_t rowTile,
                              const Values &products);
  FailureOr<Value> scoreTile(const Values &dims, int64_t rowTile,
                             int64_t column, Value products);
  Values computeWeights(const Values &scores, int64_t rowTile, State &state);

  int64_t columnTiles() const { return columns / matrixSide; }
  /// Returns the subgroup's first row of a tile of rows.
  Value firstRow(int64_t rowTile);
  Value loadTile(const Operand &o, txk::Role role, Value mn, int64_t step);
  Value at(Value row, int64_t stride, Value column) {
    return add(kernel, mul(kernel, row, indexConstant(kernel, stride)), column);
  }
  txk::FragmentType fragment(txk::Role role, Type element) {
    return txk::FragmentType::get(b.getContext(), role, element);
  }
  txk::FragmentType sumType() { return fragment(txk::Role::Sum, accumulator); }
  Value constant(Type type, double value) {
    return constantOf(b, b.getLoc(), type, value);
  }
  /// Returns a vector with the value of its row for each element of a lane.
  Value byElement(const Values &byRow);
  /// Combines a lane's elements of all tiles, for each of its rows.
  template <typename Op> Values reduceRows(const Values &tiles);
  /// Returns index i, or the last multiple of `lanes` before `size` if i is not
  /// below that.
  Value clamp(Value i, AffineExpr size, int64_t step, int64_t lanes);
};
} // namespace

//===----------------------------------------------------------------------===//
// Memory and fragments
//===----------------------------------------------------------------------===//

void RegisterAttention::planMemory() {
  elements = VectorType::get({Layout::elements}, accumulator);
  q.steps = k.steps = depth;
  for (Operand *o : {&q, &k, &v})
    planOperand(*o, /*alwaysMNMajor=*/false, tilePadding);
  for (Operand *o : {&k, &v})
    planCopy(*o);
  int64_t slices = 0;
  for (Operand *o : {&q, &k, &v})
    slices += arrayBytes(o->elements(), operandType(*o));
  int64_t results = arrayBytes(rows * patchStride, accumulator);
  patchReachesValues =
      results > slices - arrayBytes(v.elements(), operandType(v));
  shared = kernel.addWorkgroupMemory(std::max(slices, results), b.getI8Type());
  patch = view(shared, 0, rows * patchStride, accumulator);
  for (Operand *o : {&q, &k, &v})
    o->memory = array(o->elements(), operandType(*o));
}

Value RegisterAttention::firstRow(int64_t rowTile) {
  Value subgroup = div(kernel, thread,
                       indexConstant(kernel, kernel.target.getSubgroupSize()));
  return add(
      kernel,
      mul(kernel, subgroup, indexConstant(kernel, rowTiles * matrixSide)),
      indexConstant(kernel, rowTile * matrixSide));
}

Value RegisterAttention::loadTile(const Operand &o, txk::Role role, Value mn,
                                  int64_t step) {
  Value k = indexConstant(kernel, step);
  Value first =
      o.storedAlongSteps ? at(mn, o.stride(), k) : at(k, o.stride(), mn);
  return txk::TileLoadOp::create(b, fragment(role, operandType(o)), o.memory,
                                 first, o.stride(), !o.storedAlongSteps);
}

RegisterAttention::State RegisterAttention::unpack(ValueRange carried) {
  State state;
  for (auto [part, count] : {std::pair(&State::max, Layout::rows),
                             {&State::sum, Layout::rows},
                             {&State::results, columnTiles()}})
    for (int64_t i = 0; i < rowTiles; ++i) {
      (state.*part).push_back(llvm::to_vector(carried.take_front(count)));
      carried = carried.drop_front(count);
    }
  return state;
}

Values RegisterAttention::pack(const State &state) {
  Values carried;
  for (auto *part : {&state.max, &state.sum, &state.results})
    for (const Values &values : *part)
      llvm::append_range(carried, values);
  return carried;
}

//===----------------------------------------------------------------------===//
// The loop over keys
//===----------------------------------------------------------------------===//

FailureOr<Values> RegisterAttention::begin(const Values &dims) {
  if (k.isCopied() && failed(beginCopy(k, dims)))
    return failure();
  Value zero = txk::TileZeroOp::create(b, sumType());
  State first;
  first.max.assign(rowTiles,
                   Values(Layout::rows, constant(accumulator, -infinity)));
  first.sum.assign(rowTiles, Values(Layout::rows, constant(accumulator, 0)));
  first.results.assign(rowTiles, Values(columnTiles(), zero));
  return pack(first);
}

/// The first barrier follows the last reads of v, and the second one those of
/// k, so each operand needs a single buffer: v is copied during the first
/// product, and the next tile of k during the second one.
FailureOr<Values> RegisterAttention::step(const Values &dims,
                                          ValueRange carried) {
  if (k.isCopied())
    txk::CopyWaitOp::create(b, 0);
  else if (failed(fill(k, dims)))
    return failure();
  barrier(kernel);
  if (failed(v.isCopied() ? beginCopy(v, dims) : fill(v, dims)))
    return failure();
  SmallVector<Values> products = multiplyScores();
  if (v.isCopied())
    txk::CopyWaitOp::create(b, 0);
  barrier(kernel);
  if (k.isCopied() && failed(beginCopy(k, nextKeys(dims))))
    return failure();
  State state = unpack(carried);
  SmallVector<Values> weights;
  for (int64_t i = 0; i < rowTiles; ++i) {
    FailureOr<Values> scores = scoreRows(dims, i, products[i]);
    if (failed(scores))
      return failure();
    weights.push_back(computeWeights(*scores, i, state));
  }
  multiplyValues(weights, state.results);
  return pack(state);
}

/// Returns the products by tile of rows and tile of keys.
SmallVector<Values> RegisterAttention::multiplyScores() {
  Value zero = txk::TileZeroOp::create(b, sumType());
  SmallVector<Values> sums(rowTiles, Values(keys / matrixSide, zero));
  for (int64_t step = 0; step < depth; step += matrixSide) {
    Values lefts;
    for (int64_t i = 0; i < rowTiles; ++i)
      lefts.push_back(loadTile(q, txk::Role::Left, firstRow(i), step));
    for (int64_t key = 0; key < keys; key += matrixSide) {
      Value right =
          loadTile(k, txk::Role::Right, indexConstant(kernel, key), step);
      for (auto [left, tiles] : llvm::zip(lefts, sums)) {
        Value &sum = tiles[key / matrixSide];
        sum = txk::TileMmaOp::create(b, sumType(), left, right, sum);
      }
    }
  }
  return sums;
}

/// Adds weights times v to the results.
void RegisterAttention::multiplyValues(ArrayRef<Values> weights,
                                       SmallVector<Values> &results) {
  for (int64_t step = 0; step < keys; step += matrixSide)
    for (int64_t column = 0; column < columns; column += matrixSide) {
      Value right =
          loadTile(v, txk::Role::Right, indexConstant(kernel, column), step);
      for (int64_t i = 0; i < rowTiles; ++i) {
        Value &sum = results[i][column / matrixSide];
        sum = txk::TileMmaOp::create(b, sumType(),
                                     weights[i][step / matrixSide], right, sum);
      }
    }
}

LogicalResult RegisterAttention::finish(const Values &dims,
                                        ValueRange carried) {
  // All reads of q and k precede the last barrier of the loop, if there is one.
  if (patchReachesValues || !isa<AffineConstantExpr>(count))
    barrier(kernel);
  State state = unpack(carried);
  Value laneRow = firstElement(kernel, thread).first;
  for (int64_t i = 0; i < rowTiles; ++i) {
    Value first = firstRow(i);
    Values factors;
    for (int64_t row = 0; row < Layout::rows; ++row) {
      Values at = dims;
      Value inTile = add(kernel, laneRow,
                         indexConstant(kernel, row * Layout::rowDistance));
      at[rowLoop] =
          clamp(add(kernel, dims[rowLoop], add(kernel, first, inTile)),
                loops.sizes[rowLoop], rows, 1);
      Value sum = acrossLanes(state.sum[i][row], Layout::lanesPerRow,
                              /*isMax=*/false);
      FailureOr<Value> factor = rowFactor(at, state.max[i][row], sum);
      if (failed(factor))
        return failure();
      factors.push_back(*factor);
    }
    Value ofElements = byElement(factors);
    for (auto [column, sum] : llvm::enumerate(state.results[i])) {
      Value results = applyFactors(
          txk::TileElementsOp::create(b, elements, sum), ofElements);
      txk::TileStoreOp::create(
          b, txk::TileOfElementsOp::create(b, sumType(), results), patch,
          at(first, patchStride, indexConstant(kernel, column * matrixSide)),
          patchStride);
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

Value RegisterAttention::clamp(Value i, AffineExpr size, int64_t step,
                               int64_t lanes) {
  if (!isBelow(i, size, step))
    return i;
  Value last = sub(kernel, kernel.size(size), indexConstant(kernel, lanes));
  return min(kernel, i, last);
}

Value RegisterAttention::byElement(const Values &byRow) {
  Values values;
  for (int64_t i = 0; i < Layout::elements; ++i)
    values.push_back(byRow[Layout::numberOfRow(i)]);
  return vector::FromElementsOp::create(b, elements, values);
}

template <typename Op>
Values RegisterAttention::reduceRows(const Values &tiles) {
  Value all = tiles.front();
  for (Value tile : ArrayRef(tiles).drop_front())
    all = Op::create(b, all, tile);
  Values byRow(Layout::rows);
  for (int64_t i = 0; i < Layout::elements; ++i) {
    Value element = vector::ExtractOp::create(b, all, ArrayRef<int64_t>{i});
    Value &row = byRow[Layout::numberOfRow(i)];
    row = row ? Value(Op::create(b, row, element)) : element;
  }
  return byRow;
}

/// Returns the scores of a tile, given their products. Scores of keys outside of
/// the tensor are -inf. Indices outside are clamped, so that the scores need no
/// branches: a row outside is computed like the last one, and not stored.
FailureOr<Value> RegisterAttention::scoreTile(const Values &dims,
                                              int64_t rowTile, int64_t column,
                                              Value products) {
  unsigned keyLoop = kLoops[0];
  // Pairs of contiguous keys are inside or outside together.
  int64_t lanes = scoreLanes(Layout::pair);
  Value all = txk::TileElementsOp::create(b, elements, products);
  auto [laneRow, laneColumn] = firstElement(kernel, thread);
  Value row =
      add(kernel, dims[rowLoop], add(kernel, firstRow(rowTile), laneRow));
  Value key = add(kernel, dims[keyLoop], laneColumn);
  Values scores;
  for (int64_t i = 0; i < Layout::elements; i += lanes) {
    Values at = dims;
    at[rowLoop] =
        clamp(add(kernel, row, indexConstant(kernel, Layout::rowOf(i))),
              loops.sizes[rowLoop], rows, 1);
    Value ownKey =
        add(kernel, key, indexConstant(kernel, column + Layout::columnOf(i)));
    at[keyLoop] = clamp(ownKey, loops.sizes[keyLoop], keys, lanes);
    Value product = vector::ExtractOp::create(b, all, ArrayRef<int64_t>{i});
    if (lanes > 1)
      product =
          vector::ShuffleOp::create(b, all, all, ArrayRef<int64_t>{i, i + 1});
    FailureOr<Value> score = scoreAt(at, product);
    if (failed(score))
      return failure();
    if (Value inside = isBelow(ownKey, loops.sizes[keyLoop], keys))
      score = arith::SelectOp::create(b, inside, *score,
                                      constant(score->getType(), -infinity))
                  .getResult();
    if (lanes == 1)
      scores.push_back(*score);
    else
      for (int64_t lane = 0; lane < lanes; ++lane)
        scores.push_back(
            vector::ExtractOp::create(b, *score, ArrayRef<int64_t>{lane}));
  }
  return vector::FromElementsOp::create(b, elements, scores).getResult();
}

/// Returns the scores of a tile of rows, by tile of keys.
FailureOr<Values> RegisterAttention::scoreRows(const Values &dims,
                                               int64_t rowTile,
                                               const Values &products) {
  Values scores;
  for (auto [i, tile] : llvm::enumerate(products)) {
    FailureOr<Value> score = scoreTile(dims, rowTile, i * matrixSide, tile);
    if (failed(score))
      return failure();
    scores.push_back(*score);
  }
  return scores;
}

/// Returns left fragments of weights, and updates the state of the tile of rows.
/// Weights are rounded only once, to the type in which they are multiplied.
///
/// The maximum is subtracted before the difference is multiplied by log2(e):
/// the product of a large maximum, as of a row masked by -1e9, has a rounding
/// error above 1, and the row's largest weight must be 1.
Values RegisterAttention::computeWeights(const Values &scores, int64_t rowTile,
                                         State &state) {
  auto weigh = [&](Value score, Value shift) {
    Value difference = arith::SubFOp::create(b, score, shift);
    Value log2e = constant(difference.getType(), log2OfE);
    return exp2(b, arith::MulFOp::create(b, difference, log2e));
  };
  Values here = reduceRows<arith::MaximumFOp>(scores), factors, shifts;
  for (auto [max, inTile] : llvm::zip(state.max[rowTile], here)) {
    Value before = max;
    max = arith::MaximumFOp::create(
        b, max, acrossLanes(inTile, Layout::lanesPerRow, /*isMax=*/true));
    shifts.push_back(finite(max));
    factors.push_back(weigh(before, shifts.back()));
  }
  Value shift = byElement(shifts);
  Values weights, lefts;
  for (Value score : scores) {
    Value weight = weigh(score, shift);
    weights.push_back(weight);
    lefts.push_back(txk::TileNarrowOp::create(
        b, fragment(txk::Role::Left, operandType(v)), weight));
  }
  Values sums = reduceRows<arith::AddFOp>(weights);
  for (auto [sum, factor, more] : llvm::zip(state.sum[rowTile], factors, sums))
    sum = math::FmaOp::create(b, sum, factor, more);
  Value scale = byElement(factors);
  for (Value &result : state.results[rowTile]) {
    Value scaled = arith::MulFOp::create(
        b, txk::TileElementsOp::create(b, elements, result), scale);
    result = txk::TileOfElementsOp::create(b, sumType(), scaled);
  }
  return lefts;
}

FailureOr<KernelSpec> emitRegisterAttention(KernelBuilder &kernel,
                                            AttentionPattern pattern) {
  return RegisterAttention(kernel, std::move(pattern)).emit();
}

} // namespace tensorc::codegen::simt
