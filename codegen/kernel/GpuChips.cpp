//===- GpuChips.cpp - Properties of GPU chips by name ---------------------===//

#include "codegen/kernel/GpuChips.h"

using namespace llvm;

namespace tensorc::codegen {

namespace {
struct Chip {
  StringLiteral name;
  unsigned subgroupSize;
  SubgroupSizes subgroupSizes;
  /// Maximum shared memory per block that a kernel may declare statically, and
  /// that its launch may request.
  int64_t sharedKilobytes, maxSharedKilobytes;
  int64_t l1Kilobytes;
  int64_t l2Megabytes;
  MatrixUnit matrixUnit;
  bool asyncCopies;
};
} // namespace

static constexpr MatrixUnit kNone = MatrixUnit::None,
                            kMma = MatrixUnit::Mma16x8x16,
                            kMfma = MatrixUnit::Mfma16x16x16,
                            kRows = MatrixUnit::WmmaRows,
                            kHalfRows = MatrixUnit::WmmaHalfRows;
static constexpr SubgroupSizes k32{32, 32}, k64{64, 64};

static constexpr Chip chips[] = {
    {"sm_75", 32, k32, 48, 64, 32, 4, kNone, false},
    {"sm_80", 32, k32, 48, 163, 192, 40, kMma, true},
    {"sm_86", 32, k32, 48, 99, 128, 6, kMma, true},
    {"sm_89", 32, k32, 48, 99, 128, 48, kMma, true},
    {"sm_90", 32, k32, 48, 227, 256, 50, kMma, true},
    {"sm_90a", 32, k32, 48, 227, 256, 50, kMma, true},
    {"sm_100", 32, k32, 48, 227, 256, 126, kMma, true},
    {"sm_120", 32, k32, 48, 99, 128, 96, kMma, true},
    {"gfx90a", 64, k64, 64, 64, 16, 8, kMfma, false},
    {"gfx942", 64, k64, 64, 64, 32, 4, kMfma, false},
    {"gfx950", 64, k64, 160, 160, 32, 4, kMfma, false},
    {"gfx1100", 32, {32, 64}, 64, 64, 32, 6, kRows, false},
    {"gfx1200", 32, {32, 64}, 64, 64, 32, 4, kHalfRows, false},
};

std::optional<TargetFacts> getGpuFacts(StringRef name) {
  const Chip *chip =
      find_if(chips, [&](const Chip &chip) { return chip.name == name; });
  if (chip == std::end(chips))
    return std::nullopt;
  TargetFacts facts;
  // The widest access of a thread is 16 bytes. 255 registers of 4 bytes hold 63
  // vectors of that size.
  facts.vectorBytes = 16;
  facts.vectorRegisters = 63;
  facts.fma = true;
  facts.gather = true;
  facts.l1Bytes = chip->l1Kilobytes << 10;
  facts.l2Bytes = chip->l2Megabytes << 20;
  facts.cacheLineBytes = 128;
  facts.simt = true;
  facts.subgroupSize = chip->subgroupSize;
  facts.subgroupSizes = chip->subgroupSizes;
  facts.shuffles = true;
  facts.maxBlockThreads = 1024;
  facts.sharedMemoryBytes = chip->sharedKilobytes << 10;
  facts.maxSharedMemoryBytes = chip->maxSharedKilobytes << 10;
  facts.matrixUnit = chip->matrixUnit;
  facts.asyncCopies = chip->asyncCopies;
  return facts;
}

} // namespace tensorc::codegen
