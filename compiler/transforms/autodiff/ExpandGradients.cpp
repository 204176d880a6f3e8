//===- ExpandGradients.cpp - Removes ops that only gradients need ---------===//
//
//   %0 = tx.stop_gradient %x              ->  %x
//   %0 = tx.custom_vjp (%x) { A } gradient { B }  ->  A
//   %0 = tx.while most = 9 (%x) { A } do { B }
//     ->  %0:2 = tx.while (%x, 0) { A and i < 9 } do { B; i + 1 }
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/autodiff/Passes.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/tx/Control.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_EXPANDGRADIENTSPASS
#include "compiler/transforms/autodiff/Passes.h.inc"

static void inlineForward(tx::CustomVjpOp op) {
  OpBuilder b(op);
  IRMapping mapping;
  Block &body = op.getForward().front();
  mapping.map(body.getArguments(), op.getInputs());
  for (Operation &each : body.without_terminator())
    b.clone(each, mapping);
  for (auto [result, value] :
       llvm::zip(op->getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(value));
  op.erase();
}

/// Appends the iteration number to the carried values.
static void countIterations(tx::WhileOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  size_t carried = op->getNumResults();
  auto counter = RankedTensorType::get({}, b.getI64Type());
  SmallVector<Value> inputs(op.getInputs());
  inputs.insert(inputs.begin() + carried,
                builder::TensorBuilder(b, loc).full(0, tx::DType::I64));
  SmallVector<Type> types(op->getResultTypes());
  types.push_back(counter);
  auto counted = tx::WhileOp::create(b, loc, types, inputs, IntegerAttr());
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), counted->getRegions()))
    to.takeBody(from);
  for (Region *body : {&counted.getCondition(), &counted.getBody()}) {
    Block &block = body->front();
    Value i = block.insertArgument(carried, counter, loc);
    Operation *exit = block.getTerminator();
    b.setInsertionPoint(exit);
    builder::TensorBuilder e(b, loc);
    if (body == &counted.getBody()) {
      exit->insertOperands(carried, e.add(i, 1));
      continue;
    }
    Value goesOn = exit->getOperand(0);
    Value isLeft = e.less(i, static_cast<int64_t>(*op.getMost()));
    exit->setOperand(
        0, e.logicalAnd(goesOn, e.reshape(isLeft, builder::dimsOf(goesOn))));
  }
  op->replaceAllUsesWith(counted.getResults().take_front(carried));
  op.erase();
}

namespace {
struct ExpandGradients : impl::ExpandGradientsPassBase<ExpandGradients> {
  void runOnOperation() override {
    // Visits the ops inside a block before the op that contains the block.
    getOperation().walk<WalkOrder::PostOrder>([](Operation *op) {
      if (auto stop = dyn_cast<tx::StopGradientOp>(op)) {
        stop.getResult().replaceAllUsesWith(stop.getX());
        stop.erase();
      } else if (auto custom = dyn_cast<tx::CustomVjpOp>(op)) {
        inlineForward(custom);
      } else if (auto loop = dyn_cast<tx::WhileOp>(op);
                 loop && loop.getMost()) {
        countIterations(loop);
      }
    });
  }
};
} // namespace

} // namespace tensorc::compiler
