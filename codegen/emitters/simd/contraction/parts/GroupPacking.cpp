//===- GroupPacking.cpp - Packs narrow integers in groups of K steps ------===//

#include "codegen/emitters/simd/contraction/parts/GroupPacking.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/ElementRange.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

static bool isSigned(ElementRange range) { return range.isWithin(-128, 127); }

static bool isByte(ElementRange range) {
  return isSigned(range) || range.isWithin(0, 255);
}

bool GroupPacking::planTiles() {
  if (kernel.target.getMatrixUnit() != MatrixUnit::TileRegisters)
    return false;
  x = {plan.dot.getX(), plan.xIndex, plan.rowLoop};
  y = {plan.dot.getY(), plan.yIndex, plan.laneLoop};
  auto isBf16 = [](const GroupedOperand &operand) {
    return getElementTypeOrSelf(operand.source.getType()).isBF16();
  };
  if (isBf16(x) && isBf16(y)) {
    narrow = b.getI16Type();
    groupSteps = wordBytes / 2;
    findLayout(x);
    findLayout(y);
    return true;
  }
  auto rangeX = elementRange(plan.dot.getX()),
       rangeY = elementRange(plan.dot.getY());
  if (!plan.accumulator.isInteger(32) || !rangeX || !rangeY ||
      !isByte(*rangeX) || !isByte(*rangeY))
    return false;
  x.isUnsigned = !isSigned(*rangeX);
  y.isUnsigned = !isSigned(*rangeY);
  narrow = b.getI8Type();
  groupSteps = wordBytes;
  findLayout(x);
  findLayout(y);
  return true;
}

bool GroupPacking::planOperands() {
  const TargetInfo &target = kernel.target;
  if (!plan.accumulator.isInteger(32))
    return false;
  auto rangeX = elementRange(plan.dot.getX()),
       rangeY = elementRange(plan.dot.getY());
  if (!rangeX || !rangeY)
    return false;
  x = {plan.dot.getX(), plan.xIndex, plan.rowLoop};
  y = {plan.dot.getY(), plan.yIndex, plan.laneLoop};
  if (target.getByteProducts() != ByteProducts::None && isByte(*rangeX) &&
      isByte(*rangeY)) {
    bool mixes = target.getByteProducts() == ByteProducts::MixedSigns;
    y.isUnsigned = !isSigned(*rangeY);
    x.isUnsigned = mixes != y.isUnsigned;
    x.flips = !rangeX->isWithin(0, 127) && x.isUnsigned == isSigned(*rangeX);
    narrow = b.getI8Type();
  } else if (target.hasWordProducts() &&
             rangeX->isWithin(INT16_MIN, INT16_MAX) &&
             rangeY->isWithin(INT16_MIN, INT16_MAX)) {
    narrow = b.getI16Type();
  } else {
    return false;
  }
  groupSteps = wordBytes * 8 / narrow.getIntOrFloatBitWidth();
  findLayout(x);
  findLayout(y);
  return true;
}

/// Sets `alongK` if the operand is contiguous along K instead of its lanes,
/// and K is long enough to transpose blocks.
void GroupPacking::findLayout(GroupedOperand &operand) {
  unsigned inner = plan.kLoops.back();
  bool alongLanes = false;
  walkMemory(plan, operand.source, operand.index, *plan.space,
             [&](BlockArgument, const analysis::Index &, AffineExpr position) {
               auto isContiguous = [&](unsigned loop) {
                 auto linear = analysis::linearIn(position, loop, *plan.space);
                 return linear && linear->coefficient == plan.constant(1);
               };
               alongLanes |= isContiguous(operand.loop);
               operand.alongK |= isContiguous(inner);
             });
  std::optional<int64_t> steps = constantOf(plan.loops.sizes[inner]);
  int64_t stepsOfBlock = kernel.target.getLanes(plan.accumulator) * groupSteps;
  operand.alongK &= !alongLanes && !(steps && *steps < stepsOfBlock);
}

AffineExpr GroupPacking::countGroups() const {
  AffineExpr groups = plan.loops.sizes[plan.kLoops.back()].ceilDiv(groupSteps);
  for (unsigned loop : ArrayRef(plan.kLoops).drop_back())
    groups = groups * plan.loops.sizes[loop];
  return kernel.names.simplify(groups);
}

/// Returns the index of a group's words in the packed operand. `dims` holds the
/// indices of the outer K loops.
Value GroupPacking::offsetOf(const GroupedOperand &operand, const Values &dims,
                             Value group) {
  int64_t width = tiling.width;
  Value tile = indexConstant(kernel, 0);
  for (unsigned loop : ArrayRef(plan.kLoops).drop_back())
    tile = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(tile,
                                      kernel.size(plan.loops.sizes[loop])),
        dims[loop]);
  Value groups = kernel.size(kernel.names.simplify(
      plan.loops.sizes[plan.kLoops.back()].ceilDiv(groupSteps)));
  tile = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(tile, groups), group);
  return b.createOrFold<arith::MulIOp>(
      tile, indexConstant(kernel, operand.vectors * width));
}

FailureOr<Value> GroupPacking::loadNarrow(const GroupedOperand &operand,
                                          const Values &dims,
                                          ExpressionEmitter::Lanes lanes,
                                          Value mask, int64_t prefetchBytes) {
  ExpressionEmitter elements(kernel, *plan.space, dims, lanes, mask);
  if (prefetchBytes)
    elements.prefetch(prefetchBytes);
  FailureOr<Value> wide = elements.emitLanes(operand.source, operand.index);
  if (failed(wide))
    return failure();
  auto type = VectorType::get({lanes.width}, narrow);
  if (wide->getType() == type)
    return wide;
  if (isa<FloatType>(getElementTypeOrSelf(wide->getType())))
    return Value(arith::BitcastOp::create(b, type, *wide));
  return b.createOrFold<arith::TruncIOp>(type, *wide);
}

/// Loads the words of `width` groups, starting at the K step in `dims`, for
/// vector `vector` of the lanes, by loading along K and transposing.
FailureOr<Values> GroupPacking::transposedGroups(const GroupedOperand &operand,
                                                 Values dims, Value first,
                                                 int64_t vector) {
  int64_t width = tiling.width;
  Value last = b.createOrFold<arith::SubIOp>(
      kernel.size(plan.loops.sizes[operand.loop]), indexConstant(kernel, 1));
  Values lanes;
  for (int64_t l = vector * width; l < (vector + 1) * width; ++l) {
    if (l >= operand.count && !lanes.empty()) {
      lanes.push_back(lanes.back());
      continue;
    }
    dims[operand.loop] = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, l)), last);
    FailureOr<Value> steps =
        loadNarrow(operand, dims, {plan.kLoops.back(), width * groupSteps},
                   /*mask=*/{});
    if (failed(steps))
      return failure();
    lanes.push_back(vector::BitCastOp::create(
        b, VectorType::get({width}, b.getI32Type()), *steps));
  }
  return transposed(b, std::move(lanes));
}

Values GroupPacking::loadGroup(const GroupedOperand &operand, Values dims,
                               Value first, Value group, bool isLast) {
  int64_t width = tiling.width;
  unsigned inner = plan.kLoops.back();
  Value size = kernel.size(plan.loops.sizes[inner]);
  Value end = kernel.size(plan.loops.sizes[operand.loop]);
  Values words;
  for (int64_t v = 0; v < operand.vectors; ++v) {
    dims[operand.loop] =
        b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, v * width));
    Value mask = laneMask(kernel, dims[operand.loop], end, width);
    Values steps;
    for (int64_t s = 0; s < groupSteps; ++s) {
      Value k = b.createOrFold<arith::AddIOp>(
          b.createOrFold<arith::MulIOp>(group,
                                        indexConstant(kernel, groupSteps)),
          indexConstant(kernel, s));
      Value exists = isLast ? b.createOrFold<arith::CmpIOp>(
                                  arith::CmpIPredicate::ult, k, size)
                            : Value();
      if (isLast)
        k = b.createOrFold<arith::MinUIOp>(
            k, b.createOrFold<arith::SubIOp>(size, indexConstant(kernel, 1)));
      dims[inner] = k;
      auto lanes = loadNarrow(operand, dims, {operand.loop, width}, mask);
      if (failed(lanes))
        return {};
      Value zero = constantOf(b, b.getLoc(), lanes->getType(), 0);
      steps.push_back(
          isLast ? b.createOrFold<arith::SelectOp>(exists, *lanes, zero)
                 : *lanes);
    }
    for (int64_t each = 1; steps.size() > 1; each *= 2) {
      // Interleaves runs of `each` elements of both vectors.
      SmallVector<int64_t> from;
      for (int64_t at = 0; at < width * each; at += each)
        for (int64_t side : {int64_t(0), width * each})
          for (int64_t i = 0; i < each; ++i)
            from.push_back(side + at + i);
      for (size_t i = 0; i < steps.size() / 2; ++i)
        steps[i] =
            vector::ShuffleOp::create(b, steps[2 * i], steps[2 * i + 1], from);
      steps.truncate(steps.size() / 2);
    }
    words.push_back(vector::BitCastOp::create(
        b, VectorType::get({width}, b.getI32Type()), steps.front()));
  }
  return words;
}

/// Packs all groups of the innermost K loop.
LogicalResult GroupPacking::packInner(const GroupedOperand &operand, Value to,
                                      const Values &dims, Value first) {
  int64_t width = tiling.width;
  AffineExpr steps = plan.loops.sizes[plan.kLoops.back()];
  auto groupsOf = [&](AffineExpr count) {
    return kernel.size(kernel.names.simplify(count));
  };
  auto store = [&](Value word, Value group, int64_t vector) {
    if (operand.flips) {
      auto type = cast<VectorType>(word.getType());
      word = arith::XOrIOp::create(
          b, word,
          arith::ConstantOp::create(
              b, DenseElementsAttr::get(type, APInt(32, 0x80808080u))));
    }
    vector::StoreOp::create(
        b, word, to,
        b.createOrFold<arith::AddIOp>(offsetOf(operand, dims, group),
                                      indexConstant(kernel, vector * width)));
  };
  Value begin = indexConstant(kernel, 0),
        fullGroups = groupsOf(steps.floorDiv(groupSteps));
  if (operand.alongK) {
    Value wholeBlocks = groupsOf(steps.floorDiv(groupSteps * width) * width);
    auto packBlock = [&](Value group, ValueRange) -> FailureOr<Values> {
      Values at = dims;
      at[plan.kLoops.back()] = b.createOrFold<arith::MulIOp>(
          group, indexConstant(kernel, groupSteps));
      for (int64_t v = 0; v < operand.vectors; ++v) {
        FailureOr<Values> words = transposedGroups(operand, at, first, v);
        if (failed(words))
          return failure();
        for (auto [g, word] : llvm::enumerate(*words))
          store(word,
                b.createOrFold<arith::AddIOp>(group, indexConstant(kernel, g)),
                v);
      }
      return Values();
    };
    if (failed(forRange(kernel, begin, wholeBlocks, width, {}, packBlock)))
      return failure();
    begin = wholeBlocks;
  }
  auto pack = [&](bool isLast) {
    return [&, isLast](Value group, ValueRange) -> FailureOr<Values> {
      Values words = loadGroup(operand, dims, first, group, isLast);
      if (words.empty())
        return failure();
      for (auto [v, word] : llvm::enumerate(words))
        store(word, group, v);
      return Values();
    };
  };
  if (failed(forRange(kernel, begin, fullGroups, 1, {}, pack(false))))
    return failure();
  std::optional<int64_t> count = constantOf(steps);
  if (count && *count % groupSteps == 0)
    return success();
  return success(succeeded(forRange(kernel, fullGroups,
                                    groupsOf(steps.ceilDiv(groupSteps)), 1, {},
                                    pack(true))));
}

LogicalResult GroupPacking::pack(const GroupedOperand &operand, Value to,
                                 const Values &dims, Value first) {
  return success(succeeded(forSteps(
      kernel, ArrayRef(plan.kLoops).drop_back(), plan.loops.sizes, dims, {},
      [&](const Values &at, ValueRange) -> FailureOr<Values> {
        if (failed(packInner(operand, to, at, first)))
          return failure();
        return Values();
      })));
}

} // namespace tensorc::codegen::simd
