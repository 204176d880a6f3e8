//===- HopperContraction.cpp - Contraction by wgmma -----------------------===//
//
// A block has 128 producer threads and two groups of 128 consumer threads. Each
// group of consumers multiplies half of the tile's rows:
//
//   producer, one thread:
//     for each slice of k:
//       wait until its stage is empty; copy a box of x and boxes of y
//   consumers:
//     for each slice of k:
//       wait until its stage is full; begin accumulators += x * y
//       wait for the previous slice; mark its stage empty
//     wait; patch = accumulators; epilogue, store
//
// Both operands are inputs in memory. Tensor copies (TMA) store them to shared
// memory in rows of 128 bytes, swizzled as wgmma expects, along k or along rows
// (columns), with zeros past the edges. The epilogue is that of all
// contractions. See docs/design/0012-matrix-instructions.md.
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/nvptx/HopperContraction.h"
#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/tiles/ContractionTile.h"
#include "codegen/kernel/ops/Txk.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen {

using namespace simt;

/// Number of threads of a group, and number of consumer threads.
static constexpr int64_t groupThreads = 128, consumers = 256;
/// Number of rows per group, and per tile.
static constexpr int64_t groupRows = 64, tileRows = 128;
/// Number of columns of wide tiles, and of narrow tiles, which are preferred if
/// there are too few wide ones to occupy the chip.
static constexpr int64_t wideColumns = 256, narrowColumns = 128;
static constexpr int64_t enoughWideTiles = 96, enoughTiles = 64;
/// Number of elements in the 128 bytes of a swizzled row. It is the number of K
/// steps per slice, and of contiguous rows (columns) of an operand that is
/// contiguous along them.
static constexpr int64_t slice = 64;
static constexpr int64_t blockElements = slice * slice;
static constexpr int64_t elementBytes = 2, swizzleBytes = 128;
/// Number of elements in 16 bytes, of which strides must be multiples.
static constexpr int64_t strideElements = 8;
static constexpr int64_t maxStages = 4;
/// Padding between rows of the patch in elements, so that rows begin in
/// different banks.
static constexpr int64_t padding = 8;
/// Numbers of registers per thread. Producers need few.
static constexpr int32_t producerRegisters = 40, consumerRegisters = 232;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// The dims of an operand by role.
struct Shape {
  Shape(RankedTensorType type, ArrayRef<int64_t> batch,
        ArrayRef<int64_t> contracting)
      : type(type) {
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (llvm::is_contained(contracting, d))
        kDims.push_back(d);
      else if (!llvm::is_contained(batch, d))
        mnDims.push_back(d);
      else
        batchDims.push_back(d);
  }
  /// True if there is exactly one dim each for rows (columns) and K, one of the
  /// two is contiguous, and sizes and alignment suit tensor copies.
  bool fits() const {
    int64_t last = type.getRank() - 1;
    return type.getRank() <= 5 && kDims.size() == 1 && mnDims.size() == 1 &&
           (kDims[0] == last || mnDims[0] == last) &&
           !type.isDynamicDim(last) &&
           type.getDimSize(last) % strideElements == 0 &&
           (type.isDynamicDim(kDims[0]) || type.getDimSize(kDims[0]) >= slice);
  }
  bool isMNMajor() const { return mnDims[0] == type.getRank() - 1; }
  /// Returns the number of tiles along rows or columns. Symbolic sizes count as
  /// large.
  int64_t tiles(int64_t side) const {
    return type.isDynamicDim(mnDims[0])
               ? enoughTiles
               : llvm::divideCeil(type.getDimSize(mnDims[0]), side);
  }
  bool isLarge() const {
    return type.isDynamicDim(mnDims[0]) || type.getDimSize(mnDims[0]) > 64;
  }

  RankedTensorType type;
  SmallVector<int64_t, 1> kDims, mnDims, batchDims;
};
} // namespace

static Shape shapeOfX(Dot dot) {
  return {dot.getX().getType(), dot.getXBatch(), dot.getXContracting()};
}
static Shape shapeOfY(Dot dot) {
  return {dot.getY().getType(), dot.getYBatch(), dot.getYContracting()};
}

/// Returns the number of tiles with 128 rows and `columns` columns.
static int64_t countTiles(Dot dot, int64_t columns) {
  Shape x = shapeOfX(dot);
  int64_t count = x.tiles(tileRows) * shapeOfY(dot).tiles(columns);
  for (int64_t d : x.batchDims)
    count *= x.type.isDynamicDim(d) ? enoughTiles : x.type.getDimSize(d);
  return count;
}

static Dot findDot(tx::FusionOp fusion) {
  Dot dot;
  for (Operation &op : fusion.getBody().front())
    if (auto candidate = dyn_cast<tx::DotGeneralOp>(op))
      dot = candidate;
  return dot;
}

/// True if both operands are large, and in memory in a form that tensor copies
/// accept.
static bool match(KernelBuilder &fusion, tx::OrderAttr order) {
  if (order.getInstruction() != matrixOrder || order.getChunk())
    return false;
  Dot dot = findDot(fusion.fusion);
  Type element = dot.getX().getType().getElementType();
  if (!element.isF16() && !element.isBF16())
    return false;
  if (!isa<BlockArgument>(dot.getX()) || !isa<BlockArgument>(dot.getY()))
    return false;
  Shape x = shapeOfX(dot), y = shapeOfY(dot);
  return x.fits() && y.fits() && x.isLarge() && y.isLarge() &&
         countTiles(dot, narrowColumns) >= enoughTiles;
}

/// Offers wide tiles first if they are enough to occupy the chip, and narrow
/// tiles first otherwise.
static FailureOr<Offers> offer(KernelBuilder &fusion, tx::OrderAttr) {
  bool isWide =
      countTiles(findDot(fusion.fusion), wideColumns) >= enoughWideTiles;
  Offers offers;
  for (bool wide : {isWide, !isWide})
    for (int64_t stages = maxStages; stages >= 2; --stages)
      offers.push_back({{"rows", tileRows},
                        {"columns", wide ? wideColumns : narrowColumns},
                        {"stages", stages}});
  return offers;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
class HopperContraction : ContractionTile {
public:
  explicit HopperContraction(KernelBuilder &kernel) : ContractionTile(kernel) {}
  FailureOr<KernelSpec> emit();

private:
  struct Operand {
    Value value;
    const analysis::Index *index;
    unsigned loop;
    int64_t size; // rows or columns of the tile
    bool isMNMajor;
    Value map, memory;

    int64_t elements() const { return size * slice; }
  };
  std::optional<Operand> x, y;
  int64_t stages = 0;
  Value barriers, patch;

  Value constantIndex(int64_t value) { return indexConstant(kernel, value); }
  LogicalResult planLoops();
  void planOperand(Operand &o);
  void planMemory();
  Value isThread(Value thread, int64_t number) {
    return equal(kernel, thread, constantIndex(number));
  }
  /// Returns the stage of slice n, which is also the index of its full barrier.
  /// The empty barriers follow the full ones.
  Value stageOf(Value n) { return rem(kernel, n, constantIndex(stages)); }
  Value emptyOf(Value n) {
    return add(kernel, stageOf(n), constantIndex(stages));
  }
  /// Returns the parity of the barrier phase in which the stage holds slice n.
  Value parityOf(Value n);
  void makeBarriers();
  void copy(const Operand &o, const Values &dims, Value k, Value stage);
  LogicalResult produce(const Values &dims);
  Value descriptor(const Operand &o, Value element);
  FailureOr<Value> sum();
  LogicalResult consume(const Tile &tile);
  void storeSums(Value sums);
};
} // namespace

/// Plans one loop per dim, because tensor copies take a coordinate for each
/// dim.
LogicalResult HopperContraction::planLoops() {
  if (failed(planDims()))
    return failure();
  loops.sizes = shape;
  space.emplace(kernel.names, loops.sizes);
  loops.index = space->identity();
  loops.innermost = llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  rowLoop = dot.getXBatch().size();
  laneLoop = rowLoop + 1;
  outerLoops = llvm::to_vector(llvm::seq<unsigned>(0, rowLoop));
  kLoops = {laneLoop + 1};
  useOneNest();
  return success();
}

/// Creates the tensor map of the operand. Its dims are those of the input,
/// innermost first.
void HopperContraction::planOperand(Operand &o) {
  auto input = cast<BlockArgument>(o.value);
  KernelSpec::TensorMap map;
  map.buffer = cast<BlockArgument>(kernel.buffer(input)).getArgNumber();
  map.elementBytes = elementBytes;
  map.swizzle = swizzleBytes;
  Shape shape = &o == &*x ? shapeOfX(dot) : shapeOfY(dot);
  o.isMNMajor = shape.isMNMajor();
  SmallVector<AffineExpr> dims = kernel.dims(o.value);
  for (int64_t d = dims.size(); d-- > 0;) {
    bool isMatrix = d == shape.kDims[0] || d == shape.mnDims[0];
    bool isInner = d + 1 == static_cast<int64_t>(dims.size());
    int64_t side = !isMatrix ? 1 : isInner || o.isMNMajor ? slice : o.size;
    map.box.push_back(side);
    map.sizes.push_back(dims[d]);
  }
  o.map = kernel.addTensorMap(std::move(map));
}

/// Lays out shared memory. The patch reuses the memory of the stages.
void HopperContraction::planMemory() {
  x = Operand{dot.getX(), &xIndex, rowLoop, rows, false, {}, {}};
  y = Operand{dot.getY(), &yIndex, laneLoop, columns, false, {}, {}};
  planOperand(*x);
  planOperand(*y);
  Type element = dot.getX().getType().getElementType();
  int64_t xElements = stages * x->elements(),
          yElements = stages * y->elements();
  int64_t patchElements = rows * (columns + padding);
  Value bytes = kernel.addWorkgroupMemory(
      std::max(elementBytes * (xElements + yElements), 4 * patchElements),
      b.getI8Type());
  barriers = kernel.addWorkgroupMemory(2 * stages, b.getI64Type());
  x->memory = view(bytes, 0, xElements, element);
  y->memory = view(bytes, elementBytes * xElements, yElements, element);
  patch = view(bytes, 0, patchElements, accumulator);
}

Value HopperContraction::parityOf(Value n) {
  Value round =
      rem(kernel, div(kernel, n, constantIndex(stages)), constantIndex(2));
  return arith::IndexCastOp::create(b, b.getI32Type(), round);
}

void HopperContraction::makeBarriers() {
  for (int64_t i = 0; i < 2 * stages; ++i) {
    // The producer, whose copies count too, arrives at full barriers. Each
    // group of consumers arrives at empty barriers.
    int32_t arrivals = i < stages ? 1 : consumers / groupThreads;
    txk::NvMbarrierInitOp::create(b, barriers, constantIndex(i), arrivals);
  }
  txk::NvMbarrierFenceOp::create(b);
}

/// Copies to `stage` the boxes of the operand's slice that begins at k.
void HopperContraction::copy(const Operand &o, const Values &dims, Value k,
                             Value stage) {
  int64_t boxSize = o.isMNMajor ? slice : o.size;
  Value begin = mul(kernel, stage, constantIndex(o.elements()));
  for (int64_t mn = 0; mn < o.size; mn += boxSize) {
    Values at = dims;
    at[kLoops.front()] = k;
    at[o.loop] = add(kernel, dims[o.loop], constantIndex(mn));
    ExpressionEmitter elements(kernel, *space, at, std::nullopt);
    Values coordinates;
    for (AffineExpr dim : llvm::reverse(*o.index))
      coordinates.push_back(elements.indexValue(dim));
    txk::NvTensorCopyOp::create(b, o.map, coordinates, o.memory,
                                add(kernel, begin, constantIndex(mn * slice)),
                                barriers, stage);
  }
}

LogicalResult HopperContraction::produce(const Values &dims) {
  txk::NvSetRegistersOp::create(b, producerRegisters, /*increase=*/false);
  return when(kernel, isThread(thread, 0), [&] {
    auto done = forRange(
        kernel, constantIndex(0), kernel.size(count), slice, {},
        [&](Value k, ValueRange) -> FailureOr<Values> {
          Value n = div(kernel, k, constantIndex(slice));
          Value one = arith::ConstantIntOp::create(b, b.getI32Type(), 1);
          Value parity = arith::XOrIOp::create(b, parityOf(n), one);
          txk::NvMbarrierWaitOp::create(b, barriers, emptyOf(n), parity);
          int64_t bytes = elementBytes * (x->elements() + y->elements());
          txk::NvMbarrierArriveOp::create(b, barriers, stageOf(n), bytes);
          copy(*x, dims, k, stageOf(n));
          copy(*y, dims, k, stageOf(n));
          return Values();
        });
    return success(succeeded(done));
  });
}

/// Returns wgmma's descriptor of an operand in shared memory. It consists of
/// the address, the stride between blocks of 64 rows or columns (if the operand
/// is contiguous along them), and the stride between groups of 8 rows of 128
/// bytes, all in units of 16 bytes, and of the flag for the 128-byte swizzle.
Value HopperContraction::descriptor(const Operand &o, Value element) {
  constexpr uint64_t swizzle128 = uint64_t(1) << 62, addressMask = 0x3ffff;
  uint64_t leading = o.isMNMajor ? blockElements * elementBytes / 16 : 1;
  uint64_t stride = 8 * swizzleBytes / 16;
  Value address =
      txk::NvSharedAddressOp::create(b, b.getI32Type(), o.memory, element);
  auto word = [&](uint64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(),
                                        static_cast<int64_t>(value));
  };
  Value bits = arith::ExtUIOp::create(b, b.getI64Type(), address);
  bits = arith::AndIOp::create(b, bits, word(addressMask));
  bits = arith::ShRUIOp::create(b, bits, word(4));
  return arith::OrIOp::create(b, bits,
                              word(swizzle128 | stride << 32 | leading << 16));
}

/// Accumulates the group's rows, for all columns, over k.
FailureOr<Value> HopperContraction::sum() {
  constexpr int32_t steps = slice / 16;
  auto advance = [](const Operand &o) -> int32_t {
    return (o.isMNMajor ? 16 * swizzleBytes : 16 * elementBytes) / 16;
  };
  Type element = dot.getX().getType().getElementType();
  auto type = VectorType::get({columns / 2}, accumulator);
  Value group = div(kernel, thread, constantIndex(groupThreads));
  Value inGroup = rem(kernel, thread, constantIndex(groupThreads));
  Value zeros = constantOf(b, b.getLoc(), type, 0);
  auto sums = forRange(
      kernel, constantIndex(0), kernel.size(count), slice, zeros,
      [&](Value k, ValueRange carried) -> FailureOr<Values> {
        Value n = div(kernel, k, constantIndex(slice)), stage = stageOf(n);
        txk::NvMbarrierWaitOp::create(b, barriers, stage, parityOf(n));
        Value row = mul(kernel, group, constantIndex(groupRows * slice));
        Value left = descriptor(
            *x,
            add(kernel, mul(kernel, stage, constantIndex(x->elements())), row));
        Value right =
            descriptor(*y, mul(kernel, stage, constantIndex(y->elements())));
        Value next = txk::NvWgmmaOp::create(
            b, type, left, right, carried[0], element, steps, advance(*x),
            advance(*y), x->isMNMajor, y->isMNMajor, /*fence=*/true,
            /*commit=*/true);
        next = txk::NvWgmmaWaitOp::create(b, type, next, 1);
        Value release = arith::AndIOp::create(
            b, less(kernel, constantIndex(0), n), isThread(inGroup, 0));
        if (failed(when(kernel, release, [&] {
              Value before = sub(kernel, n, constantIndex(1));
              txk::NvMbarrierArriveOp::create(b, barriers, emptyOf(before), 0);
              return success();
            })))
          return failure();
        return Values{next};
      });
  if (failed(sums))
    return failure();
  return Value(txk::NvWgmmaWaitOp::create(b, type, sums->front(), 0));
}

/// Stores the accumulators to the patch. Each thread has 2 columns of every 8,
/// in 2 rows of its warp's 16.
void HopperContraction::storeSums(Value sums) {
  Value lane = rem(kernel, thread, constantIndex(32));
  Value row = add(
      kernel,
      mul(kernel, div(kernel, thread, constantIndex(32)), constantIndex(16)),
      div(kernel, lane, constantIndex(4)));
  Value column =
      mul(kernel, rem(kernel, lane, constantIndex(4)), constantIndex(2));
  int64_t stride = columns + padding;
  Value first = add(kernel, mul(kernel, row, constantIndex(stride)), column);
  auto pair = VectorType::get({2}, accumulator);
  for (int64_t i = 0; i < columns / 2; i += 2) {
    Values both;
    for (int64_t e : {i, i + 1})
      both.push_back(vector::ExtractOp::create(b, sums, ArrayRef<int64_t>{e}));
    Value values = vector::FromElementsOp::create(b, pair, both);
    int64_t offset = i / 2 % 2 * 8 * stride + i / 4 * 8;
    vector::StoreOp::create(b, values, patch,
                            add(kernel, first, constantIndex(offset)),
                            /*nontemporal=*/false, alignment(2));
  }
}

/// Emits the consumers. After the first barrier, no multiplication reads the
/// memory that the patch reuses.
LogicalResult HopperContraction::consume(const Tile &tile) {
  txk::NvSetRegistersOp::create(b, consumerRegisters, /*increase=*/true);
  thread = sub(kernel, thread, constantIndex(groupThreads));
  FailureOr<Value> sums = sum();
  if (failed(sums))
    return failure();
  constexpr int32_t named = 1;
  txk::NvBarrierSyncOp::create(b, named, consumers);
  storeSums(*sums);
  txk::NvBarrierSyncOp::create(b, named, consumers);
  threads = consumers;
  auto load = [&](Value from, Type type) {
    return loadAccumulators(patch, from, type);
  };
  return epilogue(tile, {load, rows, columns + padding, accessLanes(kernel),
                         [](Value row) { return row; }});
}

FailureOr<KernelSpec> HopperContraction::emit() {
  if (failed(planLoops()))
    return failure();
  threads = groupThreads + consumers;
  rows = kernel.scheduled("rows");
  columns = kernel.scheduled("columns");
  stages = kernel.scheduled("stages");
  planMemory();
  SmallVector<AffineExpr> grid = planGrid();
  Tile tile = beginTile(gpu::BlockIdOp::create(b, gpu::Dimension::x), grid);
  if (failed(when(kernel, isThread(thread, 0), [&] {
        makeBarriers();
        return success();
      })))
    return failure();
  barrier(kernel);
  Value isProducer = less(kernel, thread, constantIndex(groupThreads));
  auto done = choose(
      kernel, isProducer, TypeRange(),
      [&]() -> FailureOr<Values> {
        if (failed(produce(dimsOf(tile))))
          return failure();
        return Values();
      },
      [&]() -> FailureOr<Values> {
        if (failed(consume(tile)))
          return failure();
        return Values();
      });
  if (failed(done))
    return failure();
  return kernel.finishSimt(kernel.names.product(grid),
                           groupThreads + consumers);
}

const Skeleton hopperContraction = {"wgmma",
                                    tx::kinds::contraction,
                                    match,
                                    offer,
                                    [](KernelBuilder &kernel) {
                                      return single(
                                          HopperContraction(kernel).emit());
                                    },
                                    contractionOrder};

} // namespace tensorc::codegen
