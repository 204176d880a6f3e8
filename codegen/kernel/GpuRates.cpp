//===- GpuRates.cpp - Peak rates of GPUs for estimates --------------------===//

#include "codegen/kernel/GpuRates.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tensorc::codegen {

// Columns: see GpuRates. Sources:
// - sm_80: NVIDIA A100 Tensor Core GPU Architecture (2020), tables 1 and 4,
//   and the data sheet of the A100 80GB SXM (2,039 GB/s).
// - sm_90a: NVIDIA H100 Tensor Core GPU Architecture (2022), tables 1 and 2,
//   for the SXM5 board; the clock is that of the stated 989.4 TFLOPS. The L2
//   bandwidth is not published; assumed as many bytes per clock as on sm_80.
// - gfx942: AMD CDNA 3 white paper and AMD Instinct MI300X data sheet (2023).
// - gfx1100: AMD RDNA 3 ISA guide, and the specification of the Radeon RX 7900
//   XTX (2022). The L2 bandwidth is not published; assumed as 64 bytes per
//   clock for each of 96 processors. Lanes of f64: 4 operations per clock of a
//   processor, says ROCm Compute Profiler 7.14, "Workgroup processor"; public
//   tables of the board state twice that.
// - Throughput per clock, and limits of processors: CUDA C++ Programming
//   Guide 13.0, "Arithmetic Instructions" and "Compute Capabilities"; the ISA
//   guides of the AMD chips.
static constexpr GpuRates rates[] = {
    {"sm_80",
     "A100 80GB SXM",
     108,
     1410,
     2039,
     5120,
     312,
     4,
     16,
     32,
     {2048, 32, 65536, 164 << 10, 1024, 256}},
    {"sm_90a",
     "H100 SXM5",
     132,
     1830,
     3352,
     5120,
     989.4,
     4,
     16,
     64,
     {2048, 32, 65536, 228 << 10, 1024, 256}},
    {"gfx942",
     "MI300X",
     304,
     2100,
     5300,
     16384,
     1307.4,
     1,
     16,
     64,
     {2048, 32, 131072, 64 << 10, 0, 512}},
    {"gfx1100",
     "RX 7900 XTX",
     96,
     2500,
     960,
     6144,
     122.8,
     2,
     16,
     2,
     {1024, 32, 98304, 64 << 10, 0, 768}},
};

ArrayRef<GpuRates> listGpuRates() { return rates; }

const GpuRates *findGpuRates(StringRef chip) {
  const GpuRates *found =
      find_if(rates, [&](const GpuRates &each) { return each.chip == chip; });
  return found == std::end(rates) ? nullptr : found;
}

} // namespace tensorc::codegen
