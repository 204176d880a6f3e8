//===- TestPackage.h - packages made by hand --------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CTS_TESTPACKAGE_H
#define TENSORC_RUNTIME_CTS_TESTPACKAGE_H

#include "runtime/abi/Bytecode.h"
#include "runtime/abi/Format.h"
#include "tensorc/runtime.h"

#include <string>
#include <vector>

namespace tensorc::rt::cts {

/// A package of one entry "main" that takes one f32 buffer of four elements,
/// donated, and returns nothing, or an f32 buffer. With `inner` there is a
/// function 1 that takes and returns a buffer and a word.
struct TestPackage {
  std::vector<uint32_t> code, inner;
  std::vector<std::string> strings, constants;
  /// Kernels and how many arguments they take (none without an entry). The
  /// image is mapped after the code is checked, for which any bytes do.
  std::string image = "none";
  std::vector<std::string> kernels;
  std::vector<uint32_t> arities;
  /// What kernel 0 declares: roles of its arguments and their dtypes (f32 where
  /// there are none), and the code that computes its sizes, of so many dims, in
  /// so many registers.
  std::vector<ArgRole> roles;
  std::vector<tensorc_rt_dtype> dtypes;
  std::vector<uint32_t> sizes;
  uint32_t sizeDims = 0, sizeWords = 8, sizeResults = 2;
  /// With `hasNamedDim` the argument's dim is "n", of any size.
  bool isDonated = true, hasNamedDim = false;
  /// Of the output, where there is one: sizes and names.
  std::vector<std::pair<int64_t, std::string>> outputDims;
  bool hasOutput = false;
  uint32_t words = 4, buffers = 4, events = 1;
  std::vector<std::string> targets = {"cpu"};
  /// Appends an instruction.
  void add(Op op, std::vector<uint32_t> operands);
  std::string bytes() const;
};

/// The message of a status, which is freed; "" for success.
std::string take(tensorc_rt_status *status);

} // namespace tensorc::rt::cts

#endif
