//===- Windows.cpp - Reductions over small windows (pooling) --------------===//
//
// A window of a pooling or of a depthwise convolution has few elements, which
// are not contiguous, and neighbouring windows overlap. So the lanes are
// neighbouring outputs:
//
// for each block of output rows:              (work items)
//   for each vector of outputs in these rows:
//     for each position in the window:        (unrolled)
//       for each row of the block:
//         state[position] = elements at that position
//     combine the states by halves, then with neutral
//     store outputs
//
// The order of additions is that of row reductions, where the positions in the
// window are assigned round-robin to logical lanes. Positions of the same
// logical lane are combined in sequence, then logical lanes by halves.
// Combining with the neutral state only changes the sign of a sum that is -0,
// so it is done once, at the end.
//
// Positions are emitted in the order of the reduction tree, so that few states
// are live. Rows of a block share weights, column masks and the loop.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/plans/ReductionPlan.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/windows/WindowSkeleton.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// Maximum number of unrolled positions, and maximum number of ops for all of
/// them. They limit the compile time.
static constexpr int64_t maxPositions = 64, maxOps = 256;
/// Minimum length of output rows. For shorter rows, another skeleton loads the
/// elements of one window as a vector.
static constexpr int64_t shortRow = 3;
/// Maximum stride in elements between the reads of neighbouring lanes.
static constexpr int64_t widestStep = 4;

/// Performs the checks that do not require planned loops.
bool WindowSkeleton::fits() {
  unsigned reductionOps = 0;
  // Number of ops that are emitted once per position, and once per output.
  int64_t opsWithin = 0, opsAfter = 0;
  bool hasWindows = false;
  SmallPtrSet<Operation *, 16> within;
  positions = 1;
  for (Operation &op : llvm::reverse(kernel.body().without_terminator())) {
    bool isReduction = op.hasTrait<tx::Reduction>();
    bool isWithin = isReduction || within.contains(&op);
    // Ops that only move elements become index arithmetic.
    (isWithin ? opsWithin : opsAfter) +=
        !isa<tx::ConstantOp, tx::ReshapeOp, tx::TransposeOp, tx::BroadcastOp,
             tx::WindowsOp, tx::SliceOp>(op);
    hasWindows |= isWithin && isa<tx::WindowsOp>(op);
    if (isWithin)
      for (Value operand : op.getOperands())
        if (Operation *made = operand.getDefiningOp())
          within.insert(made);
    if (!isReduction)
      continue;
    ++reductionOps;
    if (isa<tx::ArgmaxOp, tx::ArgminOp>(op))
      return false;
    SmallVector<AffineExpr> dims = kernel.dims(op.getOperand(0));
    positions = 1;
    for (int64_t d : cast<DenseI64ArrayAttr>(op.getAttr("dims")).asArrayRef()) {
      auto size = dyn_cast<AffineConstantExpr>(dims[d]);
      if (!size || size.getValue() > order.getChunk())
        return false;
      positions *= size.getValue();
      if (positions > order.getChunk())
        return false;
    }
  }
  if (reductionOps != 1 || positions <= 0)
    return false;
  unrolled = std::min(maxPositions, (maxOps - opsAfter) / opsWithin);
  if (positions > unrolled)
    return hasWindows && unrolled > 0;
  unrolled = positions;
  return true;
}

static int64_t elementBytesOf(Value v) {
  return llvm::divideCeil(getElementTypeOrSelf(v).getIntOrFloatBitWidth(), 8);
}

/// Returns the stride of a read along a loop in bytes, or 0 if it is unknown.
int64_t WindowSkeleton::bytesBetween(unsigned loop, const Read &read) {
  auto linear = analysis::linearIn(read.position, loop, *space);
  auto step = linear ? constantOf(linear->coefficient) : std::nullopt;
  return step.value_or(0) * elementBytesOf(read.value);
}

/// True if the input fits in half of L2, so that it needs no prefetches.
bool WindowSkeleton::fitsInL2() {
  auto type = cast<RankedTensorType>(read.value.getType());
  return type.hasStaticShape() &&
         type.getNumElements() * elementBytesOf(read.value) <=
             kernel.target.getL2Bytes() / 2;
}

/// True if consecutive blocks of rows read consecutive memory.
bool WindowSkeleton::isInOrder() {
  auto row = constantOf(loops.sizes[keptLoops.back()]);
  if (read.rowBytes <= 0 || !row || *row < 1 || *row > runLength() ||
      kernel.scheduled("rows") * read.rowBytes >
          kernel.costs().windowPrefetchBytes)
    return false;
  if (keptLoops.size() == 2)
    return true;
  // The rows must cover at least 3/4 of the stride of the next outer loop.
  auto rows = constantOf(loops.sizes[rowLoop()]);
  int64_t around = bytesBetween(keptLoops[keptLoops.size() - 3], read);
  return rows && around > 0 && *rows * read.rowBytes * 4 >= around * 3;
}

/// Prefetches, for each vector of this block, an equal part of the cache lines
/// of a later block.
void WindowSkeleton::prefetchInOrder(Values dims, Value lower, Value i) {
  int64_t width = lanes->width, bytes = elementBytesOf(read.value);
  int64_t lineBytes = kernel.target.getCacheLineBytes();
  int64_t prefetchBytes = kernel.costs().windowPrefetchBytes;
  int64_t vectors =
      llvm::divideCeil(*constantOf(loops.sizes[keptLoops.back()]), width);
  int64_t lines = llvm::divideCeil(
      llvm::divideCeil(kernel.scheduled("rows") * read.rowBytes, lineBytes),
      vectors);
  dims[keptLoops.back()] = lower;
  for (unsigned loop : reducedLoops)
    dims[loop] = indexConstant(kernel, *constantOf(loops.sizes[loop]) - 1);
  ExpressionEmitter emitter(kernel, *space, dims);
  Value share = b.createOrFold<arith::MulIOp>(
      b.createOrFold<arith::SubIOp>(i, lower),
      indexConstant(kernel, lines * lineBytes / bytes / width));
  Value position =
      b.createOrFold<arith::AddIOp>(emitter.indexValue(read.position), share);
  for (int64_t line = 0; line < lines; ++line)
    memref::PrefetchOp::create(
        b, kernel.buffer(read.value),
        b.createOrFold<arith::AddIOp>(
            position,
            indexConstant(kernel, (prefetchBytes + line * lineBytes) / bytes)),
        /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
}

/// True if the stride of every read along the lanes is at most `widestStep`.
/// Sets `read`.
bool WindowSkeleton::readsAlongLanes() {
  unsigned laneLoop = keptLoops.back();
  bool any = false, all = true;
  analysis::walkReads(
      reductions.front().op->getOperand(0), loops.index, *space,
      [&](Value s) { return kernel.symbolOf(s); }, [](Value) { return false; },
      [&](Value v, const Index &index) {
        auto argument = dyn_cast<BlockArgument>(v);
        if (!argument || kernel.isScalar(argument))
          return;
        AffineExpr position = space->linearize(index, kernel.dims(v));
        if (!position.isFunctionOfDim(laneLoop))
          return;
        auto linear = analysis::linearIn(position, laneLoop, *space);
        auto step = linear ? dyn_cast<AffineConstantExpr>(linear->coefficient)
                           : AffineConstantExpr();
        any = true;
        all &= step && step.getValue() >= 1 && step.getValue() <= widestStep;
        Read next{argument, position};
        if (keptLoops.size() > 1)
          next.rowBytes = bytesBetween(rowLoop(), next);
        if (!read.value || next.rowBytes > read.rowBytes)
          read = next;
      },
      [](const analysis::Guard &) {});
  return any && all;
}

bool WindowSkeleton::plan() {
  if (!fits() || failed(findReductions()) || storesElements() ||
      llvm::all_of(isReduced, [](bool reduced) { return reduced; }) ||
      failed(findLoops(/*wantsKeptLoop=*/true)) ||
      (isLooped() && (unrolled = partOfLine(lineLength(), unrolled)) == 0))
    return false;
  int64_t width = registerLanes(kernel);
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[keptLoops.back()]);
  bool isShort = size && size.getValue() < std::min(shortRow, positions);
  if (size)
    width = std::min<int64_t>(width, llvm::PowerOf2Ceil(size.getValue()));
  lanes = {keptLoops.back(), width};
  return width > 1 && !isShort && readsAlongLanes();
}

/// Offers numbers of rows per block. The default is the largest number that
/// divides the output's rows and does not unroll too many positions.
Offers WindowSkeleton::offer() {
  int64_t maxRows = 1;
  if (keptLoops.size() > 1)
    if (auto rows = dyn_cast<AffineConstantExpr>(loops.sizes[rowLoop()])) {
      maxRows = std::min({kernel.costs().windowRows.value,
                          kernel.costs().maxWindowPositions / unrolled,
                          rows.getValue()});
      for (int64_t count = maxRows; count > 1; --count)
        if (rows.getValue() % count == 0) {
          maxRows = count;
          break;
        }
    }
  Offers offers;
  for (int64_t count = std::max<int64_t>(maxRows, 1); count > 0; --count)
    offers.push_back({{"rows", count}});
  return offers;
}

static LogicalResult combineInto(ReductionPlan::Reduction &r,
                                 MutableArrayRef<Combiner::State> states,
                                 ArrayRef<Combiner::State> others) {
  for (auto [state, other] : llvm::zip(states, others)) {
    auto both = r.combiner.combine(state, other);
    if (failed(both))
      return failure();
    state = *both;
  }
  return success();
}

/// Returns the index of the operand for a position in the window of row `row`
/// of the block. Row and position are constants in it, so that one emitter can
/// share common subexpressions.
Index WindowSkeleton::indexAt(const analysis::IterationSpace &space,
                              int64_t row, int64_t position) {
  SmallVector<AffineExpr> dims = space.identity();
  if (isLooped()) {
    AffineExpr &last = dims[reducedLoops.back()];
    last = unrolled == lineLength() ? constant(position) : last + position;
  }
  for (unsigned loop : llvm::reverse(reducedLoops)) {
    if (isLooped())
      break;
    int64_t size = *constantOf(loops.sizes[loop]);
    dims[loop] = constant(position % size);
    position /= size;
  }
  if (row > 0)
    dims[rowLoop()] = dims[rowLoop()] + row;
  return llvm::map_to_vector(loops.index, [&](AffineExpr e) {
    return space.simplify(e.replaceDims(dims));
  });
}

FailureOr<Combiner::State> WindowSkeleton::emitElement(Reduction &r,
                                                       Vectors &vectors,
                                                       int64_t row,
                                                       int64_t position) {
  // Prefetches once per row of the window, at the position that is emitted
  // first.
  bool isFirst = r.combiner.isExact() ? (position + 1) % lineLength() == 0
                                      : position % lineLength() == 0;
  bool prefetches = isFirst && !fitsInL2() && !isInOrder();
  vectors.elements.prefetch(prefetches ? kernel.costs().windowLinePrefetchBytes
                                       : 0);
  FailureOr<Value> element = vectors.elements.emitLanes(
      r.op->getOperand(0), indexAt(vectors.space, row, position));
  if (failed(element))
    return failure();
  return r.combiner.of(*element, {});
}

FailureOr<WindowSkeleton::States>
WindowSkeleton::emitPosition(Reduction &r, Vectors &vectors, int64_t position) {
  States states;
  for (int64_t row = 0; row < vectors.count; ++row) {
    FailureOr<Combiner::State> state = emitElement(r, vectors, row, position);
    if (failed(state))
      return failure();
    states.push_back(*state);
  }
  return states;
}

/// Combines the positions in any order, for exact combiners such as the
/// maximum. Each row of a window is combined once, and shared by all rows of
/// the block whose windows contain it.
FailureOr<WindowSkeleton::States> WindowSkeleton::emitLines(Reduction &r,
                                                            Vectors &vectors) {
  int64_t length = lineLength();
  llvm::DenseMap<AffineMap, Combiner::State> lines;
  auto lineAt = [&](int64_t row, int64_t begin) -> FailureOr<Combiner::State> {
    AffineMap key =
        AffineMap::get(space->getRank(), space->getNames().names().size(),
                       indexAt(vectors.space, row, begin), b.getContext());
    auto [known, isNew] = lines.insert({key, {}});
    // Positions are emitted in descending order, so that the first position can
    // reuse loads of the later ones.
    for (int64_t p = begin + length; isNew && p-- > begin;) {
      FailureOr<Combiner::State> next = emitElement(r, vectors, row, p);
      if (succeeded(next) && !known->second.empty())
        next = r.combiner.combine(known->second, *next);
      if (failed(next))
        return failure();
      known->second = *next;
    }
    return known->second;
  };
  States states;
  for (int64_t row = 0; row < vectors.count; ++row)
    for (int64_t begin = 0; begin < positions; begin += length) {
      FailureOr<Combiner::State> line = lineAt(row, begin);
      if (succeeded(line) && begin > 0)
        line = r.combiner.combine(states[row], *line);
      if (failed(line))
        return failure();
      states.resize(row + 1);
      states[row] = *line;
    }
  return states;
}

/// Returns the combined positions i, i + step, i + 2 * step, ... If `step` is
/// the number of logical lanes, combines them in sequence. Otherwise combines
/// the results for i and for i + step with twice the step.
FailureOr<WindowSkeleton::States> WindowSkeleton::emitState(Reduction &r,
                                                            Vectors &vectors,
                                                            int64_t i,
                                                            int64_t step) {
  int64_t count = order.getLanes().front();
  bool isLeaf = step == count;
  FailureOr<States> states =
      isLeaf ? emitPosition(r, vectors, i) : emitState(r, vectors, i, step * 2);
  if (failed(states))
    return failure();
  for (int64_t next = i + step; next < positions; next += step) {
    FailureOr<States> others = isLeaf ? emitPosition(r, vectors, next)
                                      : emitState(r, vectors, next, step * 2);
    if (failed(others) || failed(combineInto(r, *states, *others)))
      return failure();
    if (!isLeaf)
      break;
  }
  return states;
}

/// Returns the states of the reduction for vectors of windows.
FailureOr<WindowSkeleton::States>
WindowSkeleton::emitWindows(Reduction &r, Vectors &vectors) {
  FailureOr<States> states = r.combiner.isExact() ? emitLines(r, vectors)
                                                  : emitState(r, vectors, 0, 1);
  if (failed(states))
    return failure();
  States all(states->size(), r.combiner.neutral(lanes->width));
  if (failed(combineInto(r, all, *states)))
    return failure();
  return all;
}

LogicalResult WindowSkeleton::emitVectors(Values dims, Value mask,
                                          int64_t count) {
  Reduction &r = reductions.front();
  // A block's first row is at least `count` - 1 rows before the last row. This
  // allows guards of the other rows to be folded.
  SmallVector<AffineExpr> sizes = loops.sizes;
  if (count > 1)
    sizes[rowLoop()] = constant(*constantOf(sizes[rowLoop()]) - count + 1);
  analysis::IterationSpace ofBlocks(kernel.names, sizes);
  Vectors vectors{ofBlocks, {kernel, ofBlocks, dims, lanes, mask}, count};
  vectors.elements.preferMasks();
  FailureOr<States> states =
      isLooped() ? emitLoop(r, vectors, dims, mask) : emitWindows(r, vectors);
  if (failed(states))
    return failure();
  for (auto [row, state] : llvm::enumerate(*states)) {
    results.clear();
    results[r.op->getResult(0)] = r.combiner.result(state);
    Values at = dims;
    if (row > 0)
      at[rowLoop()] = b.createOrFold<arith::AddIOp>(dims[rowLoop()],
                                                    indexConstant(kernel, row));
    ExpressionEmitter elements(kernel, *space, at, lanes, mask);
    bindResults(elements);
    if (failed(elements.storeOutputs(keptIndex())))
      return failure();
  }
  return success();
}

/// True if the last vector of a row may overlap the previous one and compute
/// some elements twice, so that no lane is masked. The hardware prefetcher
/// ignores masked loads.
bool WindowSkeleton::mayOverlap() {
  auto row = constantOf(loops.sizes[keptLoops.back()]);
  int64_t last = row ? *row % runLength() : 0;
  return row && *row > 0 && (last == 0 || last >= lanes->width);
}

/// Emits `count` rows, starting at the row in `dims`, for the outputs from
/// `lower` to `upper`.
LogicalResult WindowSkeleton::emitRows(Values dims, int64_t count, Value lower,
                                       Value upper) {
  int64_t width = lanes->width;
  auto row = constantOf(loops.sizes[keptLoops.back()]);
  bool overlaps = mayOverlap(), isEven = row && *row % width == 0;
  return forRange(kernel, lower, upper, width, {},
                  [&](Value i, ValueRange) -> FailureOr<Values> {
                    Value mask;
                    if (!fitsInL2() && isInOrder())
                      prefetchInOrder(dims, lower, i);
                    if (overlaps && !isEven)
                      i = b.createOrFold<arith::MinUIOp>(
                          i, b.createOrFold<arith::SubIOp>(
                                 upper, indexConstant(kernel, width)));
                    else if (!overlaps)
                      mask = laneMask(kernel, i, upper, width);
                    dims[keptLoops.back()] = i;
                    if (failed(emitVectors(dims, mask, count)))
                      return failure();
                    return Values();
                  });
}

/// Emits a block of rows. `dims` holds the number of the block in place of the
/// row.
LogicalResult WindowSkeleton::emitBlock(Values dims, Value lower, Value upper) {
  int64_t block = kernel.scheduled("rows");
  if (block == 1)
    return emitRows(dims, 1, lower, upper);
  int64_t rows = cast<AffineConstantExpr>(loops.sizes[rowLoop()]).getValue();
  Value &first = dims[rowLoop()];
  first = b.createOrFold<arith::MulIOp>(first, indexConstant(kernel, block));
  if (rows % block == 0)
    return emitRows(dims, block, lower, upper);
  Value end =
      b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, block));
  Value isFull = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, end,
                                       indexConstant(kernel, rows));
  auto ifOp = scf::IfOp::create(b, isFull, /*withElseRegion=*/true);
  for (auto [body, count] :
       {std::pair(ifOp.thenBlock(), block), {ifOp.elseBlock(), rows % block}}) {
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToStart(body);
    if (failed(emitRows(dims, count, lower, upper)))
      return failure();
  }
  return success();
}

FailureOr<KernelSpec> WindowSkeleton::emit() {
  int64_t run = runLength(), block = kernel.scheduled("rows");
  AffineExpr row = loops.sizes[keptLoops.back()];
  SmallVector<AffineExpr> work;
  for (unsigned loop : ArrayRef(keptLoops).drop_back())
    work.push_back(loops.sizes[loop]);
  if (block > 1)
    work.back() = kernel.names.simplify(work.back().ceilDiv(block));
  if (isLooped() && !reductions.front().combiner.isExact())
    sums.emplace(static_cast<ReductionPlan &>(*this), order.getLanes().front())
        .allocate(block);
  work.push_back(kernel.names.simplify(row.ceilDiv(run)));
  auto item = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work), dims(loops.sizes.size());
    Value length = indexConstant(kernel, run);
    Value lower = b.createOrFold<arith::MulIOp>(at.pop_back_val(), length);
    Value upper = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(lower, length), kernel.size(row));
    for (auto [loop, value] : llvm::zip(keptLoops, at))
      dims[loop] = value;
    if (failed(emitBlock(dims, lower, upper)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, item)))
    return failure();
  auto known = dyn_cast<AffineConstantExpr>(row);
  int64_t elements =
      positions * block * (known ? std::min(known.getValue(), run) : run) + 1;
  return kernel.finish(
      kernel.names.product(work),
      constant(llvm::divideCeil(kernel.costs().taskElements.value, elements)));
}

const Skeleton windows = {
    "windows",
    tx::kinds::row,
    [](KernelBuilder &fusion, tx::OrderAttr order) {
      return WindowSkeleton(fusion, order).plan();
    },
    [](KernelBuilder &fusion, tx::OrderAttr order) -> FailureOr<Offers> {
      WindowSkeleton skeleton(fusion, order);
      if (!skeleton.plan())
        return fusion.fusion.emitOpError("has no windows");
      return skeleton.offer();
    },
    [](KernelBuilder &kernel) -> FailureOr<EmittedKernels> {
      WindowSkeleton skeleton(kernel, kernel.fusion.getOrderAttr());
      if (!skeleton.plan())
        return kernel.fusion.emitOpError("has no windows");
      return single(skeleton.emit());
    },
    reductionOrder};

} // namespace tensorc::codegen::simd
