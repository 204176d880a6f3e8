//===- ReductionSweep.cpp - Columns of a tensor larger than caches --------===//
//
//   sums along the columns of 8192 x 4096 elements
// becomes two kernels, of which the second is that of two (ReductionSplit.cpp):
//   for each block of rows, for each long run of columns (a work item):
//     partial[block][run] = neutral
//     for the block's rows, by steps:
//       for each vector of the run: partial[block][vector] += x(row.., vector)
//
// A kernel that keeps the sums of a few vectors in registers reads a few lines
// of each row, which no processor sees coming. Here the sums of a long run lie
// in the nearest cache, and rows are read by long runs. A column's elements
// take their turns as in all schedules, so the bits are the same.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/ReductionSkeleton.h"
#include "codegen/emitters/simd/Sweep.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

/// With fewer rows the partial results are too much to write and to read.
static constexpr int64_t fewestRows = 64;
/// With so many work items threads have enough to do.
static constexpr int64_t enoughItems = 32;

static int64_t bytesOf(Type element) {
  return llvm::divideCeil(kernelType(element).getIntOrFloatBitWidth(), 8);
}

namespace {

class ColumnSweep : public ReductionSkeleton {
public:
  using ReductionSkeleton::ReductionSkeleton;

  /// Whether rows are long runs through memory, and all of them more than
  /// caches hold.
  bool matches();
  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emitPartial();

private:
  /// Columns of one work item.
  struct Run {
    Value begin, end;
    AffineExpr length;
    /// Where the partial result of column 0 lies.
    Value place;
  };
  LogicalResult planWidest() {
    return plan(columnRegisters * registerLanes(kernel));
  }
  int64_t columns() { return *constantOf(loops.sizes[keptLoops.back()]); }
  int64_t rows() { return *constantOf(loops.sizes[reducedLoops.front()]); }
  /// Vectors in a row.
  int64_t vectors() { return llvm::divideCeil(columns(), lanes->width); }
  int64_t blocks() { return llvm::divideCeil(rows(), blockSize()); }
  std::optional<int64_t> bytesInRow();
  int64_t usualLength();
  LogicalResult forVectors(
      const Run &run,
      function_ref<FailureOr<Values>(Value column, Value mask, Value place)>
          partial);
  LogicalResult addRows(Values dims, const Run &run, Value first,
                        int64_t count);
  LogicalResult reduceRun(const Values &dims, const Run &run, Value block);
};

} // namespace

/// Of what is read from memory for the columns of one row. None: it does not
/// lie in rows.
std::optional<int64_t> ColumnSweep::bytesInRow() {
  unsigned column = keptLoops.back(), row = reducedLoops.front();
  int64_t bytes = 0;
  bool isInRows = true;
  auto onRead = [&](Value v, const analysis::Index &index) {
    auto argument = dyn_cast<BlockArgument>(v);
    if (!argument || kernel.isScalar(argument))
      return;
    AffineExpr position = space->linearize(index, kernel.dims(v));
    if (!position.isFunctionOfDim(row) || !position.isFunctionOfDim(column))
      return;
    auto along = analysis::linearIn(position, column, *space);
    auto down = analysis::linearIn(position, row, *space);
    auto stride = down ? constantOf(down->coefficient) : std::nullopt;
    int64_t each = bytesOf(getElementTypeOrSelf(v.getType()));
    if (!along || along->coefficient != constant(1) || !stride ||
        *stride * each < fewestSweptBytes)
      isInRows = false;
    bytes += columns() * each;
  };
  for (Reduction &r : reductions)
    analysis::walkReads(
        r.op->getOperand(0), loops.index, *space,
        [&](Value s) { return kernel.symbolOf(s); },
        [](Value) { return false; }, onRead, [](const analysis::Guard &) {});
  return isInRows ? std::optional(bytes) : std::nullopt;
}

bool ColumnSweep::matches() {
  if (failed(planWidest()) || !maySplit() || storesElements() ||
      reducedLoops.size() != 1)
    return false;
  std::optional<int64_t> all = constantOf(kernel.names.product(loops.sizes));
  if (!all || *all == 0 || rows() < fewestRows)
    return false;
  std::optional<int64_t> bytes = bytesInRow();
  return bytes && *bytes >= fewestSweptBytes &&
         comeFromMemory(*all / columns() * *bytes, kernel.target);
}

/// Vectors of a run: half of the nearest cache holds its states, and threads
/// have enough of them.
int64_t ColumnSweep::usualLength() {
  int64_t each = 0;
  for (Reduction &r : reductions)
    for (Type type : r.combiner.stateTypes())
      each += bytesOf(type);
  int64_t most = std::max<int64_t>(
      kernel.target.getL1Bytes() / 2 / (each * lanes->width), 1);
  int64_t others = *constantOf(kernel.names.product(loops.sizes)) /
                   (columns() * rows()) * blocks();
  int64_t shortRuns = std::max<int64_t>(*bytesInRow() / fewestSweptBytes, 1);
  int64_t runs = std::max<int64_t>(
      llvm::divideCeil(vectors(), most),
      std::min<int64_t>(llvm::divideCeil(enoughItems, others), shortRuns));
  return llvm::divideCeil(vectors(), runs);
}

FailureOr<Offers> ColumnSweep::offer() {
  if (failed(planWidest()))
    return failure();
  Offers offers;
  int64_t widest = lanes->width;
  SmallVector<int64_t, 5> steps{isQuick(kernel) ? 8 : 2};
  for (int64_t other : {16, 8, 4, 2})
    if (other != steps.front())
      steps.push_back(other);
  for (int64_t width : {widest, widest / columnRegisters}) {
    lanes->width = width;
    int64_t length = usualLength();
    for (int64_t run : {length, (length + 1) / 2})
      for (int64_t count : steps)
        offers.push_back({{"kernels", 2},
                          {"steps", count},
                          {"vectors", run},
                          {"lanes", width}});
  }
  return offers;
}

/// Stores what `partial` gives for each vector of the run.
LogicalResult ColumnSweep::forVectors(
    const Run &run,
    function_ref<FailureOr<Values>(Value column, Value mask, Value place)>
        partial) {
  auto body = [&](Value column, Value mask, ValueRange) -> FailureOr<Values> {
    Value place = b.createOrFold<arith::AddIOp>(run.place, column);
    FailureOr<Values> states = partial(column, mask, place);
    if (failed(states))
      return failure();
    for (auto [i, state] : llvm::enumerate(*states))
      vector::StoreOp::create(b, state, kernel.temporary(i), place);
    return Values();
  };
  return success(succeeded(forLanes(kernel, run.begin, run.end, lanes->width,
                                    run.length, {}, body)));
}

/// `count` rows, from the first on, into the partial results of the run.
LogicalResult ColumnSweep::addRows(Values dims, const Run &run, Value first,
                                   int64_t count) {
  SmallVector<Reduction *> active = inPhase(0);
  Values rows;
  for (int64_t r = 0; r < count; ++r)
    rows.push_back(
        b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, r)));
  return forVectors(
      run, [&](Value column, Value mask, Value place) -> FailureOr<Values> {
        Values states = neutral(active);
        for (auto [i, state] : llvm::enumerate(states))
          state = vector::LoadOp::create(b, cast<VectorType>(state.getType()),
                                         kernel.temporary(i), place);
        dims[keptLoops.back()] = column;
        for (Value row : rows) {
          dims[reducedLoops.front()] = row;
          FailureOr<Values> next = accumulate(active, dims, mask, states);
          if (failed(next))
            return failure();
          states = *next;
        }
        return states;
      });
}

/// The partial results of a block of rows.
LogicalResult ColumnSweep::reduceRun(const Values &dims, const Run &run,
                                     Value block) {
  if (failed(forVectors(run, [&](Value, Value, Value) -> FailureOr<Values> {
        return neutral(inPhase(0));
      })))
    return failure();
  int64_t steps = kernel.scheduled("steps");
  Value chunk = indexConstant(kernel, blockSize());
  Value lower = b.createOrFold<arith::MulIOp>(block, chunk);
  Value upper = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(lower, chunk),
      indexConstant(kernel, rows()));
  // A block is a multiple of the steps, except for the last one.
  bool isEven = rows() % steps == 0 && blockSize() % steps == 0;
  Value whole = upper, width = indexConstant(kernel, steps);
  if (!isEven)
    whole = b.createOrFold<arith::SubIOp>(
        upper, b.createOrFold<arith::RemUIOp>(
                   b.createOrFold<arith::SubIOp>(upper, lower), width));
  auto byRows = [&](Value from, Value to, int64_t count) {
    return forRange(kernel, from, to, count, {},
                    [&](Value row, ValueRange) -> FailureOr<Values> {
                      if (failed(addRows(dims, run, row, count)))
                        return failure();
                      return Values();
                    });
  };
  if (failed(byRows(lower, whole, steps)))
    return failure();
  return success(isEven || succeeded(byRows(whole, upper, 1)));
}

FailureOr<KernelSpec> ColumnSweep::emitPartial() {
  int64_t length = kernel.scheduled("vectors") * lanes->width;
  int64_t runs = llvm::divideCeil(columns(), length);
  SmallVector<AffineExpr> sizes{constant(blocks())};
  for (unsigned loop : ArrayRef(keptLoops).drop_back())
    sizes.push_back(loops.sizes[loop]);
  sizes.push_back(constant(runs));
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, sizes), dims(loops.sizes.size());
    for (auto [loop, value] :
         llvm::zip(ArrayRef(keptLoops).drop_back(), ArrayRef(at).drop_front()))
      dims[loop] = value;
    Value size = indexConstant(kernel, length);
    Run run;
    run.begin = b.createOrFold<arith::MulIOp>(at.back(), size);
    run.end = b.createOrFold<arith::AddIOp>(run.begin, size);
    run.length = constant(length);
    if (columns() % length != 0) {
      run.end = b.createOrFold<arith::MinUIOp>(
          run.end, indexConstant(kernel, columns()));
      // All vectors are whole where a row is.
      run.length =
          columns() % lanes->width == 0 ? constant(lanes->width) : AffineExpr();
    }
    // A row of partial results ends with a whole vector.
    run.place = b.createOrFold<arith::MulIOp>(
        b.createOrFold<arith::DivUIOp>(item, indexConstant(kernel, runs)),
        indexConstant(kernel, vectors() * lanes->width));
    if (failed(reduceRun(dims, run, at.front())))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  return kernel.finish(kernel.names.product(sizes), constant(1));
}

static FailureOr<EmittedKernels> emit(KernelBuilder &kernel) {
  tx::OrderAttr order = kernel.fusion.getOrderAttr();
  int64_t lanes = kernel.scheduled("lanes");
  return emitReduction(kernel, [&](KernelBuilder &kernel) {
    auto sweep = std::make_unique<ColumnSweep>(kernel, order);
    return succeeded(sweep->plan(lanes)) ? std::move(sweep) : nullptr;
  });
}

const Skeleton columnSweep = {
    .name = "sweep",
    .kind = tx::kinds::column,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return ColumnSweep(fusion, order).matches();
        },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return ColumnSweep(fusion, order).offer();
        },
    .emit = emit,
    .order = reductionOrder};

} // namespace tensorc::codegen::simd
