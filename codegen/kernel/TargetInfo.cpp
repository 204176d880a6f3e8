//===- TargetInfo.cpp - The facts that emitters ask about a target --------===//

#include "codegen/kernel/TargetInfo.h"
#include "codegen/kernel/CpuModel.h"

#include "mlir/IR/BuiltinTypes.h"
#include <unistd.h>

using namespace mlir;

namespace tensorc::codegen {

static void setX86Facts(const CpuModel &cpu, TargetFacts &facts) {
  facts.fma = cpu.has("fma");
  if (cpu.has("avx512f") && cpu.has("avx512bw") && cpu.has("avx512vl")) {
    facts.vectorBytes = 64;
    facts.vectorRegisters = 32;
    facts.maskedElementBytes = 1;
    facts.gather = true;
    facts.l2Bytes = 1 << 20;
  } else if (cpu.has("avx2")) {
    facts.vectorBytes = 32;
    facts.maskedElementBytes = 4;
    facts.gather = true;
  }
}

/// The host's caches; a baseline keeps the defaults, so that what is compiled
/// for it does not depend on the machine that compiles.
static void setHostCaches(TargetFacts &facts) {
  if (long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE); bytes > 0)
    facts.l1Bytes = bytes;
  if (long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0)
    facts.l2Bytes = bytes;
  if (long bytes = sysconf(_SC_LEVEL1_DCACHE_LINESIZE); bytes > 0)
    facts.cacheLineBytes = bytes;
}

llvm::Expected<TargetInfo> TargetInfo::getForCpu(llvm::StringRef target) {
  llvm::Expected<CpuModel> cpu = getCpuModel(target);
  if (!cpu)
    return cpu.takeError();
  TargetFacts facts;
  facts.name = target.str();
  if (cpu->isX86()) {
    setX86Facts(*cpu, facts);
  } else {
    // AArch64 baseline: NEON, which has FMA but no masked memory operations.
    facts.fma = true;
    facts.vectorRegisters = 32;
  }
  if (cpu->isHost)
    setHostCaches(facts);
  return TargetInfo(std::move(facts));
}

bool TargetInfo::hasArithmetic(Type type) const {
  if (type.isF16())
    return facts.f16Arithmetic;
  if (type.isBF16())
    return facts.bf16Arithmetic;
  return type.isIntOrIndexOrFloat();
}

unsigned TargetInfo::getComputeBytes(Type type) const {
  if (type.isIndex())
    return 8;
  if (!hasArithmetic(type))
    return 4;
  return std::max(1u, type.getIntOrFloatBitWidth() / 8);
}

} // namespace tensorc::codegen
