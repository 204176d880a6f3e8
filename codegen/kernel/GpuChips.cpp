//===- GpuChips.cpp - The facts of GPUs, by the chip's name ---------------===//

#include "codegen/kernel/GpuChips.h"

using namespace llvm;

namespace tensorc::codegen {

namespace {
struct Chip {
  StringLiteral name;
  unsigned subgroupSize;
  /// What a kernel may declare, and what its launch may ask for.
  int64_t sharedKilobytes, maxSharedKilobytes;
  int64_t l1Kilobytes;
  int64_t l2Megabytes;
  MatrixUnit matrixUnit;
};
} // namespace

static constexpr MatrixUnit kNone = MatrixUnit::None,
                            kMma = MatrixUnit::Mma16x8x16,
                            kMfma = MatrixUnit::Mfma16x16x16;

static constexpr Chip chips[] = {
    {"sm_75", 32, 48, 64, 32, 4, kNone},
    {"sm_80", 32, 48, 163, 192, 40, kMma},
    {"sm_86", 32, 48, 99, 128, 6, kMma},
    {"sm_89", 32, 48, 99, 128, 48, kMma},
    {"sm_90", 32, 48, 227, 256, 50, kMma},
    {"sm_90a", 32, 48, 227, 256, 50, kMma},
    {"sm_100", 32, 48, 227, 256, 126, kMma},
    {"gfx90a", 64, 64, 64, 16, 8, kMfma},
    {"gfx942", 64, 64, 64, 32, 4, kMfma},
    {"gfx1100", 32, 64, 64, 32, 6, kNone},
};

std::optional<TargetFacts> getGpuFacts(StringRef name) {
  const Chip *chip =
      find_if(chips, [&](const Chip &chip) { return chip.name == name; });
  if (chip == std::end(chips))
    return std::nullopt;
  TargetFacts facts;
  // The widest access of one thread; 255 registers of 4 bytes hold 63 of them.
  facts.vectorBytes = 16;
  facts.vectorRegisters = 63;
  facts.fma = true;
  facts.gather = true;
  facts.l1Bytes = chip->l1Kilobytes << 10;
  facts.l2Bytes = chip->l2Megabytes << 20;
  facts.cacheLineBytes = 128;
  facts.subgroupSize = chip->subgroupSize;
  facts.maxBlockThreads = 1024;
  facts.sharedMemoryBytes = chip->sharedKilobytes << 10;
  facts.maxSharedMemoryBytes = chip->maxSharedKilobytes << 10;
  facts.matrixUnit = chip->matrixUnit;
  facts.asyncCopies = chip->matrixUnit == kMma; // sm_80 brought both
  return facts;
}

} // namespace tensorc::codegen
