//===- KernelProfile.h - Performance estimates of a GPU kernel --*- C++ -*-===//
//
// Reads the counts that the simulator made in the launches of a program, and
// estimates which resource of a chip bounds each kernel.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_KERNELPROFILE_H
#define TENSORC_COMPILER_SESSION_REPORT_KERNELPROFILE_H

#include "codegen/kernel/GpuRates.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tensorc::report {

/// Counts of one class of instructions at one source line. Quantities are those
/// of rt::sim::SiteCounts, for all blocks of a launch.
struct LineCounts {
  std::string line, kind;
  int64_t issues = 0, lanes = 0, bytes = 0, sectors = 0, minSectors = 0,
          wavefronts = 0, minWavefronts = 0, divergent = 0, flops = 0;

  /// Transfers of 32 bytes per request to global memory.
  double sectorsPerRequest() const;
  /// Number of passes over the banks of workgroup memory, relative to accesses
  /// without bank conflicts. 1 means no conflicts.
  double ways() const;
  bool isUncoalesced() const;
  bool hasConflicts() const;
};

/// The number of blocks that share a processor, and the resource that limits
/// it.
struct Occupancy {
  int64_t blocks = 0;
  std::string limit;
};

/// Time in seconds that each part of a chip needs at its peak rate.
struct Roofline {
  double memory = 0, l2 = 0, workgroup = 0, issue = 0, special = 0, doubles = 0,
         matrix = 0;

  /// Returns the name and the time of the part that takes longest.
  std::pair<llvm::StringRef, double> bound() const;
};

struct KernelProfile {
  std::string name;
  int64_t launches = 1;
  int64_t blocks = 0, countedBlocks = 0, threads = 0, subgroup = 0,
          workgroupBytes = 0, bufferBytes = 0;
  /// isExact is false if blocks of one kind differed, so that the counts are
  /// estimates. isComplete is false if some blocks did not run, so that later
  /// kernels had wrong inputs.
  bool isExact = true, isComplete = true;
  /// Registers per thread, if a tool reported them.
  std::optional<int64_t> registers;
  std::vector<LineCounts> lines;

  /// Number of subgroup instructions of each class.
  std::map<std::string, int64_t> issuesByKind() const;
  int64_t sum(int64_t LineCounts::*what) const;
  /// Bytes that lanes access in global memory, or in workgroup memory.
  int64_t laneBytes(bool isWorkgroup) const;
  /// Bytes between L2 and the processors, and a lower bound for the bytes
  /// between DRAM and L2.
  int64_t l2Bytes() const;
  int64_t memoryBytes() const;

  Occupancy occupancy(const codegen::GpuRates &chip) const;
  /// Number of times that the chip is filled with blocks.
  double waves(const codegen::GpuRates &chip) const;
  /// Fraction of the processors' time that is used if all blocks take equally
  /// long. Less than 1 if the last wave is not full.
  double fill(const codegen::GpuRates &chip) const;
  Roofline roofline(const codegen::GpuRates &chip) const;
};

/// Parses the profile of a launch of the kernel `name`.
llvm::Expected<KernelProfile> readProfile(llvm::StringRef name,
                                          llvm::StringRef json);

void print(llvm::raw_ostream &os, const KernelProfile &kernel,
           const codegen::GpuRates &chip);
llvm::json::Object toJson(const KernelProfile &kernel,
                          const codegen::GpuRates &chip);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_KERNELPROFILE_H
