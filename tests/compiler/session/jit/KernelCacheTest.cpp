//===- KernelCacheTest.cpp - What is known of an expression ---------------===//

#include "compiler/session/jit/KernelCache.h"

#include <gtest/gtest.h>

using namespace tensorc;
using jit::KernelCache, jit::Reason, jit::Sizes;

namespace {
struct NoProgram : jit::Executable {
  jit::Status run(llvm::ArrayRef<tensorc_rt_arg>,
                  llvm::MutableArrayRef<tensorc_rt_output>,
                  const jit::RunMemory &) const override {
    return nullptr;
  }
  jit::Status measure(llvm::ArrayRef<tensorc_rt_arg>,
                      tensorc_rt_memory_plan &) const override {
    return nullptr;
  }
};
} // namespace

// A compilation with plans that is refused must not be tried again and again.
TEST(KernelCache, KernelsForAllSizesOutliveARefusal) {
  KernelCache cache(4);
  graph::Trace trace;
  trace.key = {1};
  trace.sizes = {160};
  auto bytesLeft = [] { return uint64_t(1000); };
  auto symbolic = std::make_shared<const NoProgram>();
  cache.insert(trace, Reason::SecondSize, symbolic);
  KernelCache::Result found = cache.find(trace, Sizes::Planned, bytesLeft);
  EXPECT_FALSE(found.executable);
  EXPECT_EQ(found.reason, Reason::MemoryPlans);
  EXPECT_FALSE(cache.refuseSymbolic(trace, Reason::SizesNotExpressible));
  EXPECT_EQ(cache.find(trace, Sizes::Planned, bytesLeft).executable, symbolic);
  EXPECT_EQ(cache.find(trace).executable, symbolic);

  graph::Trace other;
  other.key = {2};
  other.sizes = {160};
  EXPECT_TRUE(cache.refuseSymbolic(other, Reason::SizesNotExpressible));
  EXPECT_EQ(cache.find(other).reason, Reason::SizesNotExpressible);
  EXPECT_EQ(cache.find(other, Sizes::Planned, bytesLeft).reason,
            Reason::MemoryLimit);
}
