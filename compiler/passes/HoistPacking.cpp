//===- HoistPacking.cpp - Operands of loops, packed before them -----------===//
//
// A contraction of few rows in a loop spends more on packing y than on its
// products. Where y is the same in each iteration, its panels are made once:
//   tx.scan (..., %w) { %0 = tx.dot_general %h, %w : (16x128, 128x512) ->
//   16x512 }
// becomes
//   %1 = tx.reshape %w : 128x512 -> 128x16x32
//   %2 = tx.transpose %1 permutation = [1, 0, 2] : 128x16x32 -> 16x128x32
//   tx.scan (..., %2) { %3 = tx.dot_general %h, %2 : (16x128, 16x128x32) ->
//   16x16x32
//                       %0 = tx.reshape %3 : 16x16x32 -> 16x512 }
// The skeleton reads in place what lies as its panel would.
//
//===----------------------------------------------------------------------===//

#include "compiler/passes/Passes.h"
#include "compiler/passes/TargetOf.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/shape/ColumnBlocks.h"
#include "ir/tx/Control.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_HOISTPACKINGPASS
#include "compiler/passes/Passes.h.inc"

namespace {

using builder::dimsOf;
using builder::TensorBuilder;

/// With fewer rows a contraction reads y once, as it lies; with more, it packs
/// y in a small part of its time.
constexpr int64_t fewestRows = 4, mostRows = 64;
/// Iterations that are worth moving y for.
constexpr int64_t enoughIterations = 8;

bool isSuitable(tx::DotGeneralOp dot, Value y) {
  RankedTensorType x = dot.getX().getType();
  if (dot.getX() == y || dot.getY() != y || !dot.getYBatch().empty() ||
      dot.getYContracting().size() != 1 || !x.hasStaticShape())
    return false;
  int64_t rows = x.getNumElements() /
                 std::max<int64_t>(1, x.getDimSize(dot.getXContracting()[0]));
  return rows >= fewestRows && rows <= mostRows;
}

/// The dots that are all what y is used for, along the same dim.
std::optional<SmallVector<tx::DotGeneralOp>> dotsOf(Value y) {
  SmallVector<tx::DotGeneralOp> dots;
  for (Operation *user : y.getUsers()) {
    auto dot = dyn_cast<tx::DotGeneralOp>(user);
    if (!dot || !isSuitable(dot, y) ||
        (!dots.empty() &&
         dot.getYContracting() != dots.front().getYContracting()))
      return std::nullopt;
    dots.push_back(dot);
  }
  return dots.empty() ? std::nullopt : std::optional(dots);
}

void pack(tx::ScanOp scan, unsigned input, const codegen::TargetInfo &target) {
  BlockArgument y = scan.bodyArguments()[1 + input];
  auto type = cast<RankedTensorType>(y.getType());
  Type element = type.getElementType();
  if (type.getRank() != 2 || !type.hasStaticShape() ||
      !isa<Float32Type, Float64Type>(element))
    return;
  auto dots = dotsOf(y);
  if (!dots)
    return;
  int64_t summed = dots->front().getYContracting()[0];
  int64_t block = shape::columnsOfBlock(target.getLanes(element));
  int64_t columns = type.getDimSize(1 - summed);
  if (columns == 0 || columns % block != 0)
    return;
  OpBuilder b(scan);
  TensorBuilder e(b, scan);
  Value matrix = scan.getInputs()[input];
  auto layout = shape::columnBlocks(dimsOf(matrix), summed, block);
  Value panels =
      e.transpose(e.reshape(matrix, layout.dims), layout.permutation);
  scan.getInputsMutable().slice(input, 1).assign(panels);
  y.setType(panels.getType());
  for (tx::DotGeneralOp dot : *dots) {
    b.setInsertionPoint(dot);
    TensorBuilder inside(b, dot);
    Value product = inside.dot(dot.getX(), y,
                               shape::numbersOfBlocks(dot.getXContracting()));
    dot.replaceAllUsesWith(inside.reshape(product, dimsOf(dot.getResult())));
    dot.erase();
  }
}

struct HoistPacking : impl::HoistPackingPassBase<HoistPacking> {
  void runOnOperation() override {
    auto target = targetOf(getOperation());
    if (!target || target->isSimt())
      return;
    getOperation().walk([&](tx::ScanOp scan) {
      auto length = scan.lengthDim().number();
      if (length && *length < enoughIterations)
        return;
      for (unsigned i = scan.getCarried() + scan.getScanned(),
                    e = scan.getInputs().size();
           i < e; ++i)
        pack(scan, i, *target);
    });
  }
};
} // namespace

} // namespace tensorc::compiler
