//===- Loop.cpp - Element-wise loops on CPUs ------------------------------===//
//
// for each element, or vector of elements, of the outputs' common shape:
//   compute and store all outputs
//
// If an output aliases the input that it updates, only the replaced window is
// stored. The window is divided among the ranges of work items.
//
// concatenate and pad split one of the loops into parts (LoopParts.h).
//
// A fusion may read a large tensor in another order than it writes, as a
// transpose does. It then loops in the order of the tensor that it reads: the
// hardware prefetcher follows the reads, and streaming stores do not stall. If
// the order of reads is only known at run time, as in an embedding lookup, each
// row prefetches a later one, and long rows are copied four at a time.
//
// If the last dim is short, as for complex numbers and pixels, the dim before
// it is vectorized, and each lane computes a whole row of the last dim.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/Sweep.h"
#include "codegen/emitters/simd/loop/LoopParts.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

namespace {
/// A row of the innermost loop, as the indices of the outer loops.
struct Row {
  SmallVector<Value> dims;
  /// Outer indices of the row to prefetch, or empty to prefetch further ahead
  /// in the same row.
  SmallVector<Value> later;
};

class LoopSkeleton {
public:
  LoopSkeleton(KernelBuilder &kernel) : kernel(kernel), costs(kernel.costs()) {}

  FailureOr<KernelSpec> emit() {
    FailureOr<CollapsedDims> collapsed = collapseOutputs(kernel);
    if (failed(collapsed))
      return failure();
    loops = *collapsed;
    rowSize = sizeOfRowsInLanes(kernel, loops);
    if (rowSize)
      loops.dropShortRowLoop(kernel.names);
    parts = findLoopParts(kernel, loops);
    planReads();
    inPlace = keepsInputs(kernel);
    first = inPlace ? arith::SelectOp::create(kernel.b, inPlace, kernel.end(),
                                              kernel.begin())
                    : kernel.begin();
    if (loops.sizes.empty())
      return scalar();
    return loops.sizes.size() == 1 ? flat() : nested();
  }

private:
  KernelBuilder &kernel;
  const CpuCosts &costs;
  CollapsedDims loops;
  /// Size of the last dim if each lane computes and stores a whole row of it. 0
  /// if lanes are elements.
  int64_t rowSize = 0;
  LoopParts parts;
  /// The outer loops in the order in which work items enumerate them.
  SmallVector<unsigned> order;
  /// `readsJump`: consecutive rows read memory that is not consecutive, as in a
  /// gather of rows. `jumpsInMemory`: they also read a tensor that exceeds the
  /// caches.
  bool readsJump = false, jumpsInMemory = false;
  /// True if the index of lane 0 is a multiple of the number of lanes.
  bool startsAtMultiples = false;
  /// An i1 that is true if only the replaced windows are stored, or null if all
  /// elements always are.
  Value inPlace;
  /// The first work item to compute. It equals the end of the range if only
  /// windows are stored.
  Value first;

  AffineExpr constant(int64_t value) { return kernel.names.constant(value); }

  auto sizeOf(unsigned loop) { return constantOf(loops.sizes[loop]); }

  /// Returns the stride of a read along each loop. Returns nullopt if a stride
  /// is negative or not constant, or if the stride along the lanes is not 1.
  std::optional<SmallVector<int64_t>>
  stepsOf(AffineExpr position, const analysis::IterationSpace &space) {
    SmallVector<int64_t> steps;
    for (unsigned loop = 0; loop < loops.sizes.size(); ++loop) {
      auto linear = analysis::linearIn(position, loop, space);
      auto step =
          linear ? constantOf(linear->coefficient) : std::optional<int64_t>();
      if (!step || *step < 0)
        return std::nullopt;
      steps.push_back(*step);
    }
    return steps.back() == 1 ? std::optional(steps) : std::nullopt;
  }

  /// Returns the strides of all reads that depend on every loop, if they agree;
  /// else an empty list. Other reads, such as a bias, are small and do not
  /// count.
  SmallVector<int64_t> stridesOfReads() {
    analysis::IterationSpace space(kernel.names, loops.sizes);
    SmallVector<int64_t> all;
    bool areAlike = true;
    auto onRead = [&](Value v, const Index &index) {
      auto argument = dyn_cast<BlockArgument>(v);
      if (!argument || kernel.isScalar(argument))
        return;
      AffineExpr position = space.linearize(index, kernel.dims(v));
      for (unsigned loop = 0; loop < loops.sizes.size(); ++loop)
        if (!position.isFunctionOfDim(loop))
          return;
      auto steps = stepsOf(position, space);
      areAlike &= steps && (all.empty() || all == *steps);
      if (areAlike)
        all = *steps;
    };
    for (Value root : kernel.yield().getValues())
      analysis::walkReads(
          root, loops.index, space, [&](Value s) { return kernel.symbolOf(s); },
          [](Value) { return false; }, onRead, [](const analysis::Guard &) {});
    return areAlike ? all : SmallVector<int64_t>();
  }

  bool isInMemory(Value table) {
    auto type = cast<RankedTensorType>(table.getType());
    return type.hasStaticShape() &&
           comeFromMemory(
               type.getNumElements() *
                   llvm::divideCeil(
                       type.getElementType().getIntOrFloatBitWidth(), 8),
               kernel.target);
  }

  /// Chooses the order of rows, and sets `readsJump` and `jumpsInMemory`.
  void planReads() {
    order = llvm::to_vector(
        llvm::seq<unsigned>(0, std::max<size_t>(loops.sizes.size(), 1) - 1));
    if (loops.sizes.size() < 2 || parts.all.size() > 1 || !isCheap(kernel))
      return;
    auto row = sizeOf(order.size());
    if (!row || *row % kernel.scheduled("lanes") != 0)
      return;
    readsJump = !rowSize && llvm::any_of(kernel.body(), gathersRows);
    jumpsInMemory =
        readsJump && llvm::any_of(kernel.body(), [&](Operation &op) {
          return gathersRows(op) && isInMemory(op.getOperand(0));
        });
    if (readsJump || !exceedCaches(kernel, kernel.names.product(loops.sizes)))
      return;
    SmallVector<int64_t> steps = stridesOfReads();
    if (!steps.empty())
      llvm::sort(order, [&](unsigned a, unsigned b) {
        return steps[a] != steps[b] ? steps[a] > steps[b] : a < b;
      });
  }

  /// Returns the indices of the outer loops for a work item.
  SmallVector<Value> rowAt(Value item) {
    SmallVector<AffineExpr> sizes;
    for (unsigned loop : order)
      sizes.push_back(loops.sizes[loop]);
    SmallVector<Value> at = delinearize(kernel, item, sizes), dims(at.size());
    for (auto [loop, value] : llvm::zip_equal(order, at))
      dims[loop] = value;
    return dims;
  }

  LogicalResult prefetchRow(const LoopPart &part, ArrayRef<Value> row,
                            Value lane, int64_t width) {
    SmallVector<Value> dims(row);
    dims.push_back(lane);
    unsigned innermost = dims.size() - 1;
    ExpressionEmitter later(kernel, part.space, dims,
                            ExpressionEmitter::Lanes{innermost, width});
    return later.prefetchOutputs(part.loops.index);
  }

  /// True if the hardware prefetcher follows all reads, because they stream
  /// through whole tensors and it crosses page boundaries.
  bool isFoundByHardware() {
    return loops.sizes.size() == 1 && costs.prefetchesAcrossPages;
  }

  LogicalResult storeLanes(const LoopPart &part, ValueRange dims, int64_t width,
                           Value mask, Value streaming,
                           ArrayRef<Value> later = {}) {
    std::optional<ExpressionEmitter::Lanes> lanes;
    if (width > 1)
      lanes = {static_cast<unsigned>(dims.size() - 1), width};
    ExpressionEmitter elements(kernel, part.space, dims, lanes,
                               width > 1 ? mask : Value());
    if (!isCheap(kernel))
      elements.expectAllOn();
    if (startsAtMultiples)
      elements.beginAtMultiples();
    if ((streaming || jumpsInMemory) && !later.empty()) {
      if (failed(prefetchRow(part, later, dims.back(), width)))
        return failure();
    } else if (streaming && !isFoundByHardware()) {
      elements.prefetch(costs.streamPrefetchBytes);
    }
    return rowSize
               ? elements.storeShortRows(part.loops.index, rowSize, streaming)
               : elements.storeOutputs(part.loops.index, streaming);
  }

  /// Emits a kernel for outputs with a single element.
  FailureOr<KernelSpec> scalar() {
    auto done =
        forRange(kernel, first, kernel.end(), 1, {},
                 [&](Value, ValueRange) -> FailureOr<SmallVector<Value>> {
                   if (failed(storeLanes(parts.all[0], {}, 1, {}, {})))
                     return failure();
                   return SmallVector<Value>();
                 });
    if (failed(done))
      return failure();
    return finish(constant(1), constant(1));
  }

  /// Emits a kernel with a single loop, whose work items are elements.
  FailureOr<KernelSpec> flat() {
    ImplicitLocOpBuilder &b = kernel.b;
    for (const LoopPart &part : parts.all) {
      Value lower = first, upper = kernel.end();
      if (parts.all.size() > 1) {
        Value begin = indexConstant(kernel, part.begin);
        auto within = [&](Value bound) -> Value {
          bound = arith::SubIOp::create(
              b, arith::MaxUIOp::create(b, bound, begin), begin);
          return arith::MinUIOp::create(b, bound,
                                        kernel.size(part.loops.sizes[0]));
        };
        lower = within(lower);
        upper = within(upper);
      }
      if (failed(lanesOf(part, Row(), lower, upper, AffineExpr())))
        return failure();
    }
    return finish(loops.sizes[0], constant(costs.taskElements));
  }

  /// Emits a kernel whose work items are rows of the innermost loop.
  FailureOr<KernelSpec> nested() {
    ArrayRef<AffineExpr> outer = ArrayRef(loops.sizes).drop_back();
    int64_t count = rowsAtOnce();
    Value rest = first;
    if (count > 1) {
      ImplicitLocOpBuilder &b = kernel.b;
      Value step = indexConstant(kernel, count);
      Value all = b.createOrFold<arith::SubIOp>(kernel.end(), first);
      rest = b.createOrFold<arith::SubIOp>(
          kernel.end(), b.createOrFold<arith::RemUIOp>(all, step));
      if (failed(rowsBetween(first, rest, count)))
        return failure();
    }
    if (failed(rowsBetween(rest, kernel.end(), 1)))
      return failure();
    AffineExpr grain =
        constant(costs.taskElements).ceilDiv(loops.sizes.back() + 1);
    return finish(kernel.names.product(outer), grain);
  }

  int64_t bytesOfRow() {
    Type element = getElementTypeOrSelf(kernel.yield().getOperandTypes()[0]);
    return *sizeOf(order.size()) *
           llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  }

  /// Returns the number of rows that are copied together. With long rows at
  /// random addresses, several streams are faster than one.
  int64_t rowsAtOnce() {
    bool gains = readsJump && bytesOfRow() >= costs.longRowBytes &&
                 exceedCaches(kernel, kernel.names.product(loops.sizes));
    return gains ? costs.rowsAtOnce : 1;
  }

  /// Emits the rows from `lower` to `upper`, `count` at a time. upper - lower
  /// is a multiple of `count`.
  LogicalResult rowsBetween(Value lower, Value upper, int64_t count) {
    auto body = [&](Value item, ValueRange) -> FailureOr<SmallVector<Value>> {
      SmallVector<Row> rows;
      for (int64_t r = 0; r < count; ++r) {
        Value at = kernel.b.createOrFold<arith::AddIOp>(
            item, indexConstant(kernel, r));
        Row &row = rows.emplace_back(Row{rowAt(at), {}});
        if (readsJump)
          row.later = rowAt(prefetchedItem(at, count));
      }
      AffineExpr inner = loops.sizes.back();
      if (failed(parts.all.size() > 1
                     ? oneRow(rows[0].dims, parts.all)
                     : lanesOf(parts.all[0], rows, indexConstant(kernel, 0),
                               kernel.size(inner), inner)))
        return failure();
      return SmallVector<Value>();
    };
    return success(succeeded(forRange(kernel, lower, upper, count, {}, body)));
  }

  /// Returns the work item to prefetch: the one that is the prefetch distance,
  /// and at least `minimum` items, after this one. It is at most the last item
  /// of the range.
  Value prefetchedItem(Value item, int64_t minimum) {
    ImplicitLocOpBuilder &b = kernel.b;
    int64_t bytes = std::max<int64_t>(bytesOfRow(), 1); // rows may be empty
    int64_t prefetchBytes = costs.streamPrefetchBytes;
    int64_t distance =
        std::max<int64_t>(llvm::divideCeil(prefetchBytes, bytes), minimum);
    Value later =
        b.createOrFold<arith::AddIOp>(item, indexConstant(kernel, distance));
    Value last =
        b.createOrFold<arith::SubIOp>(kernel.end(), indexConstant(kernel, 1));
    return b.createOrFold<arith::MinUIOp>(later, last);
  }

  /// Emits a row: all parts of the innermost loop, or the part of an outer loop
  /// that contains the row, which is found by binary search.
  LogicalResult oneRow(ArrayRef<Value> dims, ArrayRef<LoopPart> left) {
    ImplicitLocOpBuilder &b = kernel.b;
    auto fullRow = [&](const LoopPart &part, ArrayRef<Value> at) {
      AffineExpr inner = part.loops.sizes.back();
      if (parts.isByElements(kernel, part))
        return elementsOf(part, at, *constantOf(inner));
      return lanesOf(part, Row{SmallVector<Value>(at), {}},
                     indexConstant(kernel, 0), kernel.size(inner), inner);
    };
    if (parts.splitsInnermost()) {
      for (const LoopPart &part : left)
        if (failed(fullRow(part, dims)))
          return failure();
      return success();
    }
    SmallVector<Value> at(dims);
    at[parts.cut] = b.createOrFold<arith::SubIOp>(
        at[parts.cut], indexConstant(kernel, left[0].begin));
    if (left.size() == 1)
      return fullRow(left[0], at);
    size_t half = left.size() / 2;
    Value isBefore =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, dims[parts.cut],
                              indexConstant(kernel, left[half].begin));
    auto ifOp = scf::IfOp::create(b, isBefore, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    if (failed(oneRow(dims, left.take_front(half))))
      return failure();
    b.setInsertionPointToStart(ifOp.elseBlock());
    return oneRow(dims, left.drop_front(half));
  }

  LogicalResult elementsOf(const LoopPart &part, ArrayRef<Value> row,
                           int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      SmallVector<Value> dims(row);
      dims.push_back(indexConstant(kernel, i));
      if (failed(storeLanes(part, dims, 1, {}, {})))
        return failure();
    }
    return success();
  }

  FailureOr<KernelSpec> finish(AffineExpr extent, AffineExpr grain) {
    if (inPlace && failed(replaceWindows(kernel, inPlace, extent)))
      return failure();
    return kernel.finish(extent, grain);
  }

  /// Emits the vectors from `lower` to `upper` of each row. `size` is upper -
  /// lower if that is known.
  LogicalResult lanesOf(const LoopPart &part, ArrayRef<Row> rows, Value lower,
                        Value upper, AffineExpr size) {
    int64_t width = kernel.scheduled("lanes");
    bool isFull = parts.all.size() == 1 || !parts.splitsInnermost();
    AffineExpr count = kernel.names.product(loops.sizes);
    AffineExpr inner = rows[0].dims.empty() ? AffineExpr() : loops.sizes.back();
    bool isUnaligned =
        isFull && !rowSize && streamsUnalignedRows(kernel, count, inner, width);
    startsAtMultiples = !isUnaligned && matchPattern(lower, m_Zero());
    auto body = [&](Value i, Value mask,
                    ValueRange) -> FailureOr<SmallVector<Value>> {
      // Parts of a row may begin at any address, so their stores do not stream.
      Value streaming;
      if (isUnaligned && !mask)
        streaming = arith::ConstantIntOp::create(kernel.b, 1, 1);
      else if (isFull)
        streaming = streamingStores(kernel, count, inner, i, upper, width);
      for (const Row &row : rows) {
        SmallVector<Value> dims(row.dims);
        dims.push_back(i);
        if (failed(storeLanes(part, dims, width, mask, streaming, row.later)))
          return failure();
      }
      return SmallVector<Value>();
    };
    if (isUnaligned) {
      SmallVector<Value> dims(rows[0].dims);
      dims.push_back(lower);
      ExpressionEmitter elements(kernel, part.space, dims);
      return forLanesOfOutputs(kernel,
                               elements.outputPosition(part.loops.index), upper,
                               width, body);
    }
    if (!isFull && size)
      return forLanesOfPart(kernel, *constantOf(size), width, body);
    return success(
        succeeded(forLanes(kernel, lower, upper, width, size, {}, body)));
  }
};
} // namespace

FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel) {
  return LoopSkeleton(kernel).emit();
}

const Skeleton loop = {
    .name = "elements",
    .kind = tx::kinds::loop,
    .match = matchAll,
    .schedules = [](KernelBuilder &fusion, tx::OrderAttr) -> FailureOr<Offers> {
      return offerLanesOfLoop(fusion);
    },
    .emit = [](KernelBuilder &kernel) { return single(emitLoop(kernel)); },
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
