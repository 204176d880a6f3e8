//===- TargetInfoTest.cpp - The facts of targets --------------------------===//

#include "codegen/kernel/CpuModel.h"
#include "codegen/targets/Target.h"
#include "runtime/abi/TileTargets.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace tensorc::codegen;

namespace {

TEST(TargetInfo, X86Levels) {
  mlir::MLIRContext context;
  mlir::Type f32 = mlir::Float32Type::get(&context);
  mlir::Type bf16 = mlir::BFloat16Type::get(&context);
  mlir::Type i1 = mlir::IntegerType::get(&context, 1);
  TargetInfo v2 = cantFail(getTargetInfo("cpu:x86-64-v2"));
  EXPECT_EQ(v2.getVectorBytes(), 16u);
  EXPECT_FALSE(v2.hasFma());
  EXPECT_FALSE(v2.hasMaskedMemory(8));
  TargetInfo v3 = cantFail(getTargetInfo("cpu:x86-64-v3"));
  EXPECT_EQ(v3.getLanes(f32), 8u);
  EXPECT_TRUE(v3.hasFma());
  EXPECT_TRUE(v3.hasMaskedMemory(4));
  EXPECT_FALSE(v3.hasMaskedMemory(2));
  TargetInfo v4 = cantFail(getTargetInfo("cpu:x86-64-v4"));
  EXPECT_EQ(v4.getVectorBytes(), 64u);
  EXPECT_EQ(v4.getNumVectorRegisters(), 32u);
  EXPECT_EQ(v4.getLanes(f32), 16u);
  EXPECT_EQ(v4.getLanes(bf16), 16u); // computed in f32
  EXPECT_EQ(v4.getLanes(i1), 64u);
  for (mlir::Type f8 : {mlir::Type(mlir::Float8E4M3FNType::get(&context)),
                        mlir::Type(mlir::Float8E5M2Type::get(&context))}) {
    EXPECT_FALSE(v4.hasArithmetic(f8)); // storage, computed in f32
    EXPECT_EQ(v4.getLanes(f8), 16u);
  }
  EXPECT_TRUE(v4.hasMaskedMemory(1));
  EXPECT_EQ(v4.getLanes(mlir::Float8E5M2Type::get(&context)), 16u);
  EXPECT_FALSE(v4.hasArithmetic(mlir::Float8E4M3FNType::get(&context)));
  EXPECT_TRUE(v4.hasArithmetic(mlir::Float64Type::get(&context)));
  EXPECT_FALSE(v4.isSimt());
  EXPECT_FALSE(v4.hasShuffles());
  EXPECT_TRUE(v4.hasDoubles());
}

TEST(TargetInfo, Amx) {
  mlir::MLIRContext context;
  TargetInfo amx = cantFail(getTargetInfo("cpu:x86-64-amx"));
  EXPECT_EQ(amx.getMatrixUnit(), MatrixUnit::TileRegisters);
  EXPECT_FALSE(amx.multipliesTiles(mlir::BFloat16Type::get(&context)));
  EXPECT_EQ(amx.getL1Bytes(), 48 << 10);
  EXPECT_EQ(amx.getVectorBytes(), 64u);
  EXPECT_EQ(amx.getByteProducts(), ByteProducts::MixedSigns);
  EXPECT_FALSE(amx.multipliesPairs()); // slower than FMAs on such processors
  EXPECT_EQ(cantFail(getTargetInfo("cpu:x86-64-v4")).getMatrixUnit(),
            MatrixUnit::None);
  const CpuModel &model = cantFail(getCpuModel("cpu:x86-64-amx"));
  EXPECT_EQ(model.cpu, "x86-64-v4");
  for (const char *feature : {"avx512f", "avx512vnni", "amx-tile", "amx-int8"})
    EXPECT_TRUE(model.has(feature)) << feature;
  EXPECT_FALSE(model.has("avx512fp16"));
}

// Virtual machines report names of processors that lack their features.
TEST(TargetInfo, ProcessorByFeatures) {
  llvm::StringMap<bool> features;
  for (const char *old : {"avx512f", "avx512bw", "avx512vnni", "avx512bf16"})
    features[old] = true;
  EXPECT_EQ(findProcessor("rocketlake", features), "rocketlake");
  features["avx512fp16"] = true;
  EXPECT_EQ(findProcessor("rocketlake", features), "sapphirerapids");
  EXPECT_EQ(findProcessor("x86-64", features), "sapphirerapids");
  EXPECT_EQ(findProcessor("generic", features), "sapphirerapids");
  EXPECT_EQ(findProcessor("graniterapids", features), "graniterapids");
  features["avx512fp16"] = false;
  features["amx-tile"] = true;
  EXPECT_EQ(findProcessor("skylake-avx512", features), "sapphirerapids");
}

// Keys of caches: what is compiled for this machine depends on its caches, too.
TEST(TargetInfo, Identity) {
  llvm::StringRef host = cantFail(getCpuModel("cpu")).cpu;
  for (const char *name : {"cpu", "sim:sm_80"}) {
    std::string text = getTargetIdentity(name);
    llvm::StringRef identity = text;
    EXPECT_TRUE(identity.starts_with(name));
    EXPECT_TRUE(identity.contains(host));
    EXPECT_TRUE(identity.contains(" l2="));
  }
  EXPECT_TRUE(llvm::StringRef(getTargetIdentity("cpu:x86-64-v4"))
                  .contains(" l1=0 l2=0 "));
  EXPECT_EQ(getTargetIdentity("cuda:sm_80"), "cuda:sm_80");
}

TEST(TargetInfo, Arm) {
  TargetInfo neon = cantFail(getTargetInfo("cpu:aarch64"));
  EXPECT_EQ(neon.getVectorBytes(), 16u);
  EXPECT_FALSE(neon.hasMaskedMemory(4));
  TargetInfo sve = cantFail(getTargetInfo("cpu:aarch64-sve256"));
  EXPECT_EQ(sve.getVectorBytes(), 32u);
  EXPECT_TRUE(sve.hasFma());
  EXPECT_TRUE(sve.hasMaskedMemory(1));
}

TEST(TargetInfo, WebAssembly) {
  TargetInfo wasm = cantFail(getTargetInfo("cpu:wasm32"));
  EXPECT_EQ(wasm.getVectorBytes(), 16u);
  EXPECT_FALSE(wasm.hasFma());
  EXPECT_FALSE(wasm.hasMaskedMemory(4));
}

TEST(TargetInfo, Gpus) {
  struct {
    const char *name;
    unsigned subgroup;
    int64_t sharedMemory, maxSharedMemory;
  } chips[] = {{"cuda:sm_75", 32, 48 << 10, 64 << 10},
               {"cuda:sm_80", 32, 48 << 10, 163 << 10},
               {"cuda:sm_86", 32, 48 << 10, 99 << 10},
               {"cuda:sm_90a", 32, 48 << 10, 227 << 10},
               {"cuda:sm_100", 32, 48 << 10, 227 << 10},
               {"cuda:sm_120", 32, 48 << 10, 99 << 10},
               {"rocm:gfx90a", 64, 64 << 10, 64 << 10},
               {"rocm:gfx942", 64, 64 << 10, 64 << 10},
               {"rocm:gfx950", 64, 160 << 10, 160 << 10},
               {"rocm:gfx1100", 32, 64 << 10, 64 << 10},
               {"rocm:gfx1200", 32, 64 << 10, 64 << 10}};
  for (auto [name, subgroup, sharedMemory, maxSharedMemory] : chips) {
    TargetInfo info = cantFail(getTargetInfo(name));
    EXPECT_EQ(info.getName(), name);
    EXPECT_TRUE(info.isSimt());
    EXPECT_EQ(info.getSubgroupSize(), subgroup);
    EXPECT_EQ(info.getMaxBlockThreads(), 1024u);
    EXPECT_EQ(info.getSharedMemoryBytes(), sharedMemory);
    EXPECT_EQ(info.getMaxSharedMemoryBytes(), maxSharedMemory);
    EXPECT_EQ(info.getVectorBytes(), 16u);
    EXPECT_TRUE(info.hasShuffles());
    EXPECT_TRUE(info.hasDoubles());
    EXPECT_TRUE(info.hasInt64Atomics());
    EXPECT_EQ(info.getMaxGridBlocks(), 0x7fffffff);
    EXPECT_LE(info.getSubgroupSizes().min, subgroup);
    EXPECT_GE(info.getSubgroupSizes().max, subgroup);
  }
  EXPECT_EQ(cantFail(getTargetInfo("rocm:gfx1100")).getSubgroupSizes().max,
            64u);
  EXPECT_FALSE(cantFail(getTargetInfo("cuda:sm_75")).hasAsyncCopies());
  EXPECT_TRUE(cantFail(getTargetInfo("cuda:sm_80")).hasAsyncCopies());
  EXPECT_FALSE(cantFail(getTargetInfo("rocm:gfx942")).hasAsyncCopies());
}

TEST(TargetInfo, WithoutMatrixInstructions) {
  const std::pair<std::string, std::string> chips[] = {
      {"rocm:gfx90a", "-mfma"},
      {"rocm:gfx942", "-mfma"},
      {"rocm:gfx950", "-mfma"},
      {"rocm:gfx1100", "-wmma"},
      {"rocm:gfx1200", "-wmma"}};
  for (const auto &[chip, without] : chips)
    for (std::string suffix : {"", "+fft"}) {
      std::string name = chip + suffix;
      const Target &target = cantFail(findTarget(name));
      llvm::StringRef simpler = target.getTargetWithoutTiles(name);
      EXPECT_EQ(simpler, chip + without + suffix);
      EXPECT_EQ(simpler.drop_back(suffix.size()),
                tensorc::rt::targetWithoutTiles(chip));
      TargetInfo info = cantFail(getTargetInfo(simpler)),
                 own = cantFail(getTargetInfo(name));
      EXPECT_NE(own.getMatrixUnit(), MatrixUnit::None);
      EXPECT_EQ(info.getMatrixUnit(), MatrixUnit::None);
      EXPECT_EQ(info.getSharedMemoryBytes(), own.getSharedMemoryBytes());
      EXPECT_EQ(target.getTargetWithoutTiles(simpler), "");
    }
  // A package for all chips has no code for a faulty one.
  EXPECT_EQ(expandTarget("rocm").size(), 5u);
}

TEST(TargetInfo, TypesOfTiles) {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  mlir::Type i8 = b.getI8Type(), tf32 = b.getTF32Type(),
             ui8 = b.getIntegerType(8, /*isSigned=*/false);
  auto has = [](const char *target, mlir::Type type) {
    return cantFail(getTargetInfo(target)).multipliesTiles(type);
  };
  for (const char *target : {"cuda:sm_80", "rocm:gfx90a", "rocm:gfx942",
                             "rocm:gfx1100", "rocm:gfx1200"}) {
    EXPECT_TRUE(has(target, b.getF16Type()));
    EXPECT_TRUE(has(target, b.getBF16Type()));
    EXPECT_TRUE(has(target, i8));
    EXPECT_FALSE(has(target, b.getF32Type()));
    EXPECT_FALSE(has(target, b.getI32Type()));
  }
  EXPECT_TRUE(has("cuda:sm_80", tf32));
  EXPECT_FALSE(has("rocm:gfx942", tf32));
  EXPECT_FALSE(has("rocm:gfx1100", tf32));
  EXPECT_TRUE(has("cuda:sm_80", ui8));
  EXPECT_TRUE(has("rocm:gfx1100", ui8));
  EXPECT_FALSE(has("rocm:gfx942", ui8));
  EXPECT_FALSE(has("cuda:sm_75", b.getF16Type()));
}

/// One thread may be a subgroup: what runs a grid is a fact of its own.
TEST(TargetInfo, GridsOfSingleThreads) {
  TargetFacts facts;
  EXPECT_FALSE(TargetInfo(facts).isSimt());
  facts.simt = true;
  EXPECT_TRUE(TargetInfo(facts).isSimt());
  EXPECT_FALSE(TargetInfo(facts).hasShuffles());
}

TEST(TargetInfo, RefusesUnknownTargets) {
  for (const char *name : {"", "cuda", "cuda:sm_42", "cpu:z80", "nvptx:sm_90"})
    EXPECT_EQ(toString(getTargetInfo(name).takeError()),
              "unknown target '" + std::string(name) + "': known are " +
                  listTargets());
  EXPECT_NE(listTargets().find("cpu:x86-64-v3, "), std::string::npos);
  EXPECT_NE(listTargets().find("cuda:sm_90a, "), std::string::npos);
}

} // namespace
