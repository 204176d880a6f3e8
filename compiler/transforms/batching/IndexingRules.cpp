//===- IndexingRules.cpp - Batching rules of gathers and scatters ---------===//
//
// If both the tensor and the indices differ between examples, the number of the
// example becomes the first component of each index.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/batching/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::batching {

namespace {
struct Indices {
  Value value;
  int64_t vectorDim;
};
} // namespace

/// Returns the batched index vectors with the number of the example as an
/// additional first component. The vectors lie along `vectorDim` of one
/// example.
static Indices withExample(Step &s, Value indices, int64_t vectorDim) {
  TensorBuilder &e = s.e;
  Value all = e.convert(indices, DType::I64);
  int64_t dim = vectorDim + 1;
  if (dim == rankOf(all)) {
    SmallVector<Dim> dims(dimsOf(all));
    dims.push_back(1);
    all = e.reshape(all, dims);
  }
  SmallVector<Dim> dims(dimsOf(all));
  dims[dim] = 1;
  Value example = e.iota(DType::I64, dims, 0);
  return {e.concatenate({example, all}, dim), dim};
}

static LogicalResult batch(tx::GatherOp op, Step &s) {
  bool both = s.isBatched(0) && s.isBatched(1);
  Indices indices{s.value(1), static_cast<int64_t>(op.getIndexVectorDim())};
  if (both)
    indices = withExample(s, indices.value, indices.vectorDim);
  else if (s.isBatched(1))
    ++indices.vectorDim;
  auto made = s.again(op, ValueRange{s.value(0), indices.value});
  made.setIndexVectorDim(indices.vectorDim);
  if (!s.isBatched(0)) {
    made.setOffsetDims(shifted(op.getOffsetDims()));
    return s.give(made);
  }
  if (both) {
    made.setOffsetDims(shifted(op.getOffsetDims()));
    made.setCollapsedSliceDims(prependShifted(0, op.getCollapsedSliceDims()));
    made.setStartIndexMap(prependShifted(0, op.getStartIndexMap()));
    made.setSliceSizes(prepend(1, op.getSliceSizes()));
    return s.give(made);
  }
  made.setOffsetDims(prependShifted(0, op.getOffsetDims()));
  made.setCollapsedSliceDims(shifted(op.getCollapsedSliceDims()));
  made.setStartIndexMap(shifted(op.getStartIndexMap()));
  made.setSliceSizes(prepend(-1, op.getSliceSizes()));
  return s.give(made);
}

static LogicalResult batch(tx::ScatterOp op, Step &s) {
  Indices indices{s.value(1), static_cast<int64_t>(op.getIndexVectorDim())};
  bool differ = s.isBatched(1);
  if (differ)
    indices = withExample(s, indices.value, indices.vectorDim);
  auto made = s.again(op, ValueRange{s.whole(0), indices.value, s.whole(2)});
  made.setIndexVectorDim(indices.vectorDim);
  if (differ) {
    made.setUpdateWindowDims(shifted(op.getUpdateWindowDims()));
    made.setInsertedWindowDims(prependShifted(0, op.getInsertedWindowDims()));
    made.setScatterDimsToOperandDims(
        prependShifted(0, op.getScatterDimsToOperandDims()));
    return s.give(made);
  }
  made.setUpdateWindowDims(prependShifted(0, op.getUpdateWindowDims()));
  made.setInsertedWindowDims(shifted(op.getInsertedWindowDims()));
  made.setScatterDimsToOperandDims(shifted(op.getScatterDimsToOperandDims()));
  return s.give(made);
}

/// Returns the starts of slices, given as one operand per dim, as index vectors
/// of i64: [n, rank].
static Value stacked(Step &s, unsigned first) {
  TensorBuilder &e = s.e;
  SmallVector<Value> columns;
  for (unsigned i = first; i < s.operands.size(); ++i)
    columns.push_back(
        e.reshape(e.convert(s.whole(i), DType::I64), {s.size, Dim(1)}));
  return e.concatenate(columns, 1);
}

static bool isAnyBatched(const Step &s, unsigned first) {
  return llvm::any_of(s.operands.drop_front(first),
                      [](const Batched &x) { return x.isBatched; });
}

static LogicalResult batch(tx::DynamicSliceOp op, Step &s) {
  TensorBuilder &e = s.e;
  if (!isAnyBatched(s, 1)) {
    SmallVector<Value> operands = s.values();
    operands.insert(operands.begin() + 1, e.full(0, DType::I64));
    auto made = s.again(op, operands);
    made.setSliceSizes(prepend(-1, op.getSliceSizes()));
    return s.give(made);
  }
  auto result = cast<RankedTensorType>(op.getType());
  auto type =
      tx::tensorType(s.dimsWithBatch(dimsOf(op)), result.getElementType());
  int64_t rank = rankOf(op.getX());
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  Indices indices{stacked(s, 1), 1};
  if (!s.isBatched(0))
    return s.give(tx::GatherOp::create(
        e.b, e.loc, type, s.value(0), indices.value, shifted(dims),
        ArrayRef<int64_t>(), dims, 1, op.getSliceSizes()));
  indices = withExample(s, indices.value, 0);
  return s.give(tx::GatherOp::create(
      e.b, e.loc, type, s.value(0), indices.value, shifted(dims),
      ArrayRef<int64_t>(0), prependShifted(0, dims), indices.vectorDim,
      prepend(1, op.getSliceSizes())));
}

static LogicalResult batch(tx::DynamicUpdateSliceOp op, Step &s) {
  TensorBuilder &e = s.e;
  if (!isAnyBatched(s, 2)) {
    SmallVector<Value> operands{s.whole(0), s.whole(1), e.full(0, DType::I64)};
    llvm::append_range(operands, ArrayRef(s.values()).drop_front(2));
    return s.give(s.again(op, operands));
  }
  // A scatter drops updates outside of the tensor, while a dynamic slice is
  // clamped.
  Value starts = stacked(s, 2);
  int64_t rank = rankOf(op.getX());
  SmallVector<Value> last;
  for (auto [all, part] : llvm::zip(dimsOf(op.getX()), dimsOf(op.getUpdate())))
    last.push_back(e.reshape(e.size(all - part, DType::I64), Dim(1)));
  starts = e.max(e.min(starts, e.concatenate(last, 0)), 0);
  Indices indices = withExample(s, starts, 0);
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  Value x = s.whole(0), updates = s.whole(1);
  return s.give(tx::ScatterOp::create(
      e.b, e.loc, x.getType(), x, indices.value, updates, tx::UpdateKind::Set,
      shifted(dims), ArrayRef<int64_t>(0), prependShifted(0, dims),
      indices.vectorDim));
}

static LogicalResult batch(tx::SearchsortedOp op, Step &s) {
  TensorBuilder &e = s.e;
  Value x = s.whole(1);
  if (!s.isBatched(0) && rankOf(op.getSorted()) == 1)
    return s.give(s.again(op, ValueRange{s.value(0), x}));
  // Each row of values is searched in its own sorted sequence. A single value
  // makes a row.
  SmallVector<Dim> rows(dimsOf(x));
  if (rows.size() == 1)
    rows.push_back(1);
  SmallVector<Dim> dims(rows);
  dims.back() = dimsOf(op.getSorted()).back();
  Value sorted = s.whole(0);
  if (rankOf(op.getSorted()) == 1) {
    SmallVector<Dim> ones(dims.size(), Dim(1));
    ones.front() = s.size;
    ones.back() = dims.back();
    sorted = e.broadcast(e.reshape(sorted, ones), dims);
  }
  Value found = s.again(op, ValueRange{sorted, e.reshape(x, rows)}, Dims(rows));
  return s.give(e.reshape(found, dimsOf(x)));
}

MaybeResult batchIndexing(Step &s) {
  return llvm::TypeSwitch<Operation *, MaybeResult>(s.op)
      .Case<tx::GatherOp, tx::ScatterOp, tx::DynamicSliceOp,
            tx::DynamicUpdateSliceOp, tx::SearchsortedOp>(
          [&](auto op) { return batch(op, s); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tensorc::compiler::batching
