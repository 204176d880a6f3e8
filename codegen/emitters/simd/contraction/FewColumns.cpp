//===- FewColumns.cpp - Contraction with few columns ----------------------===//
//
// TiledContraction.cpp with swapped operands, in a single tile of rows: all
// columns of y are the rows of a tile, and rows of x are the lanes.
//
// for each block of x's rows:
//   for k, as many steps as there are lanes:
//     square = x(rows, k..), transposed in registers
//     for each step: accumulators[column][row] += y(step, column) * square[step]
//   for each column: epilogue, store
//
// With columns as lanes, most lanes of a vector would be unused, in the extreme
// case of a matrix times a vector all but one.
//
// Multiplication commutes and the order of k is kept, so the results are the
// same bits as with other skeletons.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/TileChoice.h"
#include "codegen/emitters/simd/contraction/TiledContraction.h"

using namespace mlir;

namespace tensorc::codegen::simd {

namespace {
class FewColumns {
public:
  explicit FewColumns(KernelBuilder &kernel) : tiles(kernel), kernel(kernel) {
    tiles.plan.isSwapped = true;
  }

  bool matches();
  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit() { return tiles.emit(); }

private:
  TiledContraction tiles;
  KernelBuilder &kernel;
};
} // namespace

/// True if columns fill at most half of the lanes, x has rows for all lanes and
/// is contiguous along K, and K fills a square.
bool FewColumns::matches() {
  ContractionPlan &plan = tiles.plan;
  if (failed(plan.planNest()))
    return false;
  tiles.tiling.splitOuterLoops();
  bool isOther = llvm::any_of(plan.outerLoops, [&](unsigned loop) {
    return plan.roles[plan.loops.innermost[loop]] !=
           ContractionPlan::Role::Batch;
  });
  auto isRead = [&](Value operand) {
    auto matrix = dyn_cast<BlockArgument>(operand);
    return matrix && !kernel.isScalar(matrix) &&
           kernelType(getElementTypeOrSelf(matrix)) == plan.accumulator;
  };
  if (isOther || plan.kLoops.size() != 1 || !isa<FloatType>(plan.accumulator) ||
      !isRead(plan.operandX()) || !isRead(plan.operandY()))
    return false;
  // The dot's columns are the plan's rows, and its rows the plan's lanes.
  std::optional<int64_t> columns = constantOf(plan.loops.sizes[plan.rowLoop]),
                         rows = constantOf(plan.loops.sizes[plan.laneLoop]),
                         steps =
                             constantOf(plan.loops.sizes[plan.kLoops.front()]);
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  if (!columns || !rows || !steps || *columns * 2 > lanes || *rows < lanes ||
      *steps < lanes)
    return false;
  ColumnReads reads = ColumnReads::inPlace(plan);
  return reads.alongK && reads.narrow.reads.empty();
}

FailureOr<Offers> FewColumns::offer() {
  if (failed(tiles.plan.planNest()))
    return failure();
  tiles.tiling.splitOuterLoops();
  return Offers{chooseTile(tiles.plan, tiles.tiling)};
}

const Skeleton contractionFewColumns = {
    .name = "few_columns",
    .kind = tx::kinds::contraction,
    .match = [](KernelBuilder &fusion,
                tx::OrderAttr) { return FewColumns(fusion).matches(); },
    .schedules = [](KernelBuilder &fusion,
                    tx::OrderAttr) { return FewColumns(fusion).offer(); },
    .emit =
        [](KernelBuilder &kernel) { return single(FewColumns(kernel).emit()); },
    .order = contractionOrder,
    // The epilogue reads and writes each element once, so an output may alias
    // an input.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
