//===- ReductionGroups.cpp - Finishes groups of short rows in lanes -------===//
//
// If rows are short, a costly op on a row's result, such as the logarithm of a
// log_softmax, takes as long as the row itself. So a group of as many rows as a
// register has lanes is reduced first:
//
// for each group of rows:
//   for each row: the reductions; store their results to memory
//   in lanes, one per row: the costly ops on the results, and the outputs that
//     have only kept dims
//   for each row: the outputs of the operand's shape
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/ReductionGroups.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// Maximum number of steps of `rowLanes` of a row. In longer rows an op on the
/// result takes little of the time.
static constexpr int64_t maxStepsInGroup = 4;

/// Returns the index of a value with one element per row: its dims are the kept
/// ones, or all dims with size 1 in place of the reduced ones. Returns nullopt
/// for other values.
std::optional<Index> GroupedRows::indexOfRow(Value v) {
  SmallVector<AffineExpr> dims = kernel.dims(v), kept, ones;
  Index atOnes;
  for (auto [d, size] : llvm::enumerate(reduction.shape)) {
    bool isReduced = reduction.isReduced[d];
    if (!isReduced)
      kept.push_back(size);
    ones.push_back(isReduced ? reduction.constant(1) : size);
    atOnes.push_back(isReduced ? reduction.constant(0)
                               : reduction.loops.index[d]);
  }
  if (dims == kept)
    return reduction.keptIndex();
  return dims == ones ? std::optional(atOnes) : std::nullopt;
}

/// Returns the costly values with one element per row that depend on results of
/// the row.
SmallVector<Value> GroupedRows::costlyResults() {
  Values found;
  DenseSet<Value> dependent;
  for (Operation &op : kernel.body().without_terminator()) {
    bool isReduction = op.hasTrait<tx::Reduction>();
    if (!isReduction && llvm::none_of(op.getOperands(), [&](Value v) {
          return dependent.contains(v);
        }))
      continue;
    dependent.insert(op.result_begin(), op.result_end());
    if (!isReduction && op.hasTrait<tx::Costly>() &&
        indexOfRow(op.getResult(0)))
      found.push_back(op.getResult(0));
  }
  return found;
}

bool GroupedRows::isProfitable() {
  if (!reduction.isRow || reduction.keptLoops.size() != 1 ||
      reduction.reducedLoops.size() != 1 ||
      (reduction.kept && reduction.kept->scratch()) ||
      registerLanes(kernel) < 2)
    return false;
  std::optional<int64_t> size =
      constantOf(reduction.loops.sizes[reduction.reducedLoops[0]]);
  auto isStored = [](const ReductionPlan::Reduction &r) {
    Type type = kernelType(getElementTypeOrSelf(r.op->getResult(0)));
    return type.getIntOrFloatBitWidth() >= 8;
  };
  return size && *size > 1 &&
         *size <= maxStepsInGroup * ReductionSkeleton::rowLanes &&
         llvm::all_of(reduction.reductions, isStored) &&
         !costlyResults().empty();
}

LogicalResult GroupedRows::forRows(
    Value first, Value count,
    function_ref<LogicalResult(Value row, const Values &dims)> body) {
  return success(
      succeeded(forRange(kernel, indexConstant(kernel, 0), count, 1, {},
                         [&](Value row, ValueRange) -> FailureOr<Values> {
                           Values dims(reduction.loops.sizes.size());
                           dims[reduction.keptLoops[0]] =
                               b.createOrFold<arith::AddIOp>(first, row);
                           reduction.results.clear();
                           if (failed(body(row, dims)))
                             return failure();
                           return Values();
                         })));
}

LogicalResult GroupedRows::reduceRows(Value first, Value count) {
  return forRows(
      first, count, [&](Value row, const Values &dims) -> LogicalResult {
        for (unsigned phase = 0; phase < reduction.phases; ++phase)
          if (failed(reduction.emitPhase(phase, dims, {})))
            return failure();
        for (size_t i = 0; i < reduction.reductions.size(); ++i)
          memref::StoreOp::create(b, reduction.results.lookup(values[i]),
                                  memory[i], row);
        return success();
      });
}

/// Computes the costly values and the outputs that have only kept dims. Lanes
/// past the last row hold any values.
LogicalResult GroupedRows::finishInLanes(Value first, Value count) {
  int64_t width = registerLanes(kernel);
  Value zero = indexConstant(kernel, 0);
  Values dims(reduction.loops.sizes.size());
  dims[reduction.keptLoops[0]] = first;
  dims[reduction.reducedLoops[0]] = zero;
  ExpressionEmitter elements(
      kernel, *reduction.space, dims,
      ExpressionEmitter::Lanes{reduction.keptLoops[0], width},
      laneMask(kernel, zero, count, width));
  for (auto [i, value] : llvm::enumerate(values)) {
    if (i < reduction.reductions.size()) {
      Type element = cast<MemRefType>(memory[i].getType()).getElementType();
      elements.bindValue(
          value, vector::LoadOp::create(b, VectorType::get({width}, element),
                                        memory[i], zero));
      continue;
    }
    FailureOr<Value> ofRows = elements.emitLanes(value, *indexOfRow(value));
    if (failed(ofRows))
      return failure();
    vector::StoreOp::create(b, *ofRows, memory[i], zero);
  }
  return reduction.storeAtKept(elements);
}

LogicalResult GroupedRows::storeRows(Value first, Value count) {
  if (!reduction.storesElements())
    return success();
  return forRows(first, count, [&](Value row, const Values &dims) {
    for (auto [value, from] : llvm::zip_equal(values, memory))
      reduction.results[value] = memref::LoadOp::create(b, from, row);
    return reduction.storeElements(dims, {});
  });
}

LogicalResult GroupedRows::emit() {
  int64_t width = registerLanes(kernel);
  for (ReductionPlan::Reduction &r : reduction.reductions)
    values.push_back(r.op->getResult(0));
  llvm::append_range(values, costlyResults());
  for (Value v : values)
    memory.push_back(memref::AllocaOp::create(
        b,
        MemRefType::get({width}, kernelType(getElementTypeOrSelf(v.getType()))),
        b.getI64IntegerAttr(kernel.target.getVectorBytes())));
  return success(succeeded(
      forRange(kernel, kernel.begin(), kernel.end(), width, {},
               [&](Value first, ValueRange) -> FailureOr<Values> {
                 Value count = b.createOrFold<arith::MinUIOp>(
                     b.createOrFold<arith::SubIOp>(kernel.end(), first),
                     indexConstant(kernel, width));
                 if (failed(reduceRows(first, count)) ||
                     failed(finishInLanes(first, count)) ||
                     failed(storeRows(first, count)))
                   return failure();
                 return Values();
               })));
}

} // namespace tensorc::codegen::simd
