//===- KernelSizes.h - what a kernel declares of its launches ---*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_KERNELSIZES_H
#define TENSORC_RUNTIME_PROGRAM_KERNELSIZES_H

#include "runtime/abi/Bytecode.h"
#include "runtime/core/Status.h"

#include <cstdint>
#include <vector>

namespace tensorc::rt {

struct Function;
struct Program;

/// The extent of a launch, the bytes of scratch, the least bytes of each buffer
/// and the scalars that are sizes, computed from the sizes that the launch
/// passes. Constants are in place before, so static sizes cost nothing but
/// comparisons.
class KernelSizes {
public:
  /// Takes a function of words that only computes.
  static Status decode(const Program &program, const Function &function,
                       KernelSizes &out);

  bool isDeclared() const { return !results.empty(); }
  uint32_t dimCount() const { return dims; }
  uint32_t valueCount() const { return static_cast<uint32_t>(results.size()); }
  /// Null, or what is wrong. `values` has room for valueCount().
  const char *evaluate(const int64_t *dims, int64_t *values) const;

private:
  struct Step {
    Op op;
    uint32_t target, a, b;
  };
  uint32_t dims = 0;
  std::vector<int64_t> registers; // with the constants; dims are the first
  std::vector<Step> steps;
  std::vector<uint32_t> results;
};

} // namespace tensorc::rt

#endif
