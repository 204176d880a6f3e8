//===- RegisterCost.cpp - Cost of a loop's block in registers -------------===//

#include "codegen/emitters/registers/RegisterCost.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/registers/RegisterMatrices.h"
#include "codegen/emitters/registers/RegisterMemory.h"
#include "codegen/emitters/registers/RegisterValues.h"
#include "codegen/kernel/RegisterLoopCosts.h"
#include "ir/tx/Tx.h"
#include "ir/tx/structure/TxFusion.h"

using namespace mlir;

namespace tensorc::codegen {

bool containsWhile(MutableArrayRef<Region> regions) {
  return llvm::any_of(regions, [](Region &region) {
    return region.walk([](tx::WhileOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  });
}

namespace {
/// Adds up the instructions of a block. `add` returns false at the first op
/// that RegisterBody cannot emit, and if there are too many instructions.
struct CostEstimate {
  int64_t lanes;
  RegisterCost cost = {};
  /// Number of times that the current block runs per iteration of the loop.
  int64_t repeated = 1;

  int64_t parts(Value v) const {
    return llvm::divideCeil(elementsOf(v.getType()), lanes);
  }
  void count(int64_t instructions) {
    cost += {instructions, instructions * repeated};
  }
  bool add(Block &block, tx::OrderAttr order);
  bool add(Operation &op, tx::OrderAttr order);
  bool addLoop(Operation &loop);
  bool addArguments(Block &block);
  bool addReduction(Operation &op, tx::OrderAttr order);
  bool addContraction(tx::DotGeneralOp op, tx::OrderAttr order);
};
} // namespace

/// True if kernels compute with elements of this type without converting them,
/// and the shape is static and not empty.
static bool isPlain(Type type) {
  Type element = getElementTypeOrSelf(type);
  return elementsOf(type) > 0 && (element.isF16() || element.isBF16() ||
                                  element.isF32() || element.isF64() ||
                                  (isa<IntegerType>(element) &&
                                   (element.getIntOrFloatBitWidth() == 1 ||
                                    element.getIntOrFloatBitWidth() >= 8)));
}

bool CostEstimate::addReduction(Operation &op, tx::OrderAttr order) {
  // RegisterBody does not track positions, which argmax and argmin need.
  if (isa<tx::ArgmaxOp, tx::ArgminOp>(op) || !order ||
      order.getInstruction() != chunksOrder || order.getLanes().size() != 1 ||
      elementsOf(op.getOperand(0).getType()) == 0)
    return false;
  int64_t reduced = elementsOf(op.getOperand(0).getType()) /
                    elementsOf(op.getResult(0).getType());
  count(4 * parts(op.getOperand(0)) +
        3 * static_cast<int64_t>(llvm::Log2_64_Ceil(reduced)) *
            parts(op.getResult(0)));
  return reduced <= order.getChunk();
}

bool CostEstimate::addContraction(tx::DotGeneralOp op, tx::OrderAttr order) {
  Type element = op.getType().getElementType();
  if (!order || order.getInstruction() != fmaOrder ||
      op.getX().getType().getElementType() != element ||
      op.getY().getType().getElementType() != element ||
      !(element.isF32() || element.isF64()))
    return false;
  int64_t steps = 1;
  for (int64_t d : op.getXContracting())
    steps *= op.getX().getType().getShape()[d];
  count(3 * steps * parts(op.getResult()));
  return true;
}

bool CostEstimate::add(Operation &op, tx::OrderAttr order) {
  if (auto fusion = dyn_cast<tx::FusionOp>(op)) {
    StringRef kind = fusion.getKind();
    return (kind == tx::kinds::loop || kind == tx::kinds::row ||
            kind == tx::kinds::column || kind == tx::kinds::contraction) &&
           add(fusion.getBody().front(), fusion.getOrderAttr());
  }
  if (tx::isBranch(&op))
    return llvm::all_of(op.getRegions(), [&](Region &region) {
      return add(region.front(), {});
    });
  if (isa<tx::ScanOp, tx::WhileOp>(op))
    return addLoop(op);
  if (auto call = dyn_cast<tx::CustomCallOp>(op)) {
    std::optional<int64_t> instructions = matrixCost(call);
    count(instructions.value_or(0));
    return instructions.has_value();
  }
  if (op.getNumResults() != 1 || op.getNumRegions() != 0)
    return false;
  Value result = op.getResult(0);
  if (op.hasTrait<tx::Elementwise>()) {
    count(parts(result) *
          (op.hasTrait<tx::Costly>() ? loopCosts::costlyOps : 1));
    return true;
  }
  if (op.hasTrait<tx::Reduction>())
    return addReduction(op, order);
  if (auto dot = dyn_cast<tx::DotGeneralOp>(op))
    return addContraction(dot, order);
  if (isa<tx::GatherOp, tx::DynamicSliceOp>(op)) {
    auto window = windowOf(&op);
    if (!window)
      return false;
    int64_t slices = window->count;
    int64_t loads =
        llvm::divideCeil(elementsOf(result.getType()) / slices, lanes);
    count(slices * (4 + loads)); // the offsets, and loads
    if (slices > 1)
      count(2 * parts(result)); // shuffles that concatenate the slices
    if (!isInMemory(window->x))
      count(parts(window->x)); // stored before
    return true;
  }
  if (auto slice = dyn_cast<tx::SliceOp>(op);
      slice && !slice.getOffsets().empty())
    return false;
  if (auto constant = dyn_cast<tx::ConstantOp>(op))
    return isa<DenseElementsAttr>(constant.getValue());
  count(isa<tx::ReshapeOp, tx::IotaOp>(op) ? 0 : 2 * parts(result));
  return isa<tx::IotaOp, tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp,
             tx::SliceOp, tx::WindowsOp, tx::PadOp, tx::ConcatenateOp>(op);
}

/// Adds a loop within the block.
bool CostEstimate::addLoop(Operation &loop) {
  int64_t before = repeated;
  if (auto scan = dyn_cast<tx::ScanOp>(loop)) {
    std::optional<int64_t> length = scan.lengthDim().number();
    if (!length || *length < 1 || *length > loopCosts::partOps / repeated)
      return false;
    repeated *= *length;
    for (OpResult result : scan->getResults().drop_front(scan.getCarried()))
      if (!isInMemory(result) && !outerResult(result))
        count(parts(result));
  } else if (containsWhile(cast<tx::WhileOp>(loop).getCondition())) {
    // The number of iterations is not passed on from the condition.
    return false;
  }
  for (Region &region : loop.getRegions())
    if (!addArguments(region.front()) || !add(region.front(), {}))
      return false;
  repeated = before;
  return true;
}

/// Adds the loads of a loop's arguments.
bool CostEstimate::addArguments(Block &block) {
  for (BlockArgument argument : block.getArguments()) {
    if (!isPlain(argument.getType()))
      return false;
    if (!isInMemory(argument) && !argument.use_empty())
      count(parts(argument));
  }
  return true;
}

bool CostEstimate::add(Block &block, tx::OrderAttr order) {
  return llvm::all_of(block, [&](Operation &op) {
    return op.hasTrait<OpTrait::IsTerminator>() ||
           (llvm::all_of(op.getResultTypes(), isPlain) && add(op, order) &&
            cost.code <= loopCosts::maxLoopOps &&
            cost.run <= loopCosts::partOps);
  });
}

std::optional<RegisterCost> registerCost(Block &block, int64_t lanes) {
  CostEstimate estimate{lanes};
  if (!estimate.addArguments(block) || !estimate.add(block, {}))
    return std::nullopt;
  return estimate.cost;
}

} // namespace tensorc::codegen
