//===- HostCosts.h - Measures costs that no row knows -----------*- C++ -*-===//
//
// If codegen/kernel/CpuCosts.def has no row for this machine's processor, a few
// costs are measured: the size from which streaming stores pay off, and the
// distances of prefetches. They select among kernels with the same bits.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_HOSTCOSTS_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_HOSTCOSTS_H

#include "codegen/kernel/CpuCosts.h"
#include "compiler/session/placement/KeyedFile.h"
#include "runtime/include/tensorc/runtime.h"

namespace tensorc::placement {

/// Measurements of the host. Tests substitute a fake.
class CostProbe {
public:
  virtual ~CostProbe() = default;
  /// Returns the seconds to write and then read a buffer of this size, with
  /// streaming or with normal stores.
  virtual double store(int64_t bytes, bool streaming) = 0;
  /// Returns the seconds to read a large buffer that is prefetched into L1 or
  /// L2, this number of bytes ahead. 0 means that it is not prefetched.
  virtual double read(int64_t distance, bool intoL1) = 0;
  /// Returns the size of L1 divided by its associativity, and the size of L2; 0
  /// if it is unknown.
  virtual int64_t l1WayBytes() = 0;
  virtual int64_t l2Bytes() = 0;
};

/// Maximum total time of the experiments in seconds. Costs that are not
/// measured by then keep their assumed values.
constexpr double maxProbeSeconds = 0.2;

/// The origin of measured costs, which distinguishes them from others of their
/// row.
inline constexpr llvm::StringLiteral hostOrigin = "this machine";

/// Returns the row "generic" with the costs that the experiments determine.
codegen::CpuCosts measureCosts(CostProbe &probe);

/// Returns the stored row, or measures and stores it. Returns nullopt if there
/// is no stored row and no writable folder: the experiments would be repeated
/// in each process.
std::optional<codegen::CpuCosts>
findCosts(CostProbe &probe, const FactFolders &folders, llvm::StringRef key);

/// Sets measured costs for code that this process compiles for the target
/// "cpu", unless the processor has a row or TENSORC_HOST_COSTS is off. Only the
/// first call for a device of this target has an effect. Must precede the first
/// lookup of compiled code, because the costs are part of the target's identity.
/// Only one thread at a time may call it.
void useHostCosts(tensorc_rt_device *device, const FactFolders &folders,
                  llvm::StringRef compiler);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_HOSTCOSTS_H
