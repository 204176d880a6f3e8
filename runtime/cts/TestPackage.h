//===- TestPackage.h - packages that tests assemble -------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CTS_TESTPACKAGE_H
#define TENSORC_RUNTIME_CTS_TESTPACKAGE_H

#include "runtime/abi/Bytecode.h"
#include "runtime/abi/Format.h"
#include "tensorc/runtime.h"

#include <string>
#include <vector>

namespace tensorc::rt::cts {

/// A package with one entry "main", which takes one donated f32 buffer of four
/// elements and returns nothing or an f32 buffer. With `inner`, the package
/// also has a function 1 that takes and returns a buffer and a word.
struct TestPackage {
  std::vector<uint32_t> code, inner;
  std::vector<std::string> strings, constants;
  /// Kernels and their numbers of arguments, which are 0 for kernels beyond the
  /// end of `arities`. The image is mapped only after the code has been
  /// checked, so tests of the check may use any bytes as the image.
  std::string image = "none";
  std::vector<std::string> kernels;
  std::vector<uint32_t> arities;
  /// Declarations of kernel 0: the roles of its arguments, their dtypes (f32 if
  /// empty), the code that computes its sizes, and the numbers of dims,
  /// registers and results of that code.
  std::vector<ArgRole> roles;
  std::vector<tensorc_rt_dtype> dtypes;
  std::vector<uint32_t> sizes;
  uint32_t sizeDims = 0, sizeWords = 8, sizeResults = 2;
  /// If `hasNamedDim`, the argument's dim is named "n" and has any size.
  bool isDonated = true, hasNamedDim = false;
  /// Sizes and names of the output's dims, if there is an output.
  std::vector<std::pair<int64_t, std::string>> outputDims;
  bool hasOutput = false;
  /// There are as many registers of host buffers as of events.
  uint32_t words = 4, buffers = 4, events = 1;
  std::vector<std::string> targets = {"cpu"};
  /// Appends an instruction.
  void add(Op op, std::vector<uint32_t> operands, uint8_t queue = 0);
  /// `tileTest` is a package that tests the matrix instructions of each target.
  /// `planOf` is the field plan_of of the entry.
  std::string bytes(const std::string &tileTest = {},
                    uint32_t planOf = 0) const;
};

/// Returns the message of a status and frees it; "" for success.
std::string take(tensorc_rt_status *status);

} // namespace tensorc::rt::cts

#endif
