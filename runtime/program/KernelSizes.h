//===- KernelSizes.h - the sizes that a kernel declares ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_KERNELSIZES_H
#define TENSORC_RUNTIME_PROGRAM_KERNELSIZES_H

#include "runtime/abi/Bytecode.h"
#include "runtime/core/Status.h"

#include <cstdint>
#include <vector>

namespace tensorc::rt {

struct Function;
struct Program;

/// Computes values of a launch from the sizes that the launch passes: the
/// extent, the bytes of scratch, the minimum bytes of each buffer, and the
/// scalars that are sizes. Constants are set in advance, so that static sizes
/// cost only comparisons.
class KernelSizes {
public:
  /// Decodes a function whose code only computes words.
  static Status decode(const Program &program, const Function &function,
                       KernelSizes &out);

  bool isDeclared() const { return !results.empty(); }
  uint32_t dimCount() const { return dims; }
  uint32_t valueCount() const { return static_cast<uint32_t>(results.size()); }
  /// Returns null, or an error text. `values` has room for valueCount()
  /// numbers.
  const char *evaluate(const int64_t *dims, int64_t *values) const;

private:
  struct Step {
    Op op;
    uint32_t target, a, b;
  };
  uint32_t dims = 0;
  std::vector<int64_t> registers; // the dims, then the constants set in advance
  std::vector<Step> steps;
  std::vector<uint32_t> results;
};

} // namespace tensorc::rt

#endif
