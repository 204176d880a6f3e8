//===- ContractionOrder.cpp - Order of additions in contractions ----------===//
//
// FMAs add one product at a time, in the order of k. Matrix instructions add 8
// to 32 products at a time. If there are few tiles and K is long, chunks of K are
// accumulated separately, and their sums are then added in order (split-K).
// Several blocks can then share a tile.
//
// The tile instruction of CPUs adds 32 products of bf16 at a time: those of the
// even steps and those of the odd steps are two chains of FMAs that start at 0.
// Their sum is added to the accumulator. docs/lab/contraction.md has the
// experiments. Other CPUs can compute the same order with FMAs.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/plans/ElementRange.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/plans/TileOperands.h"
#include "codegen/kernel/ProductOrder.h"
#include "ir/tx/Tx.h"
#include "ir/tx/ops/Rounding.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tensorc::codegen {

/// Size in bytes of the K steps of a slice of an operand. A chunk consists of
/// whole slices.
static constexpr int64_t sliceBytes = 64;
/// Minimum number of large tiles in a grid. If there would be fewer, small
/// tiles are used, so that more of the chip is busy.
static constexpr int64_t minLargeTiles = 96;
/// Split-K: minimum number of K steps per chunk, and maximum number of chunks.
/// More chunks cost more memory traffic for partial sums than they save.
static constexpr int64_t minChunkSteps = 512, maxChunks = 16;

static AffineExpr countTiles(KernelBuilder &fusion, AffineExpr batches,
                             AffineExpr rows, AffineExpr columns,
                             int64_t side) {
  auto along = [&](AffineExpr size) {
    return fusion.names.simplify(size.ceilDiv(side));
  };
  return fusion.names.product({batches, along(columns), along(rows)});
}

int64_t contractionTile(KernelBuilder &fusion, AffineExpr batches,
                        AffineExpr rows, AffineExpr columns) {
  auto isLarge = [](AffineExpr count) {
    std::optional<int64_t> size = constantOf(count);
    return !size || *size > 64;
  };
  std::optional<int64_t> most =
      constantOf(countTiles(fusion, batches, rows, columns, 128));
  bool large =
      isLarge(rows) && isLarge(columns) && !(most && *most < minLargeTiles);
  return large ? 128 : 64;
}

namespace {
/// Sizes of a contraction: the products of its batch, row, column and reduction
/// dims.
struct Sizes {
  AffineExpr batches, rows, columns, steps;
};
} // namespace

static Sizes sizesOf(KernelBuilder &fusion, tx::DotGeneralOp dot) {
  SmallVector<AffineExpr> result = fusion.dims(dot.getResult()), sums;
  SmallVector<AffineExpr> x = fusion.dims(dot.getX());
  for (int64_t d : dot.getXContracting())
    sums.push_back(x[d]);
  size_t batch = dot.getXBatch().size();
  size_t rows = x.size() - batch - sums.size();
  auto product = [&](ArrayRef<AffineExpr> dims) {
    return fusion.names.product(dims);
  };
  ArrayRef<AffineExpr> all = result;
  return {product(all.take_front(batch)), product(all.slice(batch, rows)),
          product(all.drop_front(batch + rows)), product(sums)};
}

static bool isBelow(AffineExpr size, int64_t minimum) {
  std::optional<int64_t> known = constantOf(size);
  return known && *known < minimum;
}

/// True if tiles of bf16 on a CPU can compute the contraction. Small ones
/// count, too, because they have to have the bits of a kernel for sizes that
/// are known only at run time. A single row or column is computed in another
/// form in any dtype. Windows of images are read in place by other kernels.
static bool hasChains(KernelBuilder &fusion, tx::DotGeneralOp dot,
                      const Sizes &sizes) {
  return dot.getX().getType().getElementType().isBF16() &&
         dot.getY().getType().getElementType().isBF16() &&
         fusion.body().getOps<tx::WindowsOp>().empty() &&
         !isBelow(sizes.rows, 2) && !isBelow(sizes.columns, 2);
}

/// Returns the class of order that the program demands for products of bf16, or
/// "" if the target chooses.
static StringRef demandedOrder(KernelBuilder &fusion) {
  auto module = fusion.fusion->getParentOfType<ModuleOp>();
  auto order =
      module ? module->getAttrOfType<StringAttr>(kBf16OrderAttr) : StringAttr();
  return order ? order.getValue() : "";
}

/// Returns the type in which tiles hold an operand.
static Type tileOperand(const Dot &dot, Value operand) {
  MLIRContext *context = operand.getContext();
  Type element = getElementTypeOrSelf(operand.getType());
  if (element.isF16() || element.isBF16())
    return element;
  if (element.isF32() && dot.hasAttr(tx::tf32Attr))
    return FloatTF32Type::get(context);
  if (!dot.getType().getElementType().isInteger(32))
    return {};
  std::optional<ElementRange> range = elementRange(operand);
  if (range && range->isWithin(-128, 127))
    return IntegerType::get(context, 8);
  if (range && range->isWithin(0, 255))
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  return {};
}

std::optional<TileOperands> tileOperands(const TargetInfo &target,
                                         const Dot &dot) {
  TileOperands types{tileOperand(dot, dot.getX()),
                     tileOperand(dot, dot.getY())};
  if (!types.x || !types.y || !target.multipliesTiles(types.x) ||
      !target.multipliesTiles(types.y))
    return std::nullopt;
  return types;
}

static bool isOnTiles(KernelBuilder &fusion, tx::DotGeneralOp dot,
                      const Sizes &sizes) {
  auto isSmall = [](AffineExpr size) { return isBelow(size, matrixSide); };
  return tileOperands(fusion.target, dot) && !isSmall(sizes.steps) &&
         !(isSmall(sizes.rows) && isSmall(sizes.columns));
}

/// Returns the number of K steps per chunk, or 0 if K is not split. The operands
/// have elements of this type.
static int64_t chunkOf(KernelBuilder &fusion, const Sizes &sizes,
                       Type element) {
  int64_t side =
      contractionTile(fusion, sizes.batches, sizes.rows, sizes.columns);
  std::optional<int64_t> tiles = constantOf(
      countTiles(fusion, sizes.batches, sizes.rows, sizes.columns, side));
  std::optional<int64_t> steps = constantOf(sizes.steps);
  if (!tiles || !steps || *tiles == 0)
    return 0;
  int64_t chunks =
      std::min({minLargeTiles / *tiles, maxChunks, *steps / minChunkSteps});
  return chunks < 2 ? 0
                    : llvm::alignTo(llvm::divideCeil(*steps, chunks),
                                    sliceBytes / tileElementBytes(element));
}

FailureOr<tx::OrderAttr> contractionOrder(KernelBuilder &fusion) {
  auto dots = fusion.body().getOps<tx::DotGeneralOp>();
  if (dots.empty())
    return fusion.fusion.emitOpError("has no contraction");
  tx::DotGeneralOp dot = *dots.begin();
  MLIRContext *context = fusion.b.getContext();
  Sizes sizes = sizesOf(fusion, dot);
  auto fma = tx::OrderAttr::get(context, fmaOrder, {}, 0, 0);
  tx::OrderAttr chains = tx::getTileOrder(context);
  if (hasChains(fusion, dot, sizes)) {
    StringRef demanded = demandedOrder(fusion);
    if (!demanded.empty() && !isBf16Order(demanded))
      return fusion.fusion.emitOpError(
                 "products of bf16 have the order \"fma\" "
                 "or \"chains\", not \"")
             << demanded << "\"";
    if (demanded == tx::chainsOrder && fusion.target.isSimt())
      return fusion.fusion.emitOpError(
                 "the order \"chains\" of bf16 products is computed by CPUs, "
                 "not by ")
             << fusion.target.getName();
    if (demanded == fmaOrder)
      return fma;
    if (demanded == tx::chainsOrder ||
        fusion.target.getMatrixUnit() == MatrixUnit::TileRegisters)
      return chains;
  }
  if (!isOnTiles(fusion, dot, sizes))
    return fma;
  Type element = tileOperands(fusion.target, dot)->x;
  return tx::OrderAttr::get(context, matrixOrder, {},
                            chunkOf(fusion, sizes, element), 0);
}

} // namespace tensorc::codegen
