//===- AttentionOrder.cpp - Chooses the tiles of attention on GPUs --------===//

#include "codegen/emitters/simt/attention/AttentionOrder.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/kernel/GpuCosts.h"
#include "codegen/kernel/SumLayout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tensorc::codegen::simt {

/// Maximum number of columns of v. A block keeps the accumulators of all
/// columns in registers.
static constexpr int64_t maxColumns = 256;
/// Size of the block for which an order is chosen: threads if there are no
/// matrix instructions, subgroups otherwise.
static constexpr int64_t plainThreads = 256, tileSubgroups = 4;

/// Returns the bytes of a tile of 16-bit operands. It may be row- or
/// column-major, and the larger size counts.
static int64_t sliceBytes(int64_t x, int64_t y) {
  return 2 * std::max(x * (y + tilePadding), y * (x + tilePadding));
}

//===----------------------------------------------------------------------===//
// With scores in registers
//===----------------------------------------------------------------------===//

/// Maximum number of results of a subgroup for which its registers also hold
/// scores of 64 keys: 64 registers per lane. Wider heads have tiles of 32 keys.
static constexpr int64_t maxResults = 2048;

static int64_t registerBytes(const AttentionSizes &sizes, AttentionBlock block,
                             int64_t keys) {
  int64_t depth = llvm::alignTo(*sizes.depth, matrixSide);
  int64_t slices = sliceBytes(block.rows, depth) + sliceBytes(keys, depth) +
                   sliceBytes(keys, block.columns);
  return std::max(slices, 4 * block.rows * (block.columns + tilePadding));
}

/// Returns a block with `rowTiles` tiles of rows per subgroup.
static AttentionBlock registerBlock(const AttentionSizes &sizes,
                                    int64_t subgroups, int64_t rowTiles,
                                    const TargetInfo &target) {
  return {subgroups * target.getSubgroupSize(),
          subgroups * rowTiles * matrixSide,
          static_cast<int64_t>(llvm::alignTo(*sizes.columns, matrixSide))};
}

static AttentionOrder registerOrder(const AttentionSizes &sizes,
                                    const TargetInfo &target) {
  AttentionOrder order;
  order.onTiles = true;
  order.lanes = SumLayout::lanesPerRow;
  AttentionBlock block = registerBlock(sizes, tileSubgroups, 1, target);
  bool isWide =
      matrixSide * std::max(*sizes.depth, *sizes.columns) > maxResults;
  int64_t maxKeys = isWide || (sizes.keys && *sizes.keys <= 32) ? 32 : 64;
  for (int64_t keys = maxKeys; keys >= 32 && !order.fits(); keys /= 2)
    if (registerBytes(sizes, block, keys) <= target.getMaxSharedMemoryBytes())
      order.keys = keys;
  return order;
}

static SmallVector<AttentionBlock>
registerBlocks(const AttentionSizes &sizes, int64_t keys,
               std::optional<int64_t> queries, const TargetInfo &target) {
  // Each operand of k and v that a subgroup loads is used for all of its tiles
  // of rows.
  SmallVector<int64_t> rowTiles{1};
  if (2 * matrixSide * *sizes.columns <= maxResults &&
      (!sizes.lastRows || *sizes.lastRows > tileSubgroups * matrixSide)) {
    rowTiles = {1, 2};
    int64_t rows = 2 * tileSubgroups * matrixSide;
    if (sizes.lastRows &&
        (!queries || *queries >= gpuCosts.minBlocksOfTwoTiles * rows))
      rowTiles = {2, 1};
  }
  SmallVector<AttentionBlock> blocks;
  for (int64_t tiles : rowTiles)
    for (int64_t subgroups :
         {tileSubgroups, tileSubgroups / 2, tileSubgroups * 2}) {
      AttentionBlock block = registerBlock(sizes, subgroups, tiles, target);
      if (registerBytes(sizes, block, keys) <= target.getMaxSharedMemoryBytes())
        blocks.push_back(block);
    }
  return blocks;
}

//===----------------------------------------------------------------------===//
// With scores in shared memory and matrix instructions
//===----------------------------------------------------------------------===//

/// Returns the number of subgroups that share a row. It is two if rows are
/// wide, because a block then has few rows.
static int64_t subgroupsAcross(const AttentionSizes &sizes) {
  return *sizes.depth > 128 || *sizes.columns > 128 ? 2 : 1;
}

/// Returns the bytes of shared memory that a block needs: one f32 per row, plus
/// the larger of the patch of results and the slices. The slices are of q, of k
/// or v, of scores in f32, and of weights as 16-bit operands.
static int64_t tileBytes(int64_t rows, int64_t keys, int64_t depth,
                         int64_t columns) {
  int64_t row = 4 * rows;
  int64_t patch = 4 * rows * (columns + tilePadding);
  int64_t slices =
      sliceBytes(rows, depth) +
      std::max(sliceBytes(keys, depth), sliceBytes(keys, columns)) +
      4 * rows * (keys + tilePadding) + 2 * rows * (keys + tilePadding);
  return row + std::max(patch, slices);
}

static bool hasRoom(const AttentionSizes &sizes, AttentionBlock block,
                    int64_t keys, const TargetInfo &target) {
  int64_t depth = llvm::alignTo(*sizes.depth, matrixSide);
  return tileBytes(block.rows, keys, depth, block.columns) <=
         target.getSharedMemoryBytes();
}

static AttentionBlock tileBlock(const AttentionSizes &sizes, int64_t subgroups,
                                const TargetInfo &target) {
  int64_t across = subgroupsAcross(sizes);
  return {
      subgroups * target.getSubgroupSize(), matrixSide * subgroups / across,
      static_cast<int64_t>(llvm::alignTo(*sizes.columns, across * matrixSide))};
}

static AttentionOrder tileOrder(const AttentionSizes &sizes,
                                const TargetInfo &target) {
  AttentionOrder order;
  order.onTiles = true;
  AttentionBlock block = tileBlock(sizes, tileSubgroups, target);
  order.lanes = block.threads / block.rows;
  int64_t maxKeys = sizes.keys && *sizes.keys <= 32 ? 32 : 64;
  for (int64_t keys = maxKeys; keys >= 32 && !order.fits(); keys /= 2)
    if (hasRoom(sizes, block, keys, target))
      order.keys = keys;
  return order;
}

//===----------------------------------------------------------------------===//
// With multiply-adds
//===----------------------------------------------------------------------===//

static int64_t plainBytes(AttentionBlock block, int64_t keys, int64_t depth,
                          int64_t elementBytes) {
  int64_t k = depth * (keys + accumulatorPadding);
  int64_t v = keys * (block.columns + accumulatorPadding);
  int64_t patch = block.rows * (block.columns + accumulatorPadding);
  int64_t slices = depth * (block.rows + accumulatorPadding) + std::max(k, v) +
                   block.rows * (keys + accumulatorPadding);
  return elementBytes * (block.rows + std::max(patch, slices));
}

/// Returns nullopt if the accumulators exceed the registers of a thread, or the
/// tiles exceed shared memory.
static std::optional<AttentionBlock> plainBlock(const AttentionSizes &sizes,
                                                int64_t threads, int64_t lanes,
                                                int64_t keys,
                                                const TargetInfo &target) {
  int64_t wanted = llvm::PowerOf2Ceil(*sizes.columns);
  // Each thread accumulates its columns for one to four rows.
  AttentionBlock block{threads, threads / lanes,
                       std::max(wanted, plainColumns * lanes)};
  int64_t bytes = sizes.accumulator.getIntOrFloatBitWidth() / 8;
  if (block.columns > 16 * lanes ||
      plainBytes(block, keys, *sizes.depth, bytes) >
          target.getSharedMemoryBytes())
    return std::nullopt;
  return block;
}

static AttentionOrder plainOrder(const AttentionSizes &sizes,
                                 const TargetInfo &target) {
  for (auto [lanes, keys] :
       {std::pair<int64_t, int64_t>{4, 32}, {8, 32}, {8, 16}, {16, 16}})
    if (plainBlock(sizes, plainThreads, lanes, keys, target)) {
      AttentionOrder order;
      order.keys = keys;
      order.lanes = lanes;
      return order;
    }
  return {};
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

AttentionOrder chooseAttentionOrder(const AttentionSizes &sizes,
                                    const TargetInfo &target) {
  if (std::string why = checkAttentionSizes(sizes); !why.empty())
    return AttentionOrder::refuse(why);
  bool onTiles =
      target.multipliesTiles(sizes.operands) && sizes.operands == sizes.result;
  AttentionOrder order;
  if (*sizes.columns <= maxColumns)
    order = !onTiles ? plainOrder(sizes, target)
            : hasSumLayout(target.getMatrixUnit())
                ? registerOrder(sizes, target)
                : tileOrder(sizes, target);
  if (!order.fits())
    return AttentionOrder::refuse(
        "heads of " + std::to_string(*sizes.depth) + " and " +
        std::to_string(*sizes.columns) +
        " elements leave an attention no room in shared memory");
  return order;
}

SmallVector<AttentionBlock> listBlocks(const AttentionSizes &sizes,
                                       std::optional<int64_t> queries,
                                       const AttentionOrder &order,
                                       const TargetInfo &target) {
  if (order.onTiles && hasSumLayout(target.getMatrixUnit()))
    return registerBlocks(sizes, order.keys, queries, target);
  SmallVector<AttentionBlock> blocks;
  if (order.onTiles) {
    for (int64_t subgroups :
         {tileSubgroups, tileSubgroups / 2, tileSubgroups * 2}) {
      AttentionBlock block = tileBlock(sizes, subgroups, target);
      if (hasRoom(sizes, block, order.keys, target))
        blocks.push_back(block);
    }
    return blocks;
  }
  for (int64_t threads : {plainThreads, plainThreads / 2})
    if (auto block =
            plainBlock(sizes, threads, order.lanes, order.keys, target))
      blocks.push_back(*block);
  return blocks;
}

} // namespace tensorc::codegen::simt
