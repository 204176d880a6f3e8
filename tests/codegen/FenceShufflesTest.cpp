//===- FenceShufflesTest.cpp - Where chains of shuffles end ---------------===//

#include "codegen/lowering/llvm/OptimizeModule.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace {
/// A function of two vectors that interleaves them so many times, each value
/// for two others, as networks do.
class FenceShuffles : public testing::Test {
protected:
  unsigned fencesOf(Type *element, unsigned lanes, unsigned steps) {
    auto *type = FixedVectorType::get(element, lanes);
    auto *function = Function::Create(
        FunctionType::get(b.getVoidTy(), {type, type, b.getPtrTy()}, false),
        Function::ExternalLinkage, "f", module);
    b.SetInsertPoint(BasicBlock::Create(context, "", function));
    Value *x = function->getArg(0), *y = function->getArg(1);
    SmallVector<int> low, high;
    for (int lane = 0, half = lanes / 2; lane < half; ++lane) {
      low.append({lane, lane + int(lanes)});
      high.append({lane + half, lane + half + int(lanes)});
    }
    for (unsigned step = 0; step < steps; ++step) {
      Value *next = b.CreateShuffleVector(x, y, low);
      y = b.CreateShuffleVector(x, y, high);
      x = next;
    }
    b.CreateStore(x, function->getArg(2));
    b.CreateStore(y, function->getArg(2));
    b.CreateRetVoid();
    tensorc::codegen::fenceShuffles(module);
    EXPECT_FALSE(verifyModule(module));
    unsigned fences = llvm::count_if(instructions(*function), [](auto &i) {
      auto *call = dyn_cast<IntrinsicInst>(&i);
      return call && call->getIntrinsicID() == Intrinsic::arithmetic_fence;
    });
    function->eraseFromParent();
    return fences;
  }

  LLVMContext context;
  Module module{"m", context};
  IRBuilder<> b{context};
};
} // namespace

TEST_F(FenceShuffles, AreAfterEachTwoSteps) {
  EXPECT_EQ(fencesOf(b.getFloatTy(), 16, 2), 0u);
  EXPECT_EQ(fencesOf(b.getFloatTy(), 16, 3), 2u);
  EXPECT_EQ(fencesOf(b.getFloatTy(), 16, 4), 2u);
  EXPECT_EQ(fencesOf(b.getDoubleTy(), 4, 5), 4u);
}

TEST_F(FenceShuffles, AreForWholeRegistersOfFloats) {
  EXPECT_EQ(fencesOf(b.getFloatTy(), 4, 4), 0u);
  EXPECT_EQ(fencesOf(b.getInt32Ty(), 16, 4), 0u);
  EXPECT_EQ(fencesOf(b.getHalfTy(), 32, 4), 0u);
}
