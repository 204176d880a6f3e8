//===- CpuInfo.cpp - Properties of cpu targets ----------------------------===//

#include "codegen/kernel/CpuCosts.h"
#include "codegen/kernel/CpuModel.h"
#include "codegen/targets/cpu/CpuTarget.h"

using namespace llvm;

namespace tensorc::codegen {

static void setX86Facts(const CpuModel &cpu, TargetFacts &facts) {
  facts.fma = cpu.has("fma");
  facts.integerMaximumBytes = 4;
  if (cpu.has("avx512f") && cpu.has("avx512bw") && cpu.has("avx512vl")) {
    facts.vectorBytes = 64;
    facts.vectorRegisters = 32;
    facts.maskedElementBytes = 1;
    facts.gather = true;
    facts.packsLanes = true;
    facts.integerMaximumBytes = 8;
    facts.l2Bytes = 1 << 20;
    facts.bf16Pairs = cpu.has("avx512bf16") && getCpuCosts(cpu).bf16Pairs;
  } else if (cpu.has("avx2")) {
    facts.vectorBytes = 32;
    facts.maskedElementBytes = 4;
    facts.gather = true;
  }
  facts.wordProducts = true;
  if (facts.vectorBytes == 64 && cpu.has("amx-int8") && cpu.has("amx-bf16")) {
    // Sapphire Rapids and newer.
    facts.matrixUnit = MatrixUnit::TileRegisters;
    facts.l1Bytes = 48 << 10;
    facts.l2Bytes = 2 << 20;
  }
  if (cpu.has("avx512vnni") || (cpu.has("avxvnni") && facts.vectorBytes == 32))
    facts.byteProducts = ByteProducts::MixedSigns;
}

/// Sets the sizes of those caches that are known. The others keep their
/// defaults.
static void setCaches(const CpuModel &cpu, TargetFacts &facts) {
  if (cpu.l1Bytes)
    facts.l1Bytes = cpu.l1Bytes;
  if (cpu.l2Bytes)
    facts.l2Bytes = cpu.l2Bytes;
  if (cpu.cacheLineBytes)
    facts.cacheLineBytes = cpu.cacheLineBytes;
}

TargetInfo getCpuInfo(StringRef target) {
  const CpuModel &cpu = cantFail(getCpuModel(target));
  TargetFacts facts;
  facts.name = target.str();
  if (cpu.isX86()) {
    setX86Facts(cpu, facts);
  } else if (!cpu.isWasm()) {
    // The AArch64 baseline has NEON, with FMA but without masked memory
    // accesses.
    facts.fma = true;
    facts.vectorRegisters = 32;
    if (cpu.sveBits) {
      facts.vectorBytes = cpu.sveBits / 8;
      facts.maskedElementBytes = 1;
      facts.gather = true;
    }
    if (cpu.has("dotprod"))
      facts.byteProducts = ByteProducts::EqualSigns;
  }
  setCaches(cpu, facts);
  return TargetInfo(std::move(facts));
}

} // namespace tensorc::codegen
