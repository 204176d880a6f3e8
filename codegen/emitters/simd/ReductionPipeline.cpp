//===- ReductionPipeline.cpp - Software pipelining over rows --------------===//
//
//   softmax of 8192 x 4096 elements
// becomes, for a range of rows (work items), after a prologue for the first
// rows:
//   for each row r:
//     for each vector of a row:
//       store kept * (1 / sum of row r)
//       kept = exp(x of row r + 1 - maximum of row r + 1); add it to the sum of
//         row r + 1
//       update the maximum of row r + 2 with x of row r + 2; prefetch x
//
// This is software pipelining over rows. Separate passes would only read memory
// in one pass and only write it in another; here each iteration does both. A
// row's elements are combined in the same order by all schedules, so the
// results are the same bits. Tensors that fit in caches are not pipelined: they
// gain less than a tenth, for twice the code.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/ReductionSkeleton.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <set>

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

namespace {

class PipelinedRows : public ReductionSkeleton {
public:
  PipelinedRows(KernelBuilder &kernel, tx::OrderAttr order)
      : ReductionSkeleton(kernel, order) {
    isPipelined = true;
  }

  bool matches();
  FailureOr<KernelSpec> emit();

private:
  /// The rows that an iteration of the loop reads: the number of those that are
  /// read from a cache, and the bytes of all of them.
  struct Rows {
    int64_t cached = 0, bytes = 0;
  };
  std::optional<Rows> countRows();
  Values dimsOf(Value row);
  Values zeros();
  void bindResultsOf(unsigned pass, ValueRange earlier);
  FailureOr<Values> step(ArrayRef<Values> rows, const Values &at, Value mask,
                         bool stores, ValueRange earlier, ValueRange states);
  FailureOr<Values> emitElementLoop(ArrayRef<Values> rows, bool stores,
                                    ValueRange earlier);
};

} // namespace

/// Counts the rows that an iteration reads. Returns nullopt if a row is not
/// contiguous, or not at a static position.
std::optional<PipelinedRows::Rows> PipelinedRows::countRows() {
  Rows rows;
  bool areContiguous = true;
  unsigned lane = reducedLoops[0];
  readsRows.resize(phases + 1);
  std::set<std::pair<void *, const void *>> seen;
  for (auto [pass, roots] : llvm::enumerate(rootsOfPasses())) {
    std::set<std::pair<void *, const void *>> ofPass;
    auto stop = [&, pass = pass](Value v) {
      Operation *op = v.getDefiningOp();
      return op && (op->hasTrait<tx::Reduction>() || kept->areKept(v, pass));
    };
    auto onRead = [&, pass = pass](Value v, const Index &index) {
      Operation *op = v.getDefiningOp();
      auto argument = dyn_cast<BlockArgument>(v);
      if ((op && op->hasTrait<tx::Reduction>()) ||
          (argument && kernel.isScalar(argument)) || (op && !stop(v)))
        return;
      AffineExpr position = space->linearize(index, kernel.dims(v));
      std::pair<void *, const void *> key{v.getAsOpaquePointer(),
                                          position.getAsOpaquePointer()};
      if (!position.isFunctionOfDim(lane) || !ofPass.insert(key).second)
        return;
      auto along = analysis::linearIn(position, lane, *space);
      if (!along || along->coefficient != constant(1))
        areContiguous = false;
      bool isNew = seen.insert(key).second;
      bool isOfRow = llvm::any_of(
          keptLoops, [&](unsigned k) { return position.isFunctionOfDim(k); });
      // A read that does not depend on the row counts once for all passes.
      if (!isOfRow && !isNew)
        return;
      if (argument && isOfRow && isNew)
        readsRows.set(pass);
      else
        ++rows.cached;
      Type element = kernelType(getElementTypeOrSelf(v.getType()));
      rows.bytes += *constantOf(loops.sizes[lane]) *
                    llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
    };
    for (Value root : roots)
      analysis::walkReads(
          root, loops.index, *space,
          [&](Value s) { return kernel.symbolOf(s); }, stop, onRead,
          [&](const analysis::Guard &) { areContiguous = false; });
  }
  return areContiguous ? std::optional(rows) : std::nullopt;
}

bool PipelinedRows::matches() {
  if (failed(plan(1)) || !storesElementsOfResults() ||
      reducedLoops.size() != 1 || !llvm::is_sorted(isReduced))
    return false;
  for (Operation &op : kernel.body().without_terminator())
    if (llvm::any_of(op.getOpOperands(), analysis::isReadAnywhere))
      return false;
  std::optional<int64_t> size = constantOf(loops.sizes[reducedLoops[0]]);
  if (!exceedCaches(kernel, kernel.names.product(loops.sizes)) || !size ||
      *size % lanes->width != 0)
    return false;
  planKept();
  if (!kept->lastOnePass(phases + 1))
    return false;
  std::optional<Rows> rows = countRows();
  if (!rows)
    return false;
  if (rows->cached > kernel.costs().maxCachedRows)
    return *size >= kernel.costs().minPipelinedElements &&
           rows->bytes + kernel.costs().rowPrefetchBytes <=
               kernel.target.getL1Bytes();
  return rows->bytes <= kernel.target.getL2Bytes() / 2;
}

PipelinedRows::Values PipelinedRows::dimsOf(Value row) {
  Values dims(loops.sizes.size());
  for (auto [loop, value] :
       llvm::zip(keptLoops, delinearize(kernel, row, workSizes())))
    dims[loop] = value;
  return dims;
}

/// Returns initial values for the loop-carried results. A reduction in phase p
/// carries the results of `phases` - p rows, one for each later pass.
PipelinedRows::Values PipelinedRows::zeros() {
  Values values;
  for (Reduction &r : reductions) {
    Type type = kernelType(getElementTypeOrSelf(r.op->getResult(0).getType()));
    values.append(phases - r.phase, constantOf(b, b.getLoc(), type, 0));
  }
  return values;
}

/// Sets `results` to those that the pass reads, for the row that the pass works
/// on.
void PipelinedRows::bindResultsOf(unsigned pass, ValueRange earlier) {
  results.clear();
  for (Reduction &r : reductions) {
    if (r.phase < pass)
      results[r.op->getResult(0)] = earlier[pass - r.phase - 1];
    earlier = earlier.drop_front(phases - r.phase);
  }
}

/// Emits all passes for a vector, each in its own row. The last pass comes
/// first: it loads what the previous pass has kept, before that pass overwrites
/// it with elements of the next row.
FailureOr<PipelinedRows::Values>
PipelinedRows::step(ArrayRef<Values> rows, const Values &at, Value mask,
                    bool stores, ValueRange earlier, ValueRange states) {
  unsigned lane = reducedLoops[0];
  SmallVector<Values> next(phases);
  for (unsigned pass = phases + 1; pass-- > 0;) {
    Values dims = rows[pass];
    dims[lane] = at[lane];
    bindResultsOf(pass, earlier);
    if (pass == phases) {
      if (stores && failed(storeLanes(dims, mask)))
        return failure();
      continue;
    }
    unsigned before = 0, count = 0;
    for (Reduction &r : reductions) {
      before += r.phase < pass ? r.combiner.stateSize() : 0;
      count += r.phase == pass ? r.combiner.stateSize() : 0;
    }
    auto of = accumulateCopy(inPhase(pass), 0, dims, mask,
                             states.slice(before, count));
    if (failed(of))
      return failure();
    next[pass] = *of;
  }
  Values all;
  for (const Values &ofPass : next)
    llvm::append_range(all, ofPass);
  return all;
}

/// Emits a loop over the elements in which pass i works on rows[i]. Returns the
/// results that later iterations need.
FailureOr<PipelinedRows::Values>
PipelinedRows::emitElementLoop(ArrayRef<Values> rows, bool stores,
                               ValueRange earlier) {
  SmallVector<Reduction *> active;
  for (unsigned phase = 0; phase < phases; ++phase)
    llvm::append_range(active, inPhase(phase));
  bindResultsOf(phases, earlier);
  if (stores && failed(storeKept(rows.back(), {})))
    return failure();
  FailureOr<Values> states =
      forBlocks(Values(loops.sizes.size()), {}, neutral(active), active,
                [&](const Values &at, Value mask, ValueRange carried) {
                  return step(rows, at, mask, stores, earlier, carried);
                });
  if (failed(states) || failed(finishPhase(active, *states)))
    return failure();
  Values next;
  for (Reduction &r : reductions) {
    unsigned count = phases - r.phase;
    next.push_back(results[r.op->getResult(0)]);
    llvm::append_range(next, earlier.take_front(count - 1));
    earlier = earlier.drop_front(count);
  }
  return next;
}

FailureOr<KernelSpec> PipelinedRows::emit() {
  if (failed(plan(1)))
    return failure();
  planKept();
  kept->allocate();
  countRows();
  Value zero = indexConstant(kernel, 0), one = indexConstant(kernel, 1);
  Value last = b.createOrFold<arith::SubIOp>(kernel.end(), one);
  // In the prologue and at the end, some passes have no row to work on and
  // repeat another one. Their results are either not stored, or stored again
  // with the same value.
  auto run = [&](Value from, Value to, bool stores, ValueRange earlier) {
    return forRange(
        kernel, from, to, 1, earlier, [&](Value item, ValueRange before) {
          SmallVector<Values> rows;
          for (unsigned pass = 0; pass <= phases; ++pass) {
            Value row = item;
            if (stores) {
              row = b.createOrFold<arith::AddIOp>(
                  row, indexConstant(kernel, phases - pass));
            } else {
              Value distance = indexConstant(kernel, pass);
              row = b.createOrFold<arith::AddIOp>(
                  kernel.begin(),
                  b.createOrFold<arith::SubIOp>(
                      b.createOrFold<arith::MaxUIOp>(row, distance), distance));
            }
            rows.push_back(dimsOf(b.createOrFold<arith::MinUIOp>(row, last)));
          }
          return emitElementLoop(rows, stores, before);
        });
  };
  FailureOr<Values> earlier =
      run(zero, indexConstant(kernel, phases), /*stores=*/false, zeros());
  if (failed(earlier) ||
      failed(run(kernel.begin(), kernel.end(), /*stores=*/true, *earlier)))
    return failure();
  return kernel.finish(kernel.names.product(workSizes()),
                       constant(kernel.costs().minPipelinedRows),
                       kept->scratch());
}

const Skeleton rowPipelined = {
    .name = "pipelined",
    .kind = tx::kinds::row,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return PipelinedRows(fusion, order).matches();
        },
    .schedules = [](KernelBuilder &fusion, tx::OrderAttr) -> FailureOr<Offers> {
      int64_t prefetchBytes = fusion.costs().rowPrefetchBytes;
      Offers offers;
      for (int64_t bytes :
           {prefetchBytes, 2 * prefetchBytes, prefetchBytes / 2})
        offers.push_back({{"ahead", bytes}});
      return offers;
    },
    .emit =
        [](KernelBuilder &kernel) {
          return single(
              PipelinedRows(kernel, kernel.fusion.getOrderAttr()).emit());
        },
    .order = reductionOrder};

} // namespace tensorc::codegen::simd
