//===- TiedValues.cpp - Values of loops and branches with equal shardings -===//
//
//   %0 = tx.while (%x) ... {        %x, both %a, %r and %0 are tied
//   ^bb0(%a: ...):
//     ...
//   } do {
//   ^bb0(%a: ...):
//     tx.return %r
//   }
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/sharding/TiedValues.h"

#include "compiler/transforms/sharding/RankLocal.h"
#include "ir/tx/Control.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::sharding {

static OpOperand *returned(Region &region, unsigned i) {
  return &region.front().getTerminator()->getOpOperand(i);
}

static SmallVector<TiedValues> tiedValues(tx::WhileOp op) {
  SmallVector<TiedValues> all;
  for (auto [i, argument] :
       llvm::enumerate(op.getBody().front().getArguments())) {
    TiedValues tied;
    tied.defined = {{argument}, {op.getCondition().front().getArgument(i)}};
    tied.operands.push_back({&op->getOpOperand(i)});
    if (i < op->getNumResults()) {
      tied.defined.push_back({op->getResult(i)});
      tied.operands.push_back({returned(op.getBody(), i)});
    }
    all.push_back(std::move(tied));
  }
  return all;
}

static SmallVector<TiedValues> tiedValues(tx::ScanOp op) {
  SmallVector<TiedValues> all;
  unsigned carried = op.getCarried(), scanned = op.getScanned();
  for (auto [i, argument] : llvm::enumerate(op.bodyArguments().drop_front())) {
    bool isSlice = i >= carried && i < carried + scanned;
    TiedValues tied;
    tied.defined.push_back({argument});
    tied.operands.push_back({&op->getOpOperand(i), isSlice});
    if (i < carried) {
      tied.defined.push_back({op->getResult(i)});
      tied.operands.push_back({returned(op.getBody(), i)});
    }
    all.push_back(std::move(tied));
  }
  for (unsigned i = carried; i < op->getNumResults(); ++i)
    all.push_back(
        {{{returned(op.getBody(), i)}}, {{op->getResult(i), /*shift=*/1}}});
  return all;
}

/// The blocks of a branch. The first operand selects one of them.
static SmallVector<TiedValues> tiedValuesOfBranches(Operation *op) {
  SmallVector<TiedValues> all;
  for (unsigned i = 1; i < op->getNumOperands(); ++i) {
    TiedValues tied;
    tied.operands.push_back({&op->getOpOperand(i)});
    for (Region &branch : op->getRegions())
      tied.defined.push_back({branch.front().getArgument(i - 1)});
    all.push_back(std::move(tied));
  }
  for (OpResult result : op->getResults()) {
    TiedValues tied;
    tied.defined.push_back({result});
    for (Region &branch : op->getRegions())
      tied.operands.push_back({returned(branch, result.getResultNumber())});
    all.push_back(std::move(tied));
  }
  return all;
}

SmallVector<TiedValues> tiedValuesOf(Operation *op) {
  if (op->getNumRegions() == 0 || RankLocal::hasParts(op))
    return {};
  return llvm::TypeSwitch<Operation *, SmallVector<TiedValues>>(op)
      .Case<tx::WhileOp, tx::ScanOp>([](auto op) { return tiedValues(op); })
      .Case<tx::IfOp, tx::SwitchOp>(
          [](auto op) { return tiedValuesOfBranches(op); })
      .Default([](Operation *) { return SmallVector<TiedValues>(); });
}

Sharding stacked(const Sharding &slices, int64_t shift) {
  Sharding result(slices);
  for (int64_t &dim : result)
    dim = dim < 0 ? -1 : dim + shift;
  return result;
}

Sharding unstacked(const Sharding &stack, int64_t shift) {
  Sharding result(stack);
  for (int64_t &dim : result)
    dim = dim < shift ? -1 : dim - shift;
  return result;
}

} // namespace tensorc::compiler::sharding
