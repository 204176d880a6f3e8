//===- CpuCostsTest.cpp - The table of costs ------------------------------===//

#include "codegen/kernel/CpuCosts.h"
#include "codegen/kernel/GpuCosts.h"
#include "codegen/targets/Target.h"

#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace tensorc::codegen;

namespace {

TEST(CpuCosts, EachNumberSaysWhereItIsFrom) {
  for (const CpuCosts &row : listCpuCosts())
    for (const CostColumn &column : listCostColumns()) {
      const Cost &cost = row.*column.cost;
      EXPECT_FALSE(cost.origin.empty())
          << row.name.str() << ": " << column.name.str();
      if (cost.source == CostSource::Published)
        EXPECT_TRUE(cost.origin.contains(": "))
            << row.name.str() << ": " << column.name.str() << ": by whom";
    }
}

TEST(GpuCosts, EachNumberSaysWhereItIsFrom) {
#define GPU_COST(NAME, VALUE, SOURCE, ORIGIN, COMMAND)                         \
  EXPECT_FALSE(gpuCosts.NAME.origin.empty()) << #NAME;
#include "codegen/kernel/GpuCosts.def"
}

TEST(CpuCosts, RowsHaveProcessorsOfTheirOwn) {
  for (const CpuCosts &row : listCpuCosts())
    for (llvm::StringRef cpu : llvm::split(row.cpus, ' '))
      EXPECT_EQ(getCpuCosts(cpu).name, row.name) << cpu.str();
  EXPECT_EQ(getCpuCosts("znver5").name, "zen5");
  EXPECT_EQ(getCpuCosts("emeraldrapids").name, "sapphirerapids");
  EXPECT_EQ(getCpuCosts("k8").name, "generic");
}

// Their code must not depend on the machine that compiles.
TEST(CpuCosts, BaselinesAreGeneric) {
  for (const char *name : {"cpu:x86-64-v2", "cpu:x86-64-v3", "cpu:x86-64-v4",
                           "cpu:aarch64", "cpu:aarch64-sve256", "cuda:sm_80"})
    EXPECT_EQ(getCpuCosts(cantFail(getTargetInfo(name))).name, "generic")
        << name;
}

// All processors with AMX are of this microarchitecture or newer.
TEST(CpuCosts, AmxIsSapphireRapids) {
  EXPECT_EQ(getCpuCosts(cantFail(getTargetInfo("cpu:x86-64-amx"))).name,
            "sapphirerapids");
}

// Zen 5 is where most kernels were tuned: only what its row knows better may
// differ from the numbers of unknown processors.
TEST(CpuCosts, ZenFive) {
  const CpuCosts &zen5 = getCpuCosts("znver5"), &any = getCpuCosts("");
  for (const CostColumn &column : listCostColumns())
    EXPECT_EQ(zen5.*column.cost == any.*column.cost,
              column.name != "prefetchesAcrossPages")
        << column.name.str();
  EXPECT_EQ(getCpuCosts("neoverse-v2").l1WayBytes, 16384);
  EXPECT_EQ(getCpuCosts("neoverse-v2").l1WayBytes.source,
            CostSource::Published);
  EXPECT_TRUE(zen5.bf16Pairs);
  EXPECT_FALSE(getCpuCosts("sapphirerapids").bf16Pairs);
}

} // namespace
