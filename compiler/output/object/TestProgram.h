//===- TestProgram.h - a C program that tests an object ---------*- C++ -*-===//
//
// The program reads inputs and expected outputs from binary files, runs the
// object's function and compares the results.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_OUTPUT_OBJECT_TESTPROGRAM_H
#define TENSORC_COMPILER_OUTPUT_OBJECT_TESTPROGRAM_H

#include "compiler/output/object/Signature.h"

#include "llvm/Support/Error.h"

namespace tensorc::compiler {

/// A call of a function and its expected results.
struct TestCase {
  struct Tensor {
    std::string name; // name of the argument or result
    llvm::SmallVector<int64_t> shape;
    std::string bytes; // in C's layout
    /// Tolerances for a result: |x - y| <= absolute + relative * |y|.
    double relative = 0, absolute = 0;
  };
  std::vector<Tensor> inputs, outputs;
};

/// Returns the text of a C program that takes the folder of the files as
/// argument. Returns an error if there are several functions, or if the
/// function needs callbacks.
llvm::Expected<std::string>
writeTestProgram(llvm::ArrayRef<ObjectSignature> signatures,
                 const TestCase &test, llvm::StringRef header);

/// Returns the file name of input or output i in the folder, e.g. `input0.bin`.
std::string testFileOf(bool isInput, size_t i);

} // namespace tensorc::compiler

#endif
