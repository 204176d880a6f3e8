//===- CpuModel.h - Triple, CPU and features of cpu targets -----*- C++ -*-===//
//
// "cpu" is this machine. "cpu:x86-64-v2|v3|v4", "cpu:x86-64-amx" (v4 with dot
// products of bytes and with AMX's tiles of bytes and bf16), "cpu:aarch64" and
// "cpu:aarch64-sve256" (SVE registers of 256 bits) are baselines that do not
// depend on the machine.
//
// In a virtual machine, the name that the processor reports may be older than
// its features. Costs are then those of the processor that its features imply.
// AMX is a feature of the host only if the system permits it.
//
// TENSORC_TEST_CPU=zen5 substitutes another processor for "cpu", so that tests
// can check the code for this processor. The model gets the processor's name
// and cache sizes, and those of its instructions that this machine has.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_CPUMODEL_H
#define TENSORC_CODEGEN_KERNEL_CPUMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tensorc::codegen {

/// Triple, CPU and features for LLVM's TargetMachine.
struct CpuModel {
  std::string triple;
  std::string cpu;
  /// LLVM's feature string, such as "+avx2,-avx512f". Set for the host, where a
  /// hypervisor may hide features that the CPU's name implies, and for SVE.
  std::string featureString;
  /// All features of the CPU, whether named or implied.
  llvm::StringMap<bool> features;
  /// True for the processor of this machine, but not for one that
  /// TENSORC_TEST_CPU substitutes.
  bool isHost = false;
  /// Sizes of the host's data caches and of a cache line in bytes. 0 for
  /// baselines, and if the system does not report them.
  int64_t l1Bytes = 0, l2Bytes = 0, cacheLineBytes = 0;
  /// Size of SVE registers in bits, or 0 without SVE. Code for one size is
  /// wrong on others.
  unsigned sveBits = 0;

  bool has(llvm::StringRef feature) const { return features.lookup(feature); }
  bool isX86() const { return llvm::StringRef(triple).starts_with("x86_64"); }
  bool isWasm() const { return llvm::StringRef(triple).starts_with("wasm"); }

  /// Returns everything that code for this model depends on, as a string for
  /// cache keys.
  std::string getIdentity() const;
};

/// Returns all target strings of CPUs.
llvm::ArrayRef<llvm::StringLiteral> getCpuNames();

/// Returns the model of `target` ("cpu", "cpu:x86-64-v4", ...), which lives as
/// long as the process. Returns an error if the target is unknown, if the host
/// is older than x86-64-v2, or if TENSORC_TEST_CPU names no known test
/// processor.
llvm::Expected<const CpuModel &> getCpuModel(llvm::StringRef target);

/// Returns LLVM's name of the oldest processor that has all `features`, if it is
/// known to be newer than `cpu`, the name that the processor reports. Otherwise
/// returns `cpu`.
llvm::StringRef findProcessor(llvm::StringRef cpu,
                              const llvm::StringMap<bool> &features);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_CPUMODEL_H
