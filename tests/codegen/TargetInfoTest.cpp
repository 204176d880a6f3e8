//===- TargetInfoTest.cpp - The facts of cpu targets ----------------------===//

#include "codegen/kernel/TargetInfo.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using tensorc::codegen::TargetInfo;

namespace {

TEST(TargetInfo, X86Levels) {
  mlir::MLIRContext context;
  mlir::Type f32 = mlir::Float32Type::get(&context);
  mlir::Type bf16 = mlir::BFloat16Type::get(&context);
  mlir::Type i1 = mlir::IntegerType::get(&context, 1);
  TargetInfo v2 = cantFail(TargetInfo::getForCpu("cpu:x86-64-v2"));
  EXPECT_EQ(v2.getVectorBytes(), 16u);
  EXPECT_FALSE(v2.hasFma());
  EXPECT_FALSE(v2.hasMaskedMemory(8));
  TargetInfo v3 = cantFail(TargetInfo::getForCpu("cpu:x86-64-v3"));
  EXPECT_EQ(v3.getLanes(f32), 8u);
  EXPECT_TRUE(v3.hasFma());
  EXPECT_TRUE(v3.hasMaskedMemory(4));
  EXPECT_FALSE(v3.hasMaskedMemory(2));
  TargetInfo v4 = cantFail(TargetInfo::getForCpu("cpu:x86-64-v4"));
  EXPECT_EQ(v4.getVectorBytes(), 64u);
  EXPECT_EQ(v4.getNumVectorRegisters(), 32u);
  EXPECT_EQ(v4.getLanes(f32), 16u);
  EXPECT_EQ(v4.getLanes(bf16), 16u); // computed in f32
  EXPECT_EQ(v4.getLanes(i1), 64u);
  EXPECT_TRUE(v4.hasMaskedMemory(1));
  EXPECT_FALSE(v4.isSimt());
}

TEST(TargetInfo, RefusesUnknownTargets) {
  auto info = TargetInfo::getForCpu("cuda:sm_90");
  EXPECT_EQ(toString(info.takeError()),
            "unknown target 'cuda:sm_90': known are cpu, cpu:x86-64-v2, "
            "cpu:x86-64-v3, cpu:x86-64-v4, cpu:aarch64");
}

} // namespace
