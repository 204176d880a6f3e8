//===- CostModel.h - What an expression costs on a device -----------------===//
//
// seconds = operands that are elsewhere + launches + the kernels, each bound by
// memory or by arithmetic + results to where they are read. The figures are
// each device's own; docs/design/0014-placement.md has the formula.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_COSTMODEL_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_COSTMODEL_H

#include "ir/tx/DType.h"
#include "runtime/include/tensorc/runtime.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <string>
#include <vector>

namespace tensorc::placement {

/// What a device computes at one rate. F16 counts contractions of narrow floats
/// alone: all else is computed in f32.
enum class RateClass : uint8_t { F64, F32, F16, Integer };
constexpr unsigned numRateClasses = 4;
constexpr const char *rateNames[numRateClasses] = {"f64", "f32", "f16",
                                                   "integer"};
RateClass rateClassOf(tx::DType dtype, bool isContraction);

/// Of a device; copies are between it and the host.
struct Figures {
  double launch = 0;                   // seconds per kernel
  double copy = 0;                     // seconds per copy, however small
  double toDevice = 0, fromDevice = 0; // bytes per second; 0: no copy is needed
  double memory = 0;                   // bytes per second, read and written
  std::array<double, numRateClasses> rates{}; // operations per second
};

struct KernelWork {
  double bytes = 0;
  std::array<double, numRateClasses> operations{};
};

/// A value that kernels read, and the devices that have it.
struct OperandWork {
  double bytes = 0;
  llvm::SmallVector<tensorc_rt_device *, 1> places;
};

struct Work {
  std::vector<KernelWork> kernels;
  std::vector<OperandWork> operands;
  std::vector<double> results; // bytes each
  /// Where the results go; null: to the host.
  tensorc_rt_device *home = nullptr;
};

struct Candidate {
  std::string name;
  tensorc_rt_device *device = nullptr;
  bool isHost = false;
  Figures figures;
};

/// Seconds, and what they come from.
struct Sum {
  double operands = 0, launches = 0, kernels = 0, results = 0;
  /// The kernels if memory alone, or arithmetic alone, bound them.
  double memory = 0, arithmetic = 0;
  unsigned operandCopies = 0, resultCopies = 0, numKernels = 0;
  double operandBytes = 0, resultBytes = 0, kernelBytes = 0, operations = 0;

  double total() const { return operands + launches + kernels + results; }
  bool isPossible() const;
  /// The kernels' terms, so many times.
  void repeat(double times);
};

/// Of a candidate that cannot compute it: larger than any other.
Sum impossible();
/// The kernels' terms, which do not change with where operands are.
Sum sumOfKernels(const Candidate &on, llvm::ArrayRef<KernelWork> kernels);
/// Adds the terms of operands and results.
void addCopies(llvm::ArrayRef<Candidate> all, const Candidate &on,
               const Work &work, Sum &sum);
Sum sumOf(llvm::ArrayRef<Candidate> all, const Candidate &on, const Work &work);

/// Positions of the sums, the smallest first; of equal ones the earlier.
llvm::SmallVector<unsigned, 4> rank(llvm::ArrayRef<Sum> sums);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_COSTMODEL_H
