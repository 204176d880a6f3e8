//===- TestProgram.h - a C program that tests an object ---------*- C++ -*-===//
//
// It reads inputs and expected outputs from files of their bytes, runs the
// object's function and compares.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_OUTPUT_OBJECT_TESTPROGRAM_H
#define TENSORC_COMPILER_OUTPUT_OBJECT_TESTPROGRAM_H

#include "compiler/output/object/Signature.h"

#include "llvm/Support/Error.h"

namespace tensorc::compiler {

/// A call of a function and what it should give.
struct TestCase {
  struct Tensor {
    std::string name; // of the argument or result
    llvm::SmallVector<int64_t> shape;
    std::string bytes; // as C has them
    /// Of a result: |x - y| <= absolute + relative * |y|.
    double relative = 0, absolute = 0;
  };
  std::vector<Tensor> inputs, outputs;
};

/// The text of the program, which is called with the folder of the files. An
/// error where there are several functions, or one that asks for functions of
/// the caller.
llvm::Expected<std::string>
writeTestProgram(llvm::ArrayRef<ObjectSignature> signatures,
                 const TestCase &test, llvm::StringRef header);

/// Where the bytes of input or output i lie in the folder: `input0.bin`.
std::string testFileOf(bool isInput, size_t i);

} // namespace tensorc::compiler

#endif
