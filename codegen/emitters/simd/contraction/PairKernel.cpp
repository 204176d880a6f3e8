//===- PairKernel.cpp - K loop of a tile of bf16 pairs --------------------===//

#include "codegen/emitters/simd/contraction/PairKernel.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/contraction/amx/Magnitudes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

LogicalResult PairKernel::emitTile(const Values &dims, const Row &first,
                                   Tile &tile) {
  tiling.placeRows(first, tile);
  {
    auto ifOp = scf::IfOp::create(b, allNormal(), /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    if (failed(emitPairs(tile)))
      return failure();
    b.setInsertionPointToStart(ifOp.elseBlock());
    if (failed(emitSteps()))
      return failure();
  }
  return epilogue.emit(dims, first, tile);
}

/// Returns an i1 that is true if no operand, product or partial sum can be
/// subnormal.
Value PairKernel::allNormal() {
  return areNormal(b, packing.x.minMagnitude,
                   memref::LoadOp::create(b, packing.panels.minMagnitude,
                                          packing.panels.number));
}

/// Emits the K loop with the dot-product instruction for pairs of bf16.
LogicalResult PairKernel::emitPairs(const Tile &tile) {
  Values at(plan.loops.sizes.size());
  auto accumulatorType = VectorType::get({tiling.width}, plan.accumulator);
  auto halves = VectorType::get({2 * tiling.width}, b.getBF16Type());
  auto asHalves = [&](Value v) -> Value {
    return LLVM::BitcastOp::create(b, halves, v);
  };
  Values zeros(tiling.rows * tiling.vectors,
               constantOf(b, b.getLoc(), accumulatorType, 0));
  auto sums = forRange(
      kernel, indexConstant(kernel, 0), kernel.size(packing.pairs), 1, zeros,
      [&](Value pair, ValueRange carried) -> FailureOr<Values> {
        Values next(carried), columns;
        at[plan.kLoops.front()] = pair;
        streams.emitStep(at, tile);
        for (int64_t v = 0; v < tiling.vectors; ++v)
          columns.push_back(asHalves(vector::LoadOp::create(
              b, packing.pairType(), packing.panels.memory,
              packing.offsetInPanel(pair, v))));
        for (int64_t r = 0; r < tiling.rows; ++r) {
          Value at = packing.offsetInX(indexConstant(kernel, r), pair);
          Value x = asHalves(vector::BroadcastOp::create(
              b, packing.pairType(),
              memref::LoadOp::create(b, packing.x.memory, at)));
          for (int64_t v = 0; v < tiling.vectors; ++v) {
            Value &sum = next[r * tiling.vectors + v];
            sum = LLVM::CallIntrinsicOp::create(
                      b, accumulatorType,
                      b.getStringAttr("llvm.x86.avx512bf16.dpbf16ps.512"),
                      ValueRange{sum, x, columns[v]})
                      .getResult(0);
          }
        }
        return next;
      });
  if (failed(sums))
    return failure();
  for (auto [i, sum] : llvm::enumerate(*sums))
    vector::StoreOp::create(b, sum, epilogue.accumulators,
                            indexConstant(kernel, i * tiling.width));
  return success();
}

/// Emits the K loop with FMAs in f32, one row after the other.
LogicalResult PairKernel::emitSteps() {
  auto accumulatorType = VectorType::get({tiling.width}, plan.accumulator);
  Values zeros(tiling.vectors, constantOf(b, b.getLoc(), accumulatorType, 0));
  auto ofRow = [&](Value row, ValueRange) -> FailureOr<Values> {
    auto ofPair = [&](Value pair, ValueRange carried) -> FailureOr<Values> {
      Values next(carried);
      Value x = vector::BroadcastOp::create(
          b, packing.pairType(),
          memref::LoadOp::create(b, packing.x.memory,
                                 packing.offsetInX(row, pair)));
      for (int64_t v = 0; v < tiling.vectors; ++v) {
        Value column =
            vector::LoadOp::create(b, packing.pairType(), packing.panels.memory,
                                   packing.offsetInPanel(pair, v));
        for (bool first : {true, false})
          next[v] = plan.multiplyAdd(halvesOf(b, x, first),
                                     halvesOf(b, column, first), next[v]);
      }
      return next;
    };
    auto sums = forRange(kernel, indexConstant(kernel, 0),
                         kernel.size(packing.pairs), 1, zeros, ofPair);
    if (failed(sums))
      return failure();
    Value tile = b.createOrFold<arith::MulIOp>(
        row, indexConstant(kernel, tiling.lanes()));
    for (auto [v, sum] : llvm::enumerate(*sums))
      vector::StoreOp::create(
          b, sum, epilogue.accumulators,
          b.createOrFold<arith::AddIOp>(
              tile, indexConstant(kernel, v * tiling.width)));
    return Values();
  };
  return success(
      succeeded(forRange(kernel, indexConstant(kernel, 0),
                         indexConstant(kernel, tiling.rows), 1, {}, ofRow)));
}

} // namespace tensorc::codegen::simd
