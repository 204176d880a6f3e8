//===- ReductionSweep.cpp - Column reductions of large tensors ------------===//
//
//   sums along the columns of 8192 x 4096 elements
// becomes two kernels, the second of which is that of ReductionSplit.cpp:
//   for each block of rows, for each long run of columns (a work item):
//     partial[block][run] = neutral
//     for the block's rows, several at a time:
//       for each vector of the run: partial[block][vector] += x(row.., vector)
//
// A kernel whose accumulators are in registers reads only a few cache lines of
// each row, which the hardware prefetcher does not follow. Here the
// accumulators of a long run of columns stay in L1, and rows are read in long
// runs. A column's elements are combined in the same order by all schedules, so
// the results are the same bits.
//
//   softmax along the columns
// has several phases, and its outputs depend on their results. It is one
// kernel:
//   for each long run of columns (a work item), with its states in scratch:
//     per phase, for each block of rows:
//       partial[run] = neutral; accumulate the block's rows as above;
//       total[run] += partial[run]
//     store the run's outputs, several rows at a time
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/ReductionSkeleton.h"
#include "codegen/emitters/simd/Sweep.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

static int64_t elementBytes(Type element) {
  return llvm::divideCeil(kernelType(element).getIntOrFloatBitWidth(), 8);
}

namespace {

class ColumnSweep : public ReductionSkeleton {
public:
  using ReductionSkeleton::ReductionSkeleton;

  /// True if rows are long and contiguous, and the tensor exceeds the caches.
  bool matches();
  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit();
  FailureOr<KernelSpec> emitPartial();

private:
  /// True if later passes need the results of earlier ones. A single kernel
  /// then computes all phases.
  bool isPhased() { return !maySplit(); }
  /// The columns of a work item. `length` is constant if the run consists of
  /// whole vectors.
  struct Run {
    Value begin, end;
    AffineExpr length;
    /// This is added to a column to get the index of its states.
    Value stateIndex;
  };
  /// The buffers of a phase, one for each value of its states.
  using Memory = SmallVector<Value>;
  /// Views of scratch memory with the states of each phase.
  SmallVector<Memory> totals, partials;
  LogicalResult planWidest() {
    return plan(columnRegisters * registerLanes(kernel));
  }
  int64_t columns() { return *constantOf(loops.sizes[keptLoops.back()]); }
  int64_t rows() { return *constantOf(loops.sizes[reducedLoops.front()]); }
  /// Number of vectors per row.
  int64_t vectors() { return llvm::divideCeil(columns(), lanes->width); }
  int64_t blocks() { return llvm::divideCeil(rows(), blockSize()); }
  std::optional<int64_t> bytesInRow();
  int64_t usualLength();
  using ItemOfRun = function_ref<LogicalResult(const Values &dims,
                                               const Run &run, Value first)>;
  FailureOr<KernelSpec> forRuns(ArrayRef<AffineExpr> outer, AffineExpr scratch,
                                ItemOfRun body);
  using OfVector =
      function_ref<LogicalResult(Value column, Value mask, Value stateIndex)>;
  LogicalResult forVectors(const Run &run, OfVector body);
  Values loadAll(unsigned phase, ArrayRef<Value> memory, Value stateIndex);
  void storeAll(ValueRange states, ArrayRef<Value> memory, Value stateIndex);
  LogicalResult setNeutral(unsigned phase, const Run &run,
                           ArrayRef<Value> memory);
  void findResults(unsigned phase, Value stateIndex);
  LogicalResult addRows(unsigned phase, Values dims, const Run &run,
                        Value first, int64_t count, ArrayRef<Value> memory);
  LogicalResult bySteps(Value lower, Value upper, bool isEven,
                        function_ref<LogicalResult(Value, int64_t)> body);
  LogicalResult reduceBlock(unsigned phase, const Values &dims, const Run &run,
                            Value block, ArrayRef<Value> memory);
  AffineExpr allocateStates();
  LogicalResult reduceRun(unsigned phase, const Values &dims, const Run &run);
  LogicalResult storeRun(const Values &dims, const Run &run);
};

} // namespace

/// Returns the number of bytes that a row reads from memory, or nullopt if
/// reads are not contiguous along rows.
std::optional<int64_t> ColumnSweep::bytesInRow() {
  unsigned column = keptLoops.back(), row = reducedLoops.front();
  int64_t bytes = 0;
  bool isInRows = true;
  DenseSet<Value> seen;
  auto onRead = [&](Value v, const analysis::Index &index) {
    auto argument = dyn_cast<BlockArgument>(v);
    if (!argument || kernel.isScalar(argument) || !seen.insert(v).second)
      return;
    AffineExpr position = space->linearize(index, kernel.dims(v));
    if (!position.isFunctionOfDim(row) || !position.isFunctionOfDim(column))
      return;
    auto along = analysis::linearIn(position, column, *space);
    auto down = analysis::linearIn(position, row, *space);
    auto stride = down ? constantOf(down->coefficient) : std::nullopt;
    int64_t each = elementBytes(getElementTypeOrSelf(v.getType()));
    if (!along || along->coefficient != constant(1) || !stride ||
        *stride * each < kernel.costs().minSweptBytes)
      isInRows = false;
    bytes += columns() * each;
  };
  auto isReduced = [&](Value v) {
    return llvm::any_of(reductions,
                        [&](Reduction &r) { return r.op->getResult(0) == v; });
  };
  for (Reduction &r : reductions)
    analysis::walkReads(
        r.op->getOperand(0), loops.index, *space,
        [&](Value s) { return kernel.symbolOf(s); }, isReduced, onRead,
        [](const analysis::Guard &) {});
  return isInRows ? std::optional(bytes) : std::nullopt;
}

bool ColumnSweep::matches() {
  if (failed(planWidest()) || (maySplit() && storesElements()) ||
      reducedLoops.size() != 1)
    return false;
  std::optional<int64_t> all = constantOf(kernel.names.product(loops.sizes));
  if (!all || *all == 0 || rows() < kernel.costs().minSweptRows)
    return false;
  std::optional<int64_t> bytes = bytesInRow();
  return bytes && *bytes >= kernel.costs().minSweptBytes &&
         comeFromMemory(*all / columns() * *bytes, kernel.target);
}

/// Returns the default number of vectors in a run. The states of a run take at
/// most half of L1, and there are enough runs to occupy all threads.
int64_t ColumnSweep::usualLength() {
  int64_t each = 0;
  for (Reduction &r : reductions)
    for (Type type : r.combiner.stateTypes())
      each += elementBytes(type) * (isPhased() ? 2 : 1);
  int64_t maximum = std::max<int64_t>(
      kernel.target.getL1Bytes() / 2 / (each * lanes->width), 1);
  int64_t others = *constantOf(kernel.names.product(loops.sizes)) /
                   (columns() * rows()) * (isPhased() ? 1 : blocks());
  int64_t shortRuns =
      std::max<int64_t>(*bytesInRow() / kernel.costs().minSweptBytes, 1);
  int64_t runs = std::max<int64_t>(
      llvm::divideCeil(vectors(), maximum),
      std::min<int64_t>(llvm::divideCeil(kernel.costs().minSweptItems, others),
                        shortRuns));
  return llvm::divideCeil(vectors(), runs);
}

FailureOr<Offers> ColumnSweep::offer() {
  if (failed(planWidest()))
    return failure();
  Offers offers;
  int64_t widest = lanes->width;
  // Rows of 2-byte elements have half as many bytes, so twice as many rows are
  // read at a time.
  bool isNarrow = isPhased() && *bytesInRow() <= 2 * columns();
  SmallVector<int64_t, 5> steps{isCheap(kernel) ? 8 : isNarrow ? 4 : 2};
  for (int64_t other : {16, 8, 4, 2})
    if (other != steps.front())
      steps.push_back(other);
  for (int64_t width : {widest, widest / columnRegisters}) {
    lanes->width = width;
    int64_t length = usualLength();
    for (int64_t run : {length, (length + 1) / 2})
      for (int64_t count : steps)
        offers.push_back({{"kernels", isPhased() ? 1 : 2},
                          {"steps", count},
                          {"vectors", run},
                          {"lanes", width}});
  }
  return offers;
}

LogicalResult ColumnSweep::forVectors(const Run &run, OfVector body) {
  return success(succeeded(
      forLanes(kernel, run.begin, run.end, lanes->width, run.length, {},
               [&](Value column, Value mask, ValueRange) -> FailureOr<Values> {
                 Value stateIndex =
                     b.createOrFold<arith::AddIOp>(run.stateIndex, column);
                 if (failed(body(column, mask, stateIndex)))
                   return failure();
                 return Values();
               })));
}

Values ColumnSweep::loadAll(unsigned phase, ArrayRef<Value> memory,
                            Value stateIndex) {
  Values states;
  for (auto [neutral, buffer] :
       llvm::zip_equal(neutral(inPhase(phase)), memory))
    states.push_back(vector::LoadOp::create(
        b, cast<VectorType>(neutral.getType()), buffer, stateIndex));
  return states;
}

void ColumnSweep::storeAll(ValueRange states, ArrayRef<Value> memory,
                           Value stateIndex) {
  for (auto [state, buffer] : llvm::zip_equal(states, memory))
    vector::StoreOp::create(b, state, buffer, stateIndex);
}

LogicalResult ColumnSweep::setNeutral(unsigned phase, const Run &run,
                                      ArrayRef<Value> memory) {
  return forVectors(run, [&](Value, Value, Value stateIndex) {
    storeAll(neutral(inPhase(phase)), memory, stateIndex);
    return success();
  });
}

/// Sets `results` to those of phases before `phase`, for the vector of columns
/// whose states are at index `stateIndex`.
void ColumnSweep::findResults(unsigned phase, Value stateIndex) {
  results.clear();
  for (unsigned before = 0; before < phase; ++before)
    setResults(inPhase(before), loadAll(before, totals[before], stateIndex));
}

/// Accumulates `count` rows, starting at `first`, in the run's partial results.
LogicalResult ColumnSweep::addRows(unsigned phase, Values dims, const Run &run,
                                   Value first, int64_t count,
                                   ArrayRef<Value> memory) {
  SmallVector<Reduction *> active = inPhase(phase);
  Values rows;
  for (int64_t r = 0; r < count; ++r)
    rows.push_back(
        b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, r)));
  return forVectors(
      run, [&](Value column, Value mask, Value stateIndex) -> LogicalResult {
        findResults(phase, stateIndex);
        Values states = loadAll(phase, memory, stateIndex);
        dims[keptLoops.back()] = column;
        for (Value row : rows) {
          dims[reducedLoops.front()] = row;
          FailureOr<Values> next = accumulate(active, dims, mask, states);
          if (failed(next))
            return failure();
          states = *next;
        }
        storeAll(states, memory, stateIndex);
        return success();
      });
}

/// Calls `body` for the rows from `lower` to `upper`, several at a time as the
/// schedule says, and for the remaining rows one by one. `isEven` is true if
/// there are none.
LogicalResult
ColumnSweep::bySteps(Value lower, Value upper, bool isEven,
                     function_ref<LogicalResult(Value, int64_t)> body) {
  int64_t steps = kernel.scheduled("steps");
  Value fullEnd = upper, width = indexConstant(kernel, steps);
  if (!isEven)
    fullEnd = b.createOrFold<arith::SubIOp>(
        upper, b.createOrFold<arith::RemUIOp>(
                   b.createOrFold<arith::SubIOp>(upper, lower), width));
  auto byRows = [&](Value from, Value to, int64_t count) {
    return succeeded(forRange(kernel, from, to, count, {},
                              [&](Value row, ValueRange) -> FailureOr<Values> {
                                if (failed(body(row, count)))
                                  return failure();
                                return Values();
                              }));
  };
  return success(byRows(lower, fullEnd, steps) &&
                 (isEven || byRows(fullEnd, upper, 1)));
}

/// Computes the partial results of block `block` of rows.
LogicalResult ColumnSweep::reduceBlock(unsigned phase, const Values &dims,
                                       const Run &run, Value block,
                                       ArrayRef<Value> memory) {
  if (failed(setNeutral(phase, run, memory)))
    return failure();
  Value chunk = indexConstant(kernel, blockSize());
  Value lower = b.createOrFold<arith::MulIOp>(block, chunk);
  Value upper = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(lower, chunk),
      indexConstant(kernel, rows()));
  // If `steps` divides both, no block has remaining rows.
  int64_t steps = kernel.scheduled("steps");
  bool isEven = rows() % steps == 0 && blockSize() % steps == 0;
  return bySteps(lower, upper, isEven, [&](Value row, int64_t count) {
    return addRows(phase, dims, run, row, count, memory);
  });
}

/// Emits the kernel. Calls `body` for each run of columns, each index of the
/// other kept dims and each index of `outer`. The last argument of `body` is
/// the first index of `outer`.
FailureOr<KernelSpec> ColumnSweep::forRuns(ArrayRef<AffineExpr> outer,
                                           AffineExpr scratch, ItemOfRun body) {
  int64_t length = kernel.scheduled("vectors") * lanes->width;
  int64_t runs = llvm::divideCeil(columns(), length);
  SmallVector<AffineExpr> sizes(outer);
  for (unsigned loop : ArrayRef(keptLoops).drop_back())
    sizes.push_back(loops.sizes[loop]);
  sizes.push_back(constant(runs));
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, sizes), dims(loops.sizes.size());
    for (auto [loop, value] : llvm::zip(ArrayRef(keptLoops).drop_back(),
                                        ArrayRef(at).drop_front(outer.size())))
      dims[loop] = value;
    Value size = indexConstant(kernel, length);
    Run run;
    run.begin = b.createOrFold<arith::MulIOp>(at.back(), size);
    run.end = b.createOrFold<arith::AddIOp>(run.begin, size);
    run.length = constant(length);
    if (columns() % length != 0) {
      run.end = b.createOrFold<arith::MinUIOp>(
          run.end, indexConstant(kernel, columns()));
      // If a row consists of whole vectors, so does the last run.
      run.length =
          columns() % lanes->width == 0 ? constant(lanes->width) : AffineExpr();
    }
    // Scratch memory holds the states of one run. Temporaries hold those of
    // entire rows, padded to whole vectors.
    if (isPhased())
      run.stateIndex =
          b.createOrFold<arith::SubIOp>(indexConstant(kernel, 0), run.begin);
    else
      run.stateIndex = b.createOrFold<arith::MulIOp>(
          b.createOrFold<arith::DivUIOp>(item, indexConstant(kernel, runs)),
          indexConstant(kernel, vectors() * lanes->width));
    if (failed(body(dims, run, at.front())))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  return kernel.finish(kernel.names.product(sizes), constant(1), scratch);
}

FailureOr<KernelSpec> ColumnSweep::emitPartial() {
  Memory memory;
  for (unsigned i = 0; i < neutral(inPhase(0)).size(); ++i)
    memory.push_back(kernel.temporary(i));
  return forRuns({constant(blocks())}, {},
                 [&](const Values &dims, const Run &run, Value block) {
                   return reduceBlock(0, dims, run, block, memory);
                 });
}

//===----------------------------------------------------------------------===//
// Several phases
//===----------------------------------------------------------------------===//

/// Allocates the totals of all phases, and partial results that all phases
/// share. Returns the size of the scratch memory in bytes.
AffineExpr ColumnSweep::allocateStates() {
  int64_t length = kernel.scheduled("vectors") * lanes->width, end = 0;
  auto allocate = [&](unsigned phase, int64_t &byte) {
    Memory memory;
    for (Value state : neutral(inPhase(phase))) {
      Type element = getElementTypeOrSelf(state.getType());
      memory.push_back(memref::ViewOp::create(
          b, MemRefType::get({length}, element), kernel.scratch(),
          indexConstant(kernel, byte), ValueRange()));
      byte += llvm::alignTo(length * elementBytes(element),
                            kernel.target.getVectorBytes());
    }
    return memory;
  };
  for (unsigned phase = 0; phase < phases; ++phase)
    totals.push_back(allocate(phase, end));
  int64_t maximum = end;
  for (unsigned phase = 0; phase < phases; ++phase) {
    int64_t byte = end;
    partials.push_back(allocate(phase, byte));
    maximum = std::max(maximum, byte);
  }
  return constant(maximum);
}

LogicalResult ColumnSweep::reduceRun(unsigned phase, const Values &dims,
                                     const Run &run) {
  if (failed(setNeutral(phase, run, totals[phase])))
    return failure();
  auto ofBlock = [&](Value block, ValueRange) -> FailureOr<Values> {
    if (failed(reduceBlock(phase, dims, run, block, partials[phase])))
      return failure();
    auto add = [&](Value, Value, Value stateIndex) -> LogicalResult {
      FailureOr<Values> sums =
          combineAll(inPhase(phase), loadAll(phase, totals[phase], stateIndex),
                     loadAll(phase, partials[phase], stateIndex));
      if (failed(sums))
        return failure();
      storeAll(*sums, totals[phase], stateIndex);
      return success();
    };
    if (failed(forVectors(run, add)))
      return failure();
    return Values();
  };
  return success(
      succeeded(forRange(kernel, indexConstant(kernel, 0),
                         indexConstant(kernel, blocks()), 1, {}, ofBlock)));
}

LogicalResult ColumnSweep::storeRun(const Values &dims, const Run &run) {
  Values at = dims;
  auto ofColumns = [&](Value column, Value mask, Value stateIndex) {
    findResults(phases, stateIndex);
    at[keptLoops.back()] = column;
    return storeKept(at, mask);
  };
  bool storesKept = llvm::any_of(kernel.yield().getValues(), [&](Value root) {
    return !isElementLevel(root);
  });
  if (storesKept && failed(forVectors(run, ofColumns)))
    return failure();
  if (!storesElements())
    return success();
  auto ofRows = [&](Value first, int64_t count) {
    return forVectors(
        run, [&](Value column, Value mask, Value stateIndex) -> LogicalResult {
          findResults(phases, stateIndex);
          at[keptLoops.back()] = column;
          for (int64_t r = 0; r < count; ++r) {
            at[reducedLoops.front()] =
                b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, r));
            if (failed(storeLanes(at, mask)))
              return failure();
          }
          return success();
        });
  };
  return bySteps(indexConstant(kernel, 0), indexConstant(kernel, rows()),
                 rows() % kernel.scheduled("steps") == 0, ofRows);
}

FailureOr<KernelSpec> ColumnSweep::emit() {
  storesLongRuns = true;
  AffineExpr scratch = allocateStates();
  return forRuns(
      {}, scratch,
      [&](const Values &dims, const Run &run, Value) -> LogicalResult {
        for (unsigned phase = 0; phase < phases; ++phase)
          if (failed(reduceRun(phase, dims, run)))
            return failure();
        return storeRun(dims, run);
      });
}

static FailureOr<EmittedKernels> emitSweep(KernelBuilder &kernel) {
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
    .emit = emitSweep,
    .order = reductionOrder};

} // namespace tensorc::codegen::simd
