//===- InPlace.cpp - Kernels whose results may alias their inputs ---------===//
//
// Some kernels compute all outputs at an index before they store any of them at
// that index (see codegen::EmittedKernels). An output may therefore overwrite
// an input if every path from the input to an output consists of ops that work
// element by element.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/InPlace.h"

#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::compiler {

static ArrayRef<shape::Dim> dimsOf(Value value) {
  return tx::dimsOf(cast<RankedTensorType>(value.getType()));
}

/// True if the op reads only element i of the operand for element i of its
/// result.
static bool isAtIndex(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<tx::YieldOp>(user))
    return true;
  // Elements outside of the updated part are read at their own index. The
  // updates are read at other indices.
  bool isUpdated = isa<tx::DynamicUpdateSliceOp, tx::ScatterOp>(user) &&
                   use.getOperandNumber() == 0;
  return (user->hasTrait<tx::Elementwise>() || isUpdated) &&
         user->getNumResults() == 1 &&
         dimsOf(use.get()) == dimsOf(user->getResult(0));
}

static bool isReadAtIndex(Value input) {
  SmallVector<Value> work{input};
  DenseSet<Operation *> seen;
  while (!work.empty())
    for (OpOperand &use : work.pop_back_val().getUses()) {
      if (!isAtIndex(use))
        return false;
      Operation *user = use.getOwner();
      if (!isa<tx::YieldOp>(user) && seen.insert(user).second)
        work.push_back(user->getResult(0));
    }
  return true;
}

/// Returns the storage bits of an element, or 0 if elements share bytes.
static unsigned bitsOf(Type type) {
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return bits == 1 ? 8 : bits % 8 ? 0 : bits;
}

SmallVector<std::pair<unsigned, unsigned>> inPlacePairs(tx::FusionOp fusion) {
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (BlockArgument input : fusion.getBody().getArguments()) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type || !bitsOf(type) || !isReadAtIndex(input))
      continue;
    for (OpResult result : fusion.getResults())
      if (dimsOf(input) == dimsOf(result) &&
          bitsOf(type) == bitsOf(result.getType()))
        pairs.push_back({input.getArgNumber(), result.getResultNumber()});
  }
  return pairs;
}

bool onlyCopiesFirst(tx::FusionOp fusion) {
  auto yield = cast<tx::YieldOp>(fusion.getBody().front().getTerminator());
  auto scatter = yield.getValues()[0].getDefiningOp<tx::ScatterOp>();
  return scatter && isa<BlockArgument>(scatter.getX());
}

} // namespace tensorc::compiler
