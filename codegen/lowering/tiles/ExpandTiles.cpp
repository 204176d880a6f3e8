//===- ExpandTiles.cpp - Expands tile ops to matrix instructions ----------===//
//
// %l = txk.tile_load %m[%i] stride 40 : ... -> !txk.fragment<left, f16>
// %d = txk.tile_mma %l, %r, %s : ...
// ->
// %l = txk.nv.ldmatrix %m[%j] : ...                // vector<4xi32>
// %d0 = txk.nv.mma f16 %l, %r0, %s0                // vector<4xf32>, twice
//
// %j is the row of the tile whose address this lane passes. Loop-carried
// fragments become vectors.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/SumLayout.h"
#include "codegen/lowering/Passes.h"
#include "codegen/lowering/tiles/TileLayout.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDTILESPASS
#include "codegen/lowering/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Base of layouts
//===----------------------------------------------------------------------===//

TileLayout::TileLayout(gpu::GPUFuncOp kernel, unsigned lanes)
    : b(OpBuilder::atBlockBegin(&kernel.front())), loc(kernel.getLoc()) {
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  laneValue = rem(thread, lanes);
}

std::unique_ptr<TileLayout> TileLayout::create(MatrixUnit unit,
                                               gpu::GPUFuncOp kernel) {
  switch (unit) {
  case MatrixUnit::None:
  case MatrixUnit::TileRegisters:
    return nullptr;
  case MatrixUnit::Mma16x8x16:
    return createMmaLayout(kernel);
  case MatrixUnit::Mfma16x16x16:
    return createMfmaLayout(kernel);
  case MatrixUnit::WmmaRows:
  case MatrixUnit::WmmaHalfRows:
    return createWmmaLayout(kernel, unit == MatrixUnit::WmmaHalfRows);
  }
  llvm_unreachable("all units are listed");
}

Value TileLayout::offset(unsigned kind, int64_t stride,
                         function_ref<Value()> compute) {
  Value &known = offsets[{kind, stride}];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(laneValue);
    known = compute();
  }
  return known;
}

Value TileLayout::constant(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}
Value TileLayout::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(loc, x, y);
}
Value TileLayout::mul(Value x, int64_t y) {
  return b.createOrFold<arith::MulIOp>(loc, x, constant(y));
}
Value TileLayout::div(Value x, int64_t y) {
  return b.createOrFold<arith::DivUIOp>(loc, x, constant(y));
}
Value TileLayout::rem(Value x, int64_t y) {
  return b.createOrFold<arith::RemUIOp>(loc, x, constant(y));
}
TypeAttr TileLayout::elementOf(txk::FragmentType type) {
  Type element = type.getElement();
  return TypeAttr::get(element.isInteger(8) ? b.getI8Type() : element);
}
UnitAttr TileLayout::isUnsigned(txk::FragmentType type) {
  return type.getElement().isUnsignedInteger() ? b.getUnitAttr() : UnitAttr();
}
Value TileLayout::pick(Value vector, ArrayRef<int64_t> elements) {
  return vector::ShuffleOp::create(b, loc, vector, vector, elements);
}

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

namespace {

/// An op on tiles, and the types of the tiles that it loads or multiplies.
struct TileOp {
  Operation *op;
  txk::FragmentType type, right;
};

SmallVector<TileOp> collect(gpu::GPUFuncOp kernel) {
  SmallVector<TileOp> ops;
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<txk::TileLoadOp>(op))
      ops.push_back({op, cast<txk::FragmentType>(load.getType()), {}});
    else if (auto mma = dyn_cast<txk::TileMmaOp>(op))
      ops.push_back({op, cast<txk::FragmentType>(mma.getLeft().getType()),
                     cast<txk::FragmentType>(mma.getRight().getType())});
    else if (auto narrow = dyn_cast<txk::TileNarrowOp>(op))
      ops.push_back({op, cast<txk::FragmentType>(narrow.getType()), {}});
    else if (isa<txk::TileZeroOp, txk::TileScaleOp, txk::TileStoreOp,
                 txk::TileElementsOp, txk::TileOfElementsOp>(op))
      ops.push_back({op, {}, {}});
  });
  return ops;
}

void convertTypes(gpu::GPUFuncOp kernel, TileLayout &layout) {
  auto convert = [&](Value value) {
    if (auto type = dyn_cast<txk::FragmentType>(value.getType()))
      value.setType(layout.registersOf(type));
  };
  kernel.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), convert);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), convert);
  });
}

void expand(TileOp tile, TileLayout &layout) {
  Operation *op = tile.op;
  layout.b.setInsertionPoint(op);
  Value result;
  if (auto load = dyn_cast<txk::TileLoadOp>(op))
    result = layout.load(load, tile.type);
  else if (auto mma = dyn_cast<txk::TileMmaOp>(op))
    result = layout.multiply(mma, tile.type, tile.right);
  else if (auto scale = dyn_cast<txk::TileScaleOp>(op))
    result = layout.scale(scale);
  else if (auto store = dyn_cast<txk::TileStoreOp>(op))
    layout.store(store);
  else if (auto narrow = dyn_cast<txk::TileNarrowOp>(op))
    result = layout.narrow(narrow, tile.type);
  else if (isa<txk::TileElementsOp, txk::TileOfElementsOp>(op))
    result = op->getOperand(0);
  else
    result = arith::ConstantOp::create(
        layout.b, op->getLoc(),
        layout.b.getZeroAttr(op->getResult(0).getType()));
  if (result)
    op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

} // namespace

LogicalResult expandTiles(Operation *root, MatrixUnit unit) {
  WalkResult result = root->walk([&](gpu::GPUFuncOp kernel) {
    SmallVector<TileOp> ops = collect(kernel);
    if (ops.empty())
      return WalkResult::advance();
    std::unique_ptr<TileLayout> layout = TileLayout::create(unit, kernel);
    if (!layout) {
      ops.front().op->emitOpError("needs a target that multiplies matrices");
      return WalkResult::interrupt();
    }
    for (TileOp tile : ops)
      if (!hasSumLayout(unit) &&
          isa<txk::TileElementsOp, txk::TileOfElementsOp, txk::TileNarrowOp>(
              tile.op)) {
        tile.op->emitOpError("needs a target with another layout of sums");
        return WalkResult::interrupt();
      }
    convertTypes(kernel, *layout);
    for (TileOp op : ops)
      expand(op, *layout);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct ExpandTiles : impl::ExpandTilesPassBase<ExpandTiles> {
  using ExpandTilesPassBase::ExpandTilesPassBase;
  void runOnOperation() override {
    if (failed(expandTiles(getOperation(), unit)))
      signalPassFailure();
  }
};
} // namespace

} // namespace tensorc::codegen
