//===- CostModel.h - The cost of an expression on a device ----------------===//
//
// The cost in seconds is the sum of: copies of operands from other devices,
// launches, kernels (each is bound by memory or by arithmetic), and copies of
// results to the devices that read them. The figures are per device;
// docs/design/0014-placement.md has the formula.
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

/// Classes of operations that have their own rate on a device. F16 is only for
/// contractions of narrow floats: all other operations are computed in f32.
enum class RateClass : uint8_t { F64, F32, F16, Integer };
constexpr unsigned numRateClasses = 4;
constexpr const char *rateNames[numRateClasses] = {"f64", "f32", "f16",
                                                   "integer"};
RateClass rateClassOf(tx::DType dtype, bool isContraction);

/// The speed of a device, measured or read from a file. The figures of copies
/// are for copies between the device and the host.
struct Figures {
  double launch = 0; // seconds per kernel
  double copy = 0;   // latency of a copy in seconds
  double toDevice = 0,
         fromDevice = 0; // bytes per second; 0 if no copy is needed
  double memory = 0;     // bytes per second, read and written
  std::array<double, numRateClasses> rates{}; // operations per second
};

struct KernelWork {
  double bytes = 0;
  std::array<double, numRateClasses> operations{};
};

/// A value that kernels read, and the devices that hold it.
struct OperandWork {
  double bytes = 0;
  llvm::SmallVector<tensorc_rt_device *, 1> places;
};

struct Work {
  std::vector<KernelWork> kernels;
  std::vector<OperandWork> operands;
  std::vector<double> results; // bytes of each
  /// The device for the results; null for the host.
  tensorc_rt_device *home = nullptr;
};

struct Candidate {
  std::string name;
  tensorc_rt_device *device = nullptr;
  bool isHost = false;
  Figures figures;
};

/// Copies between devices.
struct Copies {
  double seconds = 0, bytes = 0;
  unsigned count = 0;
  void add(double time, double size) {
    seconds += time, bytes += size;
    ++count;
  }
};

/// The estimated time in seconds, and its components.
struct Sum {
  Copies operands, results;
  double launches = 0, kernels = 0;
  /// The kernels' time if only memory limited it, and if only arithmetic did.
  double memory = 0, arithmetic = 0;
  unsigned numKernels = 0;
  double kernelBytes = 0, operations = 0;

  double total() const {
    return operands.seconds + launches + kernels + results.seconds;
  }
  bool isPossible() const;
  /// Multiplies the kernels' terms by `times`.
  void repeat(double times);
};

/// Returns a cost that is larger than any other, for a candidate that cannot
/// compute the expression.
Sum impossible();
/// Returns the cost of the kernels, which does not depend on where operands
/// are.
Sum sumOfKernels(const Candidate &on, llvm::ArrayRef<KernelWork> kernels);
/// Adds the cost of copying operands and results.
void addCopies(llvm::ArrayRef<Candidate> all, const Candidate &on,
               const Work &work, Sum &sum);
Sum sumOf(llvm::ArrayRef<Candidate> all, const Candidate &on, const Work &work);

/// Returns the positions of the sums in increasing order; stable for equal
/// sums.
llvm::SmallVector<unsigned, 4> rank(llvm::ArrayRef<Sum> sums);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_COSTMODEL_H
