//===- CostModel.cpp - The cost of an expression on a device --------------===//

#include "compiler/session/placement/CostModel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tensorc::placement {

RateClass rateClassOf(tx::DType dtype, bool isContraction) {
  if (dtype == tx::DType::F64)
    return RateClass::F64;
  if (!tx::isFloat(dtype))
    return RateClass::Integer;
  return isContraction && dtype != tx::DType::F32 ? RateClass::F16
                                                  : RateClass::F32;
}

/// Returns the time of a copy between the host and a device; 0 if they share
/// memory.
static double copySeconds(const Figures &figures, double bytes, bool toDevice) {
  double rate = toDevice ? figures.toDevice : figures.fromDevice;
  return rate > 0 ? figures.copy + bytes / rate : 0;
}

static const Candidate *find(llvm::ArrayRef<Candidate> all,
                             const tensorc_rt_device *device) {
  for (const Candidate &candidate : all)
    if (candidate.device == device)
      return &candidate;
  return nullptr;
}

/// Returns the time of a copy between devices, which goes through the host. A
/// device without figures counts as the host.
static double moveSeconds(llvm::ArrayRef<Candidate> all,
                          const tensorc_rt_device *from,
                          const tensorc_rt_device *to, double bytes) {
  if (from == to)
    return 0;
  double seconds = 0;
  if (const Candidate *source = from ? find(all, from) : nullptr)
    seconds += copySeconds(source->figures, bytes, /*toDevice=*/false);
  if (const Candidate *target = to ? find(all, to) : nullptr)
    seconds += copySeconds(target->figures, bytes, /*toDevice=*/true);
  return seconds;
}

Sum impossible() {
  Sum sum;
  sum.kernels = std::numeric_limits<double>::infinity();
  return sum;
}

bool Sum::isPossible() const { return std::isfinite(kernels); }

void Sum::repeat(double times) {
  for (double *term :
       {&launches, &kernels, &memory, &arithmetic, &kernelBytes, &operations})
    *term *= times;
  numKernels = static_cast<unsigned>(numKernels * times);
}

Sum sumOfKernels(const Candidate &on, llvm::ArrayRef<KernelWork> kernels) {
  const Figures &figures = on.figures;
  Sum sum;
  sum.numKernels = kernels.size();
  sum.launches = figures.launch * kernels.size();
  for (const KernelWork &kernel : kernels) {
    double memory = figures.memory > 0 ? kernel.bytes / figures.memory : 0;
    double arithmetic = 0;
    for (auto [operations, rate] :
         llvm::zip_equal(kernel.operations, figures.rates)) {
      arithmetic += rate > 0 ? operations / rate : 0;
      sum.operations += operations;
    }
    sum.kernelBytes += kernel.bytes;
    sum.memory += memory;
    sum.arithmetic += arithmetic;
    sum.kernels += std::max(memory, arithmetic);
  }
  return sum;
}

void addCopies(llvm::ArrayRef<Candidate> all, const Candidate &on,
               const Work &work, Sum &sum) {
  for (const OperandWork &operand : work.operands) {
    if (llvm::is_contained(operand.places, on.device))
      continue;
    double best =
        operand.places.empty()
            ? moveSeconds(all, nullptr, on.device, operand.bytes)
            : moveSeconds(all, operand.places[0], on.device, operand.bytes);
    for (tensorc_rt_device *place : llvm::drop_begin(
             operand.places, std::min<size_t>(1, operand.places.size())))
      best = std::min(best, moveSeconds(all, place, on.device, operand.bytes));
    if (best != 0)
      sum.operands.add(best, operand.bytes);
  }
  for (double bytes : work.results) {
    double seconds = moveSeconds(all, on.device, work.home, bytes);
    if (seconds != 0)
      sum.results.add(seconds, bytes);
  }
}

Sum sumOf(llvm::ArrayRef<Candidate> all, const Candidate &on,
          const Work &work) {
  Sum sum = sumOfKernels(on, work.kernels);
  addCopies(all, on, work, sum);
  return sum;
}

llvm::SmallVector<unsigned, 4> rank(llvm::ArrayRef<Sum> sums) {
  auto order = llvm::to_vector<4>(llvm::seq<unsigned>(0, sums.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(sums[a].total(), a) < std::pair(sums[b].total(), b);
  });
  return order;
}

} // namespace tensorc::placement
