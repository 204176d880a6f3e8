//===- Compiled.h - A function compiled for a target ------------*- C++ -*-===//
#ifndef TENSORC_TESTS_ACCURACY_COMPILED_H
#define TENSORC_TESTS_ACCURACY_COMPILED_H

#include "tensorc/runtime.hpp"
#include "tests/accuracy/Functions.h"

namespace tensorc::accuracy {

/// Number of elements of every call: as many as f16 has bit patterns.
constexpr size_t kBlock = 1 << 16;

/// Traces the expression of `function` with the lazy API and compiles it for
/// "cpu", "cpu:x86-64-v2", "sim:sm_90a", ...
class Compiled {
public:
  Compiled(const Function &function, DType dtype, const std::string &target);

  /// Of kBlock elements each.
  template <typename T>
  std::vector<T> operator()(const std::vector<std::vector<T>> &x) const {
    std::vector<Argument> arguments(x.begin(), x.end());
    return static_cast<Array>(entry.run(arguments)).template to_vector<T>();
  }

private:
  Entry entry;
};

} // namespace tensorc::accuracy

#endif // TENSORC_TESTS_ACCURACY_COMPILED_H
